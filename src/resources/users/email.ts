import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { recordChange } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { first, type RowOfQuery, type Statement } from '../../db/query.ts'
import { emailLinks, letters, type NOTICES, users } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { assertMailer, bodyOf, type MailOutcome, sendMail } from '../../http/mail.ts'
import { digestOf, randomPassword } from '../../lib/digest.ts'
import { addDays } from '../../lib/time.ts'
import { filled, textsIn } from '../../words/words.ts'
import { countMail } from './sent-mails.ts'

// An address gets only a link until somebody who reads its mail has confirmed the address.

/** A query of the address of a user, and of the user's choice of notices. */
export const contactOf = (id: number) =>
  first(
    build
      .select({ login: users.login, email: users.email, notices: users.notices })
      .from(users)
      .where(eq(users.id, id)),
  )

export type UserContact = RowOfQuery<typeof contactOf>

/** An address to confirm: the caller's own, or the address of a letter. */
type AddressToConfirm = {
  email: string
  login: string
  letter?: { id: number | SQL; name: string }
}

/**
 * A new link that confirms an address: the statements that count and store the link, and the e-mail with the link, to be sent after
 * the statements.
 */
export async function newEmailLink(
  context: RequestContext,
  { email, login, letter }: AddressToConfirm,
): Promise<{ statements: Statement[]; send: () => Promise<MailOutcome> }> {
  const { api, caller, now, settings } = context
  const mailer = assertMailer(context.mailer)
  const secret = randomPassword().replaceAll(' ', '')
  const digest = await digestOf(secret)
  const { language } = settings.website
  const words = textsIn(language).mail
  const told = { login, site: settings.siteName }
  const why = letter
    ? filled(words.confirmLetter, { ...told, name: letter.name })
    : filled(words.confirmUser, told)
  return {
    statements: [
      ...countMail(context, { purpose: 'link', email }),
      build.insert(emailLinks).values({
        user_id: caller.id,
        letter_id: letter ? sql`${letter.id}` : null,
        email,
        digest,
        created_utc: now,
        expires_utc: addDays(now, 1),
      }),
    ],
    send: () =>
      sendMail(mailer, {
        to: email,
        subject: filled(words.confirmSubject, { site: settings.siteName }),
        ...bodyOf(
          [
            why,
            words.confirmHow,
            { href: `${new URL(api).origin}/admin/email/${secret}/` },
            words.confirmIgnore,
          ],
          language,
        ),
        language,
        id: `confirm-${digest.slice(0, 16)}`,
      }),
  }
}

/** A condition for the newest link of its user or letter, which is the only valid link. */
const isNewest = sql`${emailLinks.id} = (SELECT max(newer.id) FROM ${emailLinks} AS newer WHERE newer.letter_id IS ${emailLinks.letter_id}
  AND (newer.letter_id IS NOT NULL OR newer.user_id = ${emailLinks.user_id}))`

/** A valid link by its secret, with the address that it confirms; undefined if there is none. */
export async function findEmailLink(db: Database, { secret, now }: { secret: string; now: string }) {
  return db.get(
    first(
      build
        .select({
          id: emailLinks.id,
          email: emailLinks.email,
          userId: emailLinks.user_id,
          letterId: emailLinks.letter_id,
          login: users.login,
          letter: letters.name,
        })
        .from(emailLinks)
        .innerJoin(users, eq(users.id, emailLinks.user_id))
        .leftJoin(letters, eq(letters.id, emailLinks.letter_id))
        .where(
          and(
            eq(emailLinks.digest, await digestOf(secret)),
            gt(emailLinks.expires_utc, now),
            isNewest,
            or(isNull(emailLinks.letter_id), eq(letters.to_email, emailLinks.email)),
          ),
        ),
    ),
  )
}

export type EmailLink = NonNullable<Awaited<ReturnType<typeof findEmailLink>>>

/** Confirms the address of a link, and uses up the link. Does nothing if another request was first. */
export function confirmAddress(
  context: RequestContext,
  { id, email, userId, letterId }: EmailLink,
): Promise<void> {
  const isThere = sql`EXISTS (SELECT 1 FROM ${emailLinks} AS link WHERE link.id = ${id})`
  const change =
    letterId === null
      ? [
          build
            .update(users)
            .set({ email, noticed_utc: context.now })
            .where(and(eq(users.id, userId), isThere)),
          recordChange(context, { action: 'update', kind: 'user', fields: ['email'] }, userId),
        ]
      : [
          // The next time of the letter is computed again, from now on.
          build
            .update(letters)
            .set({ confirmed_email: email, zone: '' })
            .where(and(eq(letters.id, letterId), eq(letters.to_email, email), isThere)),
          recordChange(context, { action: 'update', kind: 'letter', fields: ['to'] }, letterId),
        ]
  return context.db.change([...change, build.delete(emailLinks).where(eq(emailLinks.id, id))])
}

/** Removes the address of the caller, and the link to an address that is not confirmed yet. */
export const removeAddress = (context: RequestContext): Promise<void> =>
  context.db.change([
    build.update(users).set({ email: '' }).where(eq(users.id, context.caller.id)),
    recordChange(context, { action: 'update', kind: 'user', fields: ['email'] }, context.caller.id),
    build
      .delete(emailLinks)
      .where(and(eq(emailLinks.user_id, context.caller.id), isNull(emailLinks.letter_id))),
  ])

/** Stores when the caller gets notices, which leave out all submissions that wait already. */
export const chooseNotices = (context: RequestContext, notices: (typeof NOTICES)[number]): Promise<void> =>
  context.db.change([
    build.update(users).set({ notices, noticed_utc: context.now }).where(eq(users.id, context.caller.id)),
    recordChange(context, { action: 'update', kind: 'user', fields: ['notices'] }, context.caller.id),
  ])
