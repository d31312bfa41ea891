import type { MentionedNames } from '../calendar/content/related/queries.ts'
import type { BaseContext } from '../kit/context.ts'
import { dayOf, toWall } from '../kit/lib/time.ts'
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
