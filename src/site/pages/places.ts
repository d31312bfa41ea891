import { sql } from 'drizzle-orm'
import type { ImageResponse } from '../../content/response.ts'
import { hasKey, readable } from '../../content/single.ts'
import { mapped, together } from '../../db/query.ts'
import { byTarget } from '../../events/listing/filters.ts'
import { serializeEvent } from '../../events/serialize.ts'
import { pageOf } from '../../http/lists.ts'
import { ApiError } from '../../lib/errors.ts'
import { filled } from '../../lib/words.ts'
import { ORGANIZERS } from '../../organizers/kind.ts'
import { VENUES } from '../../venues/kind.ts'
import { displayPath } from '../addresses.ts'
import { mapAddress } from '../calendar-links.ts'
import { addressLines, contactFacts, fact, venueName } from '../facts.ts'
import { assertNotCalendar, feedsOf } from '../feeds.ts'
import { pageList } from '../filters.ts'
import { type Html, html, raw } from '../html.ts'
import { icon } from '../icons.ts'
import { sources } from '../images.ts'
import { dataOf } from '../json-ld.ts'
import { layout } from '../layout.ts'
import { pager } from '../pager.ts'
import { listingOf } from '../queries.ts'
import { assertOwnPath, definePage } from '../route.ts'
import { linkTo, type Site } from '../site.ts'
import { nameOf, richText, summary } from '../text.ts'
import { listBody, pagesOf, timeOf, turns } from './list.ts'

type Resource = {
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

/** The page of a venue or organizer, with what is on there. */
function resourceRoute<B extends Resource>({
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
      const { context } = site
      const page = pageOf(query, context)
      const target = sql`(SELECT id FROM ${table} WHERE slug = ${slug.toLowerCase()})`
      const filters = [byTarget(singular, target)]
      const values = timeOf(query.date ?? site.today.slice(0, 10), query.past)
      return mapped(
        together({
          rows: kind.select(context, hasKey(table, { slug })),
          listing: listingOf(context, { values, page, filters }),
        }),
        ({ rows, listing }) => ({ row: rows[0], events: listing.events, page }),
      )
    },
    respond: (site, { query, url, loaded }) => {
      const { context, words } = site
      const { page, events } = loaded
      // Each kind serializes its own rows.
      const body = serialized(site, kind, loaded.row) as unknown as B
      const path = linkTo(site, body.url)
      assertOwnPath(path, url)
      const filters = { [singular]: [body.id] }
      assertNotCalendar(site, query, filters)
      const pages = pagesOf(page, events.rows.length, events.total)
      const name = nameOf(body)
      const isPast = query.past ?? false
      const shown = events.rows.map(row => serializeEvent(row, context))
      const since = isPast ? undefined : (query.date ?? site.today.slice(0, 10))
      const main = html`<p class="back"><a href="/${plural}/">${icon('previous')}<span>${words[plural]}</span></a></p>
<div class="resource"><div class="resource-text"><h1>${name}</h1>
<dl class="facts facts-row">${factsOf(site, body)}${contactFacts(site, body)}</dl>
${body.description && html`<div class="rich">${raw(richText(body.description))}</div>`}</div>
${body.image && html`<img class="resource-picture" ${sources(body.image, { shown: '320px', isCut: true })} alt="" width="320" height="240">`}</div>
<div class="page-head"><h2 class="section-heading">${isPast ? words.past : headingOf(site, name)}</h2>
<p><a href="${displayPath(site, 'month', filters)}">${words.month}</a></p></div>
<div class="under">${listBody(site, shown, { filters: {}, path, since })}</div>
${pager(words.pages, turns(site, { query: { page: query.page, date: query.date, past: query.past }, page: page.page, pages, path }))}`
      return {
        body: String(
          layout(site, {
            title: name,
            description: summary(body.description ?? '', DESCRIPTION) || headingOf(site, name),
            canonical: path,
            isUnlisted: page.page > 1 || isPast || query.date !== undefined,
            section: plural,
            image: body.image,
            jsonLd: dataOf(body),
            feeds: feedsOf(site, filters),
            api: `${context.api}/${plural}/${body.id}`,
            main,
          }),
        ),
      }
    },
  })
}

/** @throws ApiError of 404 for what is not there or not public */
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
    const found = readable(context, { kind, row })
    // The row was selected by this kind.
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
  factsOf: ({ words }, body) => {
    const lines = addressLines(body)
    const map = mapAddress(body)
    if (lines.length === 0 && !map) return ''
    return fact(
      'place',
      words.where,
      html`${lines.map(line => html`<span class="line">${line}</span>`)}${map && html`<a class="line small" href="${map}" rel="noopener">${words.map}</a>`}`,
    )
  },
})

const organizer = resourceRoute<Organizer>({
  kind: ORGANIZERS,
  nameOf: ({ organizer, slug }) => nameOf(organizer, slug),
  headingOf: ({ words }, name) => filled(words.byOrganizer, { name }),
  factsOf: () => '',
})

export const resourceRoutes = [venue, organizer]
