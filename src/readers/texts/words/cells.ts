import { BLOCKS, type Line, readMarkup } from '../../../kit/lib/text.ts'

// The cells of tables: of rows that somebody has copied out of a spreadsheet, of CSV, and of HTML.

/**
 * A cell that isn't empty: its column, and the pieces of its text, each with its offset.
 *
 * @property isOfRowAbove true if it spans several rows, and began in one above
 */
export type Cell = { column: number; pieces: { text: string; at: number }[]; isOfRowAbove?: true }

/**
 * A row without its empty cells.
 *
 * @property width the number of its cells, with the empty ones
 * @property openFrom where its last cell begins, if that opens a quotation mark and does not close it
 */
export type Row = { cells: readonly Cell[]; width: number; openFrom?: number }

export const textOf = ({ pieces }: Cell): string => pieces.map(({ text }) => text).join('')

export function spanOf({ pieces }: Cell): [from: number, to: number] {
  const last = pieces.at(-1)
  return [pieces[0]?.at ?? 0, last ? last.at + last.text.trimEnd().length : 0]
}

/** The longest cell in HTML, in characters. Newsletters are tables too, whose cells are whole articles. */
const MAX_CELL = 120

/** The longest line, in characters, in which separators within quotation marks are passed over. */
const MAX_QUOTED = 2_000

const IN_QUOTES = /^\s*"(?:[^"]|"")*$/

/** The most columns or rows that one cell spans. */
const MAX_SPAN = 50

const CELLS = new Set(['td', 'th'])

/** The row of a line. @param separators a pattern with the flag `g` */
export function rowOfLine({ text, from }: Line, separators: RegExp): Row {
  const cells: Cell[] = []
  const add = (start: number, end: number) => {
    const cell = text.slice(start, end)
    const trimmed = cell.trim()
    const isQuoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"')
    const at = from + start + cell.indexOf(trimmed)
    const pieces = isQuoted ? piecesOfQuoted(trimmed.slice(1, -1), at + 1) : [{ text: trimmed, at }]
    if (pieces.some(({ text }) => text !== '')) cells.push({ column: width, pieces })
    width++
  }
  const isQuotable = text.length < MAX_QUOTED
  let width = 0
  let start = 0
  for (const { 0: separator, index } of text.matchAll(separators)) {
    if (isQuotable && IN_QUOTES.test(text.slice(start, index))) continue
    add(start, index)
    start = index + separator.length
  }
  add(start, text.length)
  const isOpen = isQuotable && IN_QUOTES.test(text.slice(start))
  return { cells, width, ...(isOpen && { openFrom: from + text.indexOf('"', start) }) }
}

/**
 * The row that begins with a line, and the last line of it: a cell in quotation marks may have several, as in
 * CSV.
 */
export function rowOfLines(
  sent: string,
  lines: readonly Line[],
  { first, separators }: { first: number; separators: RegExp },
): { row: Row; last: number } {
  const { from, ...line } = lines[first] as Line
  const closing = new RegExp(`"(?:[^"]|"")*"(?=[^\\S\\n]*(?:${separators.source}|\\n|$))`, 'y')
  let row = rowOfLine({ from, ...line }, separators)
  let last = first
  while (row.openFrom !== undefined) {
    closing.lastIndex = row.openFrom - from
    if (!closing.test(sent.slice(from, from + MAX_QUOTED))) break
    while ((lines[last]?.to ?? Infinity) < from + closing.lastIndex) last++
    const to = lines[last]?.to ?? from
    row = rowOfLine({ text: sent.slice(from, to), from, to }, separators)
  }
  return { row, last }
}

/** The pieces of a quoted cell, in which a doubled quotation mark is one. @param at where it begins */
function piecesOfQuoted(quoted: string, at: number): Cell['pieces'] {
  let from = at
  return quoted.split('""').map((text, i, { length }) => {
    const piece = { text: i + 1 < length ? `${text}"` : text, at: from }
    from += text.length + 2
    return piece
  })
}

/** True for HTML with tables. */
export const hasCells = (sent: string): boolean => /<t[dh][\s>]/i.test(sent)

/** The rows of the tables in HTML whose cells have one line each. */
export function rowsOfMarkup(sent: string): Row[] {
  const rows: Row[] = []
  let cells: Cell[] = []
  let column = -1
  let isOpen = false
  let hasLongCell = false
  // Cells that span the next rows as well, by their columns.
  const rowSpans = new Map<number, { cell: Cell; left: number }>()
  /** How many columns the last cell spans beyond its own. */
  let extraColumns = 0
  const toNextColumn = () => {
    column += extraColumns
    extraColumns = 0
    for (let span = rowSpans.get(++column); span && span.left > 0; span = rowSpans.get(++column)) {
      cells.push({ ...span.cell, isOfRowAbove: true })
      span.left--
    }
  }
  const endRow = () => {
    if (cells.length > 0) toNextColumn()
    if (!hasLongCell && cells.length > 0) rows.push({ cells, width: column })
    cells = []
    column = -1
    isOpen = hasLongCell = false
  }
  readMarkup(sent, {
    onText: (piece, at) => {
      const text = piece.trimStart()
      if (!isOpen || text === '') return
      const cell = cells.at(-1)
      if (cell?.column === column) cell.pieces.push({ text: piece, at })
      else {
        const { cell: spanning = { column, pieces: [] } } = rowSpans.get(column) ?? {}
        spanning.pieces.push({ text, at: at + piece.length - text.length })
        cells.push(spanning)
      }
      hasLongCell ||= text.length > MAX_CELL
    },
    onTag: ({ name, isClosing, attributes }) => {
      if (name === 'tr' || name === 'table') {
        endRow()
        if (name === 'table') rowSpans.clear()
      } else if (CELLS.has(name)) {
        isOpen = !isClosing
        if (!isOpen) return
        toNextColumn()
        const spanOver = (attributeName: string): number =>
          Math.min(Number(attributes.find(([attribute]) => attribute === attributeName)?.[1]) || 1, MAX_SPAN)
        const rowspan = spanOver('rowspan')
        if (rowspan > 1) rowSpans.set(column, { cell: { column, pieces: [] }, left: rowspan - 1 })
        else rowSpans.delete(column)
        extraColumns = spanOver('colspan') - 1
      } else if (isOpen && !isClosing && (name === 'br' || BLOCKS.has(name)))
        // “<p>19:30</p>” is one line of its cell, “Sat<br>19:30” is two.
        hasLongCell ||= cells.at(-1)?.column === column
    },
  })
  return rows
}
