import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_LINE_LENGTH, textOfHtml } from '../../../src/readers/mail-html.ts'
import { NOON } from '../../clock.ts'
import { signedIn } from '../../editor/session.ts'
import { countRows, declareUser } from '../../factories.ts'
import { openInbox, passed, raw, received } from './mail.ts'

declareUser('administrator')
const editor = signedIn('editor', 'ella')

let day = 0
beforeEach(() => vi.setSystemTime(Date.UTC(2027, 0, ++day, 10)))

const TEXT =
  'Barn dance in the town hall, Friday 19 March 2027, 8 pm. Callers and fiddles, beginners welcome.'
const HEAD = 'From: ann@club.example\r\nSubject: Barn dance\r\nMIME-Version: 1.0\r\n'
const body = (headers: string, text: string) => received(passed(), `${HEAD}${headers}\r\n${text}`)
const mixed = (parts: string) => body('Content-Type: multipart/mixed; boundary="b"\r\n', parts)
/** A text of nearly two megabytes. */
const filled = (text: string): string => text.repeat(1_950_000 / text.length)

describe('a hostile e-mail', () => {
  it.each([
    ['empty lines', () => body('', filled('\n')), /more than 30000 characters/],
    ['blanks', () => body('', filled(' ')), /more than 30000 characters/],
    ['HTML that is nested', () => body('Content-Type: text/html\r\n', filled('<div>')), /No event was found/],
    ['emphasis', () => body('Content-Type: text/html\r\n', filled('<b>x</b>\n')), /more than 30000|No event/],
    ['parts', () => mixed(filled('--b\r\n\r\nx\r\n')), /more than 30000 characters/],
    ['headers', () => body(`X-Fold: ${filled('a\r\n ')}\r\n`, TEXT.replace('Barn', 'Long')), /^taken$/],
    [
      'calendar files',
      () => mixed(filled('--b\r\nContent-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n')),
      /more than 5 calendar files/,
    ],
  ])('of two megabytes of %s ends with an answer', async (_, make, outcome) => {
    expect(await openInbox().deliver(make())).toMatch(outcome)
  })

  it('has no line that elements in it would make long to read', () => {
    for (const html of ['<b>xx</b>', '<a href="https://a.example/">xx</a>']) {
      const text = textOfHtml(`<p>${html.repeat(14_000 / html.length)}`, 30_000)
      expect(Math.max(...text.split('\n').map(line => line.length)), html).toBeLessThan(MAX_LINE_LENGTH + 100)
    }
  })

  it('is refused by its size before it is read', async () => {
    expect(await openInbox().deliver(body('', 'x'.repeat(2_000_000)))).toContain('larger than 2 MB')
  })

  it.each([
    ['a million dates', `RDATE:${Array.from({ length: 60_000 }, () => '20270304T193000Z').join()}`],
    ['a date each second', 'RRULE:FREQ=SECONDLY;COUNT=1000000'],
    [
      'too many events',
      `END:VEVENT\r\n${'BEGIN:VEVENT\r\nUID:x\r\nDTSTART:20270304T193000Z\r\nSUMMARY:x\r\nEND:VEVENT\r\n'.repeat(30)}BEGIN:VEVENT`,
    ],
  ])('with a calendar of %s makes no more than a submission may', async (_, line) => {
    const inbox = openInbox()
    const content = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20270304T193000Z\r\nSUMMARY:Choir\r\n${line}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    const outcome = await inbox.send({
      text: 'See the file',
      attached: [{ type: 'text/calendar', name: 'a.ics', content }],
    })
    expect(outcome).not.toBe('again')
    expect(await countRows('events')).toBeLessThan(120)
  })

  it.each([
    ['folded headers', { headers: { 'X-Fold': 'a\r\n '.repeat(1_000) } }],
    ['S/MIME', { attached: [{ type: 'application/pkcs7-signature', name: 'smime.p7s', content: 'x' }] }],
    [
      'TNEF',
      { attached: [{ type: 'application/ms-tnef', name: 'winmail.dat', content: 'x'.repeat(1_000) }] },
    ],
    [
      'another e-mail in it',
      { attached: [{ type: 'message/rfc822', name: 'a.eml', content: 'Subject: x\r\n\r\n'.repeat(100) }] },
    ],
    ['a name with control characters', { from: '=?utf-8?Q?Ann=00=0A=1B[31m=E2=80=AE?= <ann@club.example>' }],
    ['an unknown charset', { headers: { 'X-Charset': '=?x-unknown?Q?=FF?=' } }],
  ])('with %s is read like others', async (name, written) => {
    const inbox = openInbox()
    expect(await inbox.send({ text: TEXT.replace('Barn dance', name), subject: name, ...written })).toBe(
      'taken',
    )
    expect(
      await countRows(
        "submissions WHERE name LIKE '%' || char(10) || '%' OR name LIKE '%' || char(27) || '%'",
      ),
    ).toBe(0)
  })

  it('is encrypted or has a file alone: no event is found in it', async () => {
    const inbox = openInbox()
    for (const [type, reason] of [
      ['application/pkcs7-mime', 'No event was found'],
      ['application/ms-tnef', 'winmail.dat'],
      ['application/pdf', 'No event was found'],
    ] as const)
      expect(await inbox.send({ attached: [{ type, name: 'x', content: 'x' }] }), type).toContain(reason)
  })

  it('shows nothing in the review that is not escaped', async () => {
    vi.setSystemTime(NOON)
    const evil = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'
    const sent = raw({
      from: `"${evil.replaceAll('"', '')}" <ann@club.example>`,
      subject: `Quiz ${evil}`,
      text: `${TEXT.replace('Barn dance', 'Quiz')}\n${evil}\n\nOn Monday, Bob wrote:\n> ${evil}\n\n-- \nAnn ${evil}`,
    })
    expect(await openInbox().deliver(received('', sent))).toBe('taken')
    const page = await editor.browser.get('/admin/review/')
    expect(page.html).not.toMatch(/<script>alert|<img src=x/)
    expect(page.text).toContain('Sender not confirmed')
    expect(page.text).toContain('<script>alert(1)</script>')
    // It is whole, with the quotation and the signature.
    const mails = [...page.html.matchAll(/<div class="mail-text" dir="auto">([^<]*)/g)]
    const mail = mails.find(([, text = '']) => text.includes('alert(1)'))?.[1]
    expect(mail?.match(/alert\(1\)/g)).toHaveLength(3)
  })
})
