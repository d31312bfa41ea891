import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many, together } from '../../db/query.ts'
import type { Row } from '../../lib/connection.ts'
import { wholeEvents } from '../../resources/events/imported.ts'
import { selectSeriesSlugs } from '../../resources/events/recurrence/slugs.ts'
import { selectRelations } from '../../resources/events/recurrence/stored.ts'
import { selectExisting } from '../../resources/venues/existing.ts'
import { COLLECTIONS, type ContentRecordKind, importKey, type RecordKind } from '../records.ts'
import { isEdited } from './decisions.ts'
import { type ContentDraft, type Draft, isTermDraft } from './draft.ts'
import { editionColumns, storedOf } from './editions.ts'
import { forgetUndone } from './edits.ts'
import { inPieces, selectOf } from './lists.ts'
import { NamedRows } from './names.ts'
import { IS_SHARED, isNotMadeBy, newVenueNames } from './related.ts'
import { NO_LINKS, type State } from './state.ts'

// What is stored of that which records concern: nothing is read of all else, however much there is.

/** The columns that {@link addMapping} reads. */
export const MAPPING = sql`imports.kind, imports.external_id, imports.target_id, imports.hash,
  iif(${IS_SHARED}, NULL, imports.imported_version) AS imported_version`

/**
 * Loads what is stored of what records of one source concern into a state. What the state knows already stays.
 *
 * @param mirror true if it is of no account whether something was edited here
 */
export async function load(
  context: RequestContext,
  { source, drafts, mirror }: { source: string; drafts: readonly Draft[]; mirror: boolean },
  state: State,
): Promise<void> {
  const names = new NamedRows(drafts)
  const named = await context.db.get(selectNamed(source, names))
  for (const row of [...named.mappings, ...named.chained])
    names.addTarget(addMapping(state, source, row), Number(row.target_id))
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
  for (const kind of ['event', 'venue', 'organizer'] as const)
    for (const { id } of named[kind]) names.addTarget(kind, Number(id))
  for (const { id } of named.terms) names.ids.terms.add(Number(id))
  for (const name of newVenueNames(drafts, state)) names.venues.add(name)
  const mapped = [...named.mappings, ...named.chained, ...(await loadRows(context, source, names, state))]
  if (!mirror) await forgetUndone(context, { source, mapped, drafts }, state)
  for (const [i, externalId] of [...names.seriesSlugs.keys()].entries())
    seriesSlugs.set(importKey(source, 'series', externalId), named.seriesSlugs[i] ?? '')
  await loadOccurrences(context, drafts, state)
}

const KINDS = ['event', 'series', 'venue', 'organizer'] as const

/** Adds a mapping to a state, unless that knows it. @returns the kind of the record */
export function addMapping(state: State, source: string, row: Row): RecordKind {
  const { external_id, target_id, hash, imported_version } = row
  // The column allows no other kind.
  const kind = String(row.kind) as RecordKind
  const externalId = String(external_id)
  state.stored.add(importKey(source, kind, externalId))
  if (!state.mappingOf(source, kind, externalId))
    state.setMapping(source, kind, externalId, {
      ...{ target: Number(target_id), hash: String(hash) },
      importedVersion: imported_version === null ? null : String(imported_version),
    })
  return kind
}

