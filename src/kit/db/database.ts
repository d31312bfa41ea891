import { Allowance } from './allowance.ts'
import { DatabaseUnavailable, type Purpose, withRetries } from './failures.ts'
import { combineQueries, type Query, type RawRow, resolvedQuery, type Statement } from './query.ts'
import { renderStatement } from './statements.ts'

/** The work of D1, summed over round trips. A batch that fails counts as a trip only. */
export type Metrics = {
  roundTrips: number
  statements: number
  /** Rows scanned, which D1 bills; not rows returned. */
  rowsRead: number
  /** Rows written, including those of indexes. */
  rowsWritten: number
  /** Milliseconds in SQLite, without the network. */
  sqlMs: number
}

/**
 * What a request assumes until its first batch confirms it: who sends it, and the settings of the calendar.
 */
type Assumption = 'caller' | 'settings'

type D1 = Pick<D1DatabaseSession, 'batch' | 'prepare'>

/**
 * Statements that a write begins with. `explain` returns the error to throw if they make the write fail,
 * given the original error.
 */
export type Prelude = { statements: readonly Statement[]; explain?: (error: unknown) => unknown }

/** A query that ignores the rows of some statements before it. */
const afterStatements = <T>(before: readonly Statement[], { statements, read }: Query<T>): Query<T> => ({
  statements: [...before, ...statements],
  read: results => read(results.slice(before.length)),
})

/**
 * Executor of statements on D1, one batch at a time. A batch is one round trip and one transaction. Drizzle
 * builds the statements and reads their rows, but its D1 adapter does not run them: in its batch a `sql`
 * template with a value throws, joins lose columns of one name without an error, and the `meta` of each
 * statement, which metrics need, is hidden (.github/mechanisms/database.md). Each request has its own
 * executor, and so its own metrics.
 */
