import { trashedSlug } from '../../lib/slug.ts'
import { type DateTime, toUtc } from '../../lib/time.ts'
import { importedEventColumns } from '../../resources/events/imported.ts'
import {
  columnsWith,
  extendFrom,
  horizonOf,
  type Pattern,
} from '../../resources/events/recurrence/pattern.ts'
import { type EventRecord, occurrenceId, type RecordName, type SeriesRecord } from '../records.ts'
import { isEdited, leftAs, type Mapped, type Planned, type Trashed, verdict } from './decisions.ts'
import { storedOf } from './hashes.ts'
import type { OccurrenceRow, Piece, StoredContent } from './piece.ts'
import { isSeriesEdited } from './plan-occurrences.ts'
import type { Compared } from './relations.ts'
import { endOfRow, trashed } from './vanished.ts'
import { left, written } from './written.ts'

/**
 * Decides about a series. Dates that stay keep their events, others go to the trash: the events that there are must be
 * those that the rule gives. What was changed here of a single occurrence stays, and so does its date.
 */
export async function planSeries(compared: Compared<SeriesRecord>, piece: Piece): Promise<Planned> {
  const { record, known, stored, hash } = compared
  const { mirror, context } = piece
  if (record.dates.length === 0) return planWithoutDates(compared, piece)
  const judged = verdict(known, hash, stored, mirror)
  const isOver = judged === 'unchanged' && !(mirror && hasOwnDates(record, stored?.id, piece))
  if (isOver || typeof judged === 'object') return left(judged, compared, piece)
  const { trashed, renamed, forgotten, ...dates } = membersOf(record, stored?.id, piece)
  const pattern = patternOf(record, dates)
  const horizon = horizonOf(pattern, context.now)
  const made = record.madeUpTo === undefined ? horizon : toUtc(record.madeUpTo, record.timezone)
  const own = {
    ...importedEventColumns(record),
    rdate: JSON.stringify(pattern.rdate),
    exdate: JSON.stringify(pattern.exdate),
    extend_from: extendFrom(pattern, made < horizon ? made : horizon),
  }
  return { ...(await written(compared, piece, { own })), trashed, renamed, forgotten }
}

/**
 * Decides about a series that has no dates any more, such as the first half of one that was split at its first date:
 * its dates go to the trash, and the series with them unless some were changed here, which stay.
 */
async function planWithoutDates(compared: Compared<SeriesRecord>, piece: Piece): Promise<Planned> {
  const { record, known, stored, hash } = compared
  const { externalId } = record
  const none = leftAs({ skip: 'all its dates are left out', code: 'record_no_dates' }, record, {})
  const single = piece.rowOf('event', externalId)
  if (single && single.status !== 'trash' && (piece.mirror || !isRowEdited(single, piece)))
    return { ...none, trashed: [trash(single, piece)] }
  if (!known || !stored?.row || stored.status === 'trash') return none
  const judged = verdict(known, hash, stored, piece.mirror)
  if (judged === 'unchanged' || typeof judged === 'object') return left(judged, compared, piece)
  const { id, version } = stored
  const { kept, trashed } = membersOf(record, id, piece)
  if (kept.length === 0) {
    piece.unmap('series', externalId)
    return { ...none, trashed, ended: endOfRow(id, version), forgotten: [['series', externalId]] }
  }
  const columns = columnsWith(piece.context, patternOf(record, { kept, left: [] }))
  const after = await storedOf('series', { ...stored.row, ...columns, version: version + 1 })
  const content = { ...endOfRow(id, version), columns, action: undefined, fields: ['recurrence'] }
  piece.setRow('series', after)
  const mapping = piece.map('series', externalId, { ...known, hash, importedVersion: after.edition })
  return { action: 'update', record, id, incomplete: false, trashed, content, mapping }
}

type OwnDates = {
  /** Dates that the source does not have, of occurrences that were changed here. */
  kept: DateTime[]
  /** Dates of the source whose occurrences were deleted here. */
  left: DateTime[]
}

function patternOf(
  { recurrence: { rrule, rdate, exdate }, start, end, timezone, all_day }: SeriesRecord,
  { kept, left }: OwnDates,
): Pattern {
  const join = (dates: readonly DateTime[], more: readonly DateTime[]) =>
    more.length === 0 ? dates : [...new Set([...dates, ...more])].sort()
  return {
    rrule,
    start_date: start.wall,
    end_date: end.wall,
    timezone,
    all_day,
    rdate: join(rdate, kept),
    exdate: join(
      exdate.filter(date => !kept.includes(date)),
      left,
    ),
  }
}

/** Rows that get other external ids at their source, and those that they had. */
type Renamings = { renamed: Mapped[]; forgotten: RecordName[] }

/** Sorts the occurrences that are here. @param series the id, if it is here */
function membersOf(
  record: SeriesRecord,
  series: number | undefined,
  piece: Piece,
): OwnDates & Renamings & { trashed: Trashed[] } {
  const others = vanishedDates(record, series, piece).filter(({ status }) => status !== 'trash')
  const { moved, rest } = movedDates(record, { others, series }, piece)
  const renamings = [...moved, ...adopted(record, piece)]
  const left = piece.mirror ? [] : deletedDates(record, series, piece)
  const { own = [], over = [] } = Object.groupBy(rest, row =>
    !piece.mirror && isRowEdited(row, piece) ? 'own' : 'over',
  )
  return {
    left,
    kept: own.map(({ occurrence: { date } }) => date),
    renamed: renamings.flatMap(({ renamed }) => renamed),
    forgotten: renamings.flatMap(({ forgotten }) => forgotten),
    trashed: over.map(row => trashedDate(row, record, piece)),
  }
}

