import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, vi } from 'vitest'
import { createApp, ROUTES } from '../src/app.ts'
import worker from '../src/index.ts'
import { settingsOf } from '../src/kit/settings.ts'
import { FILTERED } from './calendar/events/listing/samples.ts'
import { signIn } from './editor/session.ts'
import { API, makeEvent, makeUser, query, SITE, send } from './factories.ts'
import { PARTS } from './features.ts'
import { openOutbox } from './outbox.ts'
import { notingD1, plansThatDiffer } from './plans.ts'
import { sendTo } from './request.ts'
import { TODAY } from './setup.ts'

// Statements of all that is read through the API, the site and the editor, of what strangers may write, and of
// the cron. Not seen are those of what people write who have signed in, and of tasks that begin elsewhere:
// reading sources, sending messages and letters.

const outbox = openOutbox({
  IMPRINT_URL: 'https://town.example/imprint',
  PRIVACY_URL: 'https://town.example/privacy',
  SUBMISSIONS: 'on',
})
const { DB, texts } = notingD1()
const bindings = { ...outbox.bindings, DB }

const VALUES: Readonly<Record<string, string>> = {
  taxonomy: 'tribe_events_cat',
  token: `1-${'0'.repeat(32)}`,
  base: 'course',
  date: '2027-01-10',
  month: '2027-01',
  day: '2027-01-10',
  file: 'sitemap-events-1.xml',
}
const SLUGS = new Map([
  ['venue', 'hall'],
  ['organizer', 'club'],
  ['categor', 'music'],
  ['tag', 'jazz'],
])

/** A path with values in place of its parameters, of which slugs are of the kind that the path names. */
function filledPath(path: string): string {
  const slug = [...SLUGS].find(([kind]) => path.includes(kind))?.[1] ?? 'part'
  const valueFor = (name: string) => VALUES[name] ?? (/slug|path/.test(name) ? slug : '1')
  return path
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => valueFor(name))
    .replaceAll(/:(\w+)(\{[^/]*\})?/g, (_, name: string) => valueFor(name))
    .replaceAll('*', '')
}

/** Addresses of pages end with a slash, those of files don't. */
const withSlash = (path: string): string => (/\.\w+$|\/$/.test(path) ? path : `${path}/`)

const isRead = ({ methods }: { methods: readonly string[] }) => methods.includes('GET')
const API_READS = ROUTES.filter(isRead).map(({ path }) => API + filledPath(path))
const PAGES = createApp(settingsOf(outbox.bindings))
  .routes.filter(({ method, path }) => method === 'GET' && !path.startsWith(new URL(API).pathname))
  .map(({ path }) => SITE + withSlash(filledPath(path)))

let editor: string

beforeAll(async () => {
  editor = await makeUser('ed', 'administrator')
  const links = {
    venue: { venue: 'Hall' },
    organizer: { organizer: 'Club' },
    categories: ['Music'],
    tags: ['Jazz'],
  }
  const event = await makeEvent(editor, { title: 'Course', recurrence: 'FREQ=DAILY;COUNT=3', ...links })
  await makeEvent(editor, { title: 'Part', post_parent: event.id })
  const must = async (method: string, path: string, json: object = {}) =>
    (await send(method, path, { as: editor, json })).body
  for (const { fill, ofEvent } of PARTS) {
    await ofEvent?.({ rows: query }, event.id)
    await fill?.({ must, rows: query })
  }
})

it('no plan of what is read, of what strangers write, or of the cron depends on statistics', async () => {
  const failed: string[] = []
  for (const address of [...new Set([...API_READS, ...PAGES])])
    for (const headers of [{}, { authorization: editor }])
      if ((await sendTo(bindings, address, { headers })).status === 500) failed.push(address)
  expect(failed).toEqual([])
  for (const [, filter] of FILTERED)
    for (const path of ['/events', '/events.ics']) await sendTo(bindings, `${path}?${filter}`)
  await sendTo(bindings, '/events?series=1')
  const { browser } = await signIn('administrator')
  for (const address of PAGES) {
    const { pathname } = new URL(address)
    if (pathname.startsWith('/admin') && !pathname.includes('sign-out'))
      await browser.with(bindings).get(pathname)
  }
  for (const { fromStrangers = {} } of PARTS)
    for (const [route, bodyOf] of Object.entries(fromStrangers)) {
      const [method = '', path = ''] = route.split(' ')
      const init = {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(1)),
      }
      await sendTo(bindings, filledPath(path), init)
    }
  for (const minute of [0, 7]) {
    const scheduledTime = new Date(TODAY.getTime() + minute * 60_000)
    vi.setSystemTime(scheduledTime)
    await worker.scheduled(createScheduledController({ scheduledTime }), { ...env, ...bindings })
  }
  expect(texts.size).toBeGreaterThan(300)
  expect(await plansThatDiffer([...texts])).toEqual([])
})

it('a plan that depends on statistics is noticed', async () => {
  const found = await plansThatDiffer([
    'SELECT * FROM events AS date JOIN registrations AS own ON own.series_id = date.series_id WHERE date.id = ?1',
    'SELECT * FROM events WHERE id = ?1',
  ])
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter(text => text.includes('SELECT * FROM events WHERE'))).toEqual([])
})
