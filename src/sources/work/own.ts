import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { inList, many, mapped, type Query, settled, together } from '../../db/query.ts'
import type { Row } from '../../lib/connection.ts'
import { lessPublic, type Status } from '../../lib/statuses.ts'
import { fold, htmlToText, searchWords } from '../../lib/text.ts'
import { type AnyRecord, isTerm } from '../records.ts'
import { importSource, type SourceRow } from '../resource/queries.ts'
import { editionColumns, storedOf } from '../sync/editions.ts'
import { type Links, NO_LINKS, State } from '../sync/state.ts'

type EventLike = Extract<AnyRecord, { venues: string[] }>
const isEventLike = (record: AnyRecord): record is EventLike => 'venues' in record

/** What waits for approval before it is public. */
const WAITING = ['pending', 'draft'] as const

/** A query of the statuses of the content that came of some records, but for what they or an editor have made private. */
const selectStatuses = (source: string, ids: readonly string[]): Query<[record: string, status: Status][]> =>
  many(
    sql`SELECT of.kind, external_id, row.status
      FROM (SELECT kind, external_id, target_id FROM imports
        WHERE source = ${source} AND kind IN ('event', 'series', 'venue', 'organizer') AND external_id IN ${inList(ids)}) AS of
      CROSS JOIN (SELECT 'event' AS kind, id, status FROM events UNION ALL SELECT 'series', id, status FROM series
        UNION ALL SELECT 'venue', id, status FROM venues UNION ALL SELECT 'organizer', id, status FROM organizers)
        AS row ON row.kind = of.kind AND row.id = of.target_id
      WHERE row.status NOT IN ('trash', 'private')`,
    // Of the columns of that name.
    ({ kind, external_id, status }) => [`${kind} ${external_id}`, status as Status],
  )

/** A query of those of the series that are published, with what tells if they were edited. */
const selectPublishedSeries = (source: string, ids: readonly string[]): Query<Row[]> =>
  many(
    sql`SELECT of, hash, imported_version, ${sql.raw(editionColumns('series'))}
      FROM (SELECT external_id AS of, target_id, hash, imported_version FROM imports
        WHERE source = ${source} AND kind = 'series' AND external_id IN ${inList(ids)})
      CROSS JOIN series ON series.id = target_id WHERE status = 'publish'`,
    row => row as Row,
  )

/** A query of what events of a source are set to get, as far as it is still there. */
const selectOwn = ({ categories, tags, venue, organizer }: SourceRow): Query<Links> => {
  // Of JSON that was stored by writes.ts.
  const terms = [categories, tags].flatMap(ids => JSON.parse(ids) as number[])
  if (terms.length === 0 && venue === null && organizer === null) return settled(NO_LINKS)
  const isThere = (id: number | null) => sql`id = ${id} AND status <> 'trash'`
  const rows = many(
    sql`SELECT iif(taxonomy = 'event_tag', 'tags', 'categories') AS field, id FROM terms WHERE id IN ${inList(terms)}
      UNION ALL SELECT 'venue', id FROM venues WHERE ${isThere(venue)}
      UNION ALL SELECT 'organizer', id FROM organizers WHERE ${isThere(organizer)}`,
    ({ field, id }) => ({ field, id: Number(id) }),
  )
  return mapped(rows, found => {
    const of = (name: keyof Links) => found.flatMap(({ field, id }) => (field === name ? [id] : []))
    return { venue: of('venue'), organizer: of('organizer'), categories: of('categories'), tags: of('tags') }
  })
}

/** Tells if a published series is as it was imported, but that it waited for approval then. @param imported its edition then */
export async function wasApproved(row: Row, imported: unknown): Promise<boolean> {
  const waiting = await Promise.all(WAITING.map(status => storedOf('series', { ...row, status })))
  return row.status === 'publish' && waiting.some(({ edition }) => edition === imported)
}

/**
 * Gives records the status that their source is set to give them, unless they say themselves that they are not public. Terms
 * have none: those of a source that waits show with the events that name them.
 *
 * @returns the records, and the state to plan them with, which knows what else they get
 */
export async function withOwn(
  { db }: RequestContext,
  source: SourceRow,
  records: readonly AnyRecord[],
): Promise<{ records: AnyRecord[]; state: State }> {
  const name = importSource(source.id)
  const ids = records.flatMap(record => (isTerm(record) ? [] : [record.externalId]))
  const { own, statuses, series } = await db.get(
    together({
      own: selectOwn(source),
      // What was approved here stays so: only what is new waits for approval.
      statuses: source.status === 'publish' ? settled([]) : selectStatuses(name, ids),
      series: selectPublishedSeries(name, ids),
    }),
  )
  const state = new State(own)
  for (const row of series) {
    if (!(await wasApproved(row, row.imported_version))) continue
    const { edition } = await storedOf('series', row)
    state.setMapping(name, 'series', String(row.of), {
      ...{ target: Number(row.id), hash: String(row.hash), importedVersion: edition },
    })
  }
  const approved = new Map(statuses)
  const given = records.map((record): AnyRecord => {
    // Only backups have such rows, which no source reads.
    if ('columns' in record) return record
    if (isTerm(record)) return source.status === 'publish' ? record : { ...record, standalone: false }
    const known = record.status === 'publish' && approved.get(`${record.kind} ${record.externalId}`)
    return { ...record, status: known || lessPublic(record.status, source.status) }
  })
  return { records: given, state }
}

/** The records that a source lets in: events with any of its words, and what these refer to. */
export function letIn(records: readonly AnyRecord[], search: string): readonly AnyRecord[] {
  const words = searchWords(search)
  if (words.length === 0) return records
  let last = { title: '', description: '', isIn: false }
  const isIn = ({ title, description }: EventLike): boolean => {
    // Dates of an event have the same texts, which may be long.
    if (title !== last.title || description !== last.description) {
      const text = fold(`${title} ${htmlToText(description)}`)
      last = { title, description, isIn: words.some(word => text.includes(word)) }
    }
    return last.isIn
  }
  // The dates of a series are in or out with it.
  const series = new Map(
    records.flatMap(record =>
      record.kind === 'series' && isEventLike(record) ? [[record.externalId, isIn(record)]] : [],
    ),
  )
  const events = records.filter(
    (record): record is EventLike =>
      isEventLike(record) &&
      ((record.kind === 'event' && record.occurrence && series.get(record.occurrence.series)) ||
        isIn(record)),
  )
  const kept = new Set<AnyRecord>(events)
  const used = new Set(
    events.flatMap(event => [
      ...event.venues.map(id => `venue ${id}`),
      ...event.organizers.map(id => `organizer ${id}`),
      ...event.categories.map(id => `category ${id}`),
      ...event.tags.map(id => `tag ${id}`),
      ...(event.kind === 'event' && event.occurrence ? [`series ${event.occurrence.series}`] : []),
    ]),
  )
  // Parents come before what is below them.
  for (const record of records.toReversed()) {
    if (!used.has(`${record.kind} ${record.externalId}`)) continue
    kept.add(record)
    if (isTerm(record) && record.parent !== undefined) used.add(`${record.kind} ${record.parent}`)
  }
  return records.filter(record => kept.has(record))
}
