import { and, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Mailer, RequestContext } from '../../../context.ts'
import type { Database } from '../../../db/database.ts'
import { first, literal, many, type Query, type Statement, together } from '../../../db/query.ts'
import { build } from '../../../db/statements.ts'
import { contextOfCron } from '../../../http/cron-context.ts'
import { asError } from '../../../http/log.ts'
import { type MailOutcome, sendMail } from '../../../http/mail.ts'
import { isNotPostponed, postpone } from '../../../http/waiting-work.ts'
import { ApiError } from '../../../lib/errors.ts'
import { addDays, DAY_MS, type DateTime, formatInstant } from '../../../lib/time.ts'
import type { Settings } from '../../../settings.ts'
import { NEWS_WAITING, NEWS_WORK } from '../budgets.ts'
import { LETTER_WEEKDAYS, newsChoices, subscribers } from '../tables.ts'
import { type ChoiceRow, forgetChoices } from './choices.ts'
import { type ComposedNews, composeNews } from './compose.ts'
import { ownPath, selectSecret, tokenOf } from './links.ts'
import { nextNews } from './subscribers.ts'

// A subscriber's next time moves on before the e-mail goes to the platform, and moves back only if the platform has named a reason for not
// taking it. So nobody gets an e-mail twice; whoever was claimed when the Worker was killed misses one.

/** The time after which news are left out: a run that daily limits hold up goes on for some days. */
const LATE_MS = 3 * DAY_MS

/** The days on which the recipient's side refuses e-mails before the address is erased. */
const MOST_REFUSALS = 3

/** Refusals that are about the recipient. All others are about the calendar, its plan or the platform. */
const OF_RECIPIENT = ['E_RECIPIENT_SUPPRESSED', 'E_DELIVERY_FAILED']

const { rowName } = NEWS_WAITING

/** The id under which all sending is postponed while the platform takes nothing. */
const EVERYTHING = 0

const DUE = sql`${subscribers} INDEXED BY subscribers_due WHERE next_utc IS NOT NULL`

/** Subscribers whose news are due, unless all are postponed, or their choice is. */
const dueNews = (nowMs: number): SQL =>
  sql`${DUE} AND next_utc <= ${formatInstant(nowMs)} AND ${isNotPostponed(rowName, nowMs, literal(EVERYTHING))}
    AND ${isNotPostponed(rowName, nowMs, sql`choice_id`)}`

/** A condition that is true if {@link sendNews} has something to do. */
export const hasNewsDue = (nowMs: number): SQL => sql`EXISTS (SELECT 1 FROM ${dueNews(nowMs)})`

