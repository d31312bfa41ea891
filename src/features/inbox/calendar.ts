import type { MentionedNames } from '../../calendar/content/related/queries.ts'
import { type CountedGuess, Guesses } from '../../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type EventRecord,
  type GuessedValue,
  type OrganizerRecord,
  type SeriesRecord,
  type SourceItem,
  Unreadable,
  type VenueRecord,
} from '../../calendar/imports/records.ts'
import type { BaseContext } from '../../kit/context.ts'
import { takesPlace } from '../../kit/lib/statuses.ts'
import { fold } from '../../kit/lib/text.ts'
import { addMonths, dayOf, startOfDay, toEpoch } from '../../kit/lib/time.ts'
import { MAX_EVENTS } from '../../readers/announcements/drafts.ts'
import { propertyText, readIcs } from '../../readers/ics/file.ts'
import { icsItems } from '../../readers/ics/items.ts'
import { filled, textsIn } from '../../words/words.ts'
import type { FormValues } from './announced-events.ts'
import type { CalendarFile } from './content.ts'
import { CALENDAR_LIMITS, MAX_CALENDAR_BYTES, Refused } from './limits.ts'

/**
 * Months before and after today for which the dates of a repetition are read, if it cannot become a series.
 */
const WINDOW_MONTHS = { before: 1, after: 24 } as const

const TOO_LARGE = `The calendar file has more than ${MAX_EVENTS} events, or is too large. Please write to the editors, who can read whole calendars.`

/**
 * An event of a calendar file, with the first and the last day of each of its dates. A private one must not
 * become public without anybody noticing.
 */
export type CalendarEvent = {
  values: FormValues
  isPrivate: boolean
  days: readonly (readonly [first: string, last: string])[]
}

/**
 * The events of a calendar file, and what reviewers should know of how it was read, in the calendar's
 * language.
 */
type ReadCalendar = { events: CalendarEvent[]; remarks: readonly string[] }

/** The most remarks on a file. */
const MAX_REMARKS = 20

/** The most characters of a text that a remark quotes. */
const MAX_QUOTED_LENGTH = 100

/** Methods by which people answer an invitation (RFC 5546): such a file announces nothing. */
const ANSWERS = new Set(['REPLY', 'COUNTER', 'DECLINECOUNTER', 'REFRESH'])

/** The editors, with their address if there is one. */
export function editorsWithAddress({ settings: { website, siteUrl } }: BaseContext): string {
  const { contact } = website
  const address = contact.startsWith('/') ? (siteUrl ?? '') + contact : contact.replace(/^mailto:/, '')
  return `the editors${address && ` (${address})`}`
}

/** @throws Refused for a file that answers an invitation, or calls off an event */
function assertAnnounces(context: BaseContext, method: string): void {
  if (ANSWERS.has(method))
    throw new Refused('answer', 'This e-mail answers an invitation, so it announces no event.')
  if (method === 'CANCEL') throw cancellation(context)
}

/** The refusal of an e-mail that calls off what it names: editors are to hear of it. */
export const cancellation = (context: BaseContext): Refused =>
  new Refused(
    'cancellation',
    `This e-mail cancels or postpones an event, but e-mails cannot change events here. Please tell ${editorsWithAddress(context)}, or withdraw what you sent at the address in our reply to it.`,
  )

/**
 * The events of an iCalendar file. All of them are new, whatever their ids: a mailed file changes no existing
 * event. Cancelled events are left out.
 *
 * @throws Refused if there are too many, or if it is not meant to announce any
 */
export async function calendarEvents(
  context: BaseContext,
  names: MentionedNames,
  { bytes, method }: CalendarFile,
): Promise<ReadCalendar> {
  if (bytes.byteLength > MAX_CALENDAR_BYTES) throw new Refused('calendar_file', TOO_LARGE)
  const today = startOfDay(context.clock.now())
  const window = { from: addMonths(today, -WINDOW_MONTHS.before), to: addMonths(today, WINDOW_MONTHS.after) }
  const guesses = new Guesses()
  const reader = {
    timezone: context.settings.timezone,
    nowMs: toEpoch(context.clock.now()),
    limits: CALENDAR_LIMITS,
    note: () => {},
    guess: (guess: GuessedValue) => guesses.take(guess),
  }
  const records = new FoundRecords(names)
  try {
    const calendar = readIcs(bytes, CALENDAR_LIMITS)
    assertAnnounces(context, (propertyText(calendar.calendar, 'method') || method).toUpperCase())
    if (calendar.isTooLong || calendar.events.length > MAX_EVENTS)
      throw new Refused('calendar_file', TOO_LARGE)
    for await (const item of icsItems(calendar, 'mail', window, reader))
      if (item.type === 'record') records.add(item.record)
      else if (item.type === 'failed' || item.type === 'skipped') records.addMissed(item)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new Refused('calendar_file', 'The calendar file of this e-mail cannot be read.', { cause: error })
  }
  const events = records.plannedEvents()
  const remarks = [
    ...records.missedRemarks(context),
    ...guesses.all.map(guess => guessRemark(context, guess)),
  ]
  return { events, remarks: remarks.slice(0, MAX_REMARKS) }
}

