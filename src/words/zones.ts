import { type Language, languageOf } from '../kit/lib/languages.ts'
import { memoize } from '../kit/lib/memo.ts'

// Time zones as people choose them.

/**
 * Names that runtimes still list (ICU 78 in Node.js and workerd), with those that replaced them: links of the
 * file `backward` in the IANA time zone database 2025c. Both mean the same zone, and both are understood.
 */
const RENAMED: Readonly<Record<string, string>> = {
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

/** The name by which a zone is offered: that of today for an old one. */
export const offeredZone = (zone: string): string => RENAMED[zone] ?? zone

/** The names of all zones of regions by the alphabet, none of them old. */
const allZones = memoize((): readonly string[] =>
  [...new Set(Intl.supportedValuesOf('timeZone').map(offeredZone))].sort(),
)

/** The zones in which most people who read a language live. */
const USUAL: Readonly<Record<Language, readonly string[]>> = {
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
  ...new Set([...USUAL[languageOf(language) ?? 'en'], 'UTC', ...allZones()]),
]

/** The cities that a zone is named after, today and before: `Kolkata` and `Calcutta`. */
export const citiesOf = (zone: string): string[] =>
  [zone, ...Object.keys(RENAMED).filter(old => RENAMED[old] === zone)].map(name =>
    (name.split('/').at(-1) ?? '').replaceAll('_', ' '),
  )
