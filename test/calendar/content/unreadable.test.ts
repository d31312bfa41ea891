import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { API, makeAll, makeOrganizer, makeUser, makeVenue, SITE } from '../../factories.ts'

// Bad values that another program, or an older release, has written into the database: the rest must stay
// readable.

const OF_EVENTS: [column: string, value: string][] = [
  ['timezone', 'Mars/Olympus'],
  ['timezone', ''],
  ['start_date', 'whenever'],
  ['start_date', '2027-02-30 10:00:00'],
  ['end_date', '2027-03-10 24:00:00'],
  ['utc_start_date', '2027-03-10'],
  ['date_utc', ''],
  ['modified_utc', 'now'],
  ['custom_fields', '['],
  ['detached', '{'],
  ['cost', '\u0000'],
  ['website', 'javascript:alert(1)'],
  ['virtual_url', '://'],
  ['description', '<b'],
  ['uid', 'a\nb'],
]
const OF_SERIES: typeof OF_EVENTS = [
  ['rrule', 'FREQ=NEVER'],
  ['rrule', 'x'],
  ['rdate', '['],
  ['exdate', '[1, null]'],
  ['timezone', 'Mars/Olympus'],
  ['start_date', 'x'],
  ['end_date', ''],
  ['extend_from', 'soon'],
]
const OF_IMAGES = [
  'https://',
  'javascript:alert(1)',
  '',
  'x',
  'http://[',
  'data:text/html,x',
  '//example.org/x',
]

type StoredEvent = { id: number; slug: string; series?: { id: number }; image: { id: number } }
let bad: StoredEvent[] = []
let series: StoredEvent[] = []
let pictured: StoredEvent[] = []

// Each row has one bad value: lists have all of them at once, and pages have one.
beforeAll(async () => {
  const editor = await makeUser('editor', 'editor')
  const image = 'https://example.org/a.png'
  const { id: venue } = await makeVenue(editor, 'Barn', { image })
  const { id: organizer } = await makeOrganizer(editor, 'Guild', { image })
  const event = { start_date: '2027-03-10 10:00', end_date: '2027-03-10 11:00', venue, organizer }
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' }
  const made = (await makeAll(editor, 'events', [
    ...OF_EVENTS.map((_, n) => ({ ...event, title: `Bad ${n}`, image, timezone: 'Europe/Rome' })),
    ...OF_SERIES.map((_, n) => ({ ...event, title: `Weekly ${n}`, image, recurrence })),
    ...OF_IMAGES.map((_, n) => ({ ...event, title: `Shown ${n}`, image: `https://example.org/${n}.png` })),
    { ...event, title: 'Good', image },
  ])) as StoredEvent[]
  bad = made.slice(0, OF_EVENTS.length)
  series = made.slice(bad.length, bad.length + OF_SERIES.length)
  pictured = made.slice(bad.length + series.length, -1)
  const set = (table: string, [column, value]: [string, string], id?: number) =>
    env.DB.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).bind(value, id)
  await env.DB.batch([
    ...OF_EVENTS.map((change, n) => set('events', change, bad[n]?.id)),
    ...OF_SERIES.map((change, n) => set('series', change, series[n]?.series?.id)),
    ...OF_IMAGES.map((url, n) => set('images', ['url', url], pictured[n]?.image.id)),
  ])
})

/** Fails if the response is an error. */
async function read(address: string): Promise<string> {
  const response = await exports.default.fetch(address)
  const text = await response.text()
  expect(response.status, `${address}: ${text.slice(0, 200)}`).toBeLessThan(500)
  return text
}

describe('bad values don’t affect anything else', () => {
  it.each([
    ...['events?start_date=2000-01-01&per_page=50', 'events.ics', 'events.rss', 'events.feed.json'].map(
      path => `${API}/${path}`,
    ),
    ...['venues', 'organizers', 'changes/events'].map(path => `${API}/${path}`),
    ...['/events/', '/events/month/', '/sitemap.xml', '/event/good/'].map(path => SITE + path),
  ])('in %s', async address => {
    const text = await read(address)
    if (address.startsWith(`${API}/events?`)) expect(text).toContain('"title":"Good"')
  })

  const expectReadable = async (
    { id, slug }: StoredEvent | undefined = { id: 0, slug: '', image: { id: 0 } },
  ) => {
    for (const address of [`${API}/events/${id}`, `${API}/events/${id}.ics`, `${SITE}/event/${slug}/`])
      await read(address)
  }

  it.each(OF_EVENTS.map((change, n) => [...change, n] as const))('%s of an event: %j', (_, _value, n) =>
    expectReadable(bad[n]),
  )

  it.each(OF_SERIES.map((change, n) => [...change, n] as const))(
    '%s of a series: %j',
    async (_, _value, n) => {
      await expectReadable(series[n])
      await read(`${API}/series/${series[n]?.series?.id}`)
    },
  )
})

it.each(OF_IMAGES.map((url, n) => [url, n] as const))(
  'an image whose address is none is not shown: %j',
  async (_, n) => {
    const { id, slug } = pictured[n] ?? { id: 0, slug: '' }
    const { title, image } = JSON.parse(await read(`${API}/events/${id}`))
    expect([title, image]).toEqual([`Shown ${n}`, false])
    await read(`${SITE}/event/${slug}/`)
  },
)
