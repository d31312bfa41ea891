import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RowOf } from '../../db/columns.ts'
import { countOf, first, type Query } from '../../db/query.ts'
import { sourceRuns, sources } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { type Page, type Rows, selectNewest } from '../../http/lists.ts'
import { ApiError } from '../../lib/errors.ts'

export const sourceColumns = getTableColumns(sources)
export type SourceRow = RowOf<typeof sourceColumns>
const runColumns = getTableColumns(sourceRuns)
export type RunRow = RowOf<typeof runColumns>

/** The name under which the table `imports` knows what came of a source. */
export const importSource = (id: number): string => `source:${id}`

/** Sources that are not on their way out, with a condition to go on from. */
export const presentSources = sql`${sources} WHERE NOT is_ending`

/** A query of the number of sources. */
export const sourceCount = countOf(presentSources)

/** A query of a page of sources, the newest first, and their number. */
export const selectSourcePage = (page: Page): Query<Rows<SourceRow>> =>
  selectNewest(sourceColumns, presentSources, page)

/** A query of one source, unless it is on its way out. @param id a number or an expression */
export const sourceById = (id: number | SQL): Query<SourceRow | undefined> =>
  first(
    build
      .select()
      .from(sources)
      .where(and(eq(sources.id, id), eq(sources.is_ending, false))),
  )

/** Returns the source. @throws ApiError if there is none */
export function assertSource<R>(row: R | undefined): R {
  if (!row) throw new ApiError('rest-source-not-found', 'There is no source with this id.')
  return row
}

/** A query of a page of a source's runs, the newest first, and their number. */
export const selectRunPage = (source: number, page: Page): Query<Rows<RunRow>> =>
  selectNewest(runColumns, sql`${sourceRuns} WHERE source_id = ${source}`, page)

/** A query of the newest run of a source. */
export const newestRun = (source: number): Query<RunRow | undefined> =>
  first(
    build
      .select()
      .from(sourceRuns)
      .where(eq(sourceRuns.source_id, source))
      .orderBy(desc(sourceRuns.id))
      .limit(1),
  )

/** The beginning of what a run says that asks an editor, and what one says whose list may lack something. */
export const HALF_GONE = 'Half or more of its coming events are gone'
export const INCOMPLETE = 'Its list of events is incomplete'

/** What the message of a run says, which has not failed: that it asks an editor, that its list is incomplete, or both. */
export const saidIn = (message: string) => ({
  asks: message.startsWith(HALF_GONE),
  isIncomplete: message.includes(INCOMPLETE),
})
