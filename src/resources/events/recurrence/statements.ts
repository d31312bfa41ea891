import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { inList } from '../../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  series,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  type Taxonomy,
} from '../../../db/schema.ts'
import type { DateTime } from '../../../lib/time.ts'
import { isPublished } from '../../content/visibility.ts'
import { type Numbered, type PreparedRow, rowStatements } from '../../content/writes.ts'
import { linksTo } from '../../terms/queries.ts'
import { linkKey, relationStatements } from '../relations/links.ts'
import type { Relations } from '../relations/resolve.ts'
import { indexSeries, reindexOccurrences } from '../search.ts'
import { occurrenceSlug } from './columns.ts'
import type { NewOccurrence, OccurrenceChange } from './plan.ts'
import { ALL_COPIED, copyAssignments, FIELD_NAMES, type FieldName, isDetachedSql } from './shared.ts'

// The statements that write a series' occurrences, all of them at once: rows go in as one JSON text, and what they share
// is copied from the row of the series, which has been written before.

type Id = SQL | number

/** The id of the series that a batch has just inserted: ids only grow, and a batch is a transaction. */
export const newSeriesId = sql`(SELECT max(id) FROM ${series})`

const given = (name: string): SQL => sql`(given.value ->> ${sql.raw(`'$.${name}'`)})`

