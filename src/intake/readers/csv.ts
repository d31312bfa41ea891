import { CsvError, parse } from 'csv-parse/sync'
import { type ChosenColumns, CURRENCY, type ReadColumn, unescapeFormula } from '../../lib/csv.ts'
import { isOwnUid } from '../../lib/ical/lines.ts'
import { type Status, WHEELCHAIR_ACCESS } from '../../lib/statuses.ts'
import { fold, isUnitedStates } from '../../lib/text.ts'
import { LIMIT } from '../../lib/values.ts'
import {
  type AnyRecord,
  type EventRecord,
  type IntakeReason,
  isTerm,
  itemReason,
  type OrganizerRecord,
  type ReaderContext,
  type SourceItem,
  Unreadable,
  type VenueRecord,
  withStatusOf,
} from '../records.ts'
import {
  assertFewColumns,
  assertWhole,
  countKnownColumns,
  csvColumns,
  type FileColumns,
  someNames,
} from './csv-columns.ts'
import { flagIn, hidesIn, hidesUnless } from './csv-flags.ts'
import { csvTimes, dayOrderIn } from './csv-times.ts'
import {
  eventStatus,
  externalIdsOf,
  onlineType,
  type Reading,
  readEmail,
  readExternalId,
  readHtml,
  readImageRecord,
  readLine,
  readPosition,
  readTitle,
  readUrl,
  textOrEmpty,
} from './fields.ts'
import { decodeText } from './http.ts'
import { bareRecord, linkable, organizerNamed, termsNamed, textKey } from './named.ts'

// Events in CSV files: of The Events Calendar's importer, of this calendar, and of people's own spreadsheets.

const SEPARATORS = [',', ';', '\t'] as const

/** A row, and the line of the file on which it begins. */
type CsvRow = { cells: readonly string[]; line: number }

/** The number of line ends in cells. */
const linesIn = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)

