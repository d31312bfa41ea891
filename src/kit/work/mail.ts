import type { Mailer } from '../context.ts'
import { ApiError } from '../lib/errors.ts'
import { withTimeout } from '../lib/pause.ts'
import { codedReason } from '../lib/reasons.ts'
import { dropControls, inOneLine } from '../lib/text.ts'
import { escapeXml } from '../lib/xml.ts'
import type { Settings } from '../settings.ts'

/** A paragraph of an e-mail: a text, or a link on a line of its own. */
type Paragraph = string | { href: string }

/** The body of an e-mail of paragraphs, in both forms. @param language a tag of BCP 47 */
export const mailBody = (
  paragraphs: readonly Paragraph[],
  language: string,
): Pick<Mail, 'text' | 'html'> => ({
  text: `${paragraphs.map(part => (typeof part === 'string' ? dropControls(part) : part.href)).join('\n\n')}\n`,
  html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"></head><body style="font-family:sans-serif;line-height:1.5;word-break:break-word;word-wrap:break-word">${paragraphs
    .map(part =>
      typeof part === 'string'
        ? `<p style="white-space:pre-line">${escapeXml(part)}</p>`
        : `<p><a href="${escapeXml(part.href)}">${escapeXml(part.href)}</a></p>`,
    )
    .join('\n')}</body></html>`,
})

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** A tag of BCP 47. */
  language: string
  /**
   * Identifies the mail, such as `letter-3-12`: the same in every attempt, so that a receiver recognises a
   * copy.
   */
  id: string
  /** For a letter to a mailing list, the id of the list, such as `letter-3.town.example`. */
  list?: string
  /** A calendar (RFC 5545) with the event that the e-mail is about. */
  calendar?: string
  /**
   * The address at which the recipient leaves the list: a page, to which mail programs also send a POST (RFC
   * 8058).
   */
  unsubscribe?: string
}

/**
 * The outcome of a try: `refused` if the platform said that it did not take the mail, `unknown` if it may
 * have taken it. The reason is a code of the platform, `timeout` or `error`.
 */
export type MailOutcome = { state: 'sent' | 'refused' | 'unknown'; reason: string }

/** The time to wait for the platform, in milliseconds. */
const MAIL_PATIENCE_MS = 15_000

/** A text in a header: one line, without characters that could end it. */
const headerText = (text: string): string => inOneLine(dropControls(text))

/** A name before an address, without the characters that end it. */
const displayName = (text: string): string => headerText(text.replace(/["<>\\]/g, ''))

/**
 * The codes of Cloudflare's Email Service that say that it has not taken a mail. An internal error is not
 * among them, because it may come after the mail was taken.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes
 */
const REFUSAL = /\bE_(?!INTERNAL_)[A-Z_]+/

/**
 * Whom the code of a refusal is about, by the same table: its recipient, or the calendar with everything that
 * it sends; undefined if it may be about either, or is not in the table. Codes about the sender, and about
 * limits per minute or day, concern the calendar. `E_RECIPIENT_NOT_ALLOWED` may concern the recipient, or a
 * plan that allows few recipients.
 */
export function refusalSubject(reason: string): 'recipient' | 'calendar' | undefined {
  if (/^E_SENDER_|_LIMIT_EXCEEDED$/.test(reason)) return 'calendar'
  return /^E_(?:RECIPIENT_SUPPRESSED|DELIVERY_FAILED)$/.test(reason) ? 'recipient' : undefined
}

function failureOf(error: unknown): MailOutcome {
  const text = error instanceof Error ? `${'code' in error ? error.code : ''} ${error.message}` : ''
  const refusalCode = REFUSAL.exec(text)?.[0]
  return refusalCode ? { state: 'refused', reason: refusalCode } : { state: 'unknown', reason: 'error' }
}

/**
 * Sends an e-mail, once. The platform sets Date and Message-ID, and accepts no others.
 *
 * A request that sends to an address which a stranger has named does so after its response
 * (`afterResponse`): the time that sending takes would tell what the calendar knows of the address.
 *
 * @param patienceMs the time after which nobody waits for the platform any more; the mail may still go
 */
export async function sendMail(
  mailer: Mailer,
  { to, subject, text, html, language, id, calendar, list, unsubscribe }: Mail,
  patienceMs = MAIL_PATIENCE_MS,
): Promise<MailOutcome> {
  const { from } = mailer
  const sendOnce = async (): Promise<MailOutcome> => {
    await mailer.send({
      from: { email: from.email, name: displayName(from.name) },
      to,
      subject: headerText(subject),
      text,
      html,
      ...(calendar !== undefined && {
        attachments: [
          { disposition: 'attachment', filename: 'event.ics', type: 'text/calendar', content: calendar },
        ],
      }),
      headers: {
        'Auto-Submitted': 'auto-generated',
        'Content-Language': language,
        'X-Entity-Ref-ID': id,
        ...(list && { 'List-Id': `<${list}>`, Precedence: 'list' }),
        ...(unsubscribe && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    })
    return { state: 'sent', reason: '' }
  }
  return withTimeout(patienceMs, sendOnce().catch(failureOf), () => ({ state: 'unknown', reason: 'timeout' }))
}

/** Returns the sender of e-mails. @throws ApiError `rest_mail_unavailable` if there is none */
export function requireMailer(mailer: Mailer | undefined): Mailer {
  if (!mailer)
    throw new ApiError(
      'rest_mail_unavailable',
      'This calendar sends no e-mails: it has no binding EMAIL, or no MAIL_FROM.',
    )
  return mailer
}

/** True if a calendar may write to strangers: it says who runs it, and has pages to unsubscribe on. */
export const mayWriteToStrangers = ({ website }: Settings): boolean =>
  website.isOn && website.links.imprint !== ''

type Sending = { mailer?: Mailer | undefined; settings: Settings }

/**
 * Makes the switch of a feature that sends e-mails to strangers. It is on if the calendar sends e-mails and
 * its settings want the feature.
 * @param whyNot names these settings
 */
export const mailedFeature = (isWanted: (settings: Settings) => boolean, whyNot: string) => ({
  isOn: ({ mailer, settings }: Sending): boolean => mailer !== undefined && isWanted(settings),
  /** Returns the sender of e-mails. @throws ApiError `rest_mail_unavailable` */
  requireMailerIfOn({ mailer, settings }: Sending): Mailer {
    const sender = requireMailer(mailer)
    if (isWanted(settings)) return sender
    throw new ApiError('rest_mail_unavailable', whyNot)
  },
})

type Provider = { host: string; uncounted: RegExp }

const GMAIL: Provider = { host: 'gmail.com', uncounted: /\./g }
const PROTON: Provider = { host: 'proton.me', uncounted: /[._-]/g }

/**
 * Hosts whose provider doesn't count some characters of names, each with the host under which all of the
 * provider's addresses are compared.
 */
const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  ['gmail.com', GMAIL],
  ['googlemail.com', GMAIL],
  ['proton.me', PROTON],
  ['protonmail.com', PROTON],
  ['pm.me', PROTON],
])

/**
 * The mailbox that an address most likely leads to, by which limits count: without case, without what some
 * servers let people add to their names after a plus, and without characters that their provider doesn't
 * count.
 *
 * @param email an address as `isMailAddress` accepts it, whose host has one spelling apart from case
 */
export function mailboxOf(email: string): string {
  const [localPart = '', host = ''] = email.trim().toLowerCase().split('@')
  const [name = ''] = localPart.split('+')
  const provider = PROVIDERS.get(host)
  return provider ? `${name.replace(provider.uncounted, '')}@${provider.host}` : `${name}@${host}`
}

/**
 * True if an address is one of the calendar's own: the sender of its e-mails, or its inbox. The calendar must
 * not write to itself: not as a subscriber, a sender of events, the recipient of a letter, or a user.
 */
export const isOwnMailbox = ({ mailFrom, inbox }: Settings, email: string): boolean =>
  [mailFrom?.email, inbox.address].some(
    address => address !== undefined && mailboxOf(address) === mailboxOf(email),
  )

/** The reason why one of the calendar's own addresses is refused. */
export const OWN_ADDRESS = codedReason('own_address', 'must not be an address of the calendar itself')
