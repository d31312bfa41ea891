import type { RequestContext } from '../../context.ts'
import { readWith } from '../../intake/announcement.ts'
import type { AnnouncedEvent } from '../../intake/readers/text/drafts.ts'
import { escapeXml } from '../../lib/escape.ts'
import { isPassedOn, writtenText } from '../../lib/mail-text.ts'
import { fold } from '../../lib/text.ts'
import type { Names } from '../../resources/content/related/names.ts'
import { withoutFrame } from './frame.ts'
import { isBetterTitle, plainSubject } from './subject.ts'

/** The values of an event, as a form sends them. */
export type EventValues = Readonly<Record<string, unknown>>

/** The most characters that are searched for events, as in a text that somebody pastes. */
const MOST_READ = 20_000

/** The most characters of a line that becomes a title. */
const LONGEST_TITLE = 200

type MailText = { subject: string; text: string }

/** The events that an e-mail announces in its text. Those that are called off are none to add. */
export function announcedEvents(
  context: RequestContext,
  names: Names,
  { subject, text }: MailText,
): EventValues[] {
  const written = withoutFrame(writtenText(text, isPassedOn(subject)))
  const title = plainSubject(subject)
  // A day without any words is announced by the first line.
  const name = title || written.trim().split('\n', 1)[0]?.slice(0, LONGEST_TITLE) || ''
  // The subject is read as well: it may say the day, or that all is called off.
  const { drafts } = readWith(context, names, { text: `${title}\n\n${written}`.slice(0, MOST_READ) })
  const events = drafts.filter(({ event_status }) => event_status === undefined)
  const isFromSubject = ({ evidence }: AnnouncedEvent) => (evidence.title?.[0] ?? 0) < title.length
  const own = events.some(isFromSubject)
    ? readWith(context, names, { text: written.slice(0, MOST_READ) }).drafts
    : []
  // A text with several events describes each of them among others.
  const description = drafts.length === 1 ? descriptionOf(written) : ''
  return events.map(draft => {
    const other = isFromSubject(draft)
      ? own.find(({ start_date }) => start_date === draft.start_date)
      : undefined
    const isOther = other?.title !== undefined && !isBetterTitle(title, other.title, written)
    const named = { ...draft, ...(isOther && { title: other.title }) }
    return { ...valuesOf(other ? placedAs(named, other) : named, name), description }
  })
}

/** A draft with the new place of that of the text alone, in which the first line is no place: it is the title, as the subject is. */
function placedAs(draft: AnnouncedEvent, { venue }: AnnouncedEvent): AnnouncedEvent {
  const { venue: found, ...rest } = draft
  const chosen = found?.id === undefined ? venue : found
  return chosen ? { ...rest, venue: chosen } : rest
}

/** Limits on a text that becomes a description, below those of visitors. */
const MOST_DESCRIBED = { characters: 10_000, lines: 500, hosts: 5 } as const

/** The description that a text makes, as HTML; '' for one that is too long, or full of links. Reviewers see all of the text. */
export function descriptionOf(text: string): string {
  const plain = text.replaceAll('**', '').trim()
  const links = plain.match(/(?:https?:\/\/|\bwww\.)[^\s/"'<>]+/giu) ?? []
  const isTooMuch =
    plain.length > MOST_DESCRIBED.characters ||
    plain.split('\n').length > MOST_DESCRIBED.lines ||
    new Set(links).size > MOST_DESCRIBED.hosts
  return isTooMuch ? '' : escapeXml(plain)
}

const isTimed = (date: string): boolean => date.length > 10

function valuesOf(draft: AnnouncedEvent, subject: string): EventValues {
  const {
    title,
    start_date,
    end_date = start_date,
    all_day,
    venue,
    organizer,
    cost,
    website,
    dates = [],
  } = draft
  const { address = '', city = '' } = draft
  // «Barn dance with fiddles» below the subject «Barn dance» is no place, for all its barn.
  const isPlace = venue && (venue.id !== undefined || !fold(venue.venue).includes(fold(title ?? subject)))
  // Nobody knows the time of a day that the text names alone.
  const isAllDay = all_day || !isTimed(start_date)
  const time = start_date.slice(10)
  return {
    title: title ?? subject,
    start_date,
    end_date: isTimed(end_date) || isAllDay ? end_date : lastMoment(start_date, end_date),
    all_day: isAllDay,
    ...(cost !== undefined && { cost }),
    ...(website !== undefined && { website }),
    ...(isPlace && {
      venue: venue.id === undefined ? { venue: venue.venue, address, city } : { id: venue.id },
    }),
    ...(organizer && { organizer: { id: organizer.id } }),
    ...(dates.length > 0 && {
      recurrence: { rdate: dates.map(date => (isTimed(date) || isAllDay ? date : date + time)) },
    }),
  }
}

/** The end of an event that begins at a time and ends on a day. */
const lastMoment = (start: string, day: string): string => (start.startsWith(day) ? start : `${day} 23:59:59`)
