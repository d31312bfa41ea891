import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Browser } from '../../editor/session.ts'
import { makeUser, query } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { Course, ownLinkIn } from './course.ts'

const SECRET = /registered-person|secret-answer/i
const PERSON = { name: 'Registered-Person', answer: 'Secret-answer' }

beforeEach(() => void vi.setSystemTime('2026-11-26T10:00:00Z'))

const begin = async () => {
  const course = await Course.begin({ places: 3, question: 'Why?' })
  const link = await course.join('registered-person@mail.example', PERSON)
  return { course, link, path: await course.pathOf(PERSON.name) }
}

describe('names and addresses', () => {
  it('are in no response that a key keeps, and in no batch', async () => {
    const { course, path: own } = await begin()
    const send = sendWith(course.outbox.bindings)
    const as = await makeUser('key', 'administrator')
    const withKey = (method: string, path: string, json: object) =>
      send(method, path, { as, json, headers: { 'idempotency-key': `${method} ${path}` } })
    const person = { name: PERSON.name, email: 'other-registered-person@mail.example', consent: true }
    expect((await withKey('PATCH', own, { came: true })).body.name).toBe(PERSON.name)
    expect((await withKey('POST', `${course.path}s/by-hand`, person)).status).toBe(201)
    expect((await withKey('POST', `${course.path}s`, person)).status).toBe(202)
    expect((await withKey('POST', '/registrations/find', person)).status).toBe(200)
    // A POST of one person would keep the name.
    expect((await withKey('POST', own, { came: false })).status).toBe(404)
    const storedKeys = await query('SELECT * FROM idempotency_keys')
    expect(storedKeys.length).toBeGreaterThan(1)
    expect(JSON.stringify(storedKeys)).not.toMatch(SECRET)
    for (const [method, path] of [
      ['PATCH', own],
      ['DELETE', own],
      ['POST', `${course.path}s/by-hand`],
      ['POST', `${course.path}s`],
      ['POST', '/registrations/erase'],
    ] as const) {
      const requests = [
        { method: 'PATCH', path: `/events/${course.id}`, body: { title: 'New' } },
        { method, path, body: person },
      ]
      for (const validation of ['normal', 'require-all-validate']) {
        const { status, body, text } = await course.ask('POST', '/batch', { requests, validation })
        expect({ path, status, params: body.data.params }, validation).toEqual({
          path,
          status: 400,
          params: { requests: expect.stringContaining('requests[1] would return personal data') },
        })
        expect(text, validation).not.toMatch(SECRET)
      }
    }
    expect((await course.ask('GET', `/events/${course.id}`)).body.title).toBe('Bread for beginners')
  })

  it('wait in no e-mail where none can be sent any more', async () => {
    const { course } = await begin()
    const { EMAIL: _, ...others } = course.outbox.bindings
    course.outbox.bindings = others
    await course.cron()
    expect(await query('SELECT * FROM registration_mails')).toEqual([])
  })

  it('are found and erased by administrators over all events, and the audit does not know whose', async () => {
    const { course } = await begin()
    const find = (email: string) => course.ask('POST', '/registrations/find', { email })
    expect((await find('Registered-Person@mail.example')).body).toEqual({
      events: [{ event: course.id, series: null, state: 'confirmed', created: '2026-11-26 10:00:00' }],
    })
    expect(
      (await course.ask('POST', '/registrations/erase', { email: 'registered-person@mail.example' })).body,
    ).toEqual({ erased: 1 })
    expect((await find('registered-person@mail.example')).body).toEqual({ events: [] })
    const entries = await query("SELECT * FROM audit WHERE kind = 'registrant' ORDER BY id")
    expect(entries.map(({ action }) => action)).toEqual(['find', 'delete', 'find'])
    expect(JSON.stringify(entries)).not.toMatch(SECRET)
    const editor = await makeUser('ed', 'editor')
    expect(
      (await course.ask('POST', '/registrations/find', { email: 'a@mail.example' }, editor)).status,
    ).toBe(403)
  })

  it('are kept from forms that another site sends, and from links of others', async () => {
    const { course, link } = await begin()
    const from = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const browser = new Browser(course.outbox.bindings)
    for (const path of [`/register/${course.id}/`, link])
      expect((await browser.post(path, { do: 'leave', name: 'Eve' }, { headers: from })).status).toBe(403)
    expect(await course.people()).toEqual(['Registered-Person confirmed'])
    const guessed = link.replace(/-[\da-f]+/, `-${'0'.repeat(32)}`)
    expect((await course.browser().get(guessed)).status).toBe(410)
  })
})

