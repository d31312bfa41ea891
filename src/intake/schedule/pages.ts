import type { RequestContext } from '../../context.ts'
import { SIZES, SOURCE_WORK } from '../../lib/budgets.ts'
import { pause } from '../../lib/pause.ts'
import type { SourceRow } from '../../resources/sources/queries.ts'
import type { Client, HttpResponse, Validators } from '../readers/http.ts'
import { PageReader } from '../readers/jsonld.ts'
import { type Crawl, type KnownPage, newCrawl } from '../readers/jsonld-site.ts'
import { type AnyRecord, keyOfRecord, recordLength, type SourceItem } from '../records.ts'
import { leaveOwnOut, type Skipped, wantedRecords } from './filter.ts'
import { collected, finding, type MeteredTransport, readingOf } from './look.ts'

const PAUSE_MS = 1_000

/** A row of `source_pages`, stored or not. */
export type StoredPages = { pages: string; crawl: string }
export const NO_PAGES: StoredPages = { pages: '[]', crawl: '' }

/** The state of pages without their validators, so that all of them are read again. */
export function withoutValidators({ pages, crawl }: StoredPages): StoredPages {
  // The JSON was stored from here.
  const known = JSON.parse(pages) as [string, KnownPage][]
  return { pages: JSON.stringify(known.map(([page, { events }]) => [page, { events }])), crawl }
}

type PagesReading = {
  url: string
  /** The name that records get as their source. */
  source: string
  search: string
  client: Client
  transport: MeteredTransport
  stored: StoredPages
  /** The response from the address, if this is the first piece of a run. */
  first: HttpResponse | undefined
  room: PieceRoom
  /** The number of records of the next page that are already written, and the page's validators at that time. */
  place: number
  known: Required<Validators>
  /** The time, in milliseconds, after which no other page is requested; 20,000 by default. A page may take as long. */
  mostMs?: number
}

/** The records of some pages, and the state from which another piece continues. */
type PagesPiece = {
  records: AnyRecord[]
  skipped: Skipped[]
  stored: StoredPages
  crawl: Crawl
  /** The number of records of the next page that are done after this piece; its validators if there are any such records. */
  place: number
  validators: Required<Validators>
  /** The external ids of all existing events, as far as pages were read. */
  ids: Set<string>
  /** The reason why there may be more events than were read; undefined if there are none, or before the end. */
  gap: string | undefined
  /** The period in which all events were read; undefined before the end, or if some may be missing. */
  period: { from: string; to?: string } | undefined
  isOver: boolean
}

/** The place within a page at which a piece is full, and the crawl before that page, which the next piece reads again. */
type Cut = { place: number; validators: Required<Validators>; crawlBefore: string }

/**
 * Reads pages as long as there is room for their events: one a second, and only those that have changed. A page with
 * more events than fit is read again by the next piece, which continues in it.
 *
 * @throws Unreachable, Unreadable
 */
export async function readPages(context: RequestContext, given: PagesReading): Promise<PagesPiece> {
  const { url, source, client, transport, room, mostMs = SOURCE_WORK.pagesMs } = given
  // The JSON was stored from here.
  const known = new Map(JSON.parse(given.stored.pages) as [string, KnownPage][])
  const crawl = given.stored.crawl === '' ? newCrawl() : (JSON.parse(given.stored.crawl) as Crawl)
  const skipped: Skipped[] = []
  const taken = new Map<string, AnyRecord>()
  // The state of the current page. It counts once all records of the page have been taken.
  const current = new Map<string, KnownPage>()
  const reader = new PageReader(client, {
    source,
    context: readingOf(context, url, skipped),
    crawl,
    memory: {
      get: page => current.get(page) ?? known.get(page),
      set: (page, state) => current.set(page, state),
    },
    limits: { timeoutMs: transport.patience.timeoutMs ?? mostMs },
  })
  const startMs = Date.now()
  const isEnough = () =>
    room.isFull(transport.bytes) || transport.requests < SOURCE_WORK.ofPage || Date.now() - startMs >= mostMs
  // The previous piece has just requested a page.
  if (!given.first && crawl.stage !== 'end') await (transport.patience.sleep ?? pause)(PAUSE_MS)

  let { first, place } = given
  let isOver = false
  let cut: Cut | undefined
  do {
    const crawlBefore = first ? '' : JSON.stringify(crawl)
    const items = first ? await reader.start(first) : await reader.next()
    first = undefined
    isOver = items === undefined
    const page = await readRecords(context, given, items ?? [])
    const fitting = recordsThatFit(page.records.slice(place), room)
    addLatest(taken, fitting)
    const validators = pageValidators(current, crawl)
    if (place + fitting.length < page.records.length) {
      cut = { place: place + fitting.length, validators, crawlBefore }
      break
    }
    // Otherwise its first records were taken from another version of it.
    const { etag, lastModified } = given.known
    const isSame = place === 0 || (validators.etag === etag && validators.lastModified === lastModified)
    if (!isSame && crawl.lists === 1 && crawl.requests === 0) crawl.first = {}
    for (const [address, { events, ...own }] of current)
      known.set(address, { ...(isSame && own), events: events.filter(([id]) => !page.unwanted.has(id)) })
    current.clear()
    skipped.push(...page.skipped)
    place = 0
  } while (!isOver && !isEnough())

  const { json, ids } = keptPages(known, crawl, isOver)
  const isTooMuch = json.length > SIZES.pagesUnits
  if (isTooMuch) {
    Object.assign(crawl, { isWhole: false, queue: [], stage: 'end' })
    skipped.push({ what: url, why: 'There are more events than are read of pages: the rest is not read.' })
  }
  return {
    records: [...taken.values()],
    skipped,
    crawl,
    ids,
    isOver,
    place: cut?.place ?? 0,
    validators: cut?.validators ?? NO_VALIDATORS,
    stored: {
      pages: isTooMuch ? NO_PAGES.pages : json,
      crawl: cut ? cut.crawlBefore : JSON.stringify(crawl),
    },
    ...(isOver ? { gap: reader.gap(), period: reader.period() } : { gap: undefined, period: undefined }),
  }
}

