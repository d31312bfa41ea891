import { selectExisting } from '../../../calendar/imports/existing.ts'
import { Guesses } from '../../../calendar/imports/guesses.ts'
import { selectMapped } from '../../../calendar/imports/mappings.ts'
import {
  type EventLike,
  itemReason,
  ReadingError,
  Unreadable,
  type VenueRecord,
} from '../../../calendar/imports/records.ts'
import { type SourceRow, withStatuses } from '../../../calendar/imports/source.ts'
import type { FilePreviewResponse, PreviewResponse } from '../../../calendar/imports/source-schema.ts'
import { relatedValues } from '../../../calendar/imports/write-decisions.ts'
import { ExistingVenues } from '../../../calendar/venues/same-venue.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { combineQueries, mapQuery, type Query, resolvedQuery } from '../../../kit/db/query.ts'
import { importSource } from '../../../kit/db/tables.ts'
import { readOwnCalendarId } from '../../../kit/http/revision.ts'
import type { ReadColumn } from '../../../kit/lib/csv.ts'
import { invalidParams } from '../../../kit/lib/errors.ts'
import { codedReason, isGuessCode } from '../../../kit/lib/reasons.ts'
import { isWaiting } from '../../../kit/lib/statuses.ts'
import { compareTexts, FIELD_LIMITS } from '../../../kit/lib/values.ts'
import type { CsvTable } from '../../../readers/csv/table.ts'
import { SOURCE_WORK } from '../budgets.ts'
import { selectFileBytes } from '../stored-files.ts'
import {
  comingEvents,
  firstVenue,
  MAX_COMING,
  previewedEvent,
  previewText,
  recordsByKey,
} from './coming-events.ts'
import {
  collectItems,
  emptyCalendar,
  type FoundCalendar,
  fetchCalendar,
  MeteredTransport,
  sourceClient,
  withPauses,
} from './fetch.ts'
import { openFile } from './file-records.ts'
import { NO_PAGES, readPages } from './pages.ts'
import { skippedGuesses } from './record-filter.ts'

// Previews of an address and of an uploaded file. They write nothing.

/**
 * A query for the external ids of the venues that importing a source would create: the source has not brought
 * them before, and the calendar does not have the same. Planning the import would find them as well, but
 * takes as many statements as importing.
 */
function selectNewVenues(
  context: BaseContext,
  row: SourceRow,
  records: readonly VenueRecord[],
): Query<ReadonlySet<string>> {
  if (records.length === 0) return resolvedQuery(new Set())
  const source = importSource(row.id)
  const stored = combineQueries({
    mappings: selectMapped(source, records, row),
    existing: selectExisting(context, { source, venues: records.map(({ name }) => name) }),
  })
  return mapQuery(stored, ({ mappings, existing }) => {
    // A mapping without a version belongs to a row that was deleted here.
    const knownIds = new Set(
      mappings.flatMap(({ external_id, version }) => (version === null ? [] : external_id)),
    )
    const venues = new ExistingVenues()
    for (const venue of existing.venues) venues.add(venue)
    return new Set(
      withStatuses(records, row, mappings).flatMap(record =>
        record.kind !== 'venue' ||
        knownIds.has(record.externalId) ||
        venues.sameAs(relatedValues(record), { source, isWaiting: isWaiting(record.status) })
          ? []
          : [record.externalId],
      ),
    )
  })
}

/**
 * Reads the calendar at an address. If it consists of pages, reads as many as it takes to show some events.
 * @throws Unreachable, Unreadable
 */
async function readCalendarAt(
  context: BaseContext,
  url: string,
): Promise<Pick<FoundCalendar, 'name' | 'filters' | 'records' | 'skipped'> & { kind: string }> {
  const transport = new MeteredTransport(context.db.allowance)
  const client = sourceClient(context, transport, await readOwnCalendarId(context.db, context.settings))
  const validators = { etag: '', lastModified: '' }
  const calendar = await fetchCalendar(context, {
    url,
    source: 'preview',
    kind: '',
    client,
    known: validators,
  })
  if (!calendar) throw new Unreadable(`${url} says nothing`, 'source_no_calendar')
  if (!('first' in calendar)) return { ...calendar, skipped: skippedGuesses(calendar.guesses, calendar.name) }
  let room = MAX_COMING
  const { records, skipped } = await readPages(context, {
    url,
    source: 'preview',
    search: '',
    client,
    transport,
    stored: NO_PAGES,
    first: calendar.first,
    maxMs: SOURCE_WORK.previewMs,
    room: { isFull: () => room <= 0, take: ({ kind }) => (room -= Number(kind === 'event')) },
  })
  if (records.length === 0)
    throw new Unreadable(
      'there is no calendar, and the first pages have no events as JSON-LD',
      'source_no_calendar',
    )
  return { kind: calendar.kind, name: new URL(url).hostname, filters: {}, records, skipped }
}

