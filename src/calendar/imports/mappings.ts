import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, many, mapQuery, type Query, type RawRow } from '../../kit/db/query.ts'
import { sourceNameSql } from '../../kit/db/tables.ts'
import { SIZES } from '../../kit/lib/budgets.ts'
import { batchesWithin } from '../../kit/lib/values.ts'
import {
  type AnyRecord,
  isEventLike,
  isTerm,
  occurrenceId,
  type RecordName,
  recordKey,
  recordsNamedBy,
} from './records.ts'
import { type SourceSettings, statusOfRow, uidOf } from './source.ts'

// The table `imports`: which record became which row.

const encoder = new TextEncoder()
const jsonLength = (text: string): number => encoder.encode(text).length + 1
const json = (value: unknown): string => JSON.stringify(value)

/** A query for a list of values, as often as it takes. @param query takes a SELECT of some of them */
export const inBatches = <T>(values: Iterable<unknown>, query: (list: SQL) => Query<T>): Query<T[]> =>
  combineQueries(
    [...batchesWithin(Array.from(values, json), SIZES.listBytes, jsonLength)].map(list =>
      query(sql`(SELECT value FROM json_each(${`[${list.join(',')}]`}))`),
    ),
  )

/** A query of the rows of a SELECT with a list, which takes as many statements as the list needs. */
export const selectOf = (values: Iterable<unknown>, select: (list: SQL) => SQL): Query<RawRow[]> =>
  mapQuery(
    inBatches(values, list => many(select(list), row => row)),
    batches => batches.flat(),
  )

const madeVenueSql = (condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM imports AS own INDEXED BY imports_target WHERE own.kind = 'venue'
    AND own.target_id = venues.id AND own.imported_version IS NOT NULL AND ${condition})`

/** A condition for venues that a source has made. */
export const madeBySql = (source: string): SQL => madeVenueSql(sql`own.source = ${source}`)

/** A condition for venues that a scheduled source has made, and that wait for review. */
export const waitingVenueSql = sql`(venues.status IN ('pending', 'draft') AND ${madeVenueSql(sourceNameSql(sql`own.source`))})`

/**
 * An expression that is true for mappings to a venue that another source names as well, or the same one by
 * another id.
 */
export const sharedVenueSql = sql.raw(`(imports.kind = 'venue' AND EXISTS (
  SELECT 1 FROM imports AS other INDEXED BY imports_target WHERE other.kind = 'venue'
    AND other.target_id = imports.target_id AND (other.source <> imports.source OR other.external_id <> imports.external_id)))`)

/**
 * An expression that is true for mappings to a venue that waits for review: the first of its sources to
 * publish it does so.
 */
const waitsSql = sql.raw(
  `EXISTS (SELECT 1 FROM venues WHERE id = imports.target_id AND status IN ('pending', 'draft'))`,
)

/**
 * The columns of a mapping. A venue that is shared is mapped to without a version, so that no source changes
 * it.
 */
export const MAPPING = sql`imports.kind, imports.external_id, imports.target_id, imports.hash,
  iif(${sharedVenueSql} AND NOT ${waitsSql}, NULL, imports.imported_version) AS imported_version`

/** The kinds and external ids of some records and of those that they refer to, by their text. */
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
  // It may have been a single event, or a series, until now.
  for (const id of isOccurrence ? [uidOf(record)] : [uidOf(record), externalId]) {
    yield ['event', id]
    yield ['series', id]
  }
  if (record.kind === 'series') {
    for (const { externalId: id } of record.dates) if (id !== undefined) yield ['event', id]
  } else if (!isOccurrence) yield ['event', occurrenceId(externalId, record.start.utc)]
}

/** A query of mappings with the versions of their rows, null for deleted ones. */
export const selectMapped = (
  source: string,
  records: readonly AnyRecord[],
  settings: SourceSettings | undefined,
): Query<RawRow[]> =>
  selectOf(
    recordKeys(records).values(),
    list => sql`SELECT ${MAPPING}, CASE imports.kind
        WHEN 'event' THEN (SELECT version FROM events WHERE id = target_id)
        WHEN 'series' THEN (SELECT version FROM series WHERE id = target_id)
        WHEN 'venue' THEN (SELECT version FROM venues WHERE id = target_id)
        WHEN 'organizer' THEN (SELECT version FROM organizers WHERE id = target_id)
        ELSE (SELECT version FROM terms WHERE id = target_id) END AS version,
        ${settings ? statusOfRow(settings) : sql`NULL`} AS status
      FROM ${list} AS input CROSS JOIN imports ON imports.source = ${source}
        AND imports.kind = (input.value ->> 0) AND imports.external_id = (input.value ->> 1)`,
  )

/** A query of the mappings of the first events of those that belong together without being a series. */
export const selectChained = (source: string, records: readonly AnyRecord[]): Query<RawRow[]> =>
  selectOf(
    new Set(records.flatMap(record => (record.kind === 'event' && record.chain) || [])),
    list => sql`SELECT ${MAPPING} FROM ${list} AS chain CROSS JOIN imports ON imports.source = ${source}
      AND imports.kind = 'event' AND imports.external_id = (
        SELECT min(external_id) FROM imports WHERE source = ${source} AND kind = 'event'
          AND external_id > chain.value || '#' AND external_id < chain.value || '$')`,
  )
