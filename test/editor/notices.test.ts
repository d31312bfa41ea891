import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bindings } from '../../src/kit/env.ts'
import {
  elsewhere,
  makeAll,
  makeDatabaseAnew,
  makeEvent,
  makePerson,
  makeSource,
  type Person,
  query,
  queryValue,
  send,
  WHEN,
} from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { type Outbox, openOutbox } from '../outbox.ts'
import { runCron } from '../run-cron.ts'

let outbox: Outbox
let ed: Person
let author: Person
let contributor: Person

const NOON = '2026-11-20T12:00:00Z'
const minutesAfterNoon = (minutes: number): string =>
  new Date(Date.parse(NOON) + minutes * 60_000).toISOString()

const choose = (person: Person, notices: string, email = `user-${person.id}@town.example`) =>
  query(
    "UPDATE users SET email = ?, notices = ?, noticed_utc = '2026-11-20 11:00:00' WHERE id = ?",
    email,
    notices,
    person.id,
  )

beforeEach(async () => {
  await makeDatabaseAnew()
  outbox = openOutbox({ TIMEZONE: 'Europe/Dublin', SITE_URL: 'https://town.example' })
  ed = await makePerson('ed', 'editor')
  author = await makePerson('anne', 'author')
  contributor = await makePerson('con', 'contributor')
  await choose(ed, 'now')
})

const tick = (minutes: number, more: Partial<Bindings> = {}) =>
  runCron(outbox, minutesAfterNoon(minutes), more)

const pend = (person: Person, title = 'Waiting') => makeEvent(person.as, { title, status: 'pending' })

