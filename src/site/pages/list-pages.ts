import { type Interval, intervalOf, nextSecond, UNBOUNDED } from '../../calendar/events/interval.ts'
import { MORNING, toUtc } from '../../kit/lib/time.ts'
import type { PageContext } from '../html/page-context.ts'

/**
 * The time of a list: from a day on, or before it. Together they cover every event once. What ends by 6:00 is
 * of the day before, except in that night itself.
 */
export function listInterval(
  { context, today }: PageContext,
  day: string,
  { isPast = false, until = '..' } = {},
): Interval {
  const utc = (clock: string) => toUtc(`${day} ${clock}`, context.settings.timezone)
  const [start, morning] = [utc('00:00:00'), utc(MORNING)]
  const isNight = day === today.slice(0, 10) && !context.clock.hasPassed(morning)
  const end = nextSecond(isNight ? start : morning)
  if (isPast) return { ...UNBOUNDED, startBefore: start, endBefore: end }
  return { ...intervalOf(context, { happening: `${day}/${until}` }).interval, endFrom: end }
}
