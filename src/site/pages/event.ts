import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { eventPath } from '../../calendar/events/listed-events.ts'
import { PREVIEW_TOKEN, previewPath, previewQueries } from '../../calendar/events/preview-links.ts'
import { EVENTS, eventLink } from '../../calendar/events/resource.ts'
import type { EventRow } from '../../calendar/events/rows.ts'
import type { EventResponse } from '../../calendar/events/schema.ts'
import { termReadableSql } from '../../calendar/terms/queries.ts'
import { combineQueries, first, inList, many, readNumber, resolvedQuery } from '../../kit/db/query.ts'
import { events, eventTerms, terms } from '../../kit/db/tables.ts'
import { withSettings } from '../../kit/http/stored-settings.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { knownRole, mayEdit } from '../../kit/lib/roles.ts'
import { slugify, trashedSlug } from '../../kit/lib/slug.ts'
import { statusAt } from '../../kit/lib/statuses.ts'
import { summary } from '../../kit/lib/text.ts'
import { siteTimes } from '../../kit/lib/time.ts'
import { statusWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import {
  assertOwnPath,
  definePage,
  type MountPage,
  pageHeaders,
  pageMiddleware,
  redirect,
} from '../html/define-page.ts'
import { dateList, eventArticle } from '../html/event-article.ts'
import { isOver, venuesOf } from '../html/events.ts'
import { assertNotCalendar, assertNotEventCalendar, feedLinks } from '../html/feeds.ts'
import { asCalendar } from '../html/filters.ts'
import { backLink, html } from '../html/html.ts'
import { eventData } from '../html/json-ld.ts'
import { layout } from '../html/layout.ts'
import { mapScripts } from '../html/map.ts'
import { linkTo, type PageContext, pageContextOf, requirePublic } from '../html/page-context.ts'
import { type EventSummary, selectSeriesOccurrences } from '../html/queries.ts'
import { type RelatedEvents, selectRelatedEvents } from '../html/related-events.ts'
import { selectPageParts } from '../html/slots.ts'
import { inLine, nameOf } from '../html/text.ts'
import { describeWhen } from '../html/when.ts'

const eventQuery = z.object(asCalendar)

/**
 * Slugs of the event that the slug of an address stands for, best first. It may have been imported without
 * its emoji, or be in the trash.
 */
const slugsFor = (slug: string): string[] => [slug, slugify(slug), trashedSlug(slug)].filter(Boolean)

/**
 * A SELECT of the events of a slug, including one in the trash, and of the event that is shown instead of
 * such an event.
 */
const eventIdsBySlug = (
  slug: string,
): SQL => sql`SELECT ${events.id} FROM ${events} WHERE ${events.slug} IN ${inList(slugsFor(slug))}
  UNION ALL SELECT ${events.duplicate_of} FROM ${events}
  WHERE ${events.slug} = ${slug} AND ${events.duplicate_of} IS NOT NULL`

/**
 * The event of an address, as the API shows it to anonymous callers.
 *
 * @throws ApiError `event-is-in-trash` for a removed event, and one of 404 for an event that does not exist
 *   or is not public; `redirect` to the event that is shown instead
 */
function requireShownEvent(
  site: PageContext,
  rows: readonly EventRow[],
  slug: string,
  url: URL,
): EventResponse {
  const [row = rows[0]] = slugsFor(slug).flatMap(each => rows.filter(candidate => candidate.slug === each))
  const shownRow = rows.find(({ id }) => id === row?.duplicate_of)
  if ((shownRow ?? row)?.status === 'trash')
    throw new ApiError('event-is-in-trash', 'This event was removed.')
  const event = EVENTS.serializeSingle(requirePublic(site, 'event', row), site.context)
  if (!shownRow) return event
  const address = linkTo(site, eventLink(shownRow, site.context)) + url.search
  throw redirect(address, 301, apiAddress(site, shownRow))
}

/** The address of an event in the API. */
const apiAddress = ({ context }: PageContext, { id }: { id: number }): string => `${context.api}/events/${id}`

const MAX_DESCRIPTION_LENGTH = 155

function eventPage(
  site: PageContext,
  event: EventResponse,
  relatedEvents: RelatedEvents,
  additions: Parameters<typeof eventArticle>[4],
): string {
  const { context } = site
  const action = additions?.actions?.find(each => each !== '') || undefined
  const path = linkTo(site, event.url)
  const shownWhen = describeWhen(site, event)
  const time = `${shownWhen.day} ${shownWhen.time}${shownWhen.zone ? ` (${shownWhen.zone})` : ''}`
  const [venue] = venuesOf(event)
  const place = inLine([venue?.venue, venue?.city])
  const name = nameOf(event.title, event.slug)
  const text = summary(event.excerpt || event.description, MAX_DESCRIPTION_LENGTH)
  return String(
    layout(site, {
      // The dates of a series share a title, but search engines want different ones.
      title: event.series
        ? `${name}, ${site.dates.format('date', siteTimes(event, context.settings.timezone).start)}`
        : name,
      description: [statusWord(site, event.event_status), time, place, text].filter(Boolean).join(' · '),
      canonical: path,
      isUnlisted: event.hide_from_listings,
      section: 'events',
      kind: 'article',
      image: event.image || undefined,
      jsonLd: [eventData(site, event, relatedEvents, action?.isOpen)],
      feeds: feedLinks(site, {}),
      api: apiAddress(site, event),
      pluginPath: `events/${event.id}`,
      scripts: mapScripts(site),
      main: eventArticle(site, event, otherDatesOf(event, relatedEvents.coming), relatedEvents, additions),
    }),
  )
}

/** The most other dates on the page of an event. */
const MAX_OTHER_DATES = 6

const otherDatesOf = (event: EventResponse, dates: readonly EventSummary[]): EventSummary[] =>
  dates.filter(({ id }) => id !== event.id).slice(0, MAX_OTHER_DATES)

/** The slugs that an address may stand for: of an event, and of a series; '' for none. */
type Slugs = Parameters<typeof selectRelatedEvents>[1]

/** Declares the page of an event. @param slugsOf the slugs for the parameters of the path */
const eventRoute = (path: string, slugsOf: (params: Readonly<Record<string, string>>) => Slugs) =>
  definePage({
    path,
    query: eventQuery,
    load: (site, { params }) => {
      const slugs = slugsOf(params)
      const ids = eventIdsBySlug(slugs.event.toLowerCase())
      return combineQueries({
        rows: EVENTS.select(site.context, sql`${events.id} IN (${ids})`),
        relatedEvents: selectRelatedEvents(site, slugs),
        partsOf: selectPageParts(site, 'event', ids),
        actionsOf: selectPageParts(site, 'eventAction', ids),
        slugs: resolvedQuery(slugs),
      })
    },
    respond: (site, { query, url, loaded: { rows, relatedEvents, partsOf, actionsOf, slugs } }) => {
      const next = relatedEvents.coming[0] ?? relatedEvents.last
      // The address of a series leads to its next date, even if an event with the same slug exists that is
      // not public.
      if (
        slugs.series &&
        next &&
        rows.every(row => statusAt(row, site.context.clock.untrackedTime) !== 'publish')
      )
        throw redirect(eventPath(site, next) + url.search, 302, apiAddress(site, next))
      const event = requireShownEvent(site, rows, slugs.event.toLowerCase(), url)
      const subject = apiAddress(site, event)
      assertOwnPath(linkTo(site, event.url), url, subject)
      assertNotEventCalendar(site, query, { ...event, hasParts: relatedEvents.programme.length > 0 })
      const additions = { parts: partsOf(event), actions: actionsOf(event) }
      return { body: eventPage(site, event, relatedEvents, additions), subject }
    },
  })

/** The most dates on the page of all dates. */
const MAX_DATES = 1_000

const datesRoute = definePage({
  path: '/event/:base/all/',
  query: eventQuery,
  load: (site, { params: { base = '' } }) => selectSeriesOccurrences(site, base, MAX_DATES),
  respond: (site, { params: { base = '' }, query, loaded: rows }) => {
    const latestFirst = rows.toReversed()
    const past = latestFirst.filter(row => isOver(site, row))
    const comingRows = rows.filter(row => !isOver(site, row))
    const next = comingRows[0] ?? past[0]
    if (!next) throw new ApiError('rest-event-not-found', 'There is no such series.')
    assertNotCalendar(site, query, {
      series: [...new Set(latestFirst.map(({ series_id }) => series_id ?? 0))],
    })
    const { words } = site
    const path = `/event/${encodeURIComponent(base.toLowerCase())}/`
    const name = nameOf(next.title, base)
    const title = `${name}${words.colon}${words.allDates}`
    const description = filled(words.datesDescription, { name })
    const main = html`${backLink(path, name)}
<h1>${title}</h1>
${comingRows.length > 0 && html`<section><h2>${words.upcoming}</h2>${dateList(site, comingRows)}</section>`}
${past.length > 0 && html`<section><h2>${words.past}</h2>${dateList(site, past)}</section>`}`
    return {
      body: String(layout(site, { title, description, canonical: `${path}all/`, section: 'events', main })),
    }
  },
})

/** The headers that keep the address of a preview out of caches, search engines and other sites. */
const SECRET_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
}