/** Tells if an event was changed here. */
const isRowEdited = (row: StoredContent, piece: Piece): boolean =>
  isEdited(row, piece.mappingTo('event', row.id))

/** The occurrences that are here at dates that the source does not have. */
function vanishedDates({ dates }: SeriesRecord, series: number | undefined, piece: Piece) {
  const wanted = new Set(dates.map(({ date }) => date))
  return piece.occurrencesOf(series).filter(({ occurrence: { date } }) => !wanted.has(date))
}

/** The dates whose occurrences were moved to the trash here, or deleted for good. */
const deletedDates = ({ dates }: SeriesRecord, series: number | undefined, piece: Piece): DateTime[] =>
  dates.flatMap(({ date, externalId = '' }) => {
    const row = piece.occurrenceAt(series, date) ?? piece.rowOf('event', externalId)
    const isDeleted = row
      ? row.status === 'trash' && isRowEdited(row, piece)
      : piece.mappingOf('event', externalId)
    return isDeleted ? [date] : []
  })

/** Tells if a series has other dates here than at its source because of what was changed here. */
const hasOwnDates = (record: SeriesRecord, series: number | undefined, piece: Piece): boolean =>
  deletedDates(record, series, piece).length > 0 ||
  vanishedDates(record, series, piece).some(row => isRowEdited(row, piece))

/** Occurrences whose time changes keep their event: each gets the new external id of its day. */
function movedDates(
  { dates }: SeriesRecord,
  { others, series }: { others: readonly OccurrenceRow[]; series: number | undefined },
  piece: Piece,
): { moved: Renamings[]; rest: OccurrenceRow[] } {
  const byDay = new Map(
    dates.flatMap(({ date, externalId }) =>
      externalId === undefined || piece.occurrenceAt(series, date) || piece.mappingOf('event', externalId)
        ? []
        : [[date.slice(0, 10), externalId]],
    ),
  )
  const moved: Renamings[] = []
  const rest = others.filter(({ id, occurrence }) => {
    const day = occurrence.date.slice(0, 10)
    const externalId = byDay.get(day)
    if (externalId === undefined) return true
    byDay.delete(day)
    const [before] = piece.externalIdsOf('event', id)
    moved.push(rename(id, { before, externalId }, piece))
    return false
  })
  return { moved, rest }
}

/** A single event that repeats from now on becomes the first occurrence. */
function adopted({ externalId: before, dates: [first] }: SeriesRecord, piece: Piece): Renamings[] {
  const row = piece.rowOf('event', before)
  const externalId = first?.externalId
  const isTaken = externalId === undefined || piece.mappingOf('event', externalId)
  return row && !isTaken ? [rename(row.id, { before, externalId }, piece)] : []
}

/** Gives a row another external id at its source. */
function rename(
  id: number,
  { before, externalId }: { before: string | undefined; externalId: string },
  piece: Piece,
): Renamings {
  const row = piece.rows.event.get(id)
  const known = before === undefined ? undefined : piece.unmap('event', before)
  const edition = row && !isEdited(row, undefined) ? row.edition : ''
  const importedVersion = known ? known.importedVersion : edition
  const mapping = piece.map('event', externalId, { target: id, hash: '', importedVersion })
  return {
    renamed: [{ kind: 'event', externalId, mapping }],
    forgotten: before === undefined ? [] : [['event', before]],
  }
}

/** The change that moves an occurrence to the trash. One that the cron has made gets the external id of its date. */
function trashedDate(row: OccurrenceRow, record: SeriesRecord, piece: Piece): Trashed {
  const { timezone, all_day, dates } = record
  const { date } = row.occurrence
  const isNamed = dates.length === 0 || dates.some(({ externalId }) => externalId !== undefined)
  return trash(
    row,
    piece,
    isNamed ? occurrenceId(record.externalId, all_day ? date : toUtc(date, timezone)) : undefined,
  )
}

/** The change that moves an occurrence to the trash. @param made its external id, if no record has named it */
function trash(row: StoredContent, piece: Piece, made?: string): Trashed {
  const [externalId = made] = piece.externalIdsOf('event', row.id)
  const change = trashed({ kind: 'event', externalId }, row, piece.context)
  const version = row.version + 1
  piece.setRow('event', {
    ...row,
    slug: trashedSlug(row.slug),
    version,
    edition: String(version),
    status: 'trash',
    row: undefined,
  })
  if (change.mapped) piece.map('event', change.mapped.externalId, change.mapped.mapping)
  return change
}

/**
 * The end of a series whose source has a single event under its UID now: the occurrence with its start becomes
 * that event, the others go to the trash.
 */
export function endOf(
  { externalId, occurrence, chain, start }: EventRecord,
  piece: Piece,
): Pick<Planned, 'trashed' | 'renamed' | 'forgotten' | 'ended'> | undefined {
  if (occurrence || chain !== undefined) return undefined
  const series = piece.rowOf('series', externalId)
  const before = occurrenceId(externalId, start.utc)
  const target = piece.mappingOf('event', before)?.target
  if (!series || series.status === 'trash' || target === undefined) return undefined
  if (isSeriesEdited(piece, externalId) && !piece.mirror) return undefined
  const others = piece
    .occurrencesOf(series.id)
    .filter(({ id, status }) => id !== target && status !== 'trash')
  const { renamed, forgotten } = rename(target, { before, externalId }, piece)
  piece.unmap('series', externalId)
  return {
    renamed,
    forgotten: [...forgotten, ['series', externalId]],
    ended: endOfRow(series.id, series.version),
    trashed: others.map(row => trash(row, piece)),
  }
}