describe('a notice', () => {
  it('says what waits, once, and again when more comes', async () => {
    await pend(contributor)
    await tick(1)
    expect(outbox.mails).toHaveLength(1)
    const mail = outbox.last()
    expect(mail).toMatchObject({
      to: `user-${ed.id}@town.example`,
      subject: 'What’s on in Kilkenny: something needs your attention',
    })
    expect(mail.text).toContain('1 event or remark to review')
    for (const path of ['/admin/review/', '/admin/account/#email'])
      expect(mail.text).toContain(`https://town.example${path}`)
    expect(mail.headers).not.toHaveProperty('List-Id')
    for (const minutes of [2, 3, 60, 24 * 60]) await tick(minutes)
    expect(outbox.mails).toHaveLength(1)
    await pend(contributor, 'Another')
    await tick(24 * 60 + 1)
    expect(outbox.last().text).toContain('2 events and remarks to review')
    expect(outbox.mails).toHaveLength(2)
  })

  it('comes at most once a minute, with what has come meanwhile', async () => {
    await pend(contributor)
    await tick(1)
    vi.setSystemTime(minutesAfterNoon(1.2))
    for (const title of ['A', 'B', 'C']) await pend(contributor, title)
    await tick(1.5)
    expect(outbox.mails).toHaveLength(1)
    await tick(2)
    expect(outbox.mails).toHaveLength(2)
    expect(outbox.last().text).toContain('4 events and remarks to review')
  })

  it('is not about what the user did, or what was published at once', async () => {
    await makeEvent(author.as, { title: 'Published' })
    const own = await pend(ed)
    await tick(1)
    expect(outbox.mails).toHaveLength(0)
    await pend(contributor)
    await tick(2)
    expect(outbox.mails).toHaveLength(1)
    vi.setSystemTime(minutesAfterNoon(3))
    await query(
      "UPDATE events SET modified_utc = '2026-11-20 12:03:00', version = version + 1 WHERE id = ?",
      own.id,
    )
    await tick(4)
    expect(outbox.mails).toHaveLength(1)
  })

  it('is about remarks', async () => {
    const remark = env.DB.prepare("INSERT INTO remarks (event_id, text, created_utc) VALUES (1, 'wrong', ?)")
    await remark.bind('2026-11-20 12:00:30').run()
    await tick(1)
    expect(outbox.mails).toHaveLength(1)
    expect(outbox.last().text).toContain('1 event or remark to review')
  })

  it('is about submissions, which belong to an administrator', async () => {
    const { id } = await pend(ed)
    await tick(1)
    expect(outbox.mails).toHaveLength(0)
    await query(
      "INSERT INTO submissions (event_id, token_digest, event_key, created_utc) VALUES (?, 'x', '', '2026-11-20 12:01:30')",
      id,
    )
    await tick(2)
    expect(outbox.mails).toHaveLength(1)
  })

  it('is about pairs that may be the same', async () => {
    const one = await makeEvent(ed.as, { title: 'One' })
    const other = await makeEvent(ed.as, { title: 'Other' })
    await query(
      "INSERT INTO twins (first_id, second_id, state, likeness, at_utc) VALUES (?, ?, 'asked', 1, '2026-11-20 12:00:30')",
      one.id,
      other.id,
    )
    await tick(1)
    expect(outbox.last().text).toContain('1 possible duplicate')
    expect(outbox.last().text).toContain('https://town.example/admin/sources/duplicates/')
  })

  it('is about a source that fails for an hour, whatever its name', async () => {
    const id = await makeSource('<b>Theatre</b>\r\nBcc: eve@evil.example')
    const fail = env.DB.prepare(
      "UPDATE sources SET state = 'failing', failing_since_utc = '2026-11-20 12:00:00' WHERE id = ?",
    )
    await fail.bind(id).run()
    await tick(59)
    expect(outbox.mails).toHaveLength(0)
    await tick(60)
    await tick(61)
    await tick(600)
    expect(outbox.mails).toHaveLength(1)
    expect(outbox.last().text).toContain('The calendar “<b>Theatre</b> Bcc: eve@evil.example” ')
    expect(outbox.last().text).toContain('can’t be read')
    expect(outbox.last().html).not.toContain('<b>')
    expect(outbox.last().headers).not.toHaveProperty('Bcc')
  })

  it('is about a source that the cron could not read, until it can', async () => {
    const admin = await makePerson('owner', 'administrator')
    const json = { name: 'Theatre', url: 'https://nobody.test/feed.ics', every: 'hour' }
    const { body } = await send('POST', '/sources', { as: admin.as, json })
    const since = () => queryValue('SELECT failing_since_utc AS at FROM sources WHERE id = ?', body.id)
    await tick(1)
    const first = await since()
    expect(first).toBe('2026-11-20 12:01:00')
    for (const minutes of [10, 30, 60]) await tick(minutes)
    expect([await since(), outbox.mails.length]).toEqual([first, 0])
    await tick(62)
    expect(outbox.last().text).toContain('The calendar “Theatre” can’t be read')
    const calendar = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR'
    await send('PATCH', `/sources/${body.id}`, { as: admin.as, json: { url: elsewhere(calendar) } })
    for (const minutes of [300, 301, 302]) await tick(minutes)
    expect(await since()).toBeNull()
    expect(outbox.mails).toHaveLength(1)
  })

  it('of the day comes in the morning of the calendar’s zone', async () => {
    await choose(ed, 'day')
    await pend(contributor)
    // Summer time is over: eight in Dublin is eight in UTC.
    for (const minutes of [1, 6 * 60, 19 * 60 + 59]) await tick(minutes)
    expect(outbox.mails).toHaveLength(0)
    await tick(20 * 60)
    expect(outbox.mails).toHaveLength(1)
    await pend(contributor, 'Another')
    for (const minutes of [20 * 60 + 1, 20 * 60 + 59, 30 * 60]) await tick(minutes)
    expect(outbox.mails).toHaveLength(1)
    await tick(44 * 60 + 30)
    expect(outbox.mails).toHaveLength(2)
  })

  it('goes to nobody without a confirmed address, a choice and the right to decide', async () => {
    await choose(ed, 'now', '')
    const other = await makePerson('other', 'administrator')
    await choose(other, 'never')
    await choose(author, 'now')
    await choose(contributor, 'now')
    await pend(contributor)
    await tick(1)
    expect(outbox.mails).toHaveLength(0)
    await choose(other, 'now')
    await tick(2)
    expect(outbox.mails.map(({ to }) => to)).toEqual([`user-${other.id}@town.example`])
  })

  it('is sent once by two crons at the same time', async () => {
    await pend(contributor)
    await tick(1, { DB: faultyD1({ beforeWrite: () => tick(1) }).DB })
    expect(outbox.mails).toHaveLength(1)
  })

  it('counts a series as one, and sees what comes after all of its dates', async () => {
    const daily = { ...WHEN, recurrence: 'FREQ=DAILY;COUNT=365', status: 'pending' }
    await makeEvent(ed.as, { title: 'Own series', ...daily })
    await tick(1)
    expect(outbox.mails).toHaveLength(0)
    const later = { start_date: '2029-01-10 10:00:00', end_date: '2029-01-10 12:00:00', status: 'pending' }
    await makeAll(
      contributor.as,
      'events',
      Array.from({ length: 5 }, (_, n) => ({ title: `Later ${n}`, ...later })),
    )
    const sent = await tick(2)
    expect(outbox.last().text).toContain('6 events and remarks to review')
    const asked = await tick(3)
    for (const { rows_read } of [sent, asked]) expect(Number(rows_read)).toBeLessThan(200)
    await makeEvent(author.as, { title: 'Series of somebody else', ...daily, status: 'draft' })
    vi.setSystemTime(minutesAfterNoon(4))
    const id = await queryValue("SELECT min(id) FROM events WHERE title LIKE 'Series of%'")
    await send('PATCH', `/events/${id}?scope=all`, {
      as: author.as,
      json: { status: 'pending', spread: ['status'] },
    })
    await tick(5)
    expect(outbox.last().text).toContain('7 events and remarks to review')
  })

  it('is about one date that somebody else has changed in a series of the user', async () => {
    const { id } = await makeEvent(ed.as, {
      title: 'Own series',
      ...WHEN,
      recurrence: 'FREQ=DAILY;COUNT=30',
      status: 'pending',
    })
    await tick(1)
    expect(outbox.mails).toHaveLength(0)
    const admin = await makePerson('owner', 'administrator')
    const date = await queryValue(
      'SELECT max(id) FROM events WHERE series_id = (SELECT series_id FROM events WHERE id = ?)',
      id,
    )
    vi.setSystemTime(minutesAfterNoon(2))
    await send('PATCH', `/events/${date}?scope=this`, { as: admin.as, json: { cost: '5' } })
    await tick(3)
    expect(outbox.mails).toHaveLength(1)
    expect(outbox.last().text).toContain('1 event or remark to review')
  })

  it('that is not due costs a few rows a waiting event, and at most a hundred of these', async () => {
    const pending = Array.from({ length: 100 }, (_, i) => ({
      title: `Waiting ${i}`,
      ...WHEN,
      status: 'pending',
    }))
    await makeAll(contributor.as, 'events', pending)
    await makeAll(contributor.as, 'events', pending)
    for (const minutes of [1, 2, 3, 4, 5, 6, 7, 8, 9]) await tick(minutes)
    expect(outbox.mails).toHaveLength(1)
    const asked = await tick(10)
    await choose(ed, 'never')
    const silent = await tick(11)
    expect(Number(asked.rows_read) - Number(silent.rows_read)).toBeLessThan(200)
  })

  it('that the platform refuses is sent later; one that may have arrived is not sent again', async () => {
    await pend(contributor)
    let tries = 0
    outbox.onSend = async () => {
      tries++
      throw new Error('E_DAILY_LIMIT_EXCEEDED')
    }
    for (let minutes = 1; minutes <= 10; minutes++) await tick(minutes)
    expect(tries).toBeGreaterThan(1)
    expect(tries).toBeLessThan(8)
    outbox.onSend = async () => {}
    await tick(70)
    expect(outbox.mails).toHaveLength(1)
    await pend(contributor, 'Another')
    outbox.onSend = async () => {
      tries++
      throw new Error('Network connection lost.')
    }
    tries = 0
    for (const minutes of [71, 72, 73]) await tick(minutes)
    expect(tries).toBe(1)
  })

  it.each([
    ['de', 'Veranstaltung oder Hinweis zu prüfen'],
    ['es', 'evento o comentario por revisar'],
    ['fr', 'événement ou remarque à relire'],
  ])('is in the language of the calendar: %s', async (LANGUAGE, text) => {
    outbox = openOutbox({ LANGUAGE })
    await pend(contributor)
    await tick(1)
    expect(outbox.last().text).toContain(text)
    // Without a SITE_URL, nobody knows where the editor is.
    expect(outbox.last().text).not.toContain('/admin/')
  })
})
