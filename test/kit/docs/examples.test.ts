import { beforeAll, expect, it } from 'vitest'
import { encode } from '../../conformance/replay.ts'
import { declareUser, send } from '../../factories.ts'
import { type ApiDocument, type Part, readDocument } from './documented.ts'

// Somebody will try what the document shows, so it should work.

const PLURALS = ['events', 'venues', 'organizers', 'categories', 'tags']

const as = declareUser('administrator', 'admin')
let document: ApiDocument
beforeAll(async () => {
  document = await readDocument()
})

/** All fields of a body by the first of their examples. */
function exampleBody(plural: string): Record<string, unknown> {
  const schema = document.paths[`/${plural}`]?.post?.requestBody?.content['application/json']?.schema
  const name = schema?.allOf?.[0]?.$ref?.replace(/^.*\//, '') ?? ''
  const fields: [string, Part][] = Object.entries(document.components.schemas[name]?.properties ?? {})
  return Object.fromEntries(
    fields.flatMap(([field, { examples }]) => (examples ? [[field, examples[0]]] : [])),
  )
}

it.each(PLURALS)('examples of fields make a request that works: %s', async plural => {
  const examples = exampleBody(plural)
  expect(Object.keys(examples).length).toBeGreaterThan(2)
  // There is but one term of a name, and an event's example may have made it.
  const json = 'name' in examples ? { ...examples, name: `A name for ${plural}` } : examples
  const made = await send('POST', `/${plural}`, { as, json })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const address = `/${plural}/${made.body.id}`
  expect(await send('PATCH', address, { as, body: new URLSearchParams(encode(json)) })).toMatchObject({
    status: 200,
  })
})

it('the example of an event is shown to everyone', async () => {
  const made = await send('POST', '/events', { as, json: exampleBody('events') })
  expect(made.body.status).toBe('publish')
  const { body } = await send('GET', '/events?per_page=50')
  expect(JSON.stringify(body.events)).toContain(`"rest_url":"${made.body.rest_url}"`)
})

it.each(PLURALS)('examples of parameters are understood: %s', async plural => {
  const parameters = document.paths[`/${plural}`]?.get?.parameters ?? []
  expect(parameters).not.toEqual([])
  for (const { name, example } of parameters.filter(parameter => parameter.in === 'query')) {
    const isList = Array.isArray(example) || typeof example !== 'object'
    const query = isList ? { [name]: String(example) } : encode({ [name]: example })
    const { status, body } = await send('GET', `/${plural}?${new URLSearchParams(query)}`)
    // What they name need not be there.
    const reason = Object(Object(body.data).params)[name] ?? ''
    if (status !== 200) expect(`${name}: ${reason || body.code}`).toMatch(/there is no|needs|page-not-found/)
  }
})
