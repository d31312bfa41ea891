import * as z from 'zod/mini'
import type { CalendarContext } from '../../kit/context.ts'
import { descriptionOf } from '../../kit/http/params.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import { type Body, type Control, inputsOf } from './control.ts'
import { flagControl, selectControl } from './controls/choice.ts'
import { lineControl, lines } from './controls/text.ts'
import { type Entries, entriesDigest, entry } from './entries.ts'
import { isSpread } from './repetition/rule.ts'

/** The folded groups of a form, up to what only programs need. */
export const FOLDED_GROUPS = ['details', 'online', 'state', 'more', 'programs'] as const
/** The groups of a form. The first two are always open. */
export type Group = 'first' | 'publication' | (typeof FOLDED_GROUPS)[number]

/**
 * The group of a field, and its control if that is not the default for its parameter. A required field may be
 * covered by another. `isBeside` puts it on the line of the field before it, if there is room.
 */
export type Placement = { group?: Group; control?: Control; isRequired?: boolean; isBeside?: boolean }

const placedIn =
  (group: Group) =>
  (control?: Control): Placement => ({ group, ...(control && { control }) })

/** Puts a field at the top, or in the first folded group. */
export const inFirst = placedIn('first')
export const inDetails = placedIn('details')

export type FormField = {
  name: string
  group: Group
  control: Control
  isRequired: boolean
  isBeside: boolean
}

/** The form of a resource with its fields in order. `resource` selects their texts. */
export type Form<K extends string = string> = { resource: K; fields: readonly FormField[] }

/**
 * Makes the form of a resource from the parameters of its requests. Fields that are not placed get their
 * default control in the last group.
 *
 * @param placements the placed fields, in the order of the form; null for those that are not in it
 */
export function defineForm<K extends string, S extends Readonly<Record<string, z.core.$ZodType>>>(
  resource: K,
  shape: S,
  placements: { readonly [N in keyof S]?: Placement | null },
): Form<K> {
  const otherFields = Object.keys(shape).filter(name => !(name in placements))
  const fields = [...Object.keys(placements), ...otherFields].flatMap((name): FormField[] => {
    const placement: Placement | null | undefined = placements[name]
    const param = shape[name]
    if (placement === null || !param) return []
    const isParamRequired = !(param instanceof z.ZodMiniOptional)
    const {
      group = 'more',
      control = controlOf(param),
      isRequired = isParamRequired,
      isBeside = false,
    } = placement ?? {}
    return [{ name, group, control, isRequired, isBeside }]
  })
  return { resource, fields }
}

/** The default control of a parameter, by its description. */
function controlOf(param: z.core.$ZodType): Control {
  const { type, enum: values, format, maxLength, minimum, maximum, default: initial } = descriptionOf(param)
  // A union, such as a number or an empty text, gets the control of its number.
  const types = [type].flat()
  if (Array.isArray(values)) return selectControl(values.map(String))
  if (types.includes('boolean')) return flagControl(initial === true)
  if (types.includes('integer'))
    return lineControl({ type: 'number', step: '1', ...bounds(minimum, maximum) })
  if (types.includes('number'))
    return lineControl({ type: 'number', step: 'any', ...bounds(minimum, maximum) })
  if (format === 'email') return lineControl({ type: 'email', maxLength: FIELD_LIMITS.text })
  if (typeof maxLength === 'number' && maxLength > FIELD_LIMITS.url) return lines()
  return lineControl(typeof maxLength === 'number' ? { maxLength } : {})
}

const bounds = (minimum: unknown, maximum: unknown) => ({
  ...(typeof minimum === 'number' && { minimum }),
  ...(typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
})

export const entriesFor = ({ fields }: Form, body: Body, context: CalendarContext): Entries =>
  new Map(fields.flatMap(({ name, control }) => [...control.show(body, name, context)]))

/** The name of the input with the digest of a field when the form was made. */
const digestInput = (name: string): string => `was.${name}`

function digest(field: FormField, entries: Entries): string {
  const names = inputsOf(field)
  if (!field.control.isSet) return entriesDigest(entries, names)
  return entriesDigest(new Map(names.map(input => [input, [...(entries.get(input) ?? [])].sort()])), names)
}

/** The hidden inputs that say which fields a submitted form had, and what they held. */
export const formDigests = ({ fields }: Form, entries: Entries): Map<string, string[]> =>
  new Map(fields.map(field => [digestInput(field.name), [digest(field, entries)]]))

/** The hidden inputs of a form without some of its fields. */
export const withoutFields = (
  hidden: Entries,
  names: Pick<ReadonlyMap<string, unknown>, 'keys'>,
): Entries => {
  const omittedNames = new Set([...names.keys()].map(digestInput))
  return new Map([...hidden].filter(([name]) => !omittedNames.has(name)))
}

/** The fields that a submitted form had. */
export const fieldsIn = ({ fields }: Form, posted: Entries): FormField[] =>
  fields.filter(({ name }) => posted.has(digestInput(name)))

/**
 * The fields of a submitted form that are spread, or in which some entries, by default its own, differ from
 * when the form was made.
 */
export const changedFields = (form: Form, posted: Entries, entries = posted): FormField[] =>
  fieldsIn(form, posted).filter(
    field =>
      isSpread(entries, field.name) || entry(posted, digestInput(field.name)) !== digest(field, entries),
  )

/** The values of fields for a request of the API. */
export const formValues = (
  fields: readonly FormField[],
  entries: Entries,
  context: CalendarContext,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, control }) => {
      const value = control.value(entries, name, context)
      return value === undefined ? [] : [[name, value]]
    }),
  )