/** @throws Unreadable if a quotation mark is not closed */
function rowsOf(text: string, delimiter: string, most?: number): CsvRow[] {
  try {
    const rows = parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      skip_empty_lines: true,
      relax_quotes: true,
      relax_column_count: true,
      ...(most !== undefined && { to: most }),
      // With `info`, which the types of the library do not follow, it gives rows and what it knows of them.
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({ cells: record, line: info.lines - linesIn(record) }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Unreadable(`it is no CSV that can be read: ${error.message}`, 'source_no_file')
  }
}

/** Rows among which the one with the names of the columns is: some have a title or empty lines above. */
const HEAD_ROWS = 10

/**
 * The separator with which most columns are known by their names, or else that gives the most.
 *
 * @param start the first lines
 * @throws Unreadable if there are too many columns
 */
function separatorIn(start: string): string {
  const lines = start.split(/[\r\n]+/, HEAD_ROWS).map(line => line.replace(/"/g, ''))
  const [best] = SEPARATORS.map(separator => {
    const heads = lines.map(line => line.split(separator))
    return {
      separator,
      known: Math.max(...heads.map(countKnownColumns)),
      cells: Math.max(...heads.map(cells => cells.length)),
    }
  }).sort((a, b) => b.known - a.known || b.cells - a.cells)
  const separator = best?.separator ?? ','
  // Before millions of cells are made.
  assertFewColumns(lines[0]?.split(separator) ?? [])
  return separator
}

/** A file as a table: its columns, and the rows below their names. */
export type CsvTable = { columns: FileColumns; rows: readonly CsvRow[] }

/** Choices for reading a file. */
export type CsvChoices = {
  columns?: ChosenColumns | undefined
  /** The most rows. */
  most?: number | undefined
}

/** The table in a file. @throws Unreadable if it is none, or too large */
export function tableIn(text: string, { columns: chosen, most = Infinity }: CsvChoices = {}): CsvTable {
  // Some spreadsheets name the separator on a line of its own.
  const body = text.replace(/^\uFEFF?(?:sep=.\r?\n)?/i, '')
  const all = rowsOf(
    body,
    separatorIn(body.slice(0, 100_000)),
    most === Infinity ? undefined : most + HEAD_ROWS,
  )
  const [first] = all
    .slice(0, HEAD_ROWS)
    .map(({ cells }, i) => ({ i, known: countKnownColumns(cells) }))
    .sort((a, b) => b.known - a.known || a.i - b.i)
  const rows = all.slice((first?.i ?? 0) + 1)
  if (rows.length > most)
    throw new Unreadable(`it has more than ${most} rows: divide it`, 'source_too_many_rows')
  const columns = csvColumns(
    all[first?.i ?? 0]?.cells ?? [],
    rows.map(({ cells }) => cells),
    chosen,
  )
  return { columns, rows }
}

type RowReading = Reading & {
  cell: (column: ReadColumn) => string
  /** The name of a column in the file. */
  nameOf: (column: ReadColumn) => string
}

/** The most characters of a list of names that are read: a cell may have two million, and a name a letter. */
const LONGEST_LIST = 10_000

/** The names in a cell, separated by commas or, if there are none, by semicolons. */
function namesIn(whole: string): string[] {
  const cell = whole.slice(0, LONGEST_LIST)
  const separator = cell.includes(',') ? ',' : ';'
  return rowsOf(cell.replace(/\s+/g, ' '), separator, 1)
    .flatMap(({ cells }) => cells)
    .map(name => readTitle(name.trim()))
    .filter(Boolean)
}

function venueIn({ cell, ...reading }: RowReading): VenueRecord | undefined {
  const texts = (['venue', 'address', 'city', 'province', 'zip', 'country'] as const)
    .map(cell)
    .map(text => readLine(text))
  const [named = '', address = '', city = '', region = '', zip = '', country = ''] = texts
  const name = readTitle(cell('venue')) || named || address
  if (name === '') return undefined
  return {
    ...bareRecord(reading, textKey([name, address, city, region, zip, country].filter(Boolean).join(', '))),
    kind: 'venue',
    name,
    address,
    city,
    zip,
    country,
    ...(isUnitedStates(country) ? { state: region } : { province: region }),
    ...readPosition(cell('latitude'), cell('longitude')),
  }
}

function organizersIn({ cell, ...reading }: RowReading): OrganizerRecord[] {
  const emails = rowsOf(cell('email'), ',', 1)[0]?.cells ?? []
  const all = namesIn(cell('organizers')).map((name, i) =>
    organizerNamed(reading, { name, email: readEmail(emails[i] ?? '', reading) }),
  )
  return linkable(all, 'organizers', reading)
}

/** The cost with its currency, which the importer of The Events Calendar has in columns of their own. */
function costIn({ cell }: RowReading): string {
  const cost = readLine(cell('cost'))
  const [symbol, position, code] = CURRENCY.map(column => readLine(cell(column)))
  const sign = symbol || code || ''
  // Words, zero, and what has a sign already stay as they are.
  if (sign === '' || !/^\d+(?:[.,]\d+)*$/.test(cost) || Number(cost) === 0) return cost
  return /suffix|after|postfix/i.test(position ?? '')
    ? `${cost} ${sign}`
    : `${sign}${symbol ? '' : ' '}${cost}`
}

/** Columns that hide an event, with what tells if a cell does. */
const HIDING = [
  ['private', hidesIn],
  ['sensitivity', hidesIn],
  ['public', hidesUnless],
  ['hide_from_listings', flagIn],
] as const

/** The status of a row's event. One that is hidden in an unknown word waits, so that nothing private becomes public. */
function statusOf({ cell, nameOf, what, note, noteDate = note }: RowReading): Status {
  const cells = HIDING.map(([column, read]) => ({
    column,
    text: cell(column).trim(),
    hides: read(cell(column)),
  }))
  const isPrivate = cells.some(({ column, hides }) => hides === true && column !== 'hide_from_listings')
  if (isPrivate) return 'private'
  const unknown = cells.filter(({ text, hides }) => text !== '' && hides === undefined)
  for (const { column, text } of unknown) {
    const quoted = JSON.stringify(text.slice(0, 50))
    noteDate(
      `${what}: ${nameOf(column)} ${quoted} is neither yes nor no, so the event waits`,
      'record_hides_unread',
    )
  }
  return unknown.length > 0 ? 'pending' : 'publish'
}

/** The records of a row, the event last. @throws Unreadable */
function recordsIn(row: RowReading, external_id: string): AnyRecord[] {
  const { cell, nameOf: _, ...reading } = row
  const title = readTitle(cell('title'))
  if (title === '') throw new Unreadable('it has no title', 'record_no_name')
  const moments = csvTimes(row, reading)
  const venue = venueIn(row)
  const organizers = organizersIn(row)
  const categories = termsNamed('category', namesIn(cell('categories')), reading)
  const tags = termsNamed('tag', namesIn(cell('tags')), reading)
  const virtual_url = readUrl(cell('virtual_url'), reading)
  const flag = (column: ReadColumn, fallback = false) => flagIn(cell(column)) ?? fallback
  const image = cell('image').trim()
  const status = statusOf(row)
  const start = moments.all_day ? moments.start.wall.slice(0, 10) : moments.start.wall
  const event: EventRecord = {
    source: reading.source,
    kind: 'event',
    slug: '',
    status,
    externalId: external_id || textKey(`${start} ${fold(title)}`),
    external_id,
    title,
    description: readHtml(cell('description'), LIMIT.eventDescription),
    excerpt: readHtml(cell('excerpt'), LIMIT.excerpt),
    image: /^https?:/i.test(image) ? readImageRecord(image, reading) : undefined,
    ...moments,
    cost: costIn(row),
    website: readUrl(cell('website'), reading),
    show_map: flag('show_map', venue !== undefined),
    show_map_link: flag('show_map_link', venue !== undefined),
    hide_from_listings: flag('hide_from_listings'),
    sticky: flag('sticky'),
    featured: flag('featured'),
    event_status: eventStatus(cell('event_status'), reading),
    event_status_reason: readLine(cell('event_status_reason')),
    virtual_event_type: onlineType(virtual_url !== '', venue !== undefined),
    virtual_url,
    wheelchair: WHEELCHAIR_ACCESS.find(access => access === cell('wheelchair').trim().toLowerCase()) ?? '',
    accessibility: readLine(cell('accessibility')),
    room: readLine(cell('room')),
    venues: venue ? [venue.externalId] : [],
    organizers: externalIdsOf(organizers),
    categories: externalIdsOf(categories),
    tags: externalIdsOf(tags),
  }
  const places = [...(venue ? [venue] : []), ...organizers].map(place => withStatusOf(status, place))
  return [...categories, ...tags, ...places, event]
}

/**
 * Reads the events of a CSV file. A row with a UID is known by that in any file, another one by the file, its title and
 * start.
 *
 * @param file its name
 * @throws Unreadable if it is none, or lacks columns
 */
export function csvItems(bytes: Uint8Array, file: string, context: ReaderContext): Generator<SourceItem> {
  return rowItems(tableIn(decodeText(bytes)), file, context)
}

/** Reads the events of a table. @throws Unreadable if it lacks columns */
export function* rowItems(
  { columns, rows }: CsvTable,
  file: string,
  context: ReaderContext,
): Generator<SourceItem> {
  assertWhole(columns)
  const { unread } = columns
  if (unread.length > 0) context.note(`${file}: columns that are not read: ${someNames(unread).join(', ')}`)
  yield { type: 'expect', count: rows.length }
  const lines = new Map<string, number>()
  // The first row that names a venue or organizer counts: it should be a public one.
  const hidden: SourceItem[] = []
  const days = (['start_date', 'end_date'] as const).flatMap(column => columns.at.get(column) ?? [])
  const dayOrder =
    context.dayOrder ?? dayOrderIn(rows.flatMap(({ cells }) => days.map(i => textOrEmpty(cells[i]))))
  for (const { cells, line } of rows) {
    const cell = (column: ReadColumn) => unescapeFormula(textOrEmpty(cells[columns.at.get(column) ?? -1]))
    if (cells.every(text => text.trim() === '')) continue
    const title = readTitle(cell('title'))
    const what = `line ${line}`
    const own = { ...context, dayOrder, what: `${file}, ${what}` }
    const external_id = readExternalId(cell('uid'), { ...own, source: '' }) ?? ''
    const nameOf = (column: ReadColumn) => columns.names[columns.at.get(column) ?? -1] ?? column
    const reading = { ...own, source: external_id === '' ? `csv:${file}` : 'csv:', cell, nameOf }
    const problem = (type: 'skipped' | 'failed', reason: IntakeReason): SourceItem => ({
      type,
      kind: 'event',
      what: file,
      title,
      line,
      ...reason,
    })
    try {
      if (context.host !== undefined && isOwnUid(external_id, context.host)) {
        const reason = 'it is an event of this calendar, which no import changes'
        yield problem('skipped', { reason, code: 'record_here' })
        continue
      }
      const records = recordsIn(reading, external_id)
      const id = records.at(-1)?.externalId ?? ''
      const before = lines.get(id)
      if (before !== undefined)
        yield problem('skipped', {
          reason: `it is the same event as in line ${before}`,
          code: 'record_twice',
        })
      else if (isPublic(records)) yield* itemsOf(records)
      else hidden.push(...itemsOf(records))
      lines.set(id, before ?? line)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      yield problem('failed', itemReason(error))
    }
  }
  yield* hidden
}

const isPublic = (records: readonly AnyRecord[]): boolean =>
  records.every(record => isTerm(record) || record.status === 'publish')

const itemsOf = (records: readonly AnyRecord[]): SourceItem[] =>
  records.map(record => ({ type: 'record', record }))
