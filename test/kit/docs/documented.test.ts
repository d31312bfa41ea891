import { beforeAll, expect, it } from 'vitest'
import { createApp, ROUTES } from '../../../src/app.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { type Answer, makeUser, SITE, send } from '../../factories.ts'
import { type ApiDocument, readDocument, undocumented } from './documented.ts'

let document: ApiDocument
let answer: Answer
const title = 'Documented'
const times = { start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }

beforeAll(async () => {
  const as = await makeUser('writer', 'editor')
  answer = await send('POST', '/events', { as, json: { title, ...times, venue: { venue: 'The Barn' } } })
  document = await readDocument()
})

it('the check passes a response that is as documented', () => {
  expect(undocumented(document, 'POST', '/events', answer)).toEqual([])
})

/** The answer with another body, which may be anything. */
const withBody = (body: object): Answer => ({ ...answer, body: body as Answer['body'] })

it.each<[string, () => Answer]>([
  ['a status', () => ({ ...answer, status: 202 })],
  ['a field', () => withBody({ ...answer.body, surprise: 1 })],
  ['an absent field', () => withBody((({ title: _, ...rest }) => rest)(answer.body))],
  ['a type', () => withBody({ ...answer.body, id: '1' })],
  ['a type inside', () => withBody({ ...answer.body, venue: { venue: 1 } })],
  ['a header', () => ({ ...answer, headers: new Headers([...answer.headers, ['x-surprise', '1']]) })],
  ['a content type', () => ({ ...answer, headers: new Headers({ 'content-type': 'text/plain' }) })],
])('the check notices %s that is not documented', (_, change) => {
  expect(undocumented(document, 'POST', '/events', change())).not.toEqual([])
})

it('the check passes a 304', async () => {
  const { headers } = await send('GET', '/events')
  const tag = headers.get('etag') ?? ''
  const unchanged = await send('GET', '/events', { headers: { 'if-none-match': tag } })
  expect(unchanged.status).toBe(304)
  expect(undocumented(document, 'GET', '/events', unchanged)).toEqual([])
})

it('the check notices an error code of another route', () => {
  const error = (code: string): Answer => ({
    ...withBody({ code, message: 'No.', data: { status: 404 } }),
    status: 404,
  })
  expect(undocumented(document, 'GET', '/events/1', error('rest-event-not-found'))).toEqual([])
  expect(undocumented(document, 'GET', '/events/1', error('rest-venue-not-found'))).not.toEqual([])
})

it('the check notices a route that is not documented', () => {
  expect(undocumented(document, 'GET', '/sponsors', answer)).not.toEqual([])
  expect(undocumented(document, 'POST', '/tags/1/rename', answer)).not.toEqual([])
})

it('the documents cover every route that is mounted, but for pages, agents, probes and the files of images', async () => {
  const mounted = createApp(settingsOf({ WEBSITE: 'off', MCP: 'off' })).routes.filter(
    ({ method, path }) =>
      !['ALL', 'OPTIONS'].includes(method) &&
      !['/healthz', '/readyz', '/media/:file', '/wp-json', '/wp-json/tec/v1'].includes(path) &&
      // The pages on which people leave news and their registrations are there without pages as well.
      !path.startsWith('/news/') &&
      !path.startsWith('/registrations/:token') &&
      // Where the document itself is, too.
      !path.endsWith('/openapi.json'),
  )
  const routesIn = ({ paths }: ApiDocument, base: string) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(method => `${method.toUpperCase()} ${base}${path.replace(/\/$/, '')}`),
    )
  const documented = [
    ...routesIn(document, '/calendar/events/v1'),
    ...routesIn(await readDocument(`${SITE}/wp-json/tec/v1/docs`), '/wp-json/tec/v1'),
  ]
  const addresses = mounted.map(
    ({ method, path }) =>
      `${method} ${path
        .replace(':id{[0-9]+\\.ics}', '{id}.ics')
        .replace(':slug{.+\\.ics}', '{slug}.ics')
        .replace(':token{[0-9a-f]+\\.ics}', '{token}.ics')
        .replace(':token{[0-9a-f]+}', '{token}')
        .replace(':id{[0-9]+}', '{id}')
        .replace(':delivery{[0-9]+}', '{delivery}')
        .replace(':slug', '{slug}')
        .replace(':external_id{[\\s\\S]+}', '{external_id}')}`,
  )
  expect([...new Set(addresses)].sort()).toEqual(documented.sort())
  expect(documented.length).toBeGreaterThan(ROUTES.length)
})

it.each([`${SITE}/calendar/events/v1/doc`, `${SITE}/wp-json/tec/v1/docs`])(
  'the defaults in %s have the types of their fields, as generated clients demand',
  async address => {
    const { body } = await send('GET', address, { headers: { accept: 'application/json' } })
    const wrong: string[] = []
    const visit = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null) return
      const { type, default: fallback } = Object(part)
      const types = [type].flat()
      const own = Array.isArray(fallback) ? 'array' : typeof fallback
      const fits = types.includes(own) || (own === 'number' && types.includes('integer'))
      // Among properties, one may be called `default`.
      if (typeof type === 'string' && own !== 'undefined' && own !== 'object' && !fits) wrong.push(path)
      for (const [name, inner] of Object.entries(part)) visit(inner, `${path}/${name}`)
    }
    visit(body, '')
    expect(wrong).toEqual([])
  },
)

it('objects in the document say which keys they have, as generated types of others take none', async () => {
  const { body } = await send('GET', `${SITE}/calendar/events/v1/doc`, {
    headers: { accept: 'application/json' },
  })
  const wrong: string[] = []
  const visit = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    const isOpen = 'properties' in part || 'additionalProperties' in part
    if ('type' in part && [part.type].flat().includes('object') && !isOpen) wrong.push(path)
    for (const [name, inner] of Object.entries(part)) visit(inner, `${path}/${name}`)
  }
  visit(body, '')
  expect(wrong).toEqual([])
})
