import { getTableColumns } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { BACKUP } from '../../../src/intake/columns.ts'
import { ORGANIZERS } from '../../../src/resources/organizers/resource.ts'
import { VENUES } from '../../../src/resources/venues/resource.ts'

const OTHERS = /^(?:status|date|modified|description)/

it.each([VENUES, ORGANIZERS])('a search of $plural looks through every column of text', kind => {
  const { placed } = BACKUP[kind.plural]
  const texts = Object.entries(getTableColumns(kind.table)).flatMap(([name, { dataType }]) =>
    dataType === 'string' && !placed.includes(name) && !OTHERS.test(name) ? [name] : [],
  )
  expect(texts.length).toBeGreaterThan(3)
  expect(['name', ...kind.searchColumns].sort()).toEqual(texts.sort())
})
