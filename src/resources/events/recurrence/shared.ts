import { type SQL, sql } from 'drizzle-orm'
import { given, jsonPieces } from '../../../db/bulk.ts'
import { inOrder, literal, many, mapped, type Query } from '../../../db/query.ts'
import { events, imports, series } from '../../../db/schema.ts'
import { freeSlugSql } from '../../../db/slugs.ts'
import { SERIES_SIZE } from '../../../lib/budgets.ts'
import { MAX_SLUG } from '../../../lib/slug.ts'
import { parseJson } from '../../../lib/values.ts'
import { EVENT_FIELDS, type EventFields, type EventValues } from '../schema.ts'

/** The fields of relations. */
export const RELATIONS = ['venue', 'organizer', 'categories', 'tags'] as const

/** The number of links, by relation, of a series or of a single event. */
export type LinkCounts = Record<(typeof RELATIONS)[number], number>

const NO_LINKS: LinkCounts = { venue: 0, organizer: 0, categories: 0, tags: 0 }

export const isRelation = (name: string): name is (typeof RELATIONS)[number] =>
  RELATIONS.some(other => other === name)

/** The name of the first relation among some values. */
export const namedRelation = (values: EventValues) => RELATIONS.find(name => values[name] !== undefined)

/**
 * Checks that a write does not make too many links.
 *
 * @param rows the number of occurrences that it writes
 * @param stored the number of links before
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

/** The texts in a JSON array that a column of a series or occurrence holds. */
export function textsOf(json: string): string[] {
  // The Worker writes valid arrays. Invalid ones that others wrote must not stop it from reading everything else.
  const texts = parseJson(json)
  return Array.isArray(texts) ? texts.filter(text => typeof text === 'string') : []
}

type Column = keyof (typeof series)['_']['columns'] & keyof (typeof events)['_']['columns']

/** The fields of an event's times. They are detached from a series together, because they depend on one another. */
export const TIMES = ['start_date', 'end_date', 'timezone', 'all_day'] as const

/** The fields that every occurrence has of its own, so that changes of its series never affect them. */
const OWN: readonly FieldName[] = ['external_id', 'recurrence', 'scope', 'cost_details']

/**
 * The fields whose columns occurrences do not copy: texts are read from the series, each occurrence has its own times
 * and slug (see plan.ts), and occurrences in the trash keep that status.
 */
const NOT_COPIED: readonly FieldName[] = [...OWN, 'status', 'slug', 'description', 'excerpt', ...TIMES]

/** The columns that occurrences copy from their series, by the field that sets them. */
const columnsIn = (name: FieldName): readonly Column[] =>
  // A field names columns of events, which series have as well except for the times; a test checks each.
  NOT_COPIED.includes(name) ? [] : (EVENT_FIELDS[name].columns as readonly Column[])

export type FieldName = keyof EventFields

/** All fields of events. */
// Object.keys forgets the keys' type.
export const FIELD_NAMES = Object.keys(EVENT_FIELDS) as FieldName[]

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(EVENT_FIELDS, name)

/** The fields that an occurrence can have of its own. */
export const isSharedField = (name: FieldName): boolean => !OWN.includes(name)

/** The fields whose text a search finds. */
export const TEXT_FIELDS: readonly FieldName[] = ['title', 'description', 'excerpt']

/** The names of the defined values. */
export const fieldNamesOf = (values: EventValues): FieldName[] =>
  // A schema has made the values, so their keys are its fields.
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

/** The same, as a condition on a row of `events`. */
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

// Single events, series and the dates of series have their pages below the same path. So an event must not take the
// address of a series, nor that of any of its dates, not even an excluded one.

/** Space in a slug for the date and time of an occurrence, and for the ending of slugs in the trash. */
const SUFFIX_ROOM = 30

const DATE = sql.raw(`'-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`)

/**
 * Lengths of the part of an occurrence's slug that follows the slug of its series: a date, a date with hours and
 * minutes, or one with seconds too.
 */
const SUFFIXES = [11, 16, 18]

const isSeries = (slug: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${series} AS other WHERE other.slug = ${slug})`

/**
 * Makes a condition that is true for the slug of a series, or of a date that a series has, had or excludes.
 *
 * @param own the slug of the event's own series, whose dates it may use
 */
export const takenBySeries =
  (own: SQL = sql`''`) =>
  (slug: SQL): SQL => {
    const bases = SUFFIXES.map(
      length => sql`iif(substr(${slug}, -${literal(length)}, 11) GLOB ${DATE}
          AND substr(${slug}, length(${slug}) - ${literal(length - 13)}) NOT GLOB '*[^0-9]*',
        substr(${slug}, 1, length(${slug}) - ${literal(length)}), NULL)`,
    )
    return sql`(${isSeries(slug)} OR EXISTS (SELECT 1 FROM ${series} AS other
      WHERE other.slug IN (${sql.join(bases, sql`, `)}) AND other.slug <> ${own} AND other.status <> 'trash'))`
  }

/** The slug that a series asks for, shortened to leave space for the dates of its occurrences. */
export const seriesSlug = (wanted: string): string =>
  wanted.slice(0, MAX_SLUG - SUFFIX_ROOM).replace(/-+$/, '') || 'event'

/**
 * A query for the slugs that new series get, in order. Series that have the same slug in their source share it here as
 * well, because they are parts of a divided series.
 *
 * @param wanted the slugs that the series ask for, and whether their source names them
 */
export const selectSeriesSlugs = (
  wanted: readonly { slug: string; isNamed: boolean }[],
  source: string,
): Query<string[]> => {
  const ranks = new Map<string, number>()
  const rows = wanted.map(({ slug, isNamed }) => {
    const base = seriesSlug(slug)
    const rank = ranks.get(base) ?? 0
    ranks.set(base, rank + 1)
    return { base, named: Number(isNamed), rank }
  })
  const base = given('base')
  const ofOthers = sql`SELECT 1 FROM ${series} AS other WHERE other.slug = ${base} AND NOT EXISTS (
    SELECT 1 FROM ${imports} INDEXED BY imports_target WHERE kind = 'series' AND target_id = other.id AND source = ${source})`
  const isShared = sql`${given('named')} AND NOT EXISTS (SELECT 1 FROM ${events} WHERE slug = ${base})
    AND NOT EXISTS (${ofOthers}) AND (${isSeries(base)} OR NOT ${takenBySeries()(base)})`
  const free = freeSlugSql(events, base, { takenElsewhere: takenBySeries(), rank: given('rank') })
  return mapped(
    inOrder(
      jsonPieces(rows).map(json =>
        many(
          sql`SELECT iif(${isShared}, ${base}, ${free}) AS slug FROM json_each(${json}) AS given ORDER BY given.key`,
          row => String(row.slug),
        ),
      ),
    ),
    pieces => pieces.flat(),
  )
}

/** The first free slug of an occurrence. @param base an expression */
export const occurrenceSlug = (base: SQL, except?: SQL): SQL =>
  freeSlugSql(events, base, { takenElsewhere: isSeries, ...(except !== undefined && { except }) })
