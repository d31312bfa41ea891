import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { countRows, makeUser, query } from '../../factories.ts'
import { answering, answerOf } from '../../model.ts'
import { FAILED, openInbox, passed } from './mail.ts'

beforeAll(() => makeUser('ann', 'administrator'))
// Each test has a day of its own, so that limits count nothing of the others.
let day = 0
beforeEach(() => vi.setSystemTime(Date.UTC(2026, 9, ++day, 10)))

/** The day of a test's event, as people and as programs write it. */
const written = () => `${(day % 28) + 1} ${day < 28 ? 'March' : day < 56 ? 'April' : 'June'} 2027`
const start = () => `${new Date(`${written()} UTC`).toISOString().slice(0, 10)} 20:00:00`

const latest = async () =>
  (
    await query(
      'SELECT title, start_date, status, description, mail_text FROM submissions JOIN events ON events.id = event_id ORDER BY submissions.id DESC LIMIT 1',
    )
  )[0]

/** A file of a mail program. */
const calendar = (method: string, more = '', title = 'Members’ meeting'): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//EN',
    ...(method === '' ? [] : [`METHOD:${method}`]),
    'BEGIN:VEVENT',
    'UID:meeting@club.example',
    'DTSTAMP:20270101T000000Z',
    'DTSTART:20270304T193000Z',
    'DTEND:20270304T213000Z',
    `SUMMARY:${title}`,
    'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@club.example',
    ...(more === '' ? [] : [more]),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const fileOf = (content: string, type = 'text/calendar') => [{ type, name: 'invite.ics', content }]

/** What programs write below an invitation that somebody has answered. */
const BELOW = 'Members’ meeting\nWhen: Thursday 4 March 2027, 7:30 pm\nWhere: Palace Theatre'

describe('an answer to an invitation', () => {
  it.each([
    [
      'is an acceptance of Google',
      'Accepted: Members’ meeting',
      'REPLY',
      'Ann has accepted this invitation.',
    ],
    ['is an acceptance of Outlook', 'Zugesagt: Mitgliederversammlung', 'REPLY', ''],
    ['proposes another time', 'New time proposed: Members’ meeting', 'COUNTER', 'Ann proposes a new time.'],
    ['refuses another time', 'Declined: new time', 'DECLINECOUNTER', ''],
    ['asks for the invitation', 'Refresh', 'REFRESH', ''],
    ['is in lower case', 'Accepted: Members’ meeting', 'reply', ''],
  ])('is no event: %s', async (_, subject, method, text) => {
    const before = await countRows('events')
    const mail = { subject, text: `${text}\n\n${BELOW}`, attached: fileOf(calendar(method)) }
    expect(await openInbox().send(mail)).toMatch(/^This e-mail answers an invitation/)
    expect(await countRows('events')).toBe(before)
  })

  it('is no event if only its part says so, and the file does not', async () => {
    const attached = fileOf(calendar(''), 'text/calendar; method=REPLY')
    expect(await openInbox().send({ subject: 'Accepted', text: BELOW, attached })).toMatch(/answers an inv/)
  })

  it.each(['REQUEST', 'PUBLISH', 'ADD', ''])('is not seen in a file with the method «%s»', async method => {
    const title = `An invitation ${method || 'of no method'}`
    const attached = fileOf(calendar(method, '', title))
    expect(await openInbox().send({ subject: title, text: 'You are invited.', attached })).toBe('taken')
    expect(await latest()).toMatchObject({ title, start_date: '2027-03-04 19:30:00', status: 'pending' })
  })
})

