import type { DocsContext } from '../../context.ts'
import { isRelativeDate, parseDate } from '../../lib/parse-date.ts'
import { addDays, type DateTime, startOfDay, toEpoch, toUtc } from '../../lib/time.ts'
import { nextSecond } from './next-second.ts'

type Bounds = { startBefore?: DateTime; endFrom: DateTime; atOnce: DateTime }

const DAY = /^\d{4}-\d\d-\d\d$/

type Moments = { from: DateTime; before?: DateTime }

/** The moments that a value of `happening` names, UTC: the first, and the first that doesn't belong to it any more. */
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
  // The day that ends an interval belongs to it, as people mean it.
  const before = until !== undefined && DAY.test(last) ? nextDay(last) : until
  return before !== undefined && before > from ? { from, before } : undefined
}

/** Tells whether a text is a value of `happening`: `now`, a day, or `start/end`. One that is, is one in every zone. */
export const isHappening = (value: string): boolean => momentsOf(value, 'UTC', Date.now()) !== undefined

/** Tells whether a value of `happening` may mean other moments at another time. */
export const dependsOnPresent = (value: unknown): boolean => String(value).split('/', 3).some(isRelativeDate)

/** The interval of the events that are on at any moment of a value of `happening`; with `now`, then or later. */
export function happeningInterval(value: string, { now, settings }: DocsContext): Bounds {
  const { from, before } = momentsOf(value, settings.timezone, toEpoch(now)) ?? { from: now }
  // What ends at this very moment is over.
  return { ...(before !== undefined && { startBefore: before }), endFrom: nextSecond(from), atOnce: from }
}
