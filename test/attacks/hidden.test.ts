import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settingsOf } from '../../src/kit/settings.ts'
import { signIn } from '../editor/session.ts'
import { type Answer, type Person, query, SITE, send } from '../factories.ts'
import { PARTS } from '../features.ts'
import { openOutbox } from '../outbox.ts'
import { request } from '../request.ts'
import { by, everyRole } from './people.ts'
import { create, least } from './requests.ts'

// What a caller may not read does not exist to them: no filter, relation, total or ETag reveals it.

const STATES = ['draft', 'pending', 'private', 'future', 'trash'] as const
type State = (typeof STATES)[number]

/** One row of each kind in one state, with the rows that it is linked to. */
type Hidden = { event: number; venue: number; organizer: number; category: number; tag: number }

/** Ids begin here, so that none of them occurs in an answer by chance. */
const FIRST_ID = 700_001
const UNKNOWN = 799_999
/** What a published organizer hides. */
const CONTACT = { phone: '+353 5550147', email: 'secret@guild.example' }
const PLACE = { geo_lat: 61.123456, geo_lng: -31.654321 }

const people = everyRole()
const hidden = new Map<State, Hidden>()
const published = { event: 0, venue: 0, organizer: 0, category: 0, tag: 0, series: 0 }

const hiddenIn = (state: State): Hidden => {
  const found = hidden.get(state)
  if (!found) throw new Error(`nothing is ${state}`)
  return found
}

