import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { SourceRow } from '../../calendar/imports/source.ts'
import type { RowOf } from '../../kit/db/columns.ts'
import { countOf, first, type Query } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { sourceRuns, sources } from '../../kit/db/tables.ts'
import { type ListSlice, type Rows, selectNewest } from '../../kit/http/lists.ts'
import { foundOrThrow } from '../../kit/lib/errors.ts'

const runColumns = getTableColumns(sourceRuns)
export type RunRow = RowOf<typeof runColumns>

/** The sources that are not being deleted, as a clause that AND can follow. */
export const presentSources = sql`${sources} WHERE NOT is_being_deleted`

export const selectSourceCount = countOf(presentSources)

/** A query for a page of sources, the newest first, and their number. */
export const selectSourcePage = (page: ListSlice): Query<Rows<SourceRow>> =>
  selectNewest(getTableColumns(sources), presentSources, page)

export const requireSource = foundOrThrow('rest-source-not-found', 'There is no source with this id.')

/** A query for a page of a source's runs, the newest first, and their number. */
export const selectRunPage = (source: number, page: ListSlice): Query<Rows<RunRow>> =>
  selectNewest(runColumns, sql`${sourceRuns} WHERE source_id = ${source}`, page)

export const selectNewestRun = (source: number): Query<RunRow | undefined> =>
  first(
    build
      .select()
      .from(sourceRuns)
      .where(eq(sourceRuns.source_id, source))
      .orderBy(desc(sourceRuns.id))
      .limit(1),
  )

/** The beginning of a run's message that asks an editor to decide. */
export const HALF_GONE = 'Half or more of its coming events are gone'
/** Part of a run's message if its list may lack events. */
export const INCOMPLETE = 'Its list of events is incomplete'

/** What the code of a run says: that it asks an editor, that the list is incomplete, or both. */
export const meaningOfCode = (code: string) => ({
  asks: code === 'half_gone' || code === 'half_gone_incomplete',
  isIncomplete: code === 'incomplete' || code === 'half_gone_incomplete',
})
