import { Allowance } from './allowance.ts'
import { DatabaseUnavailable, type Purpose, withRetries } from './failures.ts'
import { exec, type Query, type RawRow, type Results, type Statement, together } from './query.ts'
import { rendered } from './statements.ts'

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

/** What a request assumes until its first batch confirms it: who sends it, and the settings of the calendar. */
type Expectation = 'caller' | 'settings'

type D1 = Pick<D1DatabaseSession, 'batch' | 'prepare'>

/** Statements before a write, and the error to throw if they make it fail. */
type PrecedingStatements = { statements: readonly Statement[]; explain: (error: unknown) => unknown }

/**
 * Executor of statements on D1, one batch at a time. A batch is one round trip and one transaction. Drizzle builds the
 * statements and reads their rows, but its D1 adapter does not run them: in its batch a `sql` template with a value throws, joins lose
 * columns of one name without an error, and the `meta` of each statement, which metrics need, is hidden
 * (.github/decisions/drizzle-batch.md). Each request has its own executor, and so its own metrics.
 */
export class Database {
  readonly metrics: Metrics
  readonly allowance: Allowance
  /** True if a write has failed, and nobody knows whether it was done. */
  mayHaveWritten = false
  readonly #d1: D1
  #preceding: readonly PrecedingStatements[] = []
  /** Does the next write as one of several. @returns the results of the queries */
  #writeLater: ((queries: readonly Query<unknown>[]) => Promise<unknown>) | undefined
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
   * Puts statements at the beginning of the first write that succeeds, in its transaction, after those that others have put there.
   *
   * @param explain returns the error to throw if they make a write fail, given the original error
   * @returns a function that drops them, unless they have been written
   */
  precede(statements: readonly Statement[], explain = (error: unknown): unknown => error): () => void {
    const added = { statements, explain }
    this.#preceding = [...this.#preceding, added]
    return () => {
      this.#preceding = this.#preceding.filter(other => other !== added)
    }
  }

  /** Runs work whose first successful write begins with some statements. If it has none, they are dropped. @see precede */
  async preceded<T>(
    statements: readonly Statement[],
    work: () => Promise<T>,
    explain?: PrecedingStatements['explain'],
  ): Promise<T> {
    const drop = this.precede(statements, explain)
    try {
      return await work()
    } finally {
      drop()
    }
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

  /** Runs reads, and repeats them after transient failures of D1. */
  async batch<const Q extends readonly Query<unknown>[]>(queries: Q): Promise<Results<Q>> {
    if (this.#expected.size === 0) return this.#run('read', queries)
    const [, values] = await this.#run('read', [together([...this.#expected.values()]), together(queries)])
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
    const later = this.#writeLater
    this.#writeLater = undefined
    // The i-th value is the result of queries[i].
    if (later) return (await later(queries)) as Results<Q>
    if (this.#expected.size > 0) await this.batch([])
    const preceding = this.#preceding
    if (preceding.length === 0) return this.#run('write', queries)
    const statements = preceding.flatMap(({ statements }) => statements.map(exec))
    const [, value] = await this.#run('write', [together(statements), together(queries)]).catch(error => {
      throw preceding.reduce((explained, { explain }) => explain(explained), error)
    })
    this.#preceding = this.#preceding.filter(other => !preceding.includes(other))
    // The i-th value is the result of queries[i].
    return value as Results<Q>
  }

  /**
   * Runs writers, in order, whose first writes become one transaction: the write of each waits for those of the writers after it. What
   * else they write is written by itself.
   */
  async writeTogether<T>(writers: readonly (() => Promise<T>)[]): Promise<T[]> {
    const results: T[] = []
    const runFrom = async (i: number, queries: readonly Query<unknown>[]): Promise<unknown[]> => {
      const writer = writers[i]
      this.#writeLater = undefined
      if (!writer) return this.write(queries)
      let values: unknown[] | undefined
      this.#writeLater = async own => {
        values = await runFrom(i + 1, [...queries, together(own)])
        return values[queries.length]
      }
      results[i] = await writer()
      return values ?? runFrom(i + 1, queries)
    }
    await runFrom(0, []).finally(() => {
      this.#writeLater = undefined
    })
    return results
  }

  /** Runs statements as {@link change} does, unless the allowance leaves them to another invocation. @param name of the task */
  async changeIfAllowed(name: string, statements: readonly Statement[]): Promise<void> {
    if (this.allowance.begin(name, { statements: statements.length })) await this.change(statements)
  }

  /** Runs the statements of a write and, if one is given, a query for its result. */
  async change(statements: readonly Statement[]): Promise<void>
  async change<T>(statements: readonly Statement[], result: Query<T>): Promise<T>
  async change<T>(statements: readonly Statement[], result?: Query<T>): Promise<T | undefined> {
    const values = await this.write([...statements.map(exec), ...(result ? [result] : [])])
    // The last value is the result of the query `result`.
    return result && (values.at(-1) as T)
  }

  async #run<Q extends readonly Query<unknown>[]>(purpose: Purpose, queries: Q): Promise<Results<Q>> {
    const { statements, read } = together(queries)
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
    }).catch(error => {
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
    const { text, params } = rendered(statement)
    return this.#d1.prepare(text).bind(...params)
  }
}
