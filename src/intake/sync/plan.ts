import { slugify, trashedSlug } from '../../lib/slug.ts'
import { type DateTime, toUtc } from '../../lib/time.ts'
import { importedEventColumns } from '../../resources/events/imported.ts'
import { extendFrom, horizonOf, type Pattern } from '../../resources/events/recurrence/pattern.ts'
import { CATEGORIES, MOST_LEVELS, TAGS } from '../../resources/terms/resource.ts'
import { preparedImportedTerm } from '../../resources/terms/writes.ts'
import {
  type AnyRecord,
  type EventLike,
  type EventRecord,
  isTerm,
  occurrenceId,
  type RecordKind,
  type SeriesRecord,
  type TermRecord,
} from '../records.ts'
import {
  isEdited,
  leftAs,
  type Planned,
  type PlanOptions,
  type Renamed,
  type Trashed,
  verdict,
} from './decisions.ts'
import { hashOf } from './hashes.ts'
import { isSeriesEdited, planOccurrence } from './plan-occurrences.ts'
import { isRelated, planRelated } from './related.ts'
import { type Compared, compare } from './relations.ts'
import type { Mapping, State } from './state.ts'
import { endOfRow, trashed } from './vanished.ts'
import { left, written } from './written.ts'

/**
 * Decides about a series. Dates that stay keep their events, others go to the trash: the events that there are must be
 * those that the rule gives. What was changed here of a single occurrence stays, and so does its date.
 */
async function planSeries(
  compared: Compared<SeriesRecord>,
  state: State,
  options: PlanOptions,
): Promise<Planned> {
  const { record, known, stored, hash } = compared
  const { mirror, context } = options
  const series = stored && known?.target
  const judged = verdict(known, hash, stored, mirror)
  const isOver = judged === 'unchanged' && !(mirror && hasOwnDates(record, series, state))
  if (isOver || judged === 'adopt' || typeof judged === 'object')
    return left(judged, compared, state, options)
  const { trashed, renamed, ...dates } = membersOf(record, series, state, options)
  const pattern = patternOf(record, dates)
  const horizon = horizonOf(pattern, context.now)
  const made = record.madeUpTo === undefined ? horizon : toUtc(record.madeUpTo, record.timezone)
  const own = {
    ...importedEventColumns(record),
    rdate: JSON.stringify(pattern.rdate),
    exdate: JSON.stringify(pattern.exdate),
    extend_from: extendFrom(pattern, made < horizon ? made : horizon),
  }
  const planned = await written(compared, state, options, { own })
  return { ...planned, trashed, renamed }
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
    ...{ rrule, start_date: start.wall, end_date: end.wall, timezone, all_day },
    rdate: join(rdate, kept),
    exdate: join(
      exdate.filter(date => !kept.includes(date)),
      left,
    ),
  }
}

/** Sorts the occurrences that are here. @param series the id, if it is here */
function membersOf(
  record: SeriesRecord,
  series: number | undefined,
  state: State,
  options: PlanOptions,
): OwnDates & { trashed: Trashed[]; renamed: Renamed[] } {
  const { rows } = state.content.event
  const others = vanishedDates(record, series, state).filter(([, row]) => rows.get(row)?.status !== 'trash')
  const { renamed, rest } = moved(record, { others, series }, state)
  renamed.push(...adopted(record, state))
  const left = options.mirror ? [] : deletedDates(record, series, state)
  const { own = [], over = [] } = Object.groupBy(rest, ([, row]) =>
    !options.mirror && isRowEdited(row, record.source, state) ? 'own' : 'over',
  )
  return {
    ...{ renamed, left, kept: own.map(([date]) => date) },
    trashed: over.map(([date, row]) => trashedDate(row, { record, date }, state, options)),
  }
}

/** Tells if an event was changed here. */
function isRowEdited(row: number, source: string, state: State): boolean {
  const stored = state.content.event.rows.get(row)
  return stored !== undefined && isEdited(stored, state.mappingTo(source, 'event', row))
}

/** The occurrences that are here at dates that the source does not have. */
function vanishedDates({ dates }: SeriesRecord, series: number | undefined, state: State) {
  const wanted = new Set(dates.map(({ date }) => date))
  return state.occurrencesOf(series).filter(([date]) => !wanted.has(date))
}

/** The dates whose occurrences were moved to the trash here, or deleted for good. */
const deletedDates = (
  { source, dates }: SeriesRecord,
  series: number | undefined,
  state: State,
): DateTime[] =>
  dates.flatMap(({ date, externalId = '' }) => {
    const row = state.occurrenceAt(series, date) ?? state.mappingOf(source, 'event', externalId)?.target
    if (row === undefined) return []
    const stored = state.content.event.rows.get(row)
    return !stored || (stored.status === 'trash' && isRowEdited(row, source, state)) ? [date] : []
  })

