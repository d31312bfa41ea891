import { type Column, getTableName, type SQL, sql } from 'drizzle-orm'
import { statusOf } from '../lib/error-codes.ts'
import { ApiError, messageOf } from '../lib/errors.ts'
import { pause } from '../lib/pause.ts'
import { DAY_MS } from '../lib/time.ts'
import { events, organizers, venues } from './tables.ts'

// Failures of batches: conflicts with other requests, after which the whole attempt is made again, and
// failures of D1 itself, after which the same batch is sent again.

/**
 * The message of triggers that refuse a write (kit/db/triggers/conflicts.sql). Files of SQL repeat it, since
 * they know no constants; test/node/layers.test.ts finds one that differs.
 */
export const CONFLICT_MESSAGE = 'version conflict'

/**
 * True if a batch failed because another row has the same value in a column, or in all columns of an index
 * with it.
 */
export const isUniqueViolation = (error: unknown, { table, name }: Column): boolean =>
  /UNIQUE constraint failed: ([\w., ]+)/
    .exec(messageOf(error))?.[1]
    ?.split(', ')
    .includes(`${getTableName(table)}.${name}`) ?? false

/** True if a batch failed because its values break a rule of the tables. */
export const isConstraintViolation = (error: unknown): boolean =>
  /constraint failed|SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)\b/.test(messageOf(error))

/**
 * True if a batch failed because a row refers to a row that doesn't exist, or a row to delete is still
 * referred to.
 */
export const isForeignKeyViolation = (error: unknown): boolean =>
  messageOf(error).includes('FOREIGN KEY constraint failed')

/**
 * Error messages of D1 for a batch that was computed from rows which have been changed or deleted since. They
 * come from the `…_version` triggers, from {@link conflictIf}, and from a category that would become its own
 * ancestor, or an image whose file is being deleted (calendar/content/uploads.ts).
 */
const CONFLICT_MESSAGES = [
  CONFLICT_MESSAGE,
  'constraint failed: term_ancestors',
  'category too deep',
  'NOT NULL constraint failed: images.url',
]

/**
 * The statement that makes a batch fail with a conflict if a condition is true: somebody else has done in the
 * meantime what the batch was meant to do.
 */
export const conflictIf = (condition: SQL): SQL =>
  sql`INSERT INTO conflicts (is_conflict) SELECT ${condition}`

/**
 * True if a batch failed because another request has changed the same rows, deleted one that this batch links
 * to, or used its external id.
 */
export const isConflict = (error: unknown): boolean =>
  CONFLICT_MESSAGES.some(text => messageOf(error).includes(text)) ||
  isForeignKeyViolation(error) ||
  [events, organizers, venues].some(({ external_id }) => isUniqueViolation(error, external_id))

const CONFLICT_ATTEMPTS = 10
/** The pauses double from the first one on: ten attempts take less than two seconds. */
const CONFLICT_PAUSE_MS = 4
const MAX_CONFLICT_PAUSE_MS = 400

/**
 * Waits before another attempt, longer each time and partly at random, so that writers which fail together
 * don't try again together.
 */
const pauseBefore = (retry: number, firstMs: number, longestMs: number): Promise<void> =>
  pause(Math.min(firstMs * 2 ** retry, longestMs) * (0.5 + Math.random() / 2))

/**
 * Repeats a read-modify-write if another request changed the same rows in between. D1 has rolled the failed
 * batch back, and the next attempt, after a pause, reads the rows again. It sees which rows are gone: if it
 * refers to a missing one again, that is a bug, and its error is thrown.
 *
 * An attempt has to read everything that it depends on. If an attempt within another depends on rows that the
 * outer attempt has read, repeating the inner one is in vain: once it gives up, the outer one reads the rows
 * again, a single time.
 *
 * @throws ApiError `rest_concurrent_changes` if all attempts fail, with the last failure as its cause
 */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  let wasLasting = false
  for (let attemptsLeft = CONFLICT_ATTEMPTS; ; attemptsLeft--) {
    try {
      return await attempt()
    } catch (error) {
      const isGivenUp = error instanceof ApiError && error.code === 'rest_concurrent_changes'
      const isLasting = isGivenUp || isForeignKeyViolation(error)
      if (!(isGivenUp || isConflict(error)) || (isLasting && wasLasting)) throw error
      wasLasting = isLasting
      if (attemptsLeft <= 1)
        throw new ApiError('rest_concurrent_changes', 'Others keep changing this. Please try again.', {
          cause: error,
        })
      await pauseBefore(CONFLICT_ATTEMPTS - attemptsLeft, CONFLICT_PAUSE_MS, MAX_CONFLICT_PAUSE_MS)
    }
  }
}

