import { dereference, initialBaseURI, type Schema, validate } from '@cfworker/json-schema'
import { type Answer, API, send } from '../../factories.ts'

// What the service's own document says of its answers, to hold them against it.

/** JSON Schema as far as the document goes with it. */
export type Part = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Part[]
  allOf?: Part[]
  properties?: Record<string, Part>
  required?: string[]
  items?: Part
  examples?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

type Parameter = { name: string; in: 'path' | 'query'; schema: Part; example: unknown }
type Media = { schema: Part }
type Response = { $ref?: string; headers?: Record<string, Part>; content?: Record<string, Media> }
export type Operation = {
  operationId: string
  parameters?: Parameter[]
  security?: Record<string, string[]>[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}
/** Headers that concern HTTP itself rather than this API. */
const GENERAL =
  /^(?!x-|link$|etag$|retry-after$)|^x-(content-type-options|dns-|download-|frame-|permitted-|xss-)/

export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Part>; responses: Record<string, Response> }
}

/** A document, as the service serves it. */
export async function readDocument(path = '/doc'): Promise<ApiDocument> {
  const { text } = await send('GET', path)
  // What may be null in OpenAPI 3.0 has a type all the same, which JSON Schema takes at its word.
  const body = JSON.parse(text, (_, part) => (part?.nullable ? { enum: part.enum } : part))
  // What its shape is worth, the validator and the linter say.
  return body as unknown as ApiDocument
}

/** The documented path that an address matches, such as `/events/{id}`; undefined if there is none. */
function templateOf(document: ApiDocument, path: string): string | undefined {
  const bare = path.replace(API, '').replace(/\?.*$/, '').replace(/\/$/, '') || '/'
  if (document.paths[bare]) return bare
  return Object.keys(document.paths).find(template => {
    const pattern = template
      .replace('{id}', '[0-9]+')
      .replace('{token}', '[0-9a-f]+')
      .replace('{slug}', '[^/]+')
      .replace('{external_id}', '.+')
    return new RegExp(`^${pattern}$`).test(bare)
  })
}

type Schemas = { known: Set<string>; lookup: Record<string, Schema | boolean> }

// Looking up all that schemas refer to takes longer than most requests: once for a document, not for each of
// its responses.
const schemas = new WeakMap<ApiDocument, Schemas>()

/** Validates a value by a schema of a document. @param name of the schema, by which it is cached */
function validated(document: ApiDocument, name: string, part: Part, value: unknown) {
  // JSON Schema all the same; the validator's type for it is stricter about its words.
  const schema = part as Schema
  const components = { components: document.components } as Schema
  const { known, lookup } = schemas.get(document) ?? { known: new Set(), lookup: dereference(components) }
  schemas.set(document, { known, lookup })
  if (!known.has(name)) dereference(schema, lookup, initialBaseURI, `/${encodeURIComponent(name)}`)
  known.add(name)
  return validate(value, schema, '2020-12', lookup)
}

/** What the document does not allow in an answer; empty if it allows everything. */
export function undocumented(
  document: ApiDocument,
  method: string,
  path: string,
  { status, headers, body, text }: Answer,
): string[] {
  const template = templateOf(document, path)
  const operation = template && document.paths[template]?.[method.toLowerCase()]
  if (!operation) {
    const isNoRoute = status === 404 && body.code === 'rest_no_route'
    return isNoRoute ? [] : [`${method} ${path} is not documented`]
  }
  const name = `${method} ${template} ${status}`
  const response = operation.responses[status]
  if (!response) return [`${name} is not documented: ${JSON.stringify(body)}`]
  const { content, headers: declared = {} } = response.$ref
    ? (document.components.responses[response.$ref.replace(/^.*\//, '')] ?? {})
    : response
  const known = new Set(Object.keys(declared).map(header => header.toLowerCase()))
  const surprising = [...headers.keys()].filter(
    header => !GENERAL.test(header) && !known.has(header.toLowerCase()),
  )
  if (surprising.length > 0) return surprising.map(header => `${name} has a header ${header}, not documented`)
  if (!content) return text === '' ? [] : [`${name} should be empty`]
  const media = content?.[headers.get('content-type') ?? '']
  if (!media) return [`${name} as ${headers.get('content-type')} is not documented`]
  const value = media.schema.type === 'string' ? text : body
  const { valid, errors } = validated(document, name, media.schema, value)
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${name} ${instanceLocation}: ${error}`)
}
