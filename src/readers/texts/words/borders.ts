import { linesIn } from '../../../kit/lib/text.ts'
import { isWeekdayCell } from '../../moment-words.ts'
import { type Cell, hasCells, type Row, rowOfLine, rowsOfMarkup, spanOf, textOf } from './cells.ts'

// Rows of tables without headings, as people would write them: their cells are parts of a line, and two
// moments beside one another are a start and an end where some row begins and ends on one day. Otherwise they
// may be two performances.

/** What stands between two cells, and how people would write it. */
export type Border = { span: [from: number, to: number]; mark: ' | ' | ' – ' | ' ' }

/** The fewest cells of a row: the tab of “Wann:⇥Samstag” is no border. */
const MIN_CELLS = 3

const TABS = /\t/g
const OTHER_SEPARATORS = [/\|/g, /;/g, / {2,}/g]
const CLOCK_CELL = /^\d{1,2}(?:[.:h] ?\d{2}|(?= ?[uhap]))? ?(?:uhr|hs?|hrs?|am|pm)?$/i

/** A date in any form, and perhaps its hour: “Sat 13 Feb, 7.30pm”, `13.02.2027`, «mar. 2 de febrero» */
const MOMENT_CELL =
  /^((?:[a-zà-ÿ]{2,10}[.,]* )?(?:\d{1,4}[./-]\d{1,2}[./-]?(?:\d{2,4})?|\d{1,2}\.? (?:de )?[a-zà-ÿ]{3,10}\.?(?: (?:de )?\d{4})?))(,? \d{1,2}(?:[.:h] ?\d{2}|(?= ?[uhap]))? ?(?:uhr|hs?|hrs?|am|pm)?)?$/i

/** The borders of cells in a plain text: tabs, or else what separates a start and an end. */
export function bordersOfText(sent: string): Border[] {
  const lines = linesIn(sent)
  const rowsBy = (separator: RegExp): Row[] => lines.map(line => rowOfLine(line, separator))
  if (sent.includes('\t')) return bordersOf(rowsBy(TABS))
  const rows = OTHER_SEPARATORS.filter(separator => sent.search(separator) >= 0)
    .map(rowsBy)
    .find(rowsOfText => rowsOfText.some(endsOnSameDay))
  return rows ? bordersOf(rows) : []
}

/** The borders of cells in the tables of HTML, with the tags in them. */
export const bordersOfMarkup = (sent: string): Border[] =>
  hasCells(sent) ? bordersOf(rowsOfMarkup(sent)) : []

function bordersOf(givenRows: readonly Row[]): Border[] {
  const rows = givenRows.map(row => ({ ...row, cells: row.cells.filter(cell => !cell.isOfRowAbove) }))
  const hasEnds = rows.some(endsOnSameDay)
  return rows.flatMap(row => {
    const { cells } = row
    if (cells.length < MIN_CELLS) return []
    const { first, end, last } = (hasEnds && startAndEndIn(row)) || { first: 0, end: 0, last: 0 }
    return cells.slice(1).map((cell, i): Border => {
      const [[, from], [to]] = [spanOf(cells[i] as Cell), spanOf(cell)]
      if (isWeekdayAndNumber(cells[i] as Cell, cell)) return { span: [from, to], mark: ' ' }
      return { span: [from, to], mark: i < first || i >= last ? ' | ' : i + 1 === end ? ' – ' : ' ' }
    })
  })
}

/** True for a day in two cells: “Mon | 8”, “12. | Fr”. */
function isWeekdayAndNumber(a: Cell, b: Cell): boolean {
  const isNumber = (cell: Cell): boolean => /^(?:[1-9]|[12]\d|3[01])\.?$/.test(textOf(cell))
  return (isWeekdayCell(textOf(a)) && isNumber(b)) || (isNumber(a) && isWeekdayCell(textOf(b)))
}

/**
 * Two moments in two or four cells: the first cell, the cell in which the second moment begins, the last
 * cell, and both dates.
 */
type StartAndEnd = { first: number; end: number; last: number; dates: readonly string[] }

function startAndEndIn({ cells }: Row): StartAndEnd | undefined {
  const texts = cells.length < MIN_CELLS ? [] : cells.map(textOf)
  const isClock = (i: number): boolean => CLOCK_CELL.test(texts[i] ?? '')
  for (const first of texts.keys()) {
    const hasOwnClocks = isClock(first + 1) && isClock(first + 3)
    const end = first + (hasOwnClocks ? 2 : 1)
    const dates = [first, end].flatMap(i => {
      const [, date, hour] = MOMENT_CELL.exec(texts[i] ?? '') ?? []
      return date !== undefined && hasOwnClocks === (hour === undefined) ? [date] : []
    })
    if (dates.length === 2) return { first, end, last: hasOwnClocks ? end + 1 : end, dates }
  }
  return undefined
}

/** True if a row has a start and an end on the same day. */
function endsOnSameDay(row: Row): boolean {
  const { dates: [from, to] = [] } = startAndEndIn(row) ?? {}
  return from !== undefined && from === to
}