/** A condition that is true if {@link restNews} has something to do. */
export const hasNewsToRest = (nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${DUE} AND next_utc <= ${formatInstant(nowMs)})`

/** The most rows that a statement moves on. */
const MOST_MOVED = 5_000

/** An expression of a subscriber's next time. */
function nextTime(now: DateTime, zone: string): SQL {
  const times = Object.fromEntries(LETTER_WEEKDAYS.map(day => [day, nextNews(day, now, zone)]))
  return sql`json_extract(${JSON.stringify(times)}, '$.' || weekday)`
}

/** The statement that moves due subscribers on without sending them anything. @param before the time before which they were due, UTC */
const moveOn = (now: DateTime, zone: string, before: DateTime): Statement =>
  sql`UPDATE ${subscribers} SET next_utc = ${nextTime(now, zone)}
    WHERE id IN (SELECT id FROM ${DUE} AND next_utc <= ${before} LIMIT ${literal(MOST_MOVED)})`

/** The statements that let what is due pass while news are switched off. */
export const restNews = ({ timezone }: Pick<Settings, 'timezone'>, nowMs: number): Statement[] => {
  const now = formatInstant(nowMs)
  return [moveOn(now, timezone, now)]
}

type NewsRun = { db: Database; settings: Settings; mailer: Mailer; nowMs: number }

/** The choice whose subscribers are due first, and the time for which they are. */
type DueChoice = { choice: ChoiceRow; due: DateTime; secret: string }

function selectDue(nowMs: number): Query<DueChoice | undefined> {
  const ofFirst = sql`SELECT next_utc, choice_id FROM ${dueNews(nowMs)} ORDER BY next_utc, choice_id LIMIT 1`
  const query = together({
    secret: selectSecret(),
    found: first(
      build
        .select({ ...getTableColumns(newsChoices), due: sql<string>`due.next_utc`.as('due_utc') })
        .from(sql`(${ofFirst}) AS due`)
        .innerJoin(newsChoices, sql`${newsChoices.id} = due.choice_id`),
    ),
  })
  return {
    ...query,
    read: results => {
      const { secret, found } = query.read(results)
      if (!found) return undefined
      const { due, ...choice } = found
      return { choice, due, secret }
    },
  }
}

/** Sends news that are due, as far as the allowance permits: one choice after the other. Can run twice at the same time. */
export async function sendNews(run: NewsRun): Promise<void> {
  const { db, settings, nowMs } = run
  const { allowance } = db
  const { ofChoice, cpuOfChoice } = NEWS_WORK
  if (!allowance.begin('news', { ...ofChoice, statements: ofChoice.statements + 1 })) return
  await db.change([moveOn(formatInstant(nowMs), settings.timezone, formatInstant(nowMs - LATE_MS))])
  while (allowance.begin('news', ofChoice)) {
    const due = await db.get(selectDue(nowMs))
    if (!due) return
    const context = contextOfCron(due.choice, { db, settings, nowMs })
    try {
      const news = await db.get(composeNews(context, due.choice))
      allowance.spend(cpuOfChoice)
      if (!(await sendChoice(context, { ...run, ...due, news }))) return
    } catch (error) {
      // An error of D1 itself is not the fault of the choice.
      if (error instanceof ApiError) throw error
      await postpone(db, { rowName, id: due.choice.id, nowMs }, asError(error))
    }
  }
}

type ChoiceRun = NewsRun & DueChoice & { news: ComposedNews }

const isOf = ({ choice, due }: ChoiceRun): SQL => sql`next_utc = ${due} AND choice_id = ${choice.id}`

/** Sends the news of a choice to all for whom they are due. @returns false if nothing more can be sent in this run */
async function sendChoice(context: RequestContext, run: ChoiceRun): Promise<boolean> {
  const { db, news, settings } = run
  const next = nextTime(context.now, settings.timezone)
  const { group, ofGroup, cpuOfMail } = NEWS_WORK
  if (news.events === 0) {
    await db.change([sql`UPDATE ${subscribers} SET next_utc = ${next} WHERE ${isOf(run)}`])
    return true
  }
  for (;;) {
    if (!db.allowance.begin('news', ofGroup)) return false
    const ids = sql`SELECT id FROM ${DUE} AND ${isOf(run)} ORDER BY id LIMIT ${literal(group)}`
    const [claimed] = await db.write([
      many(
        build
          .update(subscribers)
          .set({ next_utc: next })
          .where(sql`${subscribers.id} IN (${ids}) AND ${isOf(run)}`)
          .returning(),
      ),
    ])
    if (claimed.length === 0) return true
    db.allowance.requests -= claimed.length
    db.allowance.spend(cpuOfMail * claimed.length)
    const outcomes = await Promise.all(
      claimed.map(async row => ({ row, outcome: await sendTo(context, run, row) })),
    )
    if (!(await storeOutcomes(context, run, outcomes))) return false
  }
}

type ClaimedRow = typeof subscribers.$inferSelect

/** Sends somebody the news that were claimed. */
async function sendTo(
  { site }: RequestContext,
  { news, mailer, choice, due, secret }: ChoiceRun,
  row: ClaimedRow,
): Promise<MailOutcome> {
  const token = await tokenOf(secret, row)
  return sendMail(mailer, {
    ...news.textsFor(token),
    subject: news.subject,
    to: row.email,
    language: choice.language,
    id: `news-${row.id}-${due.replace(/\D/g, '')}`,
    list: `news.${new URL(site).hostname}`,
    unsubscribe: site + ownPath(token),
  })
}

/**
 * Stores what was refused. What is about the recipient counts once a day, and is tried again a day later; anything else is tried again when
 * it was due, after a pause.
 *
 * @returns false if the platform takes nothing at the moment
 */
async function storeOutcomes(
  { now }: RequestContext,
  { db, due, nowMs }: ChoiceRun,
  outcomes: readonly { row: ClaimedRow; outcome: MailOutcome }[],
): Promise<boolean> {
  const refused = outcomes.filter(({ outcome }) => outcome.state === 'refused')
  const ofRecipient = refused.filter(({ outcome }) => OF_RECIPIENT.includes(outcome.reason))
  const others = refused.filter(each => !ofRecipient.includes(each))
  const taken = outcomes.filter(({ row, outcome }) => outcome.state === 'sent' && row.refusals > 0)
  const rows = (some: typeof outcomes) =>
    inArray(
      subscribers.id,
      some.map(({ row }) => row.id),
    )
  // Whoever has chosen another day since keeps it.
  const stillClaimed = (some: typeof outcomes) =>
    and(rows(some), inArray(subscribers.next_utc, [...new Set(some.map(({ row }) => row.next_utc ?? ''))]))
  const today = now.slice(0, 10)
  const statements: Statement[] = [
    ...(others.length > 0
      ? [build.update(subscribers).set({ next_utc: due }).where(stillClaimed(others))]
      : []),
    ...(ofRecipient.length > 0
      ? [
          build
            .update(subscribers)
            .set({ next_utc: addDays(now, 1) })
            .where(stillClaimed(ofRecipient)),
          build
            .update(subscribers)
            .set({ refusals: sql`refusals + 1`, refused_day: today })
            .where(and(rows(ofRecipient), sql`refused_day <> ${today}`)),
          build.delete(subscribers).where(and(rows(ofRecipient), sql`refusals >= ${literal(MOST_REFUSALS)}`)),
          forgetChoices,
        ]
      : []),
    ...(taken.length > 0
      ? [build.update(subscribers).set({ refusals: 0, refused_day: '' }).where(rows(taken))]
      : []),
  ]
  if (statements.length > 0) await db.change(statements)
  const [held] = others
  if (held) await postpone(db, { rowName, id: EVERYTHING, nowMs }, new Error(held.outcome.reason))
  return held === undefined
}
