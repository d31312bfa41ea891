import * as z from 'zod/mini'
import type { DocsContext } from '../context.ts'
import { type Default, descriptionOf } from '../http/params.ts'
import { memoizeByObject } from '../lib/memo.ts'
import type { Json } from '../lib/values.ts'

const text = (description: string): Json => ({ description, schema: { type: 'string' } })

/** The headers that any response may have, by name: components of the document. */
export const SHARED_HEADERS: Readonly<Record<string, Json>> = {
  'X-Ignored-Fields': text(
    'Unknown parameters, body fields and names in `_fields` (`_fields.titel`), comma-separated; absent if there are none.',
  ),
  'Idempotency-Replayed': text('`true` if this repeats the first response to the `Idempotency-Key`.'),
  'X-Calendar-Id': text('The id of the calendar, whatever host name was used.'),
  'X-Request-Id': text('The id of the request, as in the log; that of the client if it sent one.'),
  'x-d1-bookmark': text(
    'The state of the database after a write. A read that sends it back sees that write.',
  ),
}

/** References to the shared headers, for a response. */
export const sharedHeaders: Json = Object.fromEntries(
  Object.keys(SHARED_HEADERS).map(name => [name, { $ref: `#/components/headers/${name}` }]),
)

const RETRY_AFTER: Json = {
  'Retry-After': { description: 'Seconds to wait, if waiting helps.', schema: { type: 'integer' } },
}

const HEADERS_OF_STATUS: Partial<Record<number, Json>> = {
  301: { Location: text('Where it is now.') },
  409: RETRY_AFTER,
  401: { 'WWW-Authenticate': text('How to log in.') },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

export const errorHeaders = (status: number): Json => ({ ...HEADERS_OF_STATUS[status], ...sharedHeaders })

/** The paths of schemas in a document. */
const COMPONENT_PATH = '#/components/schemas/'

export const reference = (id: string): Json => ({ $ref: COMPONENT_PATH + id })

/** A default value, which may depend on the context. */
const defaultOf = (fallback: Default, context: DocsContext): unknown =>
  typeof fallback !== 'function' ? fallback : (context.standIn?.(fallback) ?? fallback(context))

/** References in the form of zod's converter. */
const DEFINITIONS = /"\$ref":"#\/\$defs\//g

/** A schema that others refer to. The schema of an object has the schemas of its properties. */
export type Component = Json & { properties?: Record<string, Json> }

/** Schemas as JSON Schema in the given order, and their components. */
type ConvertedSchemas = { schemas: Json[]; components: Record<string, Component> }

/**
 * Converts schemas to JSON Schema of draft 2020-12. Schemas with an id become components, and the others
 * refer to them.
 *
 * @param io `input` for requests, `output` for responses
 * @throws Error if two schemas have the same id
 */
export function toJsonSchemas(
  schemas: readonly z.core.$ZodType[],
  io: 'input' | 'output',
  context: DocsContext,
): ConvertedSchemas {
  const combined = z.object(Object.fromEntries(schemas.map((schema, i) => [`${i}`, schema])))
  const { properties, $defs } = z.toJSONSchema(combined, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Routes that share a schema require different fields, so each route adds its required fields.
      if (io === 'input') delete jsonSchema.required
      // Removes the limits that zod gives every integer.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
        delete jsonSchema.minimum
        delete jsonSchema.maximum
      }
      // The global registry has the defaults of fields, which are made from a description.
      const fallback = z.globalRegistry.get(zodSchema)?.default as Default | undefined
      if (fallback !== undefined) jsonSchema.default = defaultOf(fallback, context)
      if (jsonSchema.example !== undefined) jsonSchema.examples = [jsonSchema.example]
      for (const name of ['example', 'isFile']) delete jsonSchema[name]
    },
  })
  const json = JSON.stringify({ properties, $defs }).replace(DEFINITIONS, `"$ref":"${COMPONENT_PATH}`)
  // Zod's converter puts schemas into both objects, and nothing else.
  const converted: Partial<Record<'properties' | '$defs', Record<string, Component>>> = JSON.parse(json)
  return { schemas: Object.values(converted.properties ?? {}), components: converted.$defs ?? {} }
}

/** One parameter, or one field of a body. */
export type Field = { name: string; required: boolean; schema: Json }

/**
 * A function that makes the JSON Schema of a field, which describes itself, once: many routes share a field.
 */
const schemasFor = memoizeByObject((context: DocsContext) =>
  memoizeByObject((field: z.core.$ZodType): Json => {
    const { example, isFile: _, default: fallback, ...described } = descriptionOf(field)
    return {
      ...described,
      ...(fallback !== undefined && { default: defaultOf(fallback, context) }),
      ...(example !== undefined && { examples: [example] }),
    }
  }),
)

/**
 * The parameters or fields of an object's schema, each with its JSON Schema. They are made without zod's
 * converter, with which the whole index took 3.5 times as many instructions: more than an invocation of the
 * free plan may compute.
 */
export function fieldsOf(object: z.ZodMiniObject | undefined, context: DocsContext): Field[] {
  const schemaOf = schemasFor(context)
  return Object.entries(object?.shape ?? {}).map(([name, field]) => ({
    name,
    required: !(field instanceof z.ZodMiniOptional),
    schema: schemaOf(field),
  }))
}

function dropDefaults({ properties = {} }: Component): void {
  for (const property of Object.values(properties)) delete property.default
}

/** Converted schemas of requests or responses. */
export type Schemas = {
  /** The JSON Schema of a given schema. Schemas of requests have neither required fields nor defaults. */
  of: (schema: z.ZodMiniType) => Json
  components: Record<string, Component>
}

/**
 * Converts many schemas at once, so that shared parts become one component.
 *
 * @throws Error from `of` for a schema that was not among them
 */
export function convertSchemas(
  schemas: Iterable<z.ZodMiniType>,
  io: 'input' | 'output',
  context: DocsContext,
): Schemas {
  const distinctSchemas = [...new Set(schemas)]
  const { schemas: jsonSchemas, components } = toJsonSchemas(distinctSchemas, io, context)
  const converted = new Map(distinctSchemas.map((schema, i) => [schema, jsonSchemas[i]]))
  if (io === 'input') for (const component of Object.values(components)) dropDefaults(component)
  return {
    components,
    of: schema => {
      const json = converted.get(schema)
      if (!json)
        throw new Error(`The schema ${z.globalRegistry.get(schema)?.id} was not among those to convert.`)
      return json
    },
  }
}

/**
 * An example for a field: its own example, or a value of its type, different from the default if possible.
 */
export function exampleOf({ examples, default: fallback, enum: words, type }: Json): unknown {
  if (Array.isArray(examples)) return examples[0]
  if (Array.isArray(words)) return words.find(word => word !== fallback)
  return type === 'boolean' ? fallback !== true : fallback
}