/** The records of a page that pass the source's filter, in order, and the external ids of the others. */
type PageRecords = {
  records: readonly AnyRecord[]
  unwanted: ReadonlySet<string>
  skipped: readonly Skipped[]
}

async function readRecords(
  context: RequestContext,
  { url, source, search }: PagesReading,
  items: readonly SourceItem[],
): Promise<PageRecords> {
  const found = await collected(items, source, finding(url))
  leaveOwnOut(context, found)
  const records = await wantedRecords(found.records, search)
  const wanted = new Set(records)
  const unwanted = found.records.filter(record => !wanted.has(record)).map(({ externalId }) => externalId)
  const notes = items.flatMap(item => (item.type === 'note' ? [{ what: url, why: item.text }] : []))
  return { records, unwanted: new Set(unwanted), skipped: [...found.skipped, ...notes] }
}

/** The first records, as many as there is room for. */
export function recordsThatFit(records: Iterable<AnyRecord>, room: PieceRoom): AnyRecord[] {
  const fitting: AnyRecord[] = []
  for (const record of records) {
    if (room.isFull()) break
    room.take(record)
    fitting.push(record)
  }
  return fitting
}

/** Adds records to those of earlier pages. If two are of the same event, the later one is better. */
function addLatest(taken: Map<string, AnyRecord>, records: readonly AnyRecord[]): void {
  for (const record of records) {
    const key = keyOfRecord(record)
    taken.delete(key)
    taken.set(key, record)
  }
}

const NO_VALIDATORS: Required<Validators> = { etag: '', lastModified: '' }

/** The validators of the current page, or else those of the first one. */
function pageValidators(current: ReadonlyMap<string, KnownPage>, crawl: Crawl): Required<Validators> {
  const { etag = '', lastModified = '' } =
    [...current.values()].find(page => page.etag || page.lastModified) ?? crawl.first
  return { etag, lastModified }
}

/** The pages to store, as JSON: after the last piece, only those that still exist. The ids are of events on pages read so far. */
function keptPages(known: ReadonlyMap<string, KnownPage>, { visited }: Crawl, isOver: boolean) {
  const seen = new Set(visited)
  const kept = [...known].filter(([page]) => !isOver || seen.has(page))
  const ids = kept.flatMap(([page, { events }]) => (seen.has(page) ? events.map(([id]) => id) : []))
  return { json: JSON.stringify(kept), ids: new Set(ids) }
}

/** The room in a piece. */
type PieceRoom = { isFull: (bytes?: number) => boolean; take: (record: AnyRecord) => void }

/** The number of successive pieces that were killed. If the source is failing, its failures are those of reading it. */
const killsOf = ({ state, failures }: SourceRow): number => (state === 'failing' ? 0 : failures)

/**
 * The room in the next piece of a source. After a kill there is less, down to one event.
 *
 * @param mostRecords the most records of any kind
 */
export function roomOf(source: SourceRow, mostRecords: number = SOURCE_WORK.records): PieceRoom {
  const kills = killsOf(source)
  const shift = 2 * Math.min(kills, 4)
  const most = Math.max(1, SOURCE_WORK.events >> shift)
  let [events, records, characters] = [0, 0, 0]
  return {
    isFull: (bytes = 0) =>
      events >= most ||
      records >= Math.min(mostRecords, kills > 0 ? most : SOURCE_WORK.records) ||
      characters > SOURCE_WORK.characters ||
      bytes > SOURCE_WORK.bytes >> shift,
    take: record => {
      records += 1
      if (record.kind === 'event') events += 1
      characters += recordLength(record)
    },
  }
}
