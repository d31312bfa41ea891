import { env, exports } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { API, makeEvent, makeOrganizer, makeUser, makeVenue, SITE } from '../factories.ts'

// What another program, or an older release, wrote into the database: the rest must stay readable.

let editor = ''
let ids: number[] = []

const run = (sql: string, ...params: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...params)
    .run()

beforeAll(async () => {
  editor = await makeUser('editor', 'editor')
  const image = 'https://example.org/a.png'
  const dates = { start_date: '2027-03-10 10:00', end_date: '2027-03-10 11:00', image }
  const { id: venue } = await makeVenue(editor, 'Barn', { image })
  const { id: organizer } = await makeOrganizer(editor, 'Guild', { image })
  const made = async (fields: object) =>
    Number((await makeEvent(editor, { ...dates, venue, organizer, ...fields })).id)
  const bad = await made({ title: 'Bad', timezone: 'Europe/Rome' })
  const good = await made({ title: 'Good' })
  const series = await made({ title: 'Weekly', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
  ids = [bad, good, series]
})

const send = (address: string) => exports.default.fetch(address)

const everywhere = () => [
  `${API}/events?start_date=2000-01-01&per_page=50`,
  ...['events.ics', 'events.rss', 'events.feed.json', 'venues', 'organizers', 'changes/events'].map(
    path => `${API}/${path}`,
  ),
  ...ids.map(id => `${API}/events/${id}`),
  ...ids.map(id => `${API}/events/${id}.ics`),
  ...['/events/', '/events/month/', '/sitemap.xml', '/event/bad/', '/event/good/'].map(path => SITE + path),
]

/** Fails for each answer that is no good one. */
async function expectReadable() {
  for (const path of everywhere()) {
    const response = await send(path)
    const text = await response.text()
    expect(response.status, `${path}: ${text.slice(0, 200)}`).toBeLessThan(500)
    if (path.startsWith(`${API}/events?`)) expect(text).toContain('"title":"Good"')
  }
}

it.each([
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
])('a bad %s of an event spoils nothing else: %j', async (column, value) => {
  const { [column]: before } =
    (await env.DB.prepare(`SELECT ${column} FROM events WHERE id = ?`).bind(ids[0]).first()) ?? {}
  const set = (to: unknown) =>
    run(`UPDATE events SET ${column} = ?, version = version + 1 WHERE id = ?`, to, ids[0])
  await set(value)
  await expectReadable().finally(() => set(before))
})

it.each([
  ['rrule', 'FREQ=NEVER'],
  ['rrule', 'x'],
  ['rdate', '['],
  ['exdate', '[1, null]'],
  ['timezone', 'Mars/Olympus'],
  ['start_date', 'x'],
  ['end_date', ''],
  ['extend_from', 'soon'],
])('a bad %s of a series spoils nothing else: %j', async (column, value) => {
  const row = await env.DB.prepare(`SELECT ${column} AS value FROM series`).first()
  const set = (to: unknown) => run(`UPDATE series SET ${column} = ?, version = version + 1`, to)
  await set(value)
  await expectReadable().finally(() => set(row?.value))
})

it.each(['https://', 'javascript:alert(1)', '', 'x', 'http://[', 'data:text/html,x', '//example.org/x'])(
  'an image whose address is none is not shown: %j',
  async url => {
    const { url: before } = (await env.DB.prepare('SELECT url FROM images').first()) ?? {}
    await run('UPDATE images SET url = ?', url)
    await expectReadable()
    const response = await send(`${API}/events/${ids[1]}`)
    expect(await response.json()).toMatchObject({ title: 'Good', image: false })
    await run('UPDATE images SET url = ?', before)
  },
)