/** Tells if a series has other dates here than at its source because of what was changed here. */
const hasOwnDates = (record: SeriesRecord, series: number | undefined, state: State): boolean =>
  deletedDates(record, series, state).length > 0 ||
  vanishedDates(record, series, state).some(([, row]) => isRowEdited(row, record.source, state))

type Others = [date: string, row: number][]

/** Occurrences whose time changes keep their event: each gets the new external id of its day. */
function moved(
  { source, dates }: SeriesRecord,
  { others, series }: { others: Others; series: number | undefined },
  state: State,
): { renamed: Renamed[]; rest: Others } {
  const byDay = new Map(
    dates.flatMap(({ date, externalId }) =>
      externalId === undefined ||
      state.occurrenceAt(series, date) !== undefined ||
      state.mappingOf(source, 'event', externalId)
        ? []
        : [[date.slice(0, 10), externalId]],
    ),
  )
  const renamed: Renamed[] = []
  const rest = others.filter(([date, row]) => {
    const day = date.slice(0, 10)
    const externalId = byDay.get(day)
    if (externalId === undefined) return true
    byDay.delete(day)
    const [before] = state.externalIdsOf(source, 'event', row)
    renamed.push(rename(row, { source, before, externalId }, state))
    return false
  })
  return { renamed, rest }
}

