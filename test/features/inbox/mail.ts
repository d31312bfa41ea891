import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import worker from '../../../src/index.ts'
import type { Bindings } from '../../../src/kit/env.ts'
import { openOutbox } from '../../outbox.ts'

/** The name by which Email Routing signs its results. */
const AUTHORITY = 'mx.cloudflare.net'

/** A file in an e-mail. */
export type Attached = { type: string; name?: string; content: string | Uint8Array; isInline?: boolean }

/** An e-mail. Absent headers are those that every program writes. */
export type MailParts = {
  from?: string
  to?: string
  subject?: string
  text?: string
  html?: string
  attached?: readonly Attached[]
  /** Further headers, below the usual ones. */
  headers?: Readonly<Record<string, string>>
  messageId?: string
  /** How the text is encoded. */
  encoding?: '8bit' | 'quoted-printable' | 'base64'
  charset?: 'utf-8' | 'iso-8859-1'
}

let number = 0

const word = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : `=?utf-8?B?${base64(new TextEncoder().encode(text))}?=`

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const inLines = (text: string): string => text.replace(/(.{76})/g, '$1\r\n')

const bytesIn = (text: string, charset: string): Uint8Array =>
  charset === 'utf-8' ? new TextEncoder().encode(text) : Uint8Array.from(text, char => char.charCodeAt(0))

/** Quoted-printable, with soft line breaks. */
const quoted = (bytes: Uint8Array): string =>
  Array.from(bytes, byte =>
    byte === 10
      ? '\n'
      : byte === 61 || byte < 32 || byte > 126
        ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
  )
    .join('')
    .replace(/((?:=..|[^=\n]){72})(?=[^\n])/g, '$1=\n')
    .replaceAll('\n', '\r\n')

function part(type: string, text: string, { encoding = '8bit', charset = 'utf-8' }: MailParts): string {
  const bytes = bytesIn(text, charset)
  const body =
    encoding === 'base64'
      ? inLines(base64(bytes))
      : encoding === 'quoted-printable'
        ? quoted(bytes)
        : text.replaceAll('\n', '\r\n')
  return `Content-Type: ${type}; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`
}

const multipart = (kind: string, parts: readonly string[]): string => {
  const [only, ...others] = parts
  if (only !== undefined && others.length === 0) return only
  const boundary = `=_${kind}_${++number}`
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${parts.map(one => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`
}

const file = ({ type, name, content, isInline }: Attached): string => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return [
    `Content-Type: ${type}${name ? `; name="${name}"` : ''}`,
    `Content-Disposition: ${isInline ? 'inline' : 'attachment'}${name ? `; filename="${name}"` : ''}`,
    ...(isInline ? ['Content-ID: <image@example>'] : []),
    'Content-Transfer-Encoding: base64',
    '',
    inLines(base64(bytes)),
  ].join('\r\n')
}

/** The raw e-mail, as its sender's program sends it. */
export function raw(written: MailParts): string {
  const {
    from = 'Ann Example <ann@club.example>',
    to = 'inbox@town.example',
    subject = 'Barn dance',
    text,
    html,
    attached = [],
  } = written
  const { headers = {}, messageId = `<${++number}@club.example>` } = written
  const bodies = [
    ...(text === undefined ? [] : [part('text/plain', text, written)]),
    ...(html === undefined ? [] : [part('text/html', html, written)]),
  ]
  const lines = {
    From: from,
    To: to,
    Subject: word(subject),
    Date: 'Thu, 14 Jan 2027 10:00:00 +0000',
    ...(messageId && { 'Message-ID': messageId }),
    'MIME-Version': '1.0',
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    head.join('') +
    multipart('mixed', [multipart('alternative', bodies), ...attached.map(file)].filter(Boolean))
  )
}

/** The results of Cloudflare's server for an e-mail that is surely from a domain. */
export const passed = (domain = 'club.example'): string =>
  `${AUTHORITY}; dkim=pass header.d=${domain} header.s=s1 header.b=abcdefgh; dmarc=pass header.from=${domain} policy.dmarc=none; spf=pass (${AUTHORITY}: domain of ann@${domain} designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@${domain}; arc=none smtp.remote-ip=192.0.2.1`

/** Results that confirm nobody. */
export const FAILED = `${AUTHORITY}; dkim=none; dmarc=fail header.from=club.example policy.dmarc=none; spf=softfail smtp.mailfrom=ann@club.example`

/** What Cloudflare's server puts above an e-mail. */
export const received = (results: string, mail: string): string =>
  `Received: from mail.club.example (192.0.2.1) by cloudflare-email.net (unknown) id abc for <inbox@town.example>; Thu, 14 Jan 2027 10:00:01 +0000\r\nAuthentication-Results: ${results}\r\n${mail}`

/** A calendar with an inbox, and the e-mails that it sends. */
export function openInbox(vars: Partial<Bindings> = {}) {
  const outbox = openOutbox()
  const bindings: Bindings = {
    ...env,
    ...outbox.bindings,
    SITE_URL: 'https://town.example',
    SUBMISSIONS: 'on',
    INBOX: 'on',
    INBOX_ADDRESS: 'inbox@town.example',
    TIMEZONE: 'Europe/Dublin',
    ...vars,
  }
  /**
   * Delivers an e-mail.
   * @returns `taken`, the reason for which it is refused, or `again` for an error after which it is tried
   * again
   */
  const deliver = async (
    mail: string | Uint8Array,
    { envelope = 'ann@club.example' }: { envelope?: string } = {},
  ): Promise<string> => {
    const bytes = typeof mail === 'string' ? new TextEncoder().encode(mail) : mail
    let outcome = 'taken'
    const message = {
      from: envelope,
      to: 'inbox@town.example',
      raw: new Blob([bytes.slice()]).stream(),
      rawSize: bytes.byteLength,
      setReject: (reason: string) => {
        outcome = reason
      },
    }
    const context = createExecutionContext()
    // The handler uses nothing else of a message.
    await worker.email(message as unknown as ForwardableEmailMessage, bindings, context).catch(() => {
      outcome = 'again'
    })
    await waitOnExecutionContext(context)
    return outcome
  }
  const send = (written: MailParts, results = passed(), envelope?: string) =>
    deliver(received(results, raw(written)), { ...(envelope !== undefined && { envelope }) })
  return { deliver, send, mails: outbox.mails, outbox, bindings }
}
