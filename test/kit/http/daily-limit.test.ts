import { createExecutionContext, createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../src/app.ts'
import worker from '../../../src/index.ts'
import type { Language } from '../../../src/kit/lib/languages.ts'
import { settingsOf, type Vars } from '../../../src/kit/settings.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { signedIn } from '../../editor/session.ts'
import {
  type Answer,
  countRows,
  declareUser,
  elsewhere,
  makeEvent,
  query,
  SITE,
  send,
  WHEN,
} from '../../factories.ts'
import { TODAY } from '../../setup.ts'
import { faultyD1 } from './faulty-d1.ts'

// The free plan limits the rows that D1 reads and writes in a day: after that, all reads or all writes fail
// until midnight UTC.

const messageOf = (what: 'read' | 'write') =>
  `D1_ERROR: Your account has exceeded D1's free tier daily row ${what} limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.`

const reads = () => faultyD1({ message: messageOf('read'), times: Infinity })
const writes = () => faultyD1({ message: messageOf('write'), times: Infinity, writesOnly: true })

/** Seconds from noon, the time of every test, to midnight. */
const UNTIL_MIDNIGHT = String(12 * 3600)

const editor = signedIn('editor')
declareUser('administrator')
let event = 0
beforeAll(async () => {
  event = (await makeEvent(editor.as, { title: 'Stored' })).id
})

const newList = () => `/events?search=${crypto.randomUUID()}`
const create = (DB: D1Database, title: string) =>
  send('POST', '/events', { as: editor.as, json: { title, ...WHEN }, bindings: { DB } })

function expectLimit({ status, headers, body }: Answer, what: 'read' | 'write'): void {
  expect([status, headers.get('retry-after')]).toEqual([503, UNTIL_MIDNIGHT])
  expect(body).toMatchObject({
    code: 'rest_daily_limit_reached',
    message: expect.stringContaining(`${what}. Nothing was changed. Please try again after midnight UTC.`),
    data: { status: 503 },
  })
}

describe('the API', () => {
  it('says for how long nothing can be read, and asks D1 once', async () => {
    const { DB, seen } = reads()
    expectLimit(await send('GET', newList(), { bindings: { DB } }), 'read')
    expect(seen.batches).toBe(1)
    expectLimit(await send('GET', '/organizers', { as: editor.as, bindings: { DB } }), 'read')
    expectLimit(await create(DB, 'Unread'), 'read')
  })

  it('still reads while nothing can be written, and says so about writes', async () => {
    const before = [await countRows('events'), await countRows('audit')]
    const { DB, seen } = writes()
    expect((await send('GET', newList(), { bindings: { DB } })).status).toBe(200)
    expectLimit(await create(DB, 'Unwritten'), 'write')
    expect(seen.failed).toBe(1)
    const sent = { as: editor.as, json: { title: 'Other' }, bindings: { DB } }
    expectLimit(await send('PATCH', `/events/${event}`, sent), 'write')
    expect([await countRows('events'), await countRows('audit')]).toEqual(before)
  })

  it('says it in each response of a batch', async () => {
    const requests = ['a', 'b'].map(title => ({ path: '/events', body: { title, ...WHEN } }))
    const { DB } = writes()
    const { body } = await send('POST', '/batch', { as: editor.as, json: { requests }, bindings: { DB } })
    const limit = { status: 503, body: { code: 'rest_daily_limit_reached' } }
    expect(body.responses).toMatchObject([limit, limit])
  })
})

describe('a cached response', () => {
  const readWith = ({ DB }: { DB: D1Database }, path: string, headers: Record<string, string> = {}) =>
    send('GET', path, { headers, bindings: { DB } })
  const marked = ({ status, headers }: Answer) => [status, headers.get('warning')]
  const STALE = [200, '110 - "Response is Stale"']

  it.each(['/events?per_page=7', '/events.ics?per_page=7', `${SITE}/events/`, `${SITE}/events/month/`])(
    'is still shown, and marked: %s',
    async path => {
      const fresh = await send('GET', path)
      expect(marked(fresh)).toEqual([200, null])
      const kept = await readWith(reads(), path)
      expect(marked(kept)).toEqual(STALE)
      expect(kept.text).toBe(fresh.text)
      const known = { 'if-none-match': fresh.headers.get('etag') ?? '' }
      expect((await readWith(reads(), path, known)).status).toBe(304)
    },
  )

  it.each(['/events?per_page=9', `${SITE}/events/list/`])(
    'is still shown on the next day of the calendar, before midnight UTC: %s',
    async path => {
      const at = (time: string, bindings: object) => {
        vi.setSystemTime(`2026-11-20T${time}:00Z`)
        return send('GET', path, { bindings: { TIMEZONE: 'Asia/Tokyo', ...bindings } })
      }
      const fresh = await at('14:30', {})
      expect(marked(fresh)).toEqual([200, null])
      const kept = await at('15:30', { DB: reads().DB })
      expect(marked(kept)).toEqual(STALE)
      expect(kept.text).toBe(fresh.text)
      expect(marked(await at('15:31', {}))).toEqual([200, null])
    },
  )

  it('is not shown once it is known to have changed', async () => {
    const path = `/events?search=withdrawn`
    const { id } = await makeEvent(editor.as, { title: 'Withdrawn' })
    expect((await send('GET', path)).status).toBe(200)
    expect(marked(await readWith(reads(), path))).toEqual(STALE)
    expect((await send('PATCH', `/events/${id}`, { as: editor.as, json: { status: 'draft' } })).status).toBe(
      200,
    )
    expect((await send('GET', '/venues')).status).toBe(200)
    expectLimit(await readWith(reads(), path), 'read')
  })

  it('is not shown to those who see more than others', async () => {
    const path = '/events?per_page=8'
    expect((await send('GET', path, { as: editor.as })).status).toBe(200)
    expectLimit(await readWith(reads(), path, { authorization: editor.as }), 'read')
  })
})

const LANGUAGES = {
  en: ['limit for today', 'until midnight|after midnight'],
  de: ['Limit für heute', 'Nach Mitternacht|nach Mitternacht'],
  es: ['límite de hoy', 'después de medianoche'],
  fr: ['limite du jour', 'après minuit'],
} as const satisfies Record<Language, readonly string[]>

/** Asks the pages of a calendar in a language. */
const pagesIn = (LANGUAGE: string, vars: Vars = {}) => {
  const app = createApp(settingsOf({ LANGUAGE, SUBMISSIONS: 'on', ...vars }))
  return (DB: D1Database, path: string, init: RequestInit = {}) =>
    app.request(SITE + path, init, { ...env, DB }, createExecutionContext())
}

describe.each(Object.entries(LANGUAGES))('pages in %s', (language, [title, text]) => {
  const ask = pagesIn(language)

  it.each(['/events/today/', '/submit/', '/admin/events/'])('say it: %s', async path => {
    const headers = { cookie: editor.browser.cookie }
    const response = await ask(reads().DB, path, { headers })
    const html = await response.text()
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, UNTIL_MIDNIGHT])
    expect(html).toContain(title)
    expect(html).toMatch(new RegExp(text))
  })
})

