import { decodeEntities } from '../../lib/text.ts'
import { isObject } from '../../lib/values.ts'
import { Unreadable } from '../records.ts'
import { readId } from './fields.ts'
import type { Client, HttpResponse } from './http.ts'
import { jsonIn, linksIn, type SiteApi, type SiteFilters, withoutEndSlashes } from './site-address.ts'

// The filters of an address on a site, as parameters of its API's list: whoever pastes the address of a category wants no more.

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

/** The names that pages of the plugin have for some of them. */
const BY_PAGE_NAME = new Map([
  ...FILTERS.map(name => [name, name] as const),
  ['tribe-bar-search', 'search'],
  ['tribe_events_cat', 'categories'],
])

/** The filters among parameters. Several values of one are separated by commas. */
function filtersIn(params: URLSearchParams): SiteFilters {
  const found = new Map<string, string[]>()
  for (const [given, value] of params) {
    const name = BY_PAGE_NAME.get(given.replace(/\[\d{0,3}\]$/, ''))
    if (name !== undefined && value.trim() !== '') found.set(name, [...(found.get(name) ?? []), value.trim()])
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, values.join()]))
}

const isEmpty = (filters: SiteFilters): boolean => Object.keys(filters).length === 0

/** The route of an address: of sites without pretty permalinks, it is a parameter. */
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
      if (!isEmpty(filters)) return filters
    }
    for (const kind of ['venue', 'organizer']) {
      const list = `${routeOf(api.collection(`${kind}s`))}/`
      const id = route.startsWith(list) ? route.slice(list.length) : ''
      if (/^\d{1,15}$/.test(id)) return { [kind]: id }
    }
  }
  return {}
}

/** The segments of a path, decoded. */
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

/** The filters that a path has. @throws Unreadable for a venue or organizer that the API does not tell */
async function filtersOfPath(client: Client, api: SiteApi, { pathname, href }: URL): Promise<SiteFilters> {
  const segments = segmentsOf(pathname)
  const after = (name: string, before?: string): string[] => {
    const at = segments.indexOf(name)
    if (at === -1 || (before !== undefined && segments[at - 1] !== before)) return []
    const rest = segments.slice(at + 1)
    const end = rest.findIndex((segment, i) => i > 0 && OF_DISPLAY.test(segment))
    return end === -1 ? rest : rest.slice(0, end)
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
 * @throws Unreadable for a venue or organizer that the API does not tell
 */
export async function filtersOfAddress(
  client: Client,
  api: SiteApi,
  address: string,
  response: HttpResponse | undefined,
): Promise<SiteFilters> {
  const linked = response ? linkedFilters(api, response, linksIn(response)) : {}
  if (!isEmpty(linked)) return linked
  const url = new URL(address)
  return { ...filtersIn(url.searchParams), ...(await filtersOfPath(client, api, url)) }
}
