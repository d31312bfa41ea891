import { describe, expect, it } from 'vitest'
import { API, SITE, send } from '../../factories.ts'
import { sendWith } from '../http/worker.ts'
import { readDocument } from './documented.ts'

const NS = 'calendar/events/v1'

type Arg = {
  required: boolean
  type?: string
  default?: unknown
  description: string
  items?: object
  enum?: string[]
}
type Path = {
  namespace: string
  methods: string[]
  endpoints: { methods: string[]; args: Record<string, Arg> }[]
  _links?: object
}

async function readIndex(): Promise<Record<string, Path>> {
  const { status, body } = await send('GET', '')
  expect(status).toBe(200)
  expect(body.namespace).toBe(NS)
  return body.routes as unknown as Record<string, Path>
}

describe('the index', () => {
  it('lists the paths of the document as patterns', async () => {
    const patterns: Record<string, string> = { slug: '[^/]+', external_id: '.+' }
    const documented = Object.keys((await readDocument()).paths).map(path =>
      path.replace(/\{(\w+)\}/g, (_, name) => `(?P<${name}>${patterns[name] ?? '\\d+'})`),
    )
    const listed = Object.keys(await readIndex()).map(path => path.replace(`/${NS}`, '') || '/')
    expect(listed).toEqual(documented)
    for (const path of ['/', '/events/(?P<id>\\d+)', '/venues/by-external-id/(?P<external_id>.+)'])
      expect(listed).toContain(path)
  })

  it('names the contract, as the document does', async () => {
    const [index, document] = await Promise.all([send('GET', ''), send('GET', '/doc')])
    const contract = /REST API v1 of The Events Calendar, a WordPress plugin .*Not affiliated/
    expect(index.body.description).toMatch(contract)
    expect(Object(document.body.info).description).toMatch(contract)
  })

  it('groups a path by methods', async () => {
    const path = (await readIndex())[`/${NS}/events/(?P<id>\\d+)`]
    expect(path?.namespace).toBe(NS)
    expect(path?.methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    expect(path?.endpoints.map(({ methods }) => methods)).toEqual([
      ['GET'],
      ['POST', 'PUT', 'PATCH'],
      ['DELETE'],
    ])
    expect(path).not.toHaveProperty('_links')
  })

  it('describes parameters as they are checked', async () => {
    const list = (await readIndex())[`/${NS}/events`]
    const args = list?.endpoints[0]?.args
    expect(args?.page).toEqual({
      required: false,
      type: 'integer',
      default: 1,
      description: expect.any(String),
    })
    expect(args?.per_page?.default).toBe(6)
    expect(args?.start_date?.default).toBe('2026-11-19 00:00:00')
    expect(args?.end_date?.default).toBe('2028-11-20 23:59:59')
    expect(args?.strict_dates?.default).toBe(false)
    expect(args?.venue?.items).toEqual({ type: 'integer', minimum: 1 })
    expect(args?.order?.enum).toEqual(['asc', 'desc'])
    expect(list?._links).toEqual({ self: [{ href: `${API}/events` }] })
  })

  it('requires what creating requires, and updating does not', async () => {
    const routes = await readIndex()
    const required = (path: string, endpoint: number) =>
      Object.entries(routes[`/${NS}${path}`]?.endpoints[endpoint]?.args ?? {})
        .filter(([, arg]) => arg.required)
        .map(([name]) => name)
    expect(required('/events', 1)).toEqual(['title', 'start_date', 'end_date'])
    expect(required('/events/(?P<id>\\d+)', 1)).toEqual(['id'])
    expect(required('/venues/by-slug/(?P<slug>[^/]+)', 0)).toEqual(['slug'])
  })

  it('gives defaults of fields where absent ones get them, which is not on updates', async () => {
    const routes = await readIndex()
    expect(routes[`/${NS}/events`]?.endpoints[1]?.args.all_day?.default).toBe(false)
    expect(routes[`/${NS}/events/(?P<id>\\d+)`]?.endpoints[1]?.args.all_day).not.toHaveProperty('default')
    expect(routes[`/${NS}/events/(?P<id>\\d+)`]?.endpoints[2]?.args.force?.default).toBe(false)
  })

  it('accepts its own parameters, and refuses other values of them', async () => {
    expect((await send('GET', `?namespace=${NS}&context=view`)).status).toBe(200)
    expect((await send('GET', '?context=embed')).status).toBe(200)
    const refused = await send('GET', '?namespace=other/v1&context=everything')
    expect(refused.status).toBe(400)
    expect(Object.keys(Object(refused.body.data).params)).toEqual(['context', 'namespace'])
  })
})

describe('the index under an alias and with settings', () => {
  const ask = sendWith({ NAMESPACE_ALIASES: 'old/api/v1', PER_PAGE: '10', TIMEZONE: 'Asia/Tokyo' })
  type Index = { namespace: string; routes: Record<string, Path>; servers: object }
  const read = async (address: string) => (await ask('GET', address)).body as Index

  it('names the alias', async () => {
    const { namespace, routes } = await read('https://one.example/old/api/v1')
    expect(namespace).toBe('old/api/v1')
    expect(Object.keys(routes).every(path => path.startsWith('/old/api/v1'))).toBe(true)
    expect(routes['/old/api/v1']?.endpoints[0]?.args.namespace?.default).toBe('old/api/v1')
    expect(routes['/old/api/v1/tags']?._links).toEqual({
      self: [{ href: 'https://one.example/old/api/v1/tags' }],
    })
  })

  it.each([
    ['/wp-json/tribe/events/v1', 'tribe/events/v1', {}],
    ['/?rest_route=/tribe/events/v1', 'tribe/events/v1', {}],
    ['/wp-json/tribe/events/v1', 'wp-json/tribe/events/v1', { CORE_PREFIX: 'api' }],
    ['/api/tribe/events/v1', 'tribe/events/v1', { CORE_PREFIX: 'api' }],
    ['/wp-jsonx/v1', 'wp-jsonx/v1', {}],
    ['/calendar/events/v1', NS, {}],
  ])('is named below the index of all namespaces as WordPress does: %s %s', async (address, name, vars) => {
    const aliases = 'wp-json/tribe/events/v1,api/tribe/events/v1,wp-jsonx/v1'
    const { body } = await sendWith({ NAMESPACE_ALIASES: aliases, ...vars })('GET', SITE + address)
    const routes = body.routes as Record<string, Path>
    expect([body.namespace, Object.keys(routes)[0]]).toEqual([name, `/${name}`])
    expect(routes[`/${name}/tags`]).toMatchObject({ namespace: name, methods: ['GET', 'POST'] })
  })

  it('has a document for each address', async () => {
    const servers = async (address: string) => (await read(address)).servers
    expect(await servers('https://one.example/old/api/v1/doc')).toEqual([
      { url: 'https://one.example/old/api/v1' },
    ])
    expect(await servers('https://two.example/old/api/v1/doc')).toEqual([
      { url: 'https://two.example/old/api/v1' },
    ])
    expect(await servers(`https://two.example/${NS}/doc`)).toEqual([{ url: `https://two.example/${NS}` }])
  })

  it('shows the defaults in force', async () => {
    const { routes } = await read(`https://one.example/${NS}`)
    const args = routes[`/${NS}/events`]?.endpoints[0]?.args
    expect(args?.per_page?.default).toBe(10)
  })
})

describe('OPTIONS', () => {
  it('lists the methods of a path, and describes it', async () => {
    const { status, headers, body } = await send('OPTIONS', '/events/12')
    expect(status).toBe(200)
    expect(headers.get('allow')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toEqual((await readIndex())[`/${NS}/events/(?P<id>\\d+)`])
  })

  it('also describes the index, and paths with slugs', async () => {
    expect((await send('OPTIONS', '')).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect((await send('OPTIONS', '/venues/by-slug/barn')).headers.get('allow')).toContain('PATCH')
  })

  it('gets a 404 for an unknown path', async () => {
    expect((await send('OPTIONS', '/sponsors')).status).toBe(404)
  })
})
