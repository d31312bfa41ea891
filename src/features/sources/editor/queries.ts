import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import { pageAt } from '../../../editor/lists.ts'
import { SOURCES_PATH, selectAskedCount } from '../../../editor/source-paths.ts'
import { combineQueries, countOf, many, type Query, type RowOfQuery } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { sourceRuns, sources } from '../../../kit/db/tables.ts'
import { selectSourcePage } from '../queries.ts'
import { MAX_SOURCES } from '../writes.ts'

export const NEW_SOURCE = `${SOURCES_PATH}new/`

const { skipped: _, ...runColumns } = getTableColumns(sourceRuns)

const selectNewestRuns = (wantedSql: SQL) =>
  many(
    build
      .select({
        ...runColumns,
        skippedCount: sql<number>`json_array_length(${sourceRuns.skipped})`,
        guessedCount: sql<number>`(SELECT count(*) FROM json_each(${sourceRuns.skipped}) WHERE value ->> 'code' LIKE 'guess%')`,
      })
      .from(sourceRuns)
      .where(sql`${sourceRuns.id} IN (SELECT (SELECT max(id) FROM ${sourceRuns} WHERE source_id = listed.id)
        FROM ${sources} AS listed WHERE ${wantedSql})`),
  )

/** A run with the number of skipped events. */
export type ListedRun = RowOfQuery<typeof selectNewestRuns>

export type ListedSource = { source: SourceRow; run: ListedRun | undefined }

/** A query for all sources, newest first. */
export const selectAllSources: Query<ListedSource[]> = combineQueries(
  {
    page: selectSourcePage(pageAt(1, MAX_SOURCES)),
    runs: selectNewestRuns(sql`NOT listed.is_being_deleted`),
  },
  ({ page: { rows }, runs }) =>
    rows.map(source => ({ source, run: runs.find(({ source_id }) => source_id === source.id) })),
)

/** A query for the number of pending decisions: sources with a question, and undecided pairs. */
export const selectWaitingCount: Query<number> = combineQueries(
  {
    asking: countOf(sql`${sources} WHERE state = 'asking' AND NOT is_being_deleted`),
    duplicates: selectAskedCount,
  },
  ({ asking, duplicates }) => asking + duplicates,
)
