import { eq, sql } from 'drizzle-orm'
import { selectKnownIds } from '../../../calendar/intake/checks.ts'
import type { BaseContext, RequestContext } from '../../../kit/context.ts'
import { conflictIf, isConflict, retryConflicts } from '../../../kit/db/failures.ts'
import { combineQueries, type Query } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { selectSecret } from '../../../kit/http/personal-links.ts'
import { readWithRevision } from '../../../kit/http/revision.ts'
import { assertHumanOnce } from '../../../kit/http/turnstile.ts'
import type { ValidationErrors } from '../../../kit/lib/errors.ts'
import { codedReason } from '../../../kit/lib/reasons.ts'
import { countReturnStatement, countStatements, selectUsedUp } from '../../../kit/work/counts.ts'
import { asError, logError } from '../../../kit/work/error-log.ts'
import { isOwnMailbox, type Mail, mailBody, OWN_ADDRESS, sendMail } from '../../../kit/work/mail.ts'
import { filled, textsIn } from '../../../words/words.ts'
import { subscribers } from '../tables.ts'
import { CHOICE_KINDS, choiceRemovalStatement, type NewsChoice, storedChoice } from './choices.ts'
import { assertWithinLimits, countsOfSignUp, requireNewsMailer, type SignUpCounts } from './limits.ts'
import type { SubscriberFields } from './schema.ts'
import {
  consentWords,
  NEWS_LINKS,
  type SubscriberRow,
  selectByEmail,
  stillUnconfirmedSql,
} from './subscribers.ts'

type NewSubscriber = Required<Pick<SubscriberFields, 'email' | 'weekday'>> & {
  choice: NewsChoice
  language: string
  turnstile?: string | undefined
}

/** A query for what a choice names, as far as the public can see it. */
export const selectKnownChoice = (
  context: BaseContext,
  { categories = [], venues = [], organizers = [] }: NewsChoice,
) => selectKnownIds(context, { categories, venues, organizers })

type KnownChoice = ReturnType<typeof selectKnownChoice> extends Query<infer T> ? T : never

/**
 * Adds errors for what the choice of a form names and nobody can see, unless there are errors already: then,
 * nothing is read.
 */
export async function checkChosen(
  context: BaseContext,
  choice: NewsChoice,
  errors: ValidationErrors,
): Promise<void> {
  if (!errors.hasAny) checkChoice(choice, await context.db.read(selectKnownChoice(context, choice)), errors)
}

export function checkChoice(choice: NewsChoice, knownChoice: KnownChoice, errors: ValidationErrors): void {
  for (const kind of CHOICE_KINDS) {
    const unknownId = choice[kind]?.find(id => !knownChoice[kind].has(id))
    if (unknownId !== undefined)
      errors.add('choice', codedReason('unknown', `none of the public ${kind} has the id ${unknownId}`))
  }
}

export function checkAddress({ settings }: BaseContext, email: string, errors: ValidationErrors): void {
  if (isOwnMailbox(settings, email)) errors.add('email', OWN_ADDRESS)
}

/**
 * Takes a sign-up, and sends its first e-mail after the response, one a day to an address. A confirmed
 * address gets a link to its page and keeps its choice, because anybody can enter any address. Callers learn
 * nothing of this, nor from the time that it takes.
 *
 * @throws ApiError `rest_mail_unavailable`, `rest_too_many_requests`, and for robots
 */
export async function takeSubscriber(context: RequestContext, subscriber: NewSubscriber): Promise<void> {
  const mailer = requireNewsMailer(context)
  await assertHumanOnce(context, subscriber.turnstile)
  const secret = await context.db.read(selectSecret())
  const counts = await countsOfSignUp(context, secret, subscriber.email)
  const mail = await retryConflicts(() => storeSubscriber(context, { asked: subscriber, secret, counts }))
  if (!mail) return
  context.afterResponse(async () => {
    const { state } = await sendMail(mailer, mail)
    if (state === 'refused') await freeMailbox(context, counts)
  })
}

