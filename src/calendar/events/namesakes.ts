import { sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import { listings } from '../../kit/db/derived.ts'
import { literal, many } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { BETWEEN_WORDS } from '../../kit/lib/pattern.ts'
import { fold, htmlToText } from '../../kit/lib/text.ts'
import { addDays, type DateTime, startOfDay, toUtc } from '../../kit/lib/time.ts'
import { pick } from '../../kit/lib/values.ts'

// The events of the calendar that a text may be about, such as one that it calls off.

const COLUMNS = pick(events, 'id', 'title', 'start_date')

/** The most events of a day that titles are compared with. */
const MAX_CANDIDATES = literal(300)

const longWords = (text: string): string[] =>
  fold(text)
    .split(BETWEEN_WORDS())
    .filter(word => word.length > 2)

/** True if at least half of the words of a title are in another, also within longer ones. */
const isHalfIn = (title: string, other: string): boolean => {
  const words = longWords(title)
  const text = fold(other)
  return words.length > 0 && 2 * words.filter(word => text.includes(word)).length >= words.length
}

type Namesake = { id: number; title: string; start_date: DateTime }

/**
 * The listed events of a day that have a similar title.
 *
 * @param event.start_date a day or a time, in the calendar's zone
 */
export async function findNamesakes(
  { db, settings }: BaseContext,
  event: { title: string; start_date: string },
): Promise<Namesake[]> {
  const midnight = startOfDay(event.start_date)
  const listed = await db.read(
    many(
      sql`SELECT ${columnList(COLUMNS)} FROM ${listings} CROSS JOIN ${events} ON ${events.id} = event_id
        WHERE facet = 'event' AND target_id = 0 AND ${listings.utc_start_date} >= ${toUtc(midnight, settings.timezone)}
        AND ${listings.utc_start_date} < ${toUtc(addDays(midnight, 1), settings.timezone)}
        ORDER BY ${listings.utc_start_date}, event_id LIMIT ${MAX_CANDIDATES}`,
      raw => decodeRow(COLUMNS, raw),
    ),
  )
  return listed
    .map(({ id, title, start_date }) => ({ id, title: htmlToText(title), start_date: String(start_date) }))
    .filter(({ title }) => isHalfIn(title, event.title) || isHalfIn(event.title, title))
}
