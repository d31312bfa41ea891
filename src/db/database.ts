import { sql } from 'drizzle-orm'
import { ApiError, messageOf } from '../lib/errors.ts'
import { pause } from '../lib/pause.ts'
import { DAY_MS } from '../lib/time.ts'
import { Allowance } from './allowance.ts'
import { isConflict } from './conflicts.ts'
import { exec, inOrder, type Query, type RawRow, type Results, type Statement } from './query.ts'
import { rendered } from './statements.ts'

// https://developers.cloudflare.com/d1/observability/debug-d1/#error-list

/** Errors of batches that D1 has not begun, which may be sent again. */
const NOT_BEGUN = [/D1 DB is overloaded/, /Cannot resolve D1 DB due to transient issue/]

/**
 * The error of a local database while another process writes, such as `npm run import` next to `npm run dev`. The batch
 * is rolled back.
 */
const LOCKED = /SQLITE_BUSY/

/**
 * Errors of statements that are wrong or that break a rule of the tables, and would fail again. All others are faults
 * of D1, which has more of them than it documents: a full or unreadable disk, a lock, a lost connection.
 */
const OURS =
  /SQLITE_(ERROR|CONSTRAINT|MISMATCH|TOOBIG|RANGE|MISUSE|AUTH)\b|D1_TYPE_ERROR|constraint failed|syntax error|no such (table|column|function)/

/**
 * Errors of the free plan. Until midnight UTC, all statements that read, or all that write, fail with them:
 * https://developers.cloudflare.com/changelog/post/2026-09-01-d1-free-tier-limit-enforcement/
 */
const DAILY_LIMIT = /exceeded D1.s free tier daily row (read|write) limit/i

/** Tells whether an error means that the database has reached its limit for the day. */
export const isDailyLimit = (error: unknown): boolean =>
  error instanceof ApiError ? error.code === 'rest_daily_limit_reached' : DAILY_LIMIT.test(messageOf(error))

/** The purpose of a batch, which decides after which failures it may be sent again. */
type Purpose = 'read' | 'write'

const ATTEMPTS = 3
/** An import writes half of the time, so that some seconds are enough to find a gap. */
const ATTEMPTS_IF_LOCKED = 12
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

const isOurs = (error: unknown): boolean => isConflict(error) || OURS.test(messageOf(error))

const isLocked = (error: unknown): boolean => LOCKED.test(messageOf(error))

/** The same error when reading: Miniflare's D1 reveals no more. */
const UNREADABLE =
  /Failed to parse body as JSON, got: Error: internal error|Failed to get session commit token: internal error/

const neverBegan = (error: unknown): boolean =>
  isLocked(error) || NOT_BEGUN.some(pattern => pattern.test(messageOf(error)))

/** Errors of a version whose migrations have not been applied yet. */
const NOT_MIGRATED = /no such (?:table|column)|has no column/

/** Tells whether an error is due to the state of the database, so that the same request may succeed later. */
export const isPassing = (error: unknown): boolean =>
  isDailyLimit(error) ||
  (error instanceof ApiError && error.code === 'rest_service_unavailable') ||
  NOT_MIGRATED.test(messageOf(error))

/**
 * Sends a batch, and sends it again after failures of D1 unless that could run a write twice.
 *
 * @throws ApiError `rest_service_unavailable` if D1 keeps failing, or a write may have been interrupted;
 *   `rest_daily_limit_reached`
 */
async function withRetries<T>(purpose: Purpose, send: () => Promise<T>): Promise<T> {
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
      const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
      // Partly random, so that failed requests don't all retry at the same time.
      await pause(longestMs * (0.5 + Math.random() / 2))
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
    cause,
  )

function dailyLimitReached(cause: unknown): ApiError {
  const isOfWrites = DAILY_LIMIT.exec(messageOf(cause))?.[1]?.toLowerCase() === 'write'
  return new ApiError(
    'rest_daily_limit_reached',
    `The database of this calendar has reached the daily limit of what it may ${isOfWrites ? 'write' : 'read'}. Nothing was changed. Please try again after midnight UTC.`,
    { retry_after: Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000) },
    cause,
  )
}