describe('a cancellation', () => {
  it('is no event, and says whom to tell', async () => {
    const before = await countRows('events')
    const mail = { subject: 'Cancelled: Members’ meeting', text: BELOW, attached: fileOf(calendar('CANCEL')) }
    const refused = await openInbox({ CONTACT: 'office@town.example' }).send(mail)
    expect(refused).toContain('Please tell the editors (office@town.example), or withdraw what you sent')
    expect(await openInbox({ CONTACT: '/contact/' }).send(mail)).toContain('https://town.example/contact/')
    expect(await openInbox().send(mail)).toContain('Please tell the editors, or')
    expect(await countRows('events')).toBe(before)
  })

  it.each([
    [
      'CANCELLED: Carol singing',
      'Sorry, the carol singing on Saturday 18 December 2027 at 5pm has been cancelled because of the flu.',
    ],
    [
      'Vortrag',
      'Der Vortrag am 15. Dezember 2027 um 19 Uhr in der Bücherei entfällt leider wegen Krankheit.',
    ],
    ['Lesung', 'Die Lesung am 16. Dezember 2027 um 19.30 Uhr im Café Nore ist abgesagt.'],
    [
      'Concert',
      'The concert on 18 December 2027 at 8pm in the Parish Hall is postponed until further notice.',
    ],
  ])('in a text says the same: %s', async (subject, text) => {
    const before = await countRows('events')
    const refused = await openInbox({ CONTACT: 'office@town.example' }).send({ subject, text })
    expect(refused).toMatch(/^This e-mail cancels or postpones .* tell the editors \(office@town\.example\)/)
    expect(await countRows('events')).toBe(before)
  })
})

describe('a correction', () => {
  const reading = (rest: string) => ({
    subject: 'Lesung am 3. November 2027',
    text: `Die Lesung am 3. November 2027 beginnt um ${rest}.`,
  })

  it('of the hour waits for review as well', async () => {
    const before = await countRows('submissions')
    expect(await openInbox().send(reading('19 Uhr'))).toBe('taken')
    const later = reading('20 Uhr')
    expect(await openInbox().send({ ...later, subject: `Re: ${later.subject}` })).toBe('taken')
    expect(await countRows('submissions')).toBe(before + 2)
    expect((await latest())?.start_date).toBe('2027-11-03 20:00:00')
  })

  it('of the place is refused, and says whom to tell', async () => {
    const inbox = openInbox({ CONTACT: 'office@town.example' })
    expect(await inbox.send({ ...reading('18 Uhr in der Stadthalle') })).toBe('taken')
    expect(await inbox.send({ ...reading('18 Uhr im Rathaus') })).toMatch(
      /already been submitted, and e-mails cannot change it.* tell the editors \(office@town\.example\)/,
    )
  })
})

describe('a text that begins with its subject', () => {
  const sendIt = async (results: string) => {
    const subject = `Trivia night on ${written()} at 8pm, The Crown`
    const trivia = {
      title: 'Trivia night',
      date: [written(), start().slice(0, 10)],
      time: ['8pm', '20:00'],
      venue: ['The Crown', 'The Crown'],
    } as const
    // A model may find it twice.
    const { AI, asked } = answering({ [subject]: answerOf(trivia, trivia) })
    const before = await countRows('submissions')
    expect(await openInbox({ AI }).send({ subject, text: `${subject}\n\nBob` }, results)).toBe('taken')
    expect(await countRows('submissions')).toBe(before + 1)
    return { subject, asked }
  }

  it('makes one submission', async () => {
    await sendIt(passed())
    expect(await latest()).toMatchObject({ title: 'Trivia night', start_date: start() })
  })

  it('makes one submission without the model, if nobody knows who sent it', async () => {
    const { subject, asked } = await sendIt(FAILED)
    expect(asked).toEqual([])
    expect(await latest()).toMatchObject({ title: subject, start_date: start() })
    expect((await latest())?.description).toContain('The Crown')
  })
})

describe('a private event', () => {
  it.each(['PRIVATE', 'CONFIDENTIAL', 'X-CLUB'])('of class %s waits, and the review says so', async name => {
    const title = `Birthday ${name}`
    const attached = fileOf(calendar('REQUEST', `CLASS:${name}`, title))
    expect(await openInbox().send({ subject: title, text: 'Come along.', attached })).toBe('taken')
    const row = await latest()
    expect(row).toMatchObject({ title, status: 'pending' })
    expect(row?.mail_text).toBe(`${title}\nPrivate according to its calendar file: ${title}.\n\nCome along.`)
    expect(row?.description).not.toContain('Private')
  })

  it('is not seen in a public one', async () => {
    const attached = fileOf(calendar('REQUEST', 'CLASS:PUBLIC', 'Open house'))
    await openInbox().send({ subject: 'Open house', text: 'Come along.', attached })
    expect((await latest())?.mail_text).toBe('Open house\n\nCome along.')
  })
})

