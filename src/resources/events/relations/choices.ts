import * as z from 'zod/mini'
import { check, missingFields } from '../../../http/input.ts'
import { field } from '../../../http/params.ts'
import { coded } from '../../../lib/reasons.ts'
import { toPlain } from '../../../lib/text.ts'
import { InvalidValue, isObject, LIMIT, limited, toInteger } from '../../../lib/values.ts'
import type { RelatedTables, RelatedValues } from '../../content/related/resource.ts'

// Values of the fields for venues, organizers, categories and tags of an event. Objects in the form of responses are
// accepted as well, so that an event that was read can be sent back.

/** The fields of relations. */
export const RELATIONS = ['venue', 'organizer', 'categories', 'tags'] as const

export type RelationName = (typeof RELATIONS)[number]

export const isRelation = (name: string): name is RelationName => RELATIONS.some(other => other === name)

/**
 * A venue or organizer: by id, or by the values of one to find or create. If both are given, the values are used if the
 * id is unknown.
 */
export type LinkChoice = { id?: number; values?: RelatedValues }

/** A category or tag: by id, name or slug. If `creatable`, an unknown name is created. */
export type TermChoice = { id?: number; name?: string; slug?: string; creatable: boolean }

/** The most characters of a value that an error repeats. */
const LONGEST_SHOWN = 40

const isDigits = (raw: unknown): boolean =>
  typeof raw === 'number' || (typeof raw === 'string' && /^\s*\d+\s*$/.test(raw))

/** The items of a list: a text is split at commas, the items of an array are not. */
function itemsOf(raw: unknown): unknown[] {
  const items =
    typeof raw === 'string' ? raw.split(',').map(part => part.trim()) : Array.isArray(raw) ? raw : [raw]
  return atMost(
    LIMIT.links,
    items.filter(item => item !== '' && item !== null && item !== false),
  )
}

function atMost<T>(most: number, items: T[]): T[] {
  if (items.length > most)
    throw new InvalidValue(coded('too_many_items', `must have at most ${most} items`, { n: most }))
  return items
}

/** JSON Schema of a number, a text, an object of the given forms, or a list of these. */
function oneOrSeveral(most: number, ...objects: object[]): object[] {
  const one = [{ type: 'integer' }, { type: 'string' }, ...objects]
  return [...one, { type: 'array', items: { anyOf: one }, maxItems: most }]
}

const BY_ID = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }

/** A category or tag in the form of responses: by its id, else by its name or slug. */
const TERM = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, slug: { type: 'string' } },
}

/** `documented` has the fields for the documentation, which may be more. */
type NestedKind = Pick<RelatedTables, 'singular' | 'fields' | 'validate'> & { documented?: z.ZodMiniObject }

/** A field for venues or organizers: by id, or with the fields of a new one. 0 stands for none, as with parents. */
export const linkChoices = (resource: NestedKind, description: string, most: number = LIMIT.links) =>
  field(
    raw =>
      atMost(
        most,
        itemsOf(raw === 0 || raw === '0' ? [] : raw).flatMap(item => linkChoice(item, resource)),
      ),
    {
      description,
      anyOf: oneOrSeveral(most, BY_ID, {
        $ref: `#/components/schemas/${z.globalRegistry.get(resource.documented ?? resource.fields)?.id}`,
      }),
      example: [{ [resource.singular]: resource.singular === 'venue' ? 'The Barn' : 'The Guild' }],
    },
  )

function linkChoice(raw: unknown, resource: NestedKind): LinkChoice[] {
  if (typeof raw === 'string' && raw.includes(','))
    return itemsOf(raw).flatMap(item => linkChoice(item, resource))
  if (isDigits(raw)) return [{ id: toInteger(raw, 1) }]
  if (!isObject(raw)) {
    const { singular } = resource
    const name = nameIn(raw)
    throw new InvalidValue(
      `must be an id or an object: by name it is ${exampleOf(raw, singular)}, in forms ${singular}[${singular}]=${name}`,
    )
  }
  if (!isDigits(raw.id)) return [{ values: newValues(raw, resource) }]
  const id = toInteger(raw.id, 1)
  const name = raw[resource.singular]
  return typeof name === 'string' && name !== '' ? [{ id, values: newValues(raw, resource) }] : [{ id }]
}

/** The name in a value of another form, or an example. */
const nameIn = (raw: unknown): string =>
  typeof raw === 'string' && raw !== '' ? raw.slice(0, LONGEST_SHOWN).toWellFormed() : 'The Barn'

/** An example of the right form, with the value itself, its `name` or its `title` as the name. */
const exampleOf = (raw: unknown, singular: string): string =>
  JSON.stringify({ [singular]: nameIn(isObject(raw) ? (raw.name ?? raw.title) : raw) })

/** Checks the fields of a nested venue or organizer, by the rules of its own route. */
function newValues(
  raw: Readonly<Record<string, unknown>>,
  { singular, fields, validate }: NestedKind,
): RelatedValues {
  const missing = missingFields(fields, raw)
  if (missing)
    throw new InvalidValue(coded('missing', `${missing.message}. A new one is ${exampleOf(raw, singular)}`))
  const { values, errors } = check(fields, raw)
  validate?.(values, undefined, errors)
  if (errors.any) throw new InvalidValue(errors.summary)
  return values
}

/** A field for categories or tags. */
export const termChoices = (description: string, most: number = LIMIT.links) =>
  field(raw => atMost(most, itemsOf(raw)).map(termChoice), {
    description,
    anyOf: oneOrSeveral(most, TERM),
    example: ['Music'],
  })

const NO_TERM = 'must be ids or names, such as [3, "Music"]'

function termChoice(raw: unknown): TermChoice {
  if (isDigits(raw)) return { id: toInteger(raw, 1), name: String(raw).trim(), creatable: false }
  if (typeof raw === 'string') return { name: termName(raw), creatable: true }
  if (!isObject(raw)) throw new InvalidValue(NO_TERM)
  const choice: TermChoice = { creatable: typeof raw.name === 'string' }
  if (isDigits(raw.id)) choice.id = toInteger(raw.id, 1)
  if (typeof raw.name === 'string') choice.name = termName(raw.name)
  if (typeof raw.slug === 'string') choice.slug = limited(raw.slug, LIMIT.slug)
  if (choice.id === undefined && choice.name === undefined && choice.slug === undefined)
    throw new InvalidValue(NO_TERM)
  return choice
}

function termName(raw: string): string {
  const name = limited(toPlain(limited(raw, LIMIT.name)), LIMIT.name)
  if (name === '') throw new InvalidValue('must not contain an empty name')
  return name
}
