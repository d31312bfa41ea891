import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { MailRun } from '../kit/context.ts'
import { combineQueries, first, literal, many, type RowOfQuery } from '../kit/db/query.ts'
import { build } from '../kit/db/statements.ts'
import { audit, events, remarks, sources, submissions, twins, users } from '../kit/db/tables.ts'
import { NOTICE_WORK } from '../kit/lib/budgets.ts'
import { RETRIES_OF_ROWS, type WaitingWork } from '../kit/lib/retries.ts'
import { mailLine } from '../kit/lib/text.ts'
import {
  type DateTime,
  formatInstant,
  HOUR_MS,
  MINUTE_MS,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
} from '../kit/lib/time.ts'
import { isFeatureOn, type Settings } from '../kit/settings.ts'
import { notPostponedSql, tryRow } from '../kit/work/leases.ts'
import { mailBody, sendMail } from '../kit/work/mail.ts'
import { datesOf } from '../words/dates.ts'
import { filled, plural, textsIn } from '../words/words.ts'
import { ACCOUNT } from './account/page.ts'
import { countText } from './context.ts'
import { REVIEW_PATH } from './review/page.ts'
import { selectReviewCount, waitingBySeries, waitingSeries, waitingSingles } from './review/queries.ts'
import { DUPLICATES_PATH, SOURCES_PATH, selectAskedCount } from './source-paths.ts'

// Editors who asked for notices get by e-mail the numbers that the editor's menu shows. There is no queue:
// what is newer than a user's last notice is news, and each notice has the numbers of all waiting items.

/** The hour at which daily notices begin to be sent. They are sent for an hour. */
const NOTICE_TIME = '08:00:00'

/** How long a source may fail before anybody gets a notice: the next attempt often works. */
const SOURCE_PATIENCE = '+1 hour'

/** The most waiting events and the most series that are looked at for news, and dates of each series. */
const MAX_SEEN = 100
const MAX_DATES_SEEN = 20

/** The beginning of this morning, if it is morning; undefined otherwise. */
function morningOf(now: DateTime, zone: string): DateTime | undefined {
  const beginning = toUtc(startOfDay(toWall(now, zone)).replace('00:00:00', NOTICE_TIME), zone)
  return beginning <= now && toEpoch(now) - toEpoch(beginning) < HOUR_MS ? beginning : undefined
}

/** A condition that is true if somebody else has changed a waiting event or its series. */
const changedByOthersSql = (kind: 'event' | 'series', id: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${audit} INDEXED BY audit_object WHERE kind = ${kind} AND object_id = ${id}
    AND at_utc >= person.noticed_utc AND user_id IS NOT person.id)`

type NoticeSettings = Pick<Settings, 'timezone' | 'features'>

/** A condition that is true if an item is waiting that is newer than the last notice of the user `person`. */
const withNewsSql = (settings: NoticeSettings, now: DateTime): SQL => {
  const newSql = sql`${events.modified_utc} >= person.noticed_utc`
  const submittedSql = (event: SQL): SQL =>
    sql`EXISTS (SELECT 1 FROM ${submissions} AS sent WHERE sent.event_id = ${event} AND sent.created_utc >= person.noticed_utc)`
  const newSingles = sql`${waitingSingles(sql`${events.id} AS id`)} AND ${newSql}
    ORDER BY ${events.modified_utc} DESC LIMIT ${literal(MAX_SEEN)}`
  const newDates = sql`SELECT ${events.id} AS id FROM ${waitingBySeries} AND ${events.series_id} = in_series.id AND ${newSql}
    ORDER BY ${events.modified_utc} DESC LIMIT ${literal(MAX_DATES_SEEN)}`
  return sql`(EXISTS (SELECT 1 FROM (${newSingles}) AS waiting
      WHERE ${changedByOthersSql('event', sql`waiting.id`)} OR ${submittedSql(sql`waiting.id`)})
    OR EXISTS (SELECT 1 FROM (${waitingSeries} LIMIT ${literal(MAX_SEEN)}) AS in_series
      WHERE EXISTS (SELECT 1 FROM (${newDates}) AS waiting WHERE ${changedByOthersSql('series', sql`in_series.id`)}
        OR ${submittedSql(sql`in_series.first_date`)} OR ${changedByOthersSql('event', sql`waiting.id`)}))
    OR EXISTS (SELECT 1 FROM ${remarks} WHERE created_utc >= person.noticed_utc)
    OR EXISTS (SELECT 1 FROM ${twins} WHERE state = 'asked' AND at_utc >= person.noticed_utc)
    OR EXISTS (SELECT 1 FROM ${sources} WHERE ${failingSql(settings, now)}
    AND datetime(failing_since_utc, ${SOURCE_PATIENCE}) > person.noticed_utc))`
}

/**
 * A condition for sources that have failed for so long that somebody should know, if sources are read at all.
 */
const failingSql = (settings: NoticeSettings, now: DateTime): SQL =>
  sql`(${literal(Number(isFeatureOn(settings, 'sources')))} AND state IN ('failing', 'asking')
    AND NOT is_being_deleted AND datetime(failing_since_utc, ${SOURCE_PATIENCE}) <= ${now})`

/** Each notice lists everything that waits when it is sent, so it is never too old. */
export const NOTICES_WAITING = {
  rowName: 'notice',
  atOnce: 5,
  leaseMs: null,
  retries: RETRIES_OF_ROWS,
} as const satisfies WaitingWork

const { rowName } = NOTICES_WAITING

/** The users who get a notice now: at most one e-mail a minute each. */
function duePeople(settings: NoticeSettings, nowMs: number): SQL {
  const now = formatInstant(nowMs)
  const morning = morningOf(now, settings.timezone)
  const timeToNoticeSql = sql`(notices = 'now' AND noticed_utc <= ${formatInstant(nowMs - MINUTE_MS)})
    OR (notices = 'day' AND ${morning ? sql`noticed_utc < ${morning}` : sql`0`})`
  return sql`${users} AS person INDEXED BY users_notices
    WHERE person.notices <> 'never' AND person.email <> '' AND person.role IN ('administrator', 'editor')
      AND (${timeToNoticeSql}) AND ${notPostponedSql(rowName, nowMs, sql`person.id`)} AND ${withNewsSql(settings, now)}`
}

/** A condition that is true if {@link sendNotices} has something to do. */
export const noticeDueSql = (settings: NoticeSettings, nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${duePeople(settings, nowMs)})`

