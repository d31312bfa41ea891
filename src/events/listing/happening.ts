import type { DocsContext } from '../../context.ts'
import { parseDate } from '../../lib/parse-date.ts'
import { addDays, type DateTime, startOfDay, toEpoch, toUtc } from '../../lib/time.ts'
import { nextSecond } from './next-second.ts'

type Bounds = { startBefore?: DateTime; endFrom: DateTime; atOnce: DateTime }

const DAY = /^\d{4}-\d\d-\d\d$/
const SEPARATOR = '/'

/** The moments that a value of `happening` names, UTC: the first, and the first that doesn't belong to it any more. */
function moments(value: string, { now, settings }: DocsContext): [from: DateTime, before?: DateTime] | undefined {
  const { timezone } = settings
  const read = (text: string): DateTime | undefined => parseDate(text, timezone, toEpoch(now))?.utc
  const nextDay = (text: string): DateTime => toUtc(addDays(startOfDay(text), 1), timezone)
  const [first = '', last, ...more] = value.split(SEPARATOR).map(part => part.trim())
  const from = read(first)
  if (from === undefined || more.length > 0) return undefined
  if (last === undefined) return DAY.test(first) ? [from, nextDay(first)] : [from]
  // The day that ends an interval belongs to it, as people mean it.
  const before = DAY.test(last) && read(last) !== undefined ? nextDay(last) : read(last)
  return before !== undefined && before > from ? [from, before] : undefined
}

/**
 * The interval of the events that are on at any moment of a value of `happening`: an instant («now») and whatever comes
 * later, a day, or `start/end`.
 *
 * @returns undefined if the value is none of these, or ends before it starts
 */
export function happeningInterval(value: string): (context: DocsContext) => Bounds {
  return context => {
    const [from, before] = moments(value, context) ?? [context.now]
    // What ends at this very moment is over.
    return { ...(before !== undefined && { startBefore: before }), endFrom: nextSecond(from), atOnce: from }
  }
}

/** Tells whether a value of `happening` can be read. */
export const isHappening = (value: string, context: DocsContext): boolean => moments(value, context) !== undefined
