import { createApp } from '../../../src/app.ts'
import { findDuplicates } from '../../../src/calendar/imports/duplicates.ts'
import { restoreCalendar } from '../../../src/commands/backup/restore.ts'
import { importStored } from '../../../src/commands/import-run.ts'
import { openImages } from '../../../src/commands/local-d1.ts'
import type { PlainStatement } from '../../../src/commands/remote-database.ts'
import { FEATURES } from '../../../src/features.ts'
import type { ImageStore } from '../../../src/kit/context.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { importContext } from '../../../src/kit/http/request-context.ts'
import { passwordDigest } from '../../../src/kit/lib/hash.ts'
import { ROLES } from '../../../src/kit/lib/roles.ts'
import { toEpoch } from '../../../src/kit/lib/time.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { changeDue } from '../../../src/kit/work/due-rows.ts'
import { png } from '../../calendar/media/build.ts'
import type { Connection } from '../../connection.ts'
import { PARTS } from '../../features.ts'
import { listen } from '../../listen.ts'
import { makeStore, NOW } from '../../readers/database.ts'

// A calendar that has something of everything, made as people and programs make it.

export type Calendar = Connection & { d1: D1Database }

export const VARS = {
  SITE_URL: 'https://town.example',
  TIMEZONE: 'Europe/Berlin',
  SUBMISSIONS: 'on',
  ALLOW_PRIVATE_HOSTS: 'on',
}
export const SETTINGS = settingsOf(VARS)
const APP = createApp(SETTINGS)
const INVOCATION = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }

/** Users with logins that are their roles, and another author. */
const LOGINS = [...ROLES, 'other']

/** Gives users passwords that their logins tell. */
export async function addPasswords(db: Connection): Promise<void> {
  for (const [i, login] of LOGINS.entries())
    await db.query(
      'INSERT INTO passwords (user_id, digest, created_utc) VALUES (?, ?, ?)',
      ...[i + 1, await passwordDigest(`passwordof${login}`), '2026-01-01 00:00:00'],
    )
}

/** Restores a backup in small batches. */
export const restoreInto = (
  db: Calendar,
  folder: string,
  { database = new Database(db.d1), store = makeStore() as ImageStore, batchSize = 20 } = {},
) =>
  restoreCalendar(importContext({ db: database, settings: SETTINGS, nowMs: toEpoch(NOW) }), {
    folder,
    store,
    batchSize,
    dryRun: false,
    progress: () => {},
  })

type Request = {
  as?: string
  json?: object
  headers?: Record<string, string>
  form?: FormData
  images?: unknown
  store?: ImageStore
}

