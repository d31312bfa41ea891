import { Temporal } from 'temporal-polyfill'
import { type Language, languageOf } from './languages.ts'
import { memoize } from './memo.ts'
import zoneLetters from './zone-letters.json' with { type: 'json' }

const MANUAL_OFFSET = /^utc([+-])(\d{1,2})(?:\.(\d{1,2})|:([0-5]\d))?$/i
/** A length above that of any zone's name; Temporal's parser takes seconds to read a megabyte. */
const MAX_NAME_LENGTH = 100
const ISO_OFFSET = /^([+-])(\d\d)(?::?([0-5]\d))?$/

/**
 * The minutes east of UTC of a manual offset or an ISO 8601 offset; undefined if it is neither.
 */
export const offsetMinutes = (name: string): number | undefined => {
  const match = MANUAL_OFFSET.exec(name)
  if (match) {
    const [, sign, hours, decimals, minutes] = match
    const remainingMinutes = decimals === undefined ? Number(minutes ?? 0) : Number(`0.${decimals}`) * 60
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + remainingMinutes)
  }
  const [, sign, hours, minutes = '0'] = ISO_OFFSET.exec(name) ?? []
  if (hours === undefined) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** An offset east of UTC as text: 330 is `+05:30`, or `+0530` with an empty separator. */
export const formatOffset = (minutes: number, separator = ':'): string => {
  const sign = minutes < 0 ? '-' : '+'
  const hours = Math.trunc(Math.abs(minutes) / 60)
  const remainingMinutes = Math.trunc(Math.abs(minutes) % 60)
  return `${sign}${String(hours).padStart(2, '0')}${separator}${String(remainingMinutes).padStart(2, '0')}`
}

const ianaZone = (name: string): string | undefined => {
  try {
    // Temporal's conversions would also accept a timestamp with a zone; the constructor does not.
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    return undefined
  }
}

/**
 * The name under which a time zone is stored and shown.
 *
 * @param name an IANA name in any case, `UTC`, or a manual offset as in WordPress: `UTC+3`, `UTC-3`,
 *   `UTC+5.5`, `UTC+5:30`; an ISO 8601 offset (`+05:30`) counts as a manual one
 * @returns the name in its proper capitals, links (`US/Eastern`) unresolved; a manual offset as `UTC+5.5`;
 *   undefined if there is no such zone, or if the offset is not a quarter hour between -12 and +14 (as in
 *   WordPress)
 */
export const canonicalZone = (name: string): string | undefined => {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const trimmed = name.trim()
  const minutes = offsetMinutes(trimmed)
  if (minutes === undefined) return ianaZone(trimmed)
  if (minutes % 15 !== 0 || minutes < -12 * 60 || minutes > 14 * 60) return undefined
  return `UTC${minutes < 0 ? '' : '+'}${minutes / 60}`
}

/** The zone with clocks that are always a number of hours ahead of UTC; undefined if there is none. */
export const zoneAhead = (hours: number): string | undefined =>
  hours === 0 ? 'UTC' : canonicalZone(`UTC${hours < 0 ? '-' : '+'}${Math.abs(hours)}`)

/** Temporal's identifier for a stored zone: `+03:00` for `UTC+3`, all others unchanged. */
export const temporalZone = (zone: string): string => {
  const minutes = MANUAL_OFFSET.test(zone) ? offsetMinutes(zone) : undefined
  return minutes === undefined ? zone : formatOffset(minutes)
}

/**
 * The patterns of zone-letters.json by zone: the abbreviations of time zones (CET, EDT, IST) in the IANA time
 * zone database 2026f, for 1990-2037. `EET2EEST3` names the offsets: EET at UTC+2, EEST at UTC+3. The part
 * after `<2016-09-06T21:00>` applies from that instant (UTC) on, and `=3` means that UTC+3 has no letters any
 * more. `Asia/Gaza,Hebron` are two zones of one area. The file lacks zones without letters, which the
 * database names by their offset.
 */
function decodePatterns(): Map<string, string> {
  const decoded = new Map<string, string>()
  for (const [pattern, areas] of Object.entries(zoneLetters))
    for (const area of areas.split(' ')) {
      const cities = area.lastIndexOf('/') + 1
      for (const city of area.slice(cities).split(',')) decoded.set(area.slice(0, cities) + city, pattern)
    }
  return decoded
}

// Decoded at first use, to keep the Worker's start short.
const patterns = memoize(decodePatterns)

/** The letters of an offset at an instant, according to a pattern of zone-letters.json. */
const lettersAt = (pattern: string, instant: string, offset: number): string | undefined => {
  let abbreviation: string | undefined
  for (const [, since, letters, hours] of pattern.matchAll(/<([^>]+)>|([A-Za-z=]+)(-?[\d.]+)/g)) {
    if (since !== undefined && since > instant) break
    if (Number(hours) * 60 === offset) abbreviation = letters
  }
  return abbreviation === '=' ? undefined : abbreviation
}

