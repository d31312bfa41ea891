import * as z from 'zod/mini'
import { documented } from '../../kit/http/params.ts'

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
const QUOTED_FIELDS = [
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

const text = () => z.optional(z.string())

/**
 * An event that a text announces. What the text does not say for certain is absent. A function, so that the
 * schema is made only when it is used.
 */
export const draftSchema = () =>
  z.object({
    title: text(),
    start_date: documented(text(), 'A day with its time or, if the text says none, the day alone.'),
    end_date: text(),
    all_day: z.boolean(),
    dates: documented(z.optional(z.array(z.string())), 'Further starts of the same event.'),
    recurrence: z.optional(z.object({ rrule: z.string(), exdate: z.array(z.string()) })),
    room: text(),
    venue: z.optional(z.object({ id: z.optional(z.int()), venue: z.string() })),
    organizer: z.optional(z.object({ id: z.optional(z.int()), organizer: z.string() })),
    address: text(),
    city: text(),
    cost: documented(text(), '`12 - 15`, `£5` in another currency than the calendar’s, `0` if it is free.'),
    website: text(),
    event_status: z.optional(z.enum(['canceled', 'postponed'])),
    description: text(),
    quotes: documented(
      z.partialRecord(z.enum(QUOTED_FIELDS), z.string()),
      'For each value the passage of the text that says it; of HTML, of the text that people see.',
    ),
  })

export type AnnouncedEvent = z.infer<ReturnType<typeof draftSchema>>

/** True for a moment of a draft that is more than a day. */
export const isTimed = (moment: string): boolean => moment.length > 10

const IGNORED_REASONS = [
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

/** A value of a model that is not believed. */
export const ignoredSchema = () =>
  z.object({
    draft: z.optional(z.int()),
    field: z.enum([...QUOTED_FIELDS, 'description']),
    value: z.string(),
    reason: z.enum(IGNORED_REASONS),
  })

export type UnbelievedValue = z.infer<ReturnType<typeof ignoredSchema>>

/** @property hasMore true if the text announces more events than {@link MAX_EVENTS} */
export type TextReading = { drafts: AnnouncedEvent[]; ignored: UnbelievedValue[]; hasMore: boolean }
