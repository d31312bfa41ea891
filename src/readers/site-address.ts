import { Unreadable } from '../calendar/imports/records.ts'
import { decodeEntities, toPlain } from '../kit/lib/text.ts'
import { FIELD_LIMITS, isObject, parseJson, withoutSlashes } from '../kit/lib/values.ts'
import { NAMESPACE } from '../kit/settings.ts'
import { readId } from './fields.ts'
import { type Client, decodeText, type HttpResponse } from './http.ts'

/**
 * The JSON in a response; undefined if there is none. Some servers print a byte order mark or warnings before
 * it.
 */
export function jsonIn({ bytes }: Pick<HttpResponse, 'bytes'>): unknown {
  const text = decodeText(bytes)
  const json = parseJson(text)
  const start = text.indexOf('{')
  return json === undefined && start > 0 ? parseJson(text.slice(start)) : json
}

export const isCalendar = ({ bytes }: Pick<HttpResponse, 'bytes'>): boolean =>
  /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(decodeText(bytes.subarray(0, 200)))

/** Parameters of a site's list of events. Without any, the list has all of its events. */
export type SiteFilters = Readonly<Record<string, string>>

/**
 * The API of a site, which makes the addresses of its collections. `name` is the name of the site, '' if
 * unknown; `filters` are those of the address by which it was found.
 */
export type SiteApi = { name: string; filters: SiteFilters; collection: (name: string) => URL }

const apiUnder = (base: string, index?: unknown): SiteApi => ({
  name: isObject(index) && typeof index.name === 'string' ? siteName(index.name) : '',
  filters: {},
  collection: name => {
    const url = new URL(base)
    const route = url.searchParams.get('rest_route')
    // Sites without pretty permalinks take the route as a parameter.
    if (route === null) url.pathname = `${withoutEndSlashes(url.pathname)}/${name}`
    else url.searchParams.set('rest_route', `${withoutEndSlashes(route)}/${name}`)
    return url
  },
})

const siteName = (name: string): string =>
  decodeEntities(toPlain(name.slice(0, 10 * FIELD_LIMITS.name))).slice(0, FIELD_LIMITS.name)

/**
 * A path without slashes at its end, in linear time: a regular expression would start over at each slash
 * inside.
 */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Paths of the index of all namespaces, below a site's address. */
const INDEXES = ['wp-json/', '?rest_route=/']

/**
 * Finds the API of a site: by its namespace, or else by requesting indexes until one lists routes of The
 * Events Calendar.
 *
 * @param address the address of the site, of its API, or of the API's index
 * @param response the response from that address, if it was requested before
 * @throws Unreadable if there is none; Unreachable if the site gives no response
 */
export async function findApi(
  client: Client,
  address: string,
  response: HttpResponse | undefined,
  namespace?: string,
): Promise<SiteApi> {
  const site = address.replace(/[?#].*$/s, '').replace(/(?<!\/)\/*$/, '/')
  if (namespace !== undefined) {
    const path = withoutSlashes(namespace)
    for (const base of [`${site}wp-json/${path}`, `${site}${path}`, `${site}?rest_route=/${path}`])
      if (await servesEvents(client, base)) return apiUnder(base)
    throw new Unreadable(`${address} has no calendar under the namespace ${path}`, 'source_no_calendar')
  }
  const firstResponse = response ?? (await client.get(address))
  const announced = apiLink(firstResponse)
  const ownApi = `${site}${NAMESPACE}`
  const indexes = [...(announced ? [announced] : []), ...INDEXES.map(path => site + path), ownApi]
  const json = jsonIn(firstResponse)
  const direct = baseIn(json, address)
  if (direct) return apiUnder(direct, json)
  const root = rootIn(firstResponse, address)
  if (root !== undefined && (await servesEvents(client, root))) return apiUnder(root)
  for (const index of indexes) {
    const indexJson = jsonIn(await client.get(index))
    const base = baseIn(indexJson, index)
    if (base) return apiUnder(base, indexJson)
  }
  if (await servesEvents(client, address)) return apiUnder(address)
  if (await servesEvents(client, ownApi)) return apiUnder(ownApi)
  throw new Unreadable(`${address} has no calendar with this API`, 'source_no_calendar')
}

/** The address of the API that pages of The Events Calendar, and ours, name in a header. */
function rootIn({ headers }: HttpResponse, address: string): string | undefined {
  const namedRoot = headers.get('x-tec-api-root')
  if (namedRoot === null || !URL.canParse(namedRoot, address)) return undefined
  // Pages of an event, a category or a tag name its address, or that of the list of its events, which are
  // below that of the API.
  return new URL(namedRoot, address).href.replace(
    /\/(?:(?:events|categories|tags)\/(?:by-slug\/[^/?#]+|\d+)\/?|events\/?[?&](?:categories|tags)=[^?&#]*)$/,
    '',
  )
}

/** The `<link>` tags of a page. A search over the whole page would start over at each. */
const linksIn = ({ bytes }: HttpResponse): string[] => decodeText(bytes).match(/<link\s[^<>]*>/g) ?? []

/** The address of the API that WordPress sites name in a header of every page, and in its head. */
function apiLink(response: HttpResponse): string | undefined {
  const [, header] =
    /<([^<>]+)>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(response.headers.get('link') ?? '') ?? []
  const link = linksIn(response).find(tag => /\srel=["']https:\/\/api\.w\.org\/["']/.test(tag))
  return header ?? /\shref=["']([^"']+)["']/.exec(link ?? '')?.[1]
}

/**
 * The address of the namespace with the calendar's routes, from an index. The index of all namespaces lists
 * routes below its own address; the index of one namespace lists itself as a route.
 */
function baseIn(index: unknown, address: string): string | undefined {
  if (!isObject(index) || !isObject(index.routes)) return undefined
  const routes = new Set(Object.keys(index.routes))
  const calendars = [...routes]
    .filter(each => each.endsWith('/events'))
    .map(each => each.slice(0, -'/events'.length))
    .filter(each => ['venues', 'organizers'].every(name => routes.has(`${each}/${name}`)))
  const [base] = calendars
  if (base === undefined) return undefined
  const ownNamespace =
    typeof index.namespace === 'string' ? withoutEndSlashes(index.namespace.replace(/^\/+/, '')) : ''
  const url = new URL(address)
  const route = url.searchParams.get('rest_route')
  const path = withoutEndSlashes(route ?? url.pathname)
  // In an index of one namespace, routes begin with the end of the index's own address.
  const rootPath =
    ownNamespace !== '' && path.endsWith(ownNamespace)
      ? withoutEndSlashes(path.slice(0, -ownNamespace.length))
      : path
  if (route === null) url.pathname = `${rootPath}${base.startsWith('/') ? '' : '/'}${base}`
  else url.searchParams.set('rest_route', `${rootPath}${base}`)
  return url.href
}

async function servesEvents(client: Client, base: string): Promise<boolean> {
  const url = apiUnder(base).collection('events')
  url.searchParams.set('per_page', '1')
  const json = jsonIn(await client.get(url.href))
  if (!isObject(json)) return false
  return Array.isArray(json.events) || /archive-page-not-found/.test(String(json.code))
}

// The filters of an address on a site, as parameters of its API's list: people who paste the address of a
// category want only that.

/** The filters of lists that are the same on pages and in the API. */
const FILTERS = [
  'search',
  'search_in',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'is_free',
  'ticket_availability',
  'wheelchair',
  'geoloc_lat',
  'geoloc_lng',
  'geoloc_radius',
]

/** The filters by their parameters in the addresses of pages, where the plugin has other names for some. */
const BY_PAGE_NAME = new Map([
  ...FILTERS.map(name => [name, name] as const),
  ['tribe-bar-search', 'search'],
  ['tribe_events_cat', 'categories'],
])

/** The filters among parameters. Several values of one are separated by commas. */
function filtersIn(params: URLSearchParams): SiteFilters {
  const filters = new Map<string, string[]>()
  for (const [paramName, value] of params) {
    const name = BY_PAGE_NAME.get(paramName.replace(/\[\d{0,3}\]$/, ''))
    if (name !== undefined && value.trim() !== '')
      filters.set(name, [...(filters.get(name) ?? []), value.trim()])
  }
  return Object.fromEntries([...filters].map(([name, values]) => [name, values.join()]))
}

const hasNoFilters = (filters: SiteFilters): boolean => Object.keys(filters).length === 0

/** The route of an address. On sites without pretty permalinks, it is a parameter. */
const routeOf = (url: URL): string => withoutEndSlashes(url.searchParams.get('rest_route') ?? url.pathname)

/** The filters that a page names by a link to the same events in the API. */
function linkedFilters(api: SiteApi, { url: page }: HttpResponse, tags: readonly string[]): SiteFilters {
  for (const tag of tags) {
    const href = decodeEntities(/\shref=["']([^"']+)["']/.exec(tag)?.[1] ?? '')
    if (!/\srel=["']alternate["']/.test(tag) || !URL.canParse(href, page)) continue
    const url = new URL(href, page)
    const route = routeOf(url)
    if (route === routeOf(api.collection('events'))) {
      const filters = filtersIn(url.searchParams)
      if (!hasNoFilters(filters)) return filters
    }
    for (const kind of ['venue', 'organizer']) {
      const list = `${routeOf(api.collection(`${kind}s`))}/`
      const id = route.startsWith(list) ? route.slice(list.length) : ''
      if (/^\d{1,15}$/.test(id)) return { [kind]: id }
    }
  }
  return {}
}

const segmentsOf = (path: string): string[] =>
  path.split('/').flatMap(segment => {
    try {
      return segment === '' ? [] : [decodeURIComponent(segment)]
    } catch {
      return [segment]
    }
  })

/** Segments after a filter in the path of a page: its display, its number, or a day. */
const OF_DISPLAY = /^(?:list|month|week|day|today|map|photo|summary|past|page|\d+|\d{4}-[\dWw-]{2,5})$/

/** The filters that a path has. @throws Unreadable for a venue or organizer that the API does not identify */
async function filtersOfPath(client: Client, api: SiteApi, { pathname, href }: URL): Promise<SiteFilters> {
  const segments = segmentsOf(pathname)
  const after = (name: string, before?: string): string[] => {
    const index = segments.indexOf(name)
    if (index === -1 || (before !== undefined && segments[index - 1] !== before)) return []
    const otherSegments = segments.slice(index + 1)
    const end = otherSegments.findIndex((segment, i) => i > 0 && OF_DISPLAY.test(segment))
    return end === -1 ? otherSegments : otherSegments.slice(0, end)
  }
  const category = after('category', 'events').at(-1)
  if (category !== undefined) return { categories: category }
  const [tag] = after('tag')
  if (tag !== undefined) return { tags: tag }
  for (const kind of ['venue', 'organizer']) {
    const [slug] = after(kind)
    if (slug === undefined) continue
    const json = jsonIn(await client.get(api.collection(`${kind}s/by-slug/${slug}`).href))
    const id = isObject(json) ? readId(json.id) : undefined
    if (id === undefined)
      throw new Unreadable(
        `${href}: the API of the site does not tell which ${kind} this is. The address of the site itself leads to all of its events`,
        'source_no_calendar',
      )
    return { [kind]: String(id) }
  }
  return {}
}

/**
 * The filters of an address on a site, from what its page links to, or else from the address itself.
 *
 * @param response the response from that address, if it was requested
 * @throws Unreadable for a venue or organizer that the API does not identify
 */
export async function filtersOfAddress(
  client: Client,
  api: SiteApi,
  address: string,
  response: HttpResponse | undefined,
): Promise<SiteFilters> {
  const linkFilters = response ? linkedFilters(api, response, linksIn(response)) : {}
  if (!hasNoFilters(linkFilters)) return linkFilters
  const url = new URL(address)
  return { ...filtersIn(url.searchParams), ...(await filtersOfPath(client, api, url)) }
}
