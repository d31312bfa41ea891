import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { among, combineQueries, many, orNull, type RawRow, readNumber, readText } from '../../kit/db/query.ts'
import type { Taxonomy } from '../../kit/db/tables.ts'
import { protectionColumn } from '../content/dependents.ts'
import { uploadedPath } from '../content/images.ts'
import { importedRows } from '../content/imported-columns.ts'
import { selectSeriesSlugs } from '../content/slugs.ts'
import { SERIES_LINKS } from '../events/imported-events.ts'
import { selectRelations } from '../events/recurrence/queries.ts'
import { nameKey } from '../terms/resource.ts'
import { selectExisting } from '../venues/same-venue.ts'
import type { ImportBatch, StoredContent } from './batch.ts'
import { followApproved } from './edits.ts'
import { storedOf } from './hashes.ts'
import { inBatches, MAPPING, madeBySql, selectOf, waitingVenueSql } from './mappings.ts'
import { newVenueNames } from './plan-related.ts'
import {
  type AnyRecord,
  COLLECTIONS,
  type ContentRecord,
  type ContentRecordKind,
  isTerm,
  RECORD_KINDS,
  type RecordKind,
} from './records.ts'
import { slugWanted } from './write-decisions.ts'

// Loads the stored rows that a batch of records concerns, and no others, however many there are.

type LoadInput = {
  records: readonly AnyRecord[]
  mappings: readonly RawRow[]
}

/**
 * Loads the stored rows that some records concern. Rows that a dry run has already changed stay as they are.
 */
export async function loadStored(
  context: BaseContext,
  loading: LoadInput,
  batch: ImportBatch,
): Promise<void> {
  const { records, mappings } = loading
  for (const row of mappings) addMapping(batch, row)
  const rows = await context.db.read(selectStored(context, loading, batch))
  const { ids, images, terms } = batch
  const tables: Readonly<Record<string, { reserve: (id: number) => void }>> = ids
  for (const { name, seq } of rows.sequences) tables[String(name)]?.reserve(Number(seq))
  for (const { id, login } of rows.users) batch.users.set(String(login).toLowerCase(), Number(id))
  for (const { id, url, shown_id, shown_width } of rows.images) {
    ids.images.take(Number(id))
    if (!images.has(String(url)))
      images.set(String(url), { id: Number(shown_id), isSized: shown_width !== null })
  }
  const addedRows = [...rows.mappedTerms, ...rows.mappedEvents]
  for (const row of addedRows) addMapping(batch, row)
  for (const venue of rows.existingVenues) batch.existingVenues.add(venue)
  const set = async (
    kind: ContentRecordKind,
    row: RawRow,
    wholeContent: Pick<StoredContent, 'row' | 'links'> = {},
  ) => {
    const stored = { ...(await storedOf(kind, row)), ...wholeContent }
    const rowBefore = batch.rows[kind].get(stored.id)
    if (!rowBefore || rowBefore.version === stored.version) batch.setRow(kind, stored)
  }
  const links = new Map(rows.links.flatMap(pairs => [...pairs]))
  for (const row of rows.occurrences) await set('event', row)
  for (const row of rows.event) await set('event', row, { row, links: links.get(readNumber(row.id)) })
  for (const kind of ['series', 'venue', 'organizer'] as const)
    for (const row of rows[kind]) await set(kind, row, { row })
  for (const row of rows.terms) {
    const id = readNumber(row.id)
    ids.terms.take(id)
    if (terms.has(id)) continue
    batch.setTerm(id, {
      // The column has no other values.
      taxonomy: row.taxonomy as Taxonomy,
      name: readText(row.name),
      name_key: readText(row.name_key),
      slug: readText(row.slug),
      description: readText(row.description),
      version: readNumber(row.version),
      parent: readNumber(row.parent),
      standalone: row.standalone === 1,
    })
  }
  if (!batch.mirror) await followApproved(context, { records, mappings: [...mappings, ...addedRows] }, batch)
  for (const [i, { externalId }] of records.filter(isSeries).entries())
    batch.seriesSlugs.set(externalId, rows.seriesSlugs[i] ?? '')
}

/** Adds a stored mapping, unless it is known. */
function addMapping(batch: ImportBatch, row: RawRow): void {
  const kind = among(RECORD_KINDS)(row.kind)
  const target = readNumber(row.target_id)
  const importedVersion = orNull(readText)(row.imported_version)
  if (!batch.mappingOf(kind, readText(row.external_id)))
    batch.map(kind, readText(row.external_id), {
      target,
      hash: readText(row.hash),
      importedVersion,
      storedTarget: target,
    })
}

const isSeries = (record: AnyRecord) => record.kind === 'series'