/** Sends a request to the service over a database. @param path below the namespace, or from `/` on */
export async function send(
  { d1 }: Calendar,
  method: string,
  path: string,
  { as, json, headers, form, images, store }: Request = {},
): Promise<Response> {
  const address = path.startsWith('/') ? path : `/calendar/events/v1/${path}`
  const body = json ? JSON.stringify(json) : form
  return APP.request(
    `https://town.example${address}`,
    {
      method,
      headers: {
        ...headers,
        ...(as && { authorization: `Bearer passwordof${as}` }),
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(body && { body }),
    },
    { DB: d1, MEDIA: store, IMAGES: images },
    INVOCATION,
  )
}

type Json = ReturnType<typeof JSON.parse>

const vevent = (uid: string, start: string, title: string) =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:${start}\r\nDURATION:PT2H\r\nSUMMARY:${title}\r\nLOCATION:Town hall\r\nEND:VEVENT\r\n`

const FEED = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${[
  vevent('a', '20270110T190000Z', 'Choir'),
  vevent('b', '20270111T190000Z', 'Brass band'),
  vevent('c', '20270112T190000Z', 'Open air cinema'),
].join('')}END:VCALENDAR\r\n`

/** Serves the feed that the calendar has as a source. */
export const serveFeed = () =>
  listen(() => (_, response) => void response.writeHead(200, { 'content-type': 'text/calendar' }).end(FEED))

/** Reads the source of a calendar as `npm run import -- --source 1` does. */
export const readSource = ({ d1 }: Calendar) =>
  importStored({ openExecutor: () => new Database(d1), vars: VARS }, { id: '1', progress: () => {} })

const at = (day: string, from = '20:00', to = '22:00') => ({
  start_date: `${day} ${from}`,
  end_date: `${day} ${to}`,
})

/** Fills a calendar. @param feed the address of a server with a feed */
export async function fill(db: Calendar, store: ImageStore, feed: string): Promise<void> {
  await db.batch(
    LOGINS.map(
      (login, i): PlainStatement => [
        'INSERT INTO users (id, login, role, created_utc) VALUES (?, ?, ?, ?)',
        ...[i + 1, login, login === 'other' ? 'author' : login, '2026-01-01 00:00:00'],
      ],
    ),
  )
  await addPasswords(db)
  const call = async (method: string, path: string, json?: object, as = 'administrator'): Promise<Json> => {
    const response = await send(db, method, path, { as, ...(json && { json }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const post = (path: string, json: object, as?: string) => call('POST', path, json, as)
  const patch = (path: string, json: object, as?: string) => call('PATCH', path, json, as)

  const music = await post('categories', { name: 'Music', description: 'Loud & <soft>' })
  await post('categories', { name: 'Jazz', parent: music.id })
  // A category may be below a younger one.
  const arts = await post('categories', { name: 'Arts' })
  await patch(`categories/${music.id}`, { parent: arts.id })

  const { images, close } = await openImages()
  const upload = async (seed: string, as: string): Promise<number> => {
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(png(310, 200, seed))], `${seed}.png`))
    form.append('alt_text', `About ${seed}`)
    const response = await send(db, 'POST', 'media', { as, form, images, store })
    const text = await response.text()
    if (!response.ok) throw new Error(`media: ${response.status} ${text}`)
    return JSON.parse(text).id
  }
  const poster = await upload('poster', 'author')
  await upload('poster', 'other')
  await upload('unused', 'editor')
  await close()

  const barn = await post('venues', {
    venue: 'The Barn',
    city: 'Kent',
    geo_lat: 51.5,
    geo_lng: -0.125,
    description: '<p>Old.</p>',
    image: poster,
  })
  const double = await post('venues', { venue: 'Barn, the', zip: '02101' })
  const shed = await post('venues', { venue: 'The Shed', show_map: false }, 'author')
  await post(`venues/${double.id}/merge`, { into: barn.id })
  const guild = await post('organizers', { organizer: 'The Guild', email: 'guild@town.example' })
  const club = await post('organizers', { organizer: 'Guild' })
  await post(`organizers/${club.id}/merge`, { into: guild.id })

  const parent = await post('events', {
    ...at('2027-03-28', '01:30', '04:00'),
    title: 'Rock & Roll <3 – café',
    description: '<p>Bring <b>ears</b></p>',
    excerpt: 'Short.',
    cost: '10',
    venue: [shed.id, barn.id],
    organizer: [{ organizer: 'Others' }, guild.id],
    categories: ['Jazz', 'Music'],
    tags: ['open air', 'late'],
    image: poster,
    featured: true,
    sticky: true,
    timezone: 'Europe/London',
    external_id: 'crm/1',
    custom_fields: { dress: { label: 'Dress code', value: 'None' } },
  })
  await post('events', {
    ...at('2027-03-29'),
    title: 'All day\u2028long',
    all_day: true,
    post_parent: parent.id,
    image: 'https://elsewhere.example/a.jpg',
  })
  // An external id that an event did not have from its beginning is not its UID.
  const late = await post('events', { ...at('2027-04-01'), title: 'Later named' })
  await patch(`events/${late.id}`, { external_id: 'crm/2', website: 'https://x.example' })
  await post('events', { ...at('2027-04-02'), title: 'Draft', status: 'draft', author: 3 })
  await post('events', { ...at('2027-04-02'), title: 'Private', status: 'private' })
  await post('events', { ...at('2027-04-03'), title: 'Scheduled', date: '2090-01-01' })
  const pending = await post('events', { ...at('2027-04-03'), title: 'Pending' }, 'contributor')
  await db.query(
    `INSERT INTO review_notes (kind, object_id, note, user_id, at_utc) VALUES ('event', ?, 'When?', 2, '2026-11-20 12:00:00')`,
    pending.id,
  )
  await post('events', { ...at('2027-04-04'), title: 'Canceled', event_status: 'canceled' })
  await post('events', {
    ...at('2027-04-04'),
    title: 'Online',
    is_virtual: true,
    virtual_url: 'https://meet.example/1',
    virtual_event_type: 'virtual',
  })
  const own = await post('events', { ...at('2027-04-05'), title: 'Handed over' }, 'author')
  await patch(`events/${own.id}`, { author: 6, title: 'Handed over!' })
  const gone = await post('events', { ...at('2027-04-06'), title: 'Gone', venue: barn.id })
  await patch(`events/${gone.id}`, { status: 'trash' })
  const deleted = await post('events', { ...at('2027-04-07'), title: 'Deleted' })
  await call('DELETE', `events/${deleted.id}?force=true`)
  await call('DELETE', `venues/${shed.id}`)

  const weekly = await post('events', {
    ...at('2027-01-05'),
    title: 'Yoga',
    // Longer than a statement to Cloudflare may be, once it is inlined.
    description: `Bring a <b>mat</b>${' and a friend'.repeat(3_000)}`,
    venue: barn.id,
    categories: ['Sport'],
    tags: ['weekly'],
    organizer: guild.id,
    post_parent: parent.id,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6', rdate: ['2027-03-01 18:00'], exdate: ['2027-02-02'] },
  })
  const { events } = await call('GET', `events?series=${weekly.series.id}&per_page=50&start_date=2020-01-01`)
  const date = (i: number) => `events/${events[i].id}`
  await patch(date(1), { title: 'Yoga outdoors', description: 'On the grass', ...at('2027-01-13') })
  await patch(date(2), { event_status: 'canceled' })
  await patch(date(3), { status: 'trash' })
  await call('DELETE', `${date(4)}?force=true`)
  await patch(date(5), { excerpt: 'The last but one' })
  const monthly = await post('events', { ...at('2027-02-05'), title: 'Market', recurrence: 'FREQ=MONTHLY' })
  await patch(`events/${monthly.id}`, { title: 'Farmers’ market', scope: 'all' })

  const hall = { venue: { venue: 'Town hall' } }
  await post('events', { ...at('2027-01-10'), title: 'Choir', ...hall })
  await post('events', { ...at('2027-01-11'), title: 'Brass band concert', ...hall })
  await post('sources', { name: 'Theatre', url: `${feed}/feed.ics`, every: '', status: 'publish' })
  await readSource(db)
  for (let i = 0; i < 10; i++)
    await findDuplicates({ db: new Database(db.d1), settings: SETTINGS, nowMs: Date.now() })

  await patch('settings', {
    name: 'Town of Kilkenny',
    events_per_page: 12,
    privacy: '/privacy/',
    imprint_text: 'Town Hall',
  })
  for (const { fill } of PARTS)
    await fill?.({ must: (_, path, json = {}) => post(path.slice(1), json), rows: sql => db.query(sql) })
  await db.query(
    "UPDATE users SET email = 'ada@town.example', notices = 'day', noticed_utc = '2026-11-20 12:00:00' WHERE id = 1",
  )
  for (const title of ['Flea market', 'Cheap watches']) {
    const json = { ...at('2027-05-01'), title, name: 'Ann', email: 'ann@home.example' }
    const { status } = await send(db, 'POST', 'submissions', { json })
    if (status !== 201) throw new Error(`submission: ${status}`)
  }
  const { submissions } = await call('GET', 'submissions')
  for (const [i, state] of ['published', 'spam'].entries())
    await patch(`submissions/${submissions[i].id}`, { state })
  // The cron notes decisions.
  const due = FEATURES.flatMap(({ expired }) => expired?.(Date.now()) ?? [])
  for (const rows of due) await changeDue(new Database(db.d1), rows, Date.now())
}
