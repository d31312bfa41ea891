import { memoize } from '../kit/lib/memo.ts'
import { type DateTime, toUtc } from '../kit/lib/time.ts'
import { canonicalZone, zoneAbbreviation } from '../kit/lib/zones.ts'
import windowsZones from './windows-zones.cjs'

// The names of time zones that files of any format have.

/**
 * Zone names of Ruby on Rails that are not cities of zones in the IANA database (Active Support's
 * `ActiveSupport::TimeZone::MAPPING`).
 */
const RAILS: Readonly<Record<string, string>> = {
  'International Date Line West': 'Etc/GMT+12',
  'Midway Island': 'Pacific/Midway',
  'American Samoa': 'Pacific/Pago_Pago',
  Hawaii: 'Pacific/Honolulu',
  Alaska: 'America/Juneau',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  'Mountain Time (US & Canada)': 'America/Denver',
  Arizona: 'America/Phoenix',
  'Central Time (US & Canada)': 'America/Chicago',
  Saskatchewan: 'America/Regina',
  Guadalajara: 'America/Mexico_City',
  'Central America': 'America/Guatemala',
  'Eastern Time (US & Canada)': 'America/New_York',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  Quito: 'America/Lima',
  'Atlantic Time (Canada)': 'America/Halifax',
  Newfoundland: 'America/St_Johns',
  Brasilia: 'America/Sao_Paulo',
  Georgetown: 'America/Guyana',
  Greenland: 'America/Godthab',
  'Mid-Atlantic': 'Atlantic/South_Georgia',
  'Cape Verde Is.': 'Atlantic/Cape_Verde',
  Edinburgh: 'Europe/London',
  Bern: 'Europe/Zurich',
  'West Central Africa': 'Africa/Algiers',
  Kyiv: 'Europe/Kiev',
  Pretoria: 'Africa/Johannesburg',
  'St. Petersburg': 'Europe/Moscow',
  'Abu Dhabi': 'Asia/Muscat',
  Ekaterinburg: 'Asia/Yekaterinburg',
  Islamabad: 'Asia/Karachi',
  Chennai: 'Asia/Kolkata',
  Kolkata: 'Asia/Kolkata',
  Mumbai: 'Asia/Kolkata',
  'New Delhi': 'Asia/Kolkata',
  Kathmandu: 'Asia/Katmandu',
  'Sri Jayawardenepura': 'Asia/Colombo',
  Astana: 'Asia/Almaty',
  Hanoi: 'Asia/Bangkok',
  Beijing: 'Asia/Shanghai',
  Chongqing: 'Asia/Shanghai',
  Osaka: 'Asia/Tokyo',
  Sapporo: 'Asia/Tokyo',
  Canberra: 'Australia/Canberra',
  'Solomon Is.': 'Pacific/Guadalcanal',
  'New Caledonia': 'Pacific/Noumea',
  'Marshall Is.': 'Pacific/Majuro',
  Wellington: 'Pacific/Auckland',
  "Nuku'alofa": 'Pacific/Tongatapu',
  'Tokelau Is.': 'Pacific/Fakaofo',
  'Chatham Is.': 'Pacific/Chatham',
  Samoa: 'Pacific/Apia',
}

/** Zones of the IANA database by the cities that they are named after: `Berlin`, `Buenos Aires`. */
const zonesByCity = memoize(() => {
  const cityOf = (zone: string) => (zone.split('/').at(-1) ?? '').replaceAll('_', ' ')
  return new Map(Intl.supportedValuesOf('timeZone').map(zone => [cityOf(zone), zone]))
})

const IN_UTC = /^(?:z|utc|zulu|coordinated universal time|universal coordinated time|universal time)$/i

/** An offset: `GMT-0500`, `UTC+1`, `+05:30`. */
const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2}):?(\d\d)?$/i

/**
 * Abbreviations that are zones of the IANA database, but that most programs use for others: EST mostly means
 * New York.
 */
const AMBIGUOUS = /^(?:CET|EET|EST|HST|MET|MST|WET)$/i

/**
 * A moment by some clock, and the zones whose abbreviations may be meant: the calendar's own, and others of
 * the file.
 */
type AbbreviationContext = { wall: DateTime; zones: Iterable<string> }

/**
 * The zone that a name means, as {@link canonicalZone} returns it; undefined if it is unknown. All formats
 * use this function.
 *
 * It understands names of IANA, in any case, with spaces, and at the end of a path that makes them unique
 * (`/freeassociation.sourceforge.net/Europe/Berlin`), of Windows (`W. Europe Standard Time`), of Ruby on
 * Rails, and what Outlook and Exchange show (`(UTC-05:00) Eastern Time (US and Canada)`,
 * `(GMT+10:00) Canberra, Melbourne, Sydney`), `Z`, `UTC` and offsets.
 *
 * @param zoneText quoted or not
 * @param by without it, abbreviations (`EST`, `CET`) are unknown, because they mean several zones
 */
export function zoneNamed(zoneText: string, by?: AbbreviationContext): string | undefined {
  const name = zoneText
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
  if (name === '' || name.length > MAX_NAME_LENGTH) return undefined
  if (IN_UTC.test(name)) return 'UTC'
  const abbreviated = by && zoneAbbreviated(name.toUpperCase(), by)
  if (abbreviated || AMBIGUOUS.test(name)) return abbreviated
  const [, sign, hours = '', minutes = '00'] = OFFSET.exec(name) ?? []
  if (sign !== undefined) return canonicalZone(`${sign}${hours.padStart(2, '0')}:${minutes}`)
  return ianaZone(name) ?? shownZone(name)
}

/** A length above that of any zone's name. */
const MAX_NAME_LENGTH = 200

/** The zone among some that goes by an abbreviation at a moment. */
function zoneAbbreviated(letters: string, { wall, zones }: AbbreviationContext): string | undefined {
  for (const zone of zones) if (zoneAbbreviation(toUtc(wall, zone), zone) === letters) return zone
  return undefined
}

/** A zone of the IANA database, perhaps at the end of a path, with spaces or with a hyphen after its area. */
function ianaZone(name: string): string | undefined {
  const plain = name.replace(/\s+/g, '_').replace(/^([A-Za-z]+)-(?=[A-Za-z])/, '$1/')
  const parts = plain.split('/').filter(Boolean)
  const paths = [name, plain, ...[3, 2].map(length => parts.slice(-length).join('/'))]
  return paths.map(canonicalZone).find(zone => zone !== undefined)
}

/** A zone as programs show it: by the name of Windows or Rails, or by its cities. */
function shownZone(name: string): string | undefined {
  const words = name
    .replace(/^tzone:\/\/microsoft\//i, '')
    .replace(/^\((?:UTC|GMT)[^)]*\)\s*/i, '')
    .replace(' and Canada)', ' & Canada)')
  if (words !== name && IN_UTC.test(words)) return 'UTC'
  const [windows] = windowsZones(words)
  const cityZone = [words, ...words.split(/[,:]/).map(city => city.trim())]
    .map(city => (Object.hasOwn(RAILS, city) ? RAILS[city] : undefined) ?? zonesByCity().get(city))
    .find(zone => zone !== undefined)
  const zone = windows ?? cityZone
  return zone === undefined ? undefined : canonicalZone(zone)
}
