import type { BaseContext } from '../../kit/context.ts'
import { importRequestId } from '../../kit/db/audit.ts'
import { combineQueries, type Query, resolvedQuery, type Statement } from '../../kit/db/query.ts'
import { asOneChange } from '../../kit/db/statements.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import { type LinkedIds, NO_LINKS, selectUsedElsewhere } from '../events/imported-events.ts'
import type { ImportBatch, Mapping } from './batch.ts'
import { decisionStatements, decisionToLeave, judgeRecord, type PlannedRecord } from './decisions.ts'
import { hashOf } from './hashes.ts'
import { readStored } from './load.ts'
import { type MappedRow, recordKeys, selectChained, selectMapped } from './mappings.ts'
import { planOccurrence } from './plan-occurrences.ts'
import { isRelated, planRelated, planTerm, type RelatedRecord } from './plan-related.ts'
import { endOfSourceSeries, planSeries } from './plan-series.ts'
import { type AnyRecord, type EventLike, isTerm, recordKey } from './records.ts'
import { compareRecord } from './relations.ts'
import { type SourceSettings, selectSourceLinks, withStatuses } from './source.ts'
import { decideWrite, withdrawOrLeave } from './write-decisions.ts'

type PlanInput = {
  /**
   * The records, each after those that it refers to. A reference to a row that does not exist yet is left
   * out, and the record is `incomplete`.
   */
  records: readonly AnyRecord[]
  settings?: SourceSettings
}

type PlannedBatch = {
  /** The decision about each record, in order. */
  planned: PlannedRecord[]
  /** The statements that carry out the decisions about these records. They are one transaction. */
  partStatements: (part: readonly PlannedRecord[]) => Statement[]
}

/**
 * Decides how the calendar follows some records of one source: content that was imported before is updated,
 * unless it was edited here. A hundred new events with venues, organizers, terms and images take some 40
 * statements.
 */
export async function planBatch(
  context: BaseContext,
  { records: receivedRecords, settings }: PlanInput,
  batch: ImportBatch,
): Promise<PlannedBatch> {
  const { source, mirror } = batch
  const { mappings, chained, used, own } = await context.db.read(
    combineQueries({
      mappings: selectMapped(source, receivedRecords, settings),
      chained: selectChained(source, receivedRecords),
      used: selectUsed(source, receivedRecords),
      own: settings ? selectSourceLinks(settings) : resolvedQuery(NO_LINKS),
    }),
  )
  batch.sourceLinks = own
  const records = withUsedElsewhere(
    settings ? withStatuses(receivedRecords, settings, mappings) : receivedRecords,
    used,
  )
  const unchanged = await unchangedAmong(records, mappings, own, mirror)
  const changedRecords = records.filter(record => !unchanged.has(record))
  const keys = recordKeys(changedRecords)
  const concernedMappings = mappings.filter(({ kind, external_id }) => keys.has(recordKey(kind, external_id)))
  if (changedRecords.length > 0)
    await readStored(
      context,
      { records: changedRecords, mappings: [...concernedMappings, ...chained] },
      batch,
    )
  const plannedRecords: PlannedRecord[] = []
  // One after the other, because each decision depends on those before it.
  for (const record of records)
    plannedRecords.push(unchanged.get(record) ?? (await planRecord(record, batch)))
  const origin = { ...context, requestId: importRequestId(source) }
  return {
    planned: plannedRecords,
    partStatements: part => {
      const statements = decisionStatements(origin, source, part)
      return statements.length === 0 ? [] : asOneChange(statements)
    },
  }
}

const isHiddenRelated = (record: AnyRecord): record is RelatedRecord =>
  isRelated(record) && record.isHidden === true

/**
 * A query for the statuses of venues and organizers that public events of another origin use, by their keys.
 */
function selectUsed(source: string, records: readonly AnyRecord[]): Query<ReadonlyMap<string, Status>> {
  const hiddenByKind = Object.groupBy(records.filter(isHiddenRelated), ({ kind }) => kind)
  const selectUsedRelated = (kind: RelatedRecord['kind']) =>
    selectUsedElsewhere({ source, kind, ids: (hiddenByKind[kind] ?? []).map(({ externalId }) => externalId) })
  return combineQueries(
    {
      venue: hiddenByKind.venue ? selectUsedRelated('venue') : resolvedQuery([]),
      organizer: hiddenByKind.organizer ? selectUsedRelated('organizer') : resolvedQuery([]),
    },
    ({ venue, organizer }) =>
      new Map([
        ...venue.map(([id, status]) => [recordKey('venue', id), status] as const),
        ...organizer.map(([id, status]) => [recordKey('organizer', id), status] as const),
      ]),
  )
}

