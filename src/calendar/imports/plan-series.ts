import { readText } from '../../kit/db/query.ts'
import { extendFrom, horizonOf, type Pattern } from '../../kit/lib/recurrence/pattern.ts'
import { trashedSlug } from '../../kit/lib/slug.ts'
import { type DateTime, dayOf, toUtc, wallMs } from '../../kit/lib/time.ts'
import { compareTexts, textsOf } from '../../kit/lib/values.ts'
import { importedEventColumns } from '../events/imported-events.ts'
import { columnsWith } from '../events/recurrence/queries.ts'
import type { ImportBatch, OccurrenceRow, StoredContent } from './batch.ts'
import {
  type Consequences,
  decisionToLeave,
  isEdited,
  judgeRecord,
  type MappedRecord,
  type PlannedRecord,
  type TrashedContent,
} from './decisions.ts'
import { storedOf } from './hashes.ts'
import { isSeriesEdited } from './plan-occurrences.ts'
import { askToTakeAway, isProtectedRow, type ProtectedQuestion } from './protection.ts'
import { type EventRecord, occurrenceId, type RecordName, type SeriesRecord } from './records.ts'
import type { ComparedRecord } from './relations.ts'
import { endOfRow, trashingOfRow } from './vanished.ts'
import { decideWrite, withdrawOrLeave } from './write-decisions.ts'

/**
 * Decides about a series. Dates that stay keep their events, others go to the trash: the events here must be
 * exactly the dates of the rule. Changes made here to a single occurrence stay, and so does its date.
 */
export async function planSeries(
  comparedRecord: ComparedRecord<SeriesRecord>,
  batch: ImportBatch,
): Promise<PlannedRecord> {
  const { record, known, stored, hash } = comparedRecord
  const { mirror, context } = batch
  if (record.dates.length === 0) return planWithoutDates(comparedRecord, batch)
  const decision = judgeRecord(known, hash, stored, mirror)
  const isOver = decision === 'unchanged' && !(mirror && hasOwnDates(record, stored?.id, batch))
  if (isOver || typeof decision === 'object') return withdrawOrLeave(decision, comparedRecord, batch)
  const { trashed, renamed, forgotten, questions, ...dates } = membersOf(record, stored?.id, batch)
  const pattern = patternOf(record, dates)
  const horizon = horizonOf(pattern, context.clock.now())
  const madeUpTo = record.madeUpTo === undefined ? horizon : toUtc(record.madeUpTo, record.timezone)
  const ownColumns = {
    ...importedEventColumns(record),
    rdate: JSON.stringify(pattern.rdate),
    exdate: JSON.stringify(pattern.exdate),
    extend_from: extendFrom(pattern, madeUpTo < horizon ? madeUpTo : horizon),
  }
  return {
    ...(await decideWrite(comparedRecord, batch, { own: ownColumns })),
    trashed,
    renamed,
    forgotten,
    questions,
  }
}

/**
 * Decides about a series that has no dates any more, such as the first half of one that was split at its
 * first date: its dates go to the trash, and the series with them unless some were changed here, which stay.
 */
async function planWithoutDates(
  comparedRecord: ComparedRecord<SeriesRecord>,
  batch: ImportBatch,
): Promise<PlannedRecord> {
  const { record, known, stored, hash } = comparedRecord
  const { externalId } = record
  const withoutDates = decisionToLeave(
    { skip: 'all its dates are left out', code: 'record_no_dates' },
    record,
    {},
  )
  const single = batch.rowOf('event', externalId)
  if (single && single.status !== 'trash' && (batch.mirror || !isRowEdited(single, batch)))
    return { ...withoutDates, ...trashOrAsk([single], row => trash(row, batch)) }
  if (!known || !stored?.row || stored.status === 'trash') return withoutDates
  const decision = judgeRecord(known, hash, stored, batch.mirror)
  if (decision === 'unchanged' || typeof decision === 'object')
    return withdrawOrLeave(decision, comparedRecord, batch)
  const { id, version } = stored
  const { keptDates, trashed, questions } = membersOf(record, id, batch)
  if (keptDates.length === 0) {
    batch.removeMapping('series', externalId)
    return { ...withoutDates, trashed, ended: endOfRow(id, version), forgotten: [['series', externalId]] }
  }
  const columns = columnsWith(batch.context, patternOf(record, { keptDates, excluded: [] }))
  const after = await storedOf('series', {
    ...stored.row,
    ...columns,
    all_day: Number(columns.all_day),
    version: version + 1,
  })
  const content = { ...endOfRow(id, version), columns, action: undefined, fields: ['recurrence'] }
  batch.setRow('series', after)
  const mapping = batch.setMapping('series', externalId, { ...known, hash, importedVersion: after.revision })
  return { action: 'update', record, id, incomplete: false, trashed, questions, content, mapping }
}