const selectNamed = (source: string, names: NamedRows) => {
  const held = (kind: 'event' | 'venue' | 'organizer') =>
    selectOf(
      names.externalIds[kind],
      // The condition of the index as well, so that it is used.
      list =>
        sql`SELECT id FROM ${sql.raw(COLLECTIONS[kind])} WHERE external_id IN ${list} AND external_id <> ''`,
    )
  const first = sql`SELECT min(external_id) FROM imports WHERE source = ${source} AND kind = 'event'
    AND external_id > chain.value || '#' AND external_id < chain.value || '$'`
  const images = [...names.addresses, ...names.ids.images]
  return together({
    mappings: selectOf(
      names.keys.values(),
      list => sql`SELECT ${MAPPING} FROM ${list} AS given CROSS JOIN imports ON imports.source = ${source}
        AND imports.kind = (given.value ->> 0) AND imports.external_id = (given.value ->> 1)`,
    ),
    chained: selectOf(
      names.chains,
      list => sql`SELECT ${MAPPING} FROM ${list} AS chain CROSS JOIN imports ON imports.source = ${source}
        AND imports.kind = 'event' AND imports.external_id = (${first})`,
    ),
    event: held('event'),
    venue: held('venue'),
    organizer: held('organizer'),
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
  { ids, venues }: Pick<NamedRows, 'ids' | 'venues'>,
  state: State,
): Promise<Row[]> {
  const rows = (kind: ContentRecordKind, of: Iterable<number> = ids[COLLECTIONS[kind]], column = 'id') =>
    selectOf(
      of,
      list => sql`SELECT ${sql.raw(editionColumns(kind))} FROM ${sql.raw(COLLECTIONS[kind])}
        WHERE ${sql.raw(column)} IN ${list}`,
    )
  const mappedTo = (of: Iterable<number>, condition: (list: SQL) => SQL) =>
    selectOf(
      of,
      list =>
        sql`SELECT ${MAPPING} FROM imports INDEXED BY imports_target WHERE ${condition(list)} AND source = ${source}`,
    )
  const found = await context.db.get(
    together({
      event: rows('event'),
      occurrences: rows('event', ids.series, 'series_id'),
      series: rows('series'),
      venue: rows('venue'),
      organizer: rows('organizer'),
      existingVenue: selectExisting(context, venues, isNotMadeBy(source)),
      terms: selectOf(
        ids.terms,
        list => sql`SELECT id, taxonomy, name, slug, version, parent FROM terms
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
  const content = { ...found, event: [...found.event, ...found.occurrences] }
  for (const kind of KINDS) {
    const known = state.content[kind]
    for (const row of content[kind])
      if (!known.rows.has(Number(row.id))) known.set(Number(row.id), await storedOf(kind, row))
  }
  for (const { id, taxonomy, name, slug, version, parent } of found.terms)
    if (!state.terms.rows.has(Number(id)))
      state.terms.set(Number(id), {
        ...{ taxonomy: String(taxonomy), name: String(name), slug: String(slug) },
        ...{ version: Number(version), parent: Number(parent) },
      })
  return mapped
}

/** Loads occurrences that were changed here as a whole. */
async function loadOccurrences(
  context: RequestContext,
  drafts: readonly Draft[],
  state: State,
): Promise<void> {
  const ids = new Set<number>()
  for (const draft of drafts) {
    if (isTermDraft(draft)) continue
    const { kind, source, externalId, references } = draft
    const named = kind === 'series' ? externalId : references?.series
    const series = named === undefined ? undefined : state.mappingOf(source, 'series', named)?.target
    for (const id of changedOccurrences(draft, series, state)) ids.add(id)
  }
  const found = await context.db.get(
    together({
      rows: selectOf(ids, wholeEvents),
      links: inPieces(ids, selectRelations),
    }),
  )
  const links = new Map(found.links.flatMap(piece => [...piece]))
  state.loaded.clear()
  for (const row of found.rows) {
    state.loaded.set(Number(row.id), { row, links: links.get(Number(row.id)) ?? NO_LINKS })
  }
}

/** The ids of occurrences that were changed here, and that planning an occurrence or a series has to know as a whole. */
function changedOccurrences(
  { kind, source, externalId, own, references }: ContentDraft,
  series: number | undefined,
  state: State,
): number[] {
  const { rows } = state.content.event
  if (kind === 'series')
    // They may get other external ids.
    return state.occurrencesOf(series).flatMap(([, id]) => {
      const stored = rows.get(id)
      const isDetached = stored?.occurrence?.isDetached
      return stored && isDetached && isEdited(stored, state.mappingTo(source, 'event', id)) ? [id] : []
    })
  if (references?.series === undefined) return []
  const mapping =
    state.mappingOf(source, 'event', externalId) ?? state.mappingOf(source, 'event', references.series)
  const id = state.occurrenceAt(series, String(own.occurrence_date)) ?? mapping?.target
  const stored = id === undefined ? undefined : rows.get(id)
  return stored && id !== undefined && isEdited(stored, id === mapping?.target ? mapping : undefined)
    ? [id]
    : []
}
