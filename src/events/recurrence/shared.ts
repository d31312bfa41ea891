import { type SQL, sql } from 'drizzle-orm'
import { events, series } from '../../db/schema.ts'
import type { EventFields } from '../schema.ts'

type Column = keyof (typeof series)['_']['columns'] & keyof (typeof events)['_']['columns']

/** The fields of an event's times. They are detached from a series together, because each depends on the others. */
export const TIMES = ['start_date', 'end_date', 'timezone', 'all_day'] as const

/** The columns that occurrences copy from their series, by the field that sets them. */
const COPIED = {
  author: ['author_id'],
  date: ['date', 'date_utc'],
  date_utc: ['date', 'date_utc'],
  // Occurrences in the trash keep that status, see plan.ts.
  status: [],
  title: ['title'],
  // Read from the series.
  description: [],
  excerpt: [],
  image: ['image_id'],
  // Each occurrence has its own times, see plan.ts.
  start_date: [],
  end_date: [],
  timezone: [],
  all_day: [],
  slug: [],
  cost: ['cost'],
  cost_details: [],
  website: ['website'],
  show_map: ['show_map'],
  show_map_link: ['show_map_link'],
  hide_from_listings: ['hide_from_listings'],
  sticky: ['sticky'],
  featured: ['featured'],
  ticketed: ['ticketed'],
  post_parent: ['post_parent'],
  event_status: ['event_status'],
  event_status_reason: ['event_status_reason'],
  is_virtual: ['is_virtual', 'virtual_event_type'],
  virtual_event_type: ['is_virtual', 'virtual_event_type'],
  virtual_url: ['virtual_url'],
  virtual_video_source: ['virtual_video_source'],
  custom_fields: ['custom_fields'],
  // In tables of their own, see links.ts.
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
  // An external id is that of one event.
  external_id: [],
  recurrence: [],
  scope: [],
} as const satisfies Record<keyof EventFields, readonly Column[]>

export type FieldName = keyof EventFields

/** The fields that an occurrence can have of its own. */
export const isSharedField = (name: FieldName): boolean =>
  !['external_id', 'recurrence', 'scope', 'cost_details'].includes(name)

/** The fields by whose text an event is found. */
export const TEXT_FIELDS: readonly FieldName[] = ['title', 'description', 'excerpt']

/** The names of values, which a schema has made. */
export const namesOf = (values: Partial<EventFields>): FieldName[] =>
  // The keys are those of the schema of events.
  (Object.keys(values) as FieldName[]).filter(name => values[name] !== undefined)

/** Fields that set the same columns, so that they are detached together. */
const TOGETHER: readonly (readonly FieldName[])[] = [
  TIMES,
  ['date', 'date_utc'],
  ['is_virtual', 'virtual_event_type'],
]

const togetherWith = (name: FieldName): readonly FieldName[] =>
  TOGETHER.find(names => names.includes(name)) ?? [name]

/** Tells if a field of an occurrence is detached, itself or with those that it depends on. */
export const isDetachedIn = (detached: readonly string[], name: FieldName): boolean =>
  togetherWith(name).some(other => detached.includes(other))

/** The same as a condition on a row of `events`. */
export const isDetachedSql = (name: FieldName): SQL =>
  sql`(${sql.join(
    togetherWith(name).map(other => sql`instr(${events.detached}, ${sql.raw(`'"${other}"'`)}) > 0`),
    sql` OR `,
  )})`

/** The columns that fields set, each with a field that detaches it. */
export function copiedColumns(names: readonly FieldName[]): Map<Column, FieldName> {
  return new Map(names.flatMap(name => COPIED[name].map((column): [Column, FieldName] => [column, name])))
}

/** Every column that new occurrences copy from their series. */
export const ALL_COPIED: readonly Column[] = [
  ...new Set([...Object.values(COPIED).flat(), 'modified', 'modified_utc', 'all_day', 'timezone'] as const),
]

/** Assignments of fields' columns, for an UPDATE of occurrences FROM their series: detached fields stay. */
export const copyAssignments = (names: readonly FieldName[]): SQL[] =>
  [...copiedColumns(names)].map(
    ([column, name]) =>
      sql`${sql.identifier(column)} = iif(${isDetachedSql(name)}, ${events[column]}, ${series[column]})`,
  )
