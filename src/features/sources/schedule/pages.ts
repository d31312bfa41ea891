import { Guesses } from '../../../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  keyOfRecord,
  recordLength,
  type SourceItem,
} from '../../../calendar/imports/records.ts'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import type { CompleteItem } from '../../../calendar/imports/vanished.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { SIZES } from '../../../kit/lib/budgets.ts'
import { pause } from '../../../kit/lib/pause.ts'
import { storedJson } from '../../../kit/lib/values.ts'
import type { Client, HttpResponse } from '../../../readers/http.ts'
import { type CrawlState, type KnownPage, newCrawl, unreadLinks } from '../../../readers/jsonld/crawl.ts'
import { PageReader } from '../../../readers/jsonld/pages.ts'
import { SOURCE_WORK } from '../budgets.ts'
import { collectItems, emptyCalendar, type MeteredTransport, readerContext } from './fetch.ts'
import { leaveOutOwnEvents, type SkippedItem, skippedGuesses, wantedRecords } from './record-filter.ts'

type BatchRoom = { isFull: (bytes?: number) => boolean; take: (record: AnyRecord) => void }

/**
 * The number of successive batches that were killed. While the source is failing, `failures` counts failed
 * readings instead.
 */
export const killsOf = ({ state, failures }: SourceRow): number => (state === 'failing' ? 0 : failures)

/** The room in the next batch of a source. After a kill there is less, down to one event. */
export function roomOf(source: SourceRow): BatchRoom {
  const kills = killsOf(source)
  const shift = 2 * Math.min(kills, 4)
  const maxEvents = Math.max(1, SOURCE_WORK.events >> shift)
  let events = 0
  let records = 0
  let characters = 0
  return {
    isFull: (bytes = 0) =>
      events >= maxEvents ||
      records >= (kills > 0 ? maxEvents : SOURCE_WORK.records) ||
      characters > SOURCE_WORK.characters ||
      bytes > SOURCE_WORK.bytes >> shift,
    take: record => {
      records += 1
      if (record.kind === 'event') events += 1
      characters += recordLength(record)
    },
  }
}

/** The first records, as many as there is room for. */
export function recordsThatFit(records: Iterable<AnyRecord>, room: BatchRoom): AnyRecord[] {
  const fittingRecords: AnyRecord[] = []
  for (const record of records) {
    if (room.isFull()) break
    room.take(record)
    fittingRecords.push(record)
  }
  return fittingRecords
}

const PAUSE_MS = 1_000

/** A row of `source_pages`, stored or not. */
export type StoredPages = { pages: string; crawl: string }
export const NO_PAGES: StoredPages = { pages: '[]', crawl: '' }

/** The state of pages without their validators, so that all of them are read again. */
export function withoutValidators(storedPages: StoredPages): StoredPages {
  const { pages, crawl } = storedPages
  if (pages === NO_PAGES.pages) return storedPages
  const knownPages = storedJson<[string, KnownPage][]>(pages)
  return { pages: JSON.stringify(knownPages.map(([page, { events }]) => [page, { events }])), crawl }
}

export type PagesReading = {
  url: string
  /** The name that records get as their source. */
  source: string
  search: string
  client: Client
  transport: MeteredTransport
  stored: StoredPages
  /** The response from the address, if this is the first batch of a run. */
  first?: HttpResponse | undefined
  room: BatchRoom
  /**
   * The time, in milliseconds, after which no other page is requested; 20,000 by default. The last page may
   * take that long again.
   */
  maxMs?: number
}

/** The records of some pages, and the state from which another batch continues. */
type PagesBatch = {
  /** True once there are no more pages. */
  isRead: boolean
  gap: string | undefined
  completes: CompleteItem[]
  records: AnyRecord[]
  skipped: SkippedItem[]
  stored: StoredPages
}

/**
 * Reads pages until their events fill a batch: one a second, and only those that have changed.
 *
 * @throws Unreachable, Unreadable
 */