beforeAll(async () => {
  for (const table of ['events', 'venues', 'organizers', 'terms'])
    await query('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, FIRST_ID)
  for (const state of STATES) hidden.set(state, await hide(state))
  const venue = await create(people.author.as, 'venues', { venue: 'Open hall', geo_lat: 1.5, geo_lng: 1.5 })
  const event = await create(people.author.as, 'events', {
    ...least('events', 'Open'),
    venue: venue.id,
    organizer: { organizer: 'Open guild', ...CONTACT, hide_contact: true },
    categories: ['Open category'],
    tags: ['open tag'],
  })
  const weekly = { ...least('events', 'Open weekly'), recurrence: 'FREQ=WEEKLY;COUNT=2' }
  const { series } = await create(people.author.as, 'events', weekly)
  Object.assign(published, { event: event.id, venue: venue.id, organizer: event.organizer[0].id })
  Object.assign(published, { category: event.categories[0].id, tag: event.tags[0].id, series: series.id })
  for (const id of [event.id, ...[...hidden.values()].map(({ event }) => event)])
    for (const { ofEvent } of PARTS) await ofEvent?.({ rows: query }, id)
})

/** Makes an event, venue and organizer in a state, linked with each other and with published ones. */
async function hide(state: State): Promise<Hidden> {
  const as = people.author.as
  const status = state === 'future' ? { status: 'publish', date: '2027-01-01 00:00:00' } : { status: state }
  const secret = `Secret ${state}`
  const [venue, organizer, shown] = await Promise.all([
    create(as, 'venues', { venue: `${secret} hall`, ...PLACE, ...status }),
    create(as, 'organizers', { organizer: `${secret} guild`, email: 'secret@example.org', ...status }),
    create(as, 'venues', { venue: `Shown beside ${state}` }),
  ])
  const event = await create(as, 'events', {
    ...least('events', `${secret} event`),
    ...(state === 'trash' ? {} : status),
    venue: [shown.id, ...(state === 'trash' ? [] : [venue.id])],
    organizer: [{ organizer: `Shown guild beside ${state}`, status: 'publish' }],
    categories: [`Shown category ${state}`],
    tags: [`shown tag ${state}`],
  })
  if (state === 'trash') await send('DELETE', `/events/${event.id}`, { as })
  // A published event at the hidden venue, which must not betray it.
  await create(as, 'events', {
    ...least('events', `At a ${state} place`),
    ...(state !== 'trash' && { venue: venue.id, organizer: organizer.id }),
  })
  // That event has published its author's drafts, so they are hidden again.
  if (state !== 'trash')
    for (const path of [`/venues/${venue.id}`, `/organizers/${organizer.id}`])
      expect((await send('PATCH', path, { as, json: status })).status).toBe(200)
  const ids = { event: event.id, venue: venue.id, organizer: organizer.id }
  return { ...ids, category: event.categories[0].id, tag: event.tags[0].id }
}

/** Everything in an answer that may differ between two requests that differ in one id. */
const comparable = ({ status, headers, body }: Answer, id: number) => ({
  status,
  etag: headers.has('etag'),
  total: [
    headers.get('x-tec-total'),
    headers.get('x-wp-total'),
    headers.get('link')?.replaceAll(`${id}`, '#'),
  ],
  caching: headers.get('cache-control'),
  body: JSON.stringify(body).replaceAll(String(id), '#'),
})

const OUTSIDERS = ['anonymous', 'subscriber', 'contributor', 'another'] as const
const personOf = (name: (typeof OUTSIDERS)[number]): Person | undefined =>
  name === 'anonymous' ? undefined : people[name]

/** Addresses that name something by id. */
type NamedKind = 'event' | 'venue' | 'organizer'
const FILTERS: readonly [path: string, names: NamedKind][] = [
  ['/events?venue=#', 'venue'],
  ['/events?venue=#&status=publish', 'venue'],
  ['/events?venue[]=#&venue[]=PUBLISHED', 'venue'],
  ['/events?organizer=#', 'organizer'],
  ['/events?organizer=#&search=at', 'organizer'],
  ['/events?post_parent=#', 'event'],
  ['/events?include=#', 'event'],
  ['/events?include=#&per_page=1', 'event'],
  ['/venues?event=#', 'event'],
  ['/venues?event=#&has_events=false', 'event'],
  ['/organizers?event=#', 'event'],
  ['/organizers?event=#&only_with_upcoming=true', 'event'],
  ['/categories?event=#&per_page=1', 'event'],
  ['/categories?event=#&hide_empty=0', 'event'],
  ['/categories?post=#&hide_empty=0', 'event'],
  ['/tags?event=#&per_page=1', 'event'],
  ['/tags?event=#&hide_empty=0', 'event'],
  ['/tags?post=#&hide_empty=0', 'event'],
]

/** Two states: another outsider and the next attempt meet others, so that each attempt meets all of them. */
const statesOf = (name: (typeof OUTSIDERS)[number], attempt: number): State[] =>
  STATES.filter((_, i) => (i + attempt + OUTSIDERS.indexOf(name)) % STATES.length < 2)

const LINKS: readonly [field: string, names: NamedKind, value: (id: number) => unknown][] = [
  ['venue', 'venue', id => id],
  ['venue', 'venue', id => [{ id }]],
  ['venue', 'venue', id => `${published.venue},${id}`],
  ['organizer', 'organizer', id => String(id)],
  ['organizer', 'organizer', id => [{ id: String(id) }, { organizer: 'Known guild' }]],
  ['post_parent', 'event', id => id],
]

describe.each(OUTSIDERS)('to %s', name => {
  it('no filter distinguishes hidden from unknown content', async () => {
    for (const [attempt, [path, names]] of FILTERS.entries()) {
      const at = (id: number) => path.replace('#', String(id)).replace('PUBLISHED', String(published.venue))
      const unknown = await send('GET', at(UNKNOWN), by(personOf(name)))
      for (const state of statesOf(name, attempt)) {
        const id = hiddenIn(state)[names]
        const known = await send('GET', at(id), by(personOf(name)))
        expect(comparable(known, id), `${state} ${path}`).toEqual(comparable(unknown, UNKNOWN))
      }
    }
  })

  it('no filter finds a published event by the place of a hidden venue', async () => {
    const read = (query: string) => send('GET', `/events?per_page=100&${query}`, by(personOf(name)))
    const { geo_lat, geo_lng } = PLACE
    const near = await read(`geoloc_lat=${geo_lat}&geoloc_lng=${geo_lng}&geoloc_radius=20000&search=place`)
    expect(near.body.total).toBe(0)
    const placed = await read('geoloc=true')
    const unplaced = await read('geoloc=false')
    expect(placed.body.events).toMatchObject([{ id: published.event }])
    expect(unplaced.body.total).toBeGreaterThanOrEqual(STATES.length)
    // Nor by its name or address, its organizer's name, or the terms of hidden events.
    for (const words of ['secret', 'secret+place', 'place+secret', 'category+draft'])
      expect(await read(`search=${words}&search_in=all`), words).toMatchObject({ body: { total: 0 } })
    const every = await read('search=place')
    expect(every.body.total).toBe(STATES.length)
    for (const event of every.body.events) {
      expect(event).toMatchObject({ venue: [], organizer: [] })
      const single = await send('GET', `/events/${event.id}`, by(personOf(name)))
      expect(JSON.stringify(single.body)).not.toMatch(/Secret|61\.12|secret@/)
    }
  })

  it('neither counts nor filters of venues, organizers and terms reveal hidden events', async () => {
    const read = (path: string) => send('GET', path, by(personOf(name)))
    // What is in the trash was public, and its terms were, which subscriptions name.
    for (const state of STATES.filter(state => state !== 'trash')) {
      const { category, tag } = hiddenIn(state)
      for (const path of [`/categories/${category}`, `/tags/${tag}`])
        expect(await read(path), path).toMatchObject({ status: 404 })
      for (const name of ['include', 'exclude'])
        for (const [plural, id] of [
          ['categories', category],
          ['tags', tag],
        ] as const) {
          const unknown = await read(`/${plural}?${name}=9999999`)
          const hidden = await read(`/${plural}?${name}=${id}`)
          expect([hidden.status, hidden.text], plural).toEqual([
            400,
            unknown.text.replaceAll('9999999', String(id)),
          ])
        }
      expect(await read(`/events?categories=${category}`)).toMatchObject({ status: 400 })
    }
    for (const plural of ['venues', 'organizers']) {
      const beside = (filter: string) => read(`/${plural}?search=beside&${filter}`)
      expect(await beside('has_events=true'), plural).toMatchObject({ body: { total: 0 } })
      expect(await beside('only_with_upcoming=true'), plural).toMatchObject({ body: { total: 0 } })
      expect(await beside('has_events=false'), plural).toMatchObject({ body: { total: STATES.length } })
      expect(await read(`/${plural}?search=secret`), plural).toMatchObject({ body: { total: 0 } })
    }
    expect(await read('/events?search=secret')).toMatchObject({ body: { total: 0 } })
  })

  it.each(STATES)('a refused read of content in the status %s has no tag and no content', async state => {
    const { event, venue, organizer } = hiddenIn(state)
    for (const path of [`/events/${event}`, `/venues/${venue}`, `/organizers/${organizer}`]) {
      const { status, headers, body } = await send('GET', path, by(personOf(name)))
      expect({ status, etag: headers.get('etag'), lastModified: headers.get('last-modified') }, path).toEqual(
        { status: 403, etag: null, lastModified: null },
      )
      expect(Object.keys(body).sort(), path).toEqual(['code', 'data', 'message'])
      expect(JSON.stringify(body), path).not.toMatch(/Secret|secret/)
    }
  })
})

// The other outsiders may not write events, so that all responses to them are the same (order.test.ts).
describe.each(['another', 'contributor'] as const)('to %s', name => {
  const link = (method: string, path: string, json: object) =>
    send(method, path, { ...by(people[name]), json })

  it('no field links a new event to hidden content, or distinguishes that from unknown content', async () => {
    for (const [attempt, [field, names, value]] of LINKS.entries()) {
      const create = (id: number) =>
        link('POST', '/events', { ...least('events', 'Probe'), [field]: value(id) })
      const unknown = comparable(await create(UNKNOWN), UNKNOWN)
      for (const state of statesOf(name, attempt)) {
        const id = hiddenIn(state)[names]
        expect(comparable(await create(id), id), `${field} ${state}`).toEqual(unknown)
      }
    }
  })

  it('no update links a hidden venue or organizer, whatever the route', async () => {
    const draft = { ...least('events', 'Probe of an outsider'), status: 'draft' }
    const event = await create(people[name].as, 'events', draft)
    const routes = [
      ['POST', `/events/${event.id}`],
      ['PUT', `/events/${event.id}`],
      ['PATCH', `/events/by-slug/${event.slug}`],
    ] as const
    for (const field of ['venue', 'organizer'] as const)
      for (const [turn, [method, path]] of routes.entries()) {
        const unknown = comparable(await link(method, path, { [field]: [UNKNOWN] }), UNKNOWN)
        for (const state of STATES.filter((_, i) => i % routes.length === turn)) {
          const id = hiddenIn(state)[field]
          expect(comparable(await link(method, path, { [field]: [id] }), id), `${state} ${method}`).toEqual(
            unknown,
          )
        }
      }
  })
})

// What the trash has was public, and subscribers read in feeds that it is cancelled.
const SECRET = /Secret (?:draft|pending|private|future)|secret@|5550147|61\.12/

const DAY = '2027-01-10'
/** Outputs with parameters that show more, and those of single events. */
const OUTPUTS = [
  ...['events.ics?expand=true', 'events.geojson?bbox=-32,61,-31,62'],
  ...['events/digest.html?days=60', 'events/digest.txt?days=60'],
  ...['events/changes?limit=500', 'venues/changes?limit=500', 'organizers/changes?limit=500'],
  ...['events?place=hall', `events?happening=${DAY}`],
  ...STATES.map(state => `events/by-slug/at-a-${state}-place.ics`),
].map(output => `/calendar/events/v1/${output}`)
const PAGES = ['/embed?view=list', ...STATES.map(state => `/event/at-a-${state}-place/`)]

/** Every route that there can be: with submissions, and with those of WordPress. */
const VARS = { SUBMISSIONS: 'on', CORE_PREFIX: 'wp-json' }
// Visitors sign up and register only where e-mails can be sent.
const OUTBOX = openOutbox({
  IMPRINT_URL: 'https://town.example/imprint',
  PRIVACY_URL: 'https://town.example/privacy',
})
const APP = createApp(settingsOf(VARS))

/**
 * The paths of routes that respond to GET, as Hono has them. The editor shows strangers nothing but its
 * sign-in.
 */
const READS = new Set(
  APP.routes
    .filter(({ method, path }) => method === 'GET' && !path.startsWith('/admin'))
    .map(({ path }) => path),
)

const NO_TOKEN = '0'.repeat(32)
/** Routes of what nobody has made here. */
const ABSENT = /:token|:external_id|\/media\//

/** Values for the variables of a route's path. A new variable needs one. */
const valuesFor = (route: string): Readonly<Record<string, readonly (string | number)[]>> => {
  const [, plural = ''] = /\/(?:tribe_)?(\w+)\/:id\b/.exec(route) ?? []
  const ids = Object.entries(published).filter(([singular]) => plural.startsWith(singular.slice(0, -1)))
  return {
    id: [...(ids.length > 0 ? ids.map(([, id]) => id) : [published.event, hiddenIn('draft').event]), 1],
    slug: ['open', 'open-hall', 'open-guild', 'open-tag'],
    external_id: ['unknown'],
    event: [published.event],
    token: [NO_TOKEN, `${NO_TOKEN}-${published.event}`, `1-${NO_TOKEN}`],
    name: [DAY, DAY.slice(0, 7), '2027-W01'],
    base: ['open-weekly'],
    date: [DAY],
    path: ['open-category', 'open-tag'],
    tail: ['list', 'feed'],
    file: ['sitemap-events-1.xml', 'site.css', 'poster.jpg'],
  }
}

/** Addresses of a route. */
function addressesOf(route: string): string[] {
  const values = valuesFor(route)
  const filled = (path: string): string[] => {
    const [whole, name = '', pattern = ''] = /:(\w+)(?:\{((?:[^{}]|\{[^}]*\})*)\})?/.exec(path) ?? []
    if (whole === undefined) return [path]
    const [, ending = ''] = /\\(\.ics)$/.exec(pattern) ?? []
    return (values[name] ?? []).flatMap(value => filled(path.replace(whole, `${value}${ending}`)))
  }
  const isOfRoute = (address: string) =>
    APP.router.match('GET', address)[0].some(([[, { path }]]) => path === route)
  return filled(route).filter(isOfRoute)
}

