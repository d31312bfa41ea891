import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many, together } from '../../db/query.ts'
import type { Taxonomy } from '../../db/schema.ts'
import type { Row } from '../../lib/connection.ts'
import { importedRows } from '../../resources/content/imported.ts'
import { selectSeriesSlugs } from '../../resources/events/recurrence/slugs.ts'
import { selectRelations } from '../../resources/events/recurrence/stored.ts'
import { selectExisting } from '../../resources/venues/existing.ts'
import {
  type AnyRecord,
  COLLECTIONS,
  type ContentRecordKind,
  importKey,
  type RecordKind,
} from '../records.ts'
import { editionColumns, storedOf } from './editions.ts'
import { forgetUndone } from './edits.ts'
import { inPieces, selectOf } from './lists.ts'
import { NamedRows } from './names.ts'
import { IS_SHARED, isNotMadeBy, newVenueNames } from './related.ts'
import type { State } from './state.ts'

// What is stored of that which records concern: nothing is read of all else, however much there is.

/** The columns that {@link addMapping} reads. */
export const MAPPING = sql`imports.kind, imports.external_id, imports.target_id, imports.hash,
  iif(${IS_SHARED}, NULL, imports.imported_version) AS imported_version`

type Loading = {
  source: string
  records: readonly AnyRecord[]
  /** The mappings of the records, and of those that they refer to. */
  mapped: readonly Row[]
  /** True if it is of no account whether something was edited here. */
  mirror: boolean
}

/**
 * Loads what is stored of what records of one source concern into a state. What the state knows already stays.
 */
export async function load(
  context: RequestContext,
  { source, records, mapped: known, mirror }: Loading,
  state: State,
): Promise<void> {
  for (const rows of [...Object.values(state.whole), state.links]) rows.clear()
  const names = new NamedRows(records)
  const named = await context.db.get(selectNamed(source, names))
  for (const row of [...known, ...named.chained])
    names.addMapped(addMapping(state, source, row), String(row.external_id), Number(row.target_id))
  const { content, terms, images, users, seriesSlugs } = state
  const tables: Readonly<Record<string, { reserve: (id: number) => void }>> = {
    ...Object.fromEntries(KINDS.map(kind => [COLLECTIONS[kind], content[kind]])),
    ...{ terms, images },
  }
  for (const { name, seq } of named.sequences) tables[String(name)]?.reserve(Number(seq))
  for (const { id, login } of named.users) users.set(String(login).toLowerCase(), Number(id))
  for (const { id, url, width, copied_id } of named.images) {
    if (images.rows.has(Number(id))) continue
    const copy = copied_id === null ? null : Number(copied_id)
    images.set(Number(id), { url: String(url), isSized: width !== null, copy })
  }
  // The kinds of the keys, which the query gives back.
  for (const { kind, id } of named.holders) if (id !== null) names.addTarget(kind as RecordKind, Number(id))
  for (const { id } of named.terms) names.ids.terms.add(Number(id))
  for (const name of newVenueNames(records, state)) names.venues.add(name)
  const mapped = [...known, ...named.chained, ...(await loadRows(context, source, names, state))]
  if (!mirror) await forgetUndone(context, { source, mapped, records }, state)
  for (const [i, externalId] of [...names.seriesSlugs.keys()].entries())
    seriesSlugs.set(importKey(source, 'series', externalId), named.seriesSlugs[i] ?? '')
}

const KINDS = ['event', 'series', 'venue', 'organizer'] as const

/** Adds a mapping to a state, unless that knows it. @returns the kind of the record */
export function addMapping(state: State, source: string, row: Row): RecordKind {
  const { external_id, target_id, hash, imported_version } = row
  // The column allows no other kind.
  const kind = String(row.kind) as RecordKind
  const externalId = String(external_id)
  state.stored.set(importKey(source, kind, externalId), Number(target_id))
  if (!state.mappingOf(source, kind, externalId))
    state.setMapping(source, kind, externalId, {
      ...{ target: Number(target_id), hash: String(hash) },
      importedVersion: imported_version === null ? null : String(imported_version),
    })
  return kind
}

const selectNamed = (source: string, names: NamedRows) => {
  // The condition of the indexes as well, so that they are used.
  const holderIn = (table: string) =>
    sql`(SELECT id FROM ${sql.raw(table)} WHERE external_id = (given.value ->> 1) AND external_id <> '')`
  const first = sql`SELECT min(external_id) FROM imports WHERE source = ${source} AND kind = 'event'
    AND external_id > chain.value || '#' AND external_id < chain.value || '$'`
  const images = [...names.addresses, ...names.ids.images]
  return together({
    chained: selectOf(
      names.chains,
      list => sql`SELECT ${MAPPING} FROM ${list} AS chain CROSS JOIN imports ON imports.source = ${source}
        AND imports.kind = 'event' AND imports.external_id = (${first})`,
    ),
    holders: selectOf(
      names.externalIds.values(),
      list => sql`SELECT given.value ->> 0 AS kind, CASE given.value ->> 0 WHEN 'event' THEN ${holderIn('events')}
        WHEN 'venue' THEN ${holderIn('venues')} ELSE ${holderIn('organizers')} END AS id FROM ${list} AS given`,
    ),
    terms: selectOf(
      names.terms,
      list =>
        sql`SELECT id FROM terms WHERE taxonomy IN ('event_category', 'event_tag') AND name_key IN ${list}`,
    ),
    images: selectOf(
      images,
      list => sql`SELECT id, url, width, copied_id FROM images WHERE id IN (
        SELECT id FROM images WHERE url IN ${list} UNION ALL SELECT id FROM images WHERE id IN ${list}
        UNION ALL SELECT copied_id FROM images WHERE url IN ${list})`,
    ),
    users: selectOf(
      names.logins,
      list => sql`SELECT id, login FROM users WHERE login COLLATE NOCASE IN ${list}`,
    ),
    sequences: many(sql`SELECT name, seq FROM sqlite_sequence`, row => row as Row),
    seriesSlugs: selectSeriesSlugs([...names.seriesSlugs.values()], source),
  })
}

