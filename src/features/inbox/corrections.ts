import { sql } from 'drizzle-orm'
import { findNamesakes } from '../../calendar/events/namesakes.ts'
import { presentEvent } from '../../calendar/intake/queries.ts'
import type { BaseContext } from '../../kit/context.ts'
import { literal, many, readText } from '../../kit/db/query.ts'
import { events, submissions } from '../../kit/db/tables.ts'
import type { Clock } from '../../kit/lib/clock.ts'
import { BETWEEN_WORDS, lazyPattern } from '../../kit/lib/pattern.ts'
import { fold, htmlToText } from '../../kit/lib/text.ts'
import { dayOf } from '../../kit/lib/time.ts'
import { datesOf } from '../../words/dates.ts'
import { filled, textsIn } from '../../words/words.ts'
import type { MailedEvent } from './announced-events.ts'

// An e-mail changes no event: “Casablanca has been moved to Wednesday” is a submission of its own. Reviewers
// should know which event it may be about, or the calendar has both.

/** Words of corrections, folded. */
const CORRECTION_WORDS = lazyPattern(
  String.raw`\b(?:correct(?:ed|ion)s?|moved|rescheduled|postponed|changed?|instead|now (?:on|at)|not (?:on|at)|verschoben|verlegt|geandert|anderung|korrektur|berichtigung|deplacee?|reportee?|modifi|rectifi|changement|au lieu|aplaza|traslad|correccion|cambi|en lugar)`,
  'u',
)

/** The most coming events of a sender that are looked at, the newest first. */
const MAX_OF_SENDER = literal(50)

/** The fewest characters of a title that a text is searched for, with the spaces around it. */
const MIN_PADDED_LENGTH = 6

const paddedWords = (text: string): string => ` ${fold(text).split(BETWEEN_WORDS()).join(' ')} `

type CorrectingMail = { subject: string; text: string; events: readonly MailedEvent[]; isAnswer: boolean }

/** A query for the coming events that somebody has submitted, the newest first. */
const selectSent = (clock: Clock, email: string) =>
  many(
    sql`SELECT ${events.title} AS title, ${events.start_date} AS start_date FROM ${submissions} CROSS JOIN ${events}
      ON ${events.id} = ${presentEvent()} AND ${events.status} <> 'trash' AND ${events.utc_end_date} >= ${clock.now()}
      WHERE ${submissions.email} COLLATE NOCASE = ${email} AND ${submissions.email} <> '' AND ${submissions.is_confirmed}
      ORDER BY ${submissions.id} DESC LIMIT ${MAX_OF_SENDER}`,
    { title: readText, start_date: readText },
  )

/**
 * What reviewers should know of an e-mail that answers another, corrects something or calls it off: the
 * coming events that its sender has submitted and that its text names, and the events of the calendar that it
 * may call off.
 *
 * @param email the address of its sender, if it is certain
 */
export async function remarksOnCorrected(
  context: BaseContext,
  email: string | undefined,
  { subject, text, events: newEvents, isAnswer }: CorrectingMail,
): Promise<string[]> {
  const { db, clock, settings } = context
  const off = newEvents.filter(({ eventStatus }) => eventStatus !== undefined)
  const isCorrecting = isAnswer || off.length > 0 || CORRECTION_WORDS().test(fold(`${subject}\n${text}`))
  const sent = isCorrecting && email !== undefined ? await db.read(selectSent(clock, email)) : []
  const paddedText = paddedWords(text)
  const named = sent.filter(({ title: storedTitle, start_date }) => {
    const title = paddedWords(htmlToText(storedTitle))
    const isRepeated = newEvents.some(
      ({ values }) =>
        dayOf(String(values.start_date)) === dayOf(start_date) && paddedWords(String(values.title)) === title,
    )
    return title.length >= MIN_PADDED_LENGTH && paddedText.includes(title) && !isRepeated
  })
  const namesakes = await Promise.all(
    off.map(({ values }) =>
      findNamesakes(context, { title: String(values.title), start_date: String(values.start_date) }),
    ),
  )
  const { language } = settings.website
  const { inbox: words } = textsIn(language)
  const remark = (sentence: string, found: readonly { title: string; start_date: string }[]) => {
    const titles = found.map(
      ({ title, start_date }) => `${htmlToText(title)} (${datesOf(language).format('date', start_date)})`,
    )
    return titles.length > 0 ? [filled<string>(sentence, { titles: [...new Set(titles)].join(', ') })] : []
  }
  return [...remark(words.corrects, named), ...remark(words.inCalendar, namesakes.flat())]
}
