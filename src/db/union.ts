import { type SQL, sql } from 'drizzle-orm'
import { many, mapped, type Query, type RawRow } from './query.ts'

/** One of several SELECTs of a statement. */
export type Part<T> = {
  columns: readonly SQL[]
  /** FROM and what follows. */
  from: SQL
  /** @param values in the order of the columns */
  read: (values: readonly unknown[]) => T
}

const PART = 'part'
const name = (position: number): string => `c${position}`

/**
 * Rows of several kinds from one statement, so that they can share what stands in its WITH clause: it is worked out
 * once. SQLite wants all SELECTs of a UNION to have as many columns, so the shorter ones are filled up with nulls.
 *
 * @param parts five at most, the limit of D1
 */
export function unionOf<const P extends Readonly<Record<string, Part<unknown>>>>(
  withClause: SQL,
  parts: P,
): Query<{ -readonly [K in keyof P]: P[K] extends Part<infer T> ? T[] : never }> {
  const entries = Object.entries(parts)
  const width = Math.max(...entries.map(([, { columns }]) => columns.length))
  const selects = entries.map(([part, { columns, from }]) => {
    const padded = [...columns, ...Array.from({ length: width - columns.length }, () => sql.raw('NULL'))]
    const list = padded.map((column, i) => sql`${column} AS ${sql.raw(name(i))}`)
    return sql`SELECT ${sql.raw(`'${part}'`)} AS ${sql.raw(PART)}, ${sql.join(list, sql`, `)} ${from}`
  })
  const statement = sql`${withClause} ${sql.join(selects, sql` UNION ALL `)}`
  return mapped(
    many(statement, raw => raw),
    rows => {
      const read = Object.fromEntries(entries.map(([part, { columns, read }]) => [part, rowsOf(part, columns.length, rows).map(read)]))
      // Each part's rows were read by its own function.
      return read as { -readonly [K in keyof P]: P[K] extends Part<infer T> ? T[] : never }
    },
  )
}

const rowsOf = (part: string, width: number, rows: readonly RawRow[]): unknown[][] =>
  rows
    .filter(row => row[PART] === part)
    .map(row => Array.from({ length: width }, (_, i) => row[name(i)] ?? null))
