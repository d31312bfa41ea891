import type { DocsContext } from '../../context.ts'
import { isRelativeDate, parseDate } from '../../lib/parse-date.ts'
import { addDays, type DateTime, startOfDay, toEpoch, toUtc } from '../../lib/time.ts'
import { nextSecond } from './next-second.ts'

type Bounds = { startBefore?: DateTime; endFrom: DateTime; atOnce: DateTime }

const DAY = /^\d{4}-\d\d-\d\d$/

type Moments = { from: DateTime; before?: DateTime }

/** The period that a value of `happening` names: its first moment, and the first one after it (UTC). */
function momentsOf(value: string, zone: string, nowMs: number): Moments | undefined {
  const read = (text: string): DateTime | undefined => parseDate(text, zone, nowMs)?.utc
  const nextDay = (text: string): DateTime => toUtc(addDays(startOfDay(text), 1), zone)
  const [first = '', last, ...more] = value.split('/').map(part => part.trim())
  const from = read(first)
  if (from === undefined || more.length > 0) return undefined
  if (last === undefined) {
    if (DAY.test(first)) return { from, before: nextDay(first) }
    return first.toLowerCase() === 'now' ? { from } : undefined
  }
  const until = read(last)
  // The last day of an interval is included.
  const before = until !== undefined && DAY.test(last) ? nextDay(last) : until
  return before !== undefined && before > from ? { from, before } : undefined
}

/** Tells if a text is a value of `happening`: `now`, a day, or `start/end`. That is the same in every zone. */
export const isHappening = (value: string): boolean => momentsOf(value, 'UTC', Date.now()) !== undefined

/** Tells if the meaning of a value of `happening` changes with the time. */
export const dependsOnPresent = (value: unknown): boolean => String(value).split('/', 3).some(isRelativeDate)

/** The interval of the events that are on at any moment of a value of `happening`; for `now`, now or later. */
export function happeningInterval(value: string, { now, settings }: DocsContext): Bounds {
  const { from, before } = momentsOf(value, settings.timezone, toEpoch(now)) ?? { from: now }
  // An event that ends at this moment is not on any more.
  return { ...(before !== undefined && { startBefore: before }), endFrom: nextSecond(from), atOnce: from }
}
