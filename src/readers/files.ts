import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import {
  type AnyRecord,
  isShownAfter,
  isTerm,
  keyOfRecord,
  type ReaderContext,
  type RecordKind,
  recordStart,
  type SourceItem,
  Unreadable,
} from '../calendar/imports/records.ts'
import {
  addDays,
  addMonths,
  type DateTime,
  formatInstant,
  isDateTime,
  startOfDay,
  toUtc,
} from '../kit/lib/time.ts'
import { isBlank } from './addresses.ts'
import { csvItems } from './csv/items.ts'
import { documentOf, type ListPage, parentsFirst, readDocument, type SavedResponse } from './documents.ts'
import { decodeText } from './http.ts'
import { type IcsFile, propertyText, readIcs } from './ics/file.ts'
import { icsItems } from './ics/items.ts'
import type { ImportPeriod } from './ics/recurrence.ts'
import { isWebPage, savedItems } from './saved-page.ts'
import { isCalendar, jsonIn } from './site-address.ts'

/** A saved response whose items have not been read yet. */
type SavedPage = Omit<SavedResponse, 'items'> & { path: string }

type FileContents = {
  pages: SavedPage[]
  calendars: { file: IcsFile; path: string }[]
  tables: string[]
  /**
   * Pages, and JSON of other programs. `isExpected` is true for files that should have events: a folder may
   * also have others, which are not the command's concern.
   */
  saved: { path: string; isExpected: boolean }[]
  related: RelatedRecords
  items: SourceItem[]
}

/**
 * The absolute paths of all files below a folder, sorted, or of one file.
 * @throws Error if there is neither
 */
