import { reportGuess } from '../../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type DayOrder,
  type GuessedValue,
  isTerm,
  itemReason,
  type ReaderContext,
  type ReadingReason,
  recordItems,
  type SourceItem,
  Unreadable,
} from '../../calendar/imports/records.ts'
import { type ReadColumn, unescapeFormula } from '../../kit/lib/csv.ts'
import { isOwnUid } from '../../kit/lib/ical/lines.ts'
import type { Language } from '../../kit/lib/languages.ts'
import type { GuessCode } from '../../kit/lib/reasons.ts'
import { type ReadingNotes, readExternalId, readTitle, reportLeftOut, textOrEmpty } from '../fields.ts'
import { decodeText } from '../http.ts'
import { zoneNamed } from '../zone-names.ts'
import { has24HourTime } from './clock.ts'
import { MOMENT_COLUMNS } from './column-names.ts'
import { assertReadable, type FileColumns, someNames } from './columns.ts'
import { isDayCell, ordersIn } from './days.ts'
import { recordsIn } from './records.ts'
import { type CsvRow, type CsvTable, tableIn } from './table.ts'

// Events in CSV files: of The Events Calendar's importer, of this calendar, and of people's own spreadsheets.

/**
 * Reads the events of a CSV file. A row with a UID is identified by it in any file; other rows by the file
 * and their ID there, or else their title and start.
 *
 * @param file its name
 * @throws Unreadable if it is not a table, or lacks columns
 */
export function csvItems(bytes: Uint8Array, file: string, context: ReaderContext): Generator<SourceItem> {
  return rowItems(tableIn(decodeText(bytes)), file, context)
}

function idsOnce(ids: readonly string[]): ReadonlySet<string> {
  const groups = Map.groupBy(ids, id => id)
  return new Set(ids.filter(id => id !== '' && groups.get(id)?.length === 1))
}

/** Languages in which the day comes before the month, wherever they are written. */
const DAY_FIRST: ReadonlySet<Language> = new Set(['de', 'es', 'fr'])

/** An order of days, and the code of the guess, unless somebody has chosen the order. */
type FoundOrder = { order?: DayOrder | undefined; code?: GuessCode }

/**
 * The order of day and month in a table, as its cells show it, or as its headings in the calendar's language
 * suggest.
 */
function orderOf({ columns, rows }: CsvTable, { dayOrder, language }: ReaderContext): FoundOrder {
  if (dayOrder) return { order: dayOrder }
  const days = (['start_date', 'end_date'] as const).flatMap(column => columns.at.get(column) ?? [])
  const [order, ...otherOrders] = ordersIn(rows.flatMap(({ cells }) => days.map(i => textOrEmpty(cells[i]))))
  if (order) return otherOrders.length > 0 ? {} : { order, code: 'guess_days_by_rows' }
  const isDayFirst = language !== undefined && DAY_FIRST.has(language) && columns.languages.has(language)
  return isDayFirst ? { order: 'dmy', code: 'guess_days_by_headings' } : {}
}

/** The most zones of a file whose abbreviations its times may have. */
const MAX_ZONES = 20

function zonesOf({ columns, rows }: CsvTable): string[] {
  const i = columns.at.get('timezone')
  if (i === undefined) return []
  const names = new Set(rows.map(({ cells }) => textOrEmpty(cells[i])))
  return [...names].slice(0, MAX_ZONES).flatMap(name => zoneNamed(name) ?? [])
}

/**
 * A function that reports what is assumed of many rows: one guess of each kind, with the first row to which
 * it applies and the number of such rows.
 */
function assumptions(file: string, context: ReaderContext) {
  const firstGuesses = new Map<GuessCode, GuessedValue>()
  return (code: GuessCode, text: string, as: string, line: number): void => {
    const first = firstGuesses.get(code)
    // Equal guesses are counted; notes are not.
    if (first && !context.guess) return
    const guess = first ?? { code, text, as, what: file, line }
    firstGuesses.set(code, guess)
    reportGuess(context, guess)
  }
}

/** True if the times of a table are those of a clock of 24 hours, as one of its cells shows. */
const hasAllHours = ({ columns, rows }: CsvTable): boolean =>
  MOMENT_COLUMNS.some(column => {
    const i = columns.at.get(column)
    return (
      i !== undefined && rows.some(({ cells }) => has24HourTime(textOrEmpty(cells[i]), /time/.test(column)))
    )
  })

/** What is known of a whole table: the order of days, with the code of the guess if it is one, and more. */
const sharedReadingOf = (table: CsvTable, file: string, context: ReaderContext) => {
  const { order: dayOrder, code: orderCode } = orderOf(table, context)
  return {
    ...context,
    dayOrder,
    orderCode,
    assumeAt: assumptions(file, context),
    hasAllHours: hasAllHours(table),
    zones: zonesOf(table),
    what: file,
  }
}

type SharedReading = ReturnType<typeof sharedReadingOf>

