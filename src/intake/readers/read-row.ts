import * as z from 'zod/mini'
import type { Row, Value } from '../../lib/connection.ts'
import { isDateTime } from '../../lib/time.ts'
import { isLogin, LIMIT, parseHttpUrl, toExternalId } from '../../lib/values.ts'
import { canonicalZone } from '../../lib/zones.ts'
import { uploadedPath } from '../../resources/content/images.ts'
import { UPLOADS } from '../../resources/content/uploads.ts'
import { eventFields } from '../../resources/events/schema.ts'
import { mediaTexts } from '../../resources/media/schema.ts'
import { organizerFields } from '../../resources/organizers/schema.ts'
import { categoryFields } from '../../resources/terms/schema.ts'
import { venueFields } from '../../resources/venues/schema.ts'
import { type BackupTable, backedUp } from '../columns.ts'
import { Unreadable } from '../records.ts'
import { cleanCustomFields } from './fields.ts'

// A row of a backup is checked as if its values had been sent: whoever can write into the file could write anything else.

/** Takes a sentence about a value that was left out. */
type Note = (text: string) => void

/** The fields by which the API checks what is written into a table. */
const FIELDS: Partial<Record<BackupTable, Readonly<Record<string, unknown>>>> = {
  events: eventFields.shape,
  series: eventFields.shape,
  venues: { ...venueFields.shape, name: venueFields.shape.venue },
  organizers: { ...organizerFields.shape, name: organizerFields.shape.organizer },
  terms: categoryFields.shape,
  images: mediaTexts.shape,
}

type Column = ReturnType<typeof backedUp>[string]
type Checked = { value: Value } | { reason: string }

/** The field of a column, whose values are stored as they are sent, but for cleaning. */
function fieldOf(table: BackupTable, name: string): z.ZodMiniType | undefined {
  const declared = FIELDS[table]?.[name]
  const field = declared instanceof z.ZodMiniOptional ? declared.def.innerType : declared
  // Fields are made by http/params.ts; those of texts and numbers are parsed to texts and numbers.
  return field instanceof z.ZodMiniType ? field : undefined
}

/** A text as the API would take it; one that is too long is cut. */
function asField(field: z.ZodMiniType, value: Value): Checked {
  const sent = (given: Value) => {
    const { success, data, error } = field.safeParse(given)
    return success ? { value: data as Value } : { reason: error.issues[0]?.message ?? 'is none' } // See fieldOf.
  }
  const whole = sent(value)
  const limit = z.globalRegistry.get(field)?.maxLength
  if ('value' in whole || typeof value !== 'string' || typeof limit !== 'number' || value.length <= limit)
    return whole
  const { reason } = whole
  const cut = sent([...value].slice(0, limit).join(''))
  return 'value' in cut && cut.value !== '' ? { ...cut, reason } : whole
}

const MOMENTS = /^(?:date|modified|(?:\w+_)?(?:date|utc)|extend_from)$/
const SLUG = /^[\p{L}\p{M}\p{N}_-]{1,250}$/u
const MIME_TYPE = /^(?:image\/[\w.+-]{1,50})?$/

const when = (isFine: boolean, value: Value, reason: string): Checked => (isFine ? { value } : { reason })

/** Checks of columns that no field sets, or in another form. */
const OWN: Readonly<Record<string, (text: string) => Checked>> = {
  login: text => when(isLogin(text), text, 'is no name of a user'),
  slug: text => when(text === '' || SLUG.test(text), text, 'is no slug'),
  url: text => {
    const isUpload = text.startsWith(UPLOADS) && uploadedPath(text) === text
    const address = isUpload ? text : parseHttpUrl(text)
    return address ? { value: address } : { reason: 'must be an http or https address' }
  },
  timezone: text => when(canonicalZone(text) !== undefined, text, 'must be a time zone'),
  timezone_abbr: text => when(/^[^<>\p{C}]{0,100}$/u.test(text), text, 'is none'),
  uid: text => when(toExternalId(text) === text && text.length <= 2 * LIMIT.externalId, text, 'is no UID'),
  mime_type: text => when(MIME_TYPE.test(text), text, 'is no type of an image'),
  custom_fields: text => ({ value: cleanCustomFields(text) }),
}

