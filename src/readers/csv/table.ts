import { CsvError, parse } from 'csv-parse/sync'
import { Unreadable } from '../../calendar/imports/records.ts'
import type { ChosenColumns } from '../../kit/lib/csv.ts'
import { assertFewColumns, countKnownColumns, csvColumns, type FileColumns } from './columns.ts'

// The rows of a CSV file, and the line that names its columns.

const SEPARATORS = [',', ';', '\t'] as const

export type CsvRow = { cells: readonly string[]; line: number }

const countLineEnds = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.match(/\n/g)?.length ?? 0), 0)

/** @throws Unreadable if a quotation mark is not closed */
export function csvRows(text: string, delimiter: string, maxRows?: number): CsvRow[] {
  try {
    // The library counts a line end of two characters within quotation marks as two lines.
    const rows = parse(text.replace(/\r\n?/g, '\n'), {
      delimiter,
      record_delimiter: '\n',
      info: true,
      skip_empty_lines: true,
      relax_quotes: true,
      // A space before or after quotation marks is not text. Tabs are separators.
      ltrim: delimiter !== '\t',
      rtrim: delimiter !== '\t',
      relax_column_count: true,
      ...(maxRows !== undefined && { to: maxRows }),
      // With `info`, which the types of the library ignore, it returns rows with details.
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({ cells: record, line: info.lines - countLineEnds(record) }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Unreadable(`it cannot be read as CSV: ${error.message}`, 'source_no_file')
  }
}

/** The first rows, one of which names the columns: some files have a title or empty lines above it. */
const HEAD_ROWS = 10

/**
 * The separator with which the most column names are known or, failing that, with which there are the most
 * columns.
 *
 * @param start the first lines
 * @throws Unreadable if there are too many columns
 */
function separatorIn(start: string): string {
  const lines = start.split(/[\r\n]+/, HEAD_ROWS).map(line => line.replace(/"/g, ''))
  const [bestSeparator] = SEPARATORS.map(separator => {
    const heads = lines.map(line => line.split(separator))
    return {
      separator,
      known: Math.max(...heads.map(countKnownColumns)),
      cells: Math.max(...heads.map(cells => cells.length)),
    }
  }).sort((a, b) => b.known - a.known || b.cells - a.cells)
  const separator = bestSeparator?.separator ?? ','
  // Checked here, before a wrong separator makes millions of cells.
  assertFewColumns(lines[0]?.split(separator) ?? [])
  return separator
}

/** A file as a table: its columns, the rows below their names, and what separates the cells. */
export type CsvTable = { columns: FileColumns; rows: readonly CsvRow[]; separator: string }

/** Choices for reading a file. */
type CsvChoices = {
  columns?: ChosenColumns | undefined
  maxRows?: number | undefined
}

/**
 * The names of columns without the empty ones, if no row has cells for these: then a separator between the
 * names is doubled.
 */
function withoutGaps(names: readonly string[], rows: readonly CsvRow[]): readonly string[] {
  const namedColumns = names.filter(name => name.trim() !== '')
  const isDoubled =
    rows.length > 0 &&
    namedColumns.length < names.length &&
    rows.every(({ cells }) => cells.length === namedColumns.length)
  return isDoubled ? namedColumns : names
}

/** The table in a file. @throws Unreadable if there is none, or it is too large */
export function tableIn(
  text: string,
  { columns: chosenColumns, maxRows = Infinity }: CsvChoices = {},
): CsvTable {
  // Some spreadsheets name the separator on a line of its own.
  const body = text.replace(/^\uFEFF?(?:sep=.\r?(?=\n))?/i, '')
  const separator = separatorIn(body.slice(0, 100_000).replace(/^\n/, ''))
  const allRows = csvRows(body, separator, maxRows === Infinity ? undefined : maxRows + HEAD_ROWS)
  const [first] = allRows
    .slice(0, HEAD_ROWS)
    .map(({ cells }, i) => ({ i, known: countKnownColumns(cells) }))
    .sort((a, b) => b.known - a.known || a.i - b.i)
  const rows = allRows.slice((first?.i ?? 0) + 1)
  const names = withoutGaps(allRows[first?.i ?? 0]?.cells ?? [], rows)
  if (rows.length > maxRows)
    throw new Unreadable(`it has more than ${maxRows} rows: divide it`, 'source_too_many_rows')
  const columns = csvColumns(
    names,
    rows.map(({ cells }) => cells),
    chosenColumns,
  )
  return { columns, rows, separator }
}