describe('what a calendar file leaves open', () => {
  const receivedOf = async (content: string, subject: string) => {
    expect(await openInbox().send({ subject, text: 'Come along.', attached: fileOf(content) })).toBe('taken')
    return (await latest())?.mail_text
  }
  const event = (uid: string, lines: readonly string[]) =>
    ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT', ''].join('\r\n')
  const withMore = (content: string, more: string) => content.replace('END:VCALENDAR', `${more}END:VCALENDAR`)

  it('is listed above the text: guesses, in the language of the calendar', async () => {
    const file = calendar('REQUEST', 'STATUS:CONFIRMD', 'Night walk').replace(
      'DTEND:20270304T213000Z',
      'DTEND;TZID=Middle-earth:20270304T213000',
    )
    expect(await receivedOf(file, 'Night walk')).toBe(
      `Night walk\nSTATUS “CONFIRMD”: read as CONFIRMED.\nUnknown time zone “Middle-earth”: read as Europe/Dublin.\n\nCome along.`,
    )
  })

  it('is listed above the text: events that could not be read, or are called off', async () => {
    const file = withMore(
      calendar('PUBLISH', '', 'Day walk'),
      event('b', ['SUMMARY:Lost', 'DTSTART:20270230']) +
        event('c', ['SUMMARY:Off', 'DTSTART:20270305', 'STATUS:CANCELLED']),
    )
    expect(await receivedOf(file, 'Day walk')).toBe(
      'Day walk\nCalled off according to its calendar file, and left out: Off.\nLeft out of its calendar file: “Lost”. One of its dates does not exist, such as 30 February.\n\nCome along.',
    )
  })

  it('is listed above the text: a rule that ends before the event begins', async () => {
    const file = calendar('PUBLISH', 'RRULE:FREQ=WEEKLY;UNTIL=20270101T000000Z', 'Cut walk')
    expect(await receivedOf(file, 'Cut walk')).toBe('Cut walk\nCut walk: It has no dates.\n\nCome along.')
    expect(await latest()).toMatchObject({ title: 'Cut walk', start_date: '2027-03-04 19:30:00' })
  })

  it('is listed above the text if only that has an event', async () => {
    const file = calendar('PUBLISH', '', 'Bad').replace('DTSTART:20270304T193000Z', 'DTSTART:20270230')
    const title = 'Supper in the barn'
    const text = `${title}\nThursday ${written()} at 7 pm in the town hall.`
    expect(await openInbox().send({ subject: title, text, attached: fileOf(file) })).toBe('taken')
    expect((await latest())?.mail_text).toBe(
      `${title}\nLeft out of its calendar file: “Bad”. One of its dates does not exist, such as 30 February.\n\n${text}`,
    )
  })

  it('has at most 20 lines', async () => {
    const lost = Array.from({ length: 19 }, (_, i) =>
      event(`d${i}`, [`SUMMARY:Lost ${i}`, 'DTSTART:20270230']),
    )
    const file = withMore(calendar('PUBLISH', 'STATUS:CONFIRMD\r\nCLASS:PUBLC', 'Long walk'), lost.join(''))
    const lines = String(await receivedOf(file, 'Long walk')).split('\n')
    expect(lines.slice(1, -2)).toHaveLength(20)
  })
})

describe('a file of Outlook', () => {
  it.each([
    ['application/ms-tnef', 'winmail.dat'],
    ['application/octet-stream', 'WINMAIL.DAT'],
    ['application/vnd.ms-tnef', undefined],
  ])('of type %s is named where it has all of the e-mail', async (type, name) => {
    const attached = [{ type, ...(name && { name }), content: 'x\u009f>"' }]
    expect(await openInbox().send({ subject: 'Concert', text: 'Hello', attached })).toMatch(
      /^Outlook sent this e-mail as an attachment winmail\.dat, which .* cannot read\. Please send it as HTML/,
    )
    const text = `The Outlook choir ${type.length} sings on ${written()} at 8 pm in the town hall.`
    expect(await openInbox().send({ subject: `Choir ${type.length}`, text, attached })).toBe('taken')
  })
})

const content = () =>
  `<p>The Weir Singers sing songs of the sea on ${written()}, at 8 pm in the town hall.</p><p>Tea and cake in the interval.</p>`

