import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  combineQueries,
  literal,
  many,
  mapQuery,
  orNull,
  type Query,
  type RowReader,
  readNumber,
  readOneOf,
  readText,
} from '../../kit/db/query.ts'
import { events, imports, organizers, series, sourceNameSql, terms, venues } from '../../kit/db/tables.ts'
import { SIZES } from '../../kit/lib/budgets.ts'
import { STATUSES, type Status } from '../../kit/lib/statuses.ts'
import { toUtf8 } from '../../kit/lib/streams.ts'
import { batchesWithin } from '../../kit/lib/values.ts'
import { CONTENT_TABLES } from '../content/resource.ts'
import {
  type AnyRecord,
  isEventLike,
  isTerm,
  occurrenceId,
  RECORD_KINDS,
  type RecordKind,
  type RecordName,
  recordKey,
  recordsNamedBy,
} from './records.ts'
import { type SourceSettings, uidOf } from './source.ts'

// The table `imports`: which record became which row.

const jsonLength = (text: string): number => toUtf8(text).length + 1
const json = (value: unknown): string => JSON.stringify(value)

/**
 * A query for a list of values, in as many parts as it takes. @param select gets a SELECT of the values of a
 * part
 */
export const inBatches = <T>(values: Iterable<unknown>, select: (list: SQL) => Query<T>): Query<T[]> =>
  combineQueries(
    [...batchesWithin(Array.from(values, json), SIZES.listBytes, jsonLength)].map(list =>
      select(sql`(SELECT value FROM json_each(${`[${list.join(',')}]`}))`),
    ),
  )

/** A query for the rows of a SELECT with a list, which takes as many statements as the list needs. */
export const selectWithList = <T>(
  values: Iterable<unknown>,
  select: (list: SQL) => SQL,
  row: RowReader<T>,
): Query<T[]> =>
  mapQuery(
    inBatches(values, list => many(select(list), row)),
    batches => batches.flat(),
  )

export type RelatedKind = 'venue' | 'organizer'

const madeSql = (kind: RelatedKind, condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${imports} AS own INDEXED BY imports_target WHERE own.kind = ${kind}
    AND own.target_id = ${CONTENT_TABLES[kind].id} AND own.imported_version IS NOT NULL AND ${condition})`

/** A condition for venues or organizers that a source has made. */
export const madeBySql = (kind: RelatedKind, source: string): SQL =>
  madeSql(kind, sql`own.source = ${source}`)

/** A condition for venues that a scheduled source has made, and that wait for review. */
export const waitingVenueSql = sql`(${venues.status} IN ('pending', 'draft') AND ${madeSql('venue', sourceNameSql(sql`own.source`))})`

/**
 * A condition for mappings to a venue or an organizer that has another mapping as well: of another source or,
 * for a venue, of the same source by another id. Organizers of one source that were merged still follow this
 * source.
 */
const sharedSql = sql`(${imports.kind} IN ('venue', 'organizer') AND EXISTS (
  SELECT 1 FROM ${imports} AS other INDEXED BY imports_target WHERE other.kind = ${imports.kind}
    AND other.target_id = ${imports.target_id} AND (other.source <> ${imports.source}
      OR (other.kind = 'venue' AND other.external_id <> ${imports.external_id}))))`

/**
 * A condition for one mapping to each venue or organizer that a source has made, and that no other source
 * names.
 */
export const ownMappingSql = sql`(${imports.imported_version} IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM ${imports} AS other INDEXED BY imports_target WHERE other.kind = ${imports.kind}
    AND other.target_id = ${imports.target_id} AND (other.source <> ${imports.source}
      OR (other.imported_version IS NOT NULL AND other.external_id < ${imports.external_id}))))`

/** The ids by which the source of a mapping names its row, as JSON: one for each spelling of a venue. */
export const SPELLINGS = sql`(SELECT json_group_array(other.external_id) FROM ${imports} AS other
  INDEXED BY imports_target WHERE other.kind = ${imports.kind} AND other.target_id = ${imports.target_id}
    AND other.source = ${imports.source})`

const waitingInSql = (table: typeof venues | typeof organizers): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${imports.target_id} AND ${table.status} IN ('pending', 'draft'))`

/**
 * An expression that is true for mappings to a venue or an organizer that waits for review: the first of its
 * sources to publish it does so.
 */
const waitsSql = sql`(CASE ${imports.kind} WHEN 'venue' THEN ${waitingInSql(venues)} ELSE ${waitingInSql(organizers)} END)`

/**
 * The columns of a mapping. The mapping to a shared venue or organizer has no version, so that no source
 * changes the row.
 */
export const MAPPING_COLUMNS = sql`${imports.kind}, ${imports.external_id}, ${imports.target_id}, ${imports.hash},
  iif(${sharedSql} AND NOT ${waitsSql}, NULL, ${imports.imported_version}) AS imported_version`

/** A row of the table, as far as planning needs it. */
export type MappingRow = {
  kind: RecordKind
  external_id: string
  target_id: number
  hash: string
  imported_version: string | null
}

