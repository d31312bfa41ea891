import { sql } from 'drizzle-orm'
import { mapped, together } from '../../db/query.ts'
import { ApiError } from '../../lib/errors.ts'
import { summary } from '../../lib/text.ts'
import type { ImageResponse } from '../../resources/content/resource.ts'
import { hasKey, readable, selectMovedTo } from '../../resources/content/single.ts'
import { isRowReadable } from '../../resources/content/visibility.ts'
import { byTarget } from '../../resources/events/listing/filters.ts'
import { ORGANIZERS } from '../../resources/organizers/resource.ts'
import { VENUES } from '../../resources/venues/resource.ts'
import { filled } from '../../words/words.ts'
import { accessFact, addressLines, contactFacts, fact, mapLinks, venueName } from '../html/facts.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { atOwnPath, pageList } from '../html/filters.ts'
import { backLink, type Html, html, imageAttributes, raw } from '../html/html.ts'
import { dataOf } from '../html/json-ld.ts'
import { assertOwnPath, definePage } from '../html/route.ts'
import { linkTo, type Site } from '../html/site.ts'
import { nameOf, richText } from '../html/text.ts'
import { eventsPage } from './events-page.ts'
import { pagedList, selectList } from './paged-list.ts'

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

const DESCRIPTION = 155

/** The page of a venue or organizer with its events. */
function resourceRoute<B extends VenueOrOrganizer>({
  kind,
  nameOf,
  headingOf,
  factsOf,
}: {
  kind: typeof VENUES | typeof ORGANIZERS
  nameOf: (body: B) => string
  headingOf: (site: Site, name: string) => string
  factsOf: (site: Site, body: B) => Html | ''
}) {
  const { singular, plural, table } = kind
  return definePage({
    path: `/${singular}/:slug/`,
    query: pageList,
    load: (site, { params: { slug = '' }, query }) => {
      const target = sql`(SELECT id FROM ${table} WHERE slug = ${slug.toLowerCase()})`
      return mapped(
        together({
          rows: kind.select(site.context, hasKey(table, { slug })),
          survivor: selectMovedTo(site.context, kind, { slug }),
          listing: selectList(site, atOwnPath(query), [byTarget(singular, target)]),
        }),
        ({ rows, survivor, listing }) => ({ row: rows[0], survivor, listing }),
      )
    },
    respond: (site, { query, url, loaded }) => {
      const { context, words } = site
      const { row, survivor } = loaded
      if (survivor && !(row && isRowReadable(row, context)))
        assertOwnPath(`/${singular}/${encodeURIComponent(survivor.slug)}/`, url)
      // Rows are serialized by their own resource.
      const body = serialized(site, kind, row) as unknown as B
      const path = linkTo(site, body.url)
      assertOwnPath(path, url)
      const filters = { [singular]: [body.id] }
      assertNotCalendar(site, query, filters)
      const name = nameOf(body)
      const list = pagedList(site, loaded.listing, { query, path })
      return eventsPage(site, {
        ...list.page,
        path,
        filters,
        categories: loaded.listing.categories,
        subject: name,
        above: html`${backLink(`/${plural}/`, words[plural])}
<div class="resource"><div class="resource-text"><h1>${name}</h1>
<dl class="facts facts-row">${factsOf(site, body)}${contactFacts(site, body)}</dl>
${body.description && html`<div class="rich">${raw(richText(body.description))}</div>`}</div>
${body.image && html`<img class="resource-image" ${imageAttributes(body.image, { shown: '320px', isCut: true })} width="320" height="240">`}</div>`,
        heading: html`<h2 class="section-heading">${query.past ? words.past : headingOf(site, name)}</h2>`,
        body: html`<div class="under">${list.body}</div>`,
        title: name,
        description: summary(body.description ?? '', DESCRIPTION) || headingOf(site, name),
        canonical: path,
        isUnlisted: list.number !== '' || query.past === true || query.date !== undefined,
        section: plural,
        image: body.image,
        jsonLd: dataOf(body),
        api: `${context.api}/${plural}/${body.id}`,
      })
    },
  })
}

/** The response for a row. @throws ApiError of 404 if it does not exist or is not public */
function serialized(
  site: Site,
  kind: typeof VENUES | typeof ORGANIZERS,
  row:
    | Parameters<typeof VENUES.serializeSingle>[0]
    | Parameters<typeof ORGANIZERS.serializeSingle>[0]
    | undefined,
) {
  const { context } = site
  try {
    const found = readable(context, { resource: kind, row })
    // The row was selected by the same resource.
    return (kind.serializeSingle as (row: unknown, context: Site['context']) => object)(found, context)
  } catch (error) {
    if (error instanceof ApiError)
      throw new ApiError(`rest-${kind.singular}-not-found`, 'There is no such page.')
    throw error
  }
}

type Venue = ReturnType<typeof VENUES.serializeSingle>
type Organizer = ReturnType<typeof ORGANIZERS.serializeSingle>

const venue = resourceRoute<Venue>({
  kind: VENUES,
  nameOf: venueName,
  headingOf: ({ words }, name) => filled(words.atVenue, { name }),
  factsOf: (site, body) => {
    const lines = addressLines(body)
    const map = mapLinks(site, body)
    const { wheelchair = '', accessibility = '' } = body
    const access = accessFact(site, { wheelchair, accessibility })
    if (lines.length === 0 && !map) return access
    const address = html`${lines.map(line => html`<span class="line">${line}</span>`)}${map}`
    return html`${fact('place', site.words.where, address)}${access}`
  },
})

const organizer = resourceRoute<Organizer>({
  kind: ORGANIZERS,
  nameOf: ({ organizer, slug }) => nameOf(organizer, slug),
  headingOf: ({ words }, name) => filled(words.byOrganizer, { name }),
  factsOf: () => '',
})

export const venueAndOrganizerRoutes = [venue, organizer]
