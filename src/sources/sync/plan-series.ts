import { extendFrom, horizonOf, type Pattern } from '../../events/recurrence/pattern.ts'
import { type DateTime, toUtc } from '../../lib/time.ts'
import { occurrenceId } from '../keys.ts'
import type { ContentRecord, SeriesRecord } from '../records.ts'
import {
  isEdited,
  type Planned,
  type PlanOptions,
  type Renamed,
  type SeriesPlan,
  type Trashed,
  verdict,
} from './decisions.ts'
import type { RowDraft } from './drafts.ts'
import { digest } from './editions.ts'
import { isSeriesEdited } from './plan-occurrences.ts'
import type { Mapping, State } from './state.ts'
import { endOfRow, trash } from './trash.ts'
import { leftAs, written } from './written.ts'

/**
 * Decides about a series. Dates that stay keep their events, others go to the trash: the events that there are must be
 * those that the rule gives. What was changed here of a single occurrence stays, and so does its date.
 */
export async function planSeries(
  record: SeriesRecord,
  draft: RowDraft,
  state: State,
  options: PlanOptions,
): Promise<Planned> {
  const known = state.mappingOf(record.source, 'series', record.externalId)
  const stored = known && state.content.series.rows.get(known.target)
  const hash = await digest(draft.fingerprint)
  const verdictOf = verdict(known, hash, stored?.edition, options.mirror)
  const isChanged = verdictOf === 'unchanged' && options.mirror && known && hasOwnDates(record, known, state)
  const judged = isChanged ? 'update' : verdictOf
  if (judged !== 'create' && judged !== 'update') return leftAs(judged, { record, draft, known })
  const members = membersOf(record, stored && known?.target, state, options)
  const pattern = patternWith(record, members)
  const own = {
    ...draft.own,
    rdate: JSON.stringify(pattern.rdate),
    exdate: JSON.stringify(pattern.exdate),
    extend_from: extendFrom(pattern, madeUpTo(record, pattern, options)),
  }
  const planned = await written({ record, draft: { ...draft, own }, known, hash }, state, options)
  const { trashed, renamed } = members
  return { ...planned, series: { trashed, renamed } }
}

/** The moment up to which there are all occurrences, UTC. */
function madeUpTo(
  { madeUpTo: last, timezone }: SeriesRecord,
  pattern: Pattern,
  { now }: PlanOptions,
): DateTime {
  const horizon = horizonOf(pattern, now)
  const utc = last === undefined ? horizon : toUtc(last, timezone)
  return utc < horizon ? utc : horizon
}

const patternOf = ({ recurrence, start, end, timezone, all_day }: SeriesRecord): Pattern => ({
  ...recurrence,
  start_date: start.wall,
  end_date: end.wall,
  timezone,
  all_day,
})

function patternWith(record: SeriesRecord, { kept, left }: Members): Pattern {
  const pattern = patternOf(record)
  const join = (dates: readonly DateTime[], more: readonly DateTime[]) =>
    [...new Set([...dates, ...more])].sort()
  return {
    ...pattern,
    rdate: kept.length === 0 ? pattern.rdate : join(pattern.rdate, kept),
    exdate:
      kept.length + left.length === 0
        ? pattern.exdate
        : join(
            pattern.exdate.filter(date => !kept.includes(date)),
            left,
          ),
  }
}

type Members = Pick<SeriesPlan, 'trashed' | 'renamed'> & {
  /** Dates that the source does not have, of occurrences that were changed here. */
  kept: DateTime[]
  /** Dates of the source whose occurrences were deleted here. */
  left: DateTime[]
}

/** Sorts the occurrences that are here. @param id of the series, if it is here */
function membersOf(
  record: SeriesRecord,
  id: number | undefined,
  state: State,
  options: PlanOptions,
): Members {
  const { source, dates } = record
  const index = state.content.event
  const rows = id === undefined ? new Map<string, number>() : index.occurrencesOf(id)
  const wanted = new Set(dates.map(({ date }) => date))
  const others = [...rows].filter(
    ([date, row]) => !wanted.has(date) && index.rows.get(row)?.status !== 'trash',
  )
  const { renamed, rest } = moved(record, { others, rows }, state)
  renamed.push(...adopted(record, state))
  const isOwn = (row: number) => !options.mirror && isRowEdited(row, source, state)
  const left = options.mirror ? [] : leftOut(record, rows, state)
  return {
    renamed,
    left,
    kept: rest.filter(([, row]) => isOwn(row)).map(([date]) => date),
    trashed: rest
      .filter(([, row]) => !isOwn(row))
      .map(([date, row]) => trashed(row, { record, date, source }, state, options)),
  }
}

/** Tells if an event was changed here. */
function isRowEdited(row: number, source: string, state: State): boolean {
  const stored = state.content.event.rows.get(row)
  const externalId = state.externalIdOf(source, 'event', row)
  const known = externalId === undefined ? undefined : state.mappingOf(source, 'event', externalId)
  return stored !== undefined && isEdited(stored, known)
}

