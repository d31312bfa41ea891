import { ApiError, messageOf } from '../lib/errors.ts'
import { DAY_MS } from '../lib/time.ts'
import { isConflict } from './conflicts.ts'

// https://developers.cloudflare.com/d1/observability/debug-d1/#error-list

/** Errors of batches that D1 has not begun: they may be sent again. */
const NOT_BEGUN = [/D1 DB is overloaded/, /Cannot resolve D1 DB due to transient issue/]

/** The error of a local database while another process writes, as `npm run import` beside `npm run dev`. It undoes the batch. */
const LOCKED = /SQLITE_BUSY/

/**
 * Errors of statements that are wrong in themselves, or refused by a rule of the tables: these would fail again. All else is
 * a fault of D1, which has more of them than it lists: a disk that is full or unreadable, a lock, a lost connection.
 */
const OURS =
  /SQLITE_(ERROR|CONSTRAINT|MISMATCH|TOOBIG|RANGE|MISUSE|AUTH)\b|D1_TYPE_ERROR|constraint failed|syntax error|no such (table|column|function)/

/**
 * Errors of the free plan, with which all statements that read, or all that write, fail until midnight UTC:
 * https://developers.cloudflare.com/changelog/post/2026-09-01-d1-free-tier-limit-enforcement/
 */
const DAILY_LIMIT = /exceeded D1.s free tier daily row (read|write) limit/i

/** Tells if something failed because the database does no more today. */
export const isDailyLimit = (error: unknown): boolean =>
  error instanceof ApiError ? error.code === 'rest_daily_limit_reached' : DAILY_LIMIT.test(messageOf(error))

/** The purpose of a batch, which determines the failures after which it may be sent again. */
export type Purpose = 'read' | 'write'

const ATTEMPTS = 3
/** A process that imports writes half of the time: some seconds find a gap. */
const ATTEMPTS_IF_LOCKED = 12
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

const isOurs = (error: unknown): boolean => isConflict(error) || OURS.test(messageOf(error))

const isLocked = (error: unknown): boolean => LOCKED.test(messageOf(error))

/** The same error of a read: Miniflare's D1 does not say more. */
const UNREADABLE = /Failed to parse body as JSON, got: Error: internal error/

const neverBegan = (error: unknown): boolean =>
  isLocked(error) || NOT_BEGUN.some(pattern => pattern.test(messageOf(error)))

/** A write of a version whose migrations were not applied yet. */
const NOT_MIGRATED = /no such (?:table|column)|has no column/

/** Tells if something failed because the database was not as it should be, so that the same may succeed later. */
export const isPassing = (error: unknown): boolean =>
  isDailyLimit(error) ||
  (error instanceof ApiError && error.code === 'rest_service_unavailable') ||
  NOT_MIGRATED.test(messageOf(error))

/**
 * Sends a batch again after failures of D1, unless that could run a write twice.
 *
 * @throws ApiError `rest_service_unavailable` if D1 keeps failing, or a write may have been interrupted;
 * `rest_daily_limit_reached`
 */
export async function withRetries<T>(purpose: Purpose, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (isDailyLimit(error)) throw dailyLimitReached(error)
      if (error instanceof ApiError || isOurs(error)) throw error
      const mayRepeat = purpose === 'read' || neverBegan(error)
      const mayBeLocked = isLocked(error) || (purpose === 'read' && UNREADABLE.test(messageOf(error)))
      const attempts = mayBeLocked ? ATTEMPTS_IF_LOCKED : ATTEMPTS
      if (attempt >= attempts || !mayRepeat) throw unavailable(purpose, error)
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS))
    }
  }
}

const unavailable = (purpose: Purpose, cause: unknown): ApiError =>
  new ApiError(
    'rest_service_unavailable',
    purpose === 'read'
      ? 'The database cannot be reached. Please try again in a few seconds.'
      : 'The database cannot be reached. The change was made as a whole or not at all: please look before you try again.',
    {},
    {},
    cause,
  )

function dailyLimitReached(cause: unknown): ApiError {
  const isOfWrites = DAILY_LIMIT.exec(messageOf(cause))?.[1]?.toLowerCase() === 'write'
  return new ApiError(
    'rest_daily_limit_reached',
    `The database of this calendar has reached the daily limit of what it may ${isOfWrites ? 'write' : 'read'}. Nothing was changed. Please try again after midnight UTC.`,
    { retry_after: Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000) },
    {},
    cause,
  )
}

/** Waits for half of the time plus a random part of the other half, so that failed requests don't all retry at once. */
const pause = (ms: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, ms * (0.5 + Math.random() / 2)))
