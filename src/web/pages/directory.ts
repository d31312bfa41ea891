import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { countOf, literal, mapped, type Query, settled, together } from '../../db/query.ts'
import { organizers, venues } from '../../db/schema.ts'
import { pageOf, pageParams } from '../../http/lists.ts'
import { summary } from '../../lib/text.ts'
import { selectOrganizers, selectVenues } from '../../resources/content/related/resource.ts'
import type { ImageResponse } from '../../resources/content/resource.ts'
import { isPublished } from '../../resources/content/visibility.ts'
import { serializeOrganizer } from '../../resources/organizers/resource.ts'
import { serializeVenue } from '../../resources/venues/resource.ts'
import { filled } from '../../words/words.ts'
import { queryOf } from '../html/addresses.ts'
import { venueName } from '../html/facts.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { asCalendar } from '../html/filters.ts'
import { emptyState, html, imageAttributes, pager, type Step } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { definePage } from '../html/route.ts'
import { linkTo, type Site } from '../html/site.ts'
import { inLine, nameOf } from '../html/text.ts'
import { pagesOf } from './paged-list.ts'

const PER_PAGE = 48
const TEXT = 120

type DirectoryEntry = {
  address: string
  name: string
  place: string
  text: string
  image: ImageResponse | undefined
}

type Directory = {
  plural: 'venues' | 'organizers'
  table: typeof venues | typeof organizers
  description: (site: Site) => string
  /** A query for entries. @param tail ORDER BY and further clauses */
  select: (site: Site, condition: SQL, tail: SQL) => Query<DirectoryEntry[]>
}

/** The page with all venues or organizers, by name. */
function directoryRoute({ plural, table, description, select }: Directory) {
  return definePage({
    path: `/${plural}/`,
    query: z.object({ page: pageParams.page, ...asCalendar }),
    load: (site, { query }) => {
      // The calendar of all venues, or of all organizers, is the whole calendar.
      assertNotCalendar(site, query, {})
      const { context } = site
      const page = pageOf({ page: query.page, per_page: PER_PAGE }, context)
      const condition = isPublished(table, context.now)
      const tail = sql`ORDER BY ${table.name}, ${table.id} LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`
      return together({
        entries: select(site, condition, tail),
        total: countOf(sql`${table} WHERE ${condition}`),
        page: settled(page),
      })
    },
    respond: (site, { loaded: { entries, total, page } }) => {
      const { words } = site
      const pages = pagesOf(page, entries.length, total)
      const path = `/${plural}/`
      const turn = (n: number): Step =>
        n >= 1 && n <= pages
          ? { address: path + queryOf({}, { page: n }), text: filled(words.pageNumber, { n }) }
          : undefined
      const main = html`<div class="page-head"><h1>${words[plural]}</h1></div>
${
  entries.length === 0
    ? emptyState(site, {
        title: words[plural],
        text: words.nothingHere,
        links: [{ address: '/events/', text: words.seeUpcoming }],
      })
    : html`<ul class="directory">${entries.map(
        ({
          address,
          name,
          place,
          text,
          image,
        }) => html`<li>${image && html`<img ${imageAttributes(image, { shown: '64px', isCut: true })} loading="lazy" width="64" height="64">`}<div><h2><a href="${address}">${name}</a></h2>
${place && html`<p class="event-place">${place}</p>`}${text && html`<p class="event-excerpt">${text}</p>`}</div></li>`,
      )}</ul>`
}
${pages > 1 && pager(words.pages, { before: turn(page.page - 1), after: turn(page.page + 1) })}`
      return {
        body: String(
          layout(site, {
            title:
              page.page > 1
                ? `${words[plural]} – ${filled(words.pageNumber, { n: page.page })}`
                : words[plural],
            description: description(site),
            canonical: path + queryOf({}, { page: page.page }),
            section: plural,
            api: `${site.context.api}/${plural}`,
            previous: turn(page.page - 1)?.address,
            next: turn(page.page + 1)?.address,
            main,
          }),
        ),
      }
    },
  })
}

export const directoryRoutes = [
  directoryRoute({
    plural: 'venues',
    table: venues,
    description: ({ words, context }) => filled(words.venuesDescription, { site: context.settings.siteName }),
    select: (site, condition, tail) =>
      mapped(selectVenues(condition, tail), rows =>
        rows.map(row => {
          const venue = serializeVenue(row, site.context)
          const { url, address, city, description = '', image } = venue
          const place = inLine([address, city])
          return {
            address: linkTo(site, url),
            name: venueName(venue),
            place: place === venueName(venue) ? '' : place,
            text: summary(description, TEXT),
            image,
          }
        }),
      ),
  }),
  directoryRoute({
    plural: 'organizers',
    table: organizers,
    description: ({ words, context }) =>
      filled(words.organizersDescription, { site: context.settings.siteName }),
    select: (site, condition, tail) =>
      mapped(selectOrganizers(condition, tail), rows =>
        rows.map(row => {
          const { url, organizer, slug, description = '', image } = serializeOrganizer(row, site.context)
          return {
            address: linkTo(site, url),
            name: nameOf(organizer, slug),
            place: '',
            text: summary(description, TEXT),
            image,
          }
        }),
      ),
  }),
]
