import { STATUS_LINES } from '../../calendar/events/ical/vevent.ts'
import type { RequestContext } from '../../kit/context.ts'
import {
  dateValue,
  foldLines,
  plainTitle,
  property,
  textProperty,
  uriProperty,
  utcValue,
} from '../../kit/lib/ical/lines.ts'
import { mailLine } from '../../kit/lib/text.ts'
import { addDays, dayOf, formatInstant, toWall } from '../../kit/lib/time.ts'
import { type Mail, mailBody } from '../../kit/work/mail.ts'
import { datesOf as formatsOf } from '../../words/dates.ts'
import { momentHere, momentThere } from '../../words/events.ts'
import { filled, plural, textsIn } from '../../words/words.ts'
import { PEOPLE_LINKS, type RegistrantRow } from './links.ts'
import { type DateChange, datesIn, inOrder, isOff, type KnownDate } from './rules.ts'
import type { MAIL_KINDS } from './tables.ts'

// All e-mails consist of fixed words and the event's own title, time and place: nothing that a registrant has
// typed, and no other text of an organizer.

type MailKind = (typeof MAIL_KINDS)[number]

export type RegistrationMessage = {
  kind: MailKind
  to: string
  language: string
  /** Names the e-mail: the same in every attempt. */
  id: string
  /** The start of addresses. */
  site: string
  /** The token of the person's page; undefined for somebody who no longer has one. */
  token: string | undefined
  /** True for somebody who is on the waiting list by now, or was when the organizer took them off it. */
  isWaiting: boolean
  dates: readonly KnownDate[]
  changes?: readonly DateChange[] | undefined
  /** The number of places that the person has, waits or asks for now, if known. */
  count: number | undefined
  /** The number of places, and the number before. */
  places?: readonly [places: number, was: number] | undefined
  /** The zone of the calendar. */
  siteZone: string
}

const MAX_TITLE_LENGTH = 150
/** The most dates of a series that an e-mail names. */
const MAX_DATES = 10

const whenIn = (
  { language, siteZone }: RegistrationMessage,
  { start, end, day, zone }: KnownDate,
  saysEnd = false,
): string =>
  momentThere(
    { words: textsIn(language).pages, dates: formatsOf(language) },
    { wall: start, end, saysEnd, timezone: zone, isWholeDay: day === 1 },
    siteZone,
  )

const placeIn = ({ language }: RegistrationMessage, { online, place }: KnownDate): string =>
  online === 1 ? textsIn(language).pages.onlineBadge : plainTitle(place)

/** The start at the site; '' if clocks there show the same. */
const timeAtSite = (
  { language, siteZone }: RegistrationMessage,
  { start: wall, day, zone: timezone }: KnownDate,
): string =>
  momentHere(
    { words: textsIn(language).pages, dates: formatsOf(language) },
    { wall, timezone, isWholeDay: day === 1 },
    siteZone,
  )

/** When and where a date is, with the time at the site first if that differs, as on the event's page. */
function dateLines(message: RegistrationMessage, date: KnownDate): string {
  const here = timeAtSite(message, date)
  return [here, whenIn(message, date), placeIn(message, date)].filter(Boolean).join('\n')
}

/** The dates that take place, of which a long list names the first ones, and how many there are besides. */
function allDateLines(message: RegistrationMessage): string[] {
  const { language } = message
  const takingPlace = message.dates.filter(date => !isOff(date))
  const dates = inOrder(takingPlace.length > 0 ? takingPlace : message.dates)
  const lines = dates.slice(0, MAX_DATES).map(date => dateLines(message, date))
  const last = dates.slice(MAX_DATES).at(-1)
  if (!last) return lines
  const { format, number } = formatsOf(language)
  const count = dates.length - MAX_DATES
  const text = plural(language, textsIn(language).registration.mail, 'more_dates', count)
  return [...lines, filled(text, { n: number(count), until: format('date', last.start) })]
}

function changeLine(message: RegistrationMessage, { kind, date, was }: DateChange): string {
  const words = textsIn(message.language).registration.mail
  const place = placeIn(message, date)
  // If only the end has changed, the two starts would look the same.
  const saysEnd = kind === 'moved' && date.utc[0] === was.utc[0]
  // At the site, the date may be on another day.
  const whenOf = (each: KnownDate) =>
    [
      whenIn(message, each, saysEnd),
      dayOf(toWall(each.utc[0], message.siteZone)) === dayOf(each.start) ? '' : timeAtSite(message, each),
    ]
      .filter(Boolean)
      .join(' / ')
  const when = whenOf(date)
  if (kind === 'added') return filled(words.change_added, { when: [when, place].filter(Boolean).join(', ') })
  if (kind === 'place' && place === '')
    return filled(words.change_no_place, { when, was: placeIn(message, was) })
  return filled<string>(words[`change_${kind}`], { when, was: whenOf(was), place })
}

/**
 * A calendar with the dates: only title, time, place and the person's page. Entries that an earlier e-mail
 * has put into a calendar are known by their UID, and the number of the e-mail says which is newer.
 */
