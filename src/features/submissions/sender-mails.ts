import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { presentEvent } from '../../calendar/intake/queries.ts'
import type { BaseContext, MailRun } from '../../kit/context.ts'
import { first, literal, many, type RowOfQuery, readNumber, readText } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, submissions } from '../../kit/db/tables.ts'
import { passwordDigest } from '../../kit/lib/hash.ts'
import { mailLine } from '../../kit/lib/text.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '../../kit/lib/time.ts'
import type { Settings } from '../../kit/settings.ts'
import { notPostponedSql, tryRow } from '../../kit/work/leases.ts'
import { mailBody, sendMail } from '../../kit/work/mail.ts'
import { filled, textsIn } from '../../words/words.ts'
import { stateOfSubmission } from './queries.ts'

// Senders confirm their addresses on the page to which an e-mail leads them
// (calendar/intake/sender-link.ts). A confirmed address gets the decision, once.

/** A condition for the submission whose address a secret confirms. */
const confirmedBySql = async (secret: string): Promise<SQL> =>
  sql`${submissions.email} <> '' AND ${submissions.email_digest} <> '' AND ${submissions.email_digest} = ${await passwordDigest(secret)}`

/** The address of a submission that a secret confirms; undefined if the secret is not valid. */
export async function findAddressToConfirm(
  { db }: BaseContext,
  { id, secret }: { id: number; secret: string },
): Promise<string | undefined> {
  const row = await db.read(
    first(
      build
        .select({ email: submissions.email })
        .from(submissions)
        .where(and(eq(submissions.id, id), await confirmedBySql(secret))),
    ),
  )
  return row?.email
}

/**
 * Confirms the address of a submission, which uses up the secret.
 * @returns false if the secret is not valid
 */
export async function confirmSender(
  { db }: BaseContext,
  { id, secret }: { id: number; secret: string },
): Promise<boolean> {
  const confirmation = build
    .update(submissions)
    .set({ is_confirmed: true, email_digest: '' })
    .where(and(eq(submissions.id, id), await confirmedBySql(secret)))
    .returning({ id: submissions.id })
  const row = await db.write(first(confirmation))
  return row !== undefined
}

/**
 * Milliseconds from a decision to its e-mail, so that editors can undo the decision, and milliseconds after
 * which it is too late for an e-mail.
 */
const UNDOABLE_MS = 10 * MINUTE_MS
const MAX_DELAY_MS = 2 * DAY_MS

/** The name of a decision in the table `setbacks`. */
const rowName = 'decision'

const DECISION_WORK = {
  /** E-mails of a run of the cron. */
  atOnce: 10,
  /** Statements that find the decisions. */
  toFind: 1,
  /** The budget of a decision: claiming it, and postponing it if the platform refuses it. */
  ofDecision: { statements: 4, requests: 1, cpuMs: 0.1, ms: 15_000 },
} as const

/** The decided submissions whose senders get an e-mail. Senders of presumed spam get none. */
const dueDecisions = (nowMs: number): SQL =>
  sql`${submissions} INDEXED BY submissions_to_tell LEFT JOIN ${events} ON ${events.id} = ${presentEvent()}
    WHERE ${submissions.is_confirmed} AND ${isNull(submissions.told_utc)} AND ${submissions.email} <> ''
      AND ${submissions.decided_utc} BETWEEN ${formatInstant(nowMs - MAX_DELAY_MS)} AND ${formatInstant(nowMs - UNDOABLE_MS)}
      AND ${stateOfSubmission} IN ('published', 'refused') AND ${notPostponedSql(rowName, nowMs, sql`${submissions.id}`)}`

/** A condition that is true if {@link sendDecisions} has something to do. */
export const decisionDueSql = (nowMs: number): SQL => sql`EXISTS (SELECT 1 FROM ${dueDecisions(nowMs)})`

const selectDecisions = (nowMs: number) =>
  many(
    sql`SELECT ${submissions.id} AS id, ${submissions.email} AS email, ${submissions.note} AS note, ${submissions.via} AS via,
        ${stateOfSubmission} AS state,
        ${events.title} AS title, ${events.status} AS status, ${events.slug} AS slug
      FROM ${dueDecisions(nowMs)} ORDER BY ${submissions.id} LIMIT ${literal(DECISION_WORK.atOnce)}`,
    row => ({
      id: readNumber(row.id),
      email: readText(row.email),
      note: readText(row.note),
      isPublished: row.state === 'published',
      isMailed: row.via === 'email',
      /** '' once the event has been deleted. */
      title: String(row.title ?? ''),
      slug: row.status === 'publish' ? readText(row.slug) : '',
    }),
  )

const MAX_TITLE_LENGTH = 200

/**
 * The paragraphs about a decision. Links need the var `SITE_URL`: the cron has no request from which to
 * derive the address of pages.
 */
function paragraphsOf(
  { siteName, siteUrl, website }: Settings,
  { isPublished, isMailed, title, slug, note }: RowOfQuery<typeof selectDecisions>,
) {
  const words = textsIn(website.language).mail
  const names = { site: siteName, title: mailLine(title, MAX_TITLE_LENGTH) }
  const refusedText = title === '' ? words.decisionDeleted : words.decisionRefused
  const hasPage = isPublished && slug !== '' && siteUrl !== undefined && website.isOn
  return [
    filled(isPublished ? words.decisionPublished : refusedText, names),
    ...(hasPage ? [{ href: `${siteUrl}/event/${encodeURIComponent(slug)}/` }] : []),
    ...(!isPublished && note !== '' ? [words.decisionNote, note] : []),
    isMailed ? words.decisionWhyMailed : words.decisionWhy,
  ]
}

/**
 * Sends senders the decisions of editors, as far as the allowance permits. Can run twice at the same time:
 * only one run claims each decision.
 */
export async function sendDecisions({ db, settings, mailer, nowMs }: MailRun): Promise<void> {
  const { toFind, ofDecision } = DECISION_WORK
  if (!db.allowance.allows('decisions', { ...ofDecision, statements: toFind + ofDecision.statements })) return
  const decisions = await db.read(selectDecisions(nowMs))
  const { language } = settings.website
  const subject = filled(textsIn(language).mail.decisionSubject, { site: settings.siteName })
  await db.allowance.forEach('decisions', ofDecision, decisions, decided => {
    const { id, email } = decided
    return tryRow(db, { rowName, id, nowMs }, async () => {
      const claim = build
        .update(submissions)
        .set({ told_utc: formatInstant(nowMs) })
        .where(and(eq(submissions.id, id), isNull(submissions.told_utc), eq(submissions.email, email)))
        .returning({ id: submissions.id })
      if (!(await db.write(first(claim)))) return
      const body = mailBody(paragraphsOf(settings, decided), language)
      const mail = { to: email, subject, ...body, language, id: `decision-${id}` }
      const { state, reason } = await sendMail(mailer, mail)
      if (state !== 'refused') return
      await db.write([build.update(submissions).set({ told_utc: null }).where(eq(submissions.id, id))])
      throw new Error(reason)
    })
  })
}
