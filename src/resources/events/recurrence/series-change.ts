import type { RequestContext } from '../../../context.ts'
import { SERIES_SIZE } from '../../../lib/budgets.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { slugify } from '../../../lib/slug.ts'
import type { DateTime } from '../../../lib/time.ts'
import { type Publication, publicationOf } from '../../content/publication.ts'
import type { RelatedTarget } from '../../content/related/writes.ts'
import { changesRow } from '../../content/writes.ts'
import { columnsOf, type EventOutcome, type Times } from '../outcome.ts'
import type { Relations } from '../relations/resolve.ts'
import type { EventValues } from '../schema.ts'
import type { Scope } from './fields.ts'
import { occurrenceAt, type Pattern, patternColumns, patternIn, splitAt } from './pattern.ts'
import { checkedStarts, movedPattern, type Plan, patternOf, planOf } from './plan.ts'
import {
  checkLinks,
  copiedColumns,
  type FieldName,
  fieldNamesOf,
  isDetachedIn,
  isSharedField,
  namedRelation,
  TIMES,
  textsOf,
} from './shared.ts'
import { type EventOfSeries, type StoredEvent, type StoredOccurrence, scopeOf } from './stored.ts'

/**
 * The names of the values that change an occurrence. Clients send back whole events to change one field. The fields
 * that they leave unchanged must not be detached from the series, nor written to all occurrences.
 */
export const changedNames = (outcome: EventOutcome<StoredEvent>): FieldName[] =>
  fieldNamesOf(outcome.values).filter(changeTest(outcome))

/**
 * The values that change a series. If the named occurrence already has all of them, the request is about its own
 * fields, which all others are to get.
 */
function sharedValues(outcome: EventOutcome<StoredEvent>): EventValues {
  const { values, stored } = outcome
  const changed = changedNames(outcome)
  const isOfAll = values.recurrence !== undefined || changed.some(isSharedField)
  const detached = isOfAll ? [] : textsOf(stored.detached)
  const own = fieldNamesOf(values).filter(name => isSharedField(name) && isDetachedIn(detached, name))
  // The entries are a selection of the given values.
  return Object.fromEntries([...changed, ...own].map(name => [name, values[name]])) as EventValues
}

/** Makes a function that tells whether the value of a field differs from the stored event. */
function changeTest({
  values,
  stored,
  columns,
  publication,
  times,
  relations,
  image,
}: EventOutcome<StoredEvent>) {
  const next: Readonly<Record<string, unknown>> = { ...columns, ...publication, ...times }
  const before: Readonly<Record<string, unknown>> = stored
  const known = stored.series?.relations
  const differs = (column: string) => next[column] !== undefined && next[column] !== before[column]
  return (name: FieldName): boolean => {
    if (name === 'image') return image !== undefined
    if (name === 'venue' || name === 'organizer') return !areLinked(relations[name], known?.[name])
    if (name === 'categories' || name === 'tags') {
      const { ids = [], names = [] } = relations[name] ?? {}
      return names.length > 0 || !isEqual(sorted(ids), sorted(known?.[name]))
    }
    if (name === 'slug') return slugify(values.slug ?? '') !== stored.slug && values.slug !== ''
    if (TIMES.some(time => time === name)) return differs(name) || differs(`utc_${name}`)
    if (name === 'status' || name === 'description' || name === 'excerpt') return differs(name)
    const copied = [...copiedColumns([name]).keys()]
    return copied.length === 0 || copied.some(differs)
  }
}

const sorted = (ids: readonly number[] = []) => [...new Set(ids)].sort((a, b) => a - b)

const isEqual = (ids: readonly number[], known: readonly number[] = []): boolean =>
  ids.length === known.length && ids.every((id, i) => id === known[i])

/** Tells whether an event already has these venues or organizers, in this order. */
const areLinked = (targets: readonly RelatedTarget[] = [], known: readonly number[] | undefined): boolean =>
  isEqual([...new Set(targets.map(target => ('same' in target ? target.same : 0)))], known)

/** The names of the fields that an update of one occurrence detaches from its series. */
export const detachedBy = (changed: EventValues, status: string, stored: StoredEvent): FieldName[] =>
  fieldNamesOf(changed).filter(name => {
    if (!isSharedField(name)) return false
    // An occurrence in the trash is a date that the series excludes. Once restored, it follows the series again.
    return name !== 'status' || (status !== 'trash' && status !== stored.series?.status)
  })

/** A change of a series, or of its occurrences from one of them on. */
export type SeriesChange = {
  /** The named occurrence, with its series, before the change. */
  stored: EventOfSeries
  /** The values that differ from the named occurrence. */
  changed: EventValues
  /** The columns of the series that these values set, except for its pattern, publication, slug and image. */
  columns: ReturnType<typeof columnsOf>
  relations: Relations
  publication: Publication
  pattern: Pattern
  plan: Plan
  /** The part of the series before the named occurrence, if the rest becomes another series. */
  head?: Pattern
}

/** The part of a series that a change affects. */
export function partOf({ series, occurrence_date }: EventOfSeries, isWhole: boolean) {
  const pattern = patternIn(series)
  const { occurrences } = series
  const date = occurrence_date ?? series.start_date
  if (isWhole || !occurrences.some(other => other.occurrence_date < date)) return { pattern, occurrences }
  const { head, tail } = splitAt(pattern, date)
  return {
    pattern: tail,
    occurrences: occurrences.filter((other: StoredOccurrence) => other.occurrence_date >= date),
    head,
  }
}

