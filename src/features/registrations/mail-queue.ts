import { type SQL, sql } from 'drizzle-orm'
import type { MailRun } from '../../kit/context.ts'
import {
  combineQueries,
  inList,
  literal,
  many,
  orNull,
  type RowOfQuery,
  readNumber,
  readOneOf,
  readText,
} from '../../kit/db/query.ts'
import { selectSecret } from '../../kit/http/personal-links.ts'
import { DAY_MS, formatInstant } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import type { Settings } from '../../kit/settings.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import { runLogged } from '../../kit/work/error-log.ts'
import { ALL_ROWS, notPostponedSql, postpone } from '../../kit/work/leases.ts'
import { type Mail, refusalSubject, sendMail } from '../../kit/work/mail.ts'
import { REFUSED_MAIL_DAYS, REGISTRATION_WORK } from './budgets.ts'
import { PEOPLE_LINKS, type RegistrantRow } from './links.ts'
import { composeMail, type RegistrationMessage } from './mails.ts'
import { knownDates, NOTHING_TOLD } from './occasion.ts'
import { type DateChange, datesIn } from './rules.ts'
import {
  type FIRST_MAIL_KINDS,
  MAIL_KINDS,
  REGISTRANT_STATES,
  registrants,
  registrationMails,
  registrations,
  UNCONFIRMED,
  unconfirmedSql,
} from './tables.ts'

// E-mails that wait for the cron. They are claimed before they are sent, and only those that the platform
// refuses because of the calendar wait again: nobody gets one twice.

/**
 * The name of these e-mails in the table `setbacks`, where all of them are postponed together. While the
 * platform refuses them, runs try less and less often.
 */
const rowName = 'registration'

export const mailsDueSql = (nowMs: number) =>
  sql`(EXISTS (SELECT 1 FROM ${registrationMails} WHERE claimed_utc = '')
    AND ${notPostponedSql(rowName, nowMs, literal(ALL_ROWS))})`

/** Sends e-mails that wait, as far as the allowance permits. Can run twice at the same time. */
export async function sendMails(run: MailRun): Promise<void> {
  const { allowance } = run.db
  while (allowance.allows('registrations', REGISTRATION_WORK.ofGroup)) if (!(await sendGroup(run))) return
}

/** Claims a group of e-mails, and reads what they say. */
function claimQuery(nowMs: number) {
  const nextIds = sql`SELECT id FROM ${registrationMails} WHERE claimed_utc = '' ORDER BY id
    LIMIT ${literal(REGISTRATION_WORK.mailsPerGroup)}`
  return many(
    sql`UPDATE ${registrationMails} SET claimed_utc = ${formatInstant(nowMs)}
      WHERE id IN (${nextIds}) RETURNING id, kind, email, language, about, api,
      registrant_id, iif(kind = 'ask', ${knownDates(registrationMails.registration_id, NOTHING_TOLD)},
        ${knownDates(registrationMails.registration_id)}) AS dates,
      (SELECT version FROM ${registrants} WHERE ${registrants.id} = registrant_id
      AND kind NOT IN ('removed', 'gone')) AS version,
      (SELECT state FROM ${registrants} WHERE ${registrants.id} = registrant_id) AS state,
      (SELECT places FROM ${registrants} WHERE ${registrants.id} = registrant_id) AS count`,
    {
      id: readNumber,
      kind: readOneOf(MAIL_KINDS),
      email: readText,
      language: readText,
      about: readText,
      api: readText,
      registrant_id: readNumber,
      dates: readText,
      version: orNull(readNumber),
      state: orNull(readOneOf(REGISTRANT_STATES)),
      count: orNull(readNumber),
    },
  )
}

type ClaimedMail = RowOfQuery<typeof claimQuery>

/** What the column `about` says of an e-mail, by its kind. */
function readAbout({
  kind,
  about,
}: ClaimedMail): Partial<Pick<RegistrationMessage, 'dates' | 'changes' | 'places' | 'isWaiting'>> {
  switch (kind) {
    case 'changed':
      return { changes: storedJson<DateChange[]>(about) }
    // The registration has ended, so its dates are stored.
    case 'gone':
      return { dates: datesIn(about) }
    case 'places':
      return { places: storedJson<[[places: number, was: number]]>(about)[0] }
    case 'removed':
      return { isWaiting: storedJson<[state: string]>(about)[0] === 'waiting' }
    default:
      return {}
  }
}

/**
 * True for a first e-mail that would say nothing any more: the person has confirmed or is gone, or nobody may
 * see the event.
 */
const isPast = ({ kind, state, version, dates }: ClaimedMail): boolean =>
  (kind === 'ask' && (state !== UNCONFIRMED || datesIn(dates).length === 0)) ||
  (kind === 'known' && version === null)

async function mailOf(row: ClaimedMail, secret: string, settings: Settings): Promise<Mail> {
  const { kind, email, language, registrant_id: id, version, state, count } = row
  return composeMail({
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
    ...readAbout(row),
    siteZone: settings.timezone,
  })
}

