import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeEvent, makeVenue, send } from '../../factories.ts'

const admin = declareUser('administrator', 'admin')
const ids: Record<string, number> = {}

type Feature = {
  type: string
  id: number
  geometry: { type: string; coordinates: unknown }
  properties: Record<string, unknown>
}
type Read = { status: number; headers: Headers; json: Record<string, unknown>; features: Feature[] }

async function read(path: string, headers: Record<string, string> = {}): Promise<Read> {
  const { status, text, headers: got } = await send('GET', path, { headers })
  const json = JSON.parse(text)
  return { status, headers: got, json, features: json.features ?? [] }
}

const titles = ({ features }: Read) => features.map(({ properties }) => properties.title)
const map = (query: string) => read(`/events.geojson?per_page=50&${query}`)

beforeAll(async () => {
  const at = async (title: string, geo: object | undefined, more: object = {}) => {
    const venue = geo ? { venue: { venue: `Hall of ${title}`, ...geo } } : {}
    ids[title] = (await makeEvent(admin, { title, ...venue, ...more })).id
  }
  await at('Galway', { geo_lat: 53.27, geo_lng: -9.05, city: 'Galway' }, { categories: ['Music'] })
  await at('Athenry', { geo_lat: 53.3, geo_lng: -8.74 })
  await at('Fiji east', { geo_lat: -17, geo_lng: 179.9 })
  await at('Samoa', { geo_lat: -13.8, geo_lng: -172.1 })
  await at('Date line', { geo_lat: 10, geo_lng: 180 })
  await at('Somewhere', {})
  await at('Online', undefined)
  const { id: hidden } = await makeVenue(admin, 'Secret', { geo_lat: 53.2, geo_lng: -9, status: 'private' })
  ids.secret = hidden
  await at('Secret', undefined, { venue: hidden })
  const one = await makeVenue(admin, 'Left', { geo_lat: 40, geo_lng: 10 })
  const two = await makeVenue(admin, 'Right', { geo_lat: 41, geo_lng: 11 })
  await at('Both', undefined, { venue: [one.id, two.id, hidden] })
})

describe('events.geojson', () => {
  it('is a FeatureCollection of the events that have a place', async () => {
    const { status, headers, json, features } = await map('')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/geo+json'])
    expect(json.type).toBe('FeatureCollection')
    expect(features.map(({ properties: { title } }) => title).sort()).toEqual(
      ['Athenry', 'Both', 'Date line', 'Fiji east', 'Galway', 'Samoa'].sort(),
    )
    expect(json.total).toBe(6)
    const galway = features.find(({ id }) => id === ids.Galway)
    expect(galway).toMatchObject({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-9.05, 53.27] },
      properties: {
        id: ids.Galway,
        title: 'Galway',
        start_date: '2027-01-10 10:00:00',
        url: 'https://calendar.example/event/galway/',
        venue: { venue: 'Hall of Galway', city: 'Galway' },
        categories: [{ name: 'Music', slug: 'music' }],
      },
    })
    expect(galway?.properties).not.toHaveProperty('description')
  })

  it('gives an event at several venues all places that the caller may read', async () => {
    const { features, json } = await map(`include=${ids.Both}`)
    expect(features[0]?.geometry).toEqual({
      type: 'MultiPoint',
      coordinates: [
        [10, 40],
        [11, 41],
      ],
    })
    expect(json.bbox).toEqual([10, 40, 11, 41])
  })

  it('has no place of a venue that the caller may not read', async () => {
    expect(titles(await map('bbox=-9.01,53.1,-8.9,53.25'))).toEqual([])
    expect((await map(`include=${ids.Secret}`)).features).toEqual([])
    const mine = await read(`/events.geojson?include=${ids.Secret}`, { authorization: admin })
    expect(mine.features[0]?.geometry.coordinates).toEqual([-9, 53.2])
  })

  it('has the box around what it shows, and none around nothing', async () => {
    expect((await map('bbox=-10,53,-8,54')).json.bbox).toEqual([-9.05, 53.27, -8.74, 53.3])
    const { json } = await map('bbox=0,0,1,1')
    expect(json).toMatchObject({ features: [], total: 0 })
    expect(json).not.toHaveProperty('bbox')
  })

  it('is paged as the list, with links to itself', async () => {
    const seen: unknown[] = []
    let next: unknown = '/events.geojson?per_page=4&orderby=title'
    let pages = 0
    for (; typeof next === 'string'; pages++) {
      const page = await read(next)
      expect(page.headers.get('x-tec-total')).toBe('6')
      expect(page.headers.get('x-wp-totalpages')).toBe('2')
      if (page.json.next_rest_url)
        expect(page.headers.get('link')).toContain(`<${page.json.next_rest_url}>; rel="next"`)
      seen.push(...titles(page))
      next = page.json.next_rest_url
      if (typeof next === 'string') expect(next).toContain('/events.geojson?')
    }
    expect([pages, seen]).toEqual([2, ['Athenry', 'Both', 'Date line', 'Fiji east', 'Galway', 'Samoa']])
    const beyond = await read('/events.geojson?page=9')
    expect([beyond.status, beyond.json.code]).toEqual([404, 'event-archive-page-not-found'])
  })

  it('takes every filter of the list, and its errors', async () => {
    expect(titles(await map('categories=music'))).toEqual(['Galway'])
    expect(titles(await map('search=athen'))).toEqual(['Athenry'])
    expect(titles(await map('geoloc=false'))).toEqual([])
    expect(titles(await map('geoloc_lat=53.27&geoloc_lng=-9.05&geoloc_radius=5'))).toEqual(['Galway'])
    expect(titles(await map('start_date=2028-01-01'))).toEqual([])
    const { status, json, headers } = await map('venue=99&bbox=1&status=draft&geoloc_lat=3')
    expect([status, headers.get('content-type')]).toEqual([400, 'application/json'])
    expect(Object.keys(Object(json.data).params).sort()).toEqual(['bbox', 'geoloc_lat', 'status', 'venue'])
  })

  it('has the fields that the client asks for', async () => {
    const { features } = await map('categories=music&_fields=title,venue.geo_lat')
    expect(features[0]).toEqual({
      type: 'Feature',
      id: ids.Galway,
      geometry: { type: 'Point', coordinates: [-9.05, 53.27] },
      properties: { title: 'Galway', venue: { geo_lat: 53.27 } },
    })
  })
})

