import { field, lineOf } from '../../kit/http/params.ts'
import { InvalidValue, isEmpty, isObject, parseJson } from '../../kit/lib/values.ts'

/** A field that the people of this calendar added. */
export type CustomField = { label: string; value: string }

export type CustomFields = Readonly<Record<string, CustomField>>

/** Changes of custom fields by key: null removes a field, and a part that is left out keeps its value. */
export type CustomFieldChanges = Readonly<Record<string, Partial<CustomField> | null>>

/**
 * Limits of the custom fields of one event: their number, characters of each part, and bytes of all in JSON.
 */
export const CUSTOM_LIMITS = { fields: 50, key: 64, label: 255, value: 5_000, bytes: 600_000 } as const

const KEY = /^[a-z0-9_]{1,64}$/

/** True if a text can be a key. Names that every object has, such as `constructor`, would break clients. */
export const isCustomKey = (key: string): boolean => KEY.test(key) && !Object.hasOwn(Object.prototype, key)

/** Reads stored custom fields. Texts that a long page of a list omits are empty. */
export function parseCustomFields(stored: string): CustomFields {
  if (stored === '' || stored === '{}') return {}
  const fields = parseJson(stored)
  const entries = Object.entries(isObject(fields) ? fields : {}).flatMap(
    ([key, field]): [string, CustomField][] =>
      isObject(field) ? [[key, { label: String(field.label ?? ''), value: String(field.value ?? '') }]] : [],
  )
  return Object.fromEntries(entries)
}

/** Applies changes to stored custom fields. The fields stay in the order in which they were added. */
export function changeCustomFields(stored: CustomFields, changes: CustomFieldChanges): CustomFields {
  const fields = new Map(Object.entries(stored))
  for (const [key, change] of Object.entries(changes)) {
    if (change === null) fields.delete(key)
    else fields.set(key, { label: '', value: '', ...fields.get(key), ...change })
  }
  return Object.fromEntries(fields)
}

/** The reason why custom fields cannot be stored; undefined if they can. */
export function customFieldsError(fields: CustomFields): string | undefined {
  if (Object.keys(fields).length > CUSTOM_LIMITS.fields)
    return `must be at most ${CUSTOM_LIMITS.fields} fields in all`
  if (Buffer.byteLength(JSON.stringify(fields)) > CUSTOM_LIMITS.bytes)
    return `must be at most ${CUSTOM_LIMITS.bytes} bytes long in all, as JSON`
  return undefined
}

/** Limit of the keys in one request: all keys that an event can have, and as many to remove. */
const MAX_KEYS = 2 * CUSTOM_LIMITS.fields

const PART = { type: ['string', 'number'] }

/** A field for custom fields: changes by key, or 'none' to remove all. */
export const customFields = (description: string) =>
  field(toCustomFieldChanges, {
    description,
    type: ['object', 'array', 'string'],
    propertyNames: { pattern: `^[a-z0-9_]{1,${CUSTOM_LIMITS.key}}$` },
    maxProperties: MAX_KEYS,
    items: {},
    maxItems: 0,
    maxLength: 0,
    additionalProperties: {
      type: ['object', 'null', 'string'],
      properties: {
        label: { ...PART, maxLength: CUSTOM_LIMITS.label },
        value: { ...PART, maxLength: CUSTOM_LIMITS.value },
      },
      maxLength: 0,
    },
    example: { price_band: { label: 'Price band', value: 'Mid' } },
  })

/** Limit of the custom fields by which one list is filtered. */
const MAX_FILTER_KEYS = 3

/** A filter by custom fields: the exact value of each key. */
export const customValues = (description: string) =>
  field(toCustomFieldValues, {
    description,
    type: 'object',
    propertyNames: { pattern: `^[a-z0-9_]{1,${CUSTOM_LIMITS.key}}$` },
    minProperties: 1,
    maxProperties: MAX_FILTER_KEYS,
    additionalProperties: { type: 'string', maxLength: CUSTOM_LIMITS.value },
    example: { price_band: 'Mid' },
  })

/** @throws InvalidValue */
function toCustomFieldValues(raw: unknown): Readonly<Record<string, string>> {
  const entries = isObject(raw) ? Object.entries(raw) : []
  if (entries.length === 0 || entries.length > MAX_FILTER_KEYS)
    throw new InvalidValue(`must be one to ${MAX_FILTER_KEYS} values by key: custom_fields[price_band]=Mid`)
  return Object.fromEntries(
    entries.map(([key, value]) => {
      assertKey(key)
      return [key, labelOrValue(key, 'value', value).value ?? '']
    }),
  )
}

/** @throws InvalidValue */
function toCustomFieldChanges(raw: unknown): CustomFieldChanges | 'none' {
  if (isEmpty(raw)) return 'none'
  if (!isObject(raw))
    throw new InvalidValue(
      'must be an object by key, such as {"price_band": {"label": "Price band", "value": "Mid"}}',
    )
  const entries = Object.entries(raw)
  if (entries.length > MAX_KEYS) throw new InvalidValue(`must name at most ${MAX_KEYS} keys`)
  return Object.fromEntries(entries.map(([key, change]) => [key, changeOf(key, change)]))
}

/** @throws InvalidValue */
function assertKey(key: string): void {
  if (!isCustomKey(key))
    throw new InvalidValue(
      `must not have the key ${key.slice(0, CUSTOM_LIMITS.key).toWellFormed()}: a key has at most ${CUSTOM_LIMITS.key} characters of a-z, 0-9 and _, and is not the name of a property that every object has`,
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
    return { [part]: lineOf(raw, CUSTOM_LIMITS[part]) }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    throw new InvalidValue(`${key}, ${part}: ${error.message}`)
  }
}
