import { sql } from 'drizzle-orm'
import { presentEvent } from '../../calendar/intake/queries.ts'
import type { BaseContext } from '../../kit/context.ts'
import { literal, many, readText } from '../../kit/db/query.ts'
import { events, submissions } from '../../kit/db/tables.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { fold, htmlToText } from '../../kit/lib/text.ts'
import { dayOf } from '../../kit/lib/time.ts'
import { datesOf } from '../../words/dates.ts'
import { filled, textsIn } from '../../words/words.ts'
import { type FormValues, isGeneral, paddedWords } from './announced-events.ts'

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

/** The characters of an e-mail that are searched for words and titles. */
const MAX_SEARCHED_LENGTH = 20_000

type CorrectingMail = { subject: string; text: string; events: readonly FormValues[]; isAnswer: boolean }

/**
 * What reviewers should know of an e-mail that answers another or corrects something, and names coming events
 * that its sender has submitted. What has the same title and day is marked as a repetition anyway.
 *
 * @param email a confirmed address
 */
export async function remarkOnCorrected(
  { db, clock, settings }: BaseContext,
  email: string,
  { subject, text, events: newEvents, isAnswer }: CorrectingMail,
): Promise<string | undefined> {
  const searchedText = `${subject}\n${text}`.slice(0, MAX_SEARCHED_LENGTH)
  if (!isAnswer && !CORRECTION_WORDS().test(fold(searchedText))) return undefined
  const sentEvents = await db.read(
    many(
      sql`SELECT ${events.title} AS title, ${events.start_date} AS start_date FROM ${submissions} CROSS JOIN ${events}
        ON ${events.id} = ${presentEvent()} AND ${events.status} <> 'trash' AND ${events.utc_end_date} >= ${clock.now()}
        WHERE ${submissions.email} COLLATE NOCASE = ${email} AND ${submissions.email} <> '' AND ${submissions.is_confirmed}
        ORDER BY ${submissions.id} DESC LIMIT ${MAX_OF_SENDER}`,
      { title: readText, start_date: readText },
    ),
  )
  const paddedText = paddedWords(searchedText)
  const { language } = settings.website
  const named = sentEvents.flatMap(({ title: storedTitle, start_date }) => {
    const title = htmlToText(storedTitle)
    const paddedTitle = paddedWords(title)
    const isRepeated = newEvents.some(
      event =>
        dayOf(String(event.start_date)) === dayOf(String(start_date)) &&
        paddedWords(String(event.title)) === paddedTitle,
    )
    const isNamed =
      paddedTitle.length >= MIN_PADDED_LENGTH && !isGeneral(title) && paddedText.includes(paddedTitle)
    return isNamed && !isRepeated ? [`${title} (${datesOf(language).format('date', start_date)})`] : []
  })
  return named.length > 0 ? filled(textsIn(language).inbox.corrects, { titles: named.join(', ') }) : undefined
}