/** What was guessed, or left out of an event. */
function guessRemark({ settings: { website } }: BaseContext, guess: CountedGuess): string {
  const { code, field = '', text, as = '' } = guess
  const quoted = text.slice(0, MAX_QUOTED_LENGTH)
  return filled<string>(textsIn(website.language).reason[code], { field, text: quoted, as })
}

/** An event, or a part of one, that could not be read. */
type MissedItem = Extract<SourceItem, { type: 'failed' | 'skipped' }>

const daysOf = (event: EventRecord | SeriesRecord): CalendarEvent['days'] => [
  [dayOf(event.start.wall), dayOf(event.end.wall)],
  ...(event.kind === 'series' ? event.dates.map(({ date }) => [dayOf(date), dayOf(date)] as const) : []),
]

const isCalledOff = ({ event_status }: EventRecord | SeriesRecord): boolean => !takesPlace(event_status)

class FoundRecords {
  readonly #names: MentionedNames
  readonly #venues = new Map<string, VenueRecord>()
  readonly #organizers = new Map<string, OrganizerRecord>()
  readonly #events: (EventRecord | SeriesRecord)[] = []
  readonly #missed: MissedItem[] = []

  constructor(names: MentionedNames) {
    this.#names = names
  }

  add(record: AnyRecord): void {
    if (isOfKind(record, 'venue')) this.#venues.set(record.externalId, record)
    if (isOfKind(record, 'organizer')) this.#organizers.set(record.externalId, record)
    // A series stands for its dates.
    if (isOfKind(record, 'series') || (isOfKind(record, 'event') && !record.occurrence))
      this.#events.push(record)
  }

  addMissed(item: MissedItem): void {
    this.#missed.push(item)
  }

  /** Remarks on events of the file that are missing from the values. */
  missedRemarks({ settings: { website } }: BaseContext): string[] {
    const { inbox, reason } = textsIn(website.language)
    const cancelledTitles = this.#events
      .filter(isCalledOff)
      .map(({ title }) => title.slice(0, MAX_QUOTED_LENGTH))
    // The rule of such a series ends before it begins, or leaves all dates out: the series is taken for one
    // event.
    const dateless = this.#events.filter(event => event.kind === 'series' && event.dates.length === 0)
    return [
      ...dateless.map(({ title }) => `${title.slice(0, MAX_QUOTED_LENGTH)}: ${reason.record_no_dates}`),
      ...(cancelledTitles.length > 0 ? [filled(inbox.isOff, { titles: cancelledTitles.join(', ') })] : []),
      ...this.#missed.map(({ what, title, code, reason: message }) =>
        filled(inbox.isLeftOut, {
          what: (title || what).slice(0, MAX_QUOTED_LENGTH),
          why: code === undefined ? message : reason[code],
        }),
      ),
    ]
  }

  plannedEvents(): CalendarEvent[] {
    const planned = this.#events.filter(event => !isCalledOff(event))
    if (planned.length > MAX_EVENTS) throw new Refused('calendar_file', TOO_LARGE)
    return planned.map(event => ({
      values: this.#valuesOf(event),
      isPrivate: event.status === 'private',
      days: daysOf(event),
    }))
  }

  #valuesOf(event: EventRecord | SeriesRecord): FormValues {
    const { title, description, start, end, all_day, timezone, cost, website, venues, organizers } = event
    const venue = this.#venues.get(venues[0] ?? '')
    const organizer = this.#organizers.get(organizers[0] ?? '')
    const { rrule = '', rdate = [], exdate = [] } = event.kind === 'series' ? event.recurrence : {}
    return {
      title,
      description,
      all_day,
      timezone,
      start_date: start.wall,
      end_date: end.wall,
      ...(cost !== '' && { cost }),
      ...(website && { website }),
      ...(venue && { venue: this.#venueOf(venue) }),
      ...(organizer && {
        organizer: knownId(this.#names.organizers, organizer.name) ?? { organizer: organizer.name },
      }),
      ...((rrule !== '' || rdate.length > 0) && { recurrence: { rrule, rdate, exdate } }),
    }
  }

  #venueOf({ name, address = '', city = '', zip = '', country = '' }: VenueRecord) {
    return knownId(this.#names.venues, name) ?? { venue: name, address, city, zip, country }
  }
}

/** The id of a venue or organizer of the calendar with this name. */
function knownId(names: MentionedNames['venues'], name: string): { id: number } | undefined {
  const known = names.find(other => fold(other.name) === fold(name))
  return known && { id: known.id }
}

function isOfKind<R extends { kind: string }, K extends R['kind']>(
  record: R,
  kind: K,
): record is Extract<R, { kind: K }> {
  return record.kind === kind
}
