import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many, together } from '../../db/query.ts'
import type { Taxonomy } from '../../db/schema.ts'
import type { Row } from '../../lib/connection.ts'
import { uploadedPath } from '../../resources/content/images.ts'
import { importedRows } from '../../resources/content/imported.ts'
import { SERIES_LINKS } from '../../resources/events/imported.ts'
import { selectSeriesSlugs } from '../../resources/events/recurrence/shared.ts'
import { selectRelations } from '../../resources/events/recurrence/stored.ts'
import { nameKey } from '../../resources/terms/resource.ts'
import { selectExisting } from '../../resources/venues/existing.ts'
import {
  type AnyRecord,
  COLLECTIONS,
  type ContentRecord,
  type ContentRecordKind,
  importKey,
  isTerm,
  type RecordKind,
} from '../records.ts'
import { forgetUndone } from './edits.ts'
import { storedOf } from './hashes.ts'
import { inPieces, isNotMadeBy, MAPPING, selectOf } from './mappings.ts'
import { newVenueNames } from './related.ts'
import type { State, StoredContent } from './state.ts'
import { slugWanted } from './written.ts'

// What is stored of that which records concern: nothing is read of all else, however much there is.

/** Adds a mapping to a state, unless that knows it. */
function addMapping(state: State, source: string, row: Row): void {
  // The column allows no other kind.
  const kind = String(row.kind) as RecordKind
  const externalId = String(row.external_id)
  const importedVersion = row.imported_version === null ? null : String(row.imported_version)
  const mapping = { target: Number(row.target_id), hash: String(row.hash), importedVersion }
  state.stored.set(importKey(source, kind, externalId), mapping.target)
  if (!state.mappingOf(source, kind, externalId)) state.setMapping(source, kind, externalId, mapping)
}

type Loading = {
  source: string
  records: readonly AnyRecord[]
  /** The mappings of the records, and of those that they refer to. */
  mappings: readonly Row[]
  /** True if it is of no account whether something was edited here. */
  mirror: boolean
}

const KINDS = ['event', 'series', 'venue', 'organizer'] as const

/**
 * Loads what is stored of what records of one source concern into a state. What the state has changed already stays.
 */
export async function load(context: RequestContext, loading: Loading, state: State): Promise<void> {
  const { source, records, mappings, mirror } = loading
  for (const row of mappings) addMapping(state, source, row)
  const found = await context.db.get(selectStored(context, loading, state))
  const { content, terms, images } = state
  const tables: Readonly<Record<string, { reserve: (id: number) => void }>> = {
    ...Object.fromEntries(KINDS.map(kind => [COLLECTIONS[kind], content[kind]])),
    ...{ terms, images },
  }
  for (const { name, seq } of found.sequences) tables[String(name)]?.reserve(Number(seq))
  for (const { id, login } of found.users) state.users.set(String(login).toLowerCase(), Number(id))
  for (const { id, url, width, copied_id } of found.images) {
    if (images.rows.has(Number(id))) continue
    const copy = copied_id === null ? null : Number(copied_id)
    images.set(Number(id), { url: String(url), isSized: width !== null, copy })
  }
  const more = [...found.mappedTerms, ...found.mappedEvents]
  for (const row of more) addMapping(state, source, row)
  state.existingVenue = found.existingVenue
  const set = async (kind: ContentRecordKind, row: Row, more: Pick<StoredContent, 'row' | 'links'> = {}) => {
    const known = content[kind].rows.get(Number(row.id))
    const stored = { ...(await storedOf(kind, row)), ...more }
    if (!known || known.version === stored.version) content[kind].set(Number(row.id), stored)
  }
  const links = new Map(found.links.flatMap(piece => [...piece]))
  for (const row of found.occurrences) await set('event', row)
  for (const row of found.event) await set('event', row, { row, links: links.get(Number(row.id)) })
  for (const kind of ['series', 'venue', 'organizer'] as const)
    for (const row of found[kind]) await set(kind, row, { row })
  for (const { id, taxonomy, name, description, slug, version, parent, standalone } of found.terms)
    if (!terms.rows.has(Number(id)))
      terms.set(Number(id), {
        // The column has no other values.
        ...{ taxonomy: taxonomy as Taxonomy, name: String(name), slug: String(slug) },
        ...{ description: String(description), version: Number(version), parent: Number(parent) },
        standalone: standalone === 1,
      })
  if (!mirror) await forgetUndone(context, { source, records, mappings: [...mappings, ...more] }, state)
  for (const [i, { externalId }] of records.filter(isSeries).entries())
    state.seriesSlugs.set(importKey(source, 'series', externalId), found.seriesSlugs[i] ?? '')
}

const isSeries = (record: AnyRecord) => record.kind === 'series'