/**
 * A preview of the calendar at an address, which writes nothing.
 * @throws ApiError naming `url` if nothing can be read there
 */
export async function previewCalendar(context: BaseContext, url: string): Promise<PreviewResponse> {
  try {
    const calendar = await readCalendarAt(context, url)
    const events = calendar.records.filter(record => record.kind === 'event')
    const coming = comingEvents(calendar.records, context.clock.now())
    const past = events.toSorted((a, b) => compareTexts(a.start.utc, b.start.utc)).slice(0, MAX_COMING)
    const knownRecords = recordsByKey(calendar.records)
    return {
      kind: calendar.kind,
      name: calendar.name,
      filters: calendar.filters,
      events: (coming.length > 0 ? coming : past).map(event => previewedEvent(event, knownRecords)),
      total: events.length,
      guesses: calendar.skipped.filter(({ code }) => isGuessCode(code)),
    }
  } catch (error) {
    if (error instanceof ReadingError)
      throw invalidParams(new Map([['url', codedReason(error.code, `cannot be read: ${error.message}`)]]))
    throw error
  }
}

/** The events on a page of a file's preview. */
const PER_PAGE = 10

/** The most problems that the preview of a file names. */
const MAX_PROBLEMS = 100

/** The columns of a table: the name of each, its first cell, and what it is read as. */
function columnPreviews({ columns: { names, at, several }, rows }: CsvTable): FilePreviewResponse['columns'] {
  const further = [...several].flatMap(([column, all]) => all.map((i): [number, ReadColumn] => [i, column]))
  const columnAt = new Map([...[...at].map(([column, i]): [number, ReadColumn] => [i, column]), ...further])
  return names.flatMap((name, i) => {
    const example = rows.find(({ cells }) => (cells[i] ?? '').trim() !== '')?.cells[i] ?? ''
    return name.trim() === '' && example === ''
      ? []
      : [
          {
            name: name.slice(0, FIELD_LIMITS.text),
            example: previewText(example.trim()),
            column: columnAt.get(i) ?? '',
          },
        ]
  })
}

/**
 * A preview of importing a file, which writes nothing.
 *
 * @param page the page of events to show, from 1; 0 for no events
 * @returns undefined once the file has been imported
 */
export async function previewFile(
  context: BaseContext,
  source: SourceRow,
  page: number,
): Promise<FilePreviewResponse | undefined> {
  const bytes = await context.db.read(selectFileBytes(source.id))
  if (!bytes) return undefined
  const preview: FilePreviewResponse = {
    columns: [],
    events: [],
    total: 0,
    private_count: 0,
    coming: [],
    problems: [],
    problem_count: 0,
    guesses: [],
    asks_dates: false,
  }
  const addProblem = (
    line: number,
    title: string,
    { reason, code }: { reason: string; code?: string | undefined },
  ) => {
    preview.problem_count += 1
    if (code === 'record_two_dates') preview.asks_dates = true
    if (preview.problems.length < MAX_PROBLEMS)
      preview.problems.push({
        line,
        title: previewText(title),
        message: previewText(reason),
        code: code ?? '',
      })
  }
  const guesses = new Guesses()
  try {
    const { table, items } = await openFile(context, source, { bytes, guesses })
    if (table) preview.columns = columnPreviews(table)
    const calendar = { ...emptyCalendar('file:///'), records: [] }
    const readableItems = async function* () {
      // Other work may also run between rows that are left out.
      for await (const item of withPauses(items())) {
        if (item.type === 'failed' || item.type === 'skipped')
          addProblem(item.line ?? 0, item.title ?? '', item)
        else if (item.type === 'record') yield item
      }
    }
    const { records } = await collectItems(readableItems(), importSource(source.id), calendar)
    const recordsOfFile = recordsByKey(records)
    preview.coming = comingEvents(records, context.clock.now()).map(event =>
      previewedEvent(event, recordsOfFile),
    )
    const eventsOnPage: EventLike[] = []
    for (const record of records) {
      const isDate = record.kind === 'event' && record.occurrence !== undefined
      if (isDate || (record.kind !== 'event' && record.kind !== 'series')) continue
      const position = preview.total
      preview.total += 1
      if (record.status !== 'publish' && record.status !== 'pending') preview.private_count += 1
      if (Math.floor(position / PER_PAGE) === page - 1) eventsOnPage.push(record)
    }
    const venues = new Set(eventsOnPage.flatMap(event => firstVenue(event, recordsOfFile) ?? []))
    const newVenues = await context.db.read(selectNewVenues(context, source, [...venues]))
    preview.events = eventsOnPage.map(event => ({
      ...previewedEvent(event, recordsOfFile),
      new_venue: newVenues.has(firstVenue(event, recordsOfFile)?.externalId ?? ''),
    }))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    addProblem(0, '', itemReason(error))
  }
  preview.guesses = skippedGuesses(guesses, source.file)
  if (guesses.all.some(({ code }) => code === 'guess_days_by_headings')) preview.asks_dates = true
  return preview
}
