import { isObject, parseJson } from './values.ts'

/** A field that the people of this calendar added. */
export type CustomField = { label: string; value: string }

export type CustomFields = Readonly<Record<string, CustomField>>

/** Changes of custom fields by key: null removes a field, and a part that is left out keeps its value. */
export type CustomFieldChanges = Readonly<Record<string, Partial<CustomField> | null>>

/**
 * Limits of the custom fields of one event: their number, characters of each part, and bytes of all in JSON.
 */
export const CUSTOM = { fields: 50, key: 64, label: 255, value: 5_000, bytes: 600_000 } as const

const KEY = /^[a-z0-9_]{1,64}$/

/** True if a text can be a key. Names that every object has, such as `constructor`, would break clients. */
export const isCustomKey = (key: string): boolean => KEY.test(key) && !Object.hasOwn(Object.prototype, key)

/** Reads stored custom fields. Texts that a long page of a list omits are empty. */
export function parseCustomFields(stored: string): CustomFields {
  if (stored === '' || stored === '{}') return {}
  const fields = parseJson(stored)
  const entries = Object.entries(isObject(fields) ? fields : {}).flatMap(([key, field]) =>
    isObject(field) ? [[key, { label: String(field.label ?? ''), value: String(field.value ?? '') }]] : [],
  )
  return Object.fromEntries(entries)
}

/** Applies changes to stored custom fields. They stay in the order in which they were added. */
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
  if (Object.keys(fields).length > CUSTOM.fields) return `must be at most ${CUSTOM.fields} fields in all`
  if (Buffer.byteLength(JSON.stringify(fields)) > CUSTOM.bytes)
    return `must be at most ${CUSTOM.bytes} bytes long in all, as JSON`
  return undefined
}
