import { and, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, MailRun } from '../../../kit/context.ts'
import { combineQueries, first, literal, many, type Query, type Statement } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { setbacks } from '../../../kit/db/tables.ts'
import { selectSecret } from '../../../kit/http/personal-links.ts'
import { backgroundContext } from '../../../kit/http/request-context.ts'
import { ApiError } from '../../../kit/lib/errors.ts'
import { addDays, DAY_MS, type DateTime, dayOf, formatInstant } from '../../../kit/lib/time.ts'
import type { Settings } from '../../../kit/settings.ts'
import { asError } from '../../../kit/work/error-log.ts'
import { ALL_ROWS, notPostponedSql, postpone } from '../../../kit/work/leases.ts'
import { type MailOutcome, refusalSubject, sendMail } from '../../../kit/work/mail.ts'
import { LETTER_WEEKDAYS, newsChoices, subscribers } from '../tables.ts'
import { type ChoiceRow, choiceRemovalStatement } from './choices.ts'
import { type ComposedNews, composeNews } from './compose.ts'
import { MIN_HOURS_BETWEEN_NEWS, NEWS_LINKS, nextNews } from './subscribers.ts'

// A subscriber's next time moves on before the e-mail goes to the platform, and moves back only if the
// platform has named a reason for not taking it. So nobody gets an e-mail twice; somebody whose row was
// claimed when the Worker was killed misses one, and remains `sending`.

const NEWS_WORK = {
  /**
   * The budget of a choice: finding it, reading its events, of which there may be a hundred, and one group of
   * e-mails.
   */
  ofChoice: { statements: 26, requests: 5, cpuMs: 4, ms: 15_000 },
  /**
   * E-mails that are claimed together and sent at the same time: a Worker that is killed in between loses no
   * more.
   */
  group: 5,
  /**
   * The budget of a group: claiming it, storing the outcomes, which is up to seven statements, and a pause.
   */
  ofGroup: { statements: 11, requests: 5, cpuMs: 0.5, ms: 15_000 },
} as const

/**
 * The name of choices, and of everybody's news as a whole, in the table `setbacks`. While the platform takes
 * no news, a run tries once, less and less often.
 */
const rowName = 'news'

/** The days after which news is given up: sending that daily limits hold up continues for some days. */
const LATE_DAYS = 3

/** The days on which the recipient's side refuses e-mails before the address is erased. */
const MAX_REFUSALS = 3

const SCHEDULED = sql`${subscribers} INDEXED BY subscribers_due WHERE next_utc IS NOT NULL`

/** Subscribers whose news is due, unless everybody's news, or the news of their choice, is postponed. */
const dueNews = (nowMs: number): SQL =>
  sql`${SCHEDULED} AND next_utc <= ${formatInstant(nowMs)} AND ${notPostponedSql(rowName, nowMs, literal(ALL_ROWS))}
    AND ${notPostponedSql(rowName, nowMs, sql`choice_id`)}`

export const newsDueSql = (nowMs: number): SQL => sql`EXISTS (SELECT 1 FROM ${dueNews(nowMs)})`

