import { sql } from 'drizzle-orm'
import type { BaseContext, CallerContext } from '../../kit/context.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import { listings } from '../../kit/db/derived.ts'
import { literal, many, type RawRow, type RowOfQuery } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { BETWEEN_WORDS } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'
import { addDays, type DateTime, startOfDay, toUtc } from '../../kit/lib/time.ts'
import { pick } from '../../kit/lib/values.ts'
import type { AnnouncedEvent } from '../../readers/texts/draft/event.ts'
import { nameOf } from '../../site/html/text.ts'

// Nothing is stored about texts, so what was made of one is found among what the user has made recently.

const COLUMNS = pick(events, 'id', 'title', 'slug', 'start_date', 'date_utc')

/** The most events that drafts are compared with, among which a series has one for each date. */
const MAX_CANDIDATES = 300

/** A query for the events that the user has made within a day, the oldest first. */
export const selectMade = ({ caller, clock }: CallerContext) =>
  many(
    sql`SELECT * FROM (SELECT ${columnList(COLUMNS)} FROM ${events} WHERE ${events.author_id} = ${caller.id}
      AND ${events.status} <> 'trash'
      ORDER BY ${events.id} DESC LIMIT ${literal(MAX_CANDIDATES)}) WHERE date_utc >= ${addDays(clock.now(), -1)} ORDER BY id`,
    madeEvent,
  )

function madeEvent(raw: RawRow) {
  const { id, title, slug, start_date } = decodeRow(COLUMNS, raw)
  return { id, name: nameOf(title, slug), start_date: String(start_date) }
}

export type MadeEvent = RowOfQuery<typeof selectMade>

const longWords = (text: string): string[] =>
  fold(text)
    .split(BETWEEN_WORDS())
    .filter(word => word.length > 2)

/**
 * True if at least half of the words of a name are in a text, also within longer ones: “Konzert” in
 * “Frühlingskonzert”.
 */
const isHalfIn = (name: string, text: string): boolean => {
  const words = longWords(name)
  const foldedText = fold(text)
  return words.length > 0 && 2 * words.filter(word => foldedText.includes(word)).length >= words.length
}

/** True if an event is named like a draft; of a draft without a title, the text is compared. */
const isLike = ({ name }: MadeEvent, { title }: AnnouncedEvent, text: string): boolean =>
  title === undefined ? isHalfIn(name, text) : isHalfIn(name, title) || isHalfIn(title, name)

/** A query for what the calendar lists on a day, such as what a text calls off. @param midnight its start */
const selectOnDay = ({ settings }: BaseContext, midnight: DateTime) =>
  many(
    sql`SELECT ${columnList(COLUMNS)} FROM ${listings} CROSS JOIN ${events} ON ${events.id} = event_id
      WHERE facet = 'event' AND target_id = 0 AND ${listings.utc_start_date} >= ${toUtc(midnight, settings.timezone)}
      AND ${listings.utc_start_date} < ${toUtc(addDays(midnight, 1), settings.timezone)}
      ORDER BY ${listings.utc_start_date}, event_id LIMIT ${literal(MAX_CANDIDATES)}`,
    madeEvent,
  )

/** The events on the day of a draft that it may be about. */
export async function readNamesakes(context: BaseContext, draft: AnnouncedEvent, text: string) {
  const midnight = startOfDay(draft.start_date)
  return (await context.db.read(selectOnDay(context, midnight))).filter(event => isLike(event, draft, text))
}

type DraftMatch = { made: readonly MadeEvent[]; createdIds: readonly (number | undefined)[]; text: string }

/**
 * The event that was made from each draft: what its form on this page made, however it has been changed
 * since, or else an event with the same start and the same or a similar title. For a draft without a title,
 * it is an event whose title has words of the text.
 *
 * @param input.createdIds what the form of each draft made
 */
export function savedDrafts(
  drafts: readonly AnnouncedEvent[],
  { made, createdIds, text }: DraftMatch,
): (MadeEvent | undefined)[] {
  const matchedByForm = createdIds.map(id => made.find(event => event.id === id))
  const unmatched = new Set(made.filter(event => !matchedByForm.includes(event)))
  const takeMatch = (
    draft: AnnouncedEvent,
    isMatch: (event: MadeEvent) => boolean,
  ): MadeEvent | undefined => {
    const match = [...unmatched].find(
      event => event.start_date.startsWith(draft.start_date) && isMatch(event),
    )
    if (match) unmatched.delete(match)
    return match
  }
  const matchedByName = drafts.map(
    (draft, i) => matchedByForm[i] ?? takeMatch(draft, ({ name }) => fold(name) === fold(draft.title ?? '')),
  )
  return drafts.map((draft, i) => matchedByName[i] ?? takeMatch(draft, event => isLike(event, draft, text)))
}
