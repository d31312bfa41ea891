import { beforeAll, describe, expect, it } from 'vitest'
import { API, declareUser, makeEvent, SITE, send, WHEN } from '../../factories.ts'

const as = declareUser('administrator', 'admin')
let id = 0
beforeAll(async () => {
  id = (await makeEvent(as, { title: 'Jazz night' })).id
  await makeEvent(as, {
    title: 'All',
    recurrence: { rrule: 'FREQ=DAILY;COUNT=2' },
    venue: { venue: 'Hall', geo_lat: 1, geo_lng: 2, image: 'https://images.example/1.png' },
    organizer: { organizer: 'Guild', email: 'guild@example.org' },
    categories: ['Music'],
    tags: ['jazz'],
    image: { url: 'https://images.example/2.png', width: 4, height: 3 },
    cost: '10',
    custom_fields: { band: { label: 'Band', value: 'Big' } },
  })
})

describe('an address without a route', () => {
  it.each([
    ['/events/jazz-night', '/events/by-slug/jazz-night'],
    ['/event/jazz-night/', '/events/by-slug/jazz-night'],
    ['/event/12', '/events/12'],
    ['/evnts', '/events'],
    ['/category/12', '/categories/12'],
    ['/tag', '/tags'],
    ['/event', '/events'],
    ['/organisers/by-slug/ada', '/organizers/by-slug/ada'],
    ['/event/12.ics', '/events/12.ics'],
    ['/events//', '/events'],
    ['/events//12/', '/events/12'],
  ])('gets the suggestion of one: %s', async (path, meant) => {
    const { status, body } = await send('GET', path)
    expect([status, body.code]).toEqual([404, 'rest_no_route'])
    expect(body.message).toMatch(new RegExp(` Did you mean ${meant.replaceAll('.', '\\.')}\\?$`))
  })

  it.each(['/nothing-here', '/nothing-here/12', '/events/12/12', `/event/${'x'.repeat(500)}`, '/'])(
    'that resembles none gets no suggestion: %s',
    async path => {
      const { body } = await send('PATCH', path)
      expect(body.message).not.toContain('Did you mean')
    },
  )

  it.each([
    ['DELETE', '/events', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/events/', 'GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/events/12.ics/', 'GET, HEAD, OPTIONS'],
    ['POST', '/events.ics', 'GET, HEAD, OPTIONS'],
    ['GET', '/batch', 'POST, OPTIONS'],
  ])('with another method gets a list of its methods: %s %s', async (method, path, allow) => {
    const { status, body, headers } = await send(method, path, { as })
    expect({ status, code: body.code, allow: headers.get('allow') }).toEqual({
      status: 404,
      code: 'rest_no_route',
      allow,
    })
    expect(body.message).toMatch(/^This address takes [A-Z, ]+\.$/)
  })
})

/** The paths of all fields in a value. */
const namesIn = (value: unknown, path = ''): string[] =>
  Array.isArray(value)
    ? value.flatMap(item => namesIn(item, path))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => [path + name, ...namesIn(inner, `${path}${name}.`)])
      : []