/**
 * The page of an event that is not public yet, for people who were given its address. Venues, organizers and
 * terms are shown only if they are public.
 */
const previewRoute: MountPage = app =>
  void app.on('GET', [previewPath(`:token{${PREVIEW_TOKEN}}`).slice(0, -1)], ...pageMiddleware, c =>
    withSettings(c, async () => {
      const site = pageContextOf(c.get('context'))
      const { context, words } = site
      for (const [name, value] of Object.entries({ ...pageHeaders(site), ...SECRET_HEADERS }))
        c.header(name, value)
      const { id, maker } = await previewQueries(context, c.req.param('token') ?? '')
      const { row, by, publicTerms } = await context.db.read(
        combineQueries({
          // Venues and organizers are those that anybody may see.
          row: first(EVENTS.select(context, sql`${events.id} IN (${id})`)),
          by: maker,
          publicTerms: many(
            sql`SELECT id FROM ${terms}
              WHERE id IN (SELECT target_id FROM ${eventTerms} WHERE event_id IN (${id})) AND ${termReadableSql(context)}`,
            ({ id }) => readNumber(id),
          ),
        }),
      )
      const noPreviewError = new ApiError('rest_no_route', 'There is no such preview.')
      if (!row || row.status === 'trash') throw noPreviewError
      const publicTermRows = row.terms.filter(({ id }) => publicTerms.includes(id))
      const event = EVENTS.serialize({ ...row, terms: publicTermRows }, context)
      // Once the event is public, the link redirects to its page, even if its maker has lost the right.
      if (event.status === 'publish') throw redirect(linkTo(site, event.url), 302)
      if (!by || !mayEdit({ ...by, role: knownRole(by.role) }, row)) throw noPreviewError
      const main = html`<p class="notice" role="note">${words.previewNote}</p>
${eventArticle(site, event, [])}`
      return c.html(String(layout(site, { title: nameOf(event.title, event.slug), isUnlisted: true, main })))
    }),
  )

/** The pages of events. The path of all dates comes before the path of one. */
export const eventPageRoutes = [
  datesRoute,
  eventRoute('/event/:base/:date/', ({ base = '', date = '' }) => ({ event: `${base}-${date}`, series: '' })),
  eventRoute('/event/:slug/', ({ slug = '' }) => ({ event: slug, series: slug })),
  previewRoute,
]
