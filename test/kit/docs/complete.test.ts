import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../../src/app.ts'
import { errorsOfRoute } from '../../../src/kit/docs/documented-errors.ts'
import { statusOf } from '../../../src/kit/lib/error-codes.ts'
import { send } from '../../factories.ts'
import { type ApiDocument, readDocument } from './documented.ts'

let document: ApiDocument
beforeAll(async () => {
  document = await readDocument()
})

/** Codes of the plugin, and those of a kind of theirs, which stay as they are. */
const OLDER = [
  ...['term_exists', 'incorrect_password', 'tec_rest_organizers_page_not_found'],
  ...['event-not-accessible', 'venue-not-accessible', 'organizer-not-accessible', 'series-not-accessible'],
  ...['event-is-in-trash', 'venue-is-in-trash', 'organizer-is-in-trash', 'event-no-longer-available'],
  ...['venue-is-in-use', 'organizer-is-in-use', 'image-is-in-use'],
  ...['sources-are-too-many', 'webhooks-are-too-many', 'letters-are-too-many'],
]

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  )

describe('the document', () => {
  it('names the schemas of responses', () => {
    const names = ['Event', 'Venue', 'Organizer', 'Term', 'Image', 'CostDetails', 'DateDetails', 'Error']
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names))
  })

  it('gives schemas and responses names of which generators can make types', () => {
    const { schemas, responses } = document.components
    const names = [...Object.keys(schemas), ...Object.keys(responses)]
    expect(names.filter(name => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([])
    expect(new Set(names.map(name => name.toLowerCase())).size).toBe(names.length)
    const operationIds = operations().map(({ operationId }) => operationId)
    expect(operationIds.filter(id => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
    expect(new Set(operationIds).size).toBe(operationIds.length)
  })

  it('gives every parameter a description, a type and an example', () => {
    for (const { name, parameters = [] } of operations())
      for (const parameter of parameters)
        expect(parameter, `${name}: ${parameter.name}`).toMatchObject({
          description: expect.stringMatching(/\.$/),
          schema: { type: expect.any(String) },
          example: expect.anything(),
        })
  })

  it('describes the items of every array', () => {
    const arraysWithout = (at: string, value: unknown): string[] => {
      if (typeof value !== 'object' || value === null) return []
      const { type, items } = value as { type?: unknown; items?: unknown }
      const isOpen = [type].flat().includes('array') && typeof items !== 'object'
      const inner = Object.entries(value).flatMap(([name, one]) => arraysWithout(`${at}/${name}`, one))
      return [...(isOpen ? [at] : []), ...inner]
    }
    expect(arraysWithout('', document)).toEqual([])
  })

  it('takes bodies as JSON and as forms, of one schema, so that generated clients have one type for each', () => {
    const bodies = operations().flatMap(({ requestBody }) => (requestBody ? [requestBody] : []))
    expect(bodies.length).toBeGreaterThan(0)
    const kinds = bodies.map(({ content }) => Object.keys(content))
    const fields = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
    const files = ['multipart/form-data']
    expect(kinds.filter(kind => kind.length === 1)).toEqual([files])
    for (const kind of kinds) expect([fields, files]).toContainEqual(kind)
    for (const { content } of bodies)
      expect(new Set(Object.values(content).map(({ schema }) => JSON.stringify(schema))).size).toBe(1)
  })

  it('declares the header of unknown names in every response', () => {
    const shared = Object.values(document.components.responses)
    const own = operations().flatMap(({ responses }) => Object.values(responses).filter(({ $ref }) => !$ref))
    expect([shared.length > 0, own.length > 0]).toEqual([true, true])
    for (const { headers } of [...shared, ...own]) expect(headers).toHaveProperty('X-Ignored-Fields')
  })

  it('has only headers that scripts of other pages may read', async () => {
    const own = operations().flatMap(({ responses }) => Object.values(responses))
    const documented = [...own, ...Object.values(document.components.responses)].flatMap(({ headers }) =>
      Object.keys(headers ?? {}),
    )
    const { headers } = await send('GET', '/events')
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
    // For caches, for browsers, and for logging in, which pages of other sites can't.
    const unseen = ['vary', 'content-security-policy', 'www-authenticate']
    expect(documented).toContain('X-Shortened')
    expect([...(exposed ?? []), ...unseen]).toEqual(
      expect.arrayContaining(documented.map(name => name.toLowerCase())),
    )
  })

  it('describes every group of routes', async () => {
    const { body } = await send('GET', '/doc')
    expect(body.tags.length).toBeGreaterThan(5)
    for (const { name, description } of body.tags) expect(description, name).toMatch(/ .*\.$/)
  })

  it('lists, for each route with a body, the errors for bodies that it refuses', () => {
    for (const { name, requestBody, responses } of operations()) {
      const refused = ['413', '415'].filter(status => Object.hasOwn(responses, status))
      expect(refused, name).toEqual(requestBody ? ['413', '415'] : [])
    }
  })

  it('documents parameters and fields that came later', () => {
    const list = document.paths['/events']?.get?.parameters?.find(({ name }) => name === 'happening')
    expect(list).toMatchObject({ schema: { type: 'string' }, example: 'now' })
    const { EventFields, Event } = document.components.schemas
    expect(EventFields?.properties?.cost_details).toMatchObject({
      type: 'object',
      examples: [{ currency_code: 'USD' }],
    })
    expect(Event?.required).toContain('cost_details')
  })

  it('says that titles and names in responses are escaped', () => {
    const { Event, Venue, Organizer, Term } = document.components.schemas
    for (const name of [Event?.properties?.title, Venue?.properties?.venue, Organizer?.properties?.organizer])
      expect(name).toMatchObject({ type: 'string', description: expect.stringContaining('`&lt;`') })
    expect(Term?.properties?.name).toMatchObject({ description: expect.stringContaining('`&lt;`') })
  })

  it('gives each route the errors that it declares, and logins where it needs one', () => {
    for (const { methods, path, errors = [], requires } of ROUTES)
      for (const method of methods) {
        const operation = document.paths[path || '/']?.[method.toLowerCase()]
        const declared = errors.map(code => String(statusOf(code)))
        const login = requires === 'read' ? [] : ['401', '403']
        const statuses = Object.keys(operation?.responses ?? {})
        expect(statuses).toEqual(expect.arrayContaining([...declared, ...login, '429', '500']))
        expect(operation?.security?.some(scheme => Object.keys(scheme).length === 0)).toBe(
          requires === 'read',
        )
      }
  })

  it('has new codes of errors in one spelling, but for resources and pages that are missing', () => {
    const codes = new Set(ROUTES.flatMap(route => errorsOfRoute(route).flatMap(([, codes]) => codes)))
    const newer = [...codes].filter(code => !OLDER.includes(code))
    expect(newer.length).toBeGreaterThan(30)
    const isRegular = (code: string) =>
      /^(?:rest(?:_[a-z]+)+|rest(?:-[a-z]+)+-not-found|[a-z]+-archive-page-not-found)$/.test(code)
    expect(newer.filter(code => !isRegular(code))).toEqual([])
  })

  it('lists no error that a route cannot give', () => {
    const codes = (path: string, method: string) =>
      Object.values(document.paths[path]?.[method]?.responses ?? {}).map(({ $ref }) =>
        $ref?.replace(/^.*\//, ''),
      )
    expect(codes('/tags/{id}', 'get')).toEqual([
      undefined,
      'Error301RestMoved',
      undefined,
      'Error401IncorrectPassword',
      'Error404RestTagNotFound',
      'Error429RestTooManyRequests',
      'Error500RestInternalError',
      'Error503RestServiceUnavailable',
    ])
    expect(codes('/venues/{id}', 'delete')).toContain('Error410VenueIsInTrash')
    expect(codes('/venues/{id}', 'delete')).not.toContain('Error410EventIsInTrash')
  })
})
