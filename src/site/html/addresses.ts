import { type DateTime, type Day, dayOf } from '../../kit/lib/time.ts'
import type { Filters } from './filters.ts'
import type { PageContext } from './page-context.ts'
import { dateOf, weekOf } from './when.ts'

export type Display = 'list' | 'week' | 'month' | 'map' | 'day'

/** The path of each display for today. */
export const TODAY_PATHS = {
  list: '/events/',
  week: '/events/week/',
  month: '/events/month/',
  map: '/events/map/',
  day: '/events/today/',
} as const satisfies Record<Display, string>

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * The query of an address: filters with a value, comma-separated lists, and the page if it is not the first.
 */
export function queryOf(filters: Filters, furtherValues: QueryValues = {}): string {
  const entries = Object.entries<unknown>({ ...filters, ...furtherValues }).filter(
    ([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1),
  )
  if (entries.length === 0) return ''
  const params = new URLSearchParams(entries.map(([name, value]) => [name, [value].flat().join(',')]))
  return `?${params.toString().replaceAll('%2C', ',')}`
}

/** The path of the page of a day or a month. @param date a wall time, or its beginning */
export const dayPath = (date: DateTime): string => `/events/${dayOf(date)}/`
export const monthPath = (date: DateTime): string => `/events/${date.slice(0, 7)}/`

/** The path of the page of a day's week: `/events/2027-W06/`. */
export function weekPath(date: DateTime): string {
  const { year, week } = weekOf(date)
  return `/events/${year}-W${String(week).padStart(2, '0')}/`
}

/** The path of a category. @param path the slugs from the root down */
export const categoryPath = (path: string): string =>
  `/events/category/${path.split('/').map(encodeURIComponent).join('/')}/`

/**
 * The events that a page shows. Links and forms that change one part of a selection keep the others, as far
 * as the display has them: only lists and maps have a last day, only days an evening.
 */
export type Selection = {
  display: Display
  filters: Filters
  /** The first day of a list, or a day of the week or month; today by default. */
  date?: Day | undefined
  /** The last day of a list with a first one. */
  until?: Day | undefined
  /** True for the events of a list that are over. */
  past?: boolean | undefined
  /** True for what begins in the evening of a day. */
  evening?: boolean | undefined
  /** True if the search allows no words but the typed ones. */
  exact?: boolean | undefined
}

/** The path of a selection, and its parameters in addition to its filters. */
export function pathAndQuery(
  { today }: PageContext,
  { display, filters, date, until, past, evening, exact }: Selection,
) {
  const day = date ?? dayOf(today)
  const isToday = day === dayOf(today)
  const path = {
    list: TODAY_PATHS.list,
    map: TODAY_PATHS.map,
    week: weekPath(day),
    month: monthPath(day),
    day: isToday ? TODAY_PATHS.day : dayPath(day),
  }[display]
  const isList = display === 'list' || display === 'map'
  const isDay = display === 'day'
  const last = isList && !past && date !== undefined ? until : undefined
  const dayValues: Readonly<Record<string, string | number | undefined>> = {
    date: isList && (!isToday || last !== undefined) ? day : undefined,
    until: last,
    past: isList && past ? 1 : undefined,
    evening: isDay && evening ? 1 : undefined,
    exact: exact && filters.search !== undefined ? 1 : undefined,
  }
  return { path, furtherValues: dayValues }
}

/** The query of links to other days, which keeps the filters of a selection. */
export const keptQuery = (site: PageContext, { filters, exact }: Selection): string =>
  queryOf(filters, pathAndQuery(site, { display: 'day', filters, exact }).furtherValues)

/** The address of the page of a selection. The list begins today by default. */
export function selectionAddress(site: PageContext, selection: Selection): string {
  const { path, furtherValues } = pathAndQuery(site, selection)
  return `${site.base}${path}${queryOf(selection.filters, furtherValues)}`
}

/** True if two paths differ only in the encoding of characters. */
export const isSamePath = (a: string, b: string): boolean => decodePath(a) === decodePath(b)

function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * The same address without the empty parameters and `page=1` that forms send; undefined if there are none.
 * The result never needs cleaning again, so a redirect to it ends there.
 */
export function cleanedAddress(address: URL): string | undefined {
  const params = [...address.searchParams]
  const keptParams = params.filter(
    ([name, value]) => value.trim() !== '' && !(name === 'page' && value === '1'),
  )
  if (keptParams.length === params.length) return undefined
  const query = new URLSearchParams(keptParams).toString().replaceAll('%2C', ',')
  return address.pathname + (query && `?${query}`)
}

const onlyIf = (expected: string) => (value: string) => (value === expected ? '1' : undefined)

/**
 * The parameters of pages of The Events Calendar, and of WordPress, what they are called here, and how their
 * values become ours; those without an equivalent stay as they are.
 */
const FORMER_PARAMETERS: readonly [former: string, name: string, (value: string) => string | undefined][] = [
  ['eventDisplay', 'past', onlyIf('past')],
  ['tribe-bar-search', 'search', value => value],
  ['s', 'search', value => value],
  // The page of a month sends a month.
  ['tribe-bar-date', 'date', value => [value, `${value}-01`].find(day => dateOf(day) !== undefined)],
  ['tribe_events_cat', 'categories', value => value],
  ['outlook-ical', 'ical', onlyIf('1')],
]

/**
 * The same address with our parameters in place of former ones, which are ignored beside ours; undefined if
 * there are none. The result has none, so a redirect to it doesn't come back.
 *
 * @param isKnown true for the name of a parameter of the page
 */
export function currentAddress(address: URL, isKnown: (name: string) => boolean): string | undefined {
  const params = new URLSearchParams(address.search)
  let isFormer = false
  for (const [former, name, toValue] of FORMER_PARAMETERS) {
    const value = isKnown(name) ? toValue(params.get(former)?.trim() ?? '') : undefined
    if (!value) continue
    isFormer = true
    params.delete(former)
    if (!params.has(name)) params.set(name, value)
  }
  return isFormer ? `${address.pathname}?${params.toString().replaceAll('%2C', ',')}` : undefined
}