describe('no output shows what is hidden', () => {
  // Feeds and pages that are still to come are among them.
  it.each([...READS])('to anybody, at the addresses of %s', async route => {
    const statuses: number[] = []
    for (const address of addressesOf(route)) {
      const query = address === '/submit/find' ? '?field=venue&search=hall' : ''
      const response = await request(SITE + address + query, {}, { ...env, ...VARS, ...OUTBOX.bindings })
      statuses.push(response.status)
      expect(await response.text(), address).not.toMatch(SECRET)
    }
    const isRead = statuses.some(status => status < 400 || status === 401)
    expect([statuses, isRead]).toEqual([[expect.any(Number), ...statuses.slice(1)], !ABSENT.test(route)])
  })

  it.each([...OUTPUTS, ...PAGES])('to anybody: %s', async path => {
    const response = await request(SITE + path, {}, { ...env, SUBMISSIONS: 'on' })
    expect([response.status, await response.text()]).toEqual([200, expect.not.stringMatching(SECRET)])
  })

  it.each(['contributor', 'author'] as const)('to another %s in the editor', async role => {
    const { browser } = await signIn(role)
    for (const path of [
      ...['venue', 'organizer', 'tags', 'post_parent'].map(field => `find/?field=${field}&search=secret`),
      ...[
        'find/?field=venue',
        'find/?field=organizer',
        'events/?view=hidden',
        'venues/',
        'history/',
        'trash/',
      ],
      ...STATES.map(state => `events/new/?part_of=${hiddenIn(state).event}`),
    ]) {
      const { status, html } = await browser.get(`/admin/${path}`)
      expect([status, html], path).toEqual([200, expect.not.stringMatching(SECRET)])
    }
  })
})

