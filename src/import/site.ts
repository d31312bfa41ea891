import type { DateTime } from '../lib/time.ts'
import { apiPath, COLLECTIONS, KINDS, parentsFirst, readDocument } from './documents.ts'
import { isObject } from './fields.ts'
import { type Client, Unreachable } from './http.ts'
import { type AnyRecord, type Context, type Item, isTermKind, type Kind, type TermRecord } from './records.ts'
import { type Api, jsonOf } from './site-address.ts'

/** Parameters of requests for lists. Without them, events would be those of the next two years. */
const parametersOf = (kind: Kind, since: DateTime | undefined): Record<string, string> => ({
  per_page: '50',
  ...(kind === 'event' && {
    status: 'publish',
    start_date: since ?? '1970-01-01 00:00:00',
    end_date: '2100-12-31 23:59:59',
  }),
  ...((kind === 'category' || kind === 'tag') && { hide_empty: 'false' }),
})

/** The name of the calendar behind an API: host and path, so that http and https are one. */
export const sourceOf = (api: Api): string => apiPath(api.collection('events').href).replace(/\/events$/, '')

/**
 * Walks the public lists of a site. What events show of terms, venues and organizers is taken too: lists may
 * lack some, or be missing.
 *
 * @param since only events that start then or later
 */
export async function* walkSite(
  client: Client,
  api: Api,
  context: Context,
  since?: DateTime,
): AsyncGenerator<Item> {
  const source = sourceOf(api)
  for (const kind of KINDS) {
    let whole = true
    let read = 0
    let listed = 0
    const terms: TermRecord[] = []
    for await (const page of pagesOf(client, api, kind, since)) {
      if ('problem' in page) {
        whole = false
        yield page.harmless
          ? { type: 'note', text: page.problem }
          : { type: 'failed', kind: 'page', what: COLLECTIONS[kind], reason: page.problem }
        continue
      }
      read += page.items.length
      listed ||= page.listed
      if (page.expected > 0) yield { type: 'expect', count: page.expected }
      for (const item of readDocument({ kind, items: page.items }, { source }, context)) {
        // A category may be listed before the one above it.
        if (item.type === 'record' && isTermOf(kind, item.record)) terms.push(item.record)
        else yield item
      }
    }
    for (const record of parentsFirst(terms)) yield { type: 'record', record }
    if (listed > 0) yield { type: 'total', kind, read, listed }
    if (whole) yield { type: 'complete', source, kind, ...(since !== undefined && { from: since }) }
  }
}

const isTermOf = (kind: Kind, record: AnyRecord): record is TermRecord =>
  kind !== 'event' && isTermKind(record.kind)

type Page =
  | { items: readonly unknown[]; expected: number; listed: number }
  | { problem: string; harmless: boolean }

/** The pages of a list, as its links lead from one to the next. Totals are not trusted: some are wrong. */
async function* pagesOf(
  client: Client,
  api: Api,
  kind: Kind,
  since: DateTime | undefined,
): AsyncGenerator<Page> {
  const list = api.collection(COLLECTIONS[kind])
  for (const [name, value] of Object.entries(parametersOf(kind, since))) list.searchParams.set(name, value)
  const visited = new Set<string>()
  let url: URL | undefined = list
  let skipped = false
  for (let number = 1; url && !visited.has(url.href); number += 1) {
    visited.add(url.href)
    const page = await readPage(client, url, kind, number)
    if (!page) {
      if (number === 1) yield { problem: `The site lists no ${COLLECTIONS[kind]}.`, harmless: true }
      return
    }
    if ('problem' in page) {
      yield page
      // One page that cannot be made may be due to one record on it; two are a broken server.
      if (page.harmless || skipped || number === 1) return
      skipped = true
      url = withPage(url, number + 1)
      continue
    }
    skipped = false
    yield {
      items: page.items,
      expected: number === 1 ? Math.max(page.total, page.items.length) : 0,
      listed: page.total,
    }
    url = page.next === undefined ? undefined : sameSite(page.next, url)
  }
}

type Read = { items: readonly unknown[]; total: number; next: string | undefined }

/** A page, or what is wrong with it; undefined after the last one. */
async function readPage(
  client: Client,
  url: URL,
  kind: Kind,
  number: number,
): Promise<Read | { problem: string; harmless: boolean } | undefined> {
  const name = COLLECTIONS[kind]
  try {
    const response = await client.get(url.href)
    const json = jsonOf(response)
    const items = isObject(json) ? json[name] : undefined
    if (isObject(json) && Array.isArray(items)) {
      const next =
        typeof json.next_rest_url === 'string' && json.next_rest_url !== '' ? json.next_rest_url : undefined
      return { items, total: Number(json.total) || 0, next }
    }
    // Older servers send an empty list, and any page after the last, like this.
    if (response.status === 404 && isObject(json) && /archive-page-not-found/.test(String(json.code)))
      return undefined
    if (response.status === 404 && number > 1) return undefined
    if (response.status === 404 && kind !== 'event')
      return { problem: `The site has no list of ${name}.`, harmless: true }
    return { problem: `${url.href}: HTTP ${response.status} without a list of ${name}`, harmless: false }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { problem: error.message, harmless: false }
  }
}

function withPage(url: URL, number: number): URL {
  const next = new URL(url)
  next.searchParams.set('page', String(number))
  return next
}

/**
 * The address of the next page. Servers behind a proxy or a copy of a site link to another name of theirs, or to
 * plain http: then only the parameters are theirs. Nobody sends us to another server.
 */
export function sameSite(next: string, current: URL): URL | undefined {
  if (!URL.canParse(next, current.href)) return undefined
  const url = new URL(next, current)
  if (url.origin === current.origin) return url
  const rewritten = new URL(current)
  rewritten.search = url.search
  return rewritten
}
