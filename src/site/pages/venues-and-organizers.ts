import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { RelatedResource, RelatedRow, RelatedTables } from '../../calendar/content/related/resource.ts'
import type { ImageResponse } from '../../calendar/content/resource.ts'
import {
  isRowReadable,
  keySql,
  overlappingRows,
  publishedSql,
  selectMovedTo,
} from '../../calendar/content/visibility.ts'
import { beginningOfToday, nextSecond } from '../../calendar/events/interval.ts'
import { byTarget } from '../../calendar/events/listing/filters.ts'
import { ORGANIZERS } from '../../calendar/organizers/resource.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import { listings } from '../../kit/db/derived.ts'
import {
  combineQueries,
  countOf,
  literal,
  many,
  mapQuery,
  type Query,
  readNumber,
  resolvedQuery,
  rowLimit,
} from '../../kit/db/query.ts'
import { pageParams, sliceOf } from '../../kit/http/lists.ts'
import { summary } from '../../kit/lib/text.ts'
import { filled, plural } from '../../words/words.ts'
import { queryOf } from '../html/addresses.ts'
import { assertOwnPath, definePage, type MountPage } from '../html/define-page.ts'
import { accessFact, addressLines, contactFacts, fact, mapLinks, venueMap, venueName } from '../html/facts.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { asCalendar, parameterKey, paramsAtOwnPath, sitePage } from '../html/filters.ts'
import {
  backLink,
  emptyState,
  type Html,
  html,
  imageAttributes,
  type PagerLink,
  pager,
  raw,
} from '../html/html.ts'
import { dataOf } from '../html/json-ld.ts'
import { layout } from '../html/layout.ts'
import { mapScripts } from '../html/map.ts'
import { linkTo, type PageContext, requirePublic } from '../html/page-context.ts'
import { initialTile } from '../html/picture.ts'
import { selectPageParts } from '../html/slots.ts'
import { inLine, nameOf, richText } from '../html/text.ts'
import { eventsPage } from './events-page.ts'
import { pageCount, pagedList, readSuggestionsIfEmpty, selectList } from './list.ts'
import { suggestedEvents } from './suggestions.ts'

type VenueOrOrganizer = {
  id: number
  url: string
  description?: string | undefined
  image?: ImageResponse | undefined
  phone?: string | undefined
  website?: string | undefined
  email?: string | undefined
  json_ld?: { '@context': 'https://schema.org'; '@type': string } | undefined
}

type RelatedPages<R extends RelatedRow, B extends VenueOrOrganizer> = {
  resource: RelatedResource<R, B>
  nameOf: (body: B) => string
  /** The line below the name in the list; '' for none. */
  placeOf: (body: B) => string
  /** The facts on the page, in addition to the contact data. */
  factsOf: (site: PageContext, body: B) => Html | ''
  /** The map below the facts; '' for none. */
  mapOf: (site: PageContext, body: B) => Html | ''
  /** A query for what features add to the page. @param ids a SELECT of the id */
  selectParts: (site: PageContext, ids: SQL) => Query<(body: B) => (Html | '')[]>
  description: 'venuesDescription' | 'organizersDescription'
  heading: 'atVenue' | 'byOrganizer'
}

/** The most characters of a description for search engines. */
const MAX_DESCRIPTION_LENGTH = 155

