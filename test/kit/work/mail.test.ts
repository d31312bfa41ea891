import { describe, expect, it } from 'vitest'
import type { Mailer } from '../../../src/kit/context.ts'
import { mailerOf } from '../../../src/kit/http/request-context.ts'
import { isMailAddress } from '../../../src/kit/lib/values.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { type Mail, mailBody, mailboxOf, refusalSubject, sendMail } from '../../../src/kit/work/mail.ts'

const MAIL: Mail = {
  to: 'ada@town.example',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  language: 'en',
  id: 'letter-3-12',
}

type Message = Parameters<Mailer['send']>[0]

/** A platform that does something with each e-mail. */
const platform = (send: (message: Message) => Promise<unknown>, name = 'Town'): Mailer => ({
  from: { email: 'events@town.example', name },
  send,
})

/** The e-mail that the platform gets. */
async function sentOf(mail: Partial<Mail>, name?: string): Promise<Message> {
  const sent: Message[] = []
  const mailer = platform(async message => sent.push(message), name)
  expect(await sendMail(mailer, { ...MAIL, ...mail })).toEqual({ state: 'sent', reason: '' })
  expect(sent).toHaveLength(1)
  return sent[0] as Message
}

describe('a refusal', () => {
  it.each([
    ['E_RECIPIENT_SUPPRESSED', 'recipient'],
    ['E_DELIVERY_FAILED', 'recipient'],
    ['E_SENDER_NOT_VERIFIED', 'calendar'],
    ['E_SENDER_DOMAIN_NOT_AVAILABLE', 'calendar'],
    ['E_RATE_LIMIT_EXCEEDED', 'calendar'],
    ['E_DAILY_LIMIT_EXCEEDED', 'calendar'],
    ['E_RECIPIENT_NOT_ALLOWED', undefined],
    ['E_VALIDATION_ERROR', undefined],
    ['E_HEADERS_TOO_LARGE', undefined],
    ['E_OF_TOMORROW', undefined],
  ])('with %s is about the %s', (code, subject) => expect(refusalSubject(code)).toBe(subject))
})