describe('places', () => {
  const confirmAll = async (course: Course, links: readonly string[]) =>
    Promise.all(links.map(link => course.press(link, { do: 'confirm' }).catch(() => 'lost')))

  it('are never one too many when all confirm at once, and the list is in order', async () => {
    const course = await Course.begin({ places: 5 }, {}, { REGISTRATION_FIRST_MAILS: '200' })
    const links: string[] = []
    for (let n = 0; n < 20; n++) {
      await course.register(`p${n}@mail.example`)
      links.push(ownLinkIn(course.outbox.last()))
    }
    const states = await confirmAll(course, links)
    expect([
      states.filter(state => state === 'confirmed').length,
      states.filter(state => state === 'waiting').length,
    ]).toEqual([5, 15])
    const rows = await query('SELECT state, position FROM registrants ORDER BY position')
    expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    expect(rows.map(({ state }) => state)).toEqual([
      ...new Array(5).fill('confirmed'),
      ...new Array(15).fill('waiting'),
    ])
    expect(await query('SELECT taken, waiting FROM registrations')).toEqual([{ taken: 5, waiting: 15 }])
    // Five give back at once: the next five move up.
    const five = links.filter((_, i) => states[i] === 'confirmed')
    await Promise.all(five.map(link => course.press(link, { do: 'leave' })))
    expect(await query('SELECT taken, waiting FROM registrations')).toEqual([{ taken: 5, waiting: 10 }])
    const remaining = await query('SELECT state FROM registrants ORDER BY position')
    expect(remaining.map(({ state }) => state)).toEqual([
      ...new Array(5).fill('confirmed'),
      ...new Array(10).fill('waiting'),
    ])
  })

  it.each([false, true])(
    'are taken once if D1 fails, its answer lost: %s, and the button is pressed again',
    async late => {
      const course = await Course.begin({ places: 1 })
      await course.register('ann@mail.example')
      const link = ownLinkIn(course.outbox.last())
      // The first visit of the day makes a key.
      await course.browser().get(link)
      const { bindings } = course.outbox
      const { DB, seen } = faultyD1({ message: 'D1_ERROR: Network connection lost.', writesOnly: true, late })
      course.outbox.bindings = { ...bindings, DB }
      expect(await course.press(link, { do: 'confirm' })).toBe('503')
      expect(seen.failed).toBe(1)
      course.outbox.bindings = bindings
      await course.press(link, { do: 'confirm' })
      expect(await query('SELECT taken FROM registrations')).toEqual([{ taken: 1 }])
      expect(await course.people()).toEqual(['ann confirmed'])
      expect((await course.cron()).map(({ subject }) => subject)).toEqual([
        'You are registered: Bread for beginners',
      ])
    },
  )
})

it('a POST reads few rows, however many have registered', async () => {
  const course = await Course.begin({ places: 5_000 })
  await query(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
    INSERT INTO registrants (registration_id, state, name, email, language, position, created_utc)
    SELECT 1, 'confirmed', 'p', 'p' || n || '@mail.example', 'en', n, '2026-11-26 10:00:00' FROM n`)
  const logged = vi.spyOn(console, 'log')
  await course.register('ann@mail.example')
  const link = ownLinkIn(course.outbox.last())
  await course.press(link, { do: 'confirm' })
  await course.press(link, { do: 'leave' })
  const rows = logged.mock.calls
    .map(([line]) => JSON.parse(String(line)) as { method: string; rows_read: number })
    .filter(({ method }) => method === 'POST')
  logged.mockRestore()
  // A confirmation reads its own row once more, to give back only what is still counted for it. Each reads
  // the dates as people may know them, with the end and the place of each.
  expect(Math.max(...rows.map(({ rows_read }) => rows_read))).toBeLessThanOrEqual(45)
})
