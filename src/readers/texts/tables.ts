import type { ReadColumn } from '../../kit/lib/csv.ts'
import { fold, type Line, linesIn } from '../../kit/lib/text.ts'
import { isTimeCell } from '../csv/clock.ts'
import { MOMENT_COLUMNS } from '../csv/column-names.ts'
import { countKnownColumns, csvColumns, type FileColumns } from '../csv/columns.ts'
import { isDayCell } from '../csv/days.ts'
import { flagIn } from '../csv/flags.ts'
import { isWeekdayCell } from '../moment-words.ts'
import { statusNamed } from '../status-words.ts'
import { MAX_WORDS_OF_NONE } from './what/purposes.ts'
import {
  type Cell,
  hasCells,
  type Row,
  rowOfLine,
  rowOfLines,
  rowsOfMarkup,
  spanOf,
  textOf,
} from './words/cells.ts'
import { composedText, type Piece, type PlainText, type Span } from './words/plain.ts'
import { isKind, WORDS } from './words/words.ts'

// Tables whose headings say what their columns have, as in files of spreadsheets: each row announces an
// event. Its cells become a short text in the order in which people write one, so that days, times and prices
// are read as in any other.

/**
 * A row of a table: a text made of its cells, those of its title, its venue and its room, and its status.
 *
 * @property details the cells that are no day, time, title or status, each with its heading
 */
export type TableRow = {
  plain: PlainText
  span: Span
  title: Cell | undefined
  venue: Cell | undefined
  room: Cell | undefined
  details: { heading: string; cell: Cell }[]
  status: 'canceled' | 'postponed' | undefined
}

export type Table = { rows: TableRow[]; span: Span; isEnglish: boolean }

/**
 * What separates cells, in the order in which it is tried: tabs, vertical bars, semicolons and commas of CSV,
 * and the spaces of aligned columns.
 */
const CELL_SEPARATORS = [/\t/g, /\|/g, /;/g, /,/g, / {2,}/g]

const MAX_HEADING = 300
const MAX_COLUMNS = 60

/** True for the line below the headings of Markdown: “|---|---|”. */
const isRule = ({ cells }: Row): boolean => cells.every(cell => /^[-:=\s]*$/.test(textOf(cell)))

/** The tables of a text or of HTML that have headings, in their order. */
export function tablesIn(sent: string): Table[] {
  if (hasCells(sent)) return tablesOf(rowsOfMarkup(sent))
  const lines = linesIn(sent)
  const tables: Table[] = []
  for (let i = 0; i < lines.length; i++) {
    const separator = isHeadingLine(lines[i]) ? separatorOf(lines[i] as Line) : undefined
    if (!separator) continue
    const rows: Row[] = []
    for (; i < lines.length; i++) {
      const { row, last } = rowOfLines(sent, lines, { first: i, separators: separator })
      if (row.cells.length < 2) break
      rows.push(row)
      i = last
    }
    tables.push(...tablesOf(rows))
  }
  return tables
}

const isHeadingLine = (line: Line | undefined): boolean =>
  line !== undefined && line.text.length < MAX_HEADING && !/\d/.test(line.text)

const separatorOf = (line: Line): RegExp | undefined =>
  CELL_SEPARATORS.find(separator => isHeading(rowOfLine(line, separator)))

/**
 * True if two columns have known names, or if one has, and another has a kind of event as its name: «Película
 * | Día | Pases».
 */
function isHeading({ cells }: Row): boolean {
  const names = cells.map(textOf)
  if (names.length < 2 || names.length > MAX_COLUMNS || names.some(name => /\d/.test(name))) return false
  return countKnownColumns(names) + (names.some(name => isKind(fold(name))) ? 1 : 0) > 1
}

/** Letters that English hardly has: «Date | RDV | Sortie», above «Crêtes de l’Arbizon» */
const ACCENTS = /[à-öø-ÿßœ]/i

/** Tables among rows, each of which begins with its headings. */
function tablesOf(rows: readonly Row[]): Table[] {
  const headings = rows.flatMap((row, i) => (isHeading(row) ? [i] : []))
  return headings.flatMap((head, n): Table[] => {
    const below = rows.slice(head + 1, headings[n + 1]).filter(row => !isRule(row))
    const heading = rows[head] as Row
    const textsOf = (row: Row): string[] => {
      const texts = Array.from({ length: row.width }, () => '')
      for (const cell of row.cells) texts[cell.column] = textOf(cell)
      return texts
    }
    const columns = csvColumns(textsOf(heading), below.map(textsOf))
    const at = columnsOf(heading, below, columns)
    const last = below.flatMap(({ cells }) => cells).findLast(cell => !cell.isOfRowAbove)
    if (!at.has('start_date') || !last) return []
    const first = heading.cells[0] as Cell
    return [
      {
        rows: rowsBelow(below, at, columns.names),
        span: [spanOf(first)[0], spanOf(last)[1]],
        isEnglish:
          columns.languages.size === 0 &&
          !below.some(({ cells }) => cells.some(one => ACCENTS.test(textOf(one)))),
      },
    ]
  })
}

