import type { ReadColumn } from '../../kit/lib/csv.ts'
import { type Line, linesIn } from '../../kit/lib/text.ts'
import { countKnownColumns, csvColumns, type FileColumns } from '../csv/columns.ts'
import { type Cell, type Row, rowOfLine, rowsOfMarkup, spanOf, textOf } from './words/cells.ts'
import { composedText, type Piece, type PlainText, type Span } from './words/plain.ts'

// Tables whose headings say what their columns have, as in files of spreadsheets: each row announces an event. Its
// cells become a short text in the order in which people write one, so that days, times and prices are read as in
// any other.

/** A row of a table: a text of its days and times, and the cells that say its title and its venue. */
export type TableRow = { plain: PlainText; title: Cell | undefined; venue: Cell | undefined }

export type Table = { rows: TableRow[]; span: Span; isEnglish: boolean }

/** What separates cells, in the order in which it is tried: tabs, strokes, marks of CSV, and the blanks of aligned columns. */
const SEPARATORS = [/\t/g, /\|/g, /;/g, /,/g, / {2,}/g]
const MAX_HEADING = 300
/** “|---|---|” below the headings of Markdown */
const isRule = ({ cells }: Row): boolean => cells.every(cell => /^[-:=\s]*$/.test(textOf(cell)))

/** The tables of a text or of HTML that have headings, in their order. */
export function tablesIn(sent: string): Table[] {
  if (/<t[dh][\s>]/i.test(sent)) return tablesOf(rowsOfMarkup(sent))
  const lines = linesIn(sent)
  const tables: Table[] = []
  for (let i = 0; i < lines.length; i++) {
    const separator = isHeadingLine(lines[i]) ? separatorOf(lines[i] as Line) : undefined
    if (!separator) continue
    const rows: Row[] = []
    for (let row: Row; i < lines.length; i++) {
      row = rowOfLine(lines[i] as Line, separator)
      if (row.cells.length < 2) break
      rows.push(row)
    }
    tables.push(...tablesOf(rows))
  }
  return tables
}

const isHeadingLine = (line: Line | undefined): boolean =>
  line !== undefined && line.text.length < MAX_HEADING && !/\d/.test(line.text)

const separatorOf = (line: Line): RegExp | undefined =>
  SEPARATORS.find(separator => isHeading(rowOfLine(line, separator)))

/** True if two columns have known names. Without them, nobody knows what the others are. */
const isHeading = ({ cells }: Row): boolean =>
  cells.length > 1 &&
  countKnownColumns(cells.map(textOf)) > 1 &&
  cells.every(cell => !/\d/.test(textOf(cell)))

/** Tables among rows, each of which begins with its headings. */
function tablesOf(rows: readonly Row[]): Table[] {
  const heads = rows.flatMap((row, i) => (isHeading(row) ? [i] : []))
  return heads.flatMap((head, n): Table[] => {
    const below = rows.slice(head + 1, heads[n + 1]).filter(row => !isRule(row))
    const heading = rows[head] as Row
    const texts = (row: Row): string[] => {
      const own = Array.from({ length: row.width }, () => '')
      for (const cell of row.cells) own[cell.column] = textOf(cell)
      return own
    }
    const columns = csvColumns(texts(heading), below.map(texts))
    const title = columns.at.get('title') ?? titleColumn(heading, columns)
    const last = below.at(-1)?.cells.at(-1)
    if (title === undefined || !columns.at.has('start_date') || !last) return []
    const first = heading.cells[0] as Cell
    return [
      {
        rows: rowsBelow(below, new Map([...columns.at, ['title', title]])),
        span: [spanOf(first)[0], spanOf(last)[1]],
        isEnglish: columns.languages.size === 0,
      },
    ]
  })
}

/** The column that is not known, if there is one alone: “Datum | Uhrzeit | Thema” */
function titleColumn({ cells }: Row, { at }: FileColumns): number | undefined {
  const known = new Set(at.values())
  const [column, ...others] = cells.map(cell => cell.column).filter(one => !known.has(one))
  return others.length > 0 ? undefined : column
}

/** Before the cells of a column, in words that all readers of texts know. */
const LABELS: readonly [column: ReadColumn, label: string][] = [
  ['venue', 'Ort: '],
  ['room', ''],
  ['address', ''],
  ['city', ''],
  ['cost', 'Eintritt: '],
  ['organizers', 'Veranstalter: '],
  ['website', ''],
]

function rowsBelow(rows: readonly Row[], at: FileColumns['at']): TableRow[] {
  let day: Cell | undefined
  return rows.map(row => {
    const read = rowOf(row, at, day)
    day = read.day
    return read
  })
}

const MOMENTS = ['start_date', 'start_time', 'end_date', 'end_time'] as const

/** @param above the day of the row above, which stands for an empty cell beside an hour */
function rowOf(
  { cells }: Row,
  at: FileColumns['at'],
  above: Cell | undefined,
): TableRow & { day: Cell | undefined } {
  const cell = (column: ReadColumn): Cell | undefined => {
    const i = at.get(column)
    return i === undefined ? undefined : cells.find(one => one.column === i)
  }
  const [written, startTime, end, endTime] = MOMENTS.map(cell)
  const start = written ?? (startTime && above)
  const title = cell('title')
  const labelled = LABELS.map(([column, label]) => ({ label, cell: cell(column) }))
  const others = cells.filter(
    one => ![written, startTime, end, endTime, title, ...labelled.map(({ cell }) => cell)].includes(one),
  )
  const pieces: Piece[] = [
    ...[
      ...piecesOf(start),
      ...piecesOf(startTime, ' '),
      ...(start ? piecesOf(end ?? endTime, ' – ') : []),
      ...(end ? piecesOf(endTime, ' ') : []),
    ].map(withoutT),
    // “cancelled – now 12/03”: days and times are in columns of their own.
    ...[title, ...others].flatMap(one => piecesOf(one, ' | ').map(withoutNumbers)),
    ...labelled.flatMap(({ label, cell }) => piecesOf(cell, `\n${label}`)),
  ]
  return { plain: composedText(pieces), title, venue: cell('venue'), day: start }
}

/** `2027-02-05T19:30`, as programs write it */
const withoutT = (piece: Piece): Piece => ({ ...piece, text: piece.text.replace(/(?<=\d)T(?=\d)/, ' ') })
const withoutNumbers = (piece: Piece): Piece => ({ ...piece, text: piece.text.replace(/\d.*$/s, '') })

const piecesOf = (cell: Cell | undefined, before = ''): Piece[] =>
  cell ? cell.pieces.map((piece, i) => ({ ...piece, before: i === 0 ? before : '' })) : []
