import { linesIn } from '../../../kit/lib/text.ts'
import { isWeekdayCell } from '../../moment-words.ts'
import { type Cell, hasCells, type Row, rowOfLine, rowsOfMarkup, spanOf, textOf } from './cells.ts'

// Rows of tables without headings, as people would write them: their cells are parts of a line, and two
// moments beside one another are a start and an end where some row begins and ends on one day. Otherwise they
// may be two performances.

/** What stands between two cells, and how people would write it. */
export type Border = { span: [from: number, to: number]; mark: ' | ' | ' – ' | ' ' }

/** A row has three cells. The tab of “Wann:⇥Samstag” is no border. */
const MIN_CELLS = 3

const TABS = /\t/g
const OTHERS = [/\|/g, /;/g, / {2,}/g]
const CLOCK = /^\d{1,2}(?:[.:h] ?\d{2}|(?= ?[uhap]))? ?(?:uhr|hs?|hrs?|am|pm)?$/i

/** A date in any form, and perhaps its hour: “Sat 13 Feb, 7.30pm”, `13.02.2027`, «mar. 2 de febrero» */
const MOMENT =
  /^((?:[a-zà-ÿ]{2,10}[.,]* )?(?:\d{1,4}[./-]\d{1,2}[./-]?(?:\d{2,4})?|\d{1,2}\.? (?:de )?[a-zà-ÿ]{3,10}\.?(?: (?:de )?\d{4})?))(,? \d{1,2}(?:[.:h] ?\d{2}|(?= ?[uhap]))? ?(?:uhr|hs?|hrs?|am|pm)?)?$/i

/** The borders of cells in a plain text: tabs, or else what separates a start and an end. */
export function bordersOfText(sent: string): Border[] {
  const lines = linesIn(sent)
  const rowsBy = (separator: RegExp): Row[] => lines.map(line => rowOfLine(line, separator))
  if (sent.includes('\t')) return bordersOf(rowsBy(TABS))
  const rows = OTHERS.filter(separator => sent.search(separator) >= 0)
    .map(rowsBy)
    .find(some => some.some(isOfOneDay))
  return rows ? bordersOf(rows) : []
}

/** The borders of cells in the tables of HTML, with the tags in them. */
export const bordersOfMarkup = (sent: string): Border[] =>
  hasCells(sent) ? bordersOf(rowsOfMarkup(sent)) : []

function bordersOf(all: readonly Row[]): Border[] {
  const rows = all.map(row => ({ ...row, cells: row.cells.filter(cell => !cell.isOfRowAbove) }))
  const hasEnds = rows.some(isOfOneDay)
  return rows.flatMap(row => {
    const { cells } = row
    if (cells.length < MIN_CELLS) return []
    const { first, end, last } = (hasEnds && stretchIn(row)) || { first: 0, end: 0, last: 0 }
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
 * Two moments in two or four cells: the first one, that in which the second begins, the last one, and both
 * dates.
 */
type Stretch = { first: number; end: number; last: number; dates: readonly string[] }

function stretchIn({ cells }: Row): Stretch | undefined {
  const texts = cells.length < MIN_CELLS ? [] : cells.map(textOf)
  const isClock = (i: number): boolean => CLOCK.test(texts[i] ?? '')
  for (const first of texts.keys()) {
    const isApart = isClock(first + 1) && isClock(first + 3)
    const end = first + (isApart ? 2 : 1)
    const dates = [first, end].flatMap(i => {
      const [, date, hour] = MOMENT.exec(texts[i] ?? '') ?? []
      return date !== undefined && isApart === (hour === undefined) ? [date] : []
    })
    if (dates.length === 2) return { first, end, last: isApart ? end + 1 : end, dates }
  }
  return undefined
}

/** True if a row has a start and an end on the same day. */
function isOfOneDay(row: Row): boolean {
  const { dates: [from, to] = [] } = stretchIn(row) ?? {}
  return from !== undefined && from === to
}
