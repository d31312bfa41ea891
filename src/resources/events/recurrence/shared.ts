import { type SQL, sql } from 'drizzle-orm'
import { first, mapped, type Query } from '../../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  type series,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  terms,
} from '../../../db/schema.ts'
import { SERIES_SIZE } from '../../../lib/budgets.ts'
import { EVENT_FIELDS, type EventFields, type EventValues } from '../schema.ts'

/** The fields of relations. */
export const RELATIONS = ['venue', 'organizer', 'categories', 'tags'] as const

/** The numbers of the links of a series, or of a single event. */
export type LinkCounts = Record<(typeof RELATIONS)[number], number>

const NO_LINKS: LinkCounts = { venue: 0, organizer: 0, categories: 0, tags: 0 }

/** Counts the links of the series of an event, or of the event if it has none. @param condition names the event */
export function selectLinkCounts(condition: SQL): Query<LinkCounts> {
  const series = sql`(SELECT series_id FROM ${events} WHERE ${condition})`
  const single = sql`(SELECT id FROM ${events} WHERE ${condition} AND series_id IS NULL)`
  const linksOf = (own: SQL, shared: SQL, rest = sql``) =>
    sql`(SELECT count(*) FROM ${own} WHERE event_id = ${single} ${rest})
      + (SELECT count(*) FROM ${shared} WHERE series_id = ${series} ${rest})`
  const isOf = (taxonomy: string) =>
    sql`AND (SELECT taxonomy FROM ${terms} WHERE ${terms.id} = target_id) = ${taxonomy}`
  const [own, shared] = [sql`${eventTerms}`, sql`${seriesTerms}`]
  return mapped(
    first(
      sql`SELECT ${linksOf(sql`${eventVenues}`, sql`${seriesVenues}`)} AS venue,
        ${linksOf(sql`${eventOrganizers}`, sql`${seriesOrganizers}`)} AS organizer,
        ${linksOf(own, shared, isOf('event_category'))} AS categories,
        ${linksOf(own, shared, isOf('event_tag'))} AS tags`,
      row => ({
        venue: Number(row.venue),
        organizer: Number(row.organizer),
        categories: Number(row.categories),
        tags: Number(row.tags),
      }),
    ),
    counts => counts ?? NO_LINKS,
  )
}

/** The name of a relation that values change. */
export const namedRelation = (values: EventValues) => RELATIONS.find(name => values[name] !== undefined)

/**
 * Checks that a write makes not too many links.
 *
 * @param rows the occurrences that it writes
 * @param stored the links that there are before
 */
export function checkLinks(
  { values, rows, stored = NO_LINKS }: { values: EventValues; rows: number; stored?: LinkCounts | undefined },
  refuse: (reason: string) => void,
): void {
  const each = RELATIONS.reduce((sum, name) => sum + (values[name]?.length ?? stored[name]), 0)
  const most = Math.min(SERIES_SIZE.links, Math.floor(SERIES_SIZE.pairs / each))
  if (rows * each > most)
    refuse(
      `makes ${rows} occurrences, those in the trash included, with ${each} venues, organizers, categories and tags each: with so many each, a series has at most ${most} of them in all`,
    )
}

/** The texts in a JSON array, as columns of series and occurrences hold it. */
export function textsOf(json: string): string[] {
  try {
    const texts: unknown = JSON.parse(json)
    return Array.isArray(texts) ? texts.filter(text => typeof text === 'string') : []
  } catch {
    // The service writes these columns itself. What others wrote there must not keep it from reading all else.
    return []
  }
}

type Column = keyof (typeof series)['_']['columns'] & keyof (typeof events)['_']['columns']

/** The fields of an event's times. They are detached from a series together, because each depends on the others. */
export const TIMES = ['start_date', 'end_date', 'timezone', 'all_day'] as const

/** The fields that every occurrence has of its own, so that a change of its series never concerns them. */
const OWN: readonly FieldName[] = ['external_id', 'recurrence', 'scope', 'cost_details']

/**
 * The fields whose columns occurrences do not copy: texts are read from the series, times and slugs are each one's own (see
 * plan.ts), and those in the trash keep that status.
 */
const NOT_COPIED: readonly FieldName[] = [...OWN, 'status', 'slug', 'description', 'excerpt', ...TIMES]

/** The columns that occurrences copy from their series, by the field that sets them. */
const columnsIn = (name: FieldName): readonly Column[] =>
  // Columns of a field are those of events, all of which but the times series have as well; a test looks at each.
  NOT_COPIED.includes(name) ? [] : (EVENT_FIELDS[name].columns as readonly Column[])

export type FieldName = keyof EventFields

/** All fields of events. */
// Object.keys forgets the keys' type.
export const FIELD_NAMES = Object.keys(EVENT_FIELDS) as FieldName[]

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(EVENT_FIELDS, name)

/** The fields that an occurrence can have of its own. */
export const isSharedField = (name: FieldName): boolean => !OWN.includes(name)

/** The fields by whose text an event is found. */
export const TEXT_FIELDS: readonly FieldName[] = ['title', 'description', 'excerpt']

/** The names of values, which a schema has made. */
export const fieldNamesOf = (values: EventValues): FieldName[] =>
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

/** Tells whether a field of an occurrence is detached, itself or with those that it depends on. */
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
  return new Map(names.flatMap(name => columnsIn(name).map((column): [Column, FieldName] => [column, name])))
}

/** Every column that new occurrences copy from their series. */
export const ALL_COPIED: readonly Column[] = [
  ...new Set<Column>([...FIELD_NAMES.flatMap(columnsIn), 'modified', 'modified_utc', 'all_day', 'timezone']),
]
