import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { events, organizers, series, venues } from '../../../src/db/schema.ts'
import {
  type CompleteTable,
  fieldTable,
  plainField,
  shownFields,
  storedColumns,
} from '../../../src/resources/content/fields.ts'
import { EVENT_FIELDS } from '../../../src/resources/events/schema.ts'
import { ORGANIZER_FIELDS } from '../../../src/resources/organizers/schema.ts'
import { VENUE_FIELDS } from '../../../src/resources/venues/schema.ts'

/** The columns that no field sets. */
const OF_ALL = ['id', 'version', 'modified', 'modified_utc']
const OF_EVENTS = [...OF_ALL, 'uid', 'sequence']
const TABLES: [string, SQLiteTable, CompleteTable, string[]][] = [
  [
    'events',
    events,
    EVENT_FIELDS,
    [
      ...OF_EVENTS,
      'series_id',
      'occurrence_date',
      'detached',
      'duplicate_of',
      'previous_utc_start_date',
      'listed',
      'span',
      'search_key',
      'shares_text',
    ],
  ],
  ['series', series, EVENT_FIELDS, [...OF_EVENTS, 'rrule', 'rdate', 'exdate', 'extend_from']],
  ['venues', venues, VENUE_FIELDS, OF_ALL],
  ['organizers', organizers, ORGANIZER_FIELDS, OF_ALL],
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
