import type { MentionedNames } from '../calendar/content/related/queries.ts'
import type { BaseContext, LanguageModel } from '../kit/context.ts'
import { isConflict } from '../kit/db/failures.ts'
import { ApiError } from '../kit/lib/errors.ts'
import { toWall } from '../kit/lib/time.ts'
import type { Settings } from '../kit/settings.ts'
import { type Count, countStatements } from '../kit/work/counts.ts'
import { logError } from '../kit/work/error-log.ts'
import { askModel } from '../kit/work/language-model.ts'
import { mailboxOf } from '../kit/work/mail.ts'
import { believed } from './announcements/belief.ts'
import type { AnnouncedEvent, AnnouncementContext, TextReading } from './announcements/drafts.ts'
import { type ModelAnswer, questionAbout, readAnswer } from './announcements/question.ts'
import { callsOff } from './announcements/says.ts'
import { readPlainDay } from './csv/plain-day.ts'
import { isHtml, textOfHtml } from './mail-html.ts'

/** The most characters of a text that are read. */
export const MAX_TEXT_LENGTH = 20_000
/** The most characters of a first line that becomes a title. */
const MAX_TITLE_LENGTH = 200

/** The most texts a day that a model reads for one user, and from one mailbox. */
const MAX_TEXTS = { ofUser: 30, ofMailbox: 2 } as const

/** The counts of a text that a user has read by the model. */
export const countsOfUserText = ({ ai }: Settings, user: number): Count[] => [
  { key: 'texts', limit: ai.textsPerDay, per: 'day' },
  { key: `texts of ${user}`, limit: MAX_TEXTS.ofUser, per: 'day' },
]

/**
 * The counts of a text that came by e-mail. Mails use at most half, so that users keep the rest.
 *
 * @param email its sender; undefined for a text that was counted for its sender before
 */
export const countsOfMailedText = ({ ai }: Settings, email: string | undefined): Count[] => [
  { key: 'texts', limit: ai.textsPerDay, per: 'day' },
  { key: 'texts by mail', limit: Math.floor(ai.textsPerDay / 2), per: 'day' },
  ...(email === undefined
    ? []
    : [{ key: `texts from ${mailboxOf(email)}`, limit: MAX_TEXTS.ofMailbox, per: 'day' as const }]),
]

type Announcement = {
  text: string
  /** The subject of an e-mail. */
  subject?: string
  timezone?: string
  /** When it was written, by the clock of that zone; by default now. */
  writtenAt?: string | undefined
  /** What counts if the model reads the text; undefined to read it without the model. */
  counts?: readonly Count[]
  /** What the model has answered about this text before. It is checked again, and costs nothing. */
  answer?: unknown
}

/**
 * What was read from a text.
 *
 * @property text as it was read: for HTML, what people see of it
 * @property missing why the model has not read it although it should: too many texts today, or its failure
 */
export type ReadAnnouncement = TextReading & {
  text: string
  readBy: 'model' | 'dates'
  answer?: ModelAnswer
  missing?: 'texts_used_up' | ApiError
}

/** What people see of a text: of HTML, its lines. */
export const seenText = (sent: string): string => (isHtml(sent) ? textOfHtml(sent, MAX_TEXT_LENGTH) : sent)

/** True if another text is within the limits, which counts it. */
async function countText({ db, clock }: BaseContext, counts: readonly Count[]): Promise<boolean> {
  try {
    await db.write(countStatements(clock, counts))
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

/**
 * Reads a text with the names, the zone and the currency of the calendar: by its language model, or without
 * one only what is plain. Nothing but the count is written.
 */
export async function readInCalendar(
  context: BaseContext & { model: LanguageModel | undefined },
  names: MentionedNames,
  {
    text: sent,
    subject = '',
    timezone = context.settings.timezone,
    writtenAt,
    counts,
    answer: given,
  }: Announcement,
): Promise<ReadAnnouncement> {
  const { settings, clock, model } = context
  const seen = seenText(sent)
  const text = (subject === '' ? seen : `${subject}\n\n${seen}`).slice(0, MAX_TEXT_LENGTH)
  const known: AnnouncementContext = {
    ...names,
    writtenAt: writtenAt ?? toWall(clock.now(), timezone),
    timezone,
    currency: settings.currency.symbol,
  }
  const byModel = (answer: ModelAnswer): ReadAnnouncement => ({
    ...believed(answer, text, known),
    text,
    readBy: 'model',
    answer,
  })
  const withoutModel = (missing?: ReadAnnouncement['missing']): ReadAnnouncement => ({
    ...readPlainly(text, { subject, body: seen }, known),
    text,
    readBy: 'dates',
    ...(missing && { missing }),
  })
  const answered = readAnswer(given)
  if (answered) return byModel(answered)
  if (!model || !counts) return withoutModel()
  if (!(await countText(context, counts))) return withoutModel('texts_used_up')
  try {
    return byModel(await askModel(model, questionAbout(text, known), readAnswer))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    logError(context.requestId, error)
    return withoutModel(error)
  }
}

/**
 * One draft: the day and the time if the text has one of each, the subject or the first line as its title,
 * and the text as its description. A text that calls something off has no day: nobody knows what it is about.
 */
function readPlainly(
  text: string,
  { subject, body }: { subject: string; body: string },
  known: AnnouncementContext,
): TextReading {
  const found = callsOff(text) ? undefined : readPlainDay(text.replaceAll('**', ''), known)
  const [firstLine = ''] = body.trim().split('\n', 1)
  const title = subject || firstLine.replaceAll('**', '').trim().slice(0, MAX_TITLE_LENGTH)
  const draft: AnnouncedEvent = {
    ...(title && { title }),
    ...(found && { start_date: [found.day, found.from].filter(Boolean).join(' ') }),
    ...(found?.to && { end_date: `${found.day} ${found.to}` }),
    all_day: false,
    description: body.slice(0, MAX_TEXT_LENGTH),
    quotes: found ? { start_date: found.quote } : {},
  }
  return { drafts: text.trim() === '' ? [] : [draft], ignored: [], hasMore: false }
}