/** The work of D1, summed over round trips. A batch that fails counts as a trip only. */
export type Metrics = {
  roundTrips: number
  /** Statements sent. */
  statements: number
  /** Rows scanned, which D1 bills; not rows returned. */
  rowsRead: number
  /** Rows written, including those of indexes. */
  rowsWritten: number
  /** Milliseconds in SQLite, without the network. */
  sqlMs: number
}

/** What a request assumes until its first batch confirms it: who sends it, and the settings of the calendar. */
type Expectation = 'caller' | 'settings'

type D1 = Pick<D1DatabaseSession, 'batch' | 'prepare'>

/**
 * Executor of statements on D1, one batch at a time. A batch is one round trip and one transaction. Drizzle builds the
 * statements and reads their rows, but its driver does not run them: it hides the `meta` of each statement, which
 * metrics need, and cannot take statements along with functions that read their rows. Each request has its own
 * executor, and so its own metrics.
 */
export class Database {
  readonly metrics: Metrics
  readonly allowance: Allowance
  readonly #d1: D1
  #first: { statements: readonly Statement[]; explain: (error: unknown) => unknown } | undefined
  readonly #expected = new Map<Expectation, Query<unknown>>()
  /** Expectations that a batch has confirmed. */
  readonly #met = new Set<Expectation>()

  /** @param allowance the allowance of the invocation, for executors after the first */
  constructor(
    d1: D1,
    allowance = new Allowance(),
    metrics: Metrics = { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0, sqlMs: 0 },
  ) {
    this.#d1 = d1
    this.allowance = allowance
    this.metrics = metrics
  }

  /**
   * Puts statements at the beginning of the first write that succeeds, in its transaction.
   *
   * @param explain returns the error to throw if they make a write fail, given the original error
   */
  precede(statements: readonly Statement[], explain = (error: unknown): unknown => error): void {
    this.#first = { statements, explain }
  }

