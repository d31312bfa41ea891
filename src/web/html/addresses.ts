import type { DateTime } from '../../lib/time.ts'
import type { Filters } from './filters.ts'
import type { Site } from './site.ts'

/** The ways in which a calendar is shown. */
export type Display = 'list' | 'month' | 'day'

/** The query of an address: the filters that have a value, lists comma-separated, and the page if it is not the first. */
export function queryOf(
  filters: Filters,
  more: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const given = Object.entries<unknown>({ ...filters, ...more }).filter(
    ([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1),
  )
  if (given.length === 0) return ''
  const params = new URLSearchParams(given.map(([name, value]) => [name, [value].flat().join(',')]))
  return `?${params.toString().replaceAll('%2C', ',')}`
}

/** The path of a day's or a month's page. @param date a wall time, or the first part of one */
export const dayPath = (date: DateTime): string => `/events/${date.slice(0, 10)}/`
export const monthPath = (date: DateTime): string => `/events/${date.slice(0, 7)}/`

/** The path of a category, of which `path` holds the slugs from the root down. */
export const categoryPath = (path: string): string =>
  `/events/category/${path.split('/').map(encodeURIComponent).join('/')}/`

/** The address of a way to show the calendar, with the same filters. The list begins today. */
export function displayPath(site: Site, display: Display, filters: Filters, date = site.today): string {
  const day = date.slice(0, 10)
  const isToday = day === site.today.slice(0, 10)
  const path = { list: '/events/', month: monthPath(day), day: isToday ? '/events/today/' : dayPath(day) }[
    display
  ]
  return `${site.base}${path}${queryOf(filters, display === 'list' && !isToday ? { date: day } : {})}`
}

/** Tells if two paths are the same but for the way in which their characters are encoded. */
export const isSamePath = (a: string, b: string): boolean => decoded(a) === decoded(b)

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * The same address without empty parameters and without a first page, as forms send them; undefined if it is clean.
 * Every clean address is its own, so a redirect to it ends there.
 */
export function cleaned(address: URL): string | undefined {
  const given = [...address.searchParams]
  const kept = given.filter(([name, value]) => value.trim() !== '' && !(name === 'page' && value === '1'))
  if (kept.length === given.length) return undefined
  const query = new URLSearchParams(kept).toString().replaceAll('%2C', ',')
  return address.pathname + (query && `?${query}`)
}
