import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import { termAncestors } from '../../kit/db/derived.ts'
import { combineQueries, many, orNull, type RawRow, readNumber, readText } from '../../kit/db/query.ts'
import { events, images, imports, terms, users } from '../../kit/db/tables.ts'
import { pick } from '../../kit/lib/values.ts'
import { protectionColumn } from '../content/dependents.ts'
import { uploadedPath } from '../content/images.ts'
import { importedRows } from '../content/imported-columns.ts'
import { CONTENT_TABLES, type Singular } from '../content/resource.ts'
import { selectSeriesSlugs } from '../content/slugs.ts'
import { selectRelations } from '../events/recurrence/queries.ts'
import { SERIES_LINKS_TEXT } from '../events/series-values.ts'
import { nameKey } from '../terms/resource.ts'
import type { ImportBatch, StoredContent } from './batch.ts'
import { followApproved } from './edits.ts'
import { selectExisting } from './existing.ts'
import { storedOf } from './hashes.ts'
import { inBatches, MAPPING_COLUMNS, MAPPING_READERS, type MappingRow, selectWithList } from './mappings.ts'
import { newNames } from './plan-related.ts'
import { KEPT_COLUMNS } from './protection.ts'
import {
  type AnyRecord,
  type ContentRecord,
  type ContentRecordKind,
  isTerm,
  type RecordKind,
} from './records.ts'
import { slugWanted } from './write-decisions.ts'

// Loads the stored rows that a batch of records concerns, and no others, however many there are.

type LoadInput = {
  records: readonly AnyRecord[]
  mappings: readonly MappingRow[]
}

/**
 * Loads the stored rows that some records concern. Rows that a dry run has already changed stay as they are.
 */
export async function readStored(
  context: BaseContext,
  loading: LoadInput,
  batch: ImportBatch,
): Promise<void> {
  const { records, mappings } = loading
  for (const row of mappings) addMapping(batch, row)
  const rows = await context.db.read(selectConcerned(context, loading, batch))
  const { ids } = batch
  const idsByTable: Readonly<Record<string, { reserve: (id: number) => void }>> = ids
  for (const { name, seq } of rows.sequences) idsByTable[name]?.reserve(seq)
  for (const { id, login } of rows.users) batch.users.set(login.toLowerCase(), id)
  for (const { id, url, shown_id, shown_width } of rows.images) {
    ids.images.take(id)
    if (!batch.images.has(url)) batch.images.set(url, { id: shown_id, isSized: shown_width !== null })
  }
  const addedRows = [...rows.mappedTerms, ...rows.mappedEvents]
  for (const row of addedRows) addMapping(batch, row)
  for (const venue of rows.existing.venues) batch.existingVenues.add(venue)
  for (const organizer of rows.existing.organizers) batch.existingOrganizers.add(organizer)
  const setStored = async (
    kind: ContentRecordKind,
    row: RawRow,
    wholeContent: Pick<StoredContent, 'row' | 'links'> = {},
  ) => {
    const stored = { ...(await storedOf(kind, row)), ...wholeContent }
    const rowBefore = batch.rows[kind].get(stored.id)
    if (!rowBefore || rowBefore.version === stored.version) batch.setRow(kind, stored)
  }
  const links = new Map(rows.links.flatMap(pairs => [...pairs]))
  for (const row of rows.occurrences) await setStored('event', row)
  for (const row of rows.event) await setStored('event', row, { row, links: links.get(readNumber(row.id)) })
  for (const kind of ['series', 'venue', 'organizer'] as const)
    for (const row of rows[kind]) await setStored(kind, row, { row })
  for (const { id, ...term } of rows.terms) {
    ids.terms.take(id)
    if (!batch.terms.has(id)) batch.setTerm(id, term)
  }
  if (!batch.mirror) await followApproved(context, { records, mappings: [...mappings, ...addedRows] }, batch)
  for (const [i, { externalId }] of records.filter(isSeries).entries())
    batch.seriesSlugs.set(externalId, rows.seriesSlugs[i] ?? '')
}

/** Adds a stored mapping, unless it is known. */
function addMapping(
  batch: ImportBatch,
  { kind, external_id, target_id: target, hash, imported_version: importedVersion }: MappingRow,
): void {
  if (!batch.mappingOf(kind, external_id))
    batch.setMapping(kind, external_id, { target, hash, importedVersion, storedTarget: target })
}

const isSeries = (record: AnyRecord) => record.kind === 'series'

