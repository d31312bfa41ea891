import * as z from 'zod/mini'
import type { DocsContext } from '../context.ts'

// zod converts schemas as well, of all kinds and to all versions, which takes 6 KB more of the Worker's 200 (compressed).

/** A part of a JSON Schema or of a document: any JSON object. */
export type Json = { [name: string]: unknown }

/** The paths of schemas in a document. */
const COMPONENTS = '#/components/schemas/'

/** A reference to a schema of the document. */
export const reference = (id: string): Json => ({ $ref: COMPONENTS + id })

/** Completes a schema: evaluates its default, and converts examples to JSON Schema's form. */
function tidy(schema: Json, words: Json, context: DocsContext): void {
  if (words.default !== undefined)
    schema.default = typeof words.default === 'function' ? words.default(context) : words.default
  if (schema.example !== undefined) schema.examples = [schema.example]
  delete schema.example
  delete schema.dependsOnClock
  delete schema.isFile
}

/** Converts schemas to JSON Schema of draft 2020-12. Those with an id become components, to which the others refer. */
export class Converter {
  readonly components: Record<string, Json> = {}
  readonly #named = new Map<string, z.core.$ZodType>()
  readonly #io: 'input' | 'output'
  readonly #context: DocsContext

  /** @param io `input` for requests, `output` for responses */
  constructor(io: 'input' | 'output', context: DocsContext) {
    this.#io = io
    this.#context = context
  }

  /** @throws Error for a kind of schema that none of ours is, and for two schemas of one id */
  convert(schema: z.core.$ZodType): Json {
    const { id, ...rest } = z.globalRegistry.get(schema) ?? {}
    if (id === undefined) return this.#complete(schema, rest)
    const known = this.#named.get(id)
    if (known && known !== schema) throw new Error(`two schemas have the id ${id}`)
    if (!known) {
      this.#named.set(id, schema)
      // Keeps its place before those that it refers to, and ends circles.
      this.components[id] = {}
      Object.assign(this.components[id], this.#complete(schema, rest))
    }
    return reference(id)
  }

  #complete(schema: z.core.$ZodType, words: Json): Json {
    const wrapped = this.#wrapped(schema)
    const converted = wrapped ? this.#wrapper(wrapped, words) : { ...this.#kind(schema), ...words }
    tidy(converted, words, this.#context)
    return converted
  }

  /** A wrapper with the description of what it wraps, but for what it says itself. */
  #wrapper(wrapped: z.core.$ZodType, words: Json): Json {
    const known: Json = z.globalRegistry.get(wrapped) ?? {}
    const own = Object.fromEntries(Object.entries(words).filter(([name, word]) => word !== known[name]))
    return { ...own, ...this.convert(wrapped), ...own }
  }

  /** The schema that another one stands for: in JSON Schema they are the same. */
  #wrapped(schema: z.core.$ZodType): z.core.$ZodType | undefined {
    const { def, parent } = internals(schema)
    // A copy of a component refers to it.
    if (parent && z.globalRegistry.get(parent)?.id !== undefined) return parent
    if (def.type === 'optional') return def.innerType
    if (def.type === 'pipe') return this.#io === 'input' ? def.in : def.out
    return undefined
  }

  #kind(schema: z.core.$ZodType): Json {
    const { def } = internals(schema)
    const format = 'format' in def ? def.format : undefined
    if (def.checks?.length || (format !== undefined && format !== 'safeint'))
      throw new Error('a schema with checks, which nothing here would tell of')
    switch (def.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return { type: def.type }
      case 'number':
        return { type: format === undefined ? 'number' : 'integer' }
      case 'unknown':
      case 'transform':
        return {}
      case 'never':
        return { not: {} }
      case 'literal':
        return literal(def.values)
      case 'enum':
        return { type: 'string', enum: Object.values(def.entries) }
      case 'array':
        return { type: 'array', items: this.convert(def.element) }
      case 'object':
        return this.#object(def)
      case 'record':
        return {
          type: 'object',
          propertyNames: this.convert(def.keyType),
          additionalProperties: this.convert(def.valueType),
        }
      case 'union':
        return { anyOf: def.options.map(option => this.convert(option)) }
      case 'nullable':
        return { anyOf: [this.convert(def.innerType), { type: 'null' }] }
      default:
        throw new Error(`a schema of the kind ${def.type}, which nothing here converts`)
    }
  }

  #object({ shape, catchall }: z.core.$ZodObjectDef): Json {
    const fields = Object.entries(shape)
    const properties = Object.fromEntries(fields.map(([name, field]) => [name, this.convert(field)]))
    const others = catchall && { additionalProperties: this.convert(catchall) }
    // The required fields of a request differ between the routes that share a schema, so they are added by route.
    if (this.#io === 'input') return { type: 'object', properties, ...others }
    const required = fields.filter(([, field]) => field._zod.optout === undefined).map(([name]) => name)
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      ...(others ?? { additionalProperties: false }),
    }
  }
}

function literal([value, ...others]: readonly unknown[]): Json {
  if (value === null || others.length > 0)
    throw new Error('a literal of null or of several values: use an enum')
  return { type: typeof value, const: value }
}

/** Internals of a schema, of which the type says what else there is: all schemas of zod are of this union. */
const internals = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod
