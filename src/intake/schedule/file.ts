import type { RequestContext } from '../../context.ts'
import { addMonths, startOfDay } from '../../lib/time.ts'
import { LIMIT } from '../../lib/values.ts'
import { bytesOfFile } from '../../resources/sources/files.ts'
import { importSource, type SourceRow } from '../../resources/sources/queries.ts'
import type { FilePreviewResponse } from '../../resources/sources/schema.ts'
import { fileReadingOf } from '../../resources/sources/serialize.ts'
import { type CsvTable, rowItems, tableIn } from '../readers/csv.ts'
import { decodeText } from '../readers/http.ts'
import { icsItems } from '../readers/ics.ts'
import { readIcs } from '../readers/ics-file.ts'
import { OF_WORKER } from '../readers/ics-work.ts'
import { itemReason, type SourceItem, Unreadable, type VenueRecord } from '../records.ts'
import type { Skipped } from './filter.ts'
import { collected, type FoundCalendar, finding, inTurns, ownId, readingOf } from './look.ts'

// Uploaded files. The preview before an import and the run use the same reader.

/** The most rows of a CSV file. Reading a row takes a tenth of a millisecond. */
const MOST_ROWS = 5_000

type FileItems = { table?: CsvTable; items: () => AsyncIterable<SourceItem> | Iterable<SourceItem> }

/** The contents of a file. @throws Unreadable */
async function itemsIn(
  context: RequestContext,
  { id, file, kind, reading }: SourceRow,
  { bytes, notes }: { bytes: Uint8Array; notes: Skipped[] },
): Promise<FileItems> {
  const { columns, dates } = fileReadingOf({ reading })
  const own = {
    ...readingOf(context, file, notes),
    host: new URL(context.site).host,
    dayOrder: dates || undefined,
  }
  if (kind === 'csv') {
    const table = tableIn(decodeText(bytes), { columns, most: MOST_ROWS })
    return { table, items: () => rowItems(table, file, own) }
  }
  const calendar = readIcs(bytes, OF_WORKER, await ownId(context.db, context.settings))
  const today = startOfDay(context.now)
  const window = { from: addMonths(today, -12), to: addMonths(today, 24) }
  return { items: () => icsItems(calendar, importSource(id), window, own) }
}

/** Items that name the lines of a file along with it, as reports show them. */
async function* withLines(
  items: AsyncIterable<SourceItem> | Iterable<SourceItem>,
): AsyncGenerator<SourceItem> {
  for await (const item of items)
    yield (item.type === 'failed' || item.type === 'skipped') &&
    item.line !== undefined &&
    item.source === undefined
      ? { ...item, what: `${item.what}:${item.line}` }
      : item
}

/** The records of the file that waits for a source; undefined once it has been imported. @throws Unreadable */
export async function readFile(
  context: RequestContext,
  source: SourceRow,
): Promise<FoundCalendar | undefined> {
  const bytes = await context.db.get(bytesOfFile(source.id))
  if (!bytes) return undefined
  const found = { ...finding('file:///'), kind: source.kind === 'csv' ? ('csv' as const) : ('ical' as const) }
  const { items } = await itemsIn(context, source, { bytes, notes: found.skipped })
  return collected(withLines(items()), importSource(source.id), found)
}

/** Events on a page of a preview, and problems that it names. */
const [SHOWN, MOST_PROBLEMS] = [10, 100]

/** The characters of a text that a preview shows. */
const LONGEST = 200

const short = (text: string): string => text.slice(0, LONGEST).toWellFormed()

/** The columns of a table: the name of each, its first cell, and what it is read as. */
function columnsOf({ columns: { names, at }, rows }: CsvTable): FilePreviewResponse['columns'] {
  const read = new Map([...at].map(([column, i]) => [i, column]))
  return names.flatMap((name, i) => {
    const example = rows.find(({ cells }) => (cells[i] ?? '').trim() !== '')?.cells[i] ?? ''
    return name.trim() === '' && example === ''
      ? []
      : [{ name: name.slice(0, LIMIT.text), example: short(example.trim()), column: read.get(i) ?? '' }]
  })
}

/** A preview of importing a file, which writes nothing. @param page of the events, from 1 @returns undefined once it has been imported */
export async function previewOfFile(
  context: RequestContext,
  source: SourceRow,
  page: number,
): Promise<FilePreviewResponse | undefined> {
  const bytes = await context.db.get(bytesOfFile(source.id))
  if (!bytes) return undefined
  const shown: FilePreviewResponse = {
    ...{ columns: [], events: [], total: 0 },
    ...{ problems: [], problem_count: 0, asks_dates: false },
  }
  const note = (
    line: number,
    title: string,
    { reason, code }: { reason: string; code?: string | undefined },
  ) => {
    shown.problem_count += 1
    if (code === 'record_two_dates') shown.asks_dates = true
    if (shown.problems.length < MOST_PROBLEMS)
      shown.problems.push({ line, title: short(title), message: short(reason), code: code ?? '' })
  }
  const notes: Skipped[] = []
  const venues = new Map<string, string>()
  try {
    const { table, items } = await itemsIn(context, source, { bytes, notes })
    if (table) shown.columns = columnsOf(table)
    const found = { ...finding('file:///'), records: [] }
    const noting = async function* () {
      // Also between rows that are left out.
      for await (const item of inTurns(items())) {
        if (item.type === 'failed' || item.type === 'skipped') note(item.line ?? 0, item.title ?? '', item)
        else if (item.type === 'record') yield item
      }
    }
    for (const record of (await collected(noting(), importSource(source.id), found)).records) {
      if (record.kind === 'venue') venues.set(record.externalId, (record satisfies VenueRecord).name)
      const isDate = record.kind === 'event' && record.occurrence !== undefined
      if (isDate || (record.kind !== 'event' && record.kind !== 'series')) continue
      const place = shown.total
      shown.total += 1
      if (Math.floor(place / SHOWN) !== page - 1) continue
      shown.events.push({
        title: short(record.title),
        start_date: record.start.wall,
        end_date: record.end.wall,
        timezone: record.timezone,
        all_day: record.all_day,
        venue: short(venues.get(record.venues[0] ?? '') ?? ''),
      })
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    note(0, '', itemReason(error))
  }
  for (const { what, why, code } of notes) note(0, what === source.file ? '' : what, { reason: why, code })
  return shown
}