export const MAPPING_READERS = {
  kind: readOneOf(RECORD_KINDS),
  external_id: readText,
  target_id: readNumber,
  hash: readText,
  imported_version: orNull(readText),
}

/** The kinds and external ids of some records and of the records that they refer to, by {@link recordKey}. */
export const recordKeys = (records: readonly AnyRecord[]): Map<string, RecordName> =>
  new Map(records.flatMap(record => [...keysIn(record)].map(key => [recordKey(...key), key])))

function* keysIn(record: AnyRecord): Iterable<RecordName> {
  const { kind, externalId } = record
  yield [kind, externalId]
  if (isTerm(record)) {
    if (record.parent !== undefined) yield [kind, record.parent]
    return
  }
  if (!isEventLike(record)) return
  yield* recordsNamedBy(record)
  if (record.parent !== undefined) yield ['event', record.parent]
  const isOccurrence = record.kind === 'event' && record.occurrence !== undefined
  // The record may have been a single event, or a series, until now.
  for (const id of isOccurrence ? [uidOf(record)] : [uidOf(record), externalId]) {
    yield ['event', id]
    yield ['series', id]
  }
  if (record.kind === 'series') {
    for (const { externalId: id } of record.dates) if (id !== undefined) yield ['event', id]
  } else if (!isOccurrence) yield ['event', occurrenceId(externalId, record.start.utc)]
}

/** A mapping, and the version and status of its row: null for a deleted one. */
export type MappedRow = MappingRow & { version: number | null; status: Status | null }

const MAPPED_ROW = {
  ...MAPPING_READERS,
  version: orNull(readNumber),
  status: orNull(readOneOf(STATUSES)),
}

/**
 * A query for the mappings of records and of those that they refer to, with their rows.
 * @param settings without them, statuses are null
 */
export const selectMapped = (
  source: string,
  records: readonly AnyRecord[],
  settings: SourceSettings | undefined,
): Query<MappedRow[]> =>
  selectWithList(
    recordKeys(records).values(),
    list => sql`SELECT ${MAPPING_COLUMNS}, CASE ${imports.kind}
        WHEN 'event' THEN ${targetColumn(events, events.version)}
        WHEN 'series' THEN ${targetColumn(series, series.version)}
        WHEN 'venue' THEN ${targetColumn(venues, venues.version)}
        WHEN 'organizer' THEN ${targetColumn(organizers, organizers.version)}
        ELSE ${targetColumn(terms, terms.version)} END AS version,
        ${settings ? targetStatus(settings) : sql`NULL`} AS status
      FROM ${list} AS input CROSS JOIN ${imports} ON ${imports.source} = ${source}
        AND ${imports.kind} = (input.value ->> 0) AND ${imports.external_id} = (input.value ->> 1)`,
    MAPPED_ROW,
  )

/** An expression for a column of a mapping's row. @param whereSql a further condition */
const targetColumn = (
  table: SQLiteTable & { id: SQLiteColumn },
  column: SQLiteColumn | SQL,
  whereSql: SQL = sql`1`,
): SQL => sql`(SELECT ${column} FROM ${table} WHERE ${table.id} = ${imports.target_id} AND ${whereSql})`

/**
 * An expression for the status of a mapping's row. A category that is only public along with its events waits
 * with them. A venue or organizer that a public event names stops waiting once its source publishes.
 */
function targetStatus({ status }: SourceSettings): SQL {
  const relatedStatus = (kind: 'venue' | 'organizer') => {
    const table = CONTENT_TABLES[kind]
    const stopsWaitingSql = sql`${literal(Number(status === 'publish'))}
      AND ${table.status} IN ('pending', 'draft') AND EXISTS (
        SELECT 1 FROM events_of AS link CROSS JOIN ${events} ON ${events.id} = link.event_id
        WHERE link.facet = ${kind} AND link.target_id = ${table.id} AND ${events.status} = 'publish')`
    return targetColumn(table, table.status, sql`NOT (${stopsWaitingSql})`)
  }
  return sql`CASE ${imports.kind}
    WHEN 'event' THEN ${targetColumn(events, events.status)}
    WHEN 'series' THEN ${targetColumn(series, series.status)}
    WHEN 'venue' THEN ${relatedStatus('venue')}
    WHEN 'organizer' THEN ${relatedStatus('organizer')}
    ELSE ${targetColumn(terms, sql`iif(${terms.standalone}, 'publish', 'pending')`)} END`
}

/**
 * A query for the mappings of the events that are the first of several which belong together without being a
 * series.
 */
export const selectChained = (source: string, records: readonly AnyRecord[]): Query<MappingRow[]> =>
  selectWithList(
    new Set(records.flatMap(record => (record.kind === 'event' && record.chain) || [])),
    list => sql`SELECT ${MAPPING_COLUMNS} FROM ${list} AS chain CROSS JOIN ${imports} ON ${imports.source} = ${source}
      AND ${imports.kind} = 'event' AND ${imports.external_id} = (
        SELECT min(own.external_id) FROM ${imports} AS own WHERE own.source = ${source} AND own.kind = 'event'
          AND own.external_id > chain.value || '#' AND own.external_id < chain.value || '$')`,
    MAPPING_READERS,
  )
