import {
  CUSTOM_LIMITS,
  type CustomField,
  type CustomFields,
  customFieldsError,
  isCustomKey,
} from '../calendar/content/custom-fields.ts'
import { reportGuess } from '../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type ImageRecord,
  type ReaderContext,
  type RecordTimes,
  Unreadable,
  type VenueRecord,
} from '../calendar/imports/records.ts'
import { convertErrors } from '../kit/lib/errors.ts'
import { toHtml, toInlineHtml } from '../kit/lib/html.ts'
import { parseDate } from '../kit/lib/parse-date.ts'
import { InvalidRule, parseRule, type Rule, type RuleReading } from '../kit/lib/recurrence/rule.ts'
import { namedSlug } from '../kit/lib/slug.ts'
import { EVENT_STATUSES, type EventStatus, type VirtualEventType } from '../kit/lib/statuses.ts'
import { decodeEntities, toPlain } from '../kit/lib/text.ts'
import { atWall, type DateTime, dayOf, toUtc, toWall, type ZonedTime } from '../kit/lib/time.ts'
import {
  FIELD_LIMITS,
  isObject,
  parseBoolean,
  parseEmail,
  parseHttpUrl,
  toExternalId,
} from '../kit/lib/values.ts'

// Cleans values of other calendars' records, keeping as much as possible of values that the API would refuse.

export type RawValues = Readonly<Record<string, unknown>>

/** The context in which values of a record are read: its calendar, and its name in notes. */
export type FieldReading = ReaderContext & { source: string; what: string; line?: number | undefined }

/** A context in which notes and guesses can be reported. */
export type ReadingNotes = Pick<FieldReading, 'note' | 'guess' | 'what' | 'line'>

/** Notes a remark on a value. @param part the part of the record, if the text doesn't name it */
export const noteAbout = ({ note, what, line }: ReadingNotes, text: string, part?: string): void =>
  note(`${[what, line && `line ${line}`, part].filter(Boolean).join(', ')}: ${text}`)

/** Reports that a value was left out. @param field its name @param text as the source has it */
export const reportLeftOut = (reading: ReadingNotes, field: string, text: string): void =>
  reportGuess(reading, { code: 'guess_left_out', what: reading.what, line: reading.line, field, text })

/** True for a wall time that a clock change skips. */
export const isSkipped = (wall: DateTime, zone: string): boolean => atWall(wall, zone).skipped !== undefined

/** Reports that clocks skip a given time, and when the event takes place instead. */
export function reportSkipped(
  { what, line, ...reading }: Pick<ReaderContext, 'note' | 'guess'> & Partial<ReadingNotes>,
  text: string,
  { start, end }: Pick<RecordTimes, 'start' | 'end'>,
): void {
  const from = start.wall.slice(0, 16)
  const to = end.wall.slice(0, 16)
  const until = dayOf(to) === dayOf(from) ? to.slice(11) : to
  const as = from === to ? from : `${from} – ${until}`
  reportGuess(reading, { code: 'guess_skipped', what, line, text, as })
}

/** A text or number as text; '' for anything else. Never throws. */
export const textOrEmpty = (raw: unknown): string =>
  typeof raw === 'string' ? raw : typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : ''

const cutText = (text: string, limit: number): string => {
  // Two UTF-16 units make at most one character.
  if (text.length <= limit) return text
  return [...text.slice(0, 2 * limit)].slice(0, limit).join('')
}

/** The factor by which a text with tags and entities may be longer than the line that it becomes. */
const MAX_LINE_FACTOR = 20

/** One line of text, as {@link toPlain} makes it. */
export const readLine = (raw: unknown, limit: number = FIELD_LIMITS.text): string =>
  cutText(toPlain(textOrEmpty(raw).slice(0, MAX_LINE_FACTOR * limit)), limit)

/** A title or name: a line that may be longer. */
export const readTitle = (raw: unknown): string => readLine(raw, FIELD_LIMITS.name)

export const readHtml = (raw: unknown, limit: number): string => toHtml(cutText(textOrEmpty(raw), limit))

/**
 * Text with emphasis, links and line breaks. A text without any of these is one line, as every text was
 * before terms could have markup.
 */
export function readInline(raw: unknown, limit: number): string {
  const text = textOrEmpty(raw).trim()
  return /[<\n]/.test(text) ? toInlineHtml(cutText(text, limit)) : readLine(text, limit)
}

