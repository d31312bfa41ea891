import type { KnownName } from '../where/names.ts'
import type { Span } from '../words/plain.ts'

// What is known before a text is read, and what is read from it.

/** What is known before a text is read. @property today as `2027-01-14`, in the time zone of the calendar */
export type AnnouncementContext = {
  venues: readonly KnownName[]
  organizers: readonly KnownName[]
  today: string
  timezone: string
  /** The sign of the calendar's currency. Costs in this currency are bare numbers. */
  currency: string
}

/** Fields of a draft for which a place in the text is known. */
export type DraftField =
  | 'title'
  | 'start_date'
  | 'end_date'
  | 'venue'
  | 'organizer'
  | 'address'
  | 'city'
  | 'room'
  | 'cost'
  | 'website'

/** An event that a text announces. What the text does not say for sure is absent. */
export type AnnouncedEvent = {
  title?: string
  /** `2027-02-26 19:30:00`, or the day alone where the text says no time. */
  start_date: string
  end_date?: string
  all_day: boolean
  /** Further dates of the same event. */
  dates?: string[]
  venue?: { id?: number; venue: string }
  organizer?: { id: number; organizer: string }
  address?: string
  city?: string
  /** The room of a venue that the calendar knows, or the room that a table has in a column of its own. */
  room?: string
  /** `12 - 15`, `£5` in another currency than the calendar's, or `0` where it is free. */
  cost?: string
  website?: string
  event_status?: 'canceled' | 'postponed'
  /**
   * What the text leaves open and the draft assumes: a start in the evening, or, of what recurs without an
   * end, its first date alone.
   */
  assumed?: ('evening' | 'first_date')[]
  /**
   * The place of each value in the text that was sent: the offsets of its first character, and after its
   * last.
   */
  evidence: Partial<Record<DraftField, Span>>
}

/**
 * A day whose weekday contradicts its date (`weekday`), or a row of a table without a day that can be read,
 * of which there is no draft (`no_day`).
 */
export type IgnoredPassage = { field: DraftField; evidence: Span; reason: 'weekday' | 'no_day' }

/** A value, and its place in the text, unless it is not visible there. */
export type ValueInText<T> = { value: T; span?: Span }

/** Sets a field of a draft and its evidence, or deletes both. */
export function setField<F extends Exclude<DraftField, 'start_date'>>(
  draft: AnnouncedEvent,
  field: F,
  said: ValueInText<NonNullable<AnnouncedEvent[F]>> | undefined,
): void {
  delete draft[field]
  delete draft.evidence[field]
  if (!said) return
  draft[field] = said.value
  if (said.span) draft.evidence[field] = said.span
}