describe('the editor', () => {
  const broken = (DB: D1Database) => editor.browser.with({ DB })
  /** The fields that a browser sends for a new event. */
  const typed = async () => ({
    ...fieldsIn((await editor.browser.get('/admin/events/new/')).html),
    title: 'Typed',
    start_date: '2027-03-01',
    start_date_time: '10:00',
    end_date: '2027-03-01',
    end_date_time: '11:00',
    do: 'save',
  })

  it('shows the form again, with everything that was typed', async () => {
    const before = await countRows('events')
    const { status, headers, html, text } = await broken(writes().DB).post(
      '/admin/events/new/',
      await typed(),
    )
    expect([status, headers.get('retry-after')]).toEqual([503, UNTIL_MIDNIGHT])
    expect(html).toContain('value="Typed"')
    expect(text).toContain('The database has reached its limit for today')
    expect(await countRows('events')).toBe(before)
  })

  it('keeps what was typed even if the form can’t be read', async () => {
    const { status, html, text } = await broken(reads().DB).post('/admin/events/new/', await typed())
    expect([status, html]).toEqual([503, expect.stringContaining('name="title" value="Typed"')])
    expect(text).toContain('The calendar has reached its limit for today')
  })

  it.each(['duplicate', 'trash'])('says of a button that it did nothing: %s', async action => {
    const { status, headers, text } = await broken(writes().DB).post(`/admin/events/${event}/${action}/`)
    expect([status, headers.get('retry-after')]).toEqual([503, UNTIL_MIDNIGHT])
    expect(text).toContain('The calendar has reached its limit for today')
  })
})

