import type { RequestContext } from '../../../context.ts'
import { addDays, startOfDay, toWall } from '../../../lib/time.ts'
import { intervalOf } from '../listing/interval.ts'
import type { EventListParams } from '../schema.ts'

/** Feeds without dates begin so many days ago, so that calendars keep what is over for a while. */
const DAYS_BACK = 90

/** The parameters of a feed, with the start of its window: where a list begins yesterday, a feed begins 90 days ago. */
export function feedWindow(
  context: RequestContext,
  values: Partial<EventListParams>,
): Partial<EventListParams> {
  const isGiven =
    values.start_date !== undefined || intervalOf(context, values).resolved.start_date === undefined
  if (isGiven) return values
  const today = startOfDay(toWall(context.now, context.settings.timezone))
  return { ...values, start_date: addDays(today, -DAYS_BACK) }
}
