import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { inList, many, mapped, type Query, settled, together } from '../../db/query.ts'
import type { Row } from '../../lib/connection.ts'
import { Turns } from '../../lib/pause.ts'
import { lessPublic, type Status } from '../../lib/statuses.ts'
import { fold, htmlToText, searchWords } from '../../lib/text.ts'
import { type Links, NO_LINKS } from '../../resources/events/imported.ts'
import { importSource, type SourceRow } from '../../resources/sources/queries.ts'
import { type AnyRecord, type EventLike, isEventLike, isTerm, seriesOf } from '../records.ts'
import { editionColumns, storedOf } from '../sync/editions.ts'
import { State } from '../sync/state.ts'

/** The statuses of content that waits for approval. */
const WAITING = ['pending', 'draft'] as const

/** The row of an imported record: its status and, for a series, the columns that tell whether it was edited. */
type StoredRecord = { key: string; status: Status; row: Row }

/**
 * A query for the rows of imported records, except for those that their source or an editor has made private. A
 * category that is only public along with its events waits with them. A venue or organizer that a public event names
 * stops waiting once its source publishes.
 */
const selectStored = ({ id, status }: SourceRow, ids: Iterable<string>): Query<StoredRecord[]> => {
  const statusOf = (kind: 'venue' | 'organizer') =>
    sql.raw(`(SELECT status FROM ${kind}s WHERE id = target_id
      AND NOT (${Number(status === 'publish')} AND status IN ('pending', 'draft') AND EXISTS (
        SELECT 1 FROM events_of AS link CROSS JOIN events ON events.id = link.event_id
        WHERE link.facet = '${kind}' AND link.target_id = ${kind}s.id AND events.status = 'publish')))`)
  return many(
    sql`SELECT kind, of, shown, hash, imported_version, ${sql.raw(editionColumns('series'))}
      FROM (SELECT kind, external_id AS of, target_id, hash, imported_version, CASE kind
          WHEN 'event' THEN (SELECT status FROM events WHERE id = target_id)
          WHEN 'series' THEN (SELECT status FROM series WHERE id = target_id)
          WHEN 'venue' THEN ${statusOf('venue')}
          WHEN 'organizer' THEN ${statusOf('organizer')}
          ELSE (SELECT iif(standalone, 'publish', 'pending') FROM terms WHERE id = target_id) END AS shown
        FROM imports WHERE source = ${importSource(id)}
          AND kind IN ('event', 'series', 'venue', 'organizer', 'category', 'tag') AND external_id IN ${inList([...ids])})
      LEFT JOIN series ON kind = 'series' AND series.id = target_id WHERE shown NOT IN ('trash', 'private')`,
    // Columns of statuses have no other values, nor do rows.
    row => ({ key: `${row.kind} ${row.of}`, status: row.shown as Status, row: row as Row }),
  )
}

/** A query for the terms, venue and organizer that the settings of a source give its events, as far as they still exist. */
const selectOwn = ({ categories, tags, venue, organizer }: SourceRow): Query<Links> => {
  // The JSON was stored by writes.ts.
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

/**
 * Tells whether a published series has not changed since its import except that it waited for approval then.
 *
 * @param imported its edition at that time
 */
export async function wasApproved(row: Row, imported: unknown): Promise<boolean> {
  const waiting = await Promise.all(WAITING.map(status => storedOf('series', { ...row, status })))
  return row.status === 'publish' && waiting.some(({ edition }) => edition === imported)
}

/** The id that an event has both as a single event and as dates of a series. */
const uidOf = (record: EventLike): string =>
  (record.kind === 'event' && record.occurrence?.series) || seriesOf(record.externalId) || record.externalId

/**
 * Gives new records the status in their source's settings, unless they say that they are not public. Imported content
 * keeps its status, so that changing the setting does not publish what waits; somebody who has seen it must. Terms have
 * no status: if a source's content waits, its terms become public along with the events that name them.
 *
 * @returns the records, and the state for planning them, which contains the links that events get
 */
export async function withSourceSettings(
  { db }: RequestContext,
  source: SourceRow,
  records: readonly AnyRecord[],
): Promise<{ records: AnyRecord[]; state: State }> {
  const name = importSource(source.id)
  const ids = new Set(
    records.flatMap(record => [record.externalId, ...(isEventLike(record) ? [uidOf(record)] : [])]),
  )
  const { own, found } = await db.get(together({ own: selectOwn(source), found: selectStored(source, ids) }))
  const state = new State(own)
  for (const { row } of found) {
    if (row.kind !== 'series' || !(await wasApproved(row, row.imported_version))) continue
    const { edition } = await storedOf('series', row)
    state.setMapping(name, 'series', String(row.of), {
      ...{ target: Number(row.id), hash: String(row.hash), importedVersion: edition },
    })
  }
  const stored = new Map(found.map(({ key, status }) => [key, status]))
  const newStatus = (record: AnyRecord): Status => {
    const forms = isEventLike(record)
      ? ['series', 'event'].map(kind => stored.get(`${kind} ${uidOf(record)}`))
      : []
    return forms.reduce<Status>((least, status) => lessPublic(least, status ?? least), source.status)
  }
  const given = records.map((record): AnyRecord => {
    const status = stored.get(`${record.kind} ${record.externalId}`) ?? newStatus(record)
    if (isTerm(record)) return status === 'publish' ? record : { ...record, standalone: false }
    if (record.status === 'publish') return { ...record, status }
    // A draft at its source is not one that waits here: it becomes public once its source publishes it.
    return { ...record, status: record.status === 'trash' ? 'trash' : 'private' }
  })
  return { records: given, state }
}

/** The records that pass a source's filter: events with any of its words, and the records that they refer to. */
export async function wantedRecords(
  records: readonly AnyRecord[],
  search: string,
): Promise<readonly AnyRecord[]> {
  const words = searchWords(search)
  if (words.length === 0) return records
  let last = { title: '', description: '', isIn: false }
  const isIn = ({ title, description }: EventLike): boolean => {
    // The dates of an event share their texts, which may be long.
    if (title !== last.title || description !== last.description) {
      const text = fold(`${title} ${htmlToText(description)}`)
      last = { title, description, isIn: words.some(word => text.includes(word)) }
    }
    return last.isIn
  }
  const turns = new Turns()
  const series = new Set<string>()
  const found = new Set<AnyRecord>()
  for (const record of records.filter(isEventLike)) {
    await turns.take(record)
    if (!isIn(record)) continue
    found.add(record)
    if (record.kind === 'series') series.add(record.externalId)
  }
  // The dates of a series pass along with it.
  const events = records.filter(
    (record): record is EventLike =>
      isEventLike(record) &&
      (found.has(record) ||
        (record.kind === 'event' && record.occurrence !== undefined && series.has(record.occurrence.series))),
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
  // Parents come before their children.
  for (const record of records.toReversed()) {
    if (!used.has(`${record.kind} ${record.externalId}`)) continue
    kept.add(record)
    if (isTerm(record) && record.parent !== undefined) used.add(`${record.kind} ${record.parent}`)
  }
  return records.filter(record => kept.has(record))
}