describe('bbox', () => {
  const namesIn = async (plural: string, bbox: string) => {
    const { body } = await send('GET', `/${plural}?per_page=50&bbox=${bbox}`)
    return body[plural].map((item: Record<string, string>) => item.title ?? item.venue).sort()
  }

  const expectRefused = async (path: string, bbox: string) => {
    const { status, text } = await send('GET', `${path}?bbox=${encodeURIComponent(bbox)}`)
    expect(status).toBe(400)
    expect(JSON.parse(text).data.params.bbox).toMatch(/west,south,east,north/)
  }

  it('filters events and venues', async () => {
    expect(await namesIn('events', '-9.1,53.2,-9,53.275')).toEqual(['Galway'])
    expect(await namesIn('venues', '-9.1,53.2,-9,53.275')).toEqual(['Hall of Galway'])
    expect(await namesIn('venues', '-9.1,53.1,-8.9,53.25')).toEqual([])
  })

  it('has its borders', async () => {
    expect(await namesIn('events', '-9.05,53.27,-8.74,53.3')).toEqual(['Athenry', 'Galway'])
    expect(await namesIn('events', '-9.04,53.27,-8.75,53.3')).toEqual([])
    expect(await namesIn('events', '-9.05,53.27,-9.05,53.27')).toEqual(['Galway'])
  })

  it('crosses the date line where it begins east of its end', async () => {
    expect(await namesIn('events', '170,-20,-170,0')).toEqual(['Fiji east', 'Samoa'])
    expect(await namesIn('events', '-170,-20,170,0')).toEqual([])
    expect(await namesIn('venues', '180,0,-180,20')).toEqual(['Hall of Date line'])
    // Which has two names.
    expect(await namesIn('events', '-180,0,-170,20')).toEqual(['Date line'])
    expect(await namesIn('events', '-180,-90,180,90')).toHaveLength(6)
  })

  it.each(['a[]=-10&a[]=53&a[]=-8&a[]=54', 'a=-10&a=53&a=-8&a=54', 'a=%20-10%20,53,-8,54'])(
    'is taken as %s',
    async query => {
      const { body } = await send('GET', `/events?per_page=1&${query.replaceAll('a', 'bbox')}`)
      expect(body.total).toBe(2)
    },
  )

  it.each([
    '',
    '1',
    '1,2,3',
    '1,2,3,4,5',
    '1,2,3,4,5,6',
    'a,b,c,d',
    '1,2,3,',
    ',,,',
    '-181,0,0,1',
    '0,0,181,1',
    '0,-91,1,1',
    '0,0,1,91',
    '0,2,1,1',
    'NaN,0,1,1',
    '1e1,0,11,1',
    'Infinity,0,1,1',
    '0x1,0,2,2',
    '1;2;3;4',
    "1,2,3,4'--",
  ])('%j is refused by name', bbox => expectRefused('/events', bbox))

  it.each(['/events.geojson', '/venues', '/events.ics', '/events/changes', '/venues/changes'])(
    'is refused by name where %s is asked for',
    path => expectRefused(path, '0,2,1,1'),
  )

  it('means nothing to organizers', async () => {
    const { status, headers } = await send('GET', '/organizers?bbox=1,2,3,4')
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'bbox'])
  })

  it('filters copies and feeds', async () => {
    const copied = await send('GET', '/events/changes?bbox=-10,53,-8,54')
    expect(copied.body.events.map(({ title }: { title: string }) => title).sort()).toEqual([
      'Athenry',
      'Galway',
    ])
    const venues = await send('GET', '/venues/changes?bbox=-10,53,-8,54')
    expect(venues.body.venues).toHaveLength(2)
    const calendar = await send('GET', '/events.ics?bbox=-10,53,-8,54')
    expect(calendar.text.match(/^SUMMARY:.*/gm)?.sort()).toEqual(['SUMMARY:Athenry', 'SUMMARY:Galway'])
  })
})