/** Lets the next sign-up of a mailbox send an e-mail, because this one has certainly sent none. */
async function freeMailbox({ db, clock }: BaseContext, { mailbox }: SignUpCounts): Promise<void> {
  const { key, per } = mailbox
  try {
    await db.write([countReturnStatement(JSON.stringify([key]), { at: clock.now(), per })])
  } catch (error) {
    logError('limits of news', asError(error))
  }
}

/**
 * Runs the write after which a sign-up sends its e-mail. If D1 loses the response, there is no e-mail,
 * whatever was written.
 */
async function writeBeforeMail<T>(
  context: BaseContext,
  counts: SignUpCounts,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isConflict(error)) await freeMailbox(context, counts)
    throw error
  }
}

/** Stores a sign-up. @returns its e-mail; undefined if the address was sent one within a day */
async function storeSubscriber(
  context: BaseContext,
  { asked: subscriber, secret, counts }: { asked: NewSubscriber; secret: string; counts: SignUpCounts },
): Promise<Mail | undefined> {
  const { db, clock } = context
  const { email, weekday } = subscriber
  const { mailbox, others } = counts
  // Read with the revision, because a calendar that is being restored accepts nothing.
  const { result } = await readWithRevision(
    context,
    combineQueries({
      usedUp: selectUsedUp(clock, others),
      mailed: selectUsedUp(clock, [mailbox]),
      stored: selectByEmail(email),
    }),
  )
  const { usedUp, mailed, stored } = result
  assertWithinLimits(usedUp)
  if (mailed.length > 0) {
    await db.write(countStatements(clock, others))
    return undefined
  }
  const counting = countStatements(clock, [mailbox, ...others])
  if (stored?.consented_utc != null) {
    await writeBeforeMail(context, counts, () => db.write(counting))
    return signUpMail(context, { secret, row: stored, language: subscriber.language })
  }
  const choice = storedChoice(context, subscriber)
  const values = { email, weekday, choice_id: choice.id, asked_utc: clock.now() }
  const statements = stored
    ? [
        // The owner of the address may have confirmed the earlier choice since it was read.
        conflictIf(sql`NOT EXISTS (SELECT 1 FROM ${subscribers} WHERE ${stillUnconfirmedSql(stored)})`),
        ...counting,
        choice.statement,
        build
          .update(subscribers)
          // The link of an earlier e-mail would confirm another choice.
          .set({ ...values, version: stored.version + 1 })
          .where(eq(subscribers.id, stored.id)),
        choiceRemovalStatement(stored.choice_id),
      ]
    : [...counting, choice.statement, build.insert(subscribers).values(values)]
  const row = await writeBeforeMail(context, counts, () => db.write(statements, selectByEmail(email)))
  return row && signUpMail(context, { secret, row, language: subscriber.language })
}

/** The e-mail of a sign-up. It has fixed words, because anybody can enter any address. */
async function signUpMail(
  { settings, site }: BaseContext,
  { secret, row, language }: { secret: string; row: SubscriberRow; language: string },
): Promise<Mail> {
  const words = textsIn(language).news
  const names = { site: settings.siteName }
  const href = site + NEWS_LINKS.pathOf(await NEWS_LINKS.tokenOf(secret, row))
  const isKnown = row.consented_utc !== null
  const paragraphs = isKnown
    ? [filled(words.mailKnown, names), { href }, words.mailKnownEnd]
    : [
        filled(words.mailAsk, names),
        consentWords(language, settings.siteName),
        words.mailHow,
        { href },
        words.mailIgnore,
      ]
  return {
    to: row.email,
    subject: filled(isKnown ? words.mailKnownSubject : words.mailSubject, names),
    ...mailBody(paragraphs, language),
    language,
    id: `news-${row.id}-${row.version}-${row.asked_utc.replace(/\D/g, '')}`,
  }
}
