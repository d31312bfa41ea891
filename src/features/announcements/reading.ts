import { desc } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many, type Query, together } from '../../db/query.ts'
import { organizers, venues } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { readAnnouncement } from '../../intake/readers/text/drafts.ts'
import type { Named } from '../../intake/readers/text/names.ts'
import { toWall } from '../../lib/time.ts'
import { isReadable } from '../../resources/content/visibility.ts'

/** The most names of each kind that are compared with a text: the newest. The first text of an isolate takes longer, as it splits all of them. */
const MOST_NAMES = 2_000

const selectNamed = (context: RequestContext, table: typeof venues | typeof organizers): Query<Named[]> =>
  many(
    build
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(isReadable(table, context))
      .orderBy(desc(table.id))
      .limit(MOST_NAMES),
  )

type Names = { venues: readonly Named[]; organizers: readonly Named[] }

/** A query of the names of venues and organizers that the caller may use, in one round trip. */
export const selectNames = (context: RequestContext): Query<Names> =>
  together({ venues: selectNamed(context, venues), organizers: selectNamed(context, organizers) })

/**
 * Reads a text with the names, the zone and the currency of the calendar.
 *
 * @property writtenAt when it was written, in that zone; by default now
 */
export function readWith(
  { settings, now }: RequestContext,
  names: Names,
  {
    text,
    timezone = settings.timezone,
    writtenAt,
  }: { text: string; timezone?: string; writtenAt?: string | undefined },
) {
  const today = (writtenAt ?? toWall(now, timezone)).slice(0, 10)
  return readAnnouncement(text, { ...names, today, timezone, currency: settings.currency.symbol })
}
