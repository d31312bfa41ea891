import type { RequestContext } from '../../context.ts'
import { SIZES, SOURCE_WORK } from '../../lib/budgets.ts'
import { pause } from '../../lib/pause.ts'
import type { SourceRow } from '../../resources/sources/queries.ts'
import type { Client, HttpResponse, Validators } from '../readers/http.ts'
import { PageReader } from '../readers/jsonld.ts'
import { type Crawl, type KnownPage, newCrawl, type PageMemory } from '../readers/jsonld-site.ts'
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
export type PagesPiece = {
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

/** Where the next piece continues: after so many records of a page with these validators, with the crawl as JSON. */
type Continuation = { place: number; validators: Required<Validators>; crawl: string }

/**
 * Reads pages as long as there is room for their events: one a second, and only those that have changed. A page with
 * more events than fit is read again by the next piece, which continues in it.
 *
 * @throws Unreachable, Unreadable
 */
export async function readPages(context: RequestContext, given: PagesReading): Promise<PagesPiece> {
  const { url, source, client, transport, room, mostMs = SOURCE_WORK.pagesMs } = given
  const states = new PageStates(given.stored)
  // The JSON was stored from here.
  const crawl = given.stored.crawl === '' ? newCrawl() : (JSON.parse(given.stored.crawl) as Crawl)
  const skipped: Skipped[] = []
  const taken = new Map<string, AnyRecord>()
  const reader = new PageReader(client, {
    source,
    context: readingOf(context, url, skipped),
    crawl,
    memory: states,
    limits: { timeoutMs: transport.patience.timeoutMs ?? mostMs },
  })
  const startMs = Date.now()
  const isEnough = () =>
    room.isFull(transport.bytes) || transport.requests < SOURCE_WORK.ofPage || Date.now() - startMs >= mostMs
  // The previous piece has just requested a page.
  if (!given.first && crawl.stage !== 'end') await (transport.patience.sleep ?? pause)(PAUSE_MS)

  let { first, place } = given
  let isOver = false
  let withinPage: Continuation | undefined
  do {
    const crawlBefore = first ? '' : JSON.stringify(crawl)
    const items = first ? await reader.start(first) : await reader.next()
    first = undefined
    isOver = items === undefined
    const page = await readRecords(context, given, items ?? [])
    const validators = states.validators(crawl)
    const fitting = recordsThatFit(page.records.slice(place), room)
    addLatest(taken, fitting)
    const end = place + fitting.length
    if (end < page.records.length) withinPage = { place: end, validators, crawl: crawlBefore }
    else {
      // Otherwise its first records were taken from another version of it, so the next run reads it again.
      const isSameVersion = place === 0 || isSame(validators, given.known)
      const isFirstPage = crawl.lists === 1 && crawl.requests === 0
      if (isFirstPage && !isSameVersion) crawl.first = {}
      states.keep({ unwanted: page.unwanted, withValidators: isSameVersion })
      skipped.push(...page.skipped)
      place = 0
    }
  } while (!isOver && !withinPage && !isEnough())

  const { json, ids } = states.toStore(crawl, isOver)
  const isTooMuch = json.length > SIZES.pagesUnits
  if (isTooMuch) {
    Object.assign(crawl, { isWhole: false, queue: [], stage: 'end' })
    skipped.push({ what: url, why: 'There are more events than are read of pages: the rest is not read.' })
  }
  const next = withinPage ?? { place: 0, validators: NO_VALIDATORS, crawl: JSON.stringify(crawl) }
  return {
    records: [...taken.values()],
    skipped,
    crawl,
    ids,
    isOver,
    place: next.place,
    validators: next.validators,
    stored: { pages: isTooMuch ? NO_PAGES.pages : json, crawl: next.crawl },
    gap: isOver ? reader.gap() : undefined,
    period: isOver ? reader.period() : undefined,
  }
}

const NO_VALIDATORS: Required<Validators> = { etag: '', lastModified: '' }

const isSame = (one: Required<Validators>, other: Required<Validators>): boolean =>
  one.etag === other.etag && one.lastModified === other.lastModified

/** The states of pages. That of the page being read counts once all of its records have been taken. */
class PageStates implements PageMemory {
  readonly #kept: Map<string, KnownPage>
  readonly #current = new Map<string, KnownPage>()

  constructor({ pages }: StoredPages) {
    // The JSON was stored from here.
    this.#kept = new Map(JSON.parse(pages) as [string, KnownPage][])
  }

  get(page: string): KnownPage | undefined {
    return this.#current.get(page) ?? this.#kept.get(page)
  }

  set(page: string, state: KnownPage): void {
    this.#current.set(page, state)
  }

  /** The validators of the page being read, or else those of the first one. */
  validators({ first }: Crawl): Required<Validators> {
    const own = [...this.#current.values()].find(page => page.etag || page.lastModified)
    const { etag = '', lastModified = '' } = own ?? first
    return { etag, lastModified }
  }

  /** Lets the page being read count. @param options.unwanted the ids of its events that the source's filter leaves out */
  keep({ unwanted, withValidators }: { unwanted: ReadonlySet<string>; withValidators: boolean }): void {
    for (const [page, { events, ...validators }] of this.#current)
      this.#kept.set(page, {
        ...(withValidators && validators),
        events: events.filter(([id]) => !unwanted.has(id)),
      })
    this.#current.clear()
  }

  /** The pages to store, as JSON: after the last piece, only those that still exist. The ids are of events on pages read so far. */
  toStore({ visited }: Crawl, isOver: boolean): { json: string; ids: Set<string> } {
    const seen = new Set(visited)
    const pages = [...this.#kept].filter(([page]) => !isOver || seen.has(page))
    const ids = pages.flatMap(([page, { events }]) => (seen.has(page) ? events.map(([id]) => id) : []))
    return { json: JSON.stringify(pages), ids: new Set(ids) }
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
