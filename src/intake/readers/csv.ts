import { CsvError, parse } from 'csv-parse/sync'
import { CSV_COLUMNS, unescapeFormula } from '../../lib/csv.ts'
import { isOwnUid } from '../../lib/ical/lines.ts'
import { WHEELCHAIR_ACCESS } from '../../lib/statuses.ts'
import { fold } from '../../lib/text.ts'
import { LIMIT } from '../../lib/values.ts'
import {
  type AnyRecord,
  type EventRecord,
  type OrganizerRecord,
  type ReaderContext,
  type SourceItem,
  Unreadable,
  type VenueRecord,
} from '../records.ts'
import {
  CURRENCY,
  countKnownColumns,
  csvColumns,
  type FileColumns,
  type ReadColumn,
  someNames,
} from './csv-columns.ts'
import { type CsvTimes, csvTimes, flagIn } from './csv-times.ts'
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

// Events in a CSV file: those of The Events Calendar's importer, of this calendar, and what people write in spreadsheets.

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
    throw new Unreadable(`it is no CSV that can be read: ${error.message}`, 'source_no_calendar')
  }
}

/** The rows of a file, and its columns: of the separators, the one with which most are known. @throws Unreadable */
function tableIn(text: string): { columns: FileColumns; rows: readonly CsvRow[] } {
  // Some spreadsheets name the separator on a line of its own.
  const body = text.replace(/^\uFEFF?(?:sep=.\r?\n)?/i, '')
  const firstLine = body.slice(0, 100_000)
  const [best] = SEPARATORS.map(separator => {
    const [head] = rowsOf(/^[^\r\n]*/.exec(firstLine.trimStart())?.[0].replace(/"/g, '') ?? '', separator, 1)
    return { separator, known: countKnownColumns(head?.cells ?? []) }
  }).sort((a, b) => b.known - a.known)
  const [head, ...rows] = rowsOf(body, best?.separator ?? ',')
  const columns = csvColumns(
    head?.cells ?? [],
    rows.map(({ cells }) => cells),
  )
  const missing = (['title', 'start_date'] as const).filter(column => !columns.at.has(column))
  if (missing.length > 0) {
    const wanted = missing.map(column => JSON.stringify(CSV_COLUMNS[column])).join(' or ')
    const found = someNames(columns.names)
      .map(name => JSON.stringify(name))
      .join(', ')
    throw new Unreadable(
      `its first line names no column ${wanted}: it has ${found || 'none'}`,
      'source_no_calendar',
    )
  }
  return { columns, rows }
}

type RowReading = Reading & { cell: (column: ReadColumn) => string }

/** The names in a cell, separated by commas or, if there are none, by semicolons. */
function namesIn(cell: string): string[] {
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
  const isState = /^(?:us|usa|united states(?: of america)?)$/i.test(country)
  return {
    ...bareRecord(reading, textKey([name, address, city, region, zip, country].filter(Boolean).join(', '))),
    kind: 'venue',
    name,
    address,
    city,
    zip,
    country,
    ...(isState ? { state: region } : { province: region }),
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

/** The records of a row, the event last. @throws Unreadable */
function recordsIn(row: RowReading, times: CsvTimes, external_id: string): AnyRecord[] {
  const { cell, ...reading } = row
  const title = readTitle(cell('title'))
  if (title === '') throw new Unreadable('it has no title', 'record_no_name')
  const moments = csvTimes(times, reading)
  const venue = venueIn(row)
  const organizers = organizersIn(row)
  const categories = termsNamed('category', namesIn(cell('categories')), reading)
  const tags = termsNamed('tag', namesIn(cell('tags')), reading)
  const virtual_url = readUrl(cell('virtual_url'), reading)
  const flag = (column: ReadColumn, fallback = false) => flagIn(cell(column)) ?? fallback
  const image = cell('image').trim()
  const start = moments.all_day ? moments.start.wall.slice(0, 10) : moments.start.wall
  const event: EventRecord = {
    source: reading.source,
    kind: 'event',
    slug: '',
    status: flag('private') ? 'private' : 'publish',
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
  return [...categories, ...tags, ...(venue ? [venue] : []), ...organizers, event]
}

/**
 * Reads the events of a CSV file. A row with a UID is known by that in any file, another one by the file, its title and
 * start.
 *
 * @param file its name
 * @throws Unreadable if it is none, or lacks columns
 */
export function* csvItems(bytes: Uint8Array, file: string, context: ReaderContext): Generator<SourceItem> {
  const { columns, rows } = tableIn(decodeText(bytes))
  const { unread } = columns
  if (unread.length > 0) context.note(`${file}: columns that are not read: ${someNames(unread).join(', ')}`)
  yield { type: 'expect', count: rows.length }
  const lines = new Map<string, number>()
  for (const { cells, line } of rows) {
    const cell = (column: ReadColumn) => unescapeFormula(textOrEmpty(cells[columns.at.get(column) ?? -1]))
    if (cells.every(text => text.trim() === '')) continue
    const title = readTitle(cell('title'))
    const what = `line ${line}`
    const own = { ...context, what: `${file}, ${what}` }
    const external_id = readExternalId(cell('uid'), { ...own, source: '' }) ?? ''
    const reading = { ...own, source: external_id === '' ? `csv:${file}` : 'csv:', cell }
    const nameOf = (column: ReadColumn) => columns.names[columns.at.get(column) ?? -1] ?? column
    const problem = (type: 'skipped' | 'failed', reason: string): SourceItem => ({
      type,
      kind: 'event',
      what: file,
      title,
      line,
      reason,
    })
    try {
      if (context.host !== undefined && isOwnUid(external_id, context.host)) {
        yield problem('skipped', 'it is an event of this calendar, which no import changes')
        continue
      }
      const records = recordsIn(reading, { cell, nameOf }, external_id)
      const id = records.at(-1)?.externalId ?? ''
      const before = lines.get(id)
      if (before !== undefined) yield problem('skipped', `it is the same event as in line ${before}`)
      else for (const record of records) yield { type: 'record', record }
      lines.set(id, before ?? line)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      yield problem('failed', error.message)
    }
  }
}
