import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  type CompleteTable,
  fieldTable,
  plainField,
  shownFields,
  storedColumns,
} from '../../../src/calendar/content/fields.ts'
import { CONTENT_TABLES, type Singular, type VersionedTable } from '../../../src/calendar/content/resource.ts'
import { EVENT_FIELDS } from '../../../src/calendar/events/schema.ts'
import { ORGANIZER_FIELDS, ORGANIZERS } from '../../../src/calendar/organizers/resource.ts'
import { VENUES } from '../../../src/calendar/venues/resource.ts'
import { VENUE_FIELDS } from '../../../src/calendar/venues/schema.ts'
import * as schema from '../../../src/kit/db/tables.ts'

const { events, series, venues, organizers } = schema

/** The columns that no field sets. */
const OF_ALL = ['id', 'version', 'modified', 'modified_utc']
const OF_EVENTS = [...OF_ALL, 'uid', 'sequence_offset']
const TABLES: [string, SQLiteTable, CompleteTable, string[]][] = [
  [
    'events',
    events,
    EVENT_FIELDS,
    [
      ...OF_EVENTS,
      'series_id',
      'former_series_id',
      'occurrence_date',
      'detached',
      'duplicate_of',
      'previous_utc_start_date',
      'listed',
      'span',
      'search_key',
      'is_free',
      'shares_text',
    ],
  ],
  [
    'series',
    series,
    EVENT_FIELDS,
    [...OF_EVENTS, 'former_series_id', 'rrule', 'rdate', 'exdate', 'extend_from'],
  ],
  ['venues', venues, VENUE_FIELDS, OF_ALL],
  ['organizers', organizers, ORGANIZER_FIELDS, [...OF_ALL, 'hidden_phone', 'hidden_email']],
]

/** The instants and zone letters that only events have: series have wall times. */
const ONLY_EVENTS = ['utc_start_date', 'utc_end_date', 'timezone_abbr']

it.each(TABLES)(
  'every column of %s is set by a field, or by none on purpose',
  (name, table, fields, others) => {
    const set = Object.values(fields).flatMap(({ columns }) => columns)
    const expected = new Set([
      ...set.filter(column => name !== 'series' || !ONLY_EVENTS.includes(column)),
      ...others,
    ])
    expect(Object.keys(getTableColumns(table)).sort()).toEqual([...expected].sort())
  },
)

const rows = fieldTable({
  name: plainField(z.string(), z.string()),
  phone: plainField(z.string(), z.optional(z.string())),
})

it('a field that is stored without a column of its name does not compile', () => {
  const colour = fieldTable({ colour: plainField(z.string(), z.string()) })
  // @ts-expect-error: venues have no such column
  expect(storedColumns(colour, venues)({ colour: 'red' })).toEqual({ colour: 'red' })
  expect(storedColumns(rows, venues)({ name: 'Barn' })).toEqual({ name: 'Barn' })
})

it('responses leave out empty fields that may be absent, and no others', () => {
  const body = shownFields(rows)
  expect([body({ name: '', phone: '' }), body({ name: 'Barn', phone: '1' })]).toEqual([
    { name: '' },
    { name: 'Barn', phone: '1' },
  ])
})

const getName = (table: unknown) => (is(table, SQLiteTable) ? getTableName(table) : '')

it('the tables with an author, a status and a slug are those of content, and series, whose occurrences are published', () => {
  const owned = Object.values(schema).filter(
    table =>
      is(table, SQLiteTable) && ['author_id', 'status', 'slug'].every(name => name in getTableColumns(table)),
  )
  expect(owned.length).toBeGreaterThan(0)
  expect(owned.map(getName).sort()).toEqual([...Object.values(CONTENT_TABLES), series].map(getName).sort())
})

it('a kind of content without its table does not compile', () => {
  const { venue: _, ...others } = CONTENT_TABLES
  // @ts-expect-error there is no table of venues
  others satisfies Record<Singular, VersionedTable>
  expect(others).not.toHaveProperty('venue')
})

const OTHERS = /^(?:status|hidden|date|modified|description|slug|external_id|wheelchair)/

it.each([VENUES, ORGANIZERS])('a search of $plural looks through every column of text', kind => {
  const texts = Object.entries(getTableColumns(kind.table)).flatMap(([name, { dataType }]) =>
    dataType === 'string' && !OTHERS.test(name) ? [name] : [],
  )
  expect(texts.length).toBeGreaterThan(3)
  expect(['name', ...kind.searchColumns].sort()).toEqual(texts.sort())
})
