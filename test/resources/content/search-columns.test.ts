import { getTableColumns } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ORGANIZERS } from '../../../src/resources/organizers/resource.ts'
import { VENUES } from '../../../src/resources/venues/resource.ts'

const OTHERS = /^(?:status|date|modified|description|slug|external_id|wheelchair)/

it.each([VENUES, ORGANIZERS])('a search of $plural looks through every column of text', kind => {
  const texts = Object.entries(getTableColumns(kind.table)).flatMap(([name, { dataType }]) =>
    dataType === 'string' && !OTHERS.test(name) ? [name] : [],
  )
  expect(texts.length).toBeGreaterThan(3)
  expect(['name', ...kind.searchColumns].sort()).toEqual(texts.sort())
})
