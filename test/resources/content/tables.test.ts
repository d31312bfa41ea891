import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import * as schema from '../../../src/db/schema.ts'
import { CONTENT_TABLES, type NamedTable, type Singular } from '../../../src/resources/content/resource.ts'

const getName = (table: unknown) => (is(table, SQLiteTable) ? getTableName(table) : '')

it('the tables with an author, a status and a slug are those of content, and series, whose occurrences are published', () => {
  const owned = Object.values(schema).filter(
    table =>
      is(table, SQLiteTable) && ['author_id', 'status', 'slug'].every(name => name in getTableColumns(table)),
  )
  expect(owned.length).toBeGreaterThan(0)
  expect(owned.map(getName).sort()).toEqual(
    [...Object.values(CONTENT_TABLES), schema.series].map(getName).sort(),
  )
})

it('a kind of content without its table does not compile', () => {
  const { venue: _, ...others } = CONTENT_TABLES
  // @ts-expect-error there is no table of venues
  others satisfies Record<Singular, NamedTable>
  expect(others).not.toHaveProperty('venue')
})