  /**
   * Puts a query at the beginning of the first batch: of reads in the same round trip, of writes in one before.
   *
   * @param what the assumption; once a batch has confirmed it, it is not checked again
   * @param query throws if something is not as the request assumes
   */
  expect(what: Expectation, query: Query<unknown>): void {
    if (!this.#met.has(what)) this.#expected.set(what, query)
  }

  /** Drops the expected query unless a batch has already run it with success. @returns false if there was none to drop */
  expectNothing(what: Expectation): boolean {
    return this.#expected.delete(what)
  }

  /** An executor for the same request that collects the writes of several writers into one transaction. */
  joined(): JoinedWrites {
    return new JoinedWrites(this.#d1, this)
  }

  /** Runs reads, and repeats them after transient failures of D1. */
  async batch<const Q extends readonly Query<unknown>[]>(queries: Q): Promise<Results<Q>> {
    if (this.#expected.size === 0) return this.#run('read', queries)
    const [, values] = await this.#run('read', [inOrder([...this.#expected.values()]), inOrder(queries)])
    for (const what of this.#expected.keys()) this.#met.add(what)
    this.#expected.clear()
    // The i-th value is the result of queries[i].
    return values as Results<Q>
  }

  /** Runs one read. A query without statements takes no round trip. */
  async get<T>(query: Query<T>): Promise<T> {
    const [value] = await this.batch([query])
    return value
  }

  /** Runs writes, along with reads of their results, and repeats them only if D1 has not begun the batch. */
  async write<const Q extends readonly Query<unknown>[]>(queries: Q): Promise<Results<Q>> {
    if (this.#expected.size > 0) await this.batch([])
    const first = this.#first
    if (!first) return this.#run('write', queries)
    const [, value] = await this.#run('write', [inOrder(first.statements.map(exec)), inOrder(queries)]).catch(
      error => {
        throw first.explain(error)
      },
    )
    this.#first = undefined
    // The i-th value is the result of queries[i].
    return value as Results<Q>
  }

  /** Runs the statements of a write and, if one is given, a query for its result. */
  async change(statements: readonly Statement[]): Promise<void>
  async change<T>(statements: readonly Statement[], result: Query<T>): Promise<T>
  async change<T>(statements: readonly Statement[], result?: Query<T>): Promise<T | undefined> {
    const values = await this.write([...statements.map(exec), ...(result ? [result] : [])])
    // The last value is that of the query `result`.
    return result && (values.at(-1) as T)
  }

  async #run<Q extends readonly Query<unknown>[]>(purpose: Purpose, queries: Q): Promise<Results<Q>> {
    const { statements, read } = inOrder(queries)
    const prepared = statements.map(statement => this.#prepare(statement))
    const results = prepared.length === 0 ? [] : await this.#send(purpose, prepared)
    // TypeScript does not follow a map over a tuple: the i-th value is the result of queries[i].
    return read(results) as Results<Q>
  }

  async #send(purpose: Purpose, statements: D1PreparedStatement[]): Promise<RawRow[][]> {
    const results = await withRetries(purpose, () => {
      this.allowance.takeStatements(statements.length)
      this.metrics.roundTrips++
      this.metrics.statements += statements.length
      return this.#d1.batch<RawRow>(statements)
    })
    for (const { meta } of results) {
      this.metrics.rowsRead += meta.rows_read
      this.metrics.rowsWritten += meta.rows_written
      this.metrics.sqlMs += meta.duration
    }
    return results.map(result => result.results)
  }

  #prepare(statement: Statement): D1PreparedStatement {
    const { text, params } = rendered(statement)
    return this.#d1.prepare(text).bind(...params)
  }
}

/** A write that waits for the other writers. */
type Waiting = {
  queries: readonly Query<unknown>[]
  resolve: (values: unknown[]) => void
  reject: (error: unknown) => void
}

/**
 * Executor for writers that make one write each, which together become one transaction. Anything that a writer sends
 * after that is sent as usual.
 */
class JoinedWrites extends Database {
  readonly #parent: Database
  #waiting: Waiting[] = []
  #isSent = false
  #noticed = (): void => {}

  constructor(d1: D1, parent: Database) {
    super(d1, parent.allowance, parent.metrics)
    this.#parent = parent
  }

  override async batch<const Q extends readonly Query<unknown>[]>(queries: Q): Promise<Results<Q>> {
    return this.#parent.batch(queries)
  }

  override async write<const Q extends readonly Query<unknown>[]>(queries: Q): Promise<Results<Q>> {
    if (this.#isSent) return this.#parent.write(queries)
    const values = await new Promise<unknown[]>((resolve, reject) => {
      this.#waiting.push({ queries, resolve, reject })
      this.#noticed()
    })
    // The i-th value is the result of queries[i].
    return values as Results<Q>
  }

  /** Runs writers, in order, until each has reached its write; then runs these writes together, and lets the writers finish. */
  async run<T>(writers: readonly (() => Promise<T>)[]): Promise<T[]> {
    const results: Promise<T>[] = []
    try {
      for (const writer of writers) {
        const noticed = new Promise<void>(resolve => {
          this.#noticed = resolve
        })
        const result = writer()
        results.push(result)
        await Promise.race([noticed, result])
      }
      this.#isSent = true
      const values = await this.#parent.write(this.#waiting.map(({ queries }) => inOrder(queries)))
      for (const [i, { resolve }] of this.#waiting.entries()) resolve(values[i] ?? [])
    } catch (error) {
      this.#isSent = true
      for (const { reject } of this.#waiting) reject(error)
      await Promise.allSettled(results)
      throw error
    }
    return Promise.all(results)
  }
}

// A minute at which few other jobs are scheduled.
const HOUR = 3
const MINUTE = 17

/** Tells whether it is the minute of the day for {@link optimize}, in UTC. @param ms epoch milliseconds */
export function isTimeToOptimize(ms: number): boolean {
  const time = new Date(ms)
  return time.getUTCHours() === HOUR && time.getUTCMinutes() === MINUTE
}

/**
 * Updates the statistics of indexes that have changed much, as D1's documentation advises
 * (https://developers.cloudflare.com/d1/best-practices/use-indexes/). Our queries don't depend on them.
 */
export const optimize = (db: Database): Promise<void> => db.change([sql`PRAGMA optimize`])
