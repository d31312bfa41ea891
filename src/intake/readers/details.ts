import {
  CUSTOM,
  type CustomField,
  type CustomFields,
  customFieldsError,
  isCustomKey,
  parseCustomFields,
} from '../../lib/custom-fields.ts'
import {
  EVENT_STATUSES,
  type EventStatus,
  VIRTUAL_EVENT_TYPES,
  type VirtualEventType,
} from '../../lib/statuses.ts'
import { isObject, LIMIT, toExternalId } from '../../lib/values.ts'
import { type Raw, type Reading, readFlag, readLine, readUrl, remark, textOrEmpty } from './fields.ts'

// Details of events that not every calendar knows. Values that cannot be kept are left out with a note.

/** Reads what has become of an event. Many write "cancelled". */
export function eventStatus(raw: unknown, reading: Reading): EventStatus {
  const text = textOrEmpty(raw).trim().toLowerCase().replace('cancelled', 'canceled')
  const known = EVENT_STATUSES.find(status => status === text)
  if (known === undefined && text !== '')
    remark(reading, `unknown event status, left out: ${JSON.stringify(text.slice(0, 100))}`)
  return known ?? 'scheduled'
}

/** Reads the fields of an online event. */
export function virtualFields(raw: Raw, reading: Reading) {
  const named = VIRTUAL_EVENT_TYPES.find(type => type === raw.virtual_event_type)
  const isVirtual = raw.is_virtual === undefined ? Boolean(named) : readFlag(raw.is_virtual)
  const type: VirtualEventType = isVirtual ? named || 'virtual' : ''
  return { virtual_event_type: type, virtual_url: readUrl(raw.virtual_url, reading, 'virtual_url') }
}

/** Reads an id of a third system; undefined if the source has no such field. */
export function readExternalId(raw: unknown, reading: Reading): string | undefined {
  if (raw === undefined || raw === null) return undefined
  const id = toExternalId(textOrEmpty(raw))
  if ([...id].length <= LIMIT.externalId) return id
  remark(reading, `its external id is too long, left out: ${id.slice(0, 50)}…`)
  return ''
}

/** Cleans custom fields of a backup, as they are stored. What is none is left out. */
export const cleanCustomFields = (stored: string): string =>
  JSON.stringify(readCustomFields(parseCustomFields(stored), { note: () => {}, what: '' }))

/** Custom fields that are looked at, far more than are kept. */
const MOST_CUSTOM = 10 * CUSTOM.fields

/** Reads custom fields: an object by key, of objects or of mere values. Keys are made to fit. */
export function readCustomFields(raw: unknown, reading: Pick<Reading, 'note' | 'what'>): CustomFields {
  const fields = new Map<string, CustomField>()
  for (const [name, given] of Object.entries(isObject(raw) ? raw : {}).slice(0, MOST_CUSTOM)) {
    const key = keyOf(name)
    const field = fieldOf(given, name)
    if (!field || !isCustomKey(key) || fields.has(key) || !fits(new Map(fields).set(key, field)))
      remark(reading, `a custom field was left out: ${JSON.stringify(name.slice(0, 100))}`)
    else fields.set(key, field)
  }
  if (Array.isArray(raw) && raw.length > 0) remark(reading, 'custom fields without keys were left out')
  return Object.fromEntries(fields)
}

const fits = (fields: ReadonlyMap<string, CustomField>): boolean =>
  customFieldsError(Object.fromEntries(fields)) === undefined

const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, CUSTOM.key)

/** A field: an object with a value and perhaps a label, a mere value, or several values. Undefined for anything else. */
function fieldOf(given: unknown, name: string): CustomField | undefined {
  if (!isObject(given)) {
    const value = textIn(given)
    return value === undefined ? undefined : { label: readLine(name, CUSTOM.label), value }
  }
  const value = textIn(given.value)
  const label = readLine(given.label, CUSTOM.label)
  return value === undefined ? undefined : { label, value }
}

function textIn(raw: unknown): string | undefined {
  if (raw === null || raw === undefined) return ''
  if (Array.isArray(raw)) return readLine(raw.map(textOrEmpty).filter(Boolean).join(', '), CUSTOM.value)
  if (typeof raw === 'boolean') return raw ? 'yes' : 'no'
  return isObject(raw) ? undefined : readLine(raw, CUSTOM.value)
}