async function filesIn(givenPath: string): Promise<string[]> {
  const path = resolve(givenPath)
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** Reads the records of files and folders: saved responses of the API, iCalendar and CSV files. */
export async function* fileItems(
  paths: readonly string[],
  window: ImportPeriod,
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const foundFiles = await Promise.all(paths.map(filesIn))
  for (const [i, path] of paths.entries())
    if (foundFiles[i]?.length === 0)
      yield { type: 'failed', kind: 'page', what: path, reason: 'the folder is empty' }
  const files = foundFiles.flat()
  const contents = await readFiles(
    files,
    context,
    paths.map(path => resolve(path)),
  )
  const { pages, calendars, tables, saved, items } = contents
  yield* recordItems(contents, context)
  const count = contents.calendars.reduce((sum, { file }) => sum + file.events.length, 0)
  if (count > 0) yield { type: 'expect', count }
  for (const { file, path } of contents.calendars)
    yield* icsItems(file, icsSource(file, path), window, context)
  for (const path of tables) yield* wholeItems({ path, isExpected: true }, csvItems, context)
  let isRead = false
  for (const file of saved)
    for await (const item of wholeItems(file, savedItems, context)) {
      isRead = true
      yield item
    }
  if (files.length > 0 && !isRead && [pages, calendars, tables, items].every(each => each.length === 0))
    yield {
      type: 'failed',
      kind: 'page',
      what: paths.join(', '),
      reason: 'none of its files is a calendar (.ics), a saved response (.json) or page, or a table (.csv)',
    }
}

/**
 * The size of the largest file that is read. Reading takes several times as much memory, and Node has no
 * texts beyond 512 MB.
 */
const MAX_MB = 256

const TABLE_FILE = /\.(?:csv|tsv)$/i

type FileReader = (
  bytes: Uint8Array,
  file: string,
  context: ReaderContext,
) => Iterable<SourceItem> | AsyncIterable<SourceItem>

/** Reads the events of a file whose kind is recognised by its name. */
async function* wholeItems(
  { path, isExpected }: FileContents['saved'][number],
  reader: FileReader,
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const file = basename(path)
  try {
    yield* reader(await readFile(path), file, context)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    if (isExpected) yield { type: 'failed', kind: 'page', what: file, reason: error.message }
  }
}

/**
 * The source of an iCalendar file: the calendar's own name, which survives renaming the file, or else the
 * file's name.
 */
const icsSource = ({ calendar }: IcsFile, path: string): string =>
  `ics:${propertyText(calendar, 'x-wr-relcalid') || propertyText(calendar, 'x-wr-calname') || basename(path)}`

/**
 * Terms, venues, organizers and series, each once: from their own lists if these exist, otherwise as embedded
 * in an event.
 */
class RelatedRecords {
  readonly #known = new Map<string, { record: AnyRecord; isListed: boolean }>()

  add(record: AnyRecord, isListed: boolean): void {
    const key = keyOfRecord(record)
    const before = this.#known.get(key)
    const isBetter = before && (isListed ? !before.isListed : isShownAfter(before.record, record))
    if (!before || isBetter) this.#known.set(key, { record, isListed })
  }

  recordsWhere(isWanted: (record: AnyRecord) => boolean): AnyRecord[] {
    return [...this.#known.values()].flatMap(({ record }) => (isWanted(record) ? [record] : []))
  }
}

const isSeries = ({ kind }: AnyRecord): boolean => kind === 'series'

/**
 * Reads everything except events. They may be too many to hold in memory, so a second pass reads them.
 *
 * @param namedPaths the operands of the command; an unreadable file among them is an error
 */
async function readFiles(
  files: readonly string[],
  context: ReaderContext,
  namedPaths: readonly string[],
): Promise<FileContents> {
  const contents: FileContents = {
    pages: [],
    calendars: [],
    tables: [],
    saved: [],
    items: [],
    related: new RelatedRecords(),
  }
  const isExpected = (path: string): boolean =>
    namedPaths.includes(path) || TABLE_FILE.test(path) || /\.(?:json|ics)$/i.test(path)
  for (const path of files) {
    try {
      if ((await stat(path)).size > MAX_MB * 1024 ** 2)
        throw new Unreadable(`it is larger than ${MAX_MB} MB`, 'source_too_large')
      const bytes = await readFile(path)
      if (bytes.every(isBlank)) throw new Unreadable('it is empty', 'source_no_calendar')
      if (isCalendar({ bytes }))
        contents.calendars.push({ file: readIcs(bytes, context.limits, context.ownId), path })
      else if (isWebPage(bytes)) contents.saved.push({ path, isExpected: isExpected(path) })
      else if (TABLE_FILE.test(path) && whyNoCalendar(bytes) === undefined) contents.tables.push(path)
      else {
        const { items, ...page } = documentIn(bytes, path)
        contents.pages.push({ ...page, path })
        const embedded = readDocument(
          { kind: page.kind, items },
          { source: page.source },
          context,
          'embedded',
        )
        for (const item of embedded) {
          if (item.type === 'record') contents.related.add(item.record, page.kind !== 'event')
          else contents.items.push(item)
        }
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      // The JSON-LD of a page may have been saved on its own.
      if (error.code === 'source_json') contents.saved.push({ path, isExpected: isExpected(path) })
      else if (/index of an API/.test(error.message)) context.note(`${basename(path)}: ${error.message}`)
      else if (isExpected(path))
        contents.items.push({ type: 'failed', kind: 'page', what: basename(path), reason: error.message })
    }
  }
  return contents
}

/** Why a file holds no calendar, whatever its name; undefined if it may hold one. */
function whyNoCalendar(bytes: Uint8Array): string | undefined {
  const start = decodeText(bytes.subarray(0, 1_000)).trimStart()
  if (start.startsWith('PK\u0003\u0004')) return 'it is a workbook or an archive: save the table as CSV'
  return undefined
}

/** @throws Unreadable */
function documentIn(bytes: Uint8Array, path: string): SavedResponse {
  const json = jsonIn({ bytes })
  if (json === undefined)
    throw new Unreadable(
      whyNoCalendar(bytes) ?? 'it is neither JSON nor iCalendar, nor named as CSV',
      'source_no_calendar',
    )
  return documentOf(json, `file:${basename(path)}`)
}

/**
 * Reads the records of saved responses: terms, venues, organizers and series, then the events that refer to
 * them. The import completes records that refer to a later event.
 */
async function* recordItems(
  { pages, related, items }: FileContents,
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  yield* items
  yield* parentsFirst(related.recordsWhere(isTerm))
  const series = related.recordsWhere(isSeries)
  for (const record of [...related.recordsWhere(each => !isTerm(each) && !isSeries(each)), ...series])
    yield { type: 'record', record }
  for (const { kind, source, path } of pages) {
    if (kind !== 'event') continue
    const document = documentIn(await readFile(path), path)
    yield { type: 'expect', count: document.items.length }
    const ownSeries = series.flatMap(one => (one.source === source ? [one.externalId] : []))
    yield* readDocument(document, { source, series: new Set(ownSeries) }, context, 'events')
  }
  yield* completeLists(pages, context.nowMs)
}

/** True if pages of a list are missing. The links to their neighbours should number them from 1 on. */
function lacksPages(pages: readonly ListPage[], hasTotal: boolean): boolean {
  const firsts = pages.filter(({ previous }) => previous === undefined).length
  const lasts = pages.filter(({ next }) => next === undefined).length
  if (firsts !== 1 || lasts !== 1) return true
  const numbers = new Set(
    pages.map(({ previous, next }) =>
      previous === undefined ? 1 : next === undefined ? previous + 1 : next - 1,
    ),
  )
  return !hasTotal && pages.some((_, i) => !numbers.has(i + 1))
}

/** The parameters of lists that are not filters. */
const NO_FILTERS = new Set('page per_page hide_empty order orderby context rest_route'.split(' '))

/** The day of a date in a page's address; undefined if it is not a date, but words such as `+2 months`. */
function dayOrUndefined(value: string): DateTime | undefined {
  const day = startOfDay(value)
  return isDateTime(day) ? day : undefined
}

/** True if a parameter leaves nothing out of a list, except what is outside of {@link periodOf}. */
function isNoFilter(name: string, value: string): boolean {
  if (name === 'status') return /\b(?:publish|any)\b/.test(value)
  if (name === 'start_date' || name === 'end_date') return dayOrUndefined(value) !== undefined
  return NO_FILTERS.has(name)
}

/** The parameters of a page's address that may leave some of the site's items out of its list. */
const filtersIn = ({ parameters }: ListPage): string[] =>
  [...(parameters ?? [])].flatMap(([name, value]) => (isNoFilter(name, value) ? [] : name))

/**
 * The period of which a list has all events, in UTC: a day less than its address names on either side,
 * because the zone of these dates is unknown. Without dates, servers list the events of the next two years;
 * the pages may have been saved some weeks ago.
 */
function periodOf(pages: readonly ListPage[], nowMs: number): { from: DateTime; to: DateTime } {
  const now = formatInstant(nowMs)
  const daysIn = (name: string) =>
    pages.flatMap(({ parameters }) => dayOrUndefined(parameters?.get(name) ?? '') ?? [])
  const [start] = daysIn('start_date').sort().reverse()
  const [end] = daysIn('end_date').sort()
  return {
    from: start === undefined ? now : addDays(start, 1),
    to: end === undefined ? addMonths(now, 23) : addDays(end, -1),
  }
}

/** Reports which lists are complete and which lack pages, and their totals. */
function* completeLists(responses: readonly SavedPage[], nowMs: number): Generator<SourceItem> {
  const lists = new Map<string, { source: string; kind: RecordKind; pages: ListPage[] }>()
  for (const { kind, source, list: page } of responses) {
    if (!page) continue
    const list = lists.get(`${source} ${kind}`) ?? { source, kind, pages: [] }
    lists.set(`${source} ${kind}`, list)
    list.pages.push(page)
  }
  for (const { source, kind, pages } of lists.values()) {
    const listedCount = Math.max(...pages.map(({ total }) => total))
    const ids = new Set(pages.flatMap(page => page.ids))
    const filters = new Set(pages.flatMap(page => filtersIn(page)))
    const reasons = [
      ids.size < listedCount && `${ids.size} of ${listedCount} are in its pages`,
      ids.size === 0 && 'it is empty',
      lacksPages(pages, ids.size === listedCount) && 'some of its pages are missing, or there twice',
      pages.some(page => page.pages > pages.length) && `it has more than ${pages.length} pages`,
      ids.has(undefined) && 'something in it has no id',
      filters.size > 0 && `it was asked for with ${[...filters].join(', ')}`,
    ]
    const reason = reasons.find(one => typeof one === 'string')
    yield reason === undefined
      ? { type: 'complete', source, kind, ...(kind === 'event' && periodOf(pages, nowMs)) }
      : { type: 'incomplete', source, kind, reason }
    if (listedCount > 0) yield { type: 'total', kind, read: ids.size, listed: listedCount }
  }
}

/** Leaves out events that start before an instant, in UTC, and series whose occurrences all do. */
export async function* itemsSince(
  items: AsyncIterable<SourceItem>,
  utc: DateTime | undefined,
): AsyncGenerator<SourceItem> {
  const pastSeries = new Set<string>()
  for await (const item of items) {
    if (utc === undefined) yield item
    else if (item.type === 'complete' && (item.kind === 'event' || item.kind === 'series'))
      yield { ...item, from: item.from !== undefined && item.from > utc ? item.from : utc }
    else if (item.type !== 'record' || !isPastRecord(item.record, utc, pastSeries)) yield item
  }
}

/**
 * True if a record starts before an instant. A series is kept as a whole.
 *
 * @param pastSeries gets the keys of series that are over
 */
function isPastRecord(record: AnyRecord, utc: DateTime, pastSeries: Set<string>): boolean {
  if (record.kind === 'series') {
    const { dates, timezone, source, externalId } = record
    const last = dates.at(-1)?.date
    const isPast = last === undefined || toUtc(last, timezone) < utc
    if (isPast) pastSeries.add(`${source}\n${externalId}`)
    return isPast
  }
  const series = record.kind === 'event' ? record.occurrence?.series : undefined
  if (series !== undefined) return pastSeries.has(`${record.source}\n${series}`)
  return (recordStart(record) ?? utc) < utc
}
