import type { RequestContext } from '../../context.ts'
import type { Metrics } from '../../db/database.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Caller } from '../../lib/roles.ts'

/**
 * Limits of the dates of series that one request, a batch for instance, writes, and the dates that count as one write towards the
 * limit of writes a minute. A date is some ten rows, of which the free plan allows 100,000 a day.
 */
const LIMITS: Readonly<Record<Caller['role'], { request: number; write: number }>> = {
  administrator: { request: 20_000, write: 100 },
  editor: { request: 20_000, write: 100 },
  author: { request: 4_000, write: 20 },
  contributor: { request: 2_000, write: 10 },
  subscriber: { request: 1_000, write: 10 },
  anonymous: { request: 1_000, write: 10 },
}

/** The dates that a request has written, by what is shared by all of its executors. */
const written = new WeakMap<Metrics, number>()

/**
 * Counts the dates that a write is about to make or change. What visitors send in has limits of its own.
 *
 * @throws ApiError `rest_too_many_requests`
 */
export async function countDates(context: RequestContext, dates: number): Promise<void> {
  const { caller, db, isVisitor, countWrites } = context
  if (isVisitor || dates === 0) return
  const { request, write } = LIMITS[caller.role]
  const before = written.get(db.metrics) ?? 0
  // A change of one series may be as large as the series.
  if (before > 0 && before + dates > request)
    throw new ApiError(
      'rest_too_many_requests',
      `This writes ${dates} dates. The role ${caller.role} may write ${request} in one request, and this one has written ${before}: send the rest in another one, or with fewer dates.`,
    )
  await countWrites?.(Math.floor(dates / write))
  written.set(db.metrics, before + dates)
}
