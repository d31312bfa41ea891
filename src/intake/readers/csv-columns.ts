import { type ChosenColumns, CSV_COLUMNS, CSV_NAMES, type ReadColumn } from '../../lib/csv.ts'
import { memoize } from '../../lib/memo.ts'
import { BETWEEN_WORDS } from '../../lib/pattern.ts'
import { fold } from '../../lib/text.ts'
import type { Language } from '../../words/languages.ts'
import { Unreadable } from '../records.ts'
import { hidesUnless } from './csv-flags.ts'
import { isDayCell, isTimeCell } from './csv-times.ts'

// Finds the columns of a spreadsheet by their names, and columns of days and times by their cells as well.

/** Names of columns in other versions of the importer, and in files of Google Calendar and Outlook, separated by commas. */
const NAMES_OF_PROGRAMS: Partial<Record<ReadColumn, string>> = {
  title: 'subject, summary',
  description: 'description html',
  timezone: 'time zone',
  province: 'venue state, venue province',
  latitude: 'latitude, lat',
  longitude: 'longitude, lng, lon',
  organizers: 'organizer names or ids',
  email: 'email, e-mail',
  image: 'featured image, image url',
  hide_from_listings:
    'hide from listings, hide event from event listings, hide event from upcoming, hide from upcoming',
  sticky: 'sticky',
  featured: 'featured, featured event',
  event_status: 'status',
  uid: 'id, external id',
  currency_symbol: 'currency symbol',
  currency_position: 'currency position',
  currency_code: 'iso currency code, currency code',
}

/**
 * What people call columns, separated by commas. Case, spaces and punctuation don't count, nor does "Event" before a name. The compiler
 * demands a line for each language.
 */
const NAMES: Partial<Record<ReadColumn, Record<Language, string>>> = {
  title: {
    en: 'title, name, event, what',
    de: 'titel, bezeichnung, veranstaltung, veranstaltungstitel, was, betreff',
    es: 'título, nombre, evento, qué, asunto',
    fr: 'titre, nom, événement, quoi, objet',
  },
  description: {
    en: 'description, details, text',
    de: 'beschreibung, beschreibungstext',
    es: 'descripción',
    fr: 'détails',
  },
  excerpt: { en: 'short description', de: 'kurzbeschreibung', es: 'resumen', fr: 'résumé' },
  all_day: {
    en: 'all day',
    de: 'ganztägig, ganztägiges ereignis',
    es: 'todo el día',
    fr: 'journée entière, toute la journée',
  },
  timezone: { en: 'zone', de: 'zeitzone', es: 'zona horaria', fr: 'fuseau horaire' },
  venue: {
    en: 'venue, location, place, where',
    de: 'ort, wo, veranstaltungsort, spielort',
    es: 'lugar, sitio, dónde',
    fr: 'lieu, endroit, où, salle',
  },
  room: { en: 'room, stage', de: 'raum, bühne', es: 'escenario', fr: 'scène' },
  address: { en: 'address, street', de: 'adresse, straße, anschrift', es: 'dirección, calle', fr: 'rue' },
  city: { en: 'city, town', de: 'stadt', es: 'ciudad', fr: 'ville' },
  province: { en: 'state, province, region', de: 'region', es: 'provincia', fr: 'région' },
  zip: {
    en: 'zip, postal code, postcode',
    de: 'plz, postleitzahl',
    es: 'código postal',
    fr: 'code postal',
  },
  country: { en: 'country', de: 'land', es: 'país', fr: 'pays' },
  organizers: {
    en: 'organizer, organizers, organiser, host',
    de: 'veranstalter, veranstalterin',
    es: 'organizador',
    fr: 'organisateur',
  },
  categories: {
    en: 'category, categories',
    de: 'kategorie, kategorien, rubrik',
    es: 'categoría, categorías',
    fr: 'catégorie, catégories',
  },
  tags: { en: 'tags, tag', de: 'schlagwörter', es: 'etiquetas', fr: 'étiquettes' },
  cost: {
    en: 'cost, price, admission',
    de: 'eintritt, eintrittspreis, preis, kosten',
    es: 'precio, entrada',
    fr: 'prix, tarif',
  },
  website: {
    en: 'website, url, link, web',
    de: 'webseite, internet',
    es: 'sitio web, enlace',
    fr: 'site web, lien',
  },
  image: { en: 'image', de: 'bild', es: 'imagen', fr: 'image' },
  private: {
    en: 'private, confidential, internal',
    de: 'privat, vertraulich, intern',
    es: 'privado, confidencial, interno',
    fr: 'privé, confidentiel, interne',
  },
  sensitivity: {
    en: 'sensitivity, visibility, privacy',
    de: 'vertraulichkeit, sichtbarkeit',
    es: 'carácter, confidencialidad, sensibilidad, visibilidad, privacidad',
    fr: 'critère de diffusion, confidentialité, sensibilité, visibilité',
  },
  public: {
    en: 'public, published',
    de: 'öffentlich, veröffentlicht',
    es: 'público, publicado',
    fr: 'public, publié',
  },
  currency_code: { en: 'currency', de: 'währung', es: 'moneda', fr: 'devise' },
}

