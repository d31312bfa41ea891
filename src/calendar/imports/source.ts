import { and, eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { RowOf } from '../../kit/db/columns.ts'
import { first, type Query } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { sources } from '../../kit/db/tables.ts'

const sourceColumns = getTableColumns(sources)
export type SourceRow = RowOf<typeof sourceColumns>

/** A query for one source, unless it is being deleted. @param id a number or an expression */
export const sourceById = (id: number | SQL): Query<SourceRow | undefined> =>
  first(
    build
      .select()
      .from(sources)
      .where(and(eq(sources.id, id), eq(sources.is_ending, false))),
  )
