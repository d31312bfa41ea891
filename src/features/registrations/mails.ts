import { type SQL, sql } from 'drizzle-orm'
import type { MailRun, RequestContext } from '../../kit/context.ts'
import {
  among,
  combineQueries,
  inList,
  literal,
  many,
  orNull,
  readNumber,
  readText,
} from '../../kit/db/query.ts'
import { selectSecret } from '../../kit/http/personal-links.ts'
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
import { addDays, DAY_MS, formatInstant } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import { runLogged } from '../../kit/work/error-log.ts'
import { ALL_ROWS, notPostponedSql, postpone } from '../../kit/work/leases.ts'
import { type Mail, type MailOutcome, mailBody, refusalSubject, sendMail } from '../../kit/work/mail.ts'
import { datesOf as formatsOf } from '../../words/dates.ts'
import { momentHere, momentThere } from '../../words/events.ts'
import { filled, textsIn } from '../../words/words.ts'
import { REFUSED_MAIL_DAYS, REGISTRATION_MAILS, REGISTRATION_WORK } from './budgets.ts'
import { PEOPLE_LINKS, type RegistrantRow } from './links.ts'
import { knownDates } from './occasion.ts'
import { type DateChange, datesIn, isOff, type KnownDate } from './rules.ts'
import {
  MAIL_KINDS,
  REGISTRANT_STATES,
  registrants,
  registrationMails,
  registrations,
  unconfirmedSql,
} from './tables.ts'

// All e-mails consist of fixed words and the event's own title, time and place: nothing that a registrant has
// typed, and no other text of an organizer.

type MailKind = (typeof MAIL_KINDS)[number] | 'ask' | 'known'

type Message = {
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
  count?: number | undefined
  /** The number of places, and the number before. */
  places?: readonly [places: number, was: number] | undefined
  /** The zone of the calendar. */
  siteZone: string
}

const MAX_TITLE = 150
/** The most dates of a series that an e-mail names. */
const MAX_DATES = 10

const whenIn = (
  { language, siteZone }: Pick<Message, 'language' | 'siteZone'>,
  { start, end, day, zone = siteZone }: KnownDate,
  saysEnd = false,
): string =>
  momentThere(
    { words: textsIn(language).pages, dates: formatsOf(language) },
    { wall: start, end, saysEnd, timezone: zone, isWholeDay: day === 1 },
    siteZone,
  )

const placeIn = ({ language }: Pick<Message, 'language'>, { online, place }: KnownDate): string =>
  online === 1 ? textsIn(language).pages.onlineBadge : plainTitle(place)

/** When and where it is, with the time at the site first if that is another one, as on the event's page. */
function dateLines(message: Message, date: KnownDate): string {
  const { language, siteZone } = message
  const { start: wall, day, zone: timezone = siteZone } = date
  const wording = { words: textsIn(language).pages, dates: formatsOf(language) }
  const here = momentHere(wording, { wall, timezone, isWholeDay: day === 1 }, siteZone)
  return [here, whenIn(message, date), placeIn(message, date)].filter(Boolean).join('\n')
}

function changeLine(message: Message, { kind, date, was }: DateChange): string {
  const words = textsIn(message.language).registration.mail
  const place = placeIn(message, date)
  // Where only the end is another one, starts would look the same.
  const saysEnd = kind === 'moved' && date.utc[0] === was.utc[0]
  const when = whenIn(message, date, saysEnd)
  if (kind === 'added') return filled(words.change_added, { when: [when, place].filter(Boolean).join(', ') })
  if (kind === 'place' && place === '')
    return filled(words.change_no_place, { when, was: placeIn(message, was) })
  return filled<string>(words[`change_${kind}`], { when, was: whenIn(message, was, saysEnd), place })
}