/** Tells if a series has other dates here than at its source because of what was changed here. */
function hasOwnDates(record: SeriesRecord, { target }: Mapping, state: State): boolean {
  const rows = state.content.event.occurrencesOf(target)
  const wanted = new Set(record.dates.map(({ date }) => date))
  return (
    leftOut(record, rows, state).length > 0 ||
    [...rows].some(([date, row]) => !wanted.has(date) && isRowEdited(row, record.source, state))
  )
}

/** The dates whose occurrences were moved to the trash here, or deleted for good. */
const leftOut = (
  { source, dates }: SeriesRecord,
  rows: ReadonlyMap<string, number>,
  state: State,
): DateTime[] =>
  dates
    .filter(({ date, externalId }) => {
      const target =
        externalId === undefined ? undefined : state.mappingOf(source, 'event', externalId)?.target
      const row = rows.get(date) ?? target
      if (row === undefined) return false
      const stored = state.content.event.rows.get(row)
      return stored === undefined || (stored.status === 'trash' && isRowEdited(row, source, state))
    })
    .map(({ date }) => date)

type Others = { others: [date: string, row: number][]; rows: ReadonlyMap<string, number> }

/** Occurrences whose time changes keep their event: each gets the new external id of its day. */
function moved(
  { source, dates }: SeriesRecord,
  { others, rows }: Others,
  state: State,
): { renamed: Renamed[]; rest: Others['others'] } {
  const free = dates.filter(
    ({ date, externalId }) =>
      externalId !== undefined && !rows.has(date) && !state.mappingOf(source, 'event', externalId),
  )
  const byDay = new Map(free.map(one => [one.date.slice(0, 10), one.externalId]))
  const renamed: Renamed[] = []
  const rest = others.filter(([date, row]) => {
    const day = date.slice(0, 10)
    const externalId = byDay.get(day)
    if (externalId === undefined) return true
    byDay.delete(day)
    const before = state.externalIdOf(source, 'event', row)
    renamed.push(rename(row, { source, before, externalId }, state))
    return false
  })
  return { renamed, rest }
}

/** A single event that repeats from now on becomes the first occurrence. */
function adopted({ source, externalId, dates: [first] }: SeriesRecord, state: State): Renamed[] {
  const row = state.mappingOf(source, 'event', externalId)?.target
  if (first?.externalId === undefined || row === undefined || !state.content.event.rows.has(row)) return []
  if (state.mappingOf(source, 'event', first.externalId)) return []
  return [rename(row, { source, before: externalId, externalId: first.externalId }, state)]
}

type Renaming = Pick<Renamed, 'source' | 'before' | 'externalId'>

/** Gives a row another external id at its source. */
function rename(row: number, { source, before, externalId }: Renaming, state: State): Renamed {
  const stored = state.content.event.rows.get(row)
  const known = before === undefined ? undefined : state.mappingOf(source, 'event', before)
  const isOwn = stored !== undefined && isEdited(stored, known)
  if (before !== undefined) state.deleteMapping(source, 'event', before)
  const importedVersion = known ? known.importedVersion : isOwn ? '' : (stored?.edition ?? '')
  const mapping = { target: row, hash: '', importedVersion }
  state.setMapping(source, 'event', externalId, mapping)
  return { source, kind: 'event', before, externalId, mapping }
}

type Of = { record: SeriesRecord; date: DateTime; source: string }

/** The change that moves an occurrence to the trash. One that the cron has made gets the external id of its date. */
function trashed(row: number, { record, date, source }: Of, state: State, options: PlanOptions): Trashed {
  const isNamed = record.dates.some(({ externalId }) => externalId !== undefined)
  const { timezone, all_day } = record
  const externalId =
    state.externalIdOf(source, 'event', row) ??
    (isNamed ? occurrenceId(record.externalId, all_day ? date : toUtc(date, timezone)) : undefined)
  return trash('event', row, { source, externalId }, state, options)
}

/**
 * The end of a series whose source has a single event under its UID now: the occurrence with its start becomes
 * that event, the others go to the trash.
 */
export function endOf(record: ContentRecord, state: State, options: PlanOptions): SeriesPlan | undefined {
  const { source, externalId, kind } = record
  if (kind !== 'event' || record.chain !== undefined) return undefined
  const known = state.mappingOf(source, 'series', externalId)
  const stored = known && state.content.series.rows.get(known.target)
  const own = occurrenceId(externalId, record.start.utc)
  const row = state.mappingOf(source, 'event', own)?.target
  if (!stored || stored.status === 'trash' || row === undefined) return undefined
  if (isSeriesEdited(state, source, externalId) && !options.mirror) return undefined
  const others = [...state.content.event.occurrencesOf(known?.target ?? 0).values()].filter(
    other => other !== row && state.content.event.rows.get(other)?.status !== 'trash',
  )
  const renamed = [rename(row, { source, before: own, externalId }, state)]
  state.deleteMapping(source, 'series', externalId)
  return {
    renamed,
    ended: endOfRow(known?.target ?? 0, state),
    trashed: others.map(other =>
      trash(
        'event',
        other,
        { source, externalId: state.externalIdOf(source, 'event', other) },
        state,
        options,
      ),
    ),
  }
}