type OwnDates = {
  /** Dates that the source does not have, of occurrences that were changed here. */
  keptDates: DateTime[]
  /** Dates of the source whose occurrences were deleted here. */
  excluded: DateTime[]
}

function patternOf(
  { recurrence: { rrule, rdate, exdate }, start, end, timezone, all_day }: SeriesRecord,
  { keptDates, excluded }: OwnDates,
): Pattern {
  const join = (dates: readonly DateTime[], more: readonly DateTime[]) =>
    more.length === 0 ? dates : [...new Set([...dates, ...more])].sort()
  return {
    rrule,
    start_date: start.wall,
    end_date: end.wall,
    timezone,
    all_day,
    rdate: join(rdate, keptDates),
    exdate: join(
      exdate.filter(date => !keptDates.includes(date)),
      excluded,
    ),
  }
}

/** Rows that get other external ids at their source, and those that they had. */
type Renamings = { renamed: MappedRecord[]; forgotten: RecordName[] }

/** Sorts the occurrences that are here. @param series the id, if it is here */
function membersOf(
  record: SeriesRecord,
  series: number | undefined,
  batch: ImportBatch,
): OwnDates & Renamings & TrashedAndQuestions {
  const { trash: inTrash = [], live = [] } = Object.groupBy(
    vanishedDates(record, series, batch),
    ({ status }) => (status === 'trash' ? 'trash' : 'live'),
  )
  const others = [...live, ...(batch.mirror ? [] : inTrash.filter(row => isRowEdited(row, batch)))]
  const { renamings: renamedDates, remaining } = movedDates(record, { others, series }, batch)
  const renamings = [...renamedDates, ...eventThatRepeats(record, batch)]
  const deleted = batch.mirror ? [] : deletedDates(record, series, batch)
  const { edited = [], unedited = [] } = Object.groupBy(
    remaining.filter(({ status }) => status !== 'trash'),
    row => (!batch.mirror && isRowEdited(row, batch) ? 'edited' : 'unedited'),
  )
  const { trashed, questions } = trashOrAsk(unedited, row => trashedDate(row, record, batch))
  return {
    excluded: deleted,
    keptDates: [...edited, ...unedited.filter(isProtectedRow)].map(({ occurrence: { date } }) => date),
    renamed: renamings.flatMap(({ renamed }) => renamed),
    forgotten: renamings.flatMap(({ forgotten }) => forgotten),
    trashed,
    questions,
  }
}

/** Rows that go to the trash, and questions about those that people depend on. */
type TrashedAndQuestions = { trashed: TrashedContent[]; questions: ProtectedQuestion[] }

function trashOrAsk<R extends StoredContent>(
  rows: readonly R[],
  trashOne: (row: R) => TrashedContent,
): TrashedAndQuestions {
  const questions = rows.filter(isProtectedRow).flatMap(row => askToTakeAway(row) ?? [])
  return { questions, trashed: rows.filter(row => !isProtectedRow(row)).map(trashOne) }
}

/** True if an event was changed here. */
const isRowEdited = (row: StoredContent, batch: ImportBatch): boolean =>
  isEdited(row, batch.mappingTo('event', row.id))

