import { findIana } from 'windows-iana'
import { canonicalZone } from '../../lib/zones.ts'

/**
 * Zone names of Ruby on Rails that are not the city of a zone in the IANA database (Active Support's
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

let cities: Map<string, string> | undefined

/** The zone of a city that the IANA database names: `Berlin`, `Buenos Aires`. */
function zoneOfCity(name: string): string | undefined {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map(zone => [
      (zone.split('/').at(-1) ?? '').replaceAll('_', ' '),
      zone,
    ]),
  )
  return cities.get(name)
}

/**
 * The zone that a name in an iCalendar file means, as {@link canonicalZone} gives it; undefined if it is unknown.
 * Understood are names of IANA, also at the end of a path that makes them unique
 * (`/freeassociation.sourceforge.net/Europe/Berlin`), of Windows (`W. Europe Standard Time`), of Ruby on Rails
 * (`Eastern Time (US & Canada)`), and these behind an offset (`(GMT-05:00) Eastern Time (US & Canada)`).
 */
export function zoneNamed(given: string): string | undefined {
  const name = given.trim().replace(/^"(.*)"$/, '$1')
  if (name === '') return undefined
  const plain = canonicalZone(name)
  if (plain) return plain
  const parts = name.split('/').filter(Boolean)
  for (const length of [3, 2]) {
    const zone = parts.length > length ? canonicalZone(parts.slice(-length).join('/')) : undefined
    if (zone) return zone
  }
  const words = name.replace(/^\((?:UTC|GMT)[^)]*\)\s*/i, '')
  const [windows] = findIana(words)
  const known = windows ?? RAILS[words] ?? zoneOfCity(words)
  return known === undefined ? undefined : canonicalZone(known)
}
