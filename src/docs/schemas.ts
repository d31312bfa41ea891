import * as z from 'zod/mini'
import type { DocsContext } from '../context.ts'

/** A part of a JSON Schema or of a document: any JSON object. */
export type Json = { [name: string]: unknown }

/** One parameter, or one field of a body. */
export type Field = { name: string; required: boolean; schema: Json }

/** The paths of schemas in a document, and in the output of zod. */
const COMPONENTS = '#/components/schemas/'
const DEFINITIONS = '#/$defs/'

/** A reference to a schema of the document. */
export const reference = (id: string): Json => ({ $ref: COMPONENTS + id })

/**
 * Converts schemas to JSON Schema of draft 2020-12, which OpenAPI 3.1 uses.
 *
 * @param io `input` for requests, `output` for responses
 * @returns each schema under its key, and apart from them those with an id, which refer to each other
 */
function toJsonSchemas(
  schemas: Readonly<Record<string, z.ZodMiniType>>,
  io: 'input' | 'output',
  context: DocsContext,
): { properties: Record<string, Json>; components: Record<string, Json> } {
  const converted = z.toJSONSchema(z.object(schemas), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema, z.globalRegistry.get(zodSchema), context)
      // The required fields differ between the routes that share a schema, so they are added by route.
      if (io === 'input') delete jsonSchema.required
      else dropSafeBounds(jsonSchema)
    },
  })
  const { properties = {}, $defs = {} } = JSON.parse(
    JSON.stringify(converted).replaceAll(`"${DEFINITIONS}`, `"${COMPONENTS}`),
  )
  return { properties, components: $defs }
}

/** Evaluates defaults, and converts examples to JSON Schema's form. */
function tidy(schema: Json, meta: Json | undefined, context: DocsContext): void {
  // zod leaves out the defaults of transformed input, because they may be input or output.
  if (meta?.default !== undefined)
    schema.default = typeof meta.default === 'function' ? meta.default(context) : meta.default
  if (schema.example !== undefined) schema.examples = [schema.example]
  delete schema.example
  delete schema.dependsOnClock
}

/** Drops the bounds that zod adds to every integer. */
function dropSafeBounds(schema: Json): void {
  for (const bound of ['minimum', 'maximum'])
    if (Math.abs(Number(schema[bound])) === Number.MAX_SAFE_INTEGER) delete schema[bound]
}

/** The parameters or fields of an object's schema, each with its JSON Schema. */
export function fieldsOf(object: z.ZodMiniObject | undefined, context: DocsContext): Field[] {
  if (!object) return []
  const { properties } = toJsonSchemas(object.shape, 'input', context)
  return Object.entries(object.shape).map(([name, field]) => ({
    name,
    required: !(field instanceof z.ZodMiniOptional),
    schema: properties[name] ?? {},
  }))
}

function dropDefaults({ properties }: Json): void {
  for (const property of Object.values(Object(properties))) delete Object(property).default
}

/** Converted schemas of requests or responses. */
export type Schemas = {
  /** The JSON Schema of one of the given schemas. Those of requests neither require nor default anything. */
  of: (schema: z.ZodMiniType) => Json
  components: Record<string, Json>
}

/**
 * Converts many schemas at once, so that what they share becomes one component.
 *
 * @throws Error from `of` for a schema that was not among them
 */
export function convertSchemas(
  schemas: Iterable<z.ZodMiniType>,
  io: 'input' | 'output',
  context: DocsContext,
): Schemas {
  const names = new Map([...new Set(schemas)].map((schema, i) => [schema, `schema${i}`]))
  const named = Object.fromEntries([...names].map(([schema, name]) => [name, schema]))
  const { properties, components } = toJsonSchemas(named, io, context)
  if (io === 'input') for (const component of Object.values(components)) dropDefaults(component)
  return {
    components,
    of: schema => {
      const json = properties[names.get(schema) ?? '']
      if (!json) throw new Error('a schema that was not converted')
      return json
    },
  }
}

/** An example for a field: its own, or one of its type, if possible another value than the default. */
export function exampleOf({ examples, default: fallback, enum: words, type }: Json): unknown {
  if (Array.isArray(examples)) return examples[0]
  if (Array.isArray(words)) return words.find(word => word !== fallback)
  return type === 'boolean' ? fallback !== true : fallback
}