/** A calendar with the dates: only title, time, place and the person's page. */
function calendarOf(
  dates: readonly KnownDate[],
  { id, host, url }: { id: string; host: string; url: string },
): string {
  const events = dates.map(date => {
    const times =
      date.day === 1
        ? property('DTSTART', dateValue(date.start), { VALUE: 'DATE' }) +
          property('DTEND', dateValue(addDays(date.end, 1)), { VALUE: 'DATE' })
        : property('DTSTART', utcValue(date.utc[0])) +
          // An end has to be later than the start (RFC 5545, section 3.8.2.2).
          (date.utc[0] === date.utc[1] ? '' : property('DTEND', utcValue(date.utc[1])))
    return `BEGIN:VEVENT\r\n${property('UID', `${id}-${date.id}@${host}`)}${property('DTSTAMP', utcValue(formatInstant(Date.now())))}${times}${textProperty('SUMMARY', plainTitle(date.title))}${textProperty('LOCATION', plainTitle(date.place))}${uriProperty('URL', url)}END:VEVENT\r\n`
  })
  return new TextDecoder().decode(
    foldLines(
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${textProperty('PRODID', `-//${host}//registrations//EN`)}${events.join('')}END:VCALENDAR\r\n`,
    ),
  )
}

/** The status that all dates have, if they are all cancelled or all postponed. */
function sharedStatusOf({ dates, changes = [] }: Message): 'canceled' | 'postponed' | undefined {
  const [first] = changes
  const isSame = changes.every(({ kind }) => kind === first?.kind) && dates.every(isOff)
  return isSame && (first?.kind === 'canceled' || first?.kind === 'postponed') ? first.kind : undefined
}

/** The subject of an e-mail and its first sentence, which may differ for people on the waiting list. */
function firstWords(message: Message): { subject: string; text: string } {
  const { kind, language, isWaiting, count = 1 } = message
  const words = textsIn(language).registration.mail
  const [subject, text] = [words[`${sharedStatusOf(message) ?? kind}_subject`], words[`${kind}_text`]]
  if (count > 1 && (kind === 'ask' || kind === 'confirmed' || kind === 'waiting' || kind === 'moved_up')) {
    const several = kind === 'moved_up' ? words.moved_up_subject_several : subject
    return { subject: several, text: words[`${kind}_text_several`] }
  }
  if (!isWaiting) return { subject, text }
  if (kind === 'removed') return { subject: words.removed_subject_waiting, text: words.removed_text_waiting }
  return { subject, text: kind === 'changed' || kind === 'places' ? words[`${kind}_text_waiting`] : text }
}

function compose(message: Message): Mail {
  const { kind, to, language, id, site, token, isWaiting, dates, changes = [], places } = message
  const words = textsIn(language).registration.mail
  const { subject, text } = firstWords(message)
  const { number } = formatsOf(language)
  const n = number(message.count ?? 1)
  const [date] = dates
  const title = mailLine(plainTitle(date?.title ?? ''), MAX_TITLE)
  const href = token === undefined ? undefined : site + PEOPLE_LINKS.pathOf(token)
  const facts = dates.slice(0, MAX_DATES).map(each => dateLines(message, each))
  const paragraphs = [
    filled(text, { title, n }),
    ...(kind === 'changed'
      ? changes.map(change => changeLine(message, change))
      : [[title, ...facts].join('\n')]),
    ...(sharedStatusOf(message) && changes.some(({ date }) => date.why === 1) ? [words.reason_on_page] : []),
    ...(places ? [filled(words.change_places, { places: number(places[0]), was: number(places[1]) })] : []),
    ...(href === undefined
      ? []
      : [words[kind === 'ask' ? 'ask_how' : isWaiting ? 'page_waiting' : 'page'], { href }]),
    ...(kind === 'ask' ? [words.ask_ignore] : []),
  ]
  const hasPlace =
    !isWaiting && (kind === 'confirmed' || kind === 'moved_up' || kind === 'places' || kind === 'changed')
  const coming = dates.filter(({ status }) => status === 'scheduled' || status === 'rescheduled')
  return {
    to,
    subject: filled(subject, { title, n }),
    ...mailBody(paragraphs, language),
    language,
    id,
    ...(hasPlace &&
      href !== undefined &&
      coming.length > 0 && {
        calendar: calendarOf(coming, { id: id.replace(/-[^-]*$/, ''), host: new URL(site).host, url: href }),
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
  const name = `registration-${id}-${version}.${kind}.${created_utc.replace(/\D/g, '')}`
  return compose({
    kind,
    to: email,
    language,
    id: name,
    site,
    token,
    isWaiting: person.state === 'waiting',
    dates: datesIn(dates),
    count: person.places,
    siteZone: settings.timezone,
  })
}

// E-mails that wait for the cron.

const { rowName } = REGISTRATION_MAILS

export const mailsDueSql = (nowMs: number) =>
  sql`(EXISTS (SELECT 1 FROM ${registrationMails} WHERE claimed_utc = '')
    AND ${notPostponedSql(rowName, nowMs, literal(ALL_ROWS))})`

/** Sends e-mails that wait, as far as the allowance permits. Can run twice at the same time. */
export async function sendMails(run: MailRun): Promise<void> {
  const { allowance } = run.db
  while (allowance.allows('registrations', REGISTRATION_WORK.ofGroup)) if (!(await sendGroup(run))) return
}

const MAIL_ROW = {
  id: readNumber,
  kind: among(MAIL_KINDS),
  email: readText,
  language: readText,
  about: readText,
  api: readText,
  registrant_id: readNumber,
  dates: readText,
  version: orNull(readNumber),
  state: orNull(among(REGISTRANT_STATES)),
  count: orNull(readNumber),
}

/** What the column `about` says of an e-mail, by its kind. */
function readAbout(
  kind: MailKind,
  about: string,
): Partial<Pick<Message, 'dates' | 'changes' | 'places' | 'isWaiting'>> {
  switch (kind) {
    case 'changed':
      return { changes: storedJson<DateChange[]>(about) }
    // The registration has ended, so these are stored.
    case 'gone':
      return { dates: datesIn(about) }
    // Rows of earlier versions say nothing of these two.
    case 'places':
      return { places: storedJson<[[places: number, was: number]?]>(about)[0] }
    case 'removed':
      return { isWaiting: storedJson<[state?: string]>(about)[0] === 'waiting' }
    default:
      return {}
  }
}

/** @returns false if there is nothing more to send now */
async function sendGroup({ db, settings, mailer, nowMs }: MailRun): Promise<boolean> {
  const nextIds = sql`SELECT id FROM ${registrationMails} WHERE claimed_utc = '' ORDER BY id
    LIMIT ${literal(REGISTRATION_WORK.mailsPerGroup)}`
  const { secret, rows } = await db.write(
    combineQueries({
      secret: selectSecret(),
      rows: many(
        sql`UPDATE ${registrationMails} SET claimed_utc = ${formatInstant(nowMs)}
          WHERE id IN (${nextIds}) RETURNING id, kind, email, language, about, api,
          registrant_id, ${knownDates(registrationMails.registration_id)} AS dates,
          (SELECT version FROM ${registrants} WHERE ${registrants.id} = registrant_id
          AND kind NOT IN ('removed', 'gone')) AS version,
          (SELECT state FROM ${registrants} WHERE ${registrants.id} = registrant_id) AS state,
          (SELECT places FROM ${registrants} WHERE ${registrants.id} = registrant_id) AS count`,
        MAIL_ROW,
      ),
    }),
  )
  db.allowance.spend({ requests: rows.length, cpuMs: REGISTRATION_WORK.ofGroup.cpuMs })
  const outcomes: (MailOutcome & { id: number })[] = []
  const send = ({
    kind,
    email,
    language,
    registrant_id: id,
    version,
    state,
    count,
    ...row
  }: (typeof rows)[number]) =>
    // What can't be composed stays claimed, and the others are sent.
    runLogged(`${rowName} ${row.id}`, async () => {
      const mail = compose({
        kind,
        to: email,
        language,
        id: `registration-${id}-${row.id}`,
        site: settings.siteUrl ?? new URL(row.api).origin,
        token: version === null ? undefined : await PEOPLE_LINKS.tokenOf(secret, { id, version }),
        // Whoever has moved up since then hears of that in the next e-mail.
        isWaiting: state === 'waiting' || kind === 'waiting',
        dates: datesIn(row.dates),
        count: count ?? undefined,
        ...readAbout(kind, row.about),
        siteZone: settings.timezone,
      })
      outcomes.push({ id: row.id, ...(await sendMail(mailer, mail)) })
    })
  // E-mails to one person are sent in order: somebody who moves up was told before that they are waiting.
  const ofPeople = Map.groupBy(
    rows.toSorted((a, b) => a.id - b.id),
    row => row.registrant_id,
  )
  await Promise.all(
    [...ofPeople.values()].map(async mails => {
      for (const mail of mails) await send(mail)
    }),
  )
  const refusedOutcomes = outcomes.filter(
    ({ state, reason }) => state === 'refused' && refusalSubject(reason) === 'calendar',
  )
  const doneIds = outcomes.filter(outcome => !refusedOutcomes.includes(outcome)).map(({ id }) => id)
  await db.write([
    sql`DELETE FROM ${registrationMails} WHERE id IN ${inList(doneIds)}`,
    ...(refusedOutcomes.length > 0
      ? [
          sql`UPDATE ${registrationMails} SET claimed_utc = '' WHERE id IN ${inList(refusedOutcomes.map(({ id }) => id))}`,
          // The e-mails that are not claimed wait, too.
          sql`UPDATE ${registrationMails} SET held_utc = ${formatInstant(nowMs)}
            WHERE claimed_utc = '' AND held_utc = ''`,
        ]
      : []),
  ])
  const [refused] = refusedOutcomes
  if (refused) await postpone(db, { rowName, id: ALL_ROWS, nowMs }, new Error(refused.reason))
  return rows.length === REGISTRATION_WORK.mailsPerGroup && refusedOutcomes.length === 0
}

/**
 * The statement that adds an e-mail to people on lists.
 *
 * @param about an expression of a JSON array
 * @param where a condition of rows of the settings, and of people `p`
 */
export const mailInsertion = (
  kind: 'places' | 'removed' | 'changed' | 'gone',
  { about, where }: { about: string | SQL; where: SQL },
): SQL =>
  sql`INSERT INTO ${registrationMails} (kind, registration_id, registrant_id, email, language, about, api)
    SELECT ${kind}, ${registrations.id}, p.id, p.email, p.language, ${about}, ${registrations.api} FROM ${registrations}
    CROSS JOIN ${registrants} AS p ON p.registration_id = ${registrations.id}
    WHERE ${where} AND NOT ${unconfirmedSql(sql`p.state`)} AND p.email <> ''`

// No index finds these: the table holds only queued e-mails, and an index would cost one more row for each.

/** E-mails that were claimed a day ago: nobody knows whether they were sent. */
export const lostMails = (nowMs: number): DueRows => ({
  name: 'lost e-mails of registrations',
  rowName: 'lost e-mail of registrations',
  table: registrationMails,
  due: sql`claimed_utc <> '' AND claimed_utc < ${formatInstant(nowMs - DAY_MS)}`,
  limit: 500,
  isUnindexed: true,
})

/** E-mails that the platform has refused for days. */
export const refusedMails = (nowMs: number): DueRows => ({
  name: 'held e-mails of registrations',
  rowName: 'held e-mail of registrations',
  table: registrationMails,
  due: sql`claimed_utc = '' AND held_utc <> '' AND held_utc < ${formatInstant(nowMs - REFUSED_MAIL_DAYS * DAY_MS)}`,
  limit: 500,
  isUnindexed: true,
})
