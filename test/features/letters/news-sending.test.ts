import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Bindings } from '../../../src/kit/env.ts'
import { Browser } from '../../editor/session.ts'
import {
  countRows,
  makeCategory,
  makeDatabaseAnew,
  makeEvent,
  makeOrganizer,
  makeUser,
  makeVenue,
  query,
} from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { type Outbox, openOutbox, type SentMail } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'
import { dyingAt } from '../../watched-d1.ts'
import { addSubscribers, newsLinkIn, WITH_IMPRINT } from './subscribe.ts'

let outbox: Outbox
let as: string
let music: number

beforeEach(async () => {
  await makeDatabaseAnew()
  outbox = openOutbox(WITH_IMPRINT)
  as = await makeUser('ada', 'administrator')
  music = (await makeCategory(as, 'Music')).id
  await makeEvent(as, {
    title: 'Céilí',
    start_date: '2026-11-27 20:00:00',
    end_date: '2026-11-27 22:00:00',
    categories: [music],
  })
  await makeEvent(as, { title: 'Market', start_date: '2026-11-28 09:00:00', end_date: '2026-11-28 10:00:00' })
})

/** When news is due in these tests: on a Thursday at seven in Dublin. */
const DUE = '2026-11-26T07:00:00Z'
const NEXT = '2026-12-03 07:00:00'
const later = (minutes: number): string => new Date(Date.parse(DUE) + minutes * 60_000).toISOString()
const tick = (time: string, more: Partial<Bindings> = {}) => runCron(outbox, time, more)

/** Runs the cron of some minutes. */
async function ticks(minutes: number, from = 0): Promise<void> {
  for (let minute = from; minute < from + minutes; minute++) await tick(later(minute))
}

const recipients = (): string[] => outbox.mails.map(({ to }) => to).sort()

const countWaiting = () => countRows('subscribers WHERE next_utc <= ?', '2026-11-27 00:00:00')

/** Has the platform refuse some e-mails. */
const refuse = (code: string, isRefused = (_: SentMail): boolean => true) => {
  outbox.onSend = async mail => {
    if (isRefused(mail)) throw Object.assign(new Error('no'), { code })
  }
}

