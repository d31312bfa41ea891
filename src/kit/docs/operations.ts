import type { DocsContext } from '../context.ts'
import { FIELDS_PARAM, FIELDS_SCHEMA } from '../http/requested-fields.ts'
import type { Method, Route } from '../http/route.ts'
import { capitalized } from '../lib/text.ts'
import type { Json } from '../lib/values.ts'
import { changesOne, errorName, errorsOfRoute } from './documented-errors.ts'
import { exampleOf, type Field, fieldsOf, type Schemas, sharedHeaders } from './schemas.ts'

/** The variable parts of paths. */
const PATH_PARTS: Record<string, { description: string; schema: Json; example: unknown }> = {
  id: { description: 'Its id.', schema: { type: 'integer', minimum: 0 }, example: 12 },
  slug: {
    description: 'Its slug, case-insensitive.',
    schema: { type: 'string', minLength: 1, pattern: '^[^/]+$' },
    example: 'jazz-night',
  },
  external_id: {
    description: 'Its id in another system, percent-encoded and case-sensitive.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'crm-4711',
  },
  token: {
    description: 'Its secret, 32 hexadecimal digits.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: '4f1c9a0b7e2d4c6f8a1b3c5d7e9f0a2b',
  },
  delivery: { description: 'The id of the delivery.', schema: { type: 'integer', minimum: 0 }, example: 345 },
}

/** The variable parts of a path, as fields. */
export const pathFields = ({ path }: Route): Field[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { description, schema, example } = PATH_PARTS[name] ?? { description: '', schema: {}, example: '' }
    return { name, required: true, schema: { ...schema, description, examples: [example] } }
  })

/** The subject of a route: the first part of its path, or `index` for routes about the API itself. */
export const subjectOf = ({ path, subject }: Route): string => {
  if (subject) return subject
  const [, first = ''] = path.split(/[/.]/)
  return first === '' || first === 'doc' ? 'index' : first
}

export const queryFields = (route: Route, context: DocsContext): Field[] => [
  ...fieldsOf(route.query, context),
  ...(route.takesFields ? [{ name: FIELDS_PARAM, required: false, schema: FIELDS_SCHEMA }] : []),
]

/** `PATCH /events/by-slug/{slug}` → `patchEventsBySlug`. */
function operationId(method: Method, { path }: Route): string {
  const words = path
    .replace(/\/by-(slug|external-id)/, '')
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[/._-]/)
  return method.toLowerCase() + (words.map(capitalized).join('') || 'Index')
}

const parameter = ({ name, required, schema }: Field, location: 'path' | 'query'): Json => {
  const { description, examples, ...parameterSchema } = schema
  return {
    name,
    in: location,
    description,
    required,
    // Clients may write lists in several ways; comma-separated is the shortest.
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    schema: parameterSchema,
    example: exampleOf(schema),
  }
}

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** The fields of a route's body. They have no defaults in updates, because absent fields stay unchanged. */
export function bodyFields({ body, complete = false, methods }: Route, context: DocsContext): Field[] {
  const isUpdate = methods.includes('PATCH')
  return fieldsOf(body, context).map(({ name, required, schema: { default: fallback, ...schema } }) => ({
    name,
    required: required && complete,
    schema: isUpdate || fallback === undefined ? schema : { ...schema, default: fallback },
  }))
}

/** The schema of a body: the shared schema, with the required fields and the defaults of this route. */
function bodySchema(route: Route, sharedSchema: Json, context: DocsContext): Json {
  const fields = bodyFields(route, context)
  const required = fields.filter(field => field.required).map(({ name }) => name)
  const defaults = fields
    .filter(({ schema }) => schema.default !== undefined)
    .map(({ name, schema }) => [name, { default: schema.default }])
  if (required.length + defaults.length === 0 || !sharedSchema.$ref) return sharedSchema
  return {
    allOf: [sharedSchema],
    ...(required.length > 0 && { required }),
    ...(defaults.length > 0 && { properties: Object.fromEntries(defaults) }),
  }
}

/**
 * Documents in words that a body may be a file. With a second media type, generated clients would get a body
 * of two types, which they can't send.
 */
const WHOLE_BODY =
  'A form with the file. The body may also be the file itself, with its media type; the texts are then parameters of the address.'