export class Database {
  readonly metrics: Metrics
  readonly allowance: Allowance
  /** True if a write has failed, and nobody knows whether it was done. */
  mayHaveWritten = false
  readonly #d1: D1
  readonly #assumptions = new Map<Assumption, Query<unknown>>()
  readonly #confirmed = new Set<Assumption>()
  #preludes: readonly Prelude[] = []
  /** Sends the next write together with others. @see writeTogether */
  #sendNextWrite: (<T>(query: Query<T>) => Promise<T>) | undefined

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
   * Runs reads in one round trip, and repeats them after transient failures of D1. A query without statements
   * takes no trip.
   */
  async read<T>(query: Query<T>): Promise<T> {
    const checks = [...this.#assumptions]
    if (checks.length === 0) return this.#run('read', query)
    const [, value] = await this.#run(
      'read',
      combineQueries([combineQueries(checks.map(([, check]) => check)), query]),
    )
    for (const [assumption, check] of checks) {
      // Another check may have taken its place in the meantime.
      if (this.#assumptions.get(assumption) !== check) continue
      this.#assumptions.delete(assumption)
      this.#confirmed.add(assumption)
    }
    return value
  }

  /**
   * Runs writes, and reads of their results, in one transaction, and repeats them only if D1 has not begun
   * the batch. They come after what {@link prependToNextWrite} has added.
   */
  async write(statements: readonly Statement[]): Promise<void>
  async write<T>(query: Query<T>): Promise<T>
  async write<T>(statements: readonly Statement[], result: Query<T>): Promise<T>
  async write(
    work: Query<unknown> | readonly Statement[],
    result: Query<unknown> = resolvedQuery(undefined),
  ) {
    const query = 'read' in work ? work : afterStatements(work, result)
    const send = this.#sendNextWrite
    this.#sendNextWrite = undefined
    if (send) return send(query)
    await this.#checkAssumptions()
    return this.#runAfterPreludes(query)
  }

  /** Writes if the allowance covers it; otherwise another invocation does. @param name of the task */
  async writeIfAllowed(name: string, statements: readonly Statement[]): Promise<void> {
    if (this.allowance.allows(name, { statements: statements.length })) await this.write(statements)
  }

  /**
   * Puts a query before the first batch: in the same round trip if the batch reads, and in a round trip of
   * its own if the batch writes.
   *
   * @param name the assumption; once a batch has confirmed it, it is not checked again
   * @param query throws if something is not as the request assumes
   */
  assume(name: Assumption, query: Query<unknown>): void {
    if (!this.#confirmed.has(name)) this.#assumptions.set(name, query)
  }

  /** @returns false if there was nothing to drop, because a batch has confirmed the assumption */
  dropAssumption(name: Assumption): boolean {
    return this.#assumptions.delete(name)
  }

  async #checkAssumptions(): Promise<void> {
    if (this.#assumptions.size > 0) await this.read(resolvedQuery(undefined))
  }

  /**
   * Puts statements at the beginning of the first write that succeeds, in its transaction, after statements
   * that were added earlier.
   *
   * @returns a function that drops them, unless they have been written
   */
  prependToNextWrite(prelude: Prelude): () => void {
    this.#preludes = [...this.#preludes, prelude]
    return () => {
      this.#preludes = this.#preludes.filter(other => other !== prelude)
    }
  }

  async #runAfterPreludes<T>(query: Query<T>): Promise<T> {
    const preludes = this.#preludes
    const statements = preludes.flatMap(({ statements: prelude }) => prelude)
    const value = await this.#run('write', afterStatements(statements, query)).catch((error: unknown) => {
      throw preludes.reduce((explained, { explain }) => explain?.(explained) ?? explained, error)
    })
    this.#preludes = this.#preludes.filter(other => !preludes.includes(other))
    return value
  }

  /**
   * Runs writers in order, and joins their first writes into one transaction; their further writes are
   * transactions of their own.
   *
   * The first write of each runs the writers after it, and returns when their batch has come back. So all
   * have made their writes before the batch is sent; then the last writer goes on to its end, and then the
   * one before it. If the batch or a writer fails, the error passes through all that wait.
   */
  async writeTogether<T>(writers: readonly (() => Promise<T>)[]): Promise<T[]> {
    const results: T[] = []
    /** @param waiting the writes of the writers before the i-th @returns their result */
    const runFrom = async <W>(i: number, waiting: Query<W>): Promise<W> => {
      const writer = writers[i]
      this.#sendNextWrite = undefined
      if (!writer) return this.write(waiting)
      let batch: { waiting: W } | undefined
      this.#sendNextWrite = async write => {
        const joined = await runFrom(i + 1, combineQueries({ waiting, write }))
        batch = joined
        return joined.write
      }
      results[i] = await writer()
      return batch ? batch.waiting : runFrom(i + 1, waiting)
    }
    await runFrom(0, resolvedQuery(undefined)).finally(() => {
      this.#sendNextWrite = undefined
    })
    return results
  }

  async #run<T>(purpose: Purpose, { statements, read }: Query<T>): Promise<T> {
    return read(statements.length === 0 ? [] : await this.send(purpose, statements))
  }

  /** @returns the rows of each statement */
  protected async send(purpose: Purpose, statements: readonly Statement[]): Promise<RawRow[][]> {
    const prepared = statements.map(statement => this.#prepare(statement))
    const results = await withRetries(purpose, () => {
      this.allowance.takeStatements(prepared.length)
      this.metrics.roundTrips++
      this.metrics.statements += prepared.length
      return this.#d1.batch<RawRow>(prepared)
    }).catch((error: unknown) => {
      this.mayHaveWritten ||= error instanceof DatabaseUnavailable && error.mayHaveWritten
      throw error
    })
    for (const { meta } of results) {
      this.metrics.rowsRead += meta.rows_read
      this.metrics.rowsWritten += meta.rows_written
      this.metrics.sqlMs += meta.duration
    }
    return results.map(result => result.results)
  }

  #prepare(statement: Statement): D1PreparedStatement {
    const { text, params } = renderStatement(statement)
    return this.#d1.prepare(text).bind(...params)
  }
}

/** An executor that reads what was just saved: replicas lag behind. */
export const primaryDatabase = (d1: D1Database): Database => new Database(d1.withSession('first-primary'))
