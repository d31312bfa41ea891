import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, RequestContext } from '../../kit/context.ts'
import { recorded } from '../../kit/db/audit.ts'
import { first, type Query, type RowOfQuery, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { emailLinks, type FeatureKind, type NOTICES, users } from '../../kit/db/tables.ts'
import { passwordDigest, randomPassword } from '../../kit/lib/hash.ts'
import { fromFeatures } from '../../kit/lib/started-features.ts'
import { addDays } from '../../kit/lib/time.ts'
import { isFeatureOn, type Settings } from '../../kit/settings.ts'
import { countStatements } from '../../kit/work/counts.ts'
import { type MailOutcome, mailBody, requireMailer, sendMail } from '../../kit/work/mail.ts'
import { type Catalogue, filled, textsIn } from '../../words/words.ts'
import { countsOfLink } from './link-limits.ts'

// An address gets only a link until somebody who reads its mail has confirmed the address.

/** A query for the address of a user, and for the user's choice of notices. */
export const selectContact = (id: number) =>
  first(
    build
      .select({ login: users.login, email: users.email, notices: users.notices })
      .from(users)
      .where(eq(users.id, id)),
  )

export type UserContact = RowOfQuery<typeof selectContact>

type AddressedRow = { id: number; email: string }

/** The e-mail addresses of rows of a feature, such as letters, which a link confirms. */
export type ConfirmedAddresses = {
  /** A query for the row's name; undefined if there is no such row, or if it has another address by now. */
  selectName: (row: AddressedRow) => Query<string | undefined>
  /**
   * The statements that confirm the address.
   * @param validSql a condition that is true while nobody has used the link
   */
  confirmationStatements: (context: BaseContext, row: AddressedRow, validSql: SQL) => readonly Statement[]
  /** The sentence of the e-mail with the link that says what the address is for. */
  mail: (texts: Catalogue, values: { login: string; site: string; name: string }) => string
  /** The sentence of the page of the link that says what the button does. */
  page: (texts: Catalogue, values: { site: string; name: string; email: string }) => string
}

/** The addresses of features by the kind of row that has them, each with the name of its feature. */
const addressesByKind = fromFeatures(
  features =>
    new Map<string, ConfirmedAddresses & { feature: string }>(
      features.flatMap(({ name: feature, addresses = {} }) =>
        Object.entries(addresses).map(([kind, confirmed]) => [kind, { ...confirmed, feature }]),
      ),
    ),
)

const addressesOf = (kind: string): ConfirmedAddresses | undefined => addressesByKind().get(kind)

/** True if the feature that asks for the address is switched off. */
const isFeatureOff = (kind: string, settings: Settings): boolean => {
  const feature = addressesByKind().get(kind)?.feature
  return feature !== undefined && !isFeatureOn(settings, feature)
}

/** An address to confirm: the caller's own, or the address of a row of a feature. */
type AddressToConfirm = {
  email: string
  login: string
  row?: { kind: FeatureKind; id: number | SQL; name: string }
}

/**
 * A new link that confirms an address: the statements that count and store the link, and the e-mail with the
 * link, to be sent after the statements.
 */
export async function newEmailLink(
  context: RequestContext,
  { email, login, row }: AddressToConfirm,
): Promise<{ statements: Statement[]; send: () => Promise<MailOutcome> }> {
  const { api, caller, clock, settings } = context
  const mailer = requireMailer(context.mailer)
  const secret = randomPassword().replaceAll(' ', '')
  const digest = await passwordDigest(secret)
  const { language } = settings.website
  const texts = textsIn(language)
  const words = texts.mail
  const values = { login, site: settings.siteName }
  const why =
    (row && addressesOf(row.kind)?.mail(texts, { ...values, name: row.name })) ??
    filled(words.confirmUser, values)
  return {
    statements: [
      ...countStatements(clock, countsOfLink(context, email)),
      build.insert(emailLinks).values({
        user_id: caller.id,
        kind: row?.kind ?? '',
        row_id: row ? sql`${row.id}` : null,
        email,
        digest,
        expires_utc: addDays(clock.now(), 1),
      }),
    ],
    send: () =>
      sendMail(mailer, {
        to: email,
        subject: filled(words.confirmSubject, { site: settings.siteName }),
        ...mailBody(
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

const ownAddressSql = and(eq(emailLinks.kind, ''), isNull(emailLinks.row_id))

/** A condition for the newest link of its user or row, which is the only valid link. */
const newestSql = sql`${emailLinks.id} = (SELECT max(newer.id) FROM ${emailLinks} AS newer
  WHERE newer.kind = ${emailLinks.kind} AND newer.row_id IS ${emailLinks.row_id}
  AND (newer.row_id IS NOT NULL OR newer.user_id = ${emailLinks.user_id}))`

/**
 * A link that confirms an address. `name` is the name of the row that has the address, unless it is a user's
 * own address.
 */
type EmailLink = {
  id: number
  email: string
  userId: number
  login: string
  row: { kind: string; id: number; name: string } | undefined
}

/** A valid link by its secret, with the address that it confirms; undefined if there is none. */
export async function findEmailLink(
  { db, clock, settings }: BaseContext,
  { secret }: { secret: string },
): Promise<EmailLink | undefined> {
  const row = await db.read(
    first(
      build
        .select({
          id: emailLinks.id,
          email: emailLinks.email,
          userId: emailLinks.user_id,
          kind: emailLinks.kind,
          rowId: emailLinks.row_id,
          login: users.login,
        })
        .from(emailLinks)
        .innerJoin(users, eq(users.id, emailLinks.user_id))
        .where(
          and(
            eq(emailLinks.digest, await passwordDigest(secret)),
            gt(emailLinks.expires_utc, clock.now()),
            newestSql,
          ),
        ),
    ),
  )
  if (!row) return undefined
  const { kind, rowId, ...link } = row
  if (kind === '' && rowId === null) return { ...link, row: undefined }
  // The kind may be that of a feature that this calendar no longer has, or that is switched off.
  const knownAddresses = isFeatureOff(kind, settings) ? undefined : addressesOf(kind)
  const name =
    knownAddresses && rowId !== null
      ? await db.read(knownAddresses.selectName({ id: rowId, email: link.email }))
      : undefined
  return name === undefined || rowId === null ? undefined : { ...link, row: { kind, id: rowId, name } }
}

/** What a link confirms, in a sentence for its page. */
export function purposeOf(texts: Catalogue, site: string, { email, login, row }: EmailLink): string {
  const ownText = () => filled(texts.account.confirmOwn, { site, email, login })
  return (row && addressesOf(row.kind)?.page(texts, { site, email, name: row.name })) ?? ownText()
}

/** Confirms the address of a link, and uses up the link. Does nothing if another request was first. */
export function confirmAddress(context: BaseContext, { id, email, userId, row }: EmailLink): Promise<void> {
  const validSql = sql`EXISTS (SELECT 1 FROM ${emailLinks} AS link WHERE link.id = ${id})`
  const change = row
    ? (addressesOf(row.kind)?.confirmationStatements(context, { id: row.id, email }, validSql) ?? [])
    : recorded(
        context,
        build
          .update(users)
          .set({ email, noticed_utc: context.clock.now() })
          .where(and(eq(users.id, userId), validSql)),
        { action: 'update', kind: 'user', fields: ['email'], id: userId },
      )
  return context.db.write([...change, build.delete(emailLinks).where(eq(emailLinks.id, id))])
}

/** The statement that removes the links to the address of a row, which is deleted. */
export const emailLinkRemovalStatement = (kind: FeatureKind, id: number): Statement =>
  build.delete(emailLinks).where(and(eq(emailLinks.kind, kind), eq(emailLinks.row_id, id)))

/** Removes the address of the caller, and the link to an address that is not confirmed yet. */
export const removeAddress = (context: BaseContext): Promise<void> =>
  context.db.write([
    ...recorded(context, build.update(users).set({ email: '' }).where(eq(users.id, context.caller.id)), {
      action: 'update',
      kind: 'user',
      fields: ['email'],
      id: context.caller.id,
    }),
    build.delete(emailLinks).where(and(eq(emailLinks.user_id, context.caller.id), ownAddressSql)),
  ])

/** Stores when the caller gets notices, which leave out all submissions that wait already. */
export const chooseNotices = (context: BaseContext, notices: (typeof NOTICES)[number]): Promise<void> =>
  context.db.write(
    recorded(
      context,
      build
        .update(users)
        .set({ notices, noticed_utc: context.clock.now() })
        .where(eq(users.id, context.caller.id)),
      { action: 'update', kind: 'user', fields: ['notices'], id: context.caller.id },
    ),
  )