const NAME_COLUMNS = new Set(['name', 'nom', 'nombre'])

const REMARK_COLUMN =
  /^(?:note|info|hinweis|bem|anm|rem|obs|comm?ent|komm|nr|no|id|ref|price|preis|sala|saal|halle?|status|statut|estado)/

/**
 * The columns by their names. Among those with unknown names, the days and the times are known by their
 * cells, and the title by a kind of event as its name («Vortrag», “Film”), or because it is the only one
 * left.
 */
function columnsOf(
  heading: Row,
  rows: readonly Row[],
  { at: named, names }: FileColumns,
): Map<ReadColumn, number> {
  const at = new Map(named)
  const known = new Set(named.values())
  const unknown = Array.from({ length: heading.width }, (_, column) => column).filter(
    column => !known.has(column) && rows.some(({ cells }) => cells.some(cell => cell.column === column)),
  )
  const holdsMostly = (column: number, is: (cell: string) => boolean): boolean => {
    const texts = rows.flatMap(({ cells }) => cells.filter(cell => cell.column === column).map(textOf))
    return texts.filter(is).length * 2 > texts.length
  }
  const assignColumn = (column: ReadColumn, is: (cell: string) => boolean): void => {
    const [only, ...others] = unknown.filter(one => holdsMostly(one, is))
    if (only === undefined || others.length > 0) return
    unknown.splice(unknown.indexOf(only), 1)
    if (!at.has(column)) at.set(column, only)
  }
  assignColumn('start_date', cell => isDayCell(cell, false))
  assignColumn('start_time', cell => isTimeCell(cell, false))
  const nameOf = (column: number): string => fold(names[column] ?? '')
  const isNoTitle = (column: number): boolean =>
    REMARK_COLUMN.test(nameOf(column)) || WORDS.labelsOfPersons.has(nameOf(column).split(' ')[0] ?? '')
  const titleColumns = unknown.filter(column => !isNoTitle(column) && !holdsMostly(column, isWeekdayCell))
  const kinds = titleColumns.filter(column => isKind(nameOf(column)))
  const [title, ...more] = kinds.length > 0 ? kinds : titleColumns
  // “Bar | Date | Name” may have the name of whoever serves.
  const mayBePerson = NAME_COLUMNS.has(nameOf(at.get('title') ?? -1)) && titleColumns.length > 0
  if (mayBePerson) at.delete('title')
  else if (!at.has('title') && title !== undefined && more.length === 0) at.set('title', title)
  return at
}

/** Labels to write before the cells of a column, in words that the readers of texts recognize. */
const COLUMN_LABELS: readonly [column: ReadColumn, label: string][] = [
  ['venue', 'Ort: '],
  ['room', ''],
  ['address', ''],
  ['city', ''],
  ['cost', 'Eintritt: '],
  ['organizers', 'Veranstalter: '],
  ['website', ''],
]

const HOME = new Set(['home', 'heim', 'heimmannschaft', 'domicile', 'recevant', 'local', 'equipo local'])

const AWAY = new Set([
  'away',
  'gast',
  'gastmannschaft',
  'exterieur',
  'visiteur',
  'visitante',
  'equipo visitante',
])

/** The columns of the two teams of a match. */
function teamsIn(names: readonly string[]): number[] {
  const [home, away] = [HOME, AWAY].map(words => names.findIndex(name => words.has(fold(name))))
  return home !== undefined && away !== undefined && home >= 0 && away >= 0 ? [home, away] : []
}

/** The title of a match, made of the cells of both teams: “TSV Hausen – SG Neckartal”. */
function matchOf([home, away]: readonly (Cell | undefined)[]): Cell | undefined {
  if (!home || !away) return home ?? away
  return { ...home, pieces: [...home.pieces, { text: ' – ', at: spanOf(home)[1] }, ...away.pieces] }
}

function rowsBelow(rows: readonly Row[], at: FileColumns['at'], names: readonly string[]): TableRow[] {
  const teams = teamsIn(names)
  let day: Cell | undefined
  return rows.flatMap(row => {
    const { day: ownDay, hasNoEvent, ...read } = rowOf(row, at, { above: day, teams, names })
    day = ownDay
    return hasNoEvent ? [] : [read]
  })
}

/** A start and an end in one cell: “10h-12h”, “19 bis 21 Uhr”. */
const HOUR_SPAN = /\d\D{0,6}(?:[-–]|\b(?:to|bis|à|a)\b)\s?\d/i

const EMPTY_CELL: Cell = { column: 0, pieces: [] }

