import { type SQL, sql } from 'drizzle-orm'
import { constant, many, mapped, type Query, type RawRow } from './query.ts'

/** One of several SELECTs of a statement, without parameters. */
export type Part<T> = {
  columns: readonly SQL[]
  /** FROM and what follows. */
  from: SQL
  /** @param values in the order of the columns */
  read: (values: readonly unknown[]) => T
}

type Parts = Readonly<Record<string, Part<unknown>>>
type Read<P extends Parts> = { -readonly [K in keyof P]: P[K] extends Part<infer T> ? T[] : never }

const PART = 'part'
const HEAD = 'head'
const name = (position: number): string => `c${position}`

/**
 * Rows of several kinds from one statement, so that they can share its WITH clause: that is worked out once. SQLite
 * wants all SELECTs of a UNION to have as many columns, so the shorter ones are filled up with nulls.
 *
 * @param parts four at most: D1 allows five SELECTs, and the first one is a number that the statement is asked for
 * @returns a function from a WITH clause and that number to the query; the parts are rendered once
 */
export function unionOf<const P extends Parts>(
  parts: P,
): (withClause: SQL, head: SQL) => Query<Read<P> & { head: number }> {
  const entries = Object.entries(parts)
  const width = Math.max(...entries.map(([, { columns }]) => columns.length))
  const selects = constant(() =>
    sql.join(
      entries.map(([part, { columns, from }]) => selectOf(part, columns, from, width)),
      sql` UNION ALL `,
    ),
  )
  return (withClause, head) =>
    mapped(
      many(sql`${withClause} ${selectOf(HEAD, [head], sql``, width)} UNION ALL ${selects()}`, raw => raw),
      rows => {
        const [number] = rowsOf(HEAD, 1, rows)
        const read = Object.fromEntries(
          entries.map(([part, { columns, read }]) => [part, rowsOf(part, columns.length, rows).map(read)]),
        )
        // Each part's rows were read by its own function.
        return { ...(read as Read<P>), head: Number(number?.[0] ?? 0) }
      },
    )
}

function selectOf(part: string, columns: readonly SQL[], from: SQL, width: number): SQL {
  const padding = Array.from({ length: width - columns.length }, () => sql.raw('NULL'))
  const list = [...columns, ...padding].map((column, i) => sql`${column} AS ${sql.raw(name(i))}`)
  return sql`SELECT ${sql.raw(`'${part}'`)} AS ${sql.raw(PART)}, ${sql.join(list, sql`, `)} ${from}`
}

const rowsOf = (part: string, width: number, rows: readonly RawRow[]): unknown[][] =>
  rows
    .filter(row => row[PART] === part)
    .map(row => Array.from({ length: width }, (_, i) => row[name(i)] ?? null))
