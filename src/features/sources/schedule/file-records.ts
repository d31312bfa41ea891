import type { Guesses } from '../../../calendar/imports/guesses.ts'
import type { SourceItem } from '../../../calendar/imports/records.ts'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { type FILE_KINDS, importSource } from '../../../kit/db/tables.ts'
import type { UploadedFile } from '../../../kit/http/form-data.ts'
import { readOwnCalendarId } from '../../../kit/http/revision.ts'
import { languageOf } from '../../../kit/lib/languages.ts'
import { addMonths, startOfDay } from '../../../kit/lib/time.ts'
import { rowItems } from '../../../readers/csv/items.ts'
import { type CsvTable, tableIn } from '../../../readers/csv/table.ts'
import { decodeText } from '../../../readers/http.ts'
import { readIcs } from '../../../readers/ics/file.ts'
import { icsItems } from '../../../readers/ics/items.ts'
import { WORKER_LIMITS } from '../../../readers/ics/limits.ts'
import { isJson, isWebPage, savedItems } from '../../../readers/saved-page.ts'
import { isCalendar } from '../../../readers/site-address.ts'
import { fileReadingOf } from '../serialize.ts'
import { selectFileBytes } from '../stored-files.ts'
import { collectItems, emptyCalendar, type FoundCalendar, readerContext } from './fetch.ts'

// Uploaded files. The preview before an import and the run use the same reader.

/** The most rows of a CSV file. Reading a row takes a tenth of a millisecond. */
const MAX_ROWS = 5_000

type FileKind = (typeof FILE_KINDS)[number]

/** The kind of a file by what is in it, whatever its name. */
export function kindOfFile({ bytes }: UploadedFile): FileKind {
  if (isCalendar({ bytes })) return 'ical'
  return isWebPage(bytes) || isJson(bytes) ? 'html' : 'csv'
}

const storedKind = ({ kind }: SourceRow): FileKind => (kind === 'csv' || kind === 'html' ? kind : 'ical')

/** The contents of a file. @throws Unreadable */
export async function openFile(
  context: BaseContext,
  { id, file, kind, reading }: SourceRow,
  { bytes, guesses }: { bytes: Uint8Array; guesses: Guesses },
): Promise<{ table?: CsvTable; items: () => AsyncIterable<SourceItem> | Iterable<SourceItem> }> {
  const { columns, dates, host = new URL(context.site).host } = fileReadingOf({ reading })
  const fileReader = {
    ...readerContext(context, guesses),
    host,
    dayOrder: dates || undefined,
    language: languageOf(context.settings.website.language),
  }
  if (kind === 'csv') {
    const table = tableIn(decodeText(bytes), { columns, maxRows: MAX_ROWS })
    return { table, items: () => rowItems(table, file, fileReader) }
  }
  if (kind === 'html') return { items: () => savedItems(bytes, file, fileReader) }
  const calendar = readIcs(bytes, WORKER_LIMITS, await readOwnCalendarId(context.db, context.settings))
  const today = startOfDay(context.clock.now())
  const window = { from: addMonths(today, -12), to: addMonths(today, 24) }
  return { items: () => icsItems(calendar, importSource(id), window, fileReader) }
}

/** Items in which the name of the file is followed by the number of the line, as reports show it. */
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

/**
 * The records of the file that waits for a source; undefined once it has been imported.
 * @throws Unreadable
 */
export async function readFile(context: BaseContext, source: SourceRow): Promise<FoundCalendar | undefined> {
  const bytes = await context.db.read(selectFileBytes(source.id))
  if (!bytes) return undefined
  const calendar = { ...emptyCalendar('file:///'), kind: storedKind(source) }
  const { items } = await openFile(context, source, { bytes, guesses: calendar.guesses })
  return collectItems(withLines(items()), importSource(source.id), calendar)
}
