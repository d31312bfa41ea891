import { beforeEach, describe, expect, it, vi } from 'vitest'
import { addSubmissions } from '../../calendar/intake/submit.ts'
import { countRows, declareUser, query } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { answering, answerOf } from '../../model.ts'
import { runCron } from '../../run-cron.ts'
import { FAILED, openInbox, passed } from './mail.ts'

declareUser('administrator')

// Each test has a time of its own, so that limits count nothing of the others.
let day = 0
const dayAt = (days: number) => Date.UTC(2027, 0, 1 + day * 10 + days)
const setTime = (hours: number, days = 0) => vi.setSystemTime(dayAt(days) + hours * 3_600_000)
beforeEach(() => {
  day += 1
  setTime(10)
})

const event = (n: number) => ({
  subject: `Evening ${day}.${n}`,
  text: `The choir sings songs of the sea in the town hall on ${n + 1} March 2028 at 8 pm. Tea and cake in the interval.`,
})
const programme = (n: number) => ({
  subject: `Programme ${day}`,
  messageId: `<programme-${day}@club.example>`,
  text: Array.from(
    { length: n },
    (_, i) => `- ${i + 1} April 2028, 8 pm: ${'ABCDEFGH'[i]}nne sings on day ${day}, Town hall`,
  ).join('\n'),
})
/** What a model answers about a programme of eight evenings. */
const modelOf = (n: number) =>
  answering({
    [`Programme ${day}`]: answerOf(
      ...Array.from({ length: n }, (_, i) => {
        const name = `${'ABCDEFGH'[i]}nne sings on day ${day}`
        return {
          title: name,
          date: [`${i + 1} April 2028`, `2028-04-0${i + 1}`],
          time: ['8 pm', '20:00'],
          venue: ['Town hall', 'Town hall'],
        } as const
      }),
    ),
  })
const today = () => new Date(dayAt(0)).toISOString().slice(0, 10)
const countSubmitted = () => countRows('submissions WHERE created_utc >= ?', today())