/** The occurrences that are here at dates that the source does not have. */
function vanishedDates({ dates }: SeriesRecord, series: number | undefined, batch: ImportBatch) {
  const wantedDates = new Set(dates.map(({ date }) => date))
  return batch.occurrencesOf(series).filter(({ occurrence: { date } }) => !wantedDates.has(date))
}

/** The dates whose occurrences were moved to the trash here, or deleted for good. */
const deletedDates = ({ dates }: SeriesRecord, series: number | undefined, batch: ImportBatch): DateTime[] =>
  dates.flatMap(({ date, externalId = '' }) => {
    const row = batch.occurrenceAt(series, date) ?? batch.rowOf('event', externalId)
    const isDeleted = row
      ? row.status === 'trash' && isRowEdited(row, batch)
      : batch.mappingOf('event', externalId) !== undefined
    return isDeleted ? [date] : []
  })

/** True if changes made here have given a series other dates than at its source. */
const hasOwnDates = (record: SeriesRecord, series: number | undefined, batch: ImportBatch): boolean =>
  deletedDates(record, series, batch).length > 0 ||
  vanishedDates(record, series, batch).some(row => isRowEdited(row, batch))

/**
 * Occurrences whose time changes keep their event: each gets the new external id of its day, or else, if all
 * of the others move by the same time, of the day that it moves to. Occurrences that were deleted here stay
 * deleted. Of several on a day, first come those that take place, then those in the trash, and then those
 * deleted for good.
 */
function movedDates(
  { dates, externalId: uid }: SeriesRecord,
  { others: otherRows, series }: { others: readonly OccurrenceRow[]; series: number | undefined },
  batch: ImportBatch,
): { renamings: Renamings[]; remaining: OccurrenceRow[] } {
  const byDay = new Map(
    dates.flatMap(({ date, externalId }) =>
      externalId === undefined || batch.occurrenceAt(series, date) || batch.mappingOf('event', externalId)
        ? []
        : [[dayOf(date), { date, externalId }]],
    ),
  )
  const renamings: Renamings[] = []
  const moved = new Set<number>()
  const move = ({ id, before }: FormerDate, externalId: string) => {
    moved.add(id)
    renamings.push(rename(id, { before, externalId }, batch))
  }
  const formerDates = [
    ...otherRows.map(({ id, occurrence: { date } }) => ({
      id,
      date,
      before: batch.externalIdsOf('event', id)[0],
    })),
    ...datesDeletedForGood(uid, series, batch),
  ]
  const ofOtherDays = formerDates.filter(former => {
    const day = dayOf(former.date)
    const found = byDay.get(day)
    if (found) move(former, found.externalId)
    return !(found && byDay.delete(day))
  })
  const gone = ofOtherDays.sort(byDate)
  const added = [...byDay.values()].sort(byDate)
  if (haveMovedTogether(gone, added, dates))
    for (const [i, { externalId }] of added.entries()) if (gone[i]) move(gone[i], externalId)
  return { renamings, remaining: otherRows.filter(({ id }) => !moved.has(id)) }
}

/** A date that a series had before: the id of its event, and the external id that this had. */
type FormerDate = { id: number; date: DateTime; before: string | undefined }

type Dated = { date: DateTime }
const byDate = (a: Dated, b: Dated): number => compareTexts(a.date, b.date)

/**
 * True if all dates of a series that are gone have moved by the same time, and none past another date. A
 * series without an end may have other dates so far than it had before.
 */
function haveMovedTogether(
  gone: readonly Dated[],
  added: readonly Dated[],
  allDates: readonly Dated[],
): boolean {
  const distances = added.flatMap(({ date }, i) => (gone[i] ? [wallMs(date) - wallMs(gone[i].date)] : []))
  const later = (added.length > 1 ? added : allDates).map(({ date }) => wallMs(date)).sort((a, b) => a - b)
  const gap = Math.min(...later.slice(1).map((ms, i) => ms - (later[i] ?? ms)))
  return distances.every(ms => ms === distances[0] && Math.abs(ms) < gap)
}