/** The most sources that a notice names, and the most characters of each. */
const MAX_NAMED = 10
const MAX_CHARACTERS = 100

const selectWaitingItems = (settings: NoticeSettings, now: DateTime) =>
  combineQueries({
    review: selectReviewCount,
    duplicates: selectAskedCount,
    failing: many(
      build.select({ name: sources.name }).from(sources).where(failingSql(settings, now)).limit(MAX_NAMED),
    ),
  })

type WaitingItems = RowOfQuery<typeof selectWaitingItems>

/**
 * The paragraphs of a notice. Links need the var `SITE_URL`: the cron has no request that would tell where
 * the editor is.
 */
function paragraphsOf({ siteName, siteUrl, website: { language } }: Settings, waitingItems: WaitingItems) {
  const words = textsIn(language).mail
  const dates = datesOf(language)
  const line = (key: 'noticeReview' | 'noticeDuplicates', n: number) =>
    filled<string>(plural(language, words, key, n), { count: countText({ dates }, n) })
  const link = (path: string) => (siteUrl === undefined ? [] : [{ href: siteUrl + path }])
  return [
    filled(words.noticeHello, { site: siteName }),
    ...(waitingItems.review > 0 ? [line('noticeReview', waitingItems.review), ...link(REVIEW_PATH)] : []),
    ...(waitingItems.duplicates > 0
      ? [line('noticeDuplicates', waitingItems.duplicates), ...link(DUPLICATES_PATH)]
      : []),
    ...waitingItems.failing.map(({ name }) =>
      filled(words.noticeSource, { name: mailLine(name, MAX_CHARACTERS) }),
    ),
    ...(waitingItems.failing.length > 0 ? link(SOURCES_PATH) : []),
    words.noticeWhy,
    ...link(`${ACCOUNT}#email`),
  ]
}

const selectPeople = (settings: NoticeSettings, nowMs: number) => {
  const ids = sql`SELECT person.id FROM ${duePeople(settings, nowMs)}
    ORDER BY person.noticed_utc, person.id LIMIT ${literal(NOTICES_WAITING.atOnce)}`
  return many(
    build
      .select({ id: users.id, email: users.email, noticed: users.noticed_utc })
      .from(users)
      .where(sql`${users.id} IN (${ids})`),
  )
}

/**
 * Sends notices about waiting items, as far as the allowance permits. Two runs may overlap, since each claims
 * its users.
 */
export async function sendNotices({ db, settings, mailer, nowMs }: MailRun): Promise<void> {
  const { toFind, ofPerson } = NOTICE_WORK
  if (!db.allowance.allows('notices', { ...ofPerson, statements: toFind + ofPerson.statements })) return
  const now = formatInstant(nowMs)
  const { people, waitingItems } = await db.read(
    combineQueries({
      people: selectPeople(settings, nowMs),
      waitingItems: selectWaitingItems(settings, now),
    }),
  )
  const { language } = settings.website
  const subject = filled(textsIn(language).mail.noticeSubject, { site: settings.siteName })
  const body = mailBody(paragraphsOf(settings, waitingItems), language)
  await db.allowance.forEach('notices', ofPerson, people, ({ id, email, noticed }) =>
    tryRow(db, { rowName, id, nowMs }, async () => {
      const noticedAt = (time: DateTime) => and(eq(users.id, id), eq(users.noticed_utc, time))
      const claim = build
        .update(users)
        .set({ noticed_utc: now })
        .where(noticedAt(noticed))
        .returning({ id: users.id })
      if (!(await db.write(first(claim)))) return
      const mail = { to: email, subject, ...body, language, id: `notice-${id}-${toEpoch(now)}` }
      const { state, reason } = await sendMail(mailer, mail)
      if (state !== 'refused') return
      // The next attempt sends the same notice.
      await db.write([build.update(users).set({ noticed_utc: noticed }).where(noticedAt(now))])
      throw new Error(reason)
    }),
  )
}
