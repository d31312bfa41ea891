import type * as z from 'zod/mini'
import { asText, FIELD_LIMITS, isObject, toItems } from '../lib/values.ts'

/**
 * The fields that a client requests with `_fields`, with the fields inside them; `true` stands for a whole
 * field.
 */
export type Fields = ReadonlyMap<string, Fields | true>

/** The parameter of every read that responds with JSON. */
export const FIELDS_PARAM = '_fields'

/** The JSON Schema of this parameter. */
export const FIELDS_SCHEMA = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Only these fields of the resource, or of each item of a list; all others are left out. A dot reaches inside: `venue.city`.',
  examples: [['id', 'title', 'venue.venue']],
}

type Tree = Map<string, Tree | true>

/**
 * Reads the parameter: names in a list, or repeated.
 *
 * @returns undefined for an empty parameter, which requests everything
 * @throws InvalidValue for more names than a list may have, or for values that are not text
 */
export function parseFields(raw: unknown): Fields | undefined {
  const tree: Tree = new Map()
  for (const item of toItems(raw, FIELD_LIMITS.ids)) {
    const names = asText(item)
      .split('.')
      .map(name => name.trim())
    if (names.some(name => name !== '')) add(tree, names)
  }
  return tree.size === 0 ? undefined : tree
}

function add(tree: Tree, names: readonly string[]): void {
  let node = tree
  for (const [i, name] of names.entries()) {
    const branch = node.get(name)
    if (branch === true) return
    if (i === names.length - 1) node.set(name, true)
    else {
      const inner: Tree = branch ?? new Map()
      node.set(name, inner)
      node = inner
    }
  }
}

/** The fields of the items of a list. Clients may name them directly, or below the name of the list. */
export function itemFields(fields: Fields | undefined, collection: string | undefined): Fields | undefined {
  const inner = collection === undefined ? undefined : fields?.get(collection)
  if (!fields || inner === undefined) return fields
  return inner === true ? undefined : new Map([...fields, ...inner])
}

/** True if a field is requested, as a whole or in part. */
export const isRequested = (fields: Fields | undefined, ...names: readonly string[]): boolean =>
  !fields || names.some(name => fields.has(name))

/**
 * A value with only some of its fields; undefined if it has none of them. For a list, this applies to every
 * item.
 */
export function project(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map(item => project(item, fields)).filter(item => item !== undefined)
  if (!isObject(value)) return undefined
  const entries: [string, unknown][] = []
  for (const name of Object.keys(value)) {
    const subfields = fields.get(name)
    if (subfields === undefined) continue
    const projected = subfields === true ? value[name] : project(value[name], subfields)
    if (projected !== undefined) entries.push([name, projected])
  }
  return Object.fromEntries(entries)
}

/** A body with only some fields. In a list, this applies to the items, and everything next to them stays. */
export function projectBody(body: unknown, fields: Fields, collection: string | undefined): unknown {
  if (collection === undefined || typeof body !== 'object' || body === null) return project(body, fields)
  const entries = Object.entries(body)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === collection ? project(value, fields) : value]),
  )
}

// Names that a response never has.

/** A requested field that a response never has, with the names of the fields that it could have there. */
type StrayField = { path: string; name: string; known: string[] }

type Schema = z.core.$ZodType

/**
 * The objects that a value may be or have as its items; undefined if it may have any names, such as the keys
 * of custom fields.
 */
function objectsIn(schema: Schema): z.ZodMiniObject[] | undefined {
  // Every kind of schema has its own definition, which its type names.
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return def.catchall ? undefined : [schema as z.ZodMiniObject]
    case 'array':
      return objectsIn(def.element)
    case 'optional':
    case 'nullable':
      return objectsIn(def.innerType)
    case 'lazy':
      return objectsIn(def.getter())
    case 'union':
      return objectsInAll(def.options)
    case 'string':
    case 'number':
    case 'boolean':
    case 'literal':
    case 'enum':
    case 'null':
      return []
    default:
      return undefined
  }
}

function objectsInAll(schemas: readonly Schema[]): z.ZodMiniObject[] | undefined {
  const objects = schemas.map(objectsIn)
  return objects.includes(undefined) ? undefined : objects.flatMap(some => some ?? [])
}

/**
 * The requested fields that neither a response nor the items of its list have.
 *
 * @param collection the name of the list, if the response is one
 */
export function strayFields(
  fields: Fields,
  response: z.ZodMiniType,
  collection: string | undefined,
): StrayField[] {
  const items = collection === undefined ? undefined : (response as z.ZodMiniObject).shape[collection]
  return strayAmong(fields, items ? [response, items] : [response])
}

function strayAmong(fields: Fields, schemas: readonly Schema[], path = ''): StrayField[] {
  const objects = objectsInAll(schemas)
  if (!objects) return []
  const known = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))]
  return [...fields].flatMap(([name, inner]) => {
    if (!known.includes(name)) return [{ path, name, known }]
    if (inner === true) return []
    const values = objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name] as Schema] : []))
    return strayAmong(inner, values, `${path}${name}.`)
  })
}