function rowReading({ columns, separator }: CsvTable, { cells, line }: CsvRow, sharedReading: SharedReading) {
  const cellAt = (i = -1) => unescapeFormula(textOrEmpty(cells[i]), separator)
  const cell = (column: ReadColumn) => cellAt(columns.at.get(column))
  const headingOf = (column: ReadColumn) => columns.names[columns.at.get(column) ?? -1] ?? column
  const cellsOf = (column: ReadColumn) =>
    (columns.several.get(column) ?? [])
      .map(i => ({ name: columns.names[i] ?? column, text: cellAt(i).trim() }))
      .filter(({ text }) => text !== '')
  const { orderCode, assumeAt } = sharedReading
  const assume = (code: GuessCode, text: string, as: string) => assumeAt(code, text, as, line)
  const onOrdered = (text: string, day: string) => orderCode && assume(orderCode, text, day)
  const ownReading = { ...sharedReading, ordered: onOrdered, assume, line }
  const uid = readExternalId(cell('uid'), { ...ownReading, source: '' }) ?? ''
  return {
    uid,
    number: cell('id').trim(),
    title: readTitle(cell('title')),
    reading: {
      ...ownReading,
      source: uid === '' ? `csv:${sharedReading.what}` : 'csv:',
      cell,
      headingOf,
      cellsOf,
    },
  }
}

/** Reads the events of a table. @throws Unreadable if it lacks columns */
export function* rowItems(table: CsvTable, file: string, context: ReaderContext): Generator<SourceItem> {
  const { columns, rows } = table
  assertReadable(columns)
  const { unread } = columns
  if (unread.length > 0) context.note(`${file}: columns that are not read: ${someNames(unread).join(', ')}`)
  yield { type: 'expect', count: rows.length }
  const lines = new Map<string, number>()
  // The first row that names a venue or organizer counts: it should be a public one.
  const hiddenItems: SourceItem[] = []
  const ids = idsOnce(rows.map(({ cells }) => textOrEmpty(cells[columns.at.get('id') ?? -1]).trim()))
  const sharedReading = sharedReadingOf(table, file, context)
  for (const { cells: writtenCells, line } of rows) {
    if (writtenCells.every(text => text.trim() === '')) continue
    const cells = withoutFaults(writtenCells, columns, { ...context, what: file, line })
    const row = { cells, line }
    reportMisplaced(cells, columns.names, { ...context, what: file, line })
    const { uid, number, title, reading } = rowReading(table, row, sharedReading)
    const problem = (type: 'skipped' | 'failed', reason: ReadingReason): SourceItem => ({
      type,
      kind: 'event',
      what: file,
      title,
      line,
      ...reason,
    })
    try {
      if (context.host !== undefined && isOwnUid(uid, context.host)) {
        const reason = 'it is an event of this calendar, which no import changes'
        yield problem('skipped', { reason, code: 'record_here' })
        continue
      }
      const records = recordsIn(reading, { external_id: uid, id: ids.has(number) ? number : '' })
      const key = records.at(-1)?.externalId ?? ''
      const before = lines.get(key)
      if (before !== undefined) {
        const reason = `it is the same event as in line ${before}`
        yield problem('skipped', { reason, code: 'record_twice' })
      } else if (arePublic(records)) yield* recordItems(records)
      else hiddenItems.push(...recordItems(records))
      lines.set(key, before ?? line)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      yield problem('failed', itemReason(error))
    }
  }
  yield* hiddenItems
}

/** What spreadsheets write in place of the result of a formula that has none, in four languages. */
const FAULT =
  /^#(?:n\/a|nv|[¡¿]?(?:ref|name|value|num|null|div\/0|spill|calc|error|bezug|wert|zahl|überlauf|kalk|nom|nombre|valeur|valor|nul|nulo|propagation|desbordamiento)[!?])$/i

/**
 * The cells of a row, empty where a formula has no result. Days and times stay as they are: without its
 * times, an event would be another one.
 */
function withoutFaults(
  cells: readonly string[],
  { names, at }: FileColumns,
  reading: ReadingNotes,
): readonly string[] {
  return cells.map((text, i) => {
    if (!FAULT.test(text.trim()) || MOMENT_COLUMNS.some(column => at.get(column) === i)) return text
    reportLeftOut(reading, names[i] ?? '', text.trim())
    return ''
  })
}

/**
 * Reports a row whose cells don't match the headings, because a separator, a quotation mark or a line end is
 * missing or superfluous.
 */
function reportMisplaced(cells: readonly string[], names: readonly string[], reading: ReadingNotes): void {
  const surplusCells = cells.slice(names.length).filter(text => text.trim() !== '')
  if (surplusCells.length > 0) reportLeftOut(reading, cells[0] ?? '', surplusCells.join(' '))
  const swallowed = cells.flatMap(text => text.split(/[\r\n]+/).slice(1))
  const row = swallowed.find(text => isRow(text, names.length))
  if (row !== undefined) reportLeftOut(reading, cells[0] ?? '', row)
}

/**
 * True if a line of a cell looks like a row: it has as many cells as a row, and one of them is a day. Commas
 * alone say nothing, because descriptions have them as well.
 */
function isRow(line: string, length: number): boolean {
  const parts = line.split(/[,;\t]/)
  return (
    length > 2 && parts.length >= length - 1 && parts.some(part => isDayCell(part.replaceAll('"', ''), false))
  )
}

const arePublic = (records: readonly AnyRecord[]): boolean =>
  records.every(record => isTerm(record) || record.status === 'publish')