/** A query of what is stored of what records concern: with series, all of their occurrences, and with terms all above them. */
function selectStored(context: RequestContext, { source, records, mappings }: Loading, state: State) {
  const content = records.filter((record): record is ContentRecord => !isTerm(record))
  // Ids of rows that records are mapped to, or had at their source.
  const idsOf = (...kinds: RecordKind[]): number[] => [
    ...new Set([
      ...mappings.flatMap(row => (kinds.some(kind => kind === row.kind) ? [Number(row.target_id)] : [])),
      ...records.flatMap(({ kind, id }) => (id !== undefined && kinds.includes(kind) ? [id] : [])),
    ]),
  ]
  const series = idsOf('series')
  const terms = idsOf('category', 'tag')
  const named = records.filter(isTerm).map(({ name }) => nameKey(name))
  const images = content.flatMap(({ image }) =>
    image
      ? [image.url, uploadedPath(image.url) ?? image.url, ...(image.id === undefined ? [] : [image.id])]
      : [],
  )
  const wanted = (kind: Exclude<ContentRecordKind, 'series'>) => [
    ...idsOf(kind).map(id => ['id', id]),
    // The external ids of series are those of their first events.
    ...content.flatMap(one =>
      one.external_id && (one.kind === 'series' ? 'event' : one.kind) === kind
        ? [['external id', one.external_id]]
        : [],
    ),
  ]
  const events = [...wanted('event'), ...series.map(id => ['series', id])]
  const rows = (kind: 'venue' | 'organizer') =>
    selectOf(wanted(kind), list => importedRows(kind, idsIn(list, COLLECTIONS[kind])))
  const mappedTo = (of: Iterable<unknown>, condition: (list: SQL) => SQL) =>
    selectOf(
      of,
      list =>
        sql`SELECT ${MAPPING} FROM imports INDEXED BY imports_target WHERE ${condition(list)} AND source = ${source}`,
    )
  const termsNamed = (list: SQL) =>
    sql`SELECT id FROM terms WHERE taxonomy IN ('event_category', 'event_tag') AND name_key IN (${list})`
  const wantedSlugs = records.flatMap(record =>
    record.kind === 'series' ? [{ slug: slugWanted(record), isNamed: record.slug !== '' }] : [],
  )
  return together({
    ...{ venue: rows('venue'), organizer: rows('organizer') },
    event: selectOf(events, list => importedRows('event', eventsIn(list))),
    links: inPieces(events, list => selectRelations(eventsIn(list))),
    series: selectOf(series, list => importedRows('series', sql`SELECT value FROM ${list}`, SERIES_LINKS)),
    occurrences: selectOf(
      series,
      list => sql`SELECT id, slug, version, status, external_id, utc_start_date, series_id, occurrence_date, detached
        FROM events WHERE series_id IN ${list}`,
    ),
    mappedEvents: mappedTo(
      series,
      list => sql`kind = 'event' AND target_id IN (SELECT id FROM events WHERE series_id IN ${list})`,
    ),
    terms: selectOf(
      [...terms.map(id => ['id', id]), ...named.map(name => ['name', name])],
      list => sql`WITH given AS ${list}, named AS (${valuesOf('id')} UNION ${termsNamed(valuesOf('name'))})
        SELECT id, taxonomy, name, description, slug, version, parent, standalone FROM terms
        WHERE id IN named OR id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id IN named)`,
    ),
    mappedTerms: mappedTo(
      named,
      list =>
        sql`kind IN ('category', 'tag') AND target_id IN (${termsNamed(sql`SELECT value FROM ${list}`)})`,
    ),
    existingVenue: selectExisting(context, newVenueNames(records, state), isNotMadeBy(source)),
    images: selectOf(
      new Set(images),
      list => sql`WITH given AS ${list} SELECT id, url, width, copied_id FROM images WHERE id IN (
        SELECT id FROM images WHERE url IN given UNION ALL SELECT value FROM given
        UNION ALL SELECT copied_id FROM images WHERE url IN given)`,
    ),
    users: selectOf(
      new Set(content.flatMap(({ author }) => author || [])),
      list => sql`SELECT id, login FROM users WHERE login COLLATE NOCASE IN ${list}`,
    ),
    sequences: many(sql`SELECT name, seq FROM sqlite_sequence`, row => row as Row),
    seriesSlugs: selectSeriesSlugs(wantedSlugs, source),
  })
}

// Lists of pairs: what a row is known by, and its value. Each is named once, because a remote database gets it as text.

const valuesOf = (by: 'id' | 'external id' | 'series' | 'name'): SQL =>
  sql.raw(`SELECT value ->> 1 AS id FROM given WHERE value ->> 0 = '${by}'`)

// The condition of the indexes of external ids as well, so that they are used.
const namedIn = (table: string): SQL =>
  sql`${valuesOf('id')} UNION SELECT id FROM ${sql.raw(table)}
    WHERE external_id <> '' AND external_id IN (${valuesOf('external id')})`

/** A SELECT of the ids of rows that are named by their ids or external ids. */
const idsIn = (list: SQL, table: string): SQL => sql`WITH given AS ${list} ${namedIn(table)}`

/** The same for events, with those dates of series that may have been changed here, which keep what they have of their own. */
const eventsIn = (list: SQL): SQL =>
  sql`${idsIn(list, 'events')} UNION SELECT id FROM events
    WHERE series_id IN (${valuesOf('series')}) AND (detached <> '[]' OR status = 'trash')`