type MomentColumn = 'start_date' | 'start_time' | 'end_date' | 'end_time'

/** Names of columns of days and times. Their cells tell which of the two they have: `Beginn` and `Start` may be either. */
const MOMENTS: Record<MomentColumn, Record<Language, string>> = {
  start_date: {
    en: 'date, start, starts, day, from, begin, begins, beginning, when, event date, start day, date time, datetime, date and time, start datetime, start date time',
    de: 'datum, tag, beginn, beginnt, beginnt am, anfang, startdatum, datum von, von, ab, vom, wann, termin, veranstaltungsdatum, veranstaltungsbeginn, anfangsdatum, beginndatum, datum uhrzeit, datum und uhrzeit, datum zeit, start am',
    es: 'fecha, fecha inicio, fecha de inicio, inicio, comienzo, comienza, empieza, fecha de comienzo, desde, de, cuándo, día, fecha y hora, fecha hora, fecha inicial, data',
    fr: 'date de début, date début, début, commence, du, quand, jour, date et heure, date heure, le, à partir de',
  },
  start_time: {
    en: 'time, start time, starting time, times, hour, hours, begin time, from time, show time, show',
    de: 'uhrzeit, zeit, startzeit, beginnzeit, anfangszeit, uhrzeit beginn, uhrzeit von, uhrzeit start, beginn uhrzeit, zeit von, von uhrzeit, beginnt um, start um, startuhrzeit, uhr, anfang uhrzeit',
    es: 'hora, hora inicio, hora de inicio, horario, hora de comienzo, hora inicial',
    fr: 'heure, heure de début, heure début, horaire, horaires, heures',
  },
  end_date: {
    en: 'end, ends, to, until, till, finish, finishes, end day, through, end datetime, end date time, thru',
    de: 'ende, endet, endet am, enddatum, datum bis, bis, schluss, bis zum, veranstaltungsende',
    es: 'fin, termina, final, fecha fin, fecha de fin, fecha final, fecha de finalización, finalización, hasta, a, al',
    fr: 'date de fin, date fin, jusque, jusqu’à, jusqu’au, au, finit, termine',
  },
  end_time: {
    en: 'end time, ending time, to time, finish time, until time',
    de: 'endzeit, uhrzeit ende, uhrzeit bis, ende uhrzeit, zeit bis, bis uhrzeit, endet um, enduhrzeit, schlusszeit',
    es: 'hora fin, hora de fin, hora final, hora de finalización, hora de término',
    fr: 'heure de fin, heure fin',
  },
}