/** A single event that repeats from now on becomes the first occurrence. */
function adopted({ source, externalId: before, dates: [first] }: SeriesRecord, state: State): Renamed[] {
  const row = state.mappingOf(source, 'event', before)?.target
  const externalId = first?.externalId
  if (externalId === undefined || row === undefined || !state.content.event.rows.has(row)) return []
  if (state.mappingOf(source, 'event', externalId)) return []
  return [rename(row, { source, before, externalId }, state)]
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

type Of = { record: SeriesRecord; date: DateTime }

/** The change that moves an occurrence to the trash. One that the cron has made gets the external id of its date. */
function trashedDate(row: number, { record, date }: Of, state: State, options: PlanOptions): Trashed {
  const { source, timezone, all_day, dates } = record
  const isNamed = dates.some(({ externalId }) => externalId !== undefined)
  const made = isNamed ? occurrenceId(record.externalId, all_day ? date : toUtc(date, timezone)) : undefined
  return trash(row, source, state, options, made)
}

/** The change that moves an occurrence to the trash. @param made its external id, if no record has named it */
function trash(row: number, source: string, state: State, { context }: PlanOptions, made?: string): Trashed {
  const [externalId = made] = state.externalIdsOf(source, 'event', row)
  const { event } = state.content
  const stored = event.rows.get(row)
  const { slug = '', version = 0 } = stored ?? {}
  const change = trashed({ kind: 'event', source, externalId }, { id: row, slug, version }, context)
  const edition = String(version + 1)
  if (stored)
    event.set(row, {
      ...stored,
      slug: trashedSlug(slug),
      version: version + 1,
      edition,
      status: 'trash',
      row: undefined,
    })
  if (externalId !== undefined) state.setMapping(source, 'event', externalId, change.mapping)
  return change
}

/**
 * The end of a series whose source has a single event under its UID now: the occurrence with its start becomes
 * that event, the others go to the trash.
 */
function endOf(
  { source, externalId, occurrence, chain, start }: EventRecord,
  state: State,
  options: PlanOptions,
): Pick<Planned, 'trashed' | 'renamed' | 'ended'> | undefined {
  if (occurrence || chain !== undefined) return undefined
  const series = state.mappingOf(source, 'series', externalId)?.target
  const stored = series === undefined ? undefined : state.content.series.rows.get(series)
  const before = occurrenceId(externalId, start.utc)
  const row = state.mappingOf(source, 'event', before)?.target
  if (series === undefined || !stored || stored.status === 'trash' || row === undefined) return undefined
  if (isSeriesEdited(state, source, externalId) && !options.mirror) return undefined
  const { rows } = state.content.event
  const others = state
    .occurrencesOf(series)
    .filter(([, other]) => other !== row && rows.get(other)?.status !== 'trash')
  const renamed = [rename(row, { source, before, externalId }, state)]
  state.deleteMapping(source, 'series', externalId)
  return {
    renamed,
    ended: endOfRow(series, stored.version),
    trashed: others.map(([, other]) => trash(other, source, state, options)),
  }
}

/**
 * Decides about a category or tag. If one of the same name is here already, the record is mapped to it, and that term is
 * never changed: other events use it too.
 */
async function planTerm(record: TermRecord, state: State, { mirror }: PlanOptions): Promise<Planned> {
  const { kind, source, externalId, name, description, standalone = true } = record
  const { taxonomy, singular } = kind === 'category' ? CATEGORIES : TAGS
  const known = state.mappingOf(source, kind, externalId)
  const stored = known && state.terms.rows.get(known.target)
  const { parent, incomplete } = parentOf(record, known?.target, state)
  const isKnown = (of: RecordKind, id: string) => state.mappingOf(source, of, id) !== undefined
  const hash = await hashOf(record, { isKnown, own: state.own })
  const base = record.slug || slugify(name) || singular
  const like = known ? undefined : state.termLike({ taxonomy, name, slug: base, parent })
  if (like !== undefined && !state.mappingTo(source, kind, like)) {
    const mapping = { target: like, hash, importedVersion: null }
    state.setMapping(source, kind, externalId, mapping)
    return { action: 'adopt', record, id: like, mapping, incomplete }
  }
  const isAdopted = stored !== undefined && known?.importedVersion === null
  const judged = isAdopted
    ? 'unchanged'
    : verdict(known, hash, stored && { edition: String(stored.version) }, mirror)
  if (judged !== 'create' && judged !== 'update')
    return leftAs(judged, record, {
      ...{ id: known?.target, incomplete },
      mapping: known && { ...known, hash },
    })
  const id = stored ? (known?.target ?? 0) : state.terms.freeId(known?.target ?? record.id)
  const values = { taxonomy, name, slug: base, description, parent, standalone }
  const term = preparedImportedTerm(id, values, stored)
  const version = (stored?.version ?? 0) + (term ? 1 : 0)
  const mapping = { target: id, hash, importedVersion: String(version) }
  state.setMapping(source, kind, externalId, mapping)
  if (!term) return leftAs('adopt', record, { id, incomplete, mapping })
  const slug = stored && !term.columns.slug ? stored.slug : base
  state.terms.set(id, { ...values, slug, version })
  return { action: stored ? 'update' : 'create', record, id, term, mapping, incomplete }
}

/**
 * The id of the parent category; 0 while it is unknown, or if it would make a circle. What would be too deep below the
 * root comes below the deepest category that may have children.
 */
function parentOf(
  { source, kind, parent: wanted }: TermRecord,
  own: number | undefined,
  state: State,
): { parent: number; incomplete: boolean } {
  if (wanted === undefined) return { parent: 0, incomplete: false }
  const parent = state.mappingOf(source, kind, wanted)?.target
  if (parent === undefined) return { parent: 0, incomplete: true }
  const line = new Set<number>()
  for (let above = parent; above !== 0 && !line.has(above); above = state.terms.rows.get(above)?.parent ?? 0)
    line.add(above)
  if (own !== undefined && line.has(own)) return { parent: 0, incomplete: false }
  const isTooDeep = line.size >= MOST_LEVELS
  return { parent: isTooDeep ? ([...line].at(1 - MOST_LEVELS) ?? 0) : parent, incomplete: false }
}

/** Decides about one record, and updates the state as if the decision was carried out. */
export const plan = (record: AnyRecord, state: State, options: PlanOptions): Promise<Planned> => {
  if (isTerm(record)) return planTerm(record, state, options)
  return isRelated(record) ? planRelated(record, state, options) : planEvent(record, state, options)
}

async function planEvent(record: EventLike, state: State, options: PlanOptions): Promise<Planned> {
  const ended = record.kind === 'event' ? endOf(record, state, options) : undefined
  const { relations, known, stored, hash } = await compare(record, state)
  const row = { id: known?.target, incomplete: relations?.incomplete }
  if (isHereFromElsewhere(record, known, state))
    return leftAs({ skip: 'it is in this calendar already' }, record, row)
  if (relations?.series === undefined) return leftAs({ skip: 'its series is not here' }, record, row)
  if (record.kind === 'series') return planSeries({ record, relations, known, stored, hash }, state, options)
  const compared = { record, relations, known, stored, hash }
  if (record.occurrence) return planOccurrence(compared, record.occurrence, state, options)
  const judged = ended && stored ? 'update' : verdict(known, hash, stored, options.mirror)
  if (judged !== 'create' && judged !== 'update') return left(judged, compared, state, options)
  return { ...(await written(compared, state, options)), ...ended }
}

/**
 * Tells if an event that its source has from another calendar came here from there as well, by its UID: two calendars that read each
 * other pass on what either has from a third one.
 */
function isHereFromElsewhere(
  { source, origins = [], external_id: uid }: EventLike,
  known: Mapping | undefined,
  state: State,
): boolean {
  if (known || !uid || origins.length === 0) return false
  const others = state.content.event.having(`id ${uid}`)
  return others.some(id => state.externalIdsOf(source, 'event', id).length === 0)
}
