import { and, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { BaseContext } from '../../../kit/context.ts'
import { auditEntriesStatement, recordedQuery } from '../../../kit/db/audit.ts'
import { combineQueries, first, type Query, readNumber, type Statement } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { idOfToken, personalLinks, selectSecret } from '../../../kit/http/personal-links.ts'
import { addDays, DAY_MS, type DateTime, formatInstant } from '../../../kit/lib/time.ts'
import { timesDone } from '../../../kit/work/counts.ts'
import type { DueRows } from '../../../kit/work/due-rows.ts'
import { filled, textsIn } from '../../../words/words.ts'
import { nextSending } from '../state.ts'
import { type LETTER_WEEKDAYS, newsChoices, subscribers } from '../tables.ts'
import { choiceRemovalStatement, type NewsChoice, storedChoice } from './choices.ts'
import { ALL_SIGN_UPS } from './limits.ts'
import type { FoundSubscriber, NewsNumbers } from './schema.ts'

export type SubscriberRow = typeof subscribers.$inferSelect

export const NEWS_LINKS = personalLinks('subscriber', '/news')

export type Subscriber = SubscriberRow & { filters: string; language: string }

/** The subscriber of a token; undefined if there is none any more. */
export async function findSubscriberByToken(
  { db }: Pick<BaseContext, 'db'>,
  token: string,
): Promise<Subscriber | undefined> {
  const { secret, subscriber } = await db.read(
    combineQueries({
      secret: selectSecret(),
      subscriber: first(
        build
          .select({
            ...getTableColumns(subscribers),
            filters: newsChoices.filters,
            language: newsChoices.language,
          })
          .from(subscribers)
          .innerJoin(newsChoices, eq(newsChoices.id, subscribers.choice_id))
          .where(eq(subscribers.id, idOfToken(token))),
      ),
    }),
  )
  return subscriber && (await NEWS_LINKS.isTokenOf(secret, token, subscriber)) ? subscriber : undefined
}

/**
 * The version of the words of consent (`news.consent` in the catalogues), which is stored with each
 * confirmation. Raise it when you change the words; the former words stay in the history of the repository.
 */
export const CONSENT_VERSION = 1

/** The words to which somebody who confirms an address agrees. */
export const consentWords = (language: string, site: string): string =>
  filled(textsIn(language).news.consent, { site })

/** The hour of the day, in the zone of the calendar, at which news is sent. */
const NEWS_HOUR = 7

type Weekday = (typeof LETTER_WEEKDAYS)[number]

/** The next two times for news on a day of the week, UTC. */
export function nextNews(weekday: Weekday, now: DateTime, zone: string): [DateTime, DateTime] {
  const soonest = nextSending({ weekday, hour: NEWS_HOUR }, now, zone)
  return [soonest, nextSending({ weekday, hour: NEWS_HOUR }, soonest, zone)]
}

/**
 * The fewest hours from the news of one week to those of the next: what a week has left if the calendar moves
 * to the zone furthest east.
 */
export const MIN_HOURS_BETWEEN_NEWS = 7 * 24 - 26

/** The fewest hours to the news of another weekday: a week, in which clocks may skip an hour. */
const MIN_WEEK_HOURS = 7 * 24 - 1

const unchangedSubscriberSql = ({ id, version }: SubscriberRow) =>
  and(eq(subscribers.id, id), eq(subscribers.version, version))

export const stillUnconfirmedSql = (row: SubscriberRow) =>
  and(unchangedSubscriberSql(row), isNull(subscribers.consented_utc))

/**
 * Confirms an address, and stores when and to which words its owner agreed. Does nothing if it is confirmed
 * already.
 */
export function confirmSubscriber({ db, clock, settings }: BaseContext, row: Subscriber): Promise<void> {
  const [next_utc] = nextNews(row.weekday, clock.now(), settings.timezone)
  return db.write([
    build
      .update(subscribers)
      .set({ consented_utc: clock.now(), consent: CONSENT_VERSION, next_utc })
      .where(stillUnconfirmedSql(row)),
  ])
}

export async function changeSubscriber(
  context: BaseContext,
  row: Subscriber,
  { choice, weekday }: { choice: NewsChoice; weekday: Weekday },
): Promise<void> {
  const { db, clock, settings } = context
  const { statement, id } = storedChoice(context, { choice, language: row.language })
  const [soonest, second] = nextNews(weekday, clock.now(), settings.timezone)
  const mailedThisWeekSql = sql`(state IN ('sending', 'sent') AND ${soonest} < datetime(week_utc, ${`+${MIN_WEEK_HOURS} hours`}))`
  await db.write([
    statement,
    build.update(subscribers).set({ choice_id: id }).where(unchangedSubscriberSql(row)),
    // A time that has come stays, so that somebody who changes another part still gets what is due.
    build
      .update(subscribers)
      .set({
        weekday,
        next_utc: sql`iif(${mailedThisWeekSql}, ${second}, ${soonest})`,
        state: sql`nullif(state, 'waiting')`,
      })
      .where(
        and(
          unchangedSubscriberSql(row),
          isNotNull(subscribers.next_utc),
          sql`${subscribers.weekday} <> ${weekday}`,
        ),
      ),
    choiceRemovalStatement(row.choice_id),
  ])
}

/** Deletes a subscriber, and what only this one has chosen. */
export const removeSubscriber = ({ db }: Pick<BaseContext, 'db'>, row: SubscriberRow): Promise<void> =>
  db.write([
    build.delete(subscribers).where(unchangedSubscriberSql(row)),
    choiceRemovalStatement(row.choice_id),
  ])

export const selectNumbers = ({ clock }: Pick<BaseContext, 'clock'>): Query<NewsNumbers | undefined> =>
  first(
    sql`SELECT count(consented_utc) AS confirmed, count(*) - count(consented_utc) AS unconfirmed,
      (SELECT count(*) FROM ${newsChoices}) AS choices,
      ${timesDone(clock, ALL_SIGN_UPS)} AS first_mails,
      count(iif(next_utc <= ${clock.now()} OR state = 'waiting', 1, NULL)) AS waiting,
      count(iif(state IN ('sending', 'failed') AND week_utc > ${addDays(clock.now(), -7)}, 1, NULL)) AS left_out FROM ${subscribers}`,
    {
      confirmed: readNumber,
      unconfirmed: readNumber,
      choices: readNumber,
      first_mails: readNumber,
      waiting: readNumber,
      left_out: readNumber,
    },
  )

const sameEmailSql = (email: string) => sql`${subscribers.email} = ${email} COLLATE NOCASE`

export const selectByEmail = (email: string): Query<SubscriberRow | undefined> =>
  first(build.select().from(subscribers).where(sameEmailSql(email)))

/** A subscriber as administrators see one. The audit knows that somebody looked, and not for whom. */
export async function findSubscriber(context: BaseContext, email: string): Promise<FoundSubscriber> {
  const row = await context.db.write(
    [
      auditEntriesStatement(
        context,
        { action: 'find', kind: 'subscriber', fields: ['email'] },
        sql`SELECT 0 AS id`,
      ),
    ],
    selectByEmail(email),
  )
  if (!row) return { state: 'none' }
  return {
    state: row.consented_utc === null ? 'unconfirmed' : 'confirmed',
    weekday: row.weekday,
    asked: row.asked_utc,
    ...(row.consented_utc !== null && { confirmed: row.consented_utc }),
    ...(row.consent !== null && { consent: row.consent }),
  }
}

/** Erases an address for an administrator. @returns false if there was none */
export async function eraseSubscriber(context: BaseContext, email: string): Promise<boolean> {
  const removedRow = await context.db.write(
    recordedQuery(
      context,
      first(
        build.delete(subscribers).where(sameEmailSql(email)).returning({ choice: subscribers.choice_id }),
      ),
      { action: 'delete', kind: 'subscriber', id: 0 },
    ),
  )
  if (removedRow) await context.db.write([choiceRemovalStatement(removedRow.choice)])
  return removedRow !== undefined
}

/** The days after which an address that nobody has confirmed is deleted. */
const UNCONFIRMED_DAYS = 3

/** Addresses that nobody has confirmed in time. @param nowMs epoch milliseconds */
export const unconfirmedSubscribers = (nowMs: number): DueRows => ({
  name: 'unconfirmed subscribers',
  rowName: 'unconfirmed subscriber',
  table: subscribers,
  // The subquery uses the index: in the order of ids, SQLite would read all subscribers.
  dueSql: sql`id IN (SELECT id FROM ${subscribers} INDEXED BY subscribers_unconfirmed
    WHERE consented_utc IS NULL AND asked_utc < ${formatInstant(nowMs - UNCONFIRMED_DAYS * DAY_MS)})`,
  changeStatements: (chosenSql): Statement[] => [
    // The choices go first, because nothing shows afterwards which they were.
    sql`PRAGMA defer_foreign_keys = on`,
    build.delete(newsChoices).where(
      sql`${newsChoices.id} IN (SELECT choice_id FROM ${subscribers} WHERE ${chosenSql})
      AND NOT EXISTS (SELECT 1 FROM ${subscribers} WHERE choice_id = ${newsChoices.id} AND NOT (${chosenSql}))`,
    ),
    build.delete(subscribers).where(chosenSql),
  ],
  limit: 1_000,
})