/**
 * Leaves a venue or organizer as it is if only unpublished events of its source name it, but public events of
 * another origin use it.
 */
const withUsedElsewhere = (
  records: readonly AnyRecord[],
  usedIds: ReadonlyMap<string, Status>,
): readonly AnyRecord[] =>
  records.map(record => {
    const status = isHiddenRelated(record)
      ? usedIds.get(recordKey(record.kind, record.externalId))
      : undefined
    // Spreading a union loses the member's type.
    return status === undefined ? record : ({ ...record, status } as AnyRecord)
  })

/**
 * Finds the records that have not changed since their import. Nothing more is read for them.
 * {@link planBatch} decides about the others, and about those for which more has to be compared.
 *
 * @param own the links that the source's settings give its events
 */
async function unchangedAmong(
  records: readonly AnyRecord[],
  mappings: readonly MappedRow[],
  own: LinkedIds,
  mirror: boolean,
): Promise<Map<AnyRecord, PlannedRecord>> {
  const knownMappings = new Map(mappings.map(row => [recordKey(row.kind, row.external_id), row]))
  const unchanged = new Map<AnyRecord, PlannedRecord>()
  for (const record of records) {
    const row = knownMappings.get(recordKey(record.kind, record.externalId))
    const { occurrence, chain } = record.kind === 'event' ? record : {}
    // Without a version, the row was deleted here. The parent of a chain is the first of its events.
    if (!row || row.version === null || chain !== undefined) continue
    const isLinked = row.imported_version === null
    const isAsImported = String(row.version) === row.imported_version
    // A mirror undoes edits, and a date of a series follows the series again once its edits have been taken
    // back.
    if (!isLinked && !isAsImported && (mirror || occurrence)) continue
    const seriesRow = occurrence && knownMappings.get(recordKey('series', occurrence.series))
    const hash = isLinked
      ? row.hash
      : await hashOf(record, {
          isKnown: () => true,
          sourceLinks: own,
          series: seriesRow?.target_id,
        })
    if (hash === row.hash) unchanged.set(record, decisionToLeave('unchanged', record, { id: row.target_id }))
  }
  return unchanged
}

/** Decides about one record, and leaves the batch as if the decision was carried out. */
function planRecord(record: AnyRecord, batch: ImportBatch): Promise<PlannedRecord> {
  if (isTerm(record)) return planTerm(record, batch)
  return isRelated(record) ? planRelated(record, batch) : planEvent(record, batch)
}

async function planEvent(record: EventLike, batch: ImportBatch): Promise<PlannedRecord> {
  const endedSeries = record.kind === 'event' ? endOfSourceSeries(record, batch) : undefined
  const { relations, known, stored, hash } = await compareRecord(record, batch)
  const row = { id: known?.target, incomplete: relations?.incomplete }
  if (isHereFromElsewhere(record, known, batch))
    return decisionToLeave({ skip: 'it is in this calendar already', code: 'record_here' }, record, row)
  if (relations?.series === undefined)
    return decisionToLeave({ skip: 'its series is not here', code: 'record_series' }, record, row)
  if (record.kind === 'series') return planSeries({ record, relations, known, stored, hash }, batch)
  const comparedRecord = { record, relations, known, stored, hash }
  if (record.occurrence) return planOccurrence(comparedRecord, record.occurrence, batch)
  const decision = endedSeries && stored ? 'update' : judgeRecord(known, hash, stored, batch.mirror)
  if (decision !== 'create' && decision !== 'update') return withdrawOrLeave(decision, comparedRecord, batch)
  return { ...(await decideWrite(comparedRecord, batch)), ...endedSeries }
}

/**
 * True if an event that its source has from another calendar came here from that calendar as well, by its
 * UID: two calendars that read each other pass on what either has from a third one.
 */
function isHereFromElsewhere(
  { origins = [], external_id: uid }: EventLike,
  known: Mapping | undefined,
  batch: ImportBatch,
): boolean {
  if (known || !uid || origins.length === 0) return false
  const holder = batch.holderOf('event', uid)
  return holder !== undefined && batch.externalIdsOf('event', holder).length === 0
}