/** Names of columns that have days or times of something else. */
const NOT_READ: Record<Language, string> = {
  en: 'reminder date, reminder time, reminder, created, created at, date created, modified, updated, last modified, updated at, doors, doors open, door time, deadline, registration deadline, duration',
  de: 'erinnerung am, erinnerung um, erstellt, erstellt am, geändert, geändert am, aktualisiert, einlass, einlasszeit, anmeldeschluss, anmeldung bis, dauer, abendkasse',
  es: 'fecha del aviso, hora del aviso, creado, modificado, apertura, apertura de puertas, duración',
  fr: 'date de rappel, heure du rappel, créé, créé le, modifié, modifié le, ouverture, ouverture des portes, durée',
}

function nameKey(name: string): string {
  return fold(name)
    .replace(BETWEEN_WORDS(), '')
    .replace(/^event(?=.)/, '')
}

const keysOf = (names: string): string[] => names.split(', ').map(nameKey)

/** Columns by the keys of their names. */
const keyed = <C extends string>(
  names: Partial<Record<C, string | Record<Language, string>>>,
): [string, C][] =>
  // Object.entries loses the type of the keys.
  (Object.entries(names) as [C, string | Record<Language, string>][]).flatMap(([column, texts]) =>
    [typeof texts === 'string' ? texts : Object.values(texts)]
      .flat()
      .flatMap(keysOf)
      .map((key): [string, C] => [key, column]),
  )

/** The columns by the keys of their names, made when the first file is read. */
const knownColumns = memoize(() => ({
  columns: new Map<string, ReadColumn>([
    ...CSV_NAMES.map((column): [string, ReadColumn] => [nameKey(CSV_COLUMNS[column]), column]),
    ...keyed(NAMES_OF_PROGRAMS),
    ...keyed(NAMES),
  ]),
  moments: new Map<string, MomentColumn>([
    ...keyed(MOMENTS),
    // The names of the importer say which they have, but people don't always keep to that.
    ...keyed({
      start_date: CSV_COLUMNS.start_date,
      start_time: CSV_COLUMNS.start_time,
      end_date: CSV_COLUMNS.end_date,
      end_time: CSV_COLUMNS.end_time,
    }),
  ]),
  notRead: new Set(Object.values(NOT_READ).flatMap(keysOf)),
}))

/** The first names of columns, for messages: a file may have a hundred thousand, and long ones. */
export const someNames = (names: readonly string[]): string[] => [
  ...names.slice(0, 20).map(name => name.slice(0, 50)),
  ...(names.length > 20 ? ['…'] : []),
]

/** The number of columns of a first row with known names. */
export function countKnownColumns(names: readonly string[]): number {
  const { columns, moments } = knownColumns()
  return new Set(names.map(nameKey).filter(key => moments.has(key) || columns.has(key))).size
}

/** Tells if a column has what its name says. A column *Public* may say for whom an event is. */
function isOf(column: ReadColumn | undefined, rows: readonly (readonly string[])[], i: number): boolean {
  return column !== 'public' || most(rows, i, cell => hidesUnless(cell) !== undefined)
}

/** The columns of a file by their position, and the names of columns that are not read. */
export type FileColumns = {
  names: readonly string[]
  at: ReadonlyMap<ReadColumn, number>
  unread: readonly string[]
  /** The names of columns that have days or times, and are not read. */
  unclear: readonly string[]
}

/** The most columns. The cells of each are looked at. */
const MOST_COLUMNS = 500

/** Rows whose cells tell what a column has. */
const MOST_ROWS = 500

/** Makes sure that the first row has not too many names. Spreadsheets may have empty ones at its end. @throws Unreadable */
export function assertFewColumns(names: readonly string[]): void {
  if (names.findLastIndex(name => name.trim() !== '') >= MOST_COLUMNS)
    throw new Unreadable(`it has more than ${MOST_COLUMNS} columns`, 'source_too_many_columns')
}