// Failures of D1: https://developers.cloudflare.com/d1/observability/debug-d1/#error-list

/** Errors of batches that D1 has not begun, which may be sent again. */
const NOT_BEGUN = /D1 DB is overloaded|Cannot resolve D1 DB due to transient issue/

/**
 * The error of a local database while another process writes, such as `npm run import` next to `npm run dev`.
 * The batch is rolled back.
 */
const DATABASE_LOCKED = /SQLITE_BUSY/

/** The error of a read in a local database while another process writes: Miniflare's D1 says no more. */
const READ_WHILE_LOCKED =
  /Failed to parse body as JSON, got: Error: internal error|Failed to get session commit token: internal error/

/**
 * Errors of statements that are wrong or that break a rule of the tables, and would fail again. All others
 * are faults of D1, which has more of them than it documents: a full or unreadable disk, a lock, a lost
 * connection.
 */
const WRONG_STATEMENT =
  /SQLITE_(ERROR|CONSTRAINT|MISMATCH|TOOBIG|RANGE|MISUSE|AUTH)\b|D1_TYPE_ERROR|constraint failed|syntax error|no such (table|column|function)/

/**
 * Errors of the free plan. Until midnight UTC, all statements that read, or all that write, fail with them:
 * https://developers.cloudflare.com/changelog/post/2026-09-01-d1-free-tier-limit-enforcement/
 */
const DAILY_LIMIT = /exceeded D1.s free tier daily row (read|write) limit/i

/** True if a local database cannot write to its disk: every further write would fail as well. */
export const isDiskFailure = (error: unknown): boolean =>
  /SQLITE_(?:FULL|IOERR)|ENOSPC|disk is full/.test(messageOf(error))

/** Errors of a version whose migrations have not been applied yet. */
const NOT_MIGRATED = /no such (?:table|column)|has no column/

/** Thrown if the database lacks some of the migrations. */
export class MigrationsMissing extends Error {
  override readonly name = 'MigrationsMissing'
}

/** Thrown if D1 keeps failing. */
export class DatabaseUnavailable extends ApiError {
  override readonly name = 'DatabaseUnavailable'
  /** True if nobody knows whether the write was done. */
  readonly mayHaveWritten: boolean

  constructor(mayHaveWritten: boolean, cause: unknown) {
    const advice = mayHaveWritten
      ? 'The change was made as a whole or not at all: please look before you try again.'
      : 'Please try again in a few seconds.'
    super('rest_service_unavailable', `The database cannot be reached. ${advice}`, { cause })
    this.mayHaveWritten = mayHaveWritten
  }
}

/** True if the database has reached its limit for the day. */
export const isDailyLimit = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'rest_daily_limit_reached'

/** True if an error is due to the state of the service, so that the same request may succeed later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof MigrationsMissing || (error instanceof ApiError && statusOf(error.code) === 503)

/** The purpose of a batch, which decides after which failures it may be sent again. */
export type Purpose = 'read' | 'write'

const ATTEMPTS = 3
/** An import writes half of the time, so that some seconds are enough to find a gap. */
const ATTEMPTS_IF_LOCKED = 12
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 1_000

/**
 * Sends a batch, and sends it again after failures of D1 unless that could run a write twice.
 *
 * @throws DatabaseUnavailable if D1 keeps failing, or a write may have been interrupted; MigrationsMissing;
 *   ApiError `rest_daily_limit_reached`
 */
export async function withRetries<T>(purpose: Purpose, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      const message = messageOf(error)
      const limit = DAILY_LIMIT.exec(message)
      if (limit) throw dailyLimitReached(limit[1], error)
      if (NOT_MIGRATED.test(message)) throw new MigrationsMissing(message, { cause: error })
      if (error instanceof ApiError || isConflict(error) || WRONG_STATEMENT.test(message)) throw error
      const isLocked = DATABASE_LOCKED.test(message)
      const mayRepeat = purpose === 'read' || isLocked || NOT_BEGUN.test(message)
      const mayBeLocked = isLocked || (purpose === 'read' && READ_WHILE_LOCKED.test(message))
      const attempts = mayBeLocked ? ATTEMPTS_IF_LOCKED : ATTEMPTS
      if (attempt >= attempts || !mayRepeat) throw new DatabaseUnavailable(!mayRepeat, error)
      await pauseBefore(attempt - 1, FIRST_PAUSE_MS, MAX_PAUSE_MS)
    }
  }
}

function dailyLimitReached(work = '', cause: unknown): ApiError {
  return new ApiError(
    'rest_daily_limit_reached',
    `The database of this calendar has reached the daily limit of what it may ${work.toLowerCase()}. Nothing was changed. Please try again after midnight UTC.`,
    { retry_after: Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000), cause },
  )
}