/**
 * Computes a change of a series.
 *
 * @param errors gets errors of the new recurrence, of times that its rule forbids, and of too many rows
 * @throws ApiError with all errors at once
 */
export function prepareChange(
  context: RequestContext,
  outcome: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): SeriesChange {
  const { values, stored, relations } = outcome
  const changed = sharedValues(outcome)
  const part = partOf(stored, scopeOf(values) === 'all')
  const { occurrences, head } = part
  const { pattern, move } = nextPattern(context, { changed, stored, part, times: outcome.times }, errors)
  errors.throwIfAny()
  const parameter = changed.recurrence ? 'recurrence' : namedTime(changed)
  const hasNewTimes = hasTimes(changed)
  const starts = hasNewTimes
    ? checkedStarts(context, pattern, reason => errors.add(parameter, reason))
    : undefined
  errors.throwIfAny()
  // Giving a rule to an occurrence whose series is in the trash takes the series out of the trash.
  const revived = values.recurrence && stored.series.status === 'trash' ? { status: stored.status } : {}
  const publication = publicationOf(context, { given: changed, stored: { ...stored.series, ...revived } })
  const plan = planOf({
    pattern,
    publication,
    now: context.now,
    occurrences,
    starts,
    move,
    hasNewTimes,
    hasNewStatus: changed.status !== undefined,
    hasNewSlug: changed.slug !== undefined,
  })
  checkSize({ changed, stored, plan }, reason => errors.add(namedRelation(changed) ?? parameter, reason))
  const columns = columnsOf(context, { values: changed, stored: stored.series }, errors)
  errors.throwIfAny()
  return {
    stored,
    changed,
    columns,
    relations: relationsIn(relations, changed),
    publication,
    pattern,
    plan,
    ...(head && { head }),
  }
}

/** Tells whether a change makes any difference to the series, or to its dates and their status. */
export function changesSeries(
  { stored, changed, columns, publication, relations, pattern, plan }: SeriesChange,
  scope: Scope,
): boolean {
  const before = patternColumns(partOf(stored, scope === 'all').pattern)
  return (
    changesRow({
      stored: { ...stored.series, ...before },
      columns: { ...columns, ...publication, ...patternColumns(pattern), slug: changed.slug },
      image: changed.image,
    }) ||
    Object.keys(relations).length + plan.added.length > 0 ||
    plan.changes.some(({ status }) => status !== undefined)
  )
}

const relationsIn = (relations: Relations, changed: EventValues): Relations =>
  // The entries are a selection of the given relations.
  Object.fromEntries(Object.entries(relations).filter(([name]) => Object.hasOwn(changed, name))) as Relations

/** Checks that a change of a series does not write too many rows. Dropped occurrences count, since they stay in the trash. */
function checkSize(
  { changed, stored, plan }: Pick<SeriesChange, 'changed' | 'stored' | 'plan'>,
  refuse: (reason: string) => void,
): void {
  const changesLinks = namedRelation(changed) !== undefined
  if (!hasTimes(changed) && !changesLinks) return
  const { changes, added } = plan
  const rows = changes.length + added.length
  if (added.length > 0 && rows > SERIES_SIZE.rows)
    refuse(
      `makes more than ${SERIES_SIZE.rows} occurrences, those in the trash included: delete some of these for good first`,
    )
  else if (added.length > 0 || changesLinks)
    checkLinks({ values: changed, rows, stored: stored.links }, refuse)
}

/** The name of a time that changes, preferably `all_day`, which does not suit every rule. */
const namedTime = (changed: EventValues): FieldName =>
  TIMES.findLast(name => changed[name] !== undefined) ?? 'start_date'

/** Tells whether values change the times of occurrences. */
const hasTimes = (changed: EventValues): boolean =>
  changed.recurrence !== undefined || TIMES.some(name => changed[name] !== undefined)

/** The start, according to the rule, of an occurrence that gets another start. It may have had a start of its own. */
function movedFrom({ changed, stored, part: { pattern } }: Omit<Next, 'times'>): DateTime | undefined {
  if (changed.start_date === undefined && changed.all_day === undefined) return undefined
  return occurrenceAt(pattern, stored.occurrence_date ?? pattern.start_date).start_date
}

type Next = {
  changed: EventValues
  stored: EventOfSeries
  part: ReturnType<typeof partOf>
  times: Times
}

function nextPattern(
  context: RequestContext,
  { changed, stored, part, times }: Next,
  errors: ValidationErrors,
) {
  const { pattern: before, occurrences } = part
  const moves = TIMES.some(name => changed[name] !== undefined)
  const choice = changed.recurrence || undefined
  const moved = moves
    ? movedPattern(
        {
          series: before,
          from: movedFrom({ changed, stored, part }),
          to: times,
          namesRule: choice?.rrule !== undefined,
          dates: occurrences.map(({ occurrence_date }) => occurrence_date),
        },
        errors,
      )
    : { pattern: before, move: undefined }
  const pattern = choice
    ? patternOf(context, { choice, times: moved.pattern, before: moved.pattern }, errors)
    : moved.pattern
  return { ...moved, pattern }
}