export async function readPages(context: BaseContext, input: PagesReading): Promise<PagesBatch> {
  const { url, source, client, transport, stored, first, room, maxMs = SOURCE_WORK.pagesMs } = input
  const knownPages = new Map(storedJson<[string, KnownPage][]>(stored.pages))
  const crawl = stored.crawl === '' ? newCrawl() : storedJson<CrawlState>(stored.crawl)
  const skippedItems: SkippedItem[] = []
  const guesses = new Guesses()
  const reader = new PageReader(client, {
    source,
    context: readerContext(context, guesses),
    crawl,
    memory: knownPages,
    limits: { timeoutMs: transport.patience.timeoutMs ?? maxMs },
  })
  const startMs = Date.now()
  const isEnough = () =>
    room.isFull(transport.bytes) ||
    transport.remainingRequests < SOURCE_WORK.ofPage ||
    Date.now() - startMs >= maxMs
  // The previous batch has just requested a page.
  if (!first && crawl.stage !== 'end') await (transport.patience.sleep ?? pause)(PAUSE_MS)
  const byKey = new Map<string, AnyRecord>()
  let items = first ? await reader.start(first) : await reader.next()
  for (; items; items = await reader.next()) {
    const page = await readRecords(context, input, items)
    for (const record of page.records) {
      const key = keyOfRecord(record)
      // Of two records of an event, the later one is better.
      byKey.delete(key)
      byKey.set(key, record)
      room.take(record)
    }
    dropUnwanted(knownPages, page.unwanted)
    skippedItems.push(...page.skipped)
    if (isEnough()) break
  }
  const isRead = items === undefined
  const readAddresses = new Set(crawl.visited)
  const pages = JSON.stringify([...knownPages].filter(([page]) => !isRead || readAddresses.has(page)))
  const isTooMuch = pages.length > SIZES.pagesUnits
  if (isTooMuch) {
    Object.assign(crawl, { isWhole: false, queue: [], stage: 'end' })
    skippedItems.push({
      what: url,
      why: 'There are more events than are read from pages: the rest is not read.',
      code: 'record_not_all',
    })
  }
  const period = isRead ? reader.period() : undefined
  return {
    records: [...byKey.values()],
    skipped: [...skippedGuesses(guesses, url), ...skippedItems],
    isRead,
    stored: { pages: isTooMuch ? NO_PAGES.pages : pages, crawl: JSON.stringify(crawl) },
    gap: isRead ? reader.gap() : undefined,
    completes: period ? [{ type: 'complete', source, kind: 'event', ...period }] : [],
  }
}

/** Drops events that the source's filter leaves out. */
function dropUnwanted(knownPages: Map<string, KnownPage>, unwanted: ReadonlySet<string>): void {
  if (unwanted.size === 0) return
  for (const [page, { events, ...validators }] of knownPages)
    knownPages.set(page, { ...validators, events: events.filter(([id]) => !unwanted.has(id)) })
}

/**
 * The external ids of the events on pages that were read, and the addresses that were not read. In the middle
 * of a run, pages that may still follow count with the events that they had when they were last read.
 */
export function keysOfPages({ pages, crawl }: StoredPages): { ids: string[]; unread: string[] } {
  const knownPages = storedJson<[string, KnownPage][]>(pages)
  const progress = storedJson<CrawlState>(crawl)
  const { stage, visited, queue, listed, likely } = progress
  const mayLeadAnywhere = stage === 'lists' && queue.length > 0
  const present = new Set(stage === 'end' ? visited : [...visited, ...queue, ...listed, ...likely])
  const ids = knownPages.flatMap(([page, { events }]) =>
    mayLeadAnywhere || present.has(page) ? events.map(([id]) => id) : [],
  )
  return { ids, unread: unreadLinks(progress) }
}

/** The records of a page that pass the source's filter, in order, and the external ids of the others. */
type PageRecords = {
  records: readonly AnyRecord[]
  unwanted: ReadonlySet<string>
  skipped: readonly SkippedItem[]
}

async function readRecords(
  context: BaseContext,
  { url, source, search }: PagesReading,
  items: readonly SourceItem[],
): Promise<PageRecords> {
  const calendar = await collectItems(items, source, emptyCalendar(url))
  leaveOutOwnEvents(context, calendar)
  const records = await wantedRecords(calendar.records, search)
  const wantedSet = new Set(records)
  const unwanted = calendar.records
    .filter(record => !wantedSet.has(record))
    .map(({ externalId }) => externalId)
  const notes = items.flatMap(item =>
    item.type === 'note'
      ? [{ what: url, why: item.text, code: item.code ?? ('record_not_all' as const) }]
      : [],
  )
  return { records, unwanted: new Set(unwanted), skipped: [...calendar.skipped, ...notes] }
}
