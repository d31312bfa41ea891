import type { RequestContext } from '../../context.ts'
import { SIZES, SOURCE_WORK } from '../../lib/budgets.ts'
import type { SourceRow } from '../../resources/sources/queries.ts'
import { type Client, DEFAULT_RETRY_POLICY, type HttpResponse, type Validators } from '../readers/http.ts'
import { PageReader } from '../readers/jsonld.ts'
import { type Crawl, type KnownPage, newCrawl } from '../readers/jsonld-site.ts'
import { type AnyRecord, importKey, recordLength, type SourceItem } from '../records.ts'
import {
  collected,
  finding,
  leaveOwnOut,
  type MeteredTransport,
  type Patience,
  readingOf,
  type Skipped,
  wantedRecords,
} from './look.ts'

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
  patience?: Patience | undefined
  stored: StoredPages
  /** The response from the address, if this is the first piece of a run. */
  first: HttpResponse | undefined
  room: PieceRoom
  /** The number of records of the next page that are already written, and the page's validators at that time. */
  place: number
  known: Required<Validators>
  /** The time, in milliseconds, after which no other page is requested; 20,000 by default. */
  mostMs?: number
}

/** The records of some pages, and the state from which another piece continues. */
type PagesPiece = {
  records: AnyRecord[]
  skipped: Skipped[]
  stored: StoredPages
  crawl: Crawl
  /** The number of records of the next page that are done after this piece, and the page's validators. */
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

/**
 * Reads pages as long as there is room for their events: one a second, and only those that have changed. A page with
 * more events than fit is read again by the next piece, which continues in it.
 *
 * @throws Unreachable, Unreadable
 */
export async function readPages(context: RequestContext, given: PagesReading): Promise<PagesPiece> {
  const { url, source, search, client, transport, patience, stored, room } = given
  const { mostMs = SOURCE_WORK.pagesMs } = given
  // The JSON was stored from here.
  const known = new Map(JSON.parse(stored.pages) as [string, KnownPage][])
  const crawl = stored.crawl === '' ? newCrawl() : (JSON.parse(stored.crawl) as Crawl)
  const read = new Map<string, KnownPage>()
  const skipped: Skipped[] = []
  const reader = new PageReader(client, {
    ...{ source, context: readingOf(context, url, skipped), crawl },
    memory: { get: page => read.get(page) ?? known.get(page), set: (page, what) => read.set(page, what) },
    ...(patience?.timeoutMs !== undefined && { limits: { timeoutMs: patience.timeoutMs } }),
  })
  const piece = new Map<string, AnyRecord>()
  let { first, place } = given
  let validators = { etag: '', lastModified: '' }
  let [before, isOver, isCut] = ['', false, false]
  const isEnough = () => room.isFull(transport.bytes) || transport.requests < SOURCE_WORK.ofPage
  const startMs = Date.now()
  // The previous piece has just requested a page.
  if (!first && crawl.stage !== 'end') await (patience?.sleep ?? DEFAULT_RETRY_POLICY.sleep)(PAUSE_MS)
  do {
    before = first ? '' : JSON.stringify(crawl)
    const items: SourceItem[] | undefined = first ? await reader.start(first) : await reader.next()
    first = undefined
    isOver = items === undefined
    const found = await collected(items ?? [], source, finding(url))
    leaveOwnOut(context, found)
    const records = await wantedRecords(found.records, search)
    const taken = place
    place += takeSome(piece, records.slice(taken), room)
    isCut = place < records.length
    const { etag = '', lastModified = '' } =
      [...read.values()].find(one => one.etag || one.lastModified) ?? crawl.first
    validators = { etag, lastModified }
    if (isCut) break
    const isSame = taken === 0 || (etag === given.known.etag && lastModified === given.known.lastModified)
    if (!isSame && crawl.lists === 1 && crawl.requests === 0) crawl.first = {}
    const isIn = eventsIn(found.records, records)
    for (const [page, { events, ...rest }] of read)
      known.set(page, { ...(isSame && rest), events: events.filter(([id]) => isIn(id)) })
    read.clear()
    place = 0
    skipped.push(...found.skipped)
    for (const item of items ?? []) if (item.type === 'note') skipped.push({ what: url, why: item.text })
  } while (!isOver && !isEnough() && Date.now() - startMs < mostMs)
  const { json, ids } = keptPages(known, crawl, isOver)
  const isTooMuch = json.length > SIZES.pagesUnits
  if (isTooMuch) {
    Object.assign(crawl, { isWhole: false, queue: [], stage: 'end' })
    skipped.push({ what: url, why: 'There are more events than are read of pages: the rest is not read.' })
  }
  return {
    ...{ records: [...piece.values()], skipped, crawl, ids, isOver, place, validators },
    stored: { pages: isTooMuch ? NO_PAGES.pages : json, crawl: isCut ? before : JSON.stringify(crawl) },
    ...(isOver ? { gap: reader.gap(), period: reader.period() } : { gap: undefined, period: undefined }),
  }
}

/** Adds records to a piece as long as there is room. @returns their number */
function takeSome(piece: Map<string, AnyRecord>, records: readonly AnyRecord[], room: PieceRoom): number {
  let count = 0
  for (const record of records) {
    if (room.isFull()) break
    room.take(record)
    count += 1
    const key = importKey(record.source, record.kind, record.externalId)
    // If two records are of the same event, the later one is better.
    piece.delete(key)
    piece.set(key, record)
  }
  return count
}

/** The pages to store, as JSON: after the last piece, only those that still exist. The ids are of events on pages read so far. */
function keptPages(known: ReadonlyMap<string, KnownPage>, { visited }: Crawl, isOver: boolean) {
  const seen = new Set(visited)
  const kept = [...known].filter(([page]) => !isOver || seen.has(page))
  const ids = kept.flatMap(([page, { events }]) => (seen.has(page) ? events.map(([id]) => id) : []))
  return { json: JSON.stringify(kept), ids: new Set(ids) }
}

/** Makes a test for events that passed the filter, or that are not on this page. */
function eventsIn(all: readonly AnyRecord[], wanted: readonly AnyRecord[]): (id: string) => boolean {
  const kept = new Set(wanted)
  const out = new Set(all.filter(record => !kept.has(record)).map(({ externalId }) => externalId))
  return id => !out.has(id)
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
