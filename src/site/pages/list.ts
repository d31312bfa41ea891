import { mapped, together } from '../../db/query.ts'
import { reportUnknown } from '../../db/references.ts'
import type { EventListParams } from '../../events/schema.ts'
import { serializeEvent } from '../../events/serialize.ts'
import { type Page as ListPage, pageOf } from '../../http/lists.ts'
import { ApiError, ValidationErrors } from '../../lib/errors.ts'
import { filled } from '../../lib/words.ts'
import { categoryPath, displayPath, queryOf } from '../addresses.ts'
import { eventGroups, grouped, type ShownEvent } from '../events.ts'
import { assertNotCalendar, feedsOf } from '../feeds.ts'
import { type Filters, filtersIn, isUnfiltered, type PageParams, pageList } from '../filters.ts'
import { chips, displays, finder } from '../finder.ts'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import { namesOf } from '../names.ts'
import { emptyState, pager, type Step } from '../pager.ts'
import { listingOf } from '../queries.ts'
import { definePage } from '../route.ts'
import type { Site } from '../site.ts'

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

type Turns = { query: PageParams; page: number; pages: number; path: string }

/** The pages before and after one of a list, in the order of time. The past lies before the first page. */
export function turns({ words }: Site, { query, page, pages, path }: Turns): { before: Step; after: Step } {
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

/** The days of a list, or a note that there are none. */
export function listBody(
  site: Site,
  events: readonly ShownEvent[],
  { filters, path, since }: { filters: Filters; path: string; since: string | undefined },
): Html {
  const { words } = site
  if (events.length > 0) return eventGroups(site, grouped(site, events, since))
  const isPlain = isUnfiltered(filters)
  const nothing = since === undefined ? words.nothingPast : words.nothingHere
  return emptyState(site, {
    text: isPlain ? nothing : words.nothingHint,
    links: [
      ...(isPlain ? [] : [{ address: path, text: words.clear }]),
      ...(path === '/events/' && isPlain && since === site.today.slice(0, 10)
        ? []
        : [{ address: '/events/', text: words.seeUpcoming }]),
      ...(since === undefined ? [] : [{ address: path + queryOf(filters, { past: 1 }), text: words.past }]),
    ],
  })
}

function listRoute(path: string) {
  return definePage({
    path,
    query: pageList,
    load: (site, { query }) => {
      const { context } = site
      const filters = filtersIn(query)
      assertNotCalendar(site, query, filters)
      const page = pageOf(query, context)
      const day = query.date ?? site.today.slice(0, 10)
      const values = { ...filters, ...timeOf(day, query.past) }
      return mapped(
        together({ listing: listingOf(context, { values, page }), names: namesOf(context, filters) }),
        ({ listing, names }) => ({ ...listing, names, page, filters }),
      )
    },
    respond: (site, { query, loaded }) => {
      assertKnown(loaded.unknown)
      const { words, context } = site
      const { page, filters, categories, names } = loaded
      const { rows, total } = loaded.events
      const pages = pagesOf(page, rows.length, total)
      const events = rows.map(row => serializeEvent(row, context))
      const { date, past } = query
      const since = past ? undefined : (date ?? site.today.slice(0, 10))
      const steps = turns(site, { query, page: page.page, pages, path: '/events/' })
      const heading = past ? words.past : date ? words.events : words.upcoming
      const number = page.page > 1 ? filled(words.pageNumber, { n: page.page }) : ''
      const count = filled(site.dates.plural(total) === 'one' ? words.countOne : words.countOther, {
        n: total,
      })
      const main = html`<div class="page-head"><h1>${heading}</h1>${displays(site, { display: 'list', filters, date })}</div>
${finder(site, { display: 'list', filters, categories, date })}
${chips(site, '/events/', filters, categories, names)}
<p class="count" role="status">${total > 0 && count}${number && ` · ${number}`}</p>
${listBody(site, events, { filters, path: '/events/', since })}
${pager(words.pages, { ...steps, today: { address: displayPath(site, 'list', filters), text: words.today } })}`
      return {
        body: String(
          layout(site, {
            title: [heading, number].filter(Boolean).join(' – '),
            description: filled(words.listDescription, { site: context.settings.siteName }),
            canonical: canonicalOf(filters, categories, query),
            isUnlisted: isFiltered(filters) || date !== undefined,
            section: 'events',
            feeds: feedsOf(site, filters),
            api: `${context.api}/events`,
            previous: (past ? steps.after : steps.before)?.address,
            next: (past ? steps.before : steps.after)?.address,
            main,
          }),
        ),
      }
    },
  })
}

/** True for filters that have no page of their own. */
const isFiltered = ({ categories, ...others }: Filters): boolean =>
  !isUnfiltered(others) || (categories?.length ?? 0) > 1

/** The address under which a list is known: a single category has its own. */
function canonicalOf(
  filters: Filters,
  categories: readonly { slug: string; path: string }[],
  { page, past, date }: PageParams,
): string {
  const [slug, ...more] = filters.categories ?? []
  const only =
    more.length === 0 && !isFiltered(filters) && categories.find(term => term.slug === slug?.toLowerCase())
  const query = { page, past: past ? 1 : undefined, date }
  if (!only) return `/events/${queryOf(filters, query)}`
  return categoryPath(only.path) + queryOf({}, query)
}

export const listRoutes = [listRoute('/events/'), listRoute('/events/list/')]
