import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { beginAtNoon } from '../../../clock.ts'
import { listen } from '../../../listen.ts'
import { type Calendar, openCalendar } from '../../../node-calendar.ts'

// Addresses looked up at a geocoder on this machine, which responds as it likes.

type Respond = (request: IncomingMessage, response: ServerResponse) => void

const ADDRESS = { address: '1 Lane', zip: 'K1', city: 'Kent', country: 'Ireland' }

let calendar: Calendar
let close: () => Promise<void>
let host: string
let respond: Respond = () => {}
let asked: IncomingMessage[] = []

beginAtNoon()
beforeAll(async () => {
  const server = await listen(() => (request, response) => {
    asked.push(request)
    respond(request, response)
  })
  close = server.close
  host = new URL(server.address).host
  calendar = await openCalendar(undefined, undefined, {
    GEOCODER: `${server.address}/search?key=secret`,
    LANGUAGE: 'de',
  })
  await calendar.setUp()
})
afterAll(async () => {
  await close()
  await calendar.stop()
})
let minute = 0
beforeEach(() => {
  vi.setSystemTime(Date.parse('2026-11-20T13:00:00Z') + ++minute * 60_000)
  asked = []
})

const text =
  (body: string, status = 200, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
const place = (fields: object = {}) => ({
  display_name: 'Barn, Kent',
  lat: '53.2707',
  lon: '-9.0568',
  ...fields,
})
const places = (...list: unknown[]): Respond => text(JSON.stringify(list))
const locate = (fields: object = ADDRESS) => calendar.send('POST', '/venues/locate', fields)
const candidate = (name: string, geo_lat = 53.2707, geo_lng = -9.0568) => ({ name, geo_lat, geo_lng })

it('a look-up asks once, for the whole address, says who asks, and writes no venue', async () => {
  respond = places(place(), place({ display_name: 'Barn, Cork', lat: 51.9, lon: -8.47 }))
  expect(await locate({ ...ADDRESS, stateprovince: 'Connacht' })).toEqual({
    status: 200,
    body: {
      candidates: [candidate('Barn, Kent'), candidate('Barn, Cork', 51.9, -8.47)],
      attribution: '© OpenStreetMap contributors',
    },
  })
  const [request] = asked
  expect(asked).toHaveLength(1)
  expect(Object.fromEntries(new URL(request?.url ?? '', 'http://a').searchParams)).toEqual({
    key: 'secret',
    q: '1 Lane, K1 Kent, Connacht, Ireland',
    format: 'jsonv2',
    limit: '3',
  })
  expect(request?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^event-calendar\/[\d.]+ \(https:\/\/town\.example\)$/),
    'accept-language': 'de',
  })
  expect(request?.headers).not.toHaveProperty('authorization')
  expect(await calendar.rows('SELECT count(*) AS n FROM venues')).toEqual([{ n: 0 }])
})

it.each<[string, Respond, object[]]>([
  ['nothing', places(), []],
  ['thousands', text(JSON.stringify(Array(1_000).fill(place()))), Array(3).fill(candidate('Barn, Kent'))],
  [
    'HTML',
    places(
      place({ display_name: '<img src=x onerror=alert(1)>Barn <b>& Sons' }),
      place({ display_name: 'a < b' }),
    ),
    [candidate('Barn & Sons'), candidate('a &lt; b')],
  ],
  ['long names', places(place({ display_name: 'x'.repeat(5_000) })), [candidate('x'.repeat(200))]],
  [
    'some that are nowhere',
    places(
      place({ lat: '91' }),
      place({ lon: 181 }),
      place({ lat: '1e1' }),
      place({ lat: null }),
      place({ lon: [1] }),
      place({ display_name: ' ' }),
      place({ display_name: 7 }),
      'text',
      null,
      place({ lat: '-0', lon: '180.0' }),
    ),
    [candidate('Barn, Kent', 0, 180)],
  ],
])('a look-up takes what is usable of %s', async (_, response, candidates) => {
  respond = response
  expect(await locate()).toMatchObject({ status: 200, body: { candidates } })
})

const slowly: Respond = (_, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write(' '), 500)
  response.on('close', () => clearInterval(timer))
}

it.each<[string, Respond, string]>([
  ['no JSON', text('<h1>Hello</h1>'), 'did not respond with a list of places'],
  [
    'no text',
    (_, response) => void response.end(Buffer.from([0xff, 0xfe, 0x00])),
    'did not respond with a list of places',
  ],
  ['an object', text('{"error": "no"}'), 'did not respond with a list of places'],
  ['only places that are nowhere', places(place({ lat: 'north' })), 'did not respond with a list of places'],
  ['more than 64 KB', text(JSON.stringify(Array(70_000).fill(1))), 'responded with more than 64 KB'],
  [
    'without an end',
    (_, response) => {
      response.writeHead(200)
      const more = () => response.writable && response.write('['.repeat(10_000), () => setImmediate(more))
      more()
    },
    'responded with more than 64 KB',
  ],
  ['too many requests', text('[]', 429, { 'retry-after': '60' }), 'responded with HTTP 429'],
  ['an error', text('[]', 500), 'responded with HTTP 500'],
  [
    'a redirect',
    (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    'responded with HTTP 302',
  ],
  ['a broken connection', (_, response) => void response.destroy(), 'could not be reached'],
  ['a letter at a time', slowly, 'took longer than 5 seconds'],
])('%s is an error that names the geocoder, but not its key', async (_, response, reason) => {
  respond = response
  const { status, body } = await locate()
  expect({ status, code: body.code, message: body.message }).toEqual({
    status: 502,
    code: 'rest_geocoder_failed',
    message: `${host} ${reason}. Try again later, or enter the coordinates by hand.`,
  })
  expect(asked).toHaveLength(1)
})

describe('the geocoder is not asked', () => {
  it.each([{}, { country: 'Ireland' }, { address: ' ', city: '' }, { address: 'x'.repeat(1_001) }])(
    'for %j',
    async fields => {
      expect(await locate(fields)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: { address: expect.any(String) } } },
      })
      expect(asked).toEqual([])
    },
  )

  it('twice within a second, whoever asks', async () => {
    respond = places(place())
    const both = await Promise.all([locate(), locate()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429])
    vi.setSystemTime(Date.now() + 1_000)
    expect(await locate()).toMatchObject({ status: 429, body: { code: 'rest_too_many_requests' } })
    expect(asked).toHaveLength(1)
    vi.setSystemTime(Date.now() + 1_000)
    expect(await locate()).toMatchObject({ status: 200 })
  })
})