export const newsToSuspendSql = (nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${SCHEDULED} AND next_utc <= ${formatInstant(nowMs)})`

/** The most subscribers that one statement passes over. */
const MAX_MOVED = 5_000

/**
 * The columns of subscribers whose news is claimed, or passed over: the next time is in another week,
 * whatever the zone was before.
 */
function nextWeekColumns(now: DateTime, zone: string, state: ClaimedRow['state']) {
  const times = JSON.stringify(
    Object.fromEntries(LETTER_WEEKDAYS.map(day => [day, nextNews(day, now, zone)])),
  )
  const next = (i: 0 | 1) => sql`json_extract(${times}, '$.' || weekday || ${`[${i}]`})`
  const week = sql<string>`iif(state = 'waiting', week_utc, next_utc)`
  return {
    next_utc: sql`iif(${next(0)} < datetime(${week}, ${`+${MIN_HOURS_BETWEEN_NEWS} hours`}), ${next(1)}, ${next(0)})`,
    week_utc: week,
    state,
  }
}

/** A statement that passes over news that were due until a moment. @param before UTC */
const passingStatement = (
  now: DateTime,
  { zone, before, state }: { zone: string; before: DateTime; state: ClaimedRow['state'] },
): Statement =>
  build
    .update(subscribers)
    .set(nextWeekColumns(now, zone, state))
    .where(sql`id IN (SELECT id FROM ${SCHEDULED} AND next_utc <= ${before} LIMIT ${literal(MAX_MOVED)})`)

/** The statements that let what is due pass while news is switched off. */
export const suspensionStatements = (
  { timezone: zone }: Pick<Settings, 'timezone'>,
  nowMs: number,
): Statement[] => {
  const now = formatInstant(nowMs)
  return [passingStatement(now, { zone, before: now, state: null })]
}

/** The choice whose subscribers are due first, and the time at which they are. */
type DueChoice = {
  choice: ChoiceRow
  due: DateTime
  secret: string
  /** True if the platform has refused everybody's news or all of this choice, and has taken none since. */
  wasRefused: boolean
}

const setbackOfSql = (choice: SQL): SQL =>
  sql`task = ${rowName} AND row_id IN (${literal(ALL_ROWS)}, ${choice})`

function selectDue(nowMs: number): Query<DueChoice | undefined> {
  const firstDue = sql`SELECT next_utc, choice_id FROM ${dueNews(nowMs)} ORDER BY next_utc, choice_id LIMIT 1`
  return combineQueries(
    {
      secret: selectSecret(),
      dueChoice: first(
        build
          .select({
            ...getTableColumns(newsChoices),
            due: sql<string>`due.next_utc`.as('due_utc'),
            wasRefused:
              sql<number>`EXISTS (SELECT 1 FROM ${setbacks} WHERE ${setbackOfSql(sql`due.choice_id`)})`.as(
                'was_refused',
              ),
          })
          .from(sql`(${firstDue}) AS due`)
          .innerJoin(newsChoices, sql`${newsChoices.id} = due.choice_id`),
      ),
    },
    ({ secret, dueChoice }) => {
      if (!dueChoice) return undefined
      const { due, wasRefused, ...choice } = dueChoice
      return { choice, due, secret, wasRefused: wasRefused === 1 }
    },
  )
}

/**
 * Sends news that are due, as far as the allowance permits: one choice after the other. Can run twice at the
 * same time.
 */
export async function sendNews({ db, settings, mailer, nowMs }: MailRun): Promise<void> {
  const { allowance } = db
  const { ofChoice } = NEWS_WORK
  if (!allowance.allows('news', { ...ofChoice, statements: ofChoice.statements + 1 })) return
  const before = formatInstant(nowMs - LATE_DAYS * DAY_MS)
  await db.write([
    passingStatement(formatInstant(nowMs), { zone: settings.timezone, before, state: 'failed' }),
  ])
  while (allowance.allows('news', ofChoice)) {
    const dueChoice = await db.read(selectDue(nowMs))
    if (!dueChoice) return
    const { choice } = dueChoice
    const run = { ...backgroundContext(choice, { db, settings, nowMs }), mailer, nowMs, ...dueChoice }
    try {
      const news = await composeNews(run, choice)
      allowance.spend({ cpuMs: ofChoice.cpuMs })
      if (!news) await passOver(run)
      else if (!(await sendChoice(run, news))) return
    } catch (error) {
      // An error of D1 itself is not the fault of the choice, which would come first again: it ends the run.
      if (error instanceof ApiError) throw error
      await postpone(db, { rowName, id: choice.id, nowMs }, asError(error))
    }
  }
}

type ChoiceRun = MailRun & BaseContext & DueChoice

const dueForChoiceSql = ({ choice, due }: DueChoice): SQL =>
  sql`next_utc = ${due} AND choice_id = ${choice.id}`

/** Moves subscribers to the next week if their choice is due and has no news. */
const passOver = (run: ChoiceRun): Promise<void> =>
  run.db.write([
    build
      .update(subscribers)
      .set(nextWeekColumns(run.clock.now(), run.settings.timezone, null))
      .where(dueForChoiceSql(run)),
  ])

/** Claims a group of the subscribers for whom a choice is due. */
function claimQuery(run: ChoiceRun): Query<ClaimedRow[]> {
  const limit = literal(NEWS_WORK.group)
  const ids = sql`SELECT id FROM ${SCHEDULED} AND ${dueForChoiceSql(run)} ORDER BY id LIMIT ${limit}`
  return many(
    build
      .update(subscribers)
      .set(nextWeekColumns(run.clock.now(), run.settings.timezone, 'sending'))
      .where(sql`${subscribers.id} IN (${ids}) AND ${dueForChoiceSql(run)}`)
      .returning(),
  )
}

/**
 * Sends the news of a choice to all for whom they are due.
 *
 * @returns false if nothing more can be sent in this run
 */
async function sendChoice(run: ChoiceRun, news: ComposedNews): Promise<boolean> {
  const { db, choice, nowMs } = run
  const { ofGroup } = NEWS_WORK
  let isTaken = false
  while (db.allowance.allows('news', ofGroup)) {
    const claimed = await db.write(claimQuery(run))
    if (claimed.length === 0) return true
    db.allowance.spend({ requests: claimed.length, cpuMs: ofGroup.cpuMs })
    const outcomes = sortOutcomes(
      await Promise.all(claimed.map(async row => ({ row, ...(await sendTo(run, news, row)) }))),
    )
    isTaken ||= outcomes.sent.length > 0
    await storeOutcomes(run, outcomes, isTaken)
    const [aboutCalendar] = outcomes.aboutCalendar
    if (aboutCalendar) {
      await postpone(db, { rowName, id: ALL_ROWS, nowMs }, new Error(aboutCalendar.reason))
      return false
    }
    // A refusal without a clear subject is not about the recipient if the platform takes the news of nobody.
    const [unclear] = outcomes.unclear
    if (unclear && !isTaken) {
      await postpone(db, { rowName, id: choice.id, nowMs }, new Error(unclear.reason))
      return true
    }
  }
  return false
}

type ClaimedRow = typeof subscribers.$inferSelect

async function sendTo(
  { site, mailer, choice, secret }: ChoiceRun,
  news: ComposedNews,
  row: ClaimedRow,
): Promise<MailOutcome> {
  const token = await NEWS_LINKS.tokenOf(secret, row)
  return sendMail(mailer, {
    ...news.textsFor(token),
    subject: news.subject,
    to: row.email,
    language: choice.language,
    id: `news-${row.id}-${row.week_utc?.replace(/\D/g, '')}`,
    list: `news.${new URL(site).hostname}`,
    unsubscribe: site + NEWS_LINKS.pathOf(token),
  })
}

type SentRow = MailOutcome & { row: ClaimedRow }

/** The e-mails that the platform has taken, and those that it has refused, by the subject of the refusal. */
function sortOutcomes(outcomes: readonly SentRow[]) {
  const {
    sent = [],
    calendar: aboutCalendar = [],
    recipient: aboutRecipient = [],
    unclear = [],
  } = Object.groupBy(outcomes, ({ state, reason }) =>
    state === 'refused' ? (refusalSubject(reason) ?? 'unclear') : state,
  )
  return { sent, aboutCalendar, aboutRecipient, unclear }
}

/**
 * Columns that set the time of the next try, or give the news up if that is too late.
 *
 * @param time an expression
 */
const retryColumnsAt = (time: SQL) => {
  const inTimeSql = sql`${time} <= datetime(week_utc, ${`+${LATE_DAYS} days`})`
  return {
    next_utc: sql`iif(${inTimeSql}, ${time}, next_utc)`,
    state: sql`iif(${inTimeSql}, 'waiting', 'failed')`,
  }
}

/**
 * The seconds before an address is tried again while the platform takes nothing, and the least while it takes
 * the news of others.
 */
const PAUSE_S = 60
const MIN_PAUSE_S = 5 * 60

/**
 * Stores the outcomes of claimed news. Refusals about the recipient count once a day, and are tried again a
 * day later. Recipients refused for other reasons come after all others. If the platform takes mail for the
 * others, those recipients wait for as long again as the news has been due.
 *
 * @param isTaken true if the platform has taken news of this choice in this run
 */
async function storeOutcomes(
  { db, clock, choice, wasRefused }: ChoiceRun,
  { sent, aboutCalendar, aboutRecipient, unclear }: ReturnType<typeof sortOutcomes>,
  isTaken: boolean,
): Promise<void> {
  const ofRowsSql = (rowsToMatch: readonly SentRow[]) =>
    inArray(
      subscribers.id,
      rowsToMatch.map(({ row }) => row.id),
    )
  // Somebody who has chosen another day since then keeps it.
  const stillClaimedSql = (claimedRows: readonly SentRow[]) =>
    and(
      ofRowsSql(claimedRows),
      inArray(subscribers.next_utc, [...new Set(claimedRows.map(({ row }) => row.next_utc ?? ''))]),
    )
  const today = dayOf(clock.now())
  const statements: Statement[] = []
  if (sent.length > 0)
    statements.push(
      build.update(subscribers).set({ state: 'sent', refusals: 0, refused_day: '' }).where(ofRowsSql(sent)),
    )
  if (sent.length > 0 && wasRefused)
    statements.push(build.delete(setbacks).where(setbackOfSql(sql`${choice.id}`)))
  const otherOutcomes = [...aboutCalendar, ...unclear]
  if (otherOutcomes.length > 0) {
    const pause = isTaken
      ? sql`max(${literal(MIN_PAUSE_S)}, unixepoch(${clock.now()}) - unixepoch(week_utc))`
      : literal(PAUSE_S)
    const retryColumns = retryColumnsAt(sql`datetime(${clock.now()}, ${pause} || ' seconds')`)
    statements.push(build.update(subscribers).set(retryColumns).where(stillClaimedSql(otherOutcomes)))
  }
  if (aboutRecipient.length > 0)
    statements.push(
      build
        .update(subscribers)
        .set(retryColumnsAt(sql`${addDays(clock.now(), 1)}`))
        .where(stillClaimedSql(aboutRecipient)),
      build
        .update(subscribers)
        .set({ refusals: sql`refusals + 1`, refused_day: today })
        .where(and(ofRowsSql(aboutRecipient), sql`refused_day <> ${today}`)),
      build
        .delete(subscribers)
        .where(and(ofRowsSql(aboutRecipient), sql`refusals >= ${literal(MAX_REFUSALS)}`)),
      choiceRemovalStatement(choice.id),
    )
  if (statements.length > 0) await db.write(statements)
}
