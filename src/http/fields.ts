import { asText, LIMIT, toItems } from '../lib/values.ts'

/** The fields that a client asks for by `_fields`, with those inside of them; `true` stands for a whole field. */
export type Fields = ReadonlyMap<string, Fields | true>

/** The parameter of every read that responds with JSON. */
export const FIELDS = '_fields'

/** Its JSON Schema. */
export const FIELDS_SCHEMA = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Only these fields of the resource, or of each item of a list; all others are left out. A dot leads inside: `venue.city`.',
  examples: [['id', 'title', 'venue.venue']],
}

type Tree = Map<string, Tree | true>

/**
 * Reads the parameter: names in a list, or repeated.
 *
 * @returns undefined for an empty one, which asks for everything
 * @throws InvalidValue for more names than a list may have, or for what is no text
 */
export function parseFields(raw: unknown): Fields | undefined {
  const tree: Tree = new Map()
  for (const item of toItems(raw, LIMIT.ids)) {
    const names = asText(item)
      .split('.')
      .map(name => name.trim())
    if (names.some(name => name !== '')) add(tree, names)
  }
  return tree.size === 0 ? undefined : tree
}

function add(tree: Tree, names: readonly string[]): void {
  let within = tree
  for (const [i, name] of names.entries()) {
    const known = within.get(name)
    if (known === true) return
    if (i === names.length - 1) within.set(name, true)
    else {
      const inner: Tree = known ?? new Map()
      within.set(name, inner)
      within = inner
    }
  }
}

/** The fields of the items of a list. They may be named as they are, or below the list's own name. */
export function itemFields(fields: Fields | undefined, collection: string | undefined): Fields | undefined {
  const inner = collection === undefined ? undefined : fields?.get(collection)
  if (!fields || inner === undefined) return fields
  return inner === true ? undefined : new Map([...fields, ...inner])
}

/** Tells if a field is asked for, all of it or a part. */
export const wants = (fields: Fields | undefined, ...names: readonly string[]): boolean =>
  !fields || names.some(name => fields.has(name))

/** A value with only some of its fields; undefined for one that has none. Of a list, every item. */
export function project(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map(item => project(item, fields)).filter(item => item !== undefined)
  if (typeof value !== 'object' || value === null) return undefined
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const wanted = fields.get(name)
    if (wanted === undefined) return []
    const projected = wanted === true ? inner : project(inner, wanted)
    return projected === undefined ? [] : [[name, projected]]
  })
  return Object.fromEntries(kept)
}

/** A body with only some fields: of a list, its items have no others, and what is beside them stays. */
export function projectBody(body: unknown, fields: Fields, collection: string | undefined): unknown {
  if (collection === undefined || typeof body !== 'object' || body === null) return project(body, fields)
  const entries = Object.entries(body)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === collection ? project(value, fields) : value]),
  )
}