function requestBody(route: Route, bodies: Schemas, context: DocsContext): Json {
  if (!route.body) return {}
  const schema = bodySchema(route, bodies.of(route.body), context)
  const types = route.wholeBody ? ['multipart/form-data'] : BODY_TYPES
  return {
    requestBody: {
      ...(route.wholeBody && { description: WHOLE_BODY }),
      required: route.complete === true || route.wholeBody !== undefined,
      content: Object.fromEntries(types.map(type => [type, { schema }])),
    },
  }
}

const ETAG_HEADER: Json = {
  description: 'The version of the response, for conditional requests.',
  schema: { type: 'string' },
}

function successResponses(route: Route, schemas: Schemas): Json {
  const { responses, headers = {}, page, produces = 'application/json' } = route
  const headerEntries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: /-Total(Pages)?$/.test(name) ? 'integer' : 'string' } },
  ])
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => [
      status,
      {
        description: status === '201' ? 'Created.' : 'Done.',
        headers: {
          ...(hasTag(route) && { ETag: ETAG_HEADER }),
          ...Object.fromEntries(headerEntries),
          ...sharedHeaders,
        },
        content: {
          [produces]: { schema: schemas.of(schema) },
          ...(page && { 'text/html': { schema: { type: 'string', description: page } } }),
        },
      },
    ]),
  )
}

/** True if `ETag` names the state of the response. */
const hasTag = (route: Route): boolean => route.methods.includes('GET')

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  description,
  required: false,
  schema: { type: 'string' },
  example,
})

const IF_NONE_MATCH = header(
  'If-None-Match',
  'An `ETag`: 304 if nothing has changed since.',
  '"wJx0kYq2Jp3mB1vC5dTz"',
)
const IF_MODIFIED_SINCE = header(
  'If-Modified-Since',
  'A `Last-Modified`, for clients without an `ETag`, which is more precise: 304 if nothing has changed since. It has no effect if the address contains `now` or `tomorrow`.',
  'Fri, 20 Nov 2026 12:00:00 GMT',
)
const IF_MATCH = header(
  'If-Match',
  'An `ETag`: 412 if it was changed since.',
  '"wJx0kYq2Jp3mB1vC5dTz-8c1fv3"',
)
const IF_NONE_MATCH_TO_WRITE = header(
  'If-None-Match',
  '`*`, or an `ETag`: 412 if it exists, or exists in that state.',
  '"wJx0kYq2Jp3mB1vC5dTz-8c1fv3"',
)

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  '1 to 255 printable characters: the same key within a day gets the first response again, and nothing is written.',
  'd9c1a1be-1f0c-4a3e-9a53-6a2f6b1f0f3c',
)

const UNCHANGED = {
  304: {
    description:
      'Nothing has changed since the state that `If-None-Match` names, or since `If-Modified-Since`.',
    headers: { ETag: ETAG_HEADER, ...sharedHeaders },
  },
}

/** No credentials at all, then each scheme. */
const OPTIONAL_LOGIN = [{}, { basic: [] }, { bearer: [] }]
const LOGIN = OPTIONAL_LOGIN.slice(1)

/** The OpenAPI operation of one method of a route. */
export function describeOperation(
  method: Method,
  route: Route,
  { bodies, responses }: { bodies: Schemas; responses: Schemas },
  context: DocsContext,
): Json {
  const parameters = [
    ...pathFields(route).map(field => parameter(field, 'path')),
    ...queryFields(route, context).map(field => parameter(field, 'query')),
    ...(hasTag(route) ? [IF_NONE_MATCH] : []),
    ...(hasTag(route) && !route.isFixed ? [IF_MODIFIED_SINCE] : []),
    ...(changesOne(route) ? [IF_MATCH, IF_NONE_MATCH_TO_WRITE] : []),
    ...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),
  ]
  const errors = errorsOfRoute(route).map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/${errorName(status, codes)}` },
  ])
  return {
    operationId: operationId(method, route),
    summary: route.summary,
    tags: [subjectOf(route)],
    security: route.requires === 'read' ? OPTIONAL_LOGIN : LOGIN,
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route, bodies, context),
    responses: {
      ...successResponses(route, responses),
      ...(hasTag(route) && UNCHANGED),
      ...Object.fromEntries(errors),
    },
  }
}