function singleRoute<R extends RelatedRow, B extends VenueOrOrganizer>(pages: RelatedPages<R, B>) {
  const { resource } = pages
  const { singular, plural, table } = resource
  return definePage({
    path: `/${singular}/:slug/`,
    query: sitePage,
    load: (site, { params: { slug = '' }, query }) => {
      const target = sql`(SELECT id FROM ${table} WHERE slug = ${slug.toLowerCase()})`
      return combineQueries({
        rows: resource.select(site.context, keySql(table, { slug })),
        survivor: selectMovedTo(site.context, resource, { slug }),
        listing: selectList(site, paramsAtOwnPath(query), [byTarget(singular, target)]),
        partsOf: pages.selectParts(site, target),
      })
    },
    respond: async (site, { query, url, loaded: { rows, survivor, listing, partsOf } }) => {
      const { context, words } = site
      const [row] = rows
      if (survivor && !(row && isRowReadable(row, context)))
        assertOwnPath(`/${singular}/${encodeURIComponent(survivor.slug)}/`, url)
      const body = resource.serializeSingle(requirePublic(site, singular, row), context)
      const path = linkTo(site, body.url)
      assertOwnPath(path, url)
      const filters = { [singular]: [body.id] }
      assertNotCalendar(site, query, filters)
      const name = pages.nameOf(body)
      const heading = filled(words[pages.heading], { name })
      const list = pagedList(site, listing, { query, filters, path, isAtVenue: singular === 'venue' })
      const suggestions = await readSuggestionsIfEmpty(site, listing, { query, filters })
      const names = new Map([[parameterKey(singular, body.id), name]])
      return eventsPage(site, {
        ...list.frame,
        categories: listing.categories,
        offers: listing.offers,
        subject: name,
        above: html`${backLink(`/${plural}/`, words[plural])}
<div class="resource"><div class="resource-text"><h1>${name}</h1>
<dl class="facts facts-row">${pages.factsOf(site, body)}${contactFacts(site, body)}</dl>
${body.description && html`<div class="rich">${raw(richText(body.description))}</div>`}${partsOf(body)}</div>
${body.image && html`<img class="resource-image" ${imageAttributes(body.image, { sizes: '320px', isCut: true })} width="320" height="240">`}${pages.mapOf(site, body)}</div>`,
        heading: html`<h2 class="section-heading">${query.past ? words.past : heading}</h2>`,
        body: html`<div class="under">${list.body}${suggestions && suggestedEvents(site, suggestions, { ...listing, names })}</div>`,
        title: name,
        description: summary(body.description ?? '', MAX_DESCRIPTION_LENGTH) || heading,
        canonical: path,
        isUnlisted: list.number !== '' || query.past === true || query.date !== undefined,
        section: plural,
        image: body.image,
        jsonLd: [dataOf(body)],
        scripts: mapScripts(site),
        api: `${context.api}/${plural}/${body.id}`,
        pluginPath: `${plural}/${body.id}`,
      })
    },
  })
}

const PER_PAGE = 48

function directoryRoute<R extends RelatedRow, B extends VenueOrOrganizer>(pages: RelatedPages<R, B>) {
  const { resource } = pages
  const { plural, table } = resource
  const path = `/${plural}/`
  return definePage({
    path,
    query: z.object({ page: pageParams.page, ...asCalendar }),
    load: (site, { query }) => {
      // The calendar of all venues, or of all organizers, is the whole calendar.
      assertNotCalendar(site, query, {})
      const page = sliceOf({ page: query.page, per_page: PER_PAGE }, site.context)
      const condition = publishedSql(table, site.context.clock.untrackedTime)
      const tail = sql`ORDER BY ${table.name}, ${table.id} LIMIT ${rowLimit(page.perPage)} OFFSET ${page.offset}`
      return combineQueries({
        rows: resource.selectRows(condition, tail),
        eventCounts: selectEventCounts(
          site,
          resource,
          sql`SELECT ${table.id} AS id FROM ${table} WHERE ${condition} ${tail}`,
        ),
        total: countOf(sql`${table} WHERE ${condition}`),
        page: resolvedQuery(page),
      })
    },
    respond: (site, { loaded: { rows, eventCounts, total, page } }) => {
      const { words, context } = site
      const last = pageCount(page, rows.length, total)
      const pageLink = (n: number): PagerLink =>
        n >= 1 && n <= last
          ? { address: path + queryOf({}, { page: n }), text: filled(words.pageNumber, { n }) }
          : undefined
      const before = pageLink(page.page - 1)
      const after = pageLink(page.page + 1)
      const main = html`<div class="page-head"><h1>${words[plural]}</h1>${total > 0 && html`<p class="count">${site.dates.number(total)}</p>`}</div>
${
  rows.length === 0
    ? emptyState(site, {
        title: words.nothingHere,
        links: [{ address: '/events/', text: words.seeUpcoming }],
      })
    : html`<ul class="directory">${rows.map(row => listEntry(site, pages, resource.serialize(row, context), eventCounts.get(row.id)))}</ul>`
}
${pager(words.pages, { before, after })}`
      const number = page.page > 1 ? ` – ${filled(words.pageNumber, { n: page.page })}` : ''
      return {
        body: String(
          layout(site, {
            title: words[plural] + number,
            description: filled(words[pages.description], { site: context.settings.siteName }),
            canonical: path + queryOf({}, { page: page.page }),
            section: plural,
            api: `${context.api}/${plural}`,
            previous: before?.address,
            next: after?.address,
            main,
          }),
        ),
      }
    },
  })
}

