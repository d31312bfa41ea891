import type { MentionedNames } from '../../calendar/content/related/queries.ts'
import { type CountedGuess, Guesses } from '../../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type EventLike,
  type GuessedValue,
  isEventLike,
  type SourceItem,
  Unreadable,
  type VenueRecord,
} from '../../calendar/imports/records.ts'
import type { BaseContext } from '../../kit/context.ts'
import { takesPlace } from '../../kit/lib/statuses.ts'
import { fold } from '../../kit/lib/text.ts'
import { addMonths, startOfDay, toEpoch } from '../../kit/lib/time.ts'
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

/** The events of a calendar file, and what reviewers should know of them, in the calendar's language. */
type ReadCalendar = { events: readonly FormValues[]; remarks: readonly string[] }

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
  { bytes, method: methodOfPart }: CalendarFile,
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
  const records: AnyRecord[] = []
  const missed: MissedItem[] = []
  try {
    const calendar = readIcs(bytes, CALENDAR_LIMITS)
    const method = (propertyText(calendar.calendar, 'method') || methodOfPart).toUpperCase()
    if (ANSWERS.has(method))
      throw new Refused('answer', 'This e-mail answers an invitation, so it announces no event.')
    if (method === 'CANCEL') throw cancellation(context)
    if (calendar.isTooLong || calendar.events.length > MAX_EVENTS)
      throw new Refused('calendar_file', TOO_LARGE)
    for await (const item of icsItems(calendar, 'mail', window, reader))
      if (item.type === 'record') records.push(item.record)
      else if (item.type === 'failed' || item.type === 'skipped') missed.push(item)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new Refused('calendar_file', 'The calendar file of this e-mail cannot be read.', { cause: error })
  }
  // A series stands for its dates.
  const all = records.filter(isEventLike).filter(event => event.kind === 'series' || !event.occurrence)
  const planned = all.filter(({ event_status }) => takesPlace(event_status))
  if (planned.length > MAX_EVENTS) throw new Refused('calendar_file', TOO_LARGE)
  return {
    events: planned.map(event => valuesOf(event, { records, names })),
    remarks: remarksOn(context, { all, planned, missed, guesses: guesses.all }).slice(0, MAX_REMARKS),
  }
}

/** An event, or a part of one, that could not be read. */
type MissedItem = Extract<SourceItem, { type: 'failed' | 'skipped' }>

type FoundInFile = {
  all: readonly EventLike[]
  planned: readonly EventLike[]
  missed: readonly MissedItem[]
  guesses: readonly CountedGuess[]
}

/** What is private, what is missing from the events, and what was guessed. */
function remarksOn(
  { settings: { website } }: BaseContext,
  { all, planned, missed, guesses }: FoundInFile,
): string[] {
  const { inbox, reason: reasons } = textsIn(website.language)
  const quoted = (text: string) => text.slice(0, MAX_QUOTED_LENGTH)
  const onTitles = (sentence: string, events: readonly EventLike[]) => {
    const titles = [...new Set(events.map(({ title }) => quoted(title)))].join(', ')
    return titles === '' ? [] : [filled<string>(sentence, { titles })]
  }
  return [
    // It must not become public without anybody noticing.
    ...onTitles(
      inbox.isPrivate,
      planned.filter(({ status }) => status === 'private'),
    ),
    // The rule ends before it begins, or all its dates are left out: it is taken for one event.
    ...all
      .filter(event => event.kind === 'series' && event.dates.length === 0)
      .map(({ title }) => `${quoted(title)}: ${reasons.record_no_dates}`),
    ...onTitles(
      inbox.isOff,
      all.filter(event => !planned.includes(event)),
    ),
    ...missed.map(({ what, title, code, reason }) =>
      filled(inbox.isLeftOut, {
        what: quoted(title || what),
        why: code === undefined ? reason : reasons[code],
      }),
    ),
    ...guesses.map(({ code, field = '', text, as = '' }) =>
      filled<string>(reasons[code], { field, text: quoted(text), as }),
    ),
  ]
}

/** The values of an event as a form sends them, with the first of its venues and organizers. */
function valuesOf(
  event: EventLike,
  { records, names }: { records: readonly AnyRecord[]; names: MentionedNames },
): FormValues {
  const { title, description, start, end, all_day, timezone, cost, website, venues, organizers } = event
  const venue = records.find(one => one.kind === 'venue' && one.externalId === venues[0])
  const organizer = records.find(one => one.kind === 'organizer' && one.externalId === organizers[0])
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
    ...(venue?.kind === 'venue' && { venue: knownId(names.venues, venue.name) ?? newVenue(venue) }),
    ...(organizer?.kind === 'organizer' && {
      organizer: knownId(names.organizers, organizer.name) ?? { organizer: organizer.name },
    }),
    ...((rrule !== '' || rdate.length > 0) && { recurrence: { rrule, rdate, exdate } }),
  }
}

const newVenue = ({ name, address = '', city = '', zip = '', country = '' }: VenueRecord) => ({
  venue: name,
  address,
  city,
  zip,
  country,
})

/** The id of a venue or organizer of the calendar with this name. */
function knownId(names: MentionedNames['venues'], name: string): { id: number } | undefined {
  const known = names.find(other => fold(other.name) === fold(name))
  return known && { id: known.id }
}