describe('what is hidden in an e-mail', () => {
  it.each([
    ['<div style="display:none;max-height:0px;overflow:hidden">', '</div>'],
    ['<span class="preheader" style="color:#fff; Display: None !important; mso-hide:all">', '</span>'],
    ['<div style="visibility:hidden">', '</div>'],
    ['<div style="opacity:0;font-size:1px">', '</div>'],
    ['<div style="max-height:0;overflow:hidden">', '</div>'],
    ['<p hidden>', ''],
    ['<table style="display:none"><tr><td><table><tr><td>', '</td></tr></table></td></tr></table>'],
  ])('is no content: %s', async (open, close) => {
    const title = `Hidden ${day}`
    const html = `<html><body>${open}Save the date: 1 May 2027! ${title}<br>&zwnj;&nbsp;${close}${content()}</body></html>`
    expect(await openInbox().send({ subject: title, html })).toBe('taken')
    const row = await latest()
    expect(row).toMatchObject({ start_date: start() })
    expect(row?.mail_text).not.toContain('1 May')
    expect(row?.description).toContain('Tea and cake')
  })

  it.each([
    ['an element without an end', '<div style="display:none">'],
    ['a pixel', '<img style="display:none" src="https://news.example/pixel.gif">'],
    ['a cell whose content has a size', '<table><tr><td style="font-size:0px">'],
    ['what only Outlook hides', '<div style="mso-hide:all">'],
  ])('takes nothing else away: %s', async (_, open) => {
    const title = `Shown ${day}`
    expect(await openInbox().send({ subject: title, html: `${open}${content()}` })).toBe('taken')
    expect(await latest()).toMatchObject({ start_date: start() })
  })
})

describe('a text next to a calendar file', () => {
  it.each([
    ['something else', 'Please announce as well: Lantern parade, Friday 12 March 2027, 6pm, The Parade.'],
    ['that something else is called off', 'The concert on Friday 19 March 2027 is cancelled.'],
  ])('that announces %s is not read, and waits with the event of the file', async (_, text) => {
    const { AI, asked } = answering({})
    const attached = fileOf(calendar('PUBLISH', '', 'Lantern workshop'))
    expect(await openInbox({ AI }).send({ subject: 'Lanterns', text, attached })).toBe('taken')
    expect(await latest()).toMatchObject({ title: 'Lantern workshop', mail_text: `Lanterns\n\n${text}` })
    expect(asked).toEqual([])
  })
})

describe('a correction of what the same sender has sent', () => {
  const headOf = async (
    mail: { subject: string; text: string; headers?: Record<string, string> },
    results = passed(),
  ) => {
    expect(await openInbox().send(mail, results)).toBe('taken')
    return String((await latest())?.mail_text).split('\n\n', 1)[0]
  }
  const announce = (title: string) =>
    headOf({ subject: title, text: `${title}\n${written()}, 8 pm, Courthouse Arts` })
  /** The day after that of a test's event. */
  const later = () => written().replace(/^\d+/, day => String(Number(day) + 1))

  it.each([
    [
      'moves it',
      'Casablanca',
      (title: string) => `${title} has been moved to ${later()}, 8 pm. Please change it.`,
      {},
    ],
    [
      'answers',
      'The big sleep',
      (title: string) => `${title} will be shown on ${later()}, 8 pm.`,
      { 'In-Reply-To': '<1@club.example>' },
    ],
    ['is called one', 'Spring concert', (title: string) => `Korrektur: ${title} am ${later()}, 8 pm.`, {}],
  ])('is remarked if it %s', async (_, title, text, headers) => {
    await announce(title)
    const head = await headOf({ subject: 'Our programme', text: text(title), headers })
    expect(head).toMatch(
      new RegExp(
        `^Our programme\nPerhaps a correction of what the same sender has sent before: ${title} \\(.* 2027\\)\\.$`,
      ),
    )
  })

  it('is not remarked for others, without a word of a change, or of what is not named or over', async () => {
    await announce('Jazz night')
    const moved = `Jazz night has been moved to ${later()}, 8 pm.`
    const quiet = 'Our programme'
    expect(await headOf({ subject: quiet, text: moved }, FAILED)).toBe(quiet)
    expect(await headOf({ subject: quiet, text: `Jazz night on ${later()}, 9 pm.` })).toBe(quiet)
    expect(await headOf({ subject: quiet, text: moved.replace('Jazz night', 'The ceilidh') })).toBe(quiet)
    await query("UPDATE events SET status = 'trash' WHERE title = 'Jazz night'")
    expect(await headOf({ subject: quiet, text: moved.replace('8 pm', '7 pm') })).toBe(quiet)
  })
})