/**
 * The abbreviation of a zone at an instant: its letters (`CET`, `CEST`, `IST`) if the IANA time zone database
 * has any, otherwise its offset in the database's style (`+04`, `+0545`). Correct since 1990; earlier letters
 * are a guess.
 *
 * @param utc the instant in UTC, `YYYY-MM-DD HH:MM:SS`
 * @param zone as {@link canonicalZone} returns it; a manual offset (`UTC+5.5`) is its own abbreviation
 * @throws RangeError when there is no such zone
 */
export const zoneAbbreviation = (utc: string, zone: string): string => {
  if (zone === 'UTC' || MANUAL_OFFSET.test(zone)) return zone
  const instant = utc.replace(' ', 'T')
  const { offsetNanoseconds } = Temporal.Instant.from(`${instant}Z`).toZonedDateTimeISO(zone)
  const minutes = offsetNanoseconds / 60e9
  return (
    lettersAt(patterns().get(zone) ?? '', instant, minutes) ?? formatOffset(minutes, '').replace(/00$/, '')
  )
}

/**
 * The milliseconds by which a zone's clocks are ahead of UTC at a moment.
 * @param moment in epoch milliseconds
 */
export type OffsetAt = (moment: number) => number

const offsetsByZone = new Map<string, OffsetAt>()

const LONG_OFFSET = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/

const msOf = (text: string): number => {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = LONG_OFFSET.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
}

/**
 * A function that returns a zone's offset at any moment. A call takes 2 µs; Temporal takes 15, and 300 to
 * find the next clock change. Calendars of 5,000 events call it some ten thousand times, mostly for days that
 * it already knows.
 *
 * @param zone as `canonicalZone` returns it
 */
export function offsetOf(zone: string): OffsetAt {
  const knownOffsetAt = offsetsByZone.get(zone)
  if (knownOffsetAt) return knownOffsetAt
  const offsetAt = makeOffset(temporalZone(zone))
  offsetsByZone.set(zone, offsetAt)
  return offsetAt
}

/**
 * Three days. No zone has changed its offset twice within three days: Sierra Leone once did within four days,
 * and since then no zone has within six.
 */
const STRETCH_MS = 3 * 86_400_000
/** The most stretches of a zone: enough for four years. */
const MAX_STRETCHES = 500

function makeOffset(timeZone: string): OffsetAt {
  const fixed = timeZone === 'UTC' || LONG_OFFSET.test(timeZone) ? msOf(timeZone) : undefined
  if (fixed !== undefined) return () => fixed
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return memoizeByStretch(moment => msOf(format.format(moment)))
}

/** Remembers the offsets of a clock by stretches. */
export function memoizeByStretch(ask: OffsetAt): OffsetAt {
  /** The offset at the beginning of each stretch. */
  const startOffsets = new Map<number, number>()
  const startOffsetOf = (stretch: number): number => {
    const knownOffset = startOffsets.get(stretch)
    if (knownOffset !== undefined) return knownOffset
    if (startOffsets.size >= MAX_STRETCHES) startOffsets.clear()
    const offset = ask(stretch * STRETCH_MS)
    startOffsets.set(stretch, offset)
    return offset
  }
  return moment => {
    const stretch = Math.floor(moment / STRETCH_MS)
    const offset = startOffsetOf(stretch)
    return offset === startOffsetOf(stretch + 1) ? offset : ask(moment)
  }
}

// Time zones as people choose them.

/**
 * Names that runtimes still list (ICU 78 in Node.js and workerd), with those that replaced them: links of the
 * file `backward` in the IANA time zone database 2025c. Both mean the same zone, and both are understood.
 */
const RENAMED_ZONES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** The name by which a zone is offered: for an old name, the one that replaced it. */
export const offeredZone = (zone: string): string => RENAMED_ZONES[zone] ?? zone

/** The names of all zones of regions in alphabetical order, without old names. */
const allZones = memoize((): readonly string[] =>
  [...new Set(Intl.supportedValuesOf('timeZone').map(offeredZone))].sort(),
)

/** The zones in which most people who read a language live. */
const USUAL_ZONES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Europe/London',
    'Europe/Dublin',
    'America/New_York',
    'America/Chicago',
    'America/Denver',
    'America/Los_Angeles',
    'America/Toronto',
    'Australia/Sydney',
    'Pacific/Auckland',
  ],
  de: ['Europe/Berlin', 'Europe/Vienna', 'Europe/Zurich'],
  es: [
    'Europe/Madrid',
    'America/Mexico_City',
    'America/Bogota',
    'America/Lima',
    'America/Santiago',
    'America/Argentina/Buenos_Aires',
  ],
  fr: ['Europe/Paris', 'Europe/Brussels', 'Europe/Zurich', 'America/Toronto'],
}

/**
 * All zones to choose from: first the zones that readers of a language look for most, then UTC, which belongs
 * to no region, then all others.
 */
export const zonesFor = (language: string): string[] => [
  ...new Set([...USUAL_ZONES[languageOf(language) ?? 'en'], 'UTC', ...allZones()]),
]

/** The cities that a zone is named after, today and before: `Kolkata` and `Calcutta`. */
export const citiesOf = (zone: string): string[] =>
  [zone, ...Object.keys(RENAMED_ZONES).filter(old => RENAMED_ZONES[old] === zone)].map(name =>
    (name.split('/').at(-1) ?? '').replaceAll('_', ' '),
  )
