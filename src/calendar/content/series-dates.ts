import { createMiddleware } from 'hono/factory'
import type { ContentContext } from '../../kit/context.ts'
import type { Metrics } from '../../kit/db/database.ts'
import type { AppEnv } from '../../kit/env.ts'
import { isTooManyRequests } from '../../kit/http/limits.ts'
import { DATES_WRITTEN, MAX_DATES_COUNTED } from '../../kit/lib/budgets.ts'
import { ApiError, detailsOf } from '../../kit/lib/errors.ts'
import { codedReason } from '../../kit/lib/reasons.ts'

/**
 * The dates that a request has written, the number of further writes for which they count, and the number of
 * dates that the limits have counted so far. Further attempts of a write don't count again.
 */
type WriteCount = { dates: number; writes: number; counted: number }

/** The dates that requests have written, by the metrics that all executors of a request share. */
const countsByRequest = new WeakMap<Metrics, WriteCount>()

const NO_WRITES: WriteCount = { dates: 0, writes: 0, counted: 0 }

/** The header of the dates that a request has written, with its documentation. */
export const SERIES_DATES = {
  'X-Series-Dates':
    'Number of dates of series that the request created, changed or removed, including events of a venue or organizer that it merged, hid or showed, or of a venue whose access it changed, in total for a batch; absent for none. Each role has a limit per request and minute, beyond which the response is 429.',
}

/** The header of a deletion that leaves dates of a series, with its documentation. */
export const SERIES_REMAINING = {
  'X-Series-Remaining':
    'Number of dates of the series that a deletion leaves, some of which may be over; with `scope=all` it would leave none. Absent for single events.',
}

/** {@link SERIES_REMAINING}, if there is a series. */
export const remainingDates = (dates: number | undefined): Readonly<Record<string, string>> =>
  dates === undefined ? {} : { 'X-Series-Remaining': String(dates) }

/** Sets {@link SERIES_DATES}. */
export const datesHeader = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { dates } = countsByRequest.get(c.get('db').metrics) ?? NO_WRITES
  if (dates > 0) c.res.headers.set('X-Series-Dates', String(dates))
})

/** The number of dates that a write makes, changes or removes, and the number of dates that it makes. */
type WrittenDates = { dates: number; made?: number }

/**
 * Runs a write that makes, changes or removes dates of series, if the caller may write so many. Submissions
 * of visitors have limits of their own.
 *
 * @throws ApiError `rest_too_many_dates` if one request may not write so many, `rest_too_many_requests` if
 *   the caller may not in this minute
 */
export async function withDates<T>(
  context: ContentContext,
  { dates, made = 0 }: WrittenDates,
  write: () => Promise<T>,
): Promise<T> {
  const { caller, db, isVisitor, countWrites } = context
  if (isVisitor || dates === 0) return write()
  const { request, write: perWrite } = DATES_WRITTEN[caller.role]
  const before = countsByRequest.get(db.metrics) ?? NO_WRITES
  const limitText = `The role ${caller.role} may write ${request} in one request`
  if (made > request) {
    const message = `This makes ${made} dates. ${limitText}: let the repetition end earlier, with COUNT or UNTIL, and add the later dates in another request, or ask an editor.`
    const reason = codedReason('too_many_dates', message, { n: made, most: request })
    // Forms show the error at the repetition.
    throw new ApiError('rest_too_many_dates', message, detailsOf(new Map([['recurrence', reason]])))
  }
  // A change of one series may be as large as the series.
  if (before.dates > 0 && before.dates + dates > request)
    throw new ApiError(
      'rest_too_many_dates',
      `This writes ${dates} dates. ${limitText}, and this one has written ${before.dates} already: send the rest in another request, or with fewer dates.`,
    )
  const writes = Math.floor(Math.min(dates, MAX_DATES_COUNTED) / perWrite)
  const due = Math.max(0, before.writes + writes - before.counted)
  await countWrites?.(due).catch((error: unknown) => {
    if (!isTooManyRequests(error)) throw error
    throw new ApiError(
      'rest_too_many_requests',
      `This writes ${dates} dates, which count as ${writes} more writes, one for every ${perWrite} dates for the role ${caller.role}: more than are left in this minute. Please try again in a minute, or with fewer dates.`,
    )
  })
  const countedWrites = before.counted + due
  countsByRequest.set(db.metrics, {
    dates: before.dates + dates,
    writes: before.writes + writes,
    counted: countedWrites,
  })
  try {
    return await write()
  } catch (error) {
    // The request may run again.
    const after = countsByRequest.get(db.metrics) ?? NO_WRITES
    countsByRequest.set(db.metrics, { ...after, dates: after.dates - dates, writes: after.writes - writes })
    throw error
  }
}
