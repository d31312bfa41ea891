import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { columnList, decodeRow } from '../../../db/columns.ts'
import { many, mapped, type Query, together } from '../../../db/query.ts'
import { sourceRuns, sources } from '../../../db/schema.ts'
import { type SourceRow, selectSourcePage } from '../../../resources/sources/queries.ts'
import { MOST_SOURCES } from '../../../resources/sources/writes.ts'

export const SOURCES = '/admin/sources/'
export const NEW_SOURCE = `${SOURCES}new/`
export const TWINS = `${SOURCES}twins/`
export const sourcePath = (id: number): string => `${SOURCES}${id}/`
/** The address of the settings. @param id also `new` */
export const settingsPath = (id: number | string): string =>
  id === 'new' ? NEW_SOURCE : `${SOURCES}${id}/settings/`

const { skipped: _, ...runColumns } = getTableColumns(sourceRuns)

/** A run, and how many events it left alone. */
export type Run = ReturnType<typeof runOf>

const runOf = (row: Record<string, unknown>) => ({
  ...decodeRow(runColumns, row),
  skippedCount: Number(row.skipped_count),
})

/** A calendar with its newest run. */
export type Listed = { source: SourceRow; run: Run | undefined }

/** A query of the newest run of each of some calendars. */
const newestRuns = (isWanted: SQL): Query<Run[]> =>
  many(
    sql`SELECT ${columnList(runColumns)}, json_array_length(${sourceRuns.skipped}) AS skipped_count FROM ${sourceRuns}
      WHERE ${sourceRuns.id} IN (SELECT (SELECT max(id) FROM ${sourceRuns} WHERE source_id = of.id)
        FROM ${sources} AS of WHERE ${isWanted})`,
    runOf,
  )

/** A query of all calendars, the newest first. */
export const allSources: Query<Listed[]> = mapped(
  together({
    page: selectSourcePage({ page: 1, perPage: MOST_SOURCES, offset: 0 }),
    runs: newestRuns(sql`NOT of.is_ending`),
  }),
  ({ page: { rows }, runs }) =>
    rows.map(source => ({ source, run: runs.find(({ source_id }) => source_id === source.id) })),
)
