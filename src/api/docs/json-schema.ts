import * as z from 'zod/mini'
import type { DocsContext } from '../../context.ts'
import type { Json } from '../../lib/values.ts'

/** The paths of schemas in a document. */
const COMPONENTS = '#/components/schemas/'

/** A reference to a schema of the document. */
export const reference = (id: string): Json => ({ $ref: COMPONENTS + id })

/** References as zod's converter writes them. */
const DEFINITIONS = /"\$ref":"#\/\$defs\//g

/** Schemas as JSON Schema, in the order of the given ones, and the components that these refer to. */
export type Converted = { schemas: Json[]; components: Record<string, Json> }

/**
 * Converts schemas to JSON Schema of draft 2020-12. Those with an id become components, to which the others refer.
 *
 * @param io `input` for requests, `output` for responses
 * @throws Error for two schemas of one id
 */
export function toJsonSchemas(
  schemas: readonly z.core.$ZodType[],
  io: 'input' | 'output',
  context: DocsContext,
): Converted {
  const all = z.object(Object.fromEntries(schemas.map((schema, i) => [`${i}`, schema])))
  const { properties, $defs } = z.toJSONSchema(all, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The required fields of a request differ between the routes that share a schema, so they are added by route.
      if (io === 'input') delete jsonSchema.required
      // Every whole number of JavaScript.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
        delete jsonSchema.minimum
        delete jsonSchema.maximum
      }
      const fallback = z.globalRegistry.get(zodSchema)?.default
      if (fallback !== undefined)
        jsonSchema.default = typeof fallback === 'function' ? fallback(context) : fallback
      if (jsonSchema.example !== undefined) jsonSchema.examples = [jsonSchema.example]
      for (const name of ['example', 'dependsOnClock', 'isFile']) delete jsonSchema[name]
    },
  })
  const text = JSON.stringify({ properties, $defs }).replace(DEFINITIONS, `"$ref":"${COMPONENTS}`)
  const converted: Partial<Record<'properties' | '$defs', Record<string, Json>>> = JSON.parse(text)
  return { schemas: Object.values(converted.properties ?? {}), components: converted.$defs ?? {} }
}
