import { inArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import { readable } from '../../content/single.ts'
import { type Query, together } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { EVENTS } from '../../events/kind.ts'
import type { EventRow } from '../../events/rows.ts'
import { ApiError } from '../../lib/errors.ts'
import { trashedSlug } from '../../lib/slug.ts'
import { statusAt } from '../../lib/statuses.ts'
import { eventArticle } from '../event-article.ts'
import { type ShownEvent, statusWord } from '../events.ts'
import { assertNotEventCalendar, feedsOf } from '../feeds.ts'
import { asCalendar, type PageParams } from '../filters.ts'
import { eventData } from '../json-ld.ts'
import { layout } from '../layout.ts'
import type { LeanEvent } from '../lean-events.ts'
import { occurrencesOf, pathOf } from '../occurrences.ts'
import { assertOwnPath, definePage, redirect, type Sent } from '../route.ts'
import { linkTo, type Site } from '../site.ts'
import { nameOf, summary } from '../text.ts'
import { whenOf } from '../when.ts'

const eventQuery = z.object(asCalendar)

/** The events of a slug, one of which may be in the trash. */
const bySlug = (site: Site, slug: string): Query<EventRow[]> =>
  EVENTS.select(site.context, inArray(events.slug, [slug, trashedSlug(slug)]))

/**
 * The event of an address, as the API shows it to anyone.
 *
 * @throws ApiError `event-is-in-trash` for what was removed, and one of 404 for what is not there or not public
 */
function assertShown(site: Site, rows: readonly EventRow[], slug: string): ShownEvent {
  const row = rows.find(each => each.slug === slug) ?? rows[0]
  if (row?.status === 'trash') throw new ApiError('event-is-in-trash', 'This event was removed.')
  try {
    return EVENTS.serializeSingle(readable(site.context, { kind: EVENTS, row }), site.context)
  } catch (error) {
    // Pages don't tell that there is something that isn't public.
    if (error instanceof ApiError) throw new ApiError('rest-event-not-found', 'There is no such event.')
    throw error
  }
}

const DESCRIPTION = 155

function eventPage(site: Site, event: ShownEvent, others: readonly LeanEvent[]): string {
  const { context } = site
  const path = linkTo(site, event.url)
  const when = whenOf(site, event)
  const time = `${when.day} ${when.time}${when.zone ? ` (${when.zone})` : ''}`
  const name = nameOf(event.title, event.slug)
  const text = summary(event.excerpt || event.description, DESCRIPTION)
  return String(
    layout(site, {
      // The dates of a series have one name, and search engines want a title of its own for each page.
      title: event.series ? `${name}, ${site.dates.format('date', event.start_date)}` : name,
      description: [statusWord(site, event.event_status), time, text].filter(Boolean).join(' · '),
      canonical: path,
      isUnlisted: event.hide_from_listings,
      section: 'events',
      kind: 'article',
      image: event.image || undefined,
      jsonLd: eventData(event),
      feeds: feedsOf(site, {}),
      api: `${context.api}/events/${event.id}`,
      main: eventArticle(site, event, others),
    }),
  )
}

/** @throws `redirect` to the event as a calendar, if the page is asked for that */
function respondWith(
  site: Site,
  event: ShownEvent,
  { others, query }: { others: readonly LeanEvent[]; query: PageParams },
): Sent {
  assertNotEventCalendar(site, query, event)
  return { body: eventPage(site, event, others) }
}

/** Other dates on the page of one, at most. */
const OTHERS = 6

const otherThan = (event: ShownEvent, dates: readonly LeanEvent[]): LeanEvent[] =>
  dates.filter(({ id }) => id !== event.id).slice(0, OTHERS)

const single = definePage({
  path: '/event/:slug/',
  query: eventQuery,
  load: (site, { params: { slug = '' } }) => {
    const slugs = { event: slug, series: slug }
    return together({
      rows: bySlug(site, slug.toLowerCase()),
      coming: occurrencesOf(site, { slugs, most: OTHERS + 1, upcoming: true }),
      first: occurrencesOf(site, { slugs, most: 1 }),
    })
  },
  respond: (site, { params: { slug = '' }, query, url, loaded: { rows, coming, first } }) => {
    const [next] = [...coming, ...first]
    // The address of a series leads to the next of its dates, whatever has its slug and is not public.
    if (next && rows.every(row => statusAt(row, site.context.now) !== 'publish'))
      throw redirect(pathOf(site, next) + url.search, 302)
    const event = assertShown(site, rows, slug.toLowerCase())
    assertOwnPath(linkTo(site, event.url), url)
    return respondWith(site, event, { others: otherThan(event, coming), query })
  },
})

const occurrence = definePage({
  path: '/event/:base/:date/',
  query: eventQuery,
  load: (site, { params: { base = '', date = '' } }) => {
    const slug = `${base}-${date}`
    return together({
      rows: bySlug(site, slug.toLowerCase()),
      others: occurrencesOf(site, {
        slugs: { event: slug, series: '' },
        most: OTHERS + 1,
        upcoming: true,
      }),
    })
  },
  respond: (site, { params: { base = '', date = '' }, query, url, loaded: { rows, others } }) => {
    const event = assertShown(site, rows, `${base}-${date}`.toLowerCase())
    assertOwnPath(linkTo(site, event.url), url)
    return respondWith(site, event, { others: otherThan(event, others), query })
  },
})

export const eventRoutes = [occurrence, single]