/** A slug in our form. WordPress sends slugs in other scripts percent-encoded, and cuts them off anywhere. */
export const readSlug = (raw: unknown): string => namedSlug(textOrEmpty(raw).replace(/%[\da-f]?$/i, ''))

/** A flag in any spelling. Some sites send `ticketed` as a list of ticket sellers. */
export function readFlag(raw: unknown, fallback = false): boolean {
  if (Array.isArray(raw)) return raw.length > 0
  return raw === '' ? false : (parseBoolean(raw) ?? fallback)
}

/** A positive id, as a number or digits. */
export function readId(raw: unknown): number | undefined {
  const text = textOrEmpty(raw).trim()
  const number = Number(text)
  return /^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number) ? number : undefined
}

function readDecimal(raw: unknown, bound: number): number | null {
  const text = textOrEmpty(raw).trim()
  const number = Number(text)
  return text !== '' && Math.abs(number) <= bound ? number : null
}

/** A position; null for both coordinates unless both are known. */
export function readPosition(
  latitude: unknown,
  longitude: unknown,
): Pick<VenueRecord, 'geo_lat' | 'geo_lng'> {
  const lat = readDecimal(latitude, 90)
  const lng = readDecimal(longitude, 180)
  return lat === null || lng === null ? { geo_lat: null, geo_lng: null } : { geo_lat: lat, geo_lng: lng }
}

/** A position from programs that write 0, 0 for unknown coordinates. */
export function readKnownPosition(latitude: unknown, longitude: unknown): ReturnType<typeof readPosition> {
  const position = readPosition(latitude, longitude)
  return position.geo_lat === 0 && position.geo_lng === 0 ? readPosition(null, null) : position
}

/** Records without those that have the external id of a later one. */
export const uniqueRecords = <R extends AnyRecord>(records: readonly R[]): R[] => [
  ...new Map(records.map(record => [record.externalId, record])).values(),
]

export const externalIdsOf = (records: readonly AnyRecord[]): string[] =>
  records.map(({ externalId }) => externalId)

/** The addresses of other sources of an event, as objects with a `url`. */
export const originsIn = (raw: readonly unknown[]): string[] =>
  raw.flatMap(origin => (isObject(origin) && typeof origin.url === 'string' ? [origin.url] : []))

/** An http(s) address; '' if it is invalid, which is reported. @param part its name in the report */
export const readUrl = (raw: unknown, reading: FieldReading, part?: string): string =>
  parseField(parseHttpUrl, raw, part ?? 'url', reading)

/** An e-mail address; '' if it is invalid, which is reported. */
export const readEmail = (raw: unknown, reading: FieldReading): string =>
  parseField(parseEmail, raw, 'e-mail', reading)

function parseField(
  parse: (text: string) => string | undefined,
  raw: unknown,
  field: string,
  reading: FieldReading,
): string {
  const text = decodeEntities(textOrEmpty(raw))
  const value = parse(text)
  if (value === undefined) reportLeftOut(reading, field, text)
  return value ?? ''
}

/** Reads an image: `false`, an address, or an object like those in responses, whose id may be text. */
export function readImageRecord(raw: unknown, reading: FieldReading): ImageRecord | undefined {
  const values: RawValues = isObject(raw) ? raw : { url: raw }
  const address = readUrl(values.url, reading, 'image')
  if (address === '') return undefined
  const number = readId(values.id)
  const alt = readLine(values.alt_text)
  return {
    url: address,
    ...(number && { id: number }),
    ...(sizeOf(values) ?? sizeInCopies(values)),
    ...(alt && { alt_text: alt }),
  }
}

function sizeOf(image: RawValues): Pick<ImageRecord, 'width' | 'height'> | undefined {
  const width = readId(image.width)
  const height = readId(image.height)
  return width && height ? { width, height } : undefined
}

/** The size that a list of scaled copies gives for the image itself. */
function sizeInCopies({ url: address, sizes }: RawValues): ReturnType<typeof sizeOf> {
  const copies = isObject(sizes) ? Object.values(sizes).filter(isObject) : []
  const itself = copies.find(copy => copy.url === address)
  return itself && sizeOf(itself)
}

/** A date and time in our format; '' if it is invalid. @param zone the zone of the time */
function readWall(raw: unknown, zone: string, nowMs: number): string {
  const text = textOrEmpty(raw).trim()
  const date = text === '' || text.startsWith('0000') ? undefined : parseDate(text, zone, nowMs)
  return date?.wall ?? ''
}

