import { BLOCKS, type Line, readMarkup } from '../../../kit/lib/text.ts'

// The cells of tables: of rows that somebody has copied out of a spreadsheet, of CSV, and of HTML.

/**
 * A cell that isn't empty: its column, and the pieces of its text, each with its offset.
 *
 * @property isOfRowAbove true if it began in a row above, and goes on in this one
 */
export type Cell = { column: number; pieces: { text: string; at: number }[]; isOfRowAbove?: true }

/**
 * A row without its empty cells.
 *
 * @property width the number of its cells, with the empty ones
 * @property openFrom where its last cell begins, if that has an opening quotation mark alone
 */
export type Row = { cells: readonly Cell[]; width: number; openFrom?: number }

export const textOf = ({ pieces }: Cell): string => pieces.map(({ text }) => text).join('')

export function spanOf({ pieces }: Cell): [from: number, to: number] {
  const last = pieces.at(-1)
  return [pieces[0]?.at ?? 0, last ? last.at + last.text.trimEnd().length : 0]
}

/** Characters of a cell in HTML. Newsletters are tables, too, whose cells have whole articles. */
const MAX_CELL = 120

/** Characters of a line in which what stands in quotation marks has no separators. */
const MAX_QUOTED = 2_000

const IN_QUOTES = /^\s*"(?:[^"]|"")*$/

/** Columns or rows over which one cell goes. */
const MAX_SPAN = 50

const CELLS = new Set(['td', 'th'])

/** The row of a line. @param separators a pattern with the flag `g` */
export function rowOfLine({ text, from }: Line, separators: RegExp): Row {
  const cells: Cell[] = []
  const add = (start: number, end: number) => {
    const cell = text.slice(start, end)
    const own = cell.trim()
    const isQuoted = own.length > 1 && own.startsWith('"') && own.endsWith('"')
    const at = from + start + cell.indexOf(own)
    const pieces = isQuoted ? piecesOfQuoted(own.slice(1, -1), at + 1) : [{ text: own, at }]
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

/** The pieces of what stands in quotation marks, where two such marks are one. @param at where it begins */
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
  let isBroken = false
  // Cells that go on in the next rows, by their columns.
  const spans = new Map<number, { cell: Cell; left: number }>()
  /** Columns over which the last cell goes, without its own. */
  let further = 0
  const goOn = () => {
    column += further
    further = 0
    for (let span = spans.get(++column); span && span.left > 0; span = spans.get(++column)) {
      cells.push({ ...span.cell, isOfRowAbove: true })
      span.left--
    }
  }
  const end = () => {
    if (cells.length > 0) goOn()
    if (!isBroken && cells.length > 0) rows.push({ cells, width: column })
    cells = []
    column = -1
    isOpen = isBroken = false
  }
  readMarkup(sent, {
    onText: (piece, at) => {
      const text = piece.trimStart()
      if (!isOpen || text === '') return
      const cell = cells.at(-1)
      if (cell?.column === column) cell.pieces.push({ text: piece, at })
      else {
        const { cell: spanning = { column, pieces: [] } } = spans.get(column) ?? {}
        spanning.pieces.push({ text, at: at + piece.length - text.length })
        cells.push(spanning)
      }
      isBroken ||= text.length > MAX_CELL
    },
    onTag: ({ name, isClosing, attributes }) => {
      if (name === 'tr' || name === 'table') {
        end()
        if (name === 'table') spans.clear()
      } else if (CELLS.has(name)) {
        isOpen = !isClosing
        if (!isOpen) return
        goOn()
        const spanOver = (name: string): number =>
          Math.min(Number(attributes.find(([attribute]) => attribute === name)?.[1]) || 1, MAX_SPAN)
        const rowspan = spanOver('rowspan')
        if (rowspan > 1) spans.set(column, { cell: { column, pieces: [] }, left: rowspan - 1 })
        else spans.delete(column)
        further = spanOver('colspan') - 1
      } else if (isOpen && !isClosing && (name === 'br' || BLOCKS.has(name)))
        // “<p>19:30</p>” is one line of its cell, “Sat<br>19:30” is two.
        isBroken ||= cells.at(-1)?.column === column
    },
  })
  return rows
}
