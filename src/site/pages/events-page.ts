import { queryOf, type Selection, selectionAddress } from '../html/addresses.ts'
import type { PageDocument } from '../html/define-page.ts'
import { feedLinks } from '../html/feeds.ts'
import { filtersIn, isUnfiltered, listFilters, type SitePageParams } from '../html/filters.ts'
import { filterChips } from '../html/finder.ts'
import { emptyState, type Html, html } from '../html/html.ts'
import { type ListedLink, listData } from '../html/json-ld.ts'
import { layout, type SitePage } from '../html/layout.ts'
import type { PageContext } from '../html/page-context.ts'
import { type SimilarSearch, similarNotice } from '../html/similar-search.ts'
import { slot } from '../html/slots.ts'
import { type BarOptions, bar, subscription } from './bar.ts'

/**
 * The differences between pages of events: a list, a month, a day, and the lists of a term, venue or
 * organizer.
 */
export type EventsPage = Omit<SitePage, 'main' | 'feeds' | 'bar'> &
  BarOptions & {
    above?: Html
    heading: Html
    /** The content beside the heading: the number of events, or links to the periods before and after. */
    aside?: Html | ''
    /** The content between the heading and the events. */
    intro?: Html
    /** The typed words and their replacement, if the page was searched for other words. */
    similar?: SimilarSearch | undefined
    body: Html
    /** The events of the page, in the order of their data for search engines. */
    listed?: readonly ListedLink[]
  }

export function eventsPage(site: PageContext, page: EventsPage): PageDocument {
  const { selection, categories, names } = page
  const { above, heading, aside, intro, similar, body, listed = [], jsonLd = [], ...head } = page
  const { filters } = selection
  const main = html`${above}<div class="page-head">${heading}${aside}${subscription(site, page)}</div>
${intro}
${names && filterChips(site, selection, categories, names)}
<div id="events" tabindex="-1">
${similar && similarNotice(site, similar)}
${body}
${slot(site.context, 'belowLists').map(line => line(site, filters))}
</div>`
  return {
    body: String(
      layout(site, {
        section: 'events',
        ...(!isUnfiltered(filters) && { pluginPath: `events/${queryOf(listFilters(filters))}` }),
        ...head,
        jsonLd: [...jsonLd, listData(site, listed)],
        bar: bar(site, page),
        skipTo: 'events',
        feeds: feedLinks(site, filters),
        main,
      }),
    ),
  }
}

/**
 * The note of a page that shows similar words, if it does.
 * @param params the parameters that the visitor sent
 */
export function similarTo(
  site: PageContext,
  params: SitePageParams,
  { typed: typedSearch, selection }: { typed: string | undefined; selection: Selection },
): SimilarSearch | undefined {
  const { search: shownSearch = '' } = selection.filters
  const literal = selectionAddress(site, { ...selection, filters: filtersIn(params), exact: true })
  return typedSearch === undefined
    ? undefined
    : { typed: typedSearch, shown: shownSearch, literalAddress: literal }
}

type EmptyPage = {
  /** The address of the page without its filters; undefined if it has none. */
  unfiltered: string | undefined
  title?: string
  text?: string
}

/** A note for a page without events, with links to find some. */
export function noEvents(
  site: PageContext,
  { unfiltered, title, text = site.words.nothingHere }: EmptyPage,
  furtherLinks: readonly { address: string; text: string }[],
): Html {
  const { words } = site
  return emptyState(site, {
    ...(title && { title }),
    text: unfiltered === undefined ? text : words.nothingHint,
    links: [
      ...(unfiltered === undefined ? [] : [{ address: unfiltered, text: words.clear }]),
      ...furtherLinks,
    ],
  })
}
