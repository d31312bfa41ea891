import { getTableColumns } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ORGANIZERS } from '../../../src/organizers/kind.ts'
import { BACKUP } from '../../../src/sources/columns.ts'
import { VENUES } from '../../../src/venues/kind.ts'

const OTHERS = /^(?:status|date|modified|description)/

it.each([VENUES, ORGANIZERS])('a search of $plural looks through every column of text', kind => {
  const { placed } = BACKUP[kind.plural]
  const texts = Object.entries(getTableColumns(kind.table)).flatMap(([name, { dataType }]) =>
    dataType === 'string' && !placed.includes(name) && !OTHERS.test(name) ? [name] : [],
  )
  expect(texts.length).toBeGreaterThan(3)
  expect(['name', ...kind.searchColumns].sort()).toEqual(texts.sort())
})