const TIME_COLUMNS = ['start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'timezone_abbr'] as const

/** The statement that inserts occurrences. @param now UTC */
export const insertOccurrences = (id: Id, added: readonly NewOccurrence[], now: DateTime): SQL[] => {
  if (added.length === 0) return []
  const values: [name: string, value: SQL][] = [
    ...ALL_COPIED.map((name): [string, SQL] => [name, sql`${series[name]}`]),
    // The stored status of scheduled series is not changed when they are published.
    [
      'status',
      sql`iif(${series.status} = 'future' AND ${series.date_utc} <= ${now}, 'publish', ${series.status})`,
    ],
    ['series_id', sql`${series.id}`],
    ...['occurrence_date', ...TIME_COLUMNS].map((name): [string, SQL] => [name, given(name)]),
    ['external_id', sql`iif(${given('occurrence_date')} = ${series.start_date}, ${series.external_id}, '')`],
    [
      'slug',
      occurrenceSlug(
        sql`(${series.slug} || '-' || ${given('suffix')} || iif(${series.status} = 'trash', '__trashed', ''))`,
      ),
    ],
  ]
  const names = values.map(([name]) => sql.identifier(name))
  return [
    sql`INSERT INTO ${events} (${sql.join(names, sql`, `)})
      SELECT ${sql.join(
        values.map(([, value]) => value),
        sql`, `,
      )}
      FROM json_each(${JSON.stringify(added)}) AS given CROSS JOIN ${series} WHERE ${series.id} = ${id}
        AND NOT EXISTS (SELECT 1 FROM ${events} WHERE series_id = ${series.id}
          AND occurrence_date = ${given('occurrence_date')})`,
    ...copyAllLinks(
      sql`SELECT id, series_id FROM ${events} WHERE series_id = ${id}
        AND occurrence_date IN (SELECT value ->> 'occurrence_date' FROM json_each(${JSON.stringify(added)}))`,
    ),
  ]
}

/**
 * The statements that change the occurrences of a series. A trigger refuses them all if one was changed since it was
 * read.
 *
 * @param copied the fields that are copied from the series, unless they are detached
 */
export function updateOccurrences(
  id: Id,
  changes: readonly OccurrenceChange[],
  { copied, before }: { copied: readonly FieldName[]; before: ReadonlyMap<number, DateTime> },
): SQL[] {
  if (changes.length === 0) return []
  const assigned = [
    sql`version = ${given('version')} + 1`,
    sql`modified = ${series.modified}`,
    sql`modified_utc = ${series.modified_utc}`,
    sql`series_id = ${series.id}`,
    sql`occurrence_date = ${given('occurrence_date')}`,
    sql`status = coalesce(${given('status')}, ${events.status})`,
    ...TIME_COLUMNS.map(
      name => sql`${sql.identifier(name)} = coalesce(${given(`times.${name}`)}, ${events[name]})`,
    ),
    ...(['timezone', 'all_day'] as const).map(
      name => sql`${sql.identifier(name)} = iif(${given('times')} IS NULL, ${events[name]}, ${series[name]})`,
    ),
    sql`slug = CASE
      WHEN ${given('suffix')} IS NOT NULL
        THEN ${occurrenceSlug(sql`(${series.slug} || '-' || ${given('suffix')})`, given('id'))}
      WHEN ${given('slug')} IS NOT NULL
        THEN ${occurrenceSlug(sql`(${given('slug')})`, given('id'))}
      ELSE ${events.slug} END`,
    ...copyAssignments(copied),
  ]
  return [
    ...makeRoom(changes, before),
    sql`UPDATE ${events} SET ${sql.join(assigned, sql`, `)}
      FROM json_each(${JSON.stringify(changes)}) AS given CROSS JOIN ${series}
      WHERE ${events.id} = ${given('id')} AND ${series.id} = ${id}`,
  ]
}

/** A series has each date once, also while its occurrences move: if one moves to the date of another, all step aside. */
function makeRoom(changes: readonly OccurrenceChange[], before: ReadonlyMap<number, DateTime>): SQL[] {
  const taken = new Set(before.values())
  const collides = changes.some(({ id, occurrence_date: date }) => date !== before.get(id) && taken.has(date))
  if (!collides) return []
  return stepAside(changes.map(({ id }) => id))
}

/** The statements that take occurrences off their dates before they get others. */
export const stepAside = (ids: readonly number[]): SQL[] =>
  ids.length === 0
    ? []
    : [sql`UPDATE ${events} SET occurrence_date = '-' || occurrence_date WHERE id IN ${inList(ids)}`]

/** The statement that gives occurrences in the trash what they share with their series, unless it is detached. */
const followInTrash = (ids: readonly number[]): SQL =>
  sql`UPDATE ${events} SET ${sql.join(copyAssignments(FIELD_NAMES), sql`, `)} FROM ${series}
    WHERE ${series.id} IN ${inList(ids)} AND ${events.series_id} = ${series.id} AND ${events.status} = 'trash'`

const LINKS = {
  venue: { own: eventVenues, shared: seriesVenues },
  organizer: { own: eventOrganizers, shared: seriesOrganizers },
} as const

type SharedLinks = typeof seriesVenues | typeof seriesOrganizers | typeof seriesTerms

/**
 * Events with each of the links of their series, for a FROM clause: all those of an event one after the other, so that the first
 * is a change of the event and the others are part of it.
 *
 * @param owners a SELECT of `id` and `series_id`
 */
const sharedLinks = (owners: SQL, shared: SharedLinks): SQL =>
  sql`(${owners}) AS owner CROSS JOIN ${shared} AS shared ON shared.series_id = owner.series_id`

/** The statement that gives events the venues or organizers of their series. @param owners as above */
const copyLinks = (name: keyof typeof LINKS, owners: SQL): SQL =>
  sql`INSERT INTO ${LINKS[name].own} (event_id, target_id, position)
    SELECT owner.id, target_id, shared.position FROM ${sharedLinks(owners, LINKS[name].shared)} WHERE true
    ON CONFLICT DO UPDATE SET position = excluded.position WHERE position <> excluded.position`

const copyTerms = (owners: SQL, taxonomy?: Taxonomy): SQL =>
  sql`INSERT INTO ${eventTerms} (event_id, target_id)
    SELECT owner.id, target_id FROM ${sharedLinks(owners, seriesTerms)}
    WHERE ${taxonomy ? linksTo(taxonomy) : sql`true`} ON CONFLICT DO NOTHING`

/** The statements that give new events all relations of their series. @param owners as above */
const copyAllLinks = (owners: SQL): SQL[] => [
  copyTerms(owners),
  copyLinks('venue', owners),
  copyLinks('organizer', owners),
]

const TAXONOMY = { categories: 'event_category', tags: 'event_tag' } as const

/**
 * The statements that replace the relations of occurrences by those of their series, unless they are detached.
 *
 * @param of a list of the series' ids
 */
export function replaceLinks(of: SQL, names: readonly FieldName[]): SQL[] {
  const owners = (name: FieldName) =>
    sql`SELECT id, series_id FROM ${events} WHERE series_id IN ${of} AND NOT ${isDetachedSql(name)}`
  const notShared = (rows: SQL, shared: SharedLinks) =>
    sql`event_id IN (SELECT id FROM (${rows}))
      AND ${linkKey(sql`event_id`)} NOT IN (SELECT ${linkKey(sql`owner.id`)} FROM ${sharedLinks(rows, shared)})`
  const links = (['venue', 'organizer'] as const).flatMap(name => {
    if (!names.includes(name)) return []
    const rows = owners(name)
    const { own, shared } = LINKS[name]
    return [sql`DELETE FROM ${own} WHERE ${notShared(rows, shared)}`, copyLinks(name, rows)]
  })
  const termLinks = (['categories', 'tags'] as const).flatMap(name => {
    if (!names.includes(name)) return []
    const rows = owners(name)
    const ofTaxonomy = linksTo(TAXONOMY[name])
    return [
      sql`DELETE FROM ${eventTerms} WHERE ${notShared(rows, seriesTerms)} AND ${ofTaxonomy}`,
      copyTerms(rows, TAXONOMY[name]),
    ]
  })
  return [...links, ...termLinks]
}

/** The statements that give a series the relations of another one. */
export const copySeriesLinks = (from: Id, to: Id): SQL[] => [
  ...[seriesVenues, seriesOrganizers].map(
    table => sql`INSERT INTO ${table} (series_id, target_id, position)
      SELECT ${to}, target_id, position FROM ${table} WHERE series_id = ${from}`,
  ),
  sql`INSERT INTO ${seriesTerms} (series_id, target_id)
    SELECT ${to}, target_id FROM ${seriesTerms} WHERE series_id = ${from}`,
]

/** The statements that give a series the relations of an event. */
export const copyLinksOfEvent = (event: number, to: Id): SQL[] => [
  ...(['venue', 'organizer'] as const).map(
    name => sql`INSERT INTO ${LINKS[name].shared} (series_id, target_id, position)
      SELECT ${to}, target_id, position FROM ${LINKS[name].own} WHERE event_id = ${event}`,
  ),
  sql`INSERT INTO ${seriesTerms} (series_id, target_id)
    SELECT ${to}, target_id FROM ${eventTerms} WHERE event_id = ${event}`,
]

/**
 * The statement after a write that may give occurrences other statuses than their series has. A series none of whose
 * occurrences is public is not public either: whoever may change what is unpublished would publish through it, and the
 * cron would. If all share a status, it is that of the series again.
 *
 * One in the trash stays there: its dates are not left out one by one, so that they would all come back with it.
 */
export function settleStatus({ now }: Pick<RequestContext, 'now'>, id: SQL | number): SQL {
  const live = sql`FROM ${events} WHERE ${events.series_id} = ${series.id} AND ${events.status} <> 'trash'`
  const isPublic = isPublished(events, now)
  const wasPublic = isPublished(series, now)
  const status = sql`CASE
    WHEN EXISTS (SELECT 1 ${live} AND ${isPublic})
      THEN iif(${wasPublic} OR EXISTS (SELECT 1 ${live} AND NOT ${isPublic}), ${series.status}, 'publish')
    ELSE coalesce(
      (SELECT min(${events.status}) ${live}
        HAVING min(${events.status}) = max(${events.status}) AND min(${events.status}) <> 'future'),
      iif(${wasPublic}, 'draft', ${series.status}))
    END`
  return sql`UPDATE ${series} SET status = ${status}, version = version + 1
    WHERE ${series.id} = ${id} AND ${series.status} <> 'trash' AND ${series.status} <> ${status}`
}

/** A row of `series` that is to be written, by whoever writes its occurrences as well. Its slug is taken as it is. */
type PreparedSeriesRow = PreparedRow & {
  relations: Relations
  /** The texts by which occurrences are found, if they may have changed. */
  texts?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The statements that write rows of series. Occurrences follow them where they are in the trash, in their links, and in the
 * texts by which they are found; all else is up to whoever writes them, after this.
 */
export function seriesRowStatements(
  context: RequestContext,
  rows: readonly Numbered<PreparedSeriesRow>[],
): SQL[] {
  if (rows.length === 0) return []
  const texts = rows.flatMap(({ id, texts }) => (texts ? [{ ...texts, id }] : []))
  const changed = rows.flatMap(row => (row.stored && row.texts ? [row.id] : []))
  return [
    ...rowStatements(context, { resource: { table: series, singular: 'series' }, keepsSlugs: true }, rows),
    ...indexSeries(texts),
    ...relationStatements(
      context,
      'series',
      rows.map(({ id, stored, relations }) => ({ id, isNew: !stored, relations })),
    ),
    ...(changed.length === 0
      ? []
      : [
          ...reindexOccurrences(texts.filter(({ id }) => changed.includes(id))),
          followInTrash(changed),
          ...replaceLinks(inList(changed), FIELD_NAMES),
        ]),
  ]
}