/** @returns false if there is nothing more to send now */
async function sendGroup({ db, settings, mailer, nowMs }: MailRun): Promise<boolean> {
  const { secret, rows } = await db.write(combineQueries({ secret: selectSecret(), rows: claimQuery(nowMs) }))
  db.allowance.spend({ requests: rows.length, cpuMs: REGISTRATION_WORK.ofGroup.cpuMs })
  const doneIds: number[] = []
  const refused: { id: number; reason: string }[] = []
  const send = (row: ClaimedMail) =>
    // What can't be composed stays claimed, and the others are sent.
    runLogged(`${rowName} ${row.id}`, async () => {
      if (isPast(row)) return void doneIds.push(row.id)
      const { state, reason } = await sendMail(mailer, await mailOf(row, secret, settings))
      if (state === 'refused' && refusalSubject(reason) === 'calendar') refused.push({ id: row.id, reason })
      else doneIds.push(row.id)
    })
  // E-mails to one person are sent in order: somebody who moves up was told before that they are waiting.
  const mailsByPerson = Map.groupBy(
    rows.toSorted((a, b) => a.id - b.id),
    row => row.registrant_id,
  )
  await Promise.all(
    [...mailsByPerson.values()].map(async mails => {
      for (const mail of mails) await send(mail)
    }),
  )
  await db.write([
    sql`DELETE FROM ${registrationMails} WHERE id IN ${inList(doneIds)}`,
    ...(refused.length > 0
      ? [
          sql`UPDATE ${registrationMails} SET claimed_utc = '' WHERE id IN ${inList(refused.map(({ id }) => id))}`,
          // The e-mails that are not claimed wait, too.
          sql`UPDATE ${registrationMails} SET held_utc = ${formatInstant(nowMs)}
            WHERE claimed_utc = '' AND held_utc = ''`,
        ]
      : []),
  ])
  const [refusal] = refused
  if (!refusal) return rows.length === REGISTRATION_WORK.mailsPerGroup
  await postpone(db, { rowName, id: ALL_ROWS, nowMs }, new Error(refusal.reason))
  return false
}

/**
 * The statement that adds an e-mail to people on lists.
 *
 * @param about an expression of a JSON array
 * @param where a condition of rows of the settings, and of people `p`
 */
export const mailInsertStatement = (
  kind: 'places' | 'removed' | 'changed' | 'gone',
  { about, where }: { about: string | SQL; where: SQL },
): SQL =>
  sql`INSERT INTO ${registrationMails} (kind, registration_id, registrant_id, email, language, about, api)
    SELECT ${kind}, ${registrations.id}, p.id, p.email, p.language, ${about}, ${registrations.api} FROM ${registrations}
    CROSS JOIN ${registrants} AS p ON p.registration_id = ${registrations.id}
    WHERE ${where} AND NOT ${unconfirmedSql(sql`p.state`)} AND p.email <> ''`

/**
 * The statement that queues a first e-mail, unless the person has been given another link since, or one waits
 * already.
 */
export const firstMailInsertStatement = (
  kind: (typeof FIRST_MAIL_KINDS)[number],
  { id, version }: RegistrantRow,
): SQL =>
  sql`INSERT INTO ${registrationMails} (kind, registration_id, registrant_id, email, language, api)
    SELECT ${kind}, ${registrations.id}, p.id, p.email, p.language, ${registrations.api} FROM ${registrants} AS p
    CROSS JOIN ${registrations} ON ${registrations.id} = p.registration_id
    WHERE p.id = ${id} AND p.version = ${version} AND NOT EXISTS (SELECT 1 FROM ${registrationMails} AS waiting
      WHERE waiting.registrant_id = p.id AND waiting.kind = ${kind} AND waiting.claimed_utc = '')`

// No index finds the following rows: the table holds only queued e-mails, and an index would cost one more
// row for each.

/** E-mails that were claimed a day ago: nobody knows whether they were sent. */
export const lostMails = (nowMs: number): DueRows => ({
  name: 'lost e-mails of registrations',
  rowName: 'lost e-mail of registrations',
  table: registrationMails,
  dueSql: sql`claimed_utc <> '' AND claimed_utc < ${formatInstant(nowMs - DAY_MS)}`,
  limit: 500,
  isUnindexed: true,
})

/** E-mails that the platform has refused for days. */
export const refusedMails = (nowMs: number): DueRows => ({
  name: 'held e-mails of registrations',
  rowName: 'held e-mail of registrations',
  table: registrationMails,
  dueSql: sql`claimed_utc = '' AND held_utc <> '' AND held_utc < ${formatInstant(nowMs - REFUSED_MAIL_DAYS * DAY_MS)}`,
  index: 'registration_mails_due',
  limit: 500,
  isUnindexed: true,
})