describe('unknown names', () => {
  const meant = async (path: string) => (await send('GET', path)).headers.get('x-did-you-mean')

  it.each([
    ['/events?limit=10', 'limit=per_page'],
    ['/events?perpage=10&Q=jazz&catgories=x', 'perpage=per_page, Q=search, catgories=categories'],
    ['/events?from=2027-01-01&to=2027-02-01', 'from=start_date, to=end_date'],
    ['/venues?from=2027-01-01&q=x', 'q=search'],
    ['/events?per%2Cpag=10', 'per%2Cpag=per_page'],
    ['/events?_locale=user&context=view&utm_source=x', null],
    ['/events?per_page=3', null],
  ])('get a suggestion: %s', async (path, names) => {
    expect(await meant(path)).toBe(names)
  })

  it.each([
    ['/events?_fields=id,titel,x', '_fields.titel, _fields.x', '_fields.titel=title'],
    ['/events?_fields=events.titel', '_fields.events.titel', '_fields.events.titel=events.title'],
    ['/events/by-slug/jazz-night?_fields=name', '_fields.name', '_fields.name=title'],
    ['/events.geojson?_fields=titel', '_fields.titel', '_fields.titel=title'],
    ['/events/changes?_fields=venue.citty', '_fields.venue.citty', '_fields.venue.citty=venue.city'],
    ['/venues?_fields=venu&limit=3', 'limit, _fields.venu', 'limit=per_page, _fields.venu=venue'],
    ['/events?_fields=title.rendered,quark', '_fields.title.rendered, _fields.quark', null],
  ])('among requested fields get a suggestion, too: %s', async (path, ignored, names) => {
    const { status, headers } = await send('GET', path)
    expect([status, headers.get('x-ignored-fields'), headers.get('x-did-you-mean')]).toEqual([
      200,
      ignored,
      names,
    ])
  })

  it.each([
    '/events?_fields=id,title,venue.venue,organizer.organizer,series,image.sizes.medium.url,json_ld.location',
    '/events?_fields=events.id,custom_fields.price_band.value,categories.urls.self,total,rest_url',
    '/events?_fields=',
    '/events/by-slug/jazz-night?_fields=cost_details.values,json_ld.offers.price,start_date_details.year',
    '/events.geojson?_fields=image.url,venue.geo_lat,venue.venue',
    '/events/changes?_fields=id,next,deleted',
    '?_fields=routes.whatever,namespace',
    '/doc?_fields=paths,info.title,openapi',
  ])('do not include requested fields that a response may have: %s', async path => {
    expect((await send('GET', path)).headers.get('x-ignored-fields')).toBe(null)
  })

  it.each([
    '/events/2',
    '/events?search=all',
    '/events/changes',
    '/events.geojson?per_page=100',
    '/venues/1',
    '/organizers/1',
    '/categories',
    '/tags',
    '/series/1',
    '/media',
    '/settings',
    '',
  ])('do not include any field that a response has: %s', async path => {
    const { status, body } = await send('GET', path, { as })
    const fields = Array.isArray(body.features) ? body.features[0].properties : body
    const query = `${path.includes('?') ? '&' : '?'}_fields=${[...new Set(namesIn(fields))].slice(0, 500)}`
    const { headers } = await send('GET', path + query, { as })
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, null])
  })

  it('are cut if they are too many for a header', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `search${'%2C'.repeat(30)}${'%3B'.repeat(i)}`)
    const { status, headers } = await send('GET', `/events?${names.join('=1&')}`)
    const length = headers.get('x-did-you-mean')?.length ?? 0
    expect({ status, isLong: length > 100, isCut: length <= 1_000 }).toEqual({
      status: 200,
      isLong: true,
      isCut: true,
    })
  })

  it('are compared with fields', async () => {
    const json = { title: 'E', ...WHEN, name: 'X', desciption: 'Y', category: 'Z' }
    const { status, headers } = await send('POST', '/events', { as, json })
    expect([status, headers.get('x-ignored-fields')]).toEqual([201, 'name, desciption, category'])
    expect(headers.get('x-did-you-mean')).toBe('name=title, desciption=description, category=categories')
  })

  it('get no suggestions if they are many and long', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `${'categori'.repeat(8)}${i}`)
    const { status, headers } = await send('GET', `/events?${names.join('=1&')}`)
    expect([status, (headers.get('x-did-you-mean') ?? '').length]).toEqual([200, 0])
  })

  it('are listed in a header of a thousand characters, with their commas', async () => {
    const long = Array.from({ length: 15 }, (_, i) => `x${i}`.padEnd(64, 'x'))
    const listed = async (last: string) => {
      const { headers } = await send('GET', `/events?${[...long, last].join('=1&')}`)
      return headers.get('x-ignored-fields')?.split(', ').length
    }
    expect([await listed('8_bytes.'), await listed('9_bytes..')]).toEqual([16, 15])
  })
})

describe('a list as a body', () => {
  it('gets a hint about the batch if fields are missing', async () => {
    const { status, body } = await send('POST', '/events', { as, json: [{ title: 'E', ...WHEN }] })
    expect([status, body.code]).toEqual([400, 'rest_missing_callback_param'])
    expect(body.message).toContain('POST /batch')
  })

  it('has its items listed as ignored', async () => {
    const { status, headers } = await send('PATCH', `/events/${id}`, { as, json: [{ title: 'E' }, 2] })
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, '0, 1'])
  })
})

it.each(['{"title":"E"}', 5, true])('the body %j, which has no fields, is listed as ignored', async json => {
  const { status, headers } = await send('PATCH', `/events/${id}`, { as, json })
  expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'body'])
})

describe('more items than a page may have', () => {
  const bindings = { MAX_PER_PAGE: '2' }

  it('are reduced to the limit, which a header and the links show', async () => {
    for (const title of ['Two', 'Three']) await makeEvent(as, { title })
    const { headers, body } = await send('GET', '/events?per_page=300', { bindings })
    const { events, next_rest_url, rest_url } = body
    expect([events.length, headers.get('x-per-page')]).toEqual([2, '2'])
    for (const address of [next_rest_url, rest_url])
      expect(new URL(address).searchParams.get('per_page')).toBe('2')
    const [, next] = headers.get('link')?.match(/<([^>]+)>; rel="next"/) ?? []
    expect(next).toBe(next_rest_url)
    // From this instance's memory.
    const again = await send('GET', '/events?per_page=300', { bindings })
    expect(again.headers.get('x-per-page')).toBe('2')
  })

  it.each(['/events?per_page=2', '/events', '/venues?per_page=1'])('are not reduced: %s', async path => {
    const { headers, body } = await send('GET', path, { bindings })
    expect(headers.has('x-per-page')).toBe(false)
    expect(new URL(body.rest_url).searchParams.get('per_page')).toBe(
      new URL(API + path).searchParams.get('per_page'),
    )
  })
})

describe('a period that ends before it starts', () => {
  it.each([
    '/events?start_date=2027-02-01&end_date=2027-01-01',
    '/events.ics?start_date=2027-02-01&end_date=2027-01-31+23:59',
    '/events?start_date=2027-02-01+12:00&end_date=2027-02-01+11:00&strict_dates=1',
    '/events?end_date=2020-01-01',
    '/events?starts_after=2027-02-01&starts_before=2027-01-01',
    '/events/changes?start_date=2027-02-01&end_date=2027-01-01',
    `${SITE}/wp-json/tec/v1/events?start_date=2027-02-01&end_date=2027-01-01`,
  ])('is empty: %s', async path => {
    const { status, body, text } = await send('GET', path)
    expect(status).toBe(200)
    const events = body.events ?? (text.startsWith('[') ? JSON.parse(text) : [])
    expect(events).toEqual([])
    expect(text).not.toContain('BEGIN:VEVENT')
  })
})
