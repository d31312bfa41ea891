import { publicationOf } from '../../content/publication.ts'
import type { RequestContext } from '../../context.ts'
import { ValidationErrors } from '../../lib/errors.ts'
import type { DateTime } from '../../lib/time.ts'
import type { LookedUp } from '../relations/lookups.ts'
import type { EventFields } from '../schema.ts'
import { timesOf } from '../times.ts'
import { sharedValues } from './changes.ts'
import { checkOccurrences, movedPattern, patternOf } from './new-pattern.ts'
import { occurrenceAt, type Pattern } from './pattern.ts'
import { type Plan, planOf } from './plan.ts'
import { type FieldName, TIMES } from './shared.ts'
import { checkLinks, MOST_ROWS, namedRelation } from './sizes.ts'
import { patternIn, splitAt } from './split.ts'
import { type StoredEvent, type StoredOccurrence, type StoredSeries, scopeOf } from './stored.ts'

type Values = Partial<EventFields>

export type Input = { values: Values; found: LookedUp; stored: StoredEvent & { series: StoredSeries } }

/** A change of a series, or of its occurrences from one on. */
export type SeriesChange = {
  /** The values that differ from the named occurrence. */
  changed: Values
  publication: ReturnType<typeof publicationOf>
  pattern: Pattern
  plan: Plan
  /** The dates of the occurrences before the change, by id. */
  before: ReadonlyMap<number, DateTime>
  /** The rest of the series, before the named occurrence, if it becomes another one from there on. */
  head?: Pattern
}

/** The part of a series that a change concerns. */
export function partOf(
  { series, occurrence_date }: StoredEvent & { series: StoredSeries },
  isWhole: boolean,
) {
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

/** Adds errors of the recurrence after a change of a series, and of times that its rule forbids. */
export function validateChange(context: RequestContext, input: Input, errors: ValidationErrors): void {
  const changed = sharedValues(context, input)
  const part = partOf(input.stored, scopeOf(input.values) === 'all')
  const { pattern } = nextPattern(context, { changed, stored: input.stored, part }, errors)
  if (errors.any) return
  const parameter = changed.recurrence ? 'recurrence' : namedTime(changed)
  if (hasTimes(changed)) checkOccurrences(context, pattern, reason => errors.add(parameter, reason))
  if (!errors.any)
    checkSize(context, input, reason => errors.add(namedRelation(changed) ?? parameter, reason))
}

/** Checks that a change of a series does not write too much: what it drops stays in the trash. */
function checkSize(context: RequestContext, input: Input, refuse: (reason: string) => void): void {
  const changed = sharedValues(context, input)
  const changesLinks = namedRelation(changed) !== undefined
  if (!hasTimes(changed) && !changesLinks) return
  const { changes, added } = changeOf(context, input).plan
  const rows = changes.length + added.length
  if (added.length > 0 && rows > MOST_ROWS)
    refuse(
      `makes more than ${MOST_ROWS} occurrences, those in the trash included: delete some of these for good first`,
    )
  else if (added.length > 0 || changesLinks)
    checkLinks({ values: changed, rows, stored: input.stored.links }, refuse)
}

/** The name of a time that changes: that of whole days, to which rules don't suit, before others. */
const namedTime = (changed: Values): FieldName =>
  TIMES.findLast(name => changed[name] !== undefined) ?? 'start_date'

/** Tells if values change the times of occurrences. */
const hasTimes = (changed: Values): boolean =>
  changed.recurrence !== undefined || TIMES.some(name => changed[name] !== undefined)

/** Works out a change of a series that has been validated. */
export function changeOf(context: RequestContext, input: Input): SeriesChange {
  const { values, stored } = input
  const changed = sharedValues(context, input)
  const part = partOf(stored, scopeOf(values) === 'all')
  const { occurrences, head } = part
  // A rule that is given to an occurrence whose series is in the trash takes the series out of it.
  const revived = values.recurrence && stored.series.status === 'trash' ? { status: stored.status } : {}
  const publication = publicationOf(context, { given: changed, stored: { ...stored.series, ...revived } })
  const { pattern, move } = nextPattern(context, { changed, stored, part }, new ValidationErrors())
  const plan = planOf({
    pattern,
    status: publication.status,
    now: context.now,
    occurrences,
    move,
    hasNewTimes: hasTimes(changed),
    hasNewStatus: changed.status !== undefined,
    hasNewSlug: changed.slug !== undefined,
  })
  return {
    changed,
    publication,
    pattern,
    plan,
    before: new Map(occurrences.map(({ id, occurrence_date }) => [id, occurrence_date])),
    ...(head && { head }),
  }
}

/** The start by the rule of an occurrence that gets another start. It may have had one of its own. */
function movedFrom({ changed, stored, part: { pattern } }: Next): DateTime | undefined {
  if (changed.start_date === undefined && changed.all_day === undefined) return undefined
  return occurrenceAt(pattern, stored.occurrence_date ?? pattern.start_date).start_date
}

type Next = { changed: Values; stored: Input['stored']; part: ReturnType<typeof partOf> }

function nextPattern(context: RequestContext, { changed, stored, part }: Next, errors: ValidationErrors) {
  const { pattern: before, occurrences } = part
  const times = timesOf(context, { values: changed, stored }, errors)
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