/** The dates that a series leaves out because their events were deleted here for good. */
function datesDeletedForGood(uid: string, series: number | undefined, batch: ImportBatch): FormerDate[] {
  const row = batch.mirror ? undefined : batch.rows.series.get(series ?? 0)?.row
  if (!row) return []
  return textsOf(readText(row.exdate)).flatMap(date => {
    const before = occurrenceId(uid, row.all_day === 1 ? date : toUtc(date, readText(row.timezone)))
    const id = batch.mappingOf('event', before)?.target
    return id === undefined || batch.rows.event.has(id) ? [] : [{ date, before, id }]
  })
}

/** A single event that repeats from now on becomes the first occurrence. */
function eventThatRepeats(
  { externalId: before, dates: [first] }: SeriesRecord,
  batch: ImportBatch,
): Renamings[] {
  const row = batch.rowOf('event', before)
  const externalId = first?.externalId
  const isTaken = externalId === undefined || batch.mappingOf('event', externalId) !== undefined
  return row && !isTaken ? [rename(row.id, { before, externalId }, batch)] : []
}

/** Gives a row another external id at its source. */
function rename(
  id: number,
  { before, externalId }: { before: string | undefined; externalId: string },
  batch: ImportBatch,
): Renamings {
  const row = batch.rows.event.get(id)
  const formerMapping = before === undefined ? undefined : batch.removeMapping('event', before)
  const revision = row && !isEdited(row, undefined) ? row.revision : ''
  const importedVersion = formerMapping ? formerMapping.importedVersion : revision
  const mapping = batch.setMapping('event', externalId, { target: id, hash: '', importedVersion })
  return {
    renamed: [{ kind: 'event', externalId, mapping }],
    forgotten: before === undefined ? [] : [['event', before]],
  }
}

/**
 * The change that moves an occurrence to the trash. One that the cron has made gets the external id of its
 * date.
 */
function trashedDate(row: OccurrenceRow, record: SeriesRecord, batch: ImportBatch): TrashedContent {
  const { timezone, all_day, dates } = record
  const { date } = row.occurrence
  const isNamed = dates.length === 0 || dates.some(({ externalId }) => externalId !== undefined)
  return trash(
    row,
    batch,
    isNamed ? occurrenceId(record.externalId, all_day ? date : toUtc(date, timezone)) : undefined,
  )
}

/**
 * The change that moves an occurrence to the trash.
 * @param madeId its external id, if no record has named it
 */
function trash(row: StoredContent, batch: ImportBatch, madeId?: string): TrashedContent {
  const [externalId = madeId] = batch.externalIdsOf('event', row.id)
  const change = trashingOfRow({ kind: 'event', externalId }, row, batch.context)
  const version = row.version + 1
  batch.setRow('event', {
    ...row,
    slug: trashedSlug(row.slug),
    version,
    revision: String(version),
    status: 'trash',
    row: undefined,
  })
  if (change.mapped) batch.setMapping('event', change.mapped.externalId, change.mapped.mapping)
  return change
}

/**
 * The end of a series whose source has a single event under its UID now: the occurrence with its start
 * becomes that event, the others go to the trash.
 */
export function endOfSourceSeries(
  { externalId, occurrence, chain, start }: EventRecord,
  batch: ImportBatch,
): Consequences | undefined {
  if (occurrence || chain !== undefined) return undefined
  const series = batch.rowOf('series', externalId)
  const before = occurrenceId(externalId, start.utc)
  const target = batch.mappingOf('event', before)?.target
  if (!series || series.status === 'trash' || target === undefined) return undefined
  if (isSeriesEdited(batch, externalId) && !batch.mirror) return undefined
  const otherRows = batch
    .occurrencesOf(series.id)
    .filter(({ id, status }) => id !== target && status !== 'trash')
  const { renamed, forgotten } = rename(target, { before, externalId }, batch)
  batch.removeMapping('series', externalId)
  return {
    renamed,
    forgotten: [...forgotten, ['series', externalId]],
    // Dates that people depend on stay until the organizer has agreed, and until then need their series.
    ...(!otherRows.some(isProtectedRow) && { ended: endOfRow(series.id, series.version) }),
    ...trashOrAsk(otherRows, row => trash(row, batch)),
  }
}
