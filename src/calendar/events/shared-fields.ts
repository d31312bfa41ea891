import { type SQL, sql } from 'drizzle-orm'
import { positionOfName } from '../../kit/db/event-expressions.ts'
import type { events, series } from '../../kit/db/tables.ts'
import { EVENT_FIELDS, FIELD_NAMES, type FieldName } from './schema.ts'

// The fields that the dates of a series share with it, until a field of a date is detached.

type Column = keyof (typeof series)['_']['columns'] & keyof (typeof events)['_']['columns']

/**
 * The fields of an event's times. They are detached from a series together, because they depend on one
 * another.
 */
export const TIMES = ['start_date', 'end_date', 'timezone', 'all_day'] as const

const TIME_COLUMNS = TIMES.flatMap(name => EVENT_FIELDS[name].columns)

/** The columns that a field of an occurrence sets. A field of times sets the columns of all times. */
export const columnsOfField = (name: FieldName): readonly string[] =>
  TIMES.some(time => time === name) ? TIME_COLUMNS : EVENT_FIELDS[name].columns

/** The fields that every occurrence has of its own, so that changes of its series never affect them. */
const NEVER_SHARED: readonly FieldName[] = ['external_id', 'recurrence', 'scope', 'spread', 'cost_details']

/**
 * The fields whose columns occurrences do not copy: texts are read from the series, each occurrence has its
 * own times and slug, and occurrences in the trash keep that status.
 */
const NOT_COPIED: readonly FieldName[] = [
  ...NEVER_SHARED,
  'status',
  'slug',
  'description',
  'excerpt',
  ...TIMES,
]

/** The columns that occurrences copy from their series, by the field that sets them. */
const columnsToCopy = (name: FieldName): readonly Column[] =>
  // A field names columns of events, which series have as well except for the times; a test checks each.
  NOT_COPIED.includes(name) ? [] : (EVENT_FIELDS[name].columns as readonly Column[])

/** True if the dates of a series share a field, unless it is detached. */
export const isSharedField = (name: FieldName): boolean => !NEVER_SHARED.includes(name)

/** Fields that set the same columns, so that they are detached together. */
const TOGETHER: readonly (readonly FieldName[])[] = [
  TIMES,
  ['date', 'date_utc'],
  ['is_virtual', 'virtual_event_type'],
]

const togetherWith = (name: FieldName): readonly FieldName[] =>
  TOGETHER.find(names => names.includes(name)) ?? [name]

/** True if a field of an occurrence is detached, by itself or with a field that it depends on. */
export const isDetachedIn = (detached: readonly string[], name: FieldName): boolean =>
  togetherWith(name).some(other => detached.includes(other))

/** The condition of {@link isDetachedIn}. @param row the name of a row of `events` */
export const detachedSql = (name: FieldName, row = 'events'): SQL =>
  sql.raw(
    `(${togetherWith(name)
      .map(other => `${positionOfName(`${row}.detached`, other)} > 0`)
      .join(' OR ')})`,
  )

/** The columns that fields set, each with a field that detaches it. */
export function copiedColumns(names: readonly FieldName[]): Map<Column, FieldName> {
  return new Map(
    names.flatMap(name => columnsToCopy(name).map((column): [Column, FieldName] => [column, name])),
  )
}

/** Every column that new occurrences copy from their series. */
export const ALL_COPIED: readonly Column[] = [
  ...new Set<Column>([
    ...FIELD_NAMES.flatMap(columnsToCopy),
    'modified',
    'modified_utc',
    'all_day',
    'timezone',
  ]),
]
