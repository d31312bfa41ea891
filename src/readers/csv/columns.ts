import { Unreadable } from '../../calendar/imports/records.ts'
import { type ChosenColumns, CSV_COLUMN_KEYS, CSV_COLUMNS, type ReadColumn } from '../../kit/lib/csv.ts'
import { LANGUAGES, type Language } from '../../kit/lib/languages.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { BETWEEN_WORDS } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'
import { isWeekdayCell } from '../moment-words.ts'
import { statusNamed } from '../status-words.ts'
import { isOpen, isTimeCell } from './clock.ts'
import { COLUMN_NAMES, MOMENT_NAMES, type MomentColumn, NAMES_OF_PROGRAMS, NOT_READ } from './column-names.ts'
import { isDayCell } from './days.ts'
import { hidesIn, hidesUnless, isVisibilityWord } from './flags.ts'

// Finds the columns of a spreadsheet by their names, and columns of days and times by their cells as well.

/** The key of a name, without words that refer to the event: `Date of the event`, `Ort der Veranstaltung`. */
function nameKey(name: string): string {
  return fold(name)
    .replace(/ (?:of the event|der veranstaltung|des events|del evento|de l.evenement)$/, '')
    .replace(BETWEEN_WORDS(), '')
    .replace(/^event(?=.)/, '')
}

const keysOf = (names: string): string[] => names.split(', ').map(nameKey)

const namesByKey = <C extends string>(
  names: Partial<Record<C, string | Record<Language, string>>>,
): [string, C][] =>
  // Object.entries loses the type of the keys.
  (Object.entries(names) as [C, string | Record<Language, string>][]).flatMap(([column, texts]) =>
    [typeof texts === 'string' ? texts : Object.values(texts)]
      .flat()
      .flatMap(keysOf)
      .map((key): [string, C] => [key, column]),
  )

/** The languages of column names that do not exist in English, by the keys of the names. */
function foreignNames(): ReadonlyMap<string, ReadonlySet<Language>> {
  const tables = [...Object.values(COLUMN_NAMES), ...Object.values(MOMENT_NAMES)]
  const english = new Set(tables.flatMap(({ en }) => keysOf(en)))
  const languagesByKey = new Map<string, Set<Language>>()
  for (const table of tables)
    for (const language of LANGUAGES)
      for (const key of keysOf(table[language]))
        if (!english.has(key)) languagesByKey.set(key, (languagesByKey.get(key) ?? new Set()).add(language))
  return languagesByKey
}