/** A venue or organizer in the list of all: its image or initial, and the number of its events. */
function listEntry<R extends RelatedRow, B extends VenueOrOrganizer>(
  site: PageContext,
  pages: RelatedPages<R, B>,
  body: B,
  n = 0,
): Html {
  const { words, dates, language } = site
  const name = pages.nameOf(body)
  const place = pages.placeOf(body)
  const picture = body.image
    ? html`<img ${imageAttributes(body.image, { sizes: '80px', isCut: true })} loading="lazy" width="80" height="80">`
    : html`<div class="directory-tile">${initialTile({ id: body.id, category: { id: body.id } }, name)}</div>`
  const count = n > MAX_COUNTED ? `${dates.number(MAX_COUNTED)}+` : dates.number(n)
  return html`<li>${picture}<div><h2><a href="${linkTo(site, body.url)}">${name}</a></h2>
${place && html`<p class="event-place">${place}</p>`}<p class="small">${n > 0 ? filled(plural(language, words, 'count', n), { n: count }) : words.nothingComing}</p></div></li>`
}

/** The most events of a venue or organizer that the list of all counts. */
const MAX_COUNTED = 50

/**
 * A query for the numbers of events of venues or organizers that are on or to come, as their own pages list
 * them. Upcoming ones are read up to one more than are counted; those that are on, a few of the whole
 * calendar, are read once for all.
 *
 * @param ids a SELECT of the venues or organizers
 */
function selectEventCounts(
  { context }: PageContext,
  { singular, links }: RelatedTables,
  ids: SQL,
): Query<ReadonlyMap<number, number>> {
  const now = context.clock.untrackedTime
  const next = nextSecond(now)
  // An event without a length has no known end, so it is over once its day is.
  const comingEvents = sql`FROM ${listings} WHERE facet = ${literal(singular)} AND target_id = target.id
    AND utc_start_date >= ${beginningOfToday(context)} AND (utc_start_date > ${now} OR utc_end_date <= utc_start_date)`
  return mapQuery(
    many(
      sql`WITH begun AS MATERIALIZED (SELECT target_id, count(*) AS n, min(running.utc_end_date) AS ending
          FROM ${overlappingRows({ startBefore: next, endFrom: next })} AS running
          CROSS JOIN ${links} ON ${links.event_id} = running.event_id GROUP BY target_id)
        SELECT target.id AS id,
        (SELECT count(*) FROM (SELECT 1 ${comingEvents} LIMIT ${literal(MAX_COUNTED + 1)})) + coalesce(begun.n, 0) AS n,
          (SELECT utc_start_date ${comingEvents} AND utc_start_date > ${now} ORDER BY utc_start_date LIMIT 1) AS beginning, begun.ending
        FROM (${ids}) AS target LEFT JOIN begun ON begun.target_id = target.id`,
      ({ id, n, beginning, ending }) => {
        // The page changes when an event ends, and the end of an event that has begun is known.
        for (const moment of [beginning, ending]) if (moment !== null) context.clock.changesAt(String(moment))
        return [readNumber(id), readNumber(n)] as const
      },
    ),
    rows => new Map(rows),
  )
}

const routesOf = <R extends RelatedRow, B extends VenueOrOrganizer>(
  pages: RelatedPages<R, B>,
): MountPage[] => [singleRoute(pages), directoryRoute(pages)]

export const venueAndOrganizerRoutes = [
  ...routesOf({
    resource: VENUES,
    nameOf: venueName,
    placeOf: venue => {
      const place = inLine([venue.address, venue.city])
      return place === venueName(venue) ? '' : place
    },
    factsOf: (site, venue) => {
      const lines = addressLines(venue)
      const map = mapLinks(site, venue)
      const { wheelchair = '', accessibility = '' } = venue
      const address = html`${lines.map(line => html`<span class="line">${line}</span>`)}${map}`
      return html`${(lines.length > 0 || map) && fact('place', site.words.where, address)}${accessFact(site, { wheelchair, accessibility })}`
    },
    mapOf: venueMap,
    selectParts: (site, ids) => selectPageParts(site, 'venue', ids),
    description: 'venuesDescription',
    heading: 'atVenue',
  }),
  ...routesOf({
    resource: ORGANIZERS,
    nameOf: ({ organizer, slug }) => nameOf(organizer, slug),
    placeOf: () => '',
    factsOf: () => '',
    mapOf: () => '',
    selectParts: (site, ids) => selectPageParts(site, 'organizer', ids),
    description: 'organizersDescription',
    heading: 'byOrganizer',
  }),
]
