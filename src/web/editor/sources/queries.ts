import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { countOf, many, mapped, type Query, type RowOfQuery, together } from '../../../db/query.ts'
import { sourceRuns, sources } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import { selectDuplicateCount } from '../../../resources/duplicates/queries.ts'
import { type SourceRow, selectSourcePage } from '../../../resources/sources/queries.ts'
import { MOST_SOURCES } from '../../../resources/sources/writes.ts'
import { MOST_WAITING } from '../admin.ts'
import { pageAt } from '../lists.ts'

export const SOURCES = '/admin/sources/'
export const NEW_SOURCE = `${SOURCES}new/`
export const NEW_FILE = `${SOURCES}file/`
export const DUPLICATES = `${SOURCES}duplicates/`

/** The former address of the page of duplicates, which stands in mails. */
export const FORMER_DUPLICATES = `${SOURCES}twins/`
export const sourcePath = (id: number): string => `${SOURCES}${id}/`
/** The page on which a file is looked at before it is imported. */
export const filePath = (id: number): string => `${sourcePath(id)}file/`

const { skipped: _, ...runColumns } = getTableColumns(sourceRuns)

/** A query of the newest run of each selected source. */
const newestRuns = (isWanted: SQL) =>
  many(
    build
      .select({ ...runColumns, skippedCount: sql<number>`json_array_length(${sourceRuns.skipped})` })
      .from(sourceRuns)
      .where(sql`${sourceRuns.id} IN (SELECT (SELECT max(id) FROM ${sourceRuns} WHERE source_id = of.id)
        FROM ${sources} AS of WHERE ${isWanted})`),
  )

/** A run with the number of skipped events. */
export type ListedRun = RowOfQuery<typeof newestRuns>

/** A source with its newest run. */
export type ListedSource = { source: SourceRow; run: ListedRun | undefined }

/** A query of all sources, newest first. */
export const allSources: Query<ListedSource[]> = mapped(
  together({
    page: selectSourcePage(pageAt(1, MOST_SOURCES)),
    runs: newestRuns(sql`NOT of.is_ending`),
  }),
  ({ page: { rows }, runs }) =>
    rows.map(source => ({ source, run: runs.find(({ source_id }) => source_id === source.id) })),
)

/** A query of the number of undecided pairs, up to the limit of the menu. */
export const selectAsked = selectDuplicateCount({}, MOST_WAITING)

/** A query of the number of pending decisions: sources with a question, and undecided pairs. */
export const selectWaitingCount: Query<number> = mapped(
  together({
    asking: countOf(sql`${sources} WHERE state = 'asking' AND NOT is_ending`),
    duplicates: selectAsked,
  }),
  ({ asking, duplicates }) => asking + duplicates,
)