/** Tells if more than half of the cells of a column that are not empty pass a test. */
function most(rows: readonly (readonly string[])[], i: number, is: (cell: string) => boolean): boolean {
  const cells = rows.map(row => row[i]?.trim() ?? '').filter(Boolean)
  return cells.filter(is).length * 2 > cells.length
}

/** Tells if most cells of a column have a day or a time; undefined if neither. @param isNamed true if plain numbers count as times */
function momentsIn(
  rows: readonly (readonly string[])[],
  i: number,
  isNamed: boolean,
): 'day' | 'time' | undefined {
  if (most(rows, i, isDayCell)) return 'day'
  return most(rows, i, cell => isTimeCell(cell, isNamed)) ? 'time' : undefined
}

/**
 * The columns of a file.
 *
 * @param names its first row
 * @param rows the others
 * @param chosen columns that somebody has chosen, which count before names and cells
 * @throws Unreadable if there are too many
 */
export function csvColumns(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  chosen: ChosenColumns = {},
): FileColumns {
  assertFewColumns(names)
  const { columns, moments, notRead } = knownColumns()
  const some = rows.slice(0, MOST_ROWS)
  const named = names.slice(0, MOST_COLUMNS)
  const at = new Map<ReadColumn, number>()
  for (const [i, name] of named.entries()) {
    const column = Object.hasOwn(chosen, name) && chosen[name]
    if (column && !at.has(column)) at.set(column, i)
  }
  const unread: string[] = []
  const unclear: string[] = []
  for (const [i, name] of named.entries()) {
    if (Object.hasOwn(chosen, name)) continue
    if (name.trim() === '' && some.every(row => (row[i] ?? '').trim() === '')) continue
    const key = nameKey(name)
    const moment = moments.get(key)
    const has = momentsIn(some, i, moment !== undefined)
    const other = isOf(columns.get(key), some, i) ? columns.get(key) : undefined
    // German for a day, and English for a word about an event.
    const isMoment = moment !== undefined && (other === undefined || other === moment || has === 'day')
    const column = isMoment ? columnOf(moment, has) : other
    if (column !== undefined && !at.has(column)) at.set(column, i)
    else if (has !== undefined && !notRead.has(key)) unclear.push(name.trim() || `number ${i + 1}`)
    else if (column === undefined && name.trim() !== '') unread.push(name)
  }
  return { names: named, at, unread, unclear }
}

/** Makes sure that a file has a title and a day, and that nothing of its days and times is left out. @throws Unreadable */
export function assertWhole({ names, at, unclear }: FileColumns): void {
  const missing = (['title', 'start_date'] as const).filter(column => !at.has(column))
  if (missing.length > 0) {
    const wanted = missing.map(column => JSON.stringify(CSV_COLUMNS[column])).join(' or ')
    throw new Unreadable(
      `its first line names no column ${wanted}: it has ${quotedNames(names) || 'none'}`,
      'source_no_columns',
    )
  }
  if (unclear.length > 0) throw unclearColumns(unclear)
}

/** The column of days or times that a named one is by its cells. */
function columnOf(named: MomentColumn, has: 'day' | 'time' | undefined): MomentColumn {
  if (has === undefined) return named
  const isStart = named === 'start_date' || named === 'start_time'
  if (has === 'day') return isStart ? 'start_date' : 'end_date'
  return isStart ? 'start_time' : 'end_time'
}

const quotedNames = (names: readonly string[]): string =>
  someNames(names)
    .map(name => JSON.stringify(name))
    .join(', ')

function unclearColumns(names: readonly string[]): Unreadable {
  const wanted = [CSV_COLUMNS.start_date, CSV_COLUMNS.start_time, CSV_COLUMNS.end_date, CSV_COLUMNS.end_time]
  return new Unreadable(
    `days or times of these columns would not be read: ${quotedNames(names)}. Name each as what it is (${wanted.map(name => JSON.stringify(name)).join(', ')}), or remove it`,
    'source_unclear_columns',
  )
}