describe('a mailbox', () => {
  it.each([
    ['Ann+0@People.example', 'ann@people.example'],
    ['a.nn@people.example', 'a.nn@people.example'],
    ['v.ictim@gmail.com', 'victim@gmail.com'],
    ['V.I.ctim+x@GoogleMail.com', 'victim@gmail.com'],
    ['a.d.a@pm.me', 'ada@proton.me'],
    ['A_d-a.+x@ProtonMail.com', 'ada@proton.me'],
    ['y-@proton.me', 'y@proton.me'],
    ['y_@pm.me', 'y@proton.me'],
    ['y-_@gmail.com', 'y-_@gmail.com'],
    ['y-_.z@people.example', 'y-_.z@people.example'],
    ['x@constructor', 'x@constructor'],
  ])('of %s is %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox))
})

describe('an e-mail', () => {
  it('says that a program has sent it, and what it is', async () => {
    expect((await sentOf({ list: 'letter-3.town.example' })).headers).toEqual({
      'Auto-Submitted': 'auto-generated',
      'Content-Language': 'en',
      'X-Entity-Ref-ID': 'letter-3-12',
      'List-Id': '<letter-3.town.example>',
      Precedence: 'list',
    })
    expect((await sentOf({})).headers).not.toHaveProperty('List-Id')
  })

  it.each([
    '\r\nBcc: eve@evil.example',
    '\nBcc: eve@evil.example',
    '\rX: y',
    '\0',
    '\u2028X: y',
    '\v\f\u0085',
    '\u202egnp.exe',
  ])('has headers of one line each, whatever %j is in them', async hostile => {
    const { subject, from } = await sentOf({ subject: `Jazz${hostile}` }, `Town${hostile}`)
    for (const text of [subject, from.name]) expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
  })

  it('keeps the name before its address apart from it', async () => {
    const { from } = await sentOf({}, '"Town" <eve@evil.example>, \\Hall')
    expect(from).toEqual({ email: 'events@town.example', name: 'Town eve@evil.example, Hall' })
  })

  it('shows texts of people as texts', () => {
    const { html, text } = mailBody(
      ['<script>alert(1)</script>', { href: 'https://town.example/?a=1&b="2"' }],
      'de',
    )
    expect(html).toContain('<html lang="de">')
    expect(html).not.toContain('<script')
    expect(html).toContain('href="https://town.example/?a=1&amp;b=&quot;2&quot;"')
    expect(text).toBe('<script>alert(1)</script>\n\nhttps://town.example/?a=1&b="2"\n')
  })
})

describe('the outcome', () => {
  const failing = (error: unknown) => platform(() => Promise.reject(error))

  it.each([
    [
      Object.assign(new Error('Sender domain not verified'), { code: 'E_SENDER_NOT_VERIFIED' }),
      'refused',
      'E_SENDER_NOT_VERIFIED',
    ],
    [new Error('E_RATE_LIMIT_EXCEEDED: slow down'), 'refused', 'E_RATE_LIMIT_EXCEEDED'],
    // It may come after the e-mail was taken.
    [Object.assign(new Error('Oops'), { code: 'E_INTERNAL_SERVER_ERROR' }), 'unknown', 'error'],
    [new Error('Network connection lost.'), 'unknown', 'error'],
    ['a text', 'unknown', 'error'],
    [undefined, 'unknown', 'error'],
  ])('of %s is that it was %s', async (error, state, reason) => {
    expect(await sendMail(failing(error), MAIL)).toEqual({ state, reason })
  })

  it('is unknown if the platform takes too long, or throws at once', async () => {
    const slow = platform(() => new Promise(() => {}))
    expect(await sendMail(slow, MAIL, 1)).toEqual({ state: 'unknown', reason: 'timeout' })
    const broken = platform(() => {
      throw new Error('no method')
    })
    expect(await sendMail(broken, MAIL)).toEqual({ state: 'unknown', reason: 'error' })
  })
})

describe('MAIL_FROM', () => {
  const from = (MAIL_FROM: string) => settingsOf({ MAIL_FROM }).mailFrom

  it('is an address, with a name or without', () => {
    expect(from('events@town.example')).toEqual({ email: 'events@town.example', name: '' })
    expect(from('What’s on <events@town.example>')).toEqual({
      email: 'events@town.example',
      name: 'What’s on',
    })
    expect(from('"Town, Hall" <events@town.example> ')).toEqual({
      email: 'events@town.example',
      name: 'Town, Hall',
    })
    expect(from(' ')).toBeUndefined()
  })

  it.each([
    'events',
    'a@b',
    'Town events@town.example',
    '<a@town.example> x',
    'a@town.example, b@town.example',
  ])('is not %s', text => {
    expect(() => from(text)).toThrow(/^MAIL_FROM: /)
  })

  it('is needed, and so is the binding', () => {
    // The Worker uses nothing else of it.
    const binding = { send: async () => ({ messageId: '' }) } as unknown as SendEmail
    const settings = settingsOf({ MAIL_FROM: 'a@town.example', SITE_NAME: 'Town' })
    expect(mailerOf(binding, settings)?.from).toEqual({ email: 'a@town.example', name: 'Town' })
    expect(mailerOf(undefined, settings)).toBeUndefined()
    expect(mailerOf(binding, settingsOf({}))).toBeUndefined()
  })
})

describe('an address', () => {
  it.each(['ada@town.example', "o'neill+list@xn--bcher-kva.example", 'A.B-c_d@a.b.town.example'])(
    'may be %s',
    text => {
      expect(isMailAddress(text)).toBe(true)
    },
  )

  it.each([
    'ada@town.example, eve@evil.example',
    'ada@town.example\r\nBcc: eve@evil.example',
    'ada@town.example\n',
    ' ada@town.example',
    '"a b"@town.example',
    'Ada <ada@town.example>',
    'ada@[127.0.0.1]',
    'ada@localhost',
    'ada@@town.example',
    '.ada@town.example',
    'ada..b@town.example',
    'ada@-town.example',
    'ada@town..example',
    'ädä@town.example',
    'ada@tøwn.example',
    `${'a'.repeat(65)}@town.example`,
    `a@${'b.'.repeat(130)}example`,
    'a@b;c.example',
    '',
  ])('is not %j', text => {
    expect(isMailAddress(text)).toBe(false)
  })
})
