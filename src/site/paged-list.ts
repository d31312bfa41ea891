import { mapped, type Query } from '../db/query.ts'
import { reportUnknown } from '../db/references.ts'
import type { EventFilter } from '../events/listing/filters.ts'
import type { EventRow } from '../events/rows.ts'
import type { EventListParams } from '../events/schema.ts'
import { serializeEvent } from '../events/serialize.ts'
import { type Page as ListPage, pageOf, type Rows } from '../http/lists.ts'
import { ApiError, ValidationErrors } from '../lib/errors.ts'
import { filled } from '../lib/words.ts'
import { queryOf } from './addresses.ts'
import { eventGroups, grouped } from './events.ts'
import { noEvents } from './events-page.ts'
import { type Filters, filtersIn, type PageParams } from './filters.ts'
import { type Html, html } from './html.ts'
import { pager, type Step } from './pager.ts'
import { type Listing, listingOf } from './queries.ts'
import type { Site } from './site.ts'

// Lists of events by days, page by page: of all of them, or of those of a term, a venue or an organizer.

/** The part of a list's parameters that says when: from a day on, or before it. Both parts have every event once. */
export const timeOf = (day: string, isPast = false): Partial<EventListParams> =>
  isPast ? { ends_before: `${day} 00:00:01`, strict_dates: true, order: 'desc' } : { happening: `${day}/..` }

/** @throws ApiError for filters that name nothing */
export function assertKnown(unknown: Parameters<typeof reportUnknown>[1]): void {
  const errors = new ValidationErrors()
  reportUnknown(errors, unknown)
  errors.throwIfAny()
}

/** The number of pages. @throws ApiError for a page beyond the last one; an empty first page is fine */
export function pagesOf(page: ListPage, found: number, total: number): number {
  if (page.page > 1 && found === 0)
    throw new ApiError('event-archive-page-not-found', 'There is no such page.')
  return Math.ceil(total / page.perPage)
}

export type ListedPage = Listing<Rows<EventRow>> & { page: ListPage }

/** The page of a list that parameters name. @param filters those that parameters have no words for */
export function selectList(
  site: Site,
  query: PageParams,
  filters: readonly EventFilter[] = [],
): Query<ListedPage> {
  const { context, today } = site
  const page = pageOf(query, context)
  const values = { ...filtersIn(query), ...timeOf(query.date ?? today.slice(0, 10), query.past) }
  return mapped(listingOf(context, { values, page, filters }), listing => ({ ...listing, page }))
}

/** A page of a list as a part of a document, and what documents say of it. */
export type List = {
  body: Html
  total: number
  /** «Page 2»; empty for the first one. */
  number: string
  /** The query of the page's own address. */
  own: Readonly<Record<string, string | number | undefined>>
  previous: string | undefined
  next: string | undefined
}

type Shown = {
  query: PageParams
  /** The path of the list. */
  path: string
  /** The filters beside what the path says. */
  filters?: Filters
  today?: Step
}

/** The events of a page of a list, with the ways to those before and after it. */
export function pagedList(
  site: Site,
  { page, events: { rows, total } }: ListedPage,
  { query, path, filters = {}, today }: Shown,
): List {
  const { words, context } = site
  const { date, past } = query
  const pages = pagesOf(page, rows.length, total)
  const { before, after } = turns(site, { query: { date, past, ...filters }, page: page.page, pages, path })
  const since = past ? undefined : (date ?? site.today.slice(0, 10))
  const events = rows.map(row => serializeEvent(row, context))
  const body =
    events.length > 0
      ? eventGroups(site, grouped(site, events, since))
      : noEvents(site, { path, filters, text: since ? words.nothingHere : words.nothingPast }, [
          ...(path === '/events/' && Object.keys(filters).length === 0 && since === site.today.slice(0, 10)
            ? []
            : [{ address: '/events/', text: words.seeUpcoming }]),
          ...(since ? [{ address: path + queryOf(filters, { past: 1 }), text: words.past }] : []),
        ])
  return {
    body: html`${body}${pager(words.pages, { before, today, after })}`,
    total,
    number: page.page > 1 ? filled(words.pageNumber, { n: page.page }) : '',
    own: { page: page.page, past: past ? 1 : undefined, date },
    previous: (past ? after : before)?.address,
    next: (past ? before : after)?.address,
  }
}

type Turns = { query: PageParams; page: number; pages: number; path: string }

/** The pages before and after one of a list, in the order of time. The past lies before the first page. */
function turns({ words }: Site, { query, page, pages, path }: Turns): { before: Step; after: Step } {
  const { date, past } = query
  const filters = filtersIn(query)
  const at = (n: number, isPast: boolean) =>
    path + queryOf(filters, { date, past: isPast ? 1 : undefined, page: n })
  const earlier = (address: string): Step => ({ address, text: words.earlier })
  const later = (address: string): Step => ({ address, text: words.later })
  if (past)
    return {
      before: page < pages ? earlier(at(page + 1, true)) : undefined,
      after: later(page > 1 ? at(page - 1, true) : at(1, false)),
    }
  return {
    before: earlier(page > 1 ? at(page - 1, false) : at(1, true)),
    after: page < pages ? later(at(page + 1, false)) : undefined,
  }
}