describe('limits of e-mails', () => {
  it('count a confirmed sender like a network, and have the other side try again', async () => {
    const inbox = openInbox()
    for (let n = 0; n < 5; n++) expect(await inbox.send(event(n))).toBe('taken')
    expect(await inbox.send(event(5))).toBe('again')
    expect(await inbox.send({ ...event(6), from: 'Ann <ANN@club.example>' })).toBe('again')
    expect(await inbox.send({ ...event(7), from: 'bob@club.example' })).toBe('taken')
    // Others who write her address don't use up her limit.
    expect(await inbox.send(event(8), FAILED)).toBe('taken')
    setTime(11.1)
    expect(await inbox.send(event(5))).toBe('taken')
  })

  it('do not hold up what has been submitted already', async () => {
    const inbox = openInbox()
    for (let n = 0; n < 5; n++) expect(await inbox.send(event(n))).toBe('taken')
    expect(await inbox.send(event(4))).toContain('has already been submitted')
  })

  it('count all together whose address proves nothing', async () => {
    const inbox = openInbox()
    for (let n = 0; n < 5; n++)
      expect(await inbox.send({ ...event(n), from: `sender${n}@club.example` }, FAILED)).toBe('taken')
    expect(await inbox.send({ ...event(5), from: 'another@club.example' }, FAILED)).toBe('again')
    expect(await inbox.send({ ...event(6), from: 'ann@club.example' })).toBe('taken')
  })

  it('leave half of the submissions of a day to forms', async () => {
    const inbox = openInbox()
    await inbox.send(event(0))
    await addSubmissions(49)
    expect(await inbox.send(event(1))).toBe('taken')
    await query("UPDATE submissions SET via = 'email' WHERE created_utc >= ?", today())
    expect(await inbox.send({ ...event(2), from: 'other@club.example' })).toBe('again')
  })

  it('take what fits of an e-mail with many events, and the rest with its next delivery, each once', async () => {
    const inbox = openInbox({ AI: modelOf(7).AI })
    expect(await inbox.send(programme(7))).toBe('again')
    expect(await countSubmitted()).toBe(5)
    expect(await inbox.send(programme(7))).toBe('again')
    setTime(11.1)
    expect(await inbox.send(programme(7))).toBe('taken')
    expect(await countSubmitted()).toBe(7)
    expect(inbox.mails.map(({ text }) => text.match(/\/submit\//g)?.length)).toEqual([5, 2])
  })
})

describe('an e-mail that is delivered again', () => {
  it('is taken once, with one reply', async () => {
    const inbox = openInbox({ AI: modelOf(2).AI })
    for (let n = 0; n < 3; n++) expect(await inbox.send(programme(2))).toBe('taken')
    expect(await countSubmitted()).toBe(2)
    expect(inbox.mails).toHaveLength(1)
  })

  it('is taken once, with one reply, if both deliveries come at the same moment', async () => {
    const one = openInbox()
    const other = openInbox()
    const mail = { ...event(1), messageId: `<moment-${day}@club.example>` }
    expect(await Promise.all([one.send(mail), other.send(mail)])).toEqual(['taken', 'taken'])
    expect(await countSubmitted()).toBe(1)
    expect([...one.mails, ...other.mails]).toHaveLength(1)
  })

  it('without a Message-ID is taken once, too', async () => {
    const inbox = openInbox()
    for (let n = 0; n < 2; n++) expect(await inbox.send({ ...event(1), messageId: '' })).toBe('taken')
    expect(await countSubmitted()).toBe(1)
  })

  it('is another one after seven days, or of another sender', async () => {
    const inbox = openInbox()
    const sent = { messageId: `<same-${day}@club.example>` }
    expect(await inbox.send({ ...event(1), ...sent })).toBe('taken')
    // The event would differ, too: nothing but the id keeps it away.
    expect(await inbox.send({ ...event(2), ...sent })).toBe('taken')
    expect(await countSubmitted()).toBe(1)
    expect(await inbox.send({ ...event(3), ...sent }, FAILED)).toBe('taken')
    expect(await inbox.send({ ...event(4), ...sent, from: 'bob@club.example' })).toBe('taken')
    expect(await countSubmitted()).toBe(3)
    for (const [after, count] of [
      [7 * 86_400_000 - 60_000, 3],
      [7 * 86_400_000 + 60_000, 4],
    ] as const) {
      await runCron(inbox.outbox, new Date(dayAt(0) + 10 * 3_600_000 + after).toISOString())
      expect(await inbox.send({ ...event(5), ...sent })).toBe('taken')
      expect(await countSubmitted()).toBe(count)
    }
  })

  // The first write counts the text, and the fourth the reply.
  it.each([0, 1, 2, 4, 5])('is whole after the database has failed in write %i', async after => {
    const { DB, seen } = faultyD1({ message: 'D1_ERROR: out of order', writesOnly: true, after })
    const { AI } = modelOf(3)
    expect(await openInbox({ DB, AI }).send(programme(3))).toBe('again')
    expect(seen.failed).toBe(1)
    expect(await openInbox({ AI }).send(programme(3))).toBe('taken')
    expect(await countSubmitted()).toBe(3)
    expect(await countRows(`events WHERE title LIKE '%on day ${day}%'`)).toBe(3)
  })

  it('is taken without a reply if that cannot be counted', async () => {
    const { DB, seen } = faultyD1({ message: 'D1_ERROR: out of order', writesOnly: true, after: 3 })
    const inbox = openInbox({ DB, AI: modelOf(3).AI })
    expect(await inbox.send(programme(3))).toBe('taken')
    expect({
      failedBatches: seen.failed,
      submissions: await countSubmitted(),
      waitingMails: inbox.mails.length,
    }).toEqual({ failedBatches: 1, submissions: 3, waitingMails: 0 })
  })

  it('is refused if other e-mails had the same events', async () => {
    const inbox = openInbox()
    expect(await inbox.send(event(1))).toBe('taken')
    expect(await inbox.send(event(1))).toContain('has already been submitted')
    expect(inbox.mails).toHaveLength(1)
  })
})

describe('an e-mail that cannot be taken now', () => {
  it('is thrown without a word of it in the log', async () => {
    const logged = ['log', 'error'] as const
    const spies = logged.map(name => vi.spyOn(console, name).mockImplementation(() => undefined))
    const { DB } = faultyD1({ message: 'D1_ERROR: no such thing', times: 99 })
    expect(await openInbox({ DB }).send(event(1))).toBe('again')
    expect(await openInbox().send(event(1), passed())).toBe('taken')
    const text = spies.flatMap(spy => spy.mock.calls.flat()).join('\n')
    for (const spy of spies) spy.mockRestore()
    expect(text).not.toMatch(/club\.example|Evening|Ann/)
  })

  it('is refused for good if it breaks a rule of submissions', async () => {
    const inbox = openInbox()
    expect(await inbox.send({ ...event(1), subject: 'Buy at https://shop.example' })).toMatch(
      /link in the title/,
    )
    expect(await countSubmitted()).toBe(0)
  })

  it('is refused if its text has more than 20 events', async () => {
    const text = Array.from({ length: 21 }, (_, i) => `- ${i + 1} May 2028, 8 pm: Chess, Town hall`).join(
      '\n',
    )
    const events = Array.from(
      { length: 21 },
      (_, i) =>
        ({
          title: 'Chess',
          date: [`${i + 1} May 2028`, `2028-05-${String(i + 1).padStart(2, '0')}`],
        }) as const,
    )
    const { AI } = answering({ Chess: answerOf(...events) })
    expect(await openInbox({ AI }).send({ subject: 'Programme', text })).toMatch(/more than 20 events/)
    expect(await countSubmitted()).toBe(0)
  })

  const sites = Array.from({ length: 6 }, (_, n) => `https://site${n}.example`).join(' ')
  it.each([
    ['a link in its title', /link in the title/, ['SUMMARY:Buy at https://shop.example']],
    ['links to many sites', /more than 5 sites/, ['SUMMARY:Second', `DESCRIPTION:${sites}`]],
    [
      'a long description',
      /description: must be at most/,
      ['SUMMARY:Second', `DESCRIPTION:${'Long '.repeat(9_000)}`],
    ],
  ])('is refused as a whole, without a reply, if one of its events has %s', async (_, reason, lines) => {
    const inbox = openInbox()
    const vevent = (n: number, more: readonly string[]) => [
      'BEGIN:VEVENT',
      `UID:${day}-${n}`,
      `DTSTART:2028040${n}T180000Z`,
      ...more,
      'END:VEVENT',
    ]
    const file = (second: readonly string[]) => ({
      type: 'text/calendar',
      name: 'all.ics',
      content: [
        'BEGIN:VCALENDAR',
        ...vevent(1, [`SUMMARY:First on day ${day}`]),
        ...vevent(2, second),
        ...vevent(3, [`SUMMARY:Third on day ${day}`]),
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    })
    const before = await countSubmitted()
    const refused = await inbox.send({ text: 'Our programme', attached: [file(lines)] })
    expect(refused).toMatch(/^Event 2 of 3 was rejected, so nothing was submitted: /)
    expect(refused).toMatch(reason)
    expect([(await countSubmitted()) - before, inbox.mails.length]).toEqual([0, 0])
    const mended = [file([`SUMMARY:Second on day ${day}`])]
    expect(await inbox.send({ text: 'Our programme', attached: mended })).toBe('taken')
    expect([(await countSubmitted()) - before, inbox.mails.length]).toEqual([3, 1])
  })
})
