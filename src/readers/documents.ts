import {
  type AnyRecord,
  COLLECTIONS,
  importKey,
  isTerm,
  isTermRecordKind,
  itemReason,
  keyOfRecord,
  RECORD_KINDS,
  type ReaderContext,
  type RecordKind,
  type SourceItem,
  Unreadable,
} from '../calendar/imports/records.ts'
import { isObject } from '../kit/lib/values.ts'
import { type FieldReading, type RawValues, readId } from './fields.ts'
import { isPlace } from './placeless.ts'
import { readEmbedded, readEvent, readOrganizer, readSeries, readTerm, readVenue } from './read-event.ts'
import { withoutEndSlashes } from './site-address.ts'

/** Terms, each after its parent if that is among them. */
export function* parentsFirst(terms: readonly AnyRecord[]): Generator<SourceItem> {
  const comingKeys = new Set(terms.map(keyOfRecord))
  const waitingTerms = new Map<string, AnyRecord[]>()
  for (const givenTerm of terms) {
    // A loop, because chains may be longer than calls can nest.
    const termsLeft = [givenTerm]
    for (let term = termsLeft.pop(); term; term = termsLeft.pop()) {
      const { source, kind, parent } = isTerm(term) ? term : { ...term, parent: undefined }
      const parentKey = parent === undefined ? '' : importKey(source, kind, parent)
      if (comingKeys.has(parentKey)) {
        waitingTerms.set(parentKey, [...(waitingTerms.get(parentKey) ?? []), term])
        continue
      }
      const key = keyOfRecord(term)
      comingKeys.delete(key)
      yield { type: 'record', record: term }
      termsLeft.push(...(waitingTerms.get(key) ?? []).reverse())
      waitingTerms.delete(key)
    }
  }
  // The remaining terms are each other's parents, so that none comes first.
  for (const record of [...waitingTerms.values()].flat()) yield { type: 'record', record }
}

/** A saved response of one of the API's routes: a page of a list, or a single resource. */
export type SavedResponse = {
  kind: RecordKind
  source: string
  items: readonly unknown[]
  /** Undefined for a single resource. */
  list: ListPage | undefined
}

/** A page's place in its list, the ids of its items, and what it says about the whole list. */
export type ListPage = {
  /**
   * The numbers of its neighbours, from its links to them: NaN if a link names none; undefined if there is no
   * link.
   */
  previous: number | undefined
  next: number | undefined
  ids: readonly (number | undefined)[]
  /** The number of items and of pages, 0 if the page doesn't name them. */
  total: number
  pages: number
  /** The parameters of its address, from a link to it or to a neighbour; undefined if it has none. */
  parameters: URLSearchParams | undefined
}

/** A count that a server has sent, perhaps as a text such as `1,234`; 0 if it is not a number. */
export const sentCount = (value: unknown): number =>
  Math.max(0, Number(typeof value === 'string' ? value.replace(/(?<=\d)[., ](?=\d{3}\b)/g, '') : value) || 0)

const parametersIn = (address: unknown): URLSearchParams | undefined =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).searchParams : undefined

const linkedPage = (json: RawValues, field: string): number | undefined =>
  field in json ? Number(parametersIn(json[field])?.get('page') ?? Number.NaN) : undefined

const listPageOf = (json: RawValues, items: readonly unknown[]): ListPage => ({
  previous: linkedPage(json, 'previous_rest_url'),
  next: linkedPage(json, 'next_rest_url'),
  ids: items.map(item => (isObject(item) ? readId(item.id) : undefined)),
  total: sentCount(json.total),
  pages: sentCount(json.total_pages),
  parameters: [json.rest_url, json.next_rest_url, json.previous_rest_url]
    .map(parametersIn)
    .find(parameters => parameters !== undefined),
})

/**
 * Recognises a saved response by its fields.
 *
 * @param fallback the source, for a document that does not contain its own address
 * @throws Unreadable if it is not a response of the API
 */
export function documentOf(json: unknown, fallback: string): SavedResponse {
  if (!isObject(json)) throw new Unreadable('it is not a response of this API', 'source_json')
  for (const kind of RECORD_KINDS) {
    const items = json[COLLECTIONS[kind]]
    // Events have `categories` and `tags` too.
    if (!Array.isArray(items) || 'start_date' in json) continue
    return { kind, source: sourceOf(json, items) ?? fallback, items, list: listPageOf(json, items) }
  }
  return {
    kind: singleKind(json),
    source: sourceOf(json, [json]) ?? fallback,
    items: [json],
    list: undefined,
  }
}

