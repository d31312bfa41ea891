import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { columnList, decodeRow, type RowOf } from '../../db/columns.ts'
import { first, firstOf, literal, many, mapped, type Query, together } from '../../db/query.ts'
import { sourceRuns, sources } from '../../db/schema.ts'
import type { Page, Rows } from '../../http/lists.ts'
import { ApiError } from '../../lib/errors.ts'

export const sourceColumns = getTableColumns(sources)
export type SourceRow = RowOf<typeof sourceColumns>
const runColumns = getTableColumns(sourceRuns)
export type RunRow = RowOf<typeof runColumns>

/** The name under which the table `imports` knows what came of a source. */
export const importSource = (id: number): string => `source:${id}`

/** A query of the number of sources. */
export const sourceCount = first(sql`SELECT count(*) AS n FROM ${sources} WHERE NOT is_ending`, row =>
  Number(row.n),
)

/** A query of a page of sources, the newest first, and their number. */
export const selectSourcePage = ({ perPage, offset }: Page): Query<Rows<SourceRow>> =>
  mapped(
    together({
      rows: many(
        sql`SELECT ${columnList(sourceColumns)} FROM ${sources} WHERE NOT is_ending
          ORDER BY id DESC LIMIT ${literal(perPage)} OFFSET ${offset}`,
        row => decodeRow(sourceColumns, row),
      ),
      total: sourceCount,
    }),
    ({ rows, total = 0 }) => ({ rows, total }),
  )

/** A query of one source, unless it is on its way out. @param id a number or an expression */
export const sourceById = (id: number | SQL): Query<SourceRow | undefined> =>
  first(sql`SELECT ${columnList(sourceColumns)} FROM ${sources} WHERE id = ${id} AND NOT is_ending`, row =>
    decodeRow(sourceColumns, row),
  )

/** Returns the source. @throws ApiError if there is none */
export function assertSource<R>(row: R | undefined): R {
  if (!row) throw new ApiError('rest-source-not-found', 'There is no source of this id.')
  return row
}

/** A query of a page of a source's runs, the newest first, and their number. */
export const selectRunPage = (source: number, { perPage, offset }: Page): Query<Rows<RunRow>> =>
  mapped(
    together({
      rows: many(
        sql`SELECT ${columnList(runColumns)} FROM ${sourceRuns} WHERE source_id = ${source}
          ORDER BY id DESC LIMIT ${literal(perPage)} OFFSET ${offset}`,
        row => decodeRow(runColumns, row),
      ),
      total: first(sql`SELECT count(*) AS n FROM ${sourceRuns} WHERE source_id = ${source}`, row =>
        Number(row.n),
      ),
    }),
    ({ rows, total = 0 }) => ({ rows, total }),
  )

/** A query of the newest run of a source. */
export const newestRun = (source: number): Query<RunRow | undefined> =>
  firstOf(
    many(
      sql`SELECT ${columnList(runColumns)} FROM ${sourceRuns} WHERE source_id = ${source} ORDER BY id DESC LIMIT 1`,
      row => decodeRow(runColumns, row),
    ),
  )
