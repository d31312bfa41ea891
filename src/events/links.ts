import type * as z from 'zod'
import { field, InvalidValue, LIMIT, toInteger } from '../http/params.ts'
import { check, missingFields } from '../http/validate.ts'
import { toPlain } from '../lib/text.ts'
import type { LinkedValues } from '../linked/writes.ts'

// What a request may write for the things that an event links to. Objects as the API answers them
// are taken as well, so that an event that was read can be sent back.

/** A venue or organizer: one there is, or the data of one to be found or made; data alone, or in case the id is unknown. */
export type LinkChoice = { id?: number; values?: LinkedValues }

/** A category or tag: by id, or by a name or slug; by a new name where `creatable`. */
export type TermChoice = { id?: number; name?: string; slug?: string; creatable: boolean }

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

const isDigits = (raw: unknown): boolean =>
  typeof raw === 'number' || (typeof raw === 'string' && /^\s*\d+\s*$/.test(raw))

/** The items of a list; text is comma-separated, but the items of an array are taken as they stand. */
function itemsOf(raw: unknown): unknown[] {
  const items =
    typeof raw === 'string' ? raw.split(',').map(part => part.trim()) : Array.isArray(raw) ? raw : [raw]
  const given = items.filter(item => item !== '' && item !== null && item !== false)
  if (given.length > LIMIT.links) throw new InvalidValue(`must have at most ${LIMIT.links} items`)
  return given
}

/**
 * The kind of field that links venues or organizers.
 *
 * @param singular the field that holds a new one's name
 * @param fields what a new one takes
 */
export const linkChoices = (singular: 'venue' | 'organizer', fields: z.ZodObject, description: string) =>
  field(raw => itemsOf(raw).flatMap(item => linkChoice(item, singular, fields)), {
    description,
    type: ['array', 'object', 'integer', 'string'],
    items: {
      anyOf: [{ type: 'integer' }, { type: 'string' }, { $ref: `#/components/schemas/${fields.meta()?.id}` }],
    },
    maxItems: LIMIT.links,
    example: [{ [singular]: singular === 'venue' ? 'The Barn' : 'The Guild' }],
  })

function linkChoice(raw: unknown, singular: string, fields: z.ZodObject): LinkChoice[] {
  if (typeof raw === 'string' && raw.includes(','))
    return itemsOf(raw).flatMap(item => linkChoice(item, singular, fields))
  if (isDigits(raw)) return [{ id: toInteger(raw, 1) }]
  if (!isObject(raw)) throw new InvalidValue('must be ids, or objects with an id or with data')
  if (!isDigits(raw.id)) return [{ values: newValues(raw, fields) }]
  const id = toInteger(raw.id, 1)
  return typeof raw[singular] === 'string' && raw[singular] !== ''
    ? [{ id, values: newValues(raw, fields) }]
    : [{ id }]
}

function newValues(raw: Record<string, unknown>, fields: z.ZodObject): LinkedValues {
  const missing = missingFields(fields, raw)
  if (missing) throw new InvalidValue(missing.message)
  const { values, problems } = check(fields, raw)
  if (problems.any) throw new InvalidValue(problems.summary)
  return values
}

/** The kind of field that links categories or tags. */
export const termChoices = (description: string) =>
  field(raw => itemsOf(raw).map(termChoice), {
    description,
    type: ['array', 'integer', 'string'],
    items: { type: ['integer', 'string', 'object'] },
    maxItems: LIMIT.links,
    example: ['Music'],
  })

function termChoice(raw: unknown): TermChoice {
  if (isDigits(raw)) return { id: toInteger(raw, 1), name: String(raw).trim(), creatable: false }
  if (typeof raw === 'string') return { name: termName(raw), creatable: true }
  if (!isObject(raw)) throw new InvalidValue('must be ids or names')
  const choice: TermChoice = { creatable: typeof raw.name === 'string' }
  if (isDigits(raw.id)) choice.id = toInteger(raw.id, 1)
  if (typeof raw.name === 'string') choice.name = termName(raw.name)
  if (typeof raw.slug === 'string') choice.slug = raw.slug
  if (choice.id === undefined && choice.name === undefined && choice.slug === undefined)
    throw new InvalidValue('must be ids or names')
  return choice
}

function termName(raw: string): string {
  const name = toPlain(raw)
  if (name === '') throw new InvalidValue('must not contain an empty name')
  if (name.length > LIMIT.name) throw new InvalidValue(`names must be at most ${LIMIT.name} characters long`)
  return name
}
