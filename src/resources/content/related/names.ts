import { desc } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { many, type Query, together } from '../../../db/query.ts'
import { organizers, venues } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import { isReadable } from '../visibility.ts'

/** The most names of each kind that are compared with a text: the newest. The first text of an isolate takes longer, as it splits all of them. */
const MOST_NAMES = 2_000

type NamedRow = { id: number; name: string }

/** Names that a text may mention. */
export type Names = { venues: readonly NamedRow[]; organizers: readonly NamedRow[] }

const selectNamed = (context: RequestContext, table: typeof venues | typeof organizers): Query<NamedRow[]> =>
  many(
    build
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(isReadable(table, context))
      .orderBy(desc(table.id))
      .limit(MOST_NAMES),
  )

/** A query of the names of venues and organizers that the caller may use, in one round trip. */
export const selectNames = (context: RequestContext): Query<Names> =>
  together({ venues: selectNamed(context, venues), organizers: selectNamed(context, organizers) })