/**
 * Loads rows by their ids: with series, all of their occurrences, and with terms all above them. Also finds venues by their names.
 *
 * @returns the mappings of terms and occurrences
 */
export async function loadRows(
  context: RequestContext,
  source: string,
  { ids, own, venues, isPlanning }: Pick<NamedRows, 'ids' | 'own' | 'venues' | 'isPlanning'>,
  state: State,
): Promise<Row[]> {
  const rows = (kind: ContentRecordKind, of: Iterable<number> = ids[COLLECTIONS[kind]], column = 'id') =>
    selectOf(
      of,
      list => sql`SELECT ${sql.raw(editionColumns(kind))} FROM ${sql.raw(COLLECTIONS[kind])}
        WHERE ${sql.raw(column)} IN ${list}`,
    )
  const kept = [
    ...[...own.event].map(id => ['event', id]),
    ...(isPlanning ? [...ids.series].map(id => ['series', id]) : []),
  ]
  const whole = (kind: ContentRecordKind) => selectOf(own[kind], list => importedRows(kind, list))
  const others = (kind: Exclude<ContentRecordKind, 'series'>) =>
    rows(kind, ids[COLLECTIONS[kind]].difference(own[kind]))
  const mappedTo = (of: Iterable<number>, condition: (list: SQL) => SQL) =>
    selectOf(
      of,
      list =>
        sql`SELECT ${MAPPING} FROM imports INDEXED BY imports_target WHERE ${condition(list)} AND source = ${source}`,
    )
  const found = await context.db.get(
    together({
      event: others('event'),
      occurrences: rows('event', ids.series, 'series_id'),
      series: rows('series'),
      venue: others('venue'),
      organizer: others('organizer'),
      whole: together({
        event: selectOf(kept, list => importedRows('event', sql`(${keptIn(list)})`)),
        series: whole('series'),
        ...{ venue: whole('venue'), organizer: whole('organizer') },
      }),
      links: inPieces(kept, list => selectRelations(keptIn(sql`(${list})`))),
      existingVenue: selectExisting(context, venues, isNotMadeBy(source)),
      terms: selectOf(
        ids.terms,
        list => sql`SELECT id, taxonomy, name, description, slug, version, parent, standalone FROM terms
          WHERE id IN ${list} OR id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id IN ${list})`,
      ),
      mappedTerms: mappedTo(ids.terms, list => sql`kind IN ('category', 'tag') AND target_id IN ${list}`),
      mappedEvents: mappedTo(
        ids.series,
        list => sql`kind = 'event' AND target_id IN (SELECT id FROM events WHERE series_id IN ${list})`,
      ),
    }),
  )
  const mapped = [...found.mappedTerms, ...found.mappedEvents]
  for (const row of mapped) addMapping(state, source, row)
  state.existingVenue = found.existingVenue
  for (const kind of KINDS) for (const row of found.whole[kind]) state.whole[kind].set(Number(row.id), row)
  for (const piece of found.links) for (const [id, links] of piece) state.links.set(id, links)
  const content = {
    event: [...found.whole.event, ...found.event, ...found.occurrences],
    series: found.series,
    venue: [...found.whole.venue, ...found.venue],
    organizer: [...found.whole.organizer, ...found.organizer],
  }
  for (const kind of KINDS) {
    const known = state.content[kind]
    for (const row of content[kind])
      if (!known.rows.has(Number(row.id))) known.set(Number(row.id), await storedOf(kind, row))
  }
  for (const { id, taxonomy, name, description, slug, version, parent, standalone } of found.terms)
    if (!state.terms.rows.has(Number(id)))
      state.terms.set(Number(id), {
        // The column has no other values.
        ...{ taxonomy: taxonomy as Taxonomy, name: String(name), slug: String(slug) },
        ...{ description: String(description), version: Number(version), parent: Number(parent) },
        standalone: standalone === 1,
      })
  return mapped
}

/**
 * A SELECT of the ids of events that are loaded as a whole: some of them, and those dates of some series that may have been changed
 * here, which keep what they have of their own.
 */
const keptIn = (list: SQL): SQL =>
  sql`SELECT given.value ->> 1 FROM ${list} AS given WHERE given.value ->> 0 = 'event'
    UNION SELECT events.id FROM ${list} AS given CROSS JOIN events ON events.series_id = given.value ->> 1
      WHERE given.value ->> 0 = 'series' AND (detached <> '[]' OR status = 'trash')`
