import { type SQL, sql } from 'drizzle-orm'
import { constant, many, mapped, type Query, type RawRow } from './query.ts'

/** One of several SELECTs in a UNION, without parameters. */
export type Part<T> = {
  columns: readonly SQL[]
  /** The FROM clause and everything after it. */
  from: SQL
  /** @param values in the order of the columns */
  read: (values: readonly unknown[]) => T
}

type Parts = Readonly<Record<string, Part<unknown>>>
type PartRows<P extends Parts> = { -readonly [K in keyof P]: P[K] extends Part<infer T> ? T[] : never }

const PART = 'part'
const HEAD = 'head'
const name = (position: number): string => `c${position}`

/**
 * Selects rows of several kinds in one statement, so that they share a WITH clause, which is evaluated once. All SELECTs of
 * a UNION must have the same number of columns, so the shorter ones are filled up with nulls.
 *
 * @param parts four at most: D1 allows five SELECTs, and the first one selects the number `head`
 * @returns a function that makes the query from a WITH clause and the expression `head`; parts are rendered once
 */
export function unionOf<const P extends Parts>(
  parts: P,
): (withClause: SQL, head: SQL) => Query<PartRows<P> & { head: number }> {
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
        // The rows of each part were read by its own function.
        return { ...(read as PartRows<P>), head: Number(number?.[0] ?? 0) }
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
