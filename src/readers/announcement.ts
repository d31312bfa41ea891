import type { MentionedNames } from '../calendar/content/related/queries.ts'
import type { BaseContext } from '../kit/context.ts'
import { dayOf, toWall } from '../kit/lib/time.ts'
import type { IgnoredPassage } from './texts/draft/event.ts'
import { readAnnouncement } from './texts/drafts.ts'

/**
 * Reads a text with the names, the zone and the currency of the calendar.
 *
 * @property writtenAt when it was written, in that zone; by default now
 */
export function readInCalendar(
  { settings, clock }: BaseContext,
  names: MentionedNames,
  {
    text,
    timezone = settings.timezone,
    writtenAt,
  }: { text: string; timezone?: string; writtenAt?: string | undefined },
) {
  const today = dayOf(writtenAt ?? toWall(clock.now(), timezone))
  return readAnnouncement(text, { ...names, today, timezone, currency: settings.currency.symbol })
}

/** The most rows that are named, and of each the most characters. */
const MAX_NAMED_ROWS = { rows: 10, characters: 100 }

/** The rows of tables from which no draft was made, because they have no readable day: in one line, or ''. */
export function rowsWithoutDay(text: string, ignored: readonly IgnoredPassage[]): string {
  const rows = ignored.filter(({ reason }) => reason === 'no_day')
  const named = rows.slice(0, MAX_NAMED_ROWS.rows).map(({ evidence }) =>
    text
      .slice(...evidence)
      .replace(/\s+/g, ' ')
      .slice(0, MAX_NAMED_ROWS.characters),
  )
  return [...named, ...(rows.length > named.length ? ['…'] : [])].join(' · ')
}