/**
 * A time that is given as wall time, in UTC, or both. If both are given, both are kept, even if they
 * contradict each other, because the source says so.
 */
export function readMoment(local: unknown, utc: unknown, zone: string, nowMs: number): ZonedTime | undefined {
  const inUtc = readWall(utc, 'UTC', nowMs)
  const inZone = readWall(local, zone, nowMs)
  if (inZone !== '') return { wall: inZone, utc: inUtc || toUtc(inZone, zone) }
  return inUtc === '' ? undefined : { wall: toWall(inUtc, zone), utc: inUtc }
}

// Details of events that not every calendar has. Values that cannot be kept are left out with a note.

/** Reads the status of an event. Many write "cancelled". */
export function eventStatus(raw: unknown, reading: FieldReading): EventStatus {
  const text = textOrEmpty(raw).trim().toLowerCase().replace('cancelled', 'canceled')
  const knownStatus = EVENT_STATUSES.find(status => status === text)
  if (knownStatus === undefined && text !== '') reportLeftOut(reading, 'event_status', text)
  return knownStatus ?? 'scheduled'
}

/** The type of an event of which only these two things are known. */
export const onlineType = (isOnline: boolean, hasPlace: boolean): VirtualEventType =>
  isOnline ? (hasPlace ? 'hybrid' : 'virtual') : ''

/** Reads an id of a third system; undefined if the source has no such field. */
export function readExternalId(raw: unknown, reading: FieldReading): string | undefined {
  if (raw === undefined || raw === null) return undefined
  const id = toExternalId(textOrEmpty(raw))
  if ([...id].length <= FIELD_LIMITS.externalId) return id
  reportLeftOut(reading, 'external_id', id)
  return ''
}

/** The most custom fields that are read, far more than are kept. */
const MAX_CUSTOM = 10 * CUSTOM_LIMITS.fields

/** Reads custom fields: an object by key, of objects or of plain values. Keys are adapted to our form. */
export function readCustomFields(raw: unknown, reading: ReadingNotes): CustomFields {
  const fields = new Map<string, CustomField>()
  for (const [name, rawField] of Object.entries(isObject(raw) ? raw : {}).slice(0, MAX_CUSTOM)) {
    const key = customFieldKey(name)
    const field = customField(rawField, name)
    if (!field || !isCustomKey(key) || fields.has(key) || !customFieldsFit(new Map(fields).set(key, field)))
      reportLeftOut(reading, 'custom_fields', name)
    else fields.set(key, field)
  }
  if (Array.isArray(raw) && raw.length > 0) reportLeftOut(reading, 'custom_fields', JSON.stringify(raw))
  return Object.fromEntries(fields)
}

const customFieldsFit = (fields: ReadonlyMap<string, CustomField>): boolean =>
  customFieldsError(Object.fromEntries(fields)) === undefined

const customFieldKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, CUSTOM_LIMITS.key)

/**
 * A field: an object with a value and perhaps a label, a plain value, or several values. Undefined for
 * anything else.
 */
function customField(rawField: unknown, name: string): CustomField | undefined {
  if (!isObject(rawField)) {
    const value = customValue(rawField)
    return value === undefined ? undefined : { label: readLine(name, CUSTOM_LIMITS.label), value }
  }
  const value = customValue(rawField.value)
  const label = readLine(rawField.label, CUSTOM_LIMITS.label)
  return value === undefined ? undefined : { label, value }
}

function customValue(raw: unknown): string | undefined {
  if (raw === null || raw === undefined) return ''
  if (Array.isArray(raw))
    return readLine(raw.map(textOrEmpty).filter(Boolean).join(', '), CUSTOM_LIMITS.value)
  if (typeof raw === 'boolean') return raw ? 'yes' : 'no'
  return isObject(raw) ? undefined : readLine(raw, CUSTOM_LIMITS.value)
}

/**
 * Reads a rule.
 *
 * @param what the beginning of the error's message
 * @throws Unreadable if it is not a rule
 */
export const sourceRule = (text: string, what: string, reading: RuleReading): Rule =>
  convertErrors(
    InvalidRule,
    ({ message }) => new Unreadable(`${what}: ${message}`, 'record_rule'),
    () => parseRule(text, reading),
  )