describe('a visitor’s submission', () => {
  it('is shown again, with advice', async () => {
    const ask = pagesIn('en')
    const shown = await (await ask(env.DB, '/submit/')).text()
    const ticket = /name="ticket" value="([^"]*)"/.exec(shown)?.[1] ?? ''
    vi.setSystemTime(TODAY.getTime() + 30_000)
    const body = new URLSearchParams({
      ticket,
      title: 'Harvest fair',
      start_date: '2027-09-04',
      start_date_time: '14:00',
      name: 'Ann Example',
      email: 'ann@example.org',
      do: 'save',
    })
    const response = await ask(writes().DB, '/submit/', { method: 'POST', body, headers: { origin: 'null' } })
    const html = await response.text()
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, String(12 * 3600 - 30)])
    expect(html).toContain('Nothing more can be submitted today.')
    expect(html).toContain('value="Harvest fair"')
  })
})

describe('the cron', () => {
  /** @returns the logged errors */
  async function tick(time: string, DB: D1Database): Promise<string[]> {
    vi.setSystemTime(new Date(time))
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await worker.scheduled(createScheduledController({ scheduledTime: new Date(time) }), { ...env, DB })
    const lines = log.mock.calls.map(([line]) => String(line))
    log.mockRestore()
    return lines
  }

  // A minute when sources are due, and one when cleaning is.
  it.each(['2026-11-20T12:02:00Z', '2026-11-20T12:03:00Z'])('stops with one line: %s', async time => {
    await makeEvent(editor.as, { status: 'future', date_utc: '2026-11-20 12:01:00' })
    for (const { DB } of [reads(), writes()]) {
      const lines = await tick(time, DB)
      expect(lines).toEqual([expect.stringMatching(/"id":"cron".*daily row (read|write) limit/)])
    }
  })

  it('counts nothing against a source, which is read on the next day', async () => {
    const event = 'BEGIN:VEVENT\r\nUID:one\r\nDTSTART:20270110T100000Z\r\nSUMMARY:Imported\r\nEND:VEVENT'
    const url = elsewhere(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${event}\r\nEND:VCALENDAR\r\n`)
    const { id } = (await send('POST', '/sources', { as: editor.as, json: { name: 'Hall', url } })).body
    await query('UPDATE sources SET next_run_utc = ?', '2026-11-20 12:00:00')
    // The run reserves the source, then it meets the limit.
    const { DB } = faultyD1({ message: messageOf('write'), times: Infinity, writesOnly: true, after: 1 })
    expect(await tick('2026-11-20T12:02:00Z', DB)).toHaveLength(1)
    const source = async () =>
      (await query('SELECT state, failures, events FROM sources WHERE id = ?', id))[0]
    expect(await source()).toMatchObject({ failures: 0, events: 0 })
    await tick('2026-11-21T00:02:00Z', env.DB)
    expect(await source()).toMatchObject({ state: 'ok', failures: 0, events: 1 })
  })
})