/** The keys of the stored rows that records concern. Pairs are read by {@link givenValues}. */
function keysOf(context: BaseContext, { records, mappings }: LoadInput) {
  const content = records.filter((record): record is ContentRecord => !isTerm(record))
  // Ids of rows that records are mapped to, or had at their source.
  const idsOf = (...kinds: RecordKind[]): number[] => [
    ...new Set([
      ...mappings.flatMap(row => (kinds.some(kind => kind === row.kind) ? [readNumber(row.target_id)] : [])),
      ...records.flatMap(({ kind, id }) => (id !== undefined && kinds.includes(kind) ? [id] : [])),
    ]),
  ]
  const pairsOf = (kind: Exclude<ContentRecordKind, 'series'>) => [
    ...idsOf(kind).map(id => ['id', id]),
    // The external ids of series are those of their first events.
    ...content.flatMap(({ kind: recordKind, external_id }) =>
      external_id && (recordKind === 'series' ? 'event' : recordKind) === kind
        ? [['external id', external_id]]
        : [],
    ),
  ]
  const series = idsOf('series')
  const termNames = records.filter(isTerm).map(({ name }) => nameKey(name))
  return {
    venue: pairsOf('venue'),
    organizer: pairsOf('organizer'),
    series,
    termNames,
    event: [...pairsOf('event'), ...series.map(id => ['series', id])],
    terms: [...idsOf('category', 'tag').map(id => ['id', id]), ...termNames.map(name => ['name', name])],
    images: new Set(
      content.flatMap(({ image }) =>
        image
          ? [image.url, uploadedPath(image.url) ?? image.url, ...(image.id === undefined ? [] : [image.id])]
          : [],
      ),
    ),
    logins: new Set(content.flatMap(({ author }) => author || [])),
    seriesSlugs: records.flatMap(record =>
      record.kind === 'series' ? [{ slug: slugWanted(record, context), isNamed: record.slug !== '' }] : [],
    ),
  }
}

/**
 * A query of the stored rows that records concern: series with all their occurrences, and terms with all
 * their ancestors.
 */
function selectStored(context: BaseContext, loading: LoadInput, batch: ImportBatch) {
  const { source } = batch
  const keys = keysOf(context, loading)
  const rows = (kind: 'venue' | 'organizer') =>
    selectOf(keys[kind], list => importedRows(kind, selectNamedIds(list, COLLECTIONS[kind])))
  const mappedTo = (targets: Iterable<unknown>, condition: (list: SQL) => SQL) =>
    selectOf(
      targets,
      list =>
        sql`SELECT ${MAPPING} FROM imports INDEXED BY imports_target WHERE ${condition(list)} AND source = ${source}`,
    )
  return combineQueries({
    venue: rows('venue'),
    organizer: rows('organizer'),
    event: selectOf(keys.event, list => importedRows('event', eventsIn(list), protectionColumn(sql`events`))),
    links: inBatches(keys.event, list => selectRelations(eventsIn(list))),
    series: selectOf(keys.series, list =>
      importedRows('series', sql`SELECT value FROM ${list}`, SERIES_LINKS),
    ),
    occurrences: selectOf(
      keys.series,
      list => sql`SELECT id, slug, version, status, external_id, series_id, occurrence_date, detached,
          start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr, all_day, ticketed,
          ticket_availability, ${protectionColumn(sql`events`)}
        FROM events WHERE series_id IN ${list}`,
    ),
    mappedEvents: mappedTo(
      keys.series,
      list => sql`kind = 'event' AND target_id IN (SELECT id FROM events WHERE series_id IN ${list})`,
    ),
    terms: selectOf(
      keys.terms,
      list => sql`WITH given AS ${list}, named AS (${givenValues('id')} UNION ${termsNamed(givenValues('name'))})
        SELECT id, taxonomy, name, name_key, description, slug, version, parent, standalone FROM terms
        WHERE id IN named OR id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id IN named)`,
    ),
    mappedTerms: mappedTo(
      keys.termNames,
      list =>
        sql`kind IN ('category', 'tag') AND target_id IN (${termsNamed(sql`SELECT value FROM ${list}`)})`,
    ),
    existingVenues: selectExisting(context, {
      names: newVenueNames(loading.records, batch),
      source,
      ownSql: madeBySql(source),
      waitingSql: waitingVenueSql,
    }),
    images: selectOf(
      keys.images,
      list => sql`WITH given AS ${list} SELECT images.id, images.url, coalesce(copy.id, images.id) AS shown_id,
          iif(copy.id IS NULL, images.width, copy.width) AS shown_width
        FROM images LEFT JOIN images AS copy ON copy.id = images.copied_id
        WHERE images.id IN (SELECT id FROM images WHERE url IN given UNION ALL SELECT value FROM given)`,
    ),
    users: selectOf(
      keys.logins,
      list => sql`SELECT id, login FROM users WHERE login COLLATE NOCASE IN ${list}`,
    ),
    sequences: many(sql`SELECT name, seq FROM sqlite_sequence`, row => row),
    seriesSlugs: selectSeriesSlugs(keys.seriesSlugs, source),
  })
}

const termsNamed = (list: SQL): SQL =>
  sql`SELECT id FROM terms WHERE taxonomy IN ('event_category', 'event_tag') AND name_key IN (${list})`

// Lists of pairs of a key's name and value. A statement has each list once, because a remote database gets it
// as text.

const givenValues = (by: 'id' | 'external id' | 'series' | 'name'): SQL =>
  sql.raw(`SELECT value ->> 1 AS id FROM given WHERE value ->> 0 = '${by}'`)

// The condition of the indexes of external ids as well, so that they are used.
const namedIds = (table: string): SQL =>
  sql`${givenValues('id')} UNION SELECT id FROM ${sql.raw(table)}
    WHERE external_id <> '' AND external_id IN (${givenValues('external id')})`

const selectNamedIds = (list: SQL, table: string): SQL => sql`WITH given AS ${list} ${namedIds(table)}`

/**
 * The same for events, with those dates of series that may have been changed here, and keep their own values.
 */
const eventsIn = (list: SQL): SQL =>
  sql`${selectNamedIds(list, 'events')} UNION SELECT id FROM events
    WHERE series_id IN (${givenValues('series')}) AND (detached <> '[]' OR status = 'trash')`