function singleKind(json: RawValues): RecordKind {
  // A series has the fields of an event as well.
  if (isObject(json.recurrence) && 'start_date' in json) return 'series'
  if ('start_date' in json || 'utc_start_date' in json) return 'event'
  if ('taxonomy' in json) return /tag$/.test(String(json.taxonomy)) ? 'tag' : 'category'
  // A record without a name is recognised by its address.
  const namedKey = ['organizer', 'venue'].find(key => typeof json[key] === 'string')
  const path = /\/(organizer|venue)\//.exec(String(json.url))?.[1]
  if ((namedKey ?? path) === 'organizer') return 'organizer'
  if ((namedKey ?? path) === 'venue') return 'venue'
  if (isObject(json.routes))
    throw new Unreadable('it is the index of an API, which holds no records', 'source_no_calendar')
  throw new Unreadable('it is not a response of this API', 'source_json')
}

/**
 * The name of the API that a document is from: the host and path of the addresses in it, so that http and
 * https are the same.
 */
function sourceOf(json: RawValues, items: readonly unknown[]): string | undefined {
  for (const raw of [json, ...items.slice(0, 1)]) {
    if (!isObject(raw)) continue
    const urls = isObject(raw.urls) ? raw.urls : {}
    for (const address of [raw.rest_url, urls.self, urls.collection]) {
      if (typeof address !== 'string' || !URL.canParse(address)) continue
      const [, base] =
        /^(.*)\/(?:events|series|venues|organizers|categories|tags)(?:\/|$)/.exec(apiPath(address)) ?? []
      if (base) return base
    }
  }
  return undefined
}

/**
 * Host and path of an API's address: `example.org/wp-json/tribe/events/v1/…`, even if the route is a query
 * parameter.
 */
export function apiPath(address: string): string {
  const { host, pathname, searchParams } = new URL(address)
  const route = searchParams.get('rest_route')
  // `source:1` is the name of a source, whose events a page on a host of that name must not take over.
  return `${host.replace(/^source:/, 'source.:')}${withoutEndSlashes(pathname)}${route === null ? '' : `/${withoutEndSlashes(route.replace(/^\/+/, ''))}`}`
}

type DocumentOrigin = {
  source: string
  /** Ids of the series that are read as such. */
  series?: ReadonlySet<string> | undefined
}

/** The part of a document of events to read. Other documents have one part only. */
type DocumentPart = 'all' | 'events' | 'embedded'

/**
 * Reads the records of a document, each after the records embedded in it. A bad record does not stop the
 * others.
 *
 * @param document.from the number of items before the first of these
 */
export function* readDocument(
  { kind, items, from = 0 }: Pick<SavedResponse, 'kind' | 'items'> & { from?: number },
  origin: DocumentOrigin,
  context: ReaderContext,
  part: DocumentPart = 'all',
): Generator<SourceItem> {
  const reading = { ...context, source: origin.source, what: '' }
  for (const [i, raw] of items.entries()) {
    try {
      for (const record of readItem(kind, raw, origin, reading, part)) yield { type: 'record', record }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const itemName = isObject(raw) && 'id' in raw ? String(raw.id) : `item ${from + i + 1}`
      yield { type: 'failed', kind, source: origin.source, what: itemName, ...itemReason(error) }
    }
  }
}

function readItem(
  kind: RecordKind,
  raw: unknown,
  { series }: DocumentOrigin,
  reading: FieldReading,
  part: DocumentPart,
): AnyRecord[] {
  if (kind === 'venue') return [readVenue(raw, reading)].filter(isPlace)
  if (kind === 'organizer') return [readOrganizer(raw, reading)]
  if (isTermRecordKind(kind)) return [readTerm(kind, raw, reading)]
  // An item that is not an object is reported once, when events are read.
  const embedded = readEmbedded(isObject(raw) ? raw : {}, reading)
  const ofEvent = { ...embedded, venues: embedded.venues.filter(isPlace) }
  const related = part === 'events' ? [] : Object.values(ofEvent).flat()
  if (kind === 'series') return part === 'events' ? [] : [...related, readSeries(raw, embedded, reading)]
  if (part === 'embedded') return related
  return [...related, readEvent(raw, embedded, reading, series)]
}
