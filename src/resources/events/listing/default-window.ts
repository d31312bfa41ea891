import type { DocsContext } from '../../../context.ts'
import { addDays, addMonths, type DateTime, endOfDay, startOfDay, toWall } from '../../../lib/time.ts'

const MONTHS_AHEAD = 24

type Window = { start_date: DateTime; end_date: DateTime }

/** The window of the day for which it was asked last: adding months takes longer than rendering the statement of a list. */
let last: { today: DateTime; window: Window } | undefined

/**
 * The window of lists without dates, as wall times of the site's zone: from the beginning of yesterday to the end of the
 * day 24 months from now. It stays the same all day.
 */
export function defaultWindow({ now, settings }: DocsContext): Window {
  const today = startOfDay(toWall(now, settings.timezone))
  if (last?.today !== today)
    last = {
      today,
      window: { start_date: addDays(today, -1), end_date: endOfDay(addMonths(today, MONTHS_AHEAD)) },
    }
  return last.window
}
