import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { type Purpose, withRetries } from './failures.ts'

/** A row as D1 hands it over: numbers, texts and nulls by column name. */
export type RawRow = Record<string, unknown>

/** A statement and what to make of its rows. */
export type Query<T> = { sql: SQL; read: (rows: RawRow[]) => T }

/** All rows, each turned into a value. */
export const many = <T>(sql: SQL, row: (raw: RawRow) => T): Query<T[]> => ({
  sql,
  read: rows => rows.map(row),
})

/** The first row, or undefined. */
export const first = <T>(sql: SQL, row: (raw: RawRow) => T): Query<T | undefined> => ({
  sql,
  read: ([raw]) => raw && row(raw),
})

/** A statement whose rows, if any, nobody needs. */
export const exec = (sql: SQL): Query<undefined> => ({ sql, read: () => undefined })

type Results<Q extends readonly Query<unknown>[]> = {
  -readonly [K in keyof Q]: Q[K] extends Query<infer T> ? T : never
}

/**
 * A part of statements that never changes and has no parameters, rendered once, when it is first needed:
 * rendering long lists of columns anew takes longer than running some statements.
 */
export function constant(part: () => SQL): () => SQL {
  let rendered: SQL | undefined
  return () => {
    rendered ??= sql.raw(dialect.sqlToQuery(part()).sql)
    return rendered
  }
}

/** What D1 did, added up over round trips. A statement that fails reports nothing but its trip. */
export type Metrics = {
  roundTrips: number
  /** Rows scanned, which is what D1 bills; not rows answered. */
  rowsRead: number
  /** Indexes count too. */
  rowsWritten: number
  /** Milliseconds in SQLite, without the way there and back. */
  sqlMs: number
}

const dialect = new SQLiteAsyncDialect()

/**
 * D1, one batch at a time. A batch is one round trip and one transaction: all of it happens or nothing.
 * It goes around Drizzle's own client because that hides what D1 reports of each statement and
 * mixes up columns of one name. There is one for each request, so that its metrics are that request's.
 */
export class Database {
  readonly metrics: Metrics = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, sqlMs: 0 }
  readonly #d1: Pick<D1DatabaseSession, 'batch' | 'prepare'>
  #passenger: Query<unknown> | undefined

  constructor(d1: Pick<D1DatabaseSession, 'batch' | 'prepare'>) {
    this.#d1 = d1
  }

  /** Has a query sent along with the next batch, so that it costs no trip of its own. */
  rideAlong(query: Query<unknown>): void {
    this.#passenger = query
  }

  /** Reads, which are sent again when D1 fails in passing. */
  async batch<const Q extends readonly Query<unknown>[]>(queries: Q): Promise<Results<Q>> {
    return this.#run('read', queries)
  }

  async get<T>(query: Query<T>): Promise<T> {
    const [value] = await this.batch([query])
    return value
  }

  /** What writes, along with reads of what became of it: sent again only if D1 never began it. */
  async write<const Q extends readonly Query<unknown>[]>(queries: Q): Promise<Results<Q>> {
    return this.#run('write', queries)
  }

  /** Runs the statements of a write and, if one is given, a query of what became of it. */
  async change(statements: readonly SQL[]): Promise<void>
  async change<T>(statements: readonly SQL[], result: Query<T>): Promise<T>
  async change<T>(statements: readonly SQL[], result?: Query<T>): Promise<T | undefined> {
    const values = await this.write([...statements.map(exec), ...(result ? [result] : [])])
    // The last query, if one was given, is the one that reads.
    return result && (values.at(-1) as T)
  }

  async #run<Q extends readonly Query<unknown>[]>(purpose: Purpose, queries: Q): Promise<Results<Q>> {
    const passenger = this.#passenger
    this.#passenger = undefined
    const sent: readonly Query<unknown>[] = passenger ? [...queries, passenger] : queries
    const statements = sent.map(query => this.#prepare(query.sql))
    const results = await withRetries(purpose, () => {
      this.metrics.roundTrips++
      return this.#d1.batch<RawRow>(statements)
    })
    for (const { meta } of results) this.#count(meta)
    const values = sent.map((query, i) => query.read(results[i]?.results ?? []))
    // TypeScript does not follow a map over a tuple: values[i] is what queries[i] reads.
    return values as Results<Q>
  }

  #count(meta: D1Meta): void {
    this.metrics.rowsRead += meta.rows_read
    this.metrics.rowsWritten += meta.rows_written
    this.metrics.sqlMs += meta.duration
  }

  #prepare(sql: SQL): D1PreparedStatement {
    const { sql: text, params } = dialect.sqlToQuery(sql)
    return this.#d1.prepare(text).bind(...params)
  }
}

/**
 * How D1 refuses a batch that was computed from rows which have been changed or deleted since: the `…_version`
 * triggers, a link to what is gone, or a category that would become its own ancestor.
 */
const CONFLICTS = ['version conflict', 'FOREIGN KEY constraint failed', 'constraint failed: term_ancestors']

/** Whether a batch was refused because of what another request did meanwhile. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Error && CONFLICTS.some(text => error.message.includes(text))

const ATTEMPTS = 10

/**
 * Runs a read-modify-write again when another request changed the same rows in between. The batch that lost
 * has left nothing behind, and what it wanted is judged by what is there now.
 */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left <= 1 || !isConflict(error)) throw error
    }
  }
}