function calendarOf(
  dates: readonly KnownDate[],
  { id, host, url }: { id: string; host: string; url: string },
): string {
  const [person, sequence] = [id.slice(0, id.lastIndexOf('-')), id.slice(id.lastIndexOf('-') + 1)]
  const statusOf = ({ status }: KnownDate) => (status === 'gone' ? 'canceled' : status)
  // Calendar programs then offer to remove the entries.
  const method = dates.every(date => statusOf(date) === 'canceled') ? property('METHOD', 'CANCEL') : ''
  const events = dates.map(date => {
    const times =
      date.day === 1
        ? property('DTSTART', dateValue(date.start), { VALUE: 'DATE' }) +
          property('DTEND', dateValue(addDays(date.end, 1)), { VALUE: 'DATE' })
        : property('DTSTART', utcValue(date.utc[0])) +
          // An end has to be later than the start (RFC 5545, section 3.8.2.2).
          (date.utc[0] === date.utc[1] ? '' : property('DTEND', utcValue(date.utc[1])))
    return `BEGIN:VEVENT\r\n${property('UID', `${person}-${date.id}@${host}`)}${property('DTSTAMP', utcValue(formatInstant(Date.now())))}SEQUENCE:${sequence}\r\n${STATUS_LINES[statusOf(date)]}${times}${textProperty('SUMMARY', plainTitle(date.title))}${textProperty('LOCATION', plainTitle(date.place))}${uriProperty('URL', url)}END:VEVENT\r\n`
  })
  return new TextDecoder().decode(
    foldLines(
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${textProperty('PRODID', `-//${host}//registrations//EN`)}${method}${events.join('')}END:VCALENDAR\r\n`,
    ),
  )
}

/** The status that all dates have, if they are all cancelled or all postponed. */
function sharedStatusOf({ dates, changes = [] }: RegistrationMessage): 'canceled' | 'postponed' | undefined {
  const [first] = changes
  const isSame = changes.every(({ kind }) => kind === first?.kind) && dates.every(isOff)
  return isSame && (first?.kind === 'canceled' || first?.kind === 'postponed') ? first.kind : undefined
}

/** The subject of an e-mail and its first sentence, which may differ for people on the waiting list. */
function firstWords(message: RegistrationMessage): { subject: string; text: string } {
  const { kind, language, isWaiting, count = 1 } = message
  const words = textsIn(language).registration.mail
  const subject = words[`${sharedStatusOf(message) ?? kind}_subject`]
  const text = words[`${kind}_text`]
  if (count > 1 && (kind === 'ask' || kind === 'confirmed' || kind === 'waiting' || kind === 'moved_up')) {
    const several = kind === 'moved_up' ? words.moved_up_subject_several : subject
    return { subject: several, text: words[`${kind}_text_several`] }
  }
  if (!isWaiting) return { subject, text }
  if (kind === 'removed') return { subject: words.removed_subject_waiting, text: words.removed_text_waiting }
  return { subject, text: kind === 'changed' || kind === 'places' ? words[`${kind}_text_waiting`] : text }
}

export function composeMail(message: RegistrationMessage): Mail {
  const { kind, to, language, id, site, token, isWaiting, dates, changes = [], places } = message
  const words = textsIn(language).registration.mail
  const { subject, text } = firstWords(message)
  const { number } = formatsOf(language)
  const n = number(message.count ?? 1)
  const [date] = dates
  const title = mailLine(plainTitle(date?.title ?? ''), MAX_TITLE_LENGTH)
  const href = token === undefined ? undefined : site + PEOPLE_LINKS.pathOf(token)
  const paragraphs = [
    filled(text, { title, n }),
    ...(kind === 'changed'
      ? changes.map(change => changeLine(message, change))
      : [[title, ...allDateLines(message)].join('\n')]),
    ...(sharedStatusOf(message) && changes.some(each => each.date.why === 1) ? [words.reason_on_page] : []),
    ...(places ? [filled(words.change_places, { places: number(places[0]), was: number(places[1]) })] : []),
    ...(href === undefined
      ? []
      : [words[kind === 'ask' ? 'ask_how' : isWaiting ? 'page_waiting' : 'page'], { href }]),
    ...(kind === 'ask' ? [words.ask_ignore] : []),
  ]
  const hasPlace =
    !isWaiting && (kind === 'confirmed' || kind === 'moved_up' || kind === 'places' || kind === 'changed')
  const vanished = changes.flatMap(({ date }) => (dates.some(({ id }) => id === date.id) ? [] : date))
  const entries = kind === 'changed' ? [...dates, ...vanished] : dates.filter(date => !isOff(date))
  return {
    to,
    subject: filled(subject, { title, n }),
    ...mailBody(paragraphs, language),
    language,
    id,
    ...(hasPlace &&
      href !== undefined &&
      entries.length > 0 && {
        calendar: calendarOf(entries, { id, host: new URL(site).host, url: href }),
      }),
  }
}

type FirstMailInput = {
  secret: string
  person: RegistrantRow
  dates: string
  isOnList: boolean
}

/** The first e-mail to an address, with the link that confirms it or, if it is on the list, to its page. */
export async function firstMail(
  { site, settings }: Pick<RequestContext, 'site' | 'settings'>,
  { secret, person, dates, isOnList }: FirstMailInput,
): Promise<Mail> {
  const { id, version, email, language, created_utc } = person
  const token = await PEOPLE_LINKS.tokenOf(secret, person)
  const kind = isOnList ? 'known' : 'ask'
  const mailId = `registration-${id}-${version}.${kind}.${created_utc.replace(/\D/g, '')}`
  return composeMail({
    kind,
    to: email,
    language,
    id: mailId,
    site,
    token,
    isWaiting: person.state === 'waiting',
    dates: datesIn(dates),
    count: person.places,
    siteZone: settings.timezone,
  })
}
