import * as z from 'zod/mini'
import type { DocsContext } from '../../context.ts'
import type { Json } from '../../lib/values.ts'
import { toJsonSchemas } from './json-schema.ts'

export { reference } from './json-schema.ts'

/** One parameter, or one field of a body. */
export type Field = { name: string; required: boolean; schema: Json }

/** The parameters or fields of an object's schema, each with its JSON Schema. */
export function fieldsOf(object: z.ZodMiniObject | undefined, context: DocsContext): Field[] {
  if (!object) return []
  const { schemas } = toJsonSchemas(Object.values(object.shape), 'input', context)
  return Object.entries(object.shape).map(([name, field], i) => ({
    name,
    required: !(field instanceof z.ZodMiniOptional),
    schema: schemas[i] ?? {},
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
  const given = [...new Set(schemas)]
  const { schemas: made, components } = toJsonSchemas(given, io, context)
  const converted = new Map(given.map((schema, i) => [schema, made[i]]))
  if (io === 'input') for (const component of Object.values(components)) dropDefaults(component)
  return {
    components,
    of: schema => {
      const json = converted.get(schema)
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