/** The columns by the keys of their names, built when the first file is read. */
const knownColumns = memoize(() => ({
  columns: new Map<string, ReadColumn>([
    ...CSV_COLUMN_KEYS.map((column): [string, ReadColumn] => [nameKey(CSV_COLUMNS[column]), column]),
    ...namesByKey(NAMES_OF_PROGRAMS),
    ...namesByKey(COLUMN_NAMES),
  ]),
  moments: new Map<string, MomentColumn>([
    ...namesByKey(MOMENT_NAMES),
    // The importer's names say whether a column has days or times, but people don't always keep to that.
    ...namesByKey({
      start_date: CSV_COLUMNS.start_date,
      start_time: CSV_COLUMNS.start_time,
      end_date: CSV_COLUMNS.end_date,
      end_time: CSV_COLUMNS.end_time,
    }),
  ]),
  notRead: new Set(Object.values(NOT_READ).flatMap(keysOf)),
  foreign: foreignNames(),
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

/**
 * Names of columns that say in some languages for whom an event is, and in others whether everybody may see
 * it.
 */
const AMBIGUOUS_PUBLIC: ReadonlySet<string> = new Set(['public', 'publico'])

/**
 * The column that a name means, with its cells where the name leaves several possible: *Public* may say for
 * whom an event is, *Published* when, and *Estado* or *State* where. One cell that hides or calls off an
 * event is enough, because what is private must not become public. A column with an unknown name hides events
 * if all its cells say who may see them.
 */
function columnOfCells(
  namedColumn: ReadColumn | undefined,
  key: string,
  rows: readonly (readonly string[])[],
  i: number,
): ReadColumn | undefined {
  const cells = cellsIn(rows, i)
  if (namedColumn === 'public') {
    const isAudience = AMBIGUOUS_PUBLIC.has(key) || isTrueOfMost(rows, i, cell => isDayCell(cell, false))
    return !isAudience || cells.some(cell => hidesUnless(cell) !== undefined) ? namedColumn : undefined
  }
  if (namedColumn === 'event_status')
    return /status/.test(key) || cells.some(cell => statusNamed(cell) !== undefined) ? namedColumn : undefined
  if (namedColumn === 'province')
    return isTrueOfMost(rows, i, cell => statusNamed(cell) !== undefined) ? 'event_status' : namedColumn
  if (namedColumn === undefined && cells.length > 0 && areStatuses(cells)) return 'event_status'
  const isHiding = namedColumn === undefined && cells.length > 0 && cells.every(isVisibilityWord)
  return isHiding && cells.some(cell => hidesIn(cell) === true) ? 'sensitivity' : namedColumn
}

/**
 * True if all cells say whether an event takes place or is published, and at least one says that it is called
 * off or moved, not public, or sold out.
 */
function areStatuses(cells: readonly string[]): boolean {
  const saidStatuses = cells.map(statusNamed)
  return (
    saidStatuses.every(said => said !== undefined) &&
    saidStatuses.some(
      ({ status, event_status, ticket_availability }) =>
        status !== 'publish' || event_status !== 'scheduled' || ticket_availability !== undefined,
    )
  )
}

/** The columns of a file by their position, and the names of columns that are not read. */
export type FileColumns = {
  names: readonly string[]
  at: ReadonlyMap<ReadColumn, number>
  /**
   * All columns of each kind that may occur several times: who sees an event, whether it takes place, and its
   * terms.
   */
  several: ReadonlyMap<ReadColumn, readonly number[]>
  unread: readonly string[]
  /** The names of columns that have days or times, and are not read. */
  unclear: readonly string[]
  /** The languages of the column names that do not exist in English. */
  languages: ReadonlySet<Language>
}

/** Columns whose terms are added up: `Kategorie 1`, `Kategorie 2`. */
const TERMS: readonly ReadColumn[] = ['categories', 'tags']

/**
 * Kinds of columns that may occur several times. Among the columns that say who sees an event, and whether it
 * takes place, the least public cell counts.
 */
const SEVERAL: readonly ReadColumn[] = [
  'private',
  'sensitivity',
  'public',
  'hide_from_listings',
  'event_status',
  ...TERMS,
]

/** The most columns. The cells of each are looked at. */
const MAX_COLUMNS = 500

/** The number of rows whose cells show what a column contains. */
const MAX_ROWS = 500

/**
 * Makes sure that the first row has not too many names. Spreadsheets may have empty ones at its end.
 * @throws Unreadable
 */
export function assertFewColumns(names: readonly string[]): void {
  if (names.findLastIndex(name => name.trim() !== '') >= MAX_COLUMNS)
    throw new Unreadable(`it has more than ${MAX_COLUMNS} columns`, 'source_too_many_columns')
}

const cellsIn = (rows: readonly (readonly string[])[], i: number): string[] =>
  rows.map(row => row[i]?.trim() ?? '').filter(Boolean)

/** True if more than half of the non-empty cells of a column pass a test. */
function isTrueOfMost(
  rows: readonly (readonly string[])[],
  i: number,
  is: (cell: string) => boolean,
): boolean {
  return areMost(cellsIn(rows, i), is)
}

const areMost = (cells: readonly string[], is: (cell: string) => boolean): boolean =>
  cells.filter(is).length * 2 > cells.length

/**
 * What most cells of a column have: a day or a time; undefined if neither.
 * @param isNamed true if plain numbers count as times
 */
function momentKindIn(
  rows: readonly (readonly string[])[],
  i: number,
  isNamed: boolean,
): 'day' | 'time' | undefined {
  const cells = cellsIn(rows, i).filter(cell => !isOpen(cell))
  if (areMost(cells, cell => isDayCell(cell, isNamed))) return 'day'
  return areMost(cells, cell => isTimeCell(cell, isNamed)) ? 'time' : undefined
}

/**
 * The columns of a file.
 *
 * @param names its first row
 * @param rows the others
 * @param chosenColumns columns that somebody has chosen, which take precedence over names and cells
 * @throws Unreadable if there are too many
 */
export function csvColumns(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  chosenColumns: ChosenColumns = {},
): FileColumns {
  assertFewColumns(names)
  const { columns, moments, notRead, foreign } = knownColumns()
  const sampleRows = rows.slice(0, MAX_ROWS)
  const columnNames = names.slice(0, MAX_COLUMNS)
  const placeOf = new Map<ReadColumn, number>()
  const several = new Map<ReadColumn, number[]>(SEVERAL.map(column => [column, []]))
  /**
   * Notes that a column is read. Of several columns with one meaning, only the first is read, unless all of
   * them count.
   * @returns false for a column that is not read
   */
  const assign = (column: ReadColumn, i: number): boolean => {
    const places = several.get(column)
    places?.push(i)
    if (placeOf.has(column)) return places !== undefined
    placeOf.set(column, i)
    return true
  }
  for (const [i, name] of columnNames.entries()) {
    const column = Object.hasOwn(chosenColumns, name) && chosenColumns[name]
    if (column) assign(column, i)
  }
  const unreadNames: string[] = []
  const unclear: string[] = []
  // If another column has the name of a place, *Location* has its address.
  const hasPlaceName = columnNames.some(name => nameKey(name) === 'locationname')
  const meaningOf = (key: string): ReadColumn | undefined => {
    const numbered = columns.get(key.replace(/\d$/, ''))
    const terms = numbered !== undefined && TERMS.includes(numbered) ? numbered : undefined
    return key === 'location' && hasPlaceName ? 'address' : (columns.get(key) ?? terms)
  }
  for (const [i, name] of columnNames.entries()) {
    if (Object.hasOwn(chosenColumns, name)) continue
    if (name.trim() === '' && sampleRows.every(row => (row[i] ?? '').trim() === '')) continue
    const key = nameKey(name)
    const moment = moments.get(key)
    // Next to *Datum*, *Tag* has the weekday.
    if (moment !== undefined && isTrueOfMost(sampleRows, i, isWeekdayCell)) {
      unreadNames.push(name)
      continue
    }
    const content = momentKindIn(sampleRows, i, moment !== undefined)
    const otherColumn =
      notRead.has(key) && !columns.has(key) ? undefined : columnOfCells(meaningOf(key), key, sampleRows, i)
    // *Tag* is German for a day, and English for a word about an event.
    const isMoment =
      moment !== undefined && (otherColumn === undefined || otherColumn === moment || content === 'day')
    const column = isMoment ? columnOf(moment, content) : otherColumn
    if (column !== undefined && assign(column, i)) continue
    // If another column has the days, one with some times is a column of times: its other cells are errors of
    // their rows.
    const hasSomeTime = content === undefined && cellsIn(sampleRows, i).some(cell => isTimeCell(cell, false))
    if (isMoment && hasSomeTime && assign(columnOf(moment, 'time'), i)) continue
    if (content !== undefined && !notRead.has(key)) unclear.push(name.trim() || `number ${i + 1}`)
    else unreadNames.push(name.trim() === '' ? `number ${i + 1}` : name)
  }
  const languages = new Set(columnNames.flatMap(name => [...(foreign.get(nameKey(name)) ?? [])]))
  return { names: columnNames, at: placeOf, several, unread: unreadNames, unclear, languages }
}

/**
 * Makes sure that a file has a title and a day, and that no column of days or times is left out.
 * @throws Unreadable
 */
export function assertReadable({ names, at, unclear }: FileColumns): void {
  const missing = (['title', 'start_date'] as const).filter(column => !at.has(column))
  if (missing.length > 0) {
    const wantedNames = missing.map(column => JSON.stringify(CSV_COLUMNS[column])).join(' or ')
    throw new Unreadable(
      `its first line names no column ${wantedNames}: it has ${quotedNames(names) || 'none'}`,
      'source_no_columns',
    )
  }
  if (unclear.length > 0) throw unclearColumns(unclear)
}

/** The column of days or times that a named column is, judging by its cells. */
function columnOf(namedColumn: MomentColumn, content: 'day' | 'time' | undefined): MomentColumn {
  if (content === undefined) return namedColumn
  const isStart = namedColumn === 'start_date' || namedColumn === 'start_time'
  if (content === 'day') return isStart ? 'start_date' : 'end_date'
  return isStart ? 'start_time' : 'end_time'
}

const quotedNames = (names: readonly string[]): string =>
  someNames(names)
    .map(name => JSON.stringify(name))
    .join(', ')

function unclearColumns(names: readonly string[]): Unreadable {
  const wantedNames = [
    CSV_COLUMNS.start_date,
    CSV_COLUMNS.start_time,
    CSV_COLUMNS.end_date,
    CSV_COLUMNS.end_time,
  ]
  return new Unreadable(
    `days or times of these columns would not be read: ${quotedNames(names)}. Name each as what it is (${wantedNames.map(name => JSON.stringify(name)).join(', ')}), or remove it`,
    'source_unclear_columns',
  )
}