describe('a hidden venue', () => {
  it('cannot be found by circles on the map', async () => {
    const { geo_lat, geo_lng } = PLACE
    const { body } = await send('GET', '/events?search=private+place')
    const event = body.events[0].id
    // Each reaches the place.
    for (const [lat, lng, radius] of [
      [-61, 148, 20_038],
      [90, 0, 10_000],
      [60, -30, 1_000],
      [geo_lat, geo_lng, 0.1],
    ]) {
      const query = `include=${event}&geoloc_lat=${lat}&geoloc_lng=${lng}&geoloc_radius=${radius}`
      expect(await send('GET', `/events?${query}`), query).toMatchObject({ body: { total: 0 } })
    }
  })
})

describe.each([
  ['administrator', ['private']],
  ['editor', ['draft', 'future']],
  ['author', ['draft', 'pending', 'private', 'future']],
] as const)('to the %s, who may read it', (name, states) => {
  it.each<State>(states)('content in the status %s is found by every filter', async state => {
    const { event, venue, organizer } = hiddenIn(state)
    const read = (path: string) => send('GET', path, by(people[name]))
    expect((await read(`/events?venue=${venue}&search=${state}`)).body.total, 'venue').toBe(2)
    expect((await read(`/events?organizer=${organizer}&search=${state}`)).body.total, 'organizer').toBe(1)
    expect((await read(`/events?include=${event}`)).body.total, 'include').toBe(1)
    expect((await read(`/events?post_parent=${event}`)).status, 'post_parent').toBe(200)
    expect((await read(`/tags?event=${event}&hide_empty=0`)).body.total, 'tags').toBe(1)
    expect((await read(`/categories?post=${event}&hide_empty=0`)).body.total, 'categories').toBe(1)
    expect((await read(`/venues?event=${event}`)).body.total, 'venues').toBe(2)
    const { geo_lat, geo_lng } = PLACE
    const near = await read(`/events?geoloc_lat=${geo_lat}&geoloc_lng=${geo_lng}&search=${state}`)
    expect(near.body.total, 'near').toBe(2)
  })
})

describe('an entity tag', () => {
  const LISTS = ['/events', '/venues', '/organizers', '/categories?hide_empty=0', '/tags?hide_empty=0']

  it.each(OUTSIDERS)(
    'of %s does not change, nor does any date, with what others do in secret',
    async name => {
      const state = async (path: string) => {
        const { headers } = await send('GET', path, by(personOf(name)))
        return [path, headers.get('etag'), headers.get('last-modified')]
      }
      const all = () => Promise.all([...LISTS, `/events/${published.event}`].map(state))
      const as = people.administrator.as
      const before = await all()
      const secret = { venue: { venue: `Secret of ${name}`, status: 'private' } }
      const { id } = await create(as, 'events', { ...least('events', 'Draft'), status: 'draft', ...secret })
      expect(await all()).toEqual(before)
      await send('PATCH', `/events/${id}`, { as, json: { title: 'Changed', organizer: [] } })
      await send('PATCH', `/venues/${hiddenIn('private').venue}`, { as, json: { city: 'Nowhere' } })
      expect(await all()).toEqual(before)
      await send('DELETE', `/events/${id}`, { as })
      await send('DELETE', `/events/${id}?force=1`, { as })
      expect(await all()).toEqual(before)
    },
  )
})
