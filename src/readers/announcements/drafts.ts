// What is read from an announcement: drafts of events, and what was not believed.

export type KnownName = { id: number; name: string }

/** What is known before a text is read. */
export type AnnouncementContext = {
  venues: readonly KnownName[]
  organizers: readonly KnownName[]
  /** When the text was written, `2027-01-14 10:00:00`, by the clock of the zone. */
  writtenAt: string
  timezone: string
  /** The sign of the calendar's currency. Costs in this currency are bare numbers. */
  currency: string
}

/** The most events of a text. */
export const MAX_EVENTS = 20

/** Fields of a draft with words of the text that say the value. */
export const QUOTED_FIELDS = [
  'title',
  'start_date',
  'end_date',
  'dates',
  'recurrence',
  'room',
  'venue',
  'organizer',
  'address',
  'city',
  'cost',
  'website',
  'event_status',
] as const

export type QuotedField = (typeof QUOTED_FIELDS)[number]

/** An event that a text announces. What the text does not say for certain is absent. */
export type AnnouncedEvent = {
  title?: string
  /** `2027-02-26 19:30:00`, or the day alone if the text says no time. */
  start_date?: string
  end_date?: string
  all_day: boolean
  /** Further starts of the same event. */
  dates?: string[]
  /** How it repeats, as a request to the API has it. */
  recurrence?: { rrule: string; exdate: string[] }
  room?: string
  venue?: { id?: number; venue: string }
  organizer?: { id?: number; organizer: string }
  address?: string
  city?: string
  /** `12 - 15`, `£5` in another currency than the calendar's, `0` if it is free. */
  cost?: string
  website?: string
  event_status?: 'canceled' | 'postponed'
  description?: string
  /** For each value the passage of the text that says it. */
  quotes: Partial<Record<QuotedField, string>>
}

/**
 * Why a value is not in its draft: its quote does not stand in the text, or does not say the value; the day
 * or time does not exist, or is more than two years away; an end before the start. Of the last three, the
 * value stays in the draft, and somebody should look at it: another weekday in the quote; an hour that may be
 * in the morning; words that call something off, though no draft is called off.
 */
export const IGNORED_REASONS = [
  'not_in_text',
  'not_in_quote',
  'no_such_date',
  'ends_early',
  'weekday',
  'half_of_day',
  'called_off',
] as const

export type IgnoredReason = (typeof IGNORED_REASONS)[number]

/** True for a reason that leaves the value in the draft. */
export const isOnlyDoubted = (reason: IgnoredReason): boolean =>
  reason === 'weekday' || reason === 'half_of_day' || reason === 'called_off'

/** A value of a model that is not believed. @property draft the index of its draft, if it became one */
export type UnbelievedValue = {
  draft?: number
  field: QuotedField | 'description'
  value: string
  reason: IgnoredReason
}

/** @property hasMore true if the text announces more events than {@link MAX_EVENTS} */
export type TextReading = { drafts: AnnouncedEvent[]; ignored: UnbelievedValue[]; hasMore: boolean }