/** The keys of the stored rows that records concern. Pairs are read by {@link givenValues}. */
function keysOf(context: BaseContext, { records, mappings }: LoadInput) {
  const content = records.filter((record): record is ContentRecord => !isTerm(record))
  // Ids of rows that records are mapped to, and ids that records had at their source.
  const idsOf = (...kinds: RecordKind[]): number[] => [
    ...new Set([
      ...mappings.flatMap(({ kind, target_id }) => (kinds.includes(kind) ? [target_id] : [])),
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

const TERM_COLUMNS = {
  ...pick(terms, 'id', 'taxonomy', 'name', 'name_key', 'slug', 'description'),
  ...pick(terms, 'version', 'parent', 'standalone'),
}

/**
 * The columns of a date of a series that planning needs, including the columns that protected events keep.
 */
const OCCURRENCE_COLUMNS = {
  ...pick(events, 'id', 'slug', 'version', 'external_id', 'series_id', 'occurrence_date'),
  ...pick(events, ...KEPT_COLUMNS),
}

/**
 * A query for the stored rows that records concern: series with all their occurrences, and terms with all
 * their ancestors.
 */
function selectConcerned(context: BaseContext, loading: LoadInput, batch: ImportBatch) {
  const { source } = batch
  const keys = keysOf(context, loading)
  const protection = protectionColumn(sql`${events}`)
  const selectRowsOf = (targets: Iterable<unknown>, select: (list: SQL) => SQL) =>
    selectWithList(targets, select, row => row)
  const selectRelatedRows = (kind: 'venue' | 'organizer') =>
    selectRowsOf(keys[kind], list => importedRows(kind, relatedIdsNamed(kind, list)))
  return combineQueries({
    venue: selectRelatedRows('venue'),
    organizer: selectRelatedRows('organizer'),
    event: selectRowsOf(keys.event, list => importedRows('event', eventsIn(list), protection)),
    links: inBatches(keys.event, list => selectRelations(eventsIn(list))),
    series: selectRowsOf(keys.series, list =>
      importedRows('series', sql`SELECT value FROM ${list}`, SERIES_LINKS_TEXT),
    ),
    occurrences: selectRowsOf(
      keys.series,
      list =>
        sql`SELECT ${columnList(OCCURRENCE_COLUMNS)}, ${protection} FROM ${events} WHERE ${events.series_id} IN ${list}`,
    ),
    // The second part has the dates whose events were deleted for good: their names say which series they
    // belong to.
    mappedEvents: selectWithList(
      keys.series,
      list => sql`WITH given AS ${list}
        SELECT ${MAPPING_COLUMNS} FROM ${imports} INDEXED BY imports_target WHERE ${imports.source} = ${source}
          AND ${imports.kind} = 'event' AND ${imports.target_id} IN (
            SELECT ${events.id} FROM ${events} WHERE ${events.series_id} IN given)
        UNION ALL SELECT ${MAPPING_COLUMNS} FROM given
          CROSS JOIN ${imports} AS named INDEXED BY imports_target ON named.kind = 'series'
            AND named.target_id = given.value AND named.source = ${source}
          CROSS JOIN ${imports} ON ${imports.source} = ${source} AND ${imports.kind} = 'event'
            AND ${imports.external_id} > named.external_id || '#' AND ${imports.external_id} < named.external_id || '$'
          WHERE NOT EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${imports.target_id})`,
      MAPPING_READERS,
    ),
    terms: selectWithList(
      keys.terms,
      list => sql`WITH given AS ${list}, named AS (${givenValues('id')} UNION ${termsNamed(givenValues('name'))})
        SELECT ${columnList(TERM_COLUMNS)} FROM ${terms}
        WHERE ${terms.id} IN named OR ${terms.id} IN (
          SELECT ${termAncestors.ancestor_id} FROM ${termAncestors} WHERE ${termAncestors.term_id} IN named)`,
      row => decodeRow(TERM_COLUMNS, row),
    ),
    mappedTerms: selectWithList(
      keys.termNames,
      list => sql`SELECT ${MAPPING_COLUMNS} FROM ${imports} INDEXED BY imports_target
        WHERE ${imports.source} = ${source} AND ${imports.kind} IN ('category', 'tag')
          AND ${imports.target_id} IN (${termsNamed(sql`SELECT value FROM ${list}`)})`,
      MAPPING_READERS,
    ),
    existing: selectExisting(context, {
      source,
      venues: newNames('venue', loading.records, batch),
      organizers: newNames('organizer', loading.records, batch),
    }),
    images: selectWithList(
      keys.images,
      list => sql`WITH given AS ${list}
        SELECT ${images.id}, ${images.url}, coalesce(copy.id, ${images.id}) AS shown_id,
          iif(copy.id IS NULL, ${images.width}, copy.width) AS shown_width
        FROM ${images} LEFT JOIN ${images} AS copy ON copy.id = ${images.copied_id}
        WHERE ${images.id} IN (
          SELECT own.id FROM ${images} AS own WHERE own.url IN given UNION ALL SELECT value FROM given)`,
      { id: readNumber, url: readText, shown_id: readNumber, shown_width: orNull(readNumber) },
    ),
    users: selectWithList(
      keys.logins,
      list =>
        sql`SELECT ${users.id}, ${users.login} FROM ${users} WHERE ${users.login} COLLATE NOCASE IN ${list}`,
      { id: readNumber, login: readText },
    ),
    sequences: many(sql`SELECT name, seq FROM sqlite_sequence`, { name: readText, seq: readNumber }),
    seriesSlugs: selectSeriesSlugs(keys.seriesSlugs, source),
  })
}

const termsNamed = (list: SQL): SQL =>
  sql`SELECT ${terms.id} FROM ${terms}
    WHERE ${terms.taxonomy} IN ('event_category', 'event_tag') AND ${terms.name_key} IN (${list})`

// Lists of pairs of a key's name and value. A statement has each list once, because a remote database gets it
// as text.

const givenValues = (by: 'id' | 'external id' | 'series' | 'name'): SQL =>
  sql.raw(`SELECT value ->> 1 AS id FROM given WHERE value ->> 0 = '${by}'`)

const relatedIdsNamed = (kind: Singular, list: SQL): SQL => {
  const table = CONTENT_TABLES[kind]
  // Repeats the condition of the indexes of external ids, so that SQLite uses them.
  return sql`WITH given AS ${list} ${givenValues('id')} UNION SELECT ${table.id} FROM ${table}
    WHERE ${table.external_id} <> '' AND ${table.external_id} IN (${givenValues('external id')})`
}

/**
 * The same as {@link relatedIdsNamed} for events, along with the dates of series that may have been changed
 * here, and keep their own values.
 */
const eventsIn = (list: SQL): SQL =>
  sql`${relatedIdsNamed('event', list)} UNION SELECT ${events.id} FROM ${events}
    WHERE ${events.series_id} IN (${givenValues('series')})
      AND (${events.detached} <> '[]' OR ${events.status} = 'trash')`
