import { field, lineOf } from '../../kit/http/params.ts'
import { CUSTOM, type CustomFieldChanges, isCustomKey } from '../../kit/lib/custom-fields.ts'
import { InvalidValue, isEmpty, isObject } from '../../kit/lib/values.ts'

/** Limit of the keys in one request: all keys that an event can have, and as many to remove. */
const MAX_NAMED = 2 * CUSTOM.fields

const PART = { type: ['string', 'number'] }

/** A field for custom fields: changes by key, or 'none' to remove all. */
export const customFields = (description: string) =>
  field(customFieldChanges, {
    description,
    type: ['object', 'array', 'string'],
    propertyNames: { pattern: `^[a-z0-9_]{1,${CUSTOM.key}}$` },
    maxProperties: MAX_NAMED,
    items: {},
    maxItems: 0,
    maxLength: 0,
    additionalProperties: {
      type: ['object', 'null', 'string'],
      properties: {
        label: { ...PART, maxLength: CUSTOM.label },
        value: { ...PART, maxLength: CUSTOM.value },
      },
      maxLength: 0,
    },
    example: { price_band: { label: 'Price band', value: 'Mid' } },
  })

/** Limit of the custom fields by which one list is filtered. */
const MAX_FILTERED = 3

/** A filter by custom fields: the exact value of each key. */
export const customValues = (description: string) =>
  field(customFieldValues, {
    description,
    type: 'object',
    propertyNames: { pattern: `^[a-z0-9_]{1,${CUSTOM.key}}$` },
    minProperties: 1,
    maxProperties: MAX_FILTERED,
    additionalProperties: { type: 'string', maxLength: CUSTOM.value },
    example: { price_band: 'Mid' },
  })

/** @throws InvalidValue */
function customFieldValues(raw: unknown): Readonly<Record<string, string>> {
  const entries = isObject(raw) ? Object.entries(raw) : []
  if (entries.length === 0 || entries.length > MAX_FILTERED)
    throw new InvalidValue(`must be one to ${MAX_FILTERED} values by key: custom_fields[price_band]=Mid`)
  return Object.fromEntries(
    entries.map(([key, value]) => {
      assertKey(key)
      return [key, labelOrValue(key, 'value', value).value ?? '']
    }),
  )
}

/** @throws InvalidValue */
function customFieldChanges(raw: unknown): CustomFieldChanges | 'none' {
  if (isEmpty(raw)) return 'none'
  if (!isObject(raw))
    throw new InvalidValue(
      'must be an object by key, such as {"price_band": {"label": "Price band", "value": "Mid"}}',
    )
  const entries = Object.entries(raw)
  if (entries.length > MAX_NAMED) throw new InvalidValue(`must name at most ${MAX_NAMED} keys`)
  return Object.fromEntries(entries.map(([key, change]) => [key, changeOf(key, change)]))
}

/** @throws InvalidValue */
function assertKey(key: string): void {
  if (!isCustomKey(key))
    throw new InvalidValue(
      `must not have the key ${key.slice(0, CUSTOM.key).toWellFormed()}: keys are of a-z, 0-9 and _, at most ${CUSTOM.key} characters long, and not the name of what every object has`,
    )
}

function changeOf(key: string, raw: unknown): CustomFieldChanges[string] {
  assertKey(key)
  // Forms have no null.
  if (raw === null || raw === '') return null
  if (!isObject(raw))
    throw new InvalidValue(`must have a label and a value at ${key}: {"label": "Price band", "value": "Mid"}`)
  return { ...labelOrValue(key, 'label', raw.label), ...labelOrValue(key, 'value', raw.value) }
}

function labelOrValue(key: string, part: 'label' | 'value', raw: unknown): { [K in typeof part]?: string } {
  if (raw === undefined || raw === null) return {}
  try {
    return { [part]: lineOf(raw, CUSTOM[part]) }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    throw new InvalidValue(`${key}, ${part}: ${error.message}`)
  }
}