/** @param above the day of the row above, which is used for an empty cell next to an hour */
function rowOf(
  { cells }: Row,
  at: FileColumns['at'],
  { above, teams, names }: { above: Cell | undefined; teams: readonly number[]; names: readonly string[] },
): TableRow & { day: Cell | undefined; hasNoEvent: boolean } {
  const cell = (column: ReadColumn): Cell | undefined => {
    const i = at.get(column)
    return i === undefined ? undefined : cells.find(one => one.column === i)
  }
  const [ownStart, startTime, end, endTime] = MOMENT_COLUMNS.map(cell)
  const start = ownStart ?? (startTime && above)
  const [titleCell, status] = (['title', 'event_status'] as const).map(cell)
  const title = titleCell ?? matchOf(teams.map(column => cells.find(one => one.column === column)))
  const isAllDay = flagIn(textOf(cell('all_day') ?? EMPTY_CELL)) === true
  const [from, to] = isAllDay ? [] : [startTime, endTime]
  // Whole days may end at the midnight after them. Nothing says whether the day of that midnight is included.
  const isEndUnknown = isAllDay ? /^0?0:00/.test(textOf(endTime ?? EMPTY_CELL)) : isSame(end, ownStart)
  const last = isEndUnknown ? undefined : end
  // “06/02 – 07/02, 10:00–12:00”
  const areHoursOfEachDay = last && !to && from && HOUR_SPAN.test(textOf(from))
  const labelled = COLUMN_LABELS.map(([column, label]) => ({ label, cell: cell(column) }))
  const fieldCells = [ownStart, startTime, end, endTime, title, status, cell('all_day')]
  const details = cells.filter(one => !fieldCells.includes(one) && !teams.includes(one.column))
  const others = cells.filter(one => ![...fieldCells, ...labelled.map(one => one.cell)].includes(one))
  const pieces: Piece[] = [
    ...[
      ...piecesOf(start),
      ...(areHoursOfEachDay ? [] : piecesOf(from, ' ')),
      ...(start ? piecesOf(last ?? to, ' – ') : []),
      ...(last ? piecesOf(areHoursOfEachDay ? from : to, areHoursOfEachDay ? ', ' : ' ') : []),
    ].flatMap(asPeopleWrite),
    // “cancelled – now 12/03”: what follows a number is left out, as days and times have their own columns.
    ...[title, ...others].flatMap(one => piecesOf(one, ' | ').map(upToNumber)),
    ...labelled.flatMap(({ label, cell }) => piecesOf(cell, `\n${label}`)),
  ]
  const first = cells.find(one => !one.isOfRowAbove) ?? EMPTY_CELL
  const saidStatus = status && statusNamed(textOf(status))?.event_status
  return {
    plain: composedText(pieces),
    title,
    span: [spanOf(first)[0], spanOf(cells.at(-1) ?? first)[1]],
    venue: cell('venue'),
    room: cell('room'),
    details: details.map(one => ({
      heading: one.column === at.get('description') ? '' : (names[one.column] ?? ''),
      cell: one,
    })),
    status: saidStatus === 'canceled' || saidStatus === 'postponed' ? saidStatus : undefined,
    day: start,
    hasNoEvent:
      !/\d/.test(textOf(from ?? EMPTY_CELL)) &&
      [title, ...others].some(one => one && saysNoEvent(textOf(one))),
  }
}

/**
 * True for what a table has on a day without an event: “no meeting”, “kein Training”, «exempt»,
 * “Sommerpause”.
 */
function saysNoEvent(text: string): boolean {
  const [first = '', ...others] = fold(text.replace(/\(.*/s, '')).split(' ')
  return (
    (WORDS.noneInRow.has(first) && others.length < MAX_WORDS_OF_NONE) ||
    (others.length === 0 && (WORDS.breaksOfSchools.has(first) || /(?:ferien|pause)$/.test(first)))
  )
}

const isSame = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a && b ? textOf(a) === textOf(b) : false

/** A cell of a day or a time as people write it, made of what programs write: `2027-02-05T19:30`, `1930`. */
function asPeopleWrite(piece: Piece): Piece[] {
  const { text, at, before } = piece
  const [, hour, minute] = /^(\d\d)([0-5]\d)$/.exec(text) ?? []
  if (hour !== undefined && minute !== undefined)
    return [
      { text: hour, at, before },
      { text: minute, at: at + 2, before: ':' },
    ]
  // “20” in a column of hours
  if (/^(?:[01]?\d|2[0-3])$/.test(text) && before.trim() !== '|' && before !== '')
    return [piece, { text: '', at: at + text.length, before: ':00' }]
  return [{ ...piece, text: text.replace(/(?<=\d)T(?=\d)/, ' ') }]
}

const upToNumber = (piece: Piece): Piece => ({ ...piece, text: piece.text.replace(/\d.*$/s, '') })

const piecesOf = (cell: Cell | undefined, before = ''): Piece[] =>
  cell ? cell.pieces.map((piece, i) => ({ ...piece, before: i === 0 ? before : '' })) : []
