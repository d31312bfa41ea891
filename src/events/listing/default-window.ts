import type { DocsContext } from '../../context.ts'
import { addDays, addMonths, type DateTime, endOfDay, startOfDay, toWall } from '../../lib/time.ts'

const MONTHS_AHEAD = 24

/**
 * The window of lists without dates, as wall times of the site's zone: from the beginning of yesterday to the end of the
 * day 24 months from now. It stays the same all day.
 */
export function defaultWindow({ now, settings }: DocsContext): { start_date: DateTime; end_date: DateTime } {
  const today = startOfDay(toWall(now, settings.timezone))
  return { start_date: addDays(today, -1), end_date: endOfDay(addMonths(today, MONTHS_AHEAD)) }
}