describe('news', () => {
  it('every subscriber gets news once a week, with personal links and a header for leaving the list', async () => {
    await addSubscribers(2)
    await tick(later(-1))
    expect(outbox.mails).toHaveLength(0)
    await ticks(3)
    expect(recipients()).toEqual(['p1@people.example', 'p2@people.example'])
    const [one, other] = outbox.mails.map(newsLinkIn)
    expect(one).not.toBe(other)
    const mail = outbox.last()
    const link = newsLinkIn(mail)
    expect(mail.subject).toMatch(/^What’s on in Kilkenny, .*26.*5/)
    expect(mail.headers).toEqual({
      'Auto-Submitted': 'auto-generated',
      'Content-Language': 'en',
      'List-Id': '<news.calendar.example>',
      'List-Unsubscribe': `<https://calendar.example${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'list',
      'X-Entity-Ref-ID': expect.stringMatching(/^news-\d+-20261126070000$/),
    })
    for (const form of [mail.text, mail.html]) {
      for (const text of ['Céilí', 'Market', `${link}#leave`, 'Unsubscribe']) expect(form).toContain(text)
      expect(form).not.toMatch(/<img[^>]*(news|open|pixel)/)
    }
    expect(await query('SELECT DISTINCT next_utc FROM subscribers')).toEqual([{ next_utc: NEXT }])
    await new Browser(outbox.bindings).post(link, { 'List-Unsubscribe': 'One-Click' })
    await tick('2026-12-03T07:00:00Z')
    expect(outbox.mails).toHaveLength(2)
    await makeEvent(as, { title: 'Next', start_date: '2026-12-05 20:00:00' })
    await tick('2026-12-10T07:00:00Z')
    expect(outbox.mails).toHaveLength(3)
    expect(outbox.last().to).toBe(outbox.mails[0]?.to)
  })

  it('news has only what was chosen, in its language, composed once for each choice', async () => {
    await addSubscribers(4, { filters: `{"categories":[${music}]}`, language: 'de' })
    await addSubscribers(3, { from: 5 })
    const few = await tick(later(0))
    expect(outbox.mails).toHaveLength(7)
    const [german = '', all = ''] = ['p1@people.example', 'p5@people.example'].map(
      email => outbox.mails.find(({ to }) => to === email)?.text,
    )
    expect(german).toContain('Abmelden')
    expect([german.includes('Céilí'), german.includes('Market')]).toEqual([true, false])
    expect([all.includes('Céilí'), all.includes('Market')]).toEqual([true, true])
    // Thirty more who chose the same cost a few rows each, and nothing else.
    await query("UPDATE subscribers SET next_utc = '2026-11-26 07:10:00'")
    await addSubscribers(30, { from: 8 })
    await query(
      "UPDATE subscribers SET next_utc = '2026-11-26 07:10:00', choice_id = (SELECT min(id) FROM news_choices) WHERE id > 7",
    )
    const many = await tick(later(10))
    await tick(later(11))
    expect(outbox.mails).toHaveLength(7 + 37)
    expect(Number(many.rows_read) - Number(few.rows_read)).toBeLessThan(30 * 8)
  })

  it('the subject names what was chosen, if it is one thing', async () => {
    const { id: hall } = await makeVenue(as, 'Hall &amp; Garden')
    const { id: cellar } = await makeVenue(as, 'Cellar')
    for (const venue of [hall, cellar])
      await makeEvent(as, { title: 'Play', start_date: '2026-11-29 20:00:00', venue: [venue] })
    const choices = [
      { categories: [music] },
      { venue: [hall] },
      { venue: [hall, cellar] },
      { categories: [music], venue: [hall] },
    ]
    for (const [i, filters] of choices.entries())
      await addSubscribers(1, { from: i + 1, filters: JSON.stringify(filters) })
    await makeEvent(as, {
      title: 'Both',
      start_date: '2026-11-30 20:00:00',
      venue: [hall],
      categories: [music],
    })
    await ticks(3)
    const subjects = outbox.mails.map(({ to, subject }) => `${to[1]} ${subject.split(',')[0]}`).sort()
    expect(subjects).toEqual([
      '1 Music',
      '2 Hall & Garden',
      '3 What’s on in Kilkenny',
      '4 What’s on in Kilkenny',
    ])
  })

  it('no news is sent if nothing that was chosen is on; it comes the week after', async () => {
    await addSubscribers(2, { filters: '{"categories":[4711]}' })
    await tick(later(0))
    expect([outbox.mails.length, await countWaiting()]).toEqual([0, 0])
    expect(await query('SELECT DISTINCT next_utc FROM subscribers')).toEqual([{ next_utc: NEXT }])
  })

  it('events are not chosen by what visitors cannot see', async () => {
    const send = sendWith(outbox.bindings)
    const { id: hall } = await makeVenue(as, 'Hall')
    const { id: cellar } = await makeVenue(as, 'Cellar')
    const { id: attic } = await makeVenue(as, 'Attic')
    const { id: guild } = await makeOrganizer(as, 'Guild')
    for (const [title, venue] of [
      ['In Hall', hall],
      ['In Cellar', cellar],
      ['In Attic', attic],
    ] as const)
      await makeEvent(as, {
        ...{ title, start_date: '2026-11-29 20:00:00', venue: [venue], organizer: [guild] },
        categories: [music],
      })
    const choices = [
      { venue: [cellar] },
      { venue: [attic] },
      { organizer: [guild] },
      { venue: [hall, cellar] },
      { categories: [music], venue: [cellar] },
      { categories: [4711], venue: [hall] },
    ]
    for (const [i, filters] of choices.entries())
      await addSubscribers(1, { from: i + 1, filters: JSON.stringify(filters) })
    const statuses = [
      await send('PATCH', `/venues/${cellar}`, { as, json: { status: 'private' } }),
      await send('DELETE', `/venues/${attic}`, { as }),
      await send('DELETE', `/organizers/${guild}`, { as }),
      await send('DELETE', `/organizers/${guild}?force=true`, { as }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200])
    await ticks(5)
    expect(recipients()).toEqual(['p4@people.example'])
    const { text } = outbox.last()
    expect([text.includes('In Hall'), text.includes('In Cellar')]).toEqual([true, false])
    expect(await query('SELECT DISTINCT next_utc FROM subscribers')).toEqual([{ next_utc: NEXT }])
  })

  it('no news is sent to unconfirmed addresses or without an imprint, and it costs nothing while nobody is due', async () => {
    for (const minutes of [-9, -8, -7]) await tick(later(minutes))
    const without = await tick(later(-6))
    await addSubscribers(1)
    await query(
      "UPDATE subscribers SET consented_utc = NULL, next_utc = NULL, asked_utc = '2026-11-26 06:00:00'",
    )
    await addSubscribers(1, { from: 2 })
    const idle = await tick(later(-5))
    expect(idle.statements).toBe(without.statements)
    await tick(later(0), { IMPRINT_URL: '' })
    expect(outbox.mails).toHaveLength(0)
    await tick(later(1))
    expect(recipients()).toEqual(['p2@people.example'])
  })

  it('sending goes on in the next minute at the limits of the plan', async () => {
    await addSubscribers(130)
    const { statements } = await tick(later(0))
    expect(Number(statements)).toBeLessThanOrEqual(50)
    const first = outbox.mails.length
    expect(first).toBeGreaterThanOrEqual(30)
    expect(first).toBeLessThanOrEqual(48)
    await ticks(6, 1)
    expect(new Set(recipients()).size).toBe(130)
    expect(outbox.mails).toHaveLength(130)
  })

  it('unsent news is forgotten after three days, and while the feature is switched off', async () => {
    await addSubscribers(2)
    await tick('2026-11-30T07:00:00Z')
    expect(outbox.mails).toHaveLength(0)
    await query("UPDATE subscribers SET next_utc = '2026-12-03 07:00:00'")
    await tick('2026-12-03T07:00:00Z', { FEATURES: 'feeds' })
    await tick('2026-12-03T07:01:00Z')
    expect(outbox.mails).toHaveLength(0)
    expect(await query('SELECT DISTINCT next_utc FROM subscribers')).toEqual([
      { next_utc: '2026-12-10 07:00:00' },
    ])
  })

  it('subscribers follow a category into which theirs was merged', async () => {
    const other = (await makeCategory(as, 'Concerts')).id
    await addSubscribers(1, { filters: `{"categories":[${music}]}` })
    const merged = await sendWith(outbox.bindings)('POST', `/categories/${music}/merge`, {
      as,
      json: { into: other },
    })
    expect([merged.status, merged.text.slice(0, 300)]).toEqual([200, expect.anything()])
    await tick(later(0))
    expect(outbox.last().text).toContain('Céilí')
    const page = await new Browser(outbox.bindings).get(newsLinkIn(outbox.last()))
    expect(page.html).toContain(`value="${other}" checked`)
  })
})

const CLAIM = /^update "subscribers" set "next_utc" = .* returning /s

describe('news sent only once', () => {
  it('nobody gets news twice if two crons run at the same time', async () => {
    await addSubscribers(12)
    let isFirst = true
    outbox.onSend = async () => {
      if (!isFirst) return
      isFirst = false
      // The second one does everything while the first one waits for the platform.
      await tick(DUE)
    }
    await tick(DUE, faultyD1({ beforeWrite: () => tick(DUE) }))
    await ticks(2, 1)
    expect(outbox.mails).toHaveLength(12)
    expect(new Set(recipients()).size).toBe(12)
  })

  it('the next run sends all news if the Worker is killed before a claim', async () => {
    await addSubscribers(7)
    await tick(DUE, { DB: dyingAt(env.DB, text => CLAIM.test(text)) })
    expect(outbox.mails).toHaveLength(0)
    await ticks(3, 1)
    expect(new Set(recipients()).size).toBe(7)
    expect(outbox.mails).toHaveLength(7)
  })

  it('who was claimed gets nothing twice if the Worker is killed while sending, and the others get theirs', async () => {
    await addSubscribers(12)
    await tick(DUE, { DB: dyingAt(env.DB, () => outbox.mails.length > 0) })
    const first = outbox.mails.length
    expect(first).toBe(5)
    await ticks(3, 1)
    expect(outbox.mails).toHaveLength(12)
    expect(new Set(recipients()).size).toBe(12)
  })

  it('nobody gets news twice if the platform does not say what became of it', async () => {
    await addSubscribers(3)
    outbox.onSend = async mail => {
      outbox.mails.push(mail)
      throw new Error('Network connection lost.')
    }
    await ticks(3)
    expect(outbox.mails).toHaveLength(3)
    expect(await countRows('subscribers WHERE refusals > 0')).toBe(0)
  })

  it('nobody gets news twice if D1 fails or the Worker is killed during a refusal; the numbers say whose is lost', async () => {
    const subscriberCounts = async () => (await sendWith(outbox.bindings)('GET', '/subscribers', { as })).body
    await addSubscribers(3)
    refuse('E_NEW', ({ to }) => to.startsWith('p1'))
    await tick(DUE, {
      DB: dyingAt(env.DB, text =>
        /^update "subscribers" set "(?:state|next_utc" = iif\(datetime)/.test(text),
      ),
    })
    await ticks(3, 1)
    expect(recipients()).toEqual(['p2@people.example', 'p3@people.example'])
    expect(await subscriberCounts()).toMatchObject({ waiting: 0, left_out: 3 })
    outbox.onSend = async () => {}
    await makeEvent(as, { title: 'Next', start_date: '2026-12-05 20:00:00' })
    await tick('2026-12-03T07:00:00Z')
    expect(await subscriberCounts()).toMatchObject({ waiting: 0, left_out: 0 })
  })

  it.each([
    ['Europe/Berlin', 'America/New_York', '2026-11-26T06:00:00Z', 12],
    ['America/New_York', 'Europe/Berlin', '2026-11-26T12:00:00Z', 6],
    ['Pacific/Kiritimati', 'Pacific/Midway', '2026-11-25T17:00:00Z', 18],
    ['Pacific/Midway', 'Pacific/Kiritimati', '2026-11-26T18:00:00Z', 17],
  ])('nobody gets news twice in a week if the calendar moves from %s to %s', async (from, to, due, hour) => {
    await makeEvent(as, {
      title: 'Every day',
      start_date: '2026-12-01 20:00:00',
      end_date: '2026-12-20 22:00:00',
    })
    await addSubscribers(7, { next: due.replace('T', ' ').slice(0, 19) })
    await tick(later(-9 * 24 * 60), { TIMEZONE: from })
    for (let hours = 0; hours <= 9 * 24; hours += 12)
      await tick(new Date(Date.parse(due) + hours * 3_600_000).toISOString(), { TIMEZONE: to })
    const next = await query('SELECT DISTINCT weekday, substr(next_utc, 12) AS time FROM subscribers')
    expect(next).toEqual([{ weekday: 'thursday', time: `${String(hour).padStart(2, '0')}:00:00` }])
    expect(outbox.mails).toHaveLength(2 * 7)
  })

  it.each([
    ['Europe/Berlin', 'America/New_York', '2026-11-26T06:00:00Z'],
    ['America/New_York', 'Europe/Berlin', '2026-11-26T12:00:00Z'],
    ['Europe/Berlin', 'Asia/Tokyo', '2026-11-26T06:00:00Z'],
    ['Pacific/Kiritimati', 'Pacific/Pago_Pago', '2026-11-25T17:00:00Z'],
  ])(
    'everybody gets news once, and again a week later, if the calendar moves from %s to %s during a run',
    async (from, to, due) => {
      const EVERYBODY = 60
      await makeEvent(as, {
        title: 'Every day',
        start_date: '2026-12-01 20:00:00',
        end_date: '2026-12-20 22:00:00',
      })
      await addSubscribers(EVERYBODY, { next: due.replace('T', ' ').slice(0, 19) })
      const at = (minutes: number) => new Date(Date.parse(due) + minutes * 60_000).toISOString()
      await tick(at(0), { TIMEZONE: from })
      expect(outbox.mails.length).toBeGreaterThan(0)
      expect(outbox.mails.length).toBeLessThan(EVERYBODY)
      for (let half = 0; half <= 9 * 2; half++) {
        for (const minute of [1, 2, 3]) await tick(at(half * 12 * 60 + minute), { TIMEZONE: to })
        expect(new Set(recipients()).size).toBe(EVERYBODY)
        if (half < 5 * 2) expect(outbox.mails).toHaveLength(EVERYBODY)
      }
      expect(recipients()).toEqual([...new Set(recipients())].flatMap(email => [email, email]))
      const next = await query('SELECT DISTINCT next_utc FROM subscribers')
      expect(next).toHaveLength(1)
    },
  )

  it.each(['2026-03-15', '2026-10-11'])(
    'nobody gets news twice in a week in which clocks change, from %s on',
    async day => {
      await makeEvent(as, {
        title: 'Every day',
        start_date: `${day} 20:00:00`,
        end_date: `${day.slice(0, 5)}12-20 22:00:00`,
      })
      const isWinter = day === '2026-03-15'
      await addSubscribers(1, { next: `${day} 0${isWinter ? 7 : 6}:00:00` })
      await query("UPDATE subscribers SET weekday = 'sunday'")
      const hours: number[] = []
      for (let sunday = 0; sunday < 4; sunday++)
        for (const hour of [5, 6, 7, 8, 30]) {
          await tick(
            new Date(Date.parse(`${day}T00:00:00Z`) + (sunday * 7 * 24 + hour) * 3_600_000).toISOString(),
          )
          if (outbox.mails.length > hours.length) hours.push(hour)
        }
      expect(outbox.mails).toHaveLength(4)
      expect(hours).toEqual(isWinter ? [7, 7, 6, 6] : [6, 6, 7, 7])
    },
  )

  it('nobody gets news twice in a week after choosing another day', async () => {
    await addSubscribers(1)
    await tick(DUE)
    const browser = new Browser(outbox.bindings)
    await browser.submit(newsLinkIn(outbox.last()), { do: 'save', weekday: 'friday' })
    expect(await query('SELECT next_utc FROM subscribers')).toEqual([{ next_utc: '2026-12-04 07:00:00' }])
    await browser.submit(newsLinkIn(outbox.last()), { do: 'save', weekday: 'wednesday' })
    // Six days after the last one would be twice within a week.
    expect(await query('SELECT next_utc FROM subscribers')).toEqual([{ next_utc: '2026-12-09 07:00:00' }])
    await browser.submit(newsLinkIn(outbox.last()), { do: 'save', weekday: 'thursday' })
    expect(await query('SELECT next_utc FROM subscribers')).toEqual([{ next_utc: '2026-12-03 07:00:00' }])
  })

  it('nobody gets news twice after changing the choice in between', async () => {
    await addSubscribers(1)
    const change = () => query("UPDATE subscribers SET next_utc = '2026-11-27 07:00:00', weekday = 'friday'")
    await tick(DUE, faultyD1({ beforeWrite: change }))
    await tick(later(1))
    expect(outbox.mails).toHaveLength(0)
    await tick('2026-11-27T07:00:00Z')
    expect(outbox.mails).toHaveLength(1)
  })
})

describe('refusals', () => {
  it.each([
    'E_DAILY_LIMIT_EXCEEDED',
    'E_SENDER_NOT_VERIFIED',
    'E_RECIPIENT_NOT_ALLOWED',
    'E_RATE_LIMIT_EXCEEDED',
  ])('the error %s is about nobody: all wait, and get theirs later', async code => {
    await addSubscribers(12)
    let tries = 0
    outbox.onSend = async () => {
      tries++
      throw Object.assign(new Error('no'), { code })
    }
    await ticks(10)
    // One group at a time, less and less often.
    expect(tries).toBeLessThanOrEqual(25)
    expect([await countWaiting(), await countRows('subscribers WHERE refusals > 0')]).toEqual([12, 0])
    outbox.onSend = async () => {}
    for (const hour of [5, 6]) await ticks(2, hour * 60)
    expect(new Set(recipients()).size).toBe(12)
    expect(outbox.mails).toHaveLength(12)
  })

  it('refusals by the recipient’s side on three different days end an address, and hold up no other', async () => {
    await addSubscribers(7)
    refuse('E_RECIPIENT_SUPPRESSED', ({ to }) => to === 'p3@people.example')
    await ticks(3)
    expect(new Set(recipients()).size).toBe(6)
    const count = () => query("SELECT refusals FROM subscribers WHERE email = 'p3@people.example'")
    expect(await count()).toEqual([{ refusals: 1 }])
    await tick('2026-11-27T07:05:00Z')
    expect(await count()).toEqual([{ refusals: 2 }])
    // A day counts once.
    await query("UPDATE subscribers SET next_utc = '2026-11-27 08:00:00' WHERE refusals > 0")
    await tick('2026-11-27T08:00:00Z')
    expect(await count()).toEqual([{ refusals: 2 }])
    await tick('2026-11-28T08:05:00Z')
    expect(await count()).toEqual([])
    expect(await countRows('subscribers')).toBe(6)
    expect(outbox.mails).toHaveLength(6)
  })

  it('refusals are forgotten once the recipient’s side takes an e-mail', async () => {
    await addSubscribers(1)
    refuse('E_DELIVERY_FAILED')
    await tick(DUE)
    outbox.onSend = async () => {}
    await tick('2026-11-27T07:05:00Z')
    expect(outbox.mails).toHaveLength(1)
    expect(await query('SELECT refusals, next_utc FROM subscribers')).toEqual([
      { refusals: 0, next_utc: NEXT },
    ])
  })

  it('a choice that cannot be composed holds up no other choice', async () => {
    await addSubscribers(1, { filters: '{"categories":[1]}' })
    await addSubscribers(1, { from: 2 })
    await query("UPDATE news_choices SET filters = 'broken' WHERE filters <> '{}'")
    await ticks(2)
    expect(recipients()).toEqual(['p2@people.example'])
    await query(`UPDATE news_choices SET filters = '{"categories":[${music}]}' WHERE filters = 'broken'`)
    await ticks(1, 90)
    expect(recipients()).toEqual(['p1@people.example', 'p2@people.example'])
  })
})