function checkNumber(value: number, { name, dataType, columnType }: Column): Checked {
  if (dataType === 'boolean') return when(value === 0 || value === 1, value, 'must be 0 or 1')
  if (columnType === 'SQLiteReal') return when(Number.isFinite(value), value, 'must be a number')
  const least = /^(?:id|version|width|height)$/.test(name) ? 1 : 0
  return when(Number.isSafeInteger(value) && value >= least, value, 'must be a whole number')
}

function check(table: BackupTable, column: Column, value: Value): Checked {
  const { name } = column
  if (value === null) return { value }
  if (MOMENTS.test(name)) return when(isDateTime(value), value, 'must be a date and time')
  const own = OWN[name]
  if (own && typeof value === 'string' && !(name === 'url' && table !== 'images')) return own(value)
  const field = fieldOf(table, name)
  if (field && value !== '' && column.dataType !== 'boolean' && !column.enumValues?.length)
    return asField(field, value)
  return typeof value === 'number' ? checkNumber(value, column) : { value }
}

/** The value in place of a bad one: none, or the column's default. Undefined if a row is none without it. */
function neutral({ name, notNull, default: fallback, dataType }: Column): Value | undefined {
  if (dataType === 'boolean') return fallback === true ? 1 : 0
  if (!notNull) return null
  if (typeof fallback === 'string' || typeof fallback === 'number') return fallback
  return NEUTRAL[name]
}

/** Values of columns without a default. Dates of publication and change are then those of the import. */
const NEUTRAL: Readonly<Record<string, Value>> = {
  ...{ slug: '', title: '', name: '', timezone_abbr: '', position: 0 },
  ...{ version: 1, date: null, date_utc: null, modified: null, modified_utc: null },
  created_utc: '1970-01-01 00:00:00',
}

/**
 * Reads a row of a backup. Columns that it lacks, because it is older than they are, get their defaults. A value that the API
 * would refuse is left out with a note, a text that is too long is cut.
 *
 * @throws Unreadable for values without which a row is none
 */
export function readRow(table: BackupTable, raw: unknown, note: Note = () => {}): Row {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new Unreadable(`the backup has no row of ${table} for it`)
  const given = new Map<string, unknown>(Object.entries(raw))
  const what = `${table} ${String(given.get('id') ?? '').slice(0, 20)}`.trim()
  const row: Row = {}
  for (const [name, column] of Object.entries(backedUp(table))) {
    const value = given.has(name) ? given.get(name) : defaultOf(column)
    const checked = fits(value, column)
      ? check(table, column, value)
      : { reason: `cannot be ${JSON.stringify(value)?.slice(0, 100)}` }
    if ('value' in checked) {
      row[name] = checked.value
      if ('reason' in checked) note(`${what}: ${name} was cut: it ${checked.reason}`)
      continue
    }
    const instead = given.has(name) ? neutral(column) : undefined
    if (instead === undefined) throw new Unreadable(`${name} of ${table} ${checked.reason}`)
    row[name] = instead
    note(`${what}: ${name} was left out: it ${checked.reason}`)
  }
  return ordered(table, row)
}

/** @throws Unreadable for an event that ends before it starts */
function ordered(table: BackupTable, row: Row): Row {
  const isBack = (start: string, end: string) => String(row[end]) < String(row[start])
  if (table === 'events' && isBack('utc_start_date', 'utc_end_date'))
    throw new Unreadable('it ends before it starts')
  if (table === 'series' && isBack('start_date', 'end_date')) throw new Unreadable('it ends before it starts')
  // They come in pairs.
  for (const name of ['date', 'modified'])
    if (row[name] === null || row[`${name}_utc`] === null)
      for (const half of [name, `${name}_utc`]) if (half in row && table !== 'images') row[half] = null
  return row
}

/** The value that the database would fill in; undefined if it would refuse a row without one. */
function defaultOf(column: Column): unknown {
  if (typeof column.default === 'boolean') return column.default ? 1 : 0
  return column.default ?? (column.notNull ? undefined : null)
}

function fits(value: unknown, { notNull, dataType, enumValues }: Column): value is Value {
  if (value === null) return !notNull
  if (dataType !== 'string') return typeof value === 'number' && Number.isFinite(value)
  return typeof value === 'string' && (!enumValues || enumValues.length === 0 || enumValues.includes(value))
}
