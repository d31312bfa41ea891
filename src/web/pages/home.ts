import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Query, settled } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { integer, oneOf, texts } from '../../http/params.ts'
import { type ContentRow, permalink } from '../../resources/content/resource.ts'
import { selectPlainEvents } from '../../resources/events/queries.ts'
import { ORGANIZERS } from '../../resources/organizers/resource.ts'
import { VENUES } from '../../resources/venues/resource.ts'
import { queryOf } from '../html/addresses.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { asCalendar, type Filters } from '../html/filters.ts'
import { definePage, redirect } from '../html/route.ts'
import { assertPublic, linkTo, type Site } from '../html/site.ts'
import { redirectFromFormer } from './former-addresses.ts'

const SINGULARS = ['event', 'venue', 'organizer'] as const
type Singular = (typeof SINGULARS)[number]

/** The resources by their names in former addresses. */
const FORMER: Readonly<Record<string, Singular>> = {
  tribe_events: 'event',
  tribe_venue: 'venue',
  tribe_organizer: 'organizer',
}

const words = (description: string) => z.optional(texts({ description }))

/**
 * The parameters of the address that the API gives to content without a permanent one, `/?post_type=venue&p=12`, and of former
 * addresses of lists and calendars, `/?post_type=tribe_events&eventDisplay=month`.
 */
const byId = z.object({
  ...asCalendar,
  p: z.optional(integer({ description: 'Id of an event, venue or organizer.' })),
  post_type: z.optional(
    oneOf([...SINGULARS, 'tribe_events', 'tribe_venue', 'tribe_organizer'], {
      description: 'What the id is of.',
    }),
  ),
  eventDisplay: words('The way to show the events.'),
  eventDate: words('The month or day to show.'),
  tribe_events_cat: words('A category.'),
  feed: words('The form of a feed.'),
})

const kindOf = (type: string | undefined): Singular =>
  SINGULARS.find(kind => kind === type) ?? FORMER[type ?? ''] ?? 'event'

/** A query for the row with an id, if there is one. */
function rowOf({ context }: Site, kind: Singular, id: number | undefined): Query<ContentRow[]> {
  if (id === undefined) return settled([])
  if (kind === 'venue') return VENUES.select(context, eq(VENUES.table.id, id))
  if (kind === 'organizer') return ORGANIZERS.select(context, eq(ORGANIZERS.table.id, id))
  return selectPlainEvents(eq(events.id, id))
}

/** The redirect to the events, or to the resource of an id. */
export const homeRoute = definePage({
  path: '/',
  query: byId,
  load: (site, { query }) => rowOf(site, kindOf(query.post_type), query.p),
  respond: (site, { query, loaded: [row] }) => {
    if (query.p === undefined) {
      const filters: Filters = query.tribe_events_cat ? { categories: query.tribe_events_cat } : {}
      assertNotCalendar(site, query, filters)
      const { feed, eventDisplay = [], eventDate = [] } = query
      const tail = feed ? 'feed' : [...eventDisplay, ...eventDate].join('/')
      redirectFromFormer(site, { path: '/events/', filters, tail, url: new URL(site.context.site) })
      throw redirect(`/events/${queryOf(filters)}`, 302)
    }
    const singular = kindOf(query.post_type)
    const found = assertPublic(site, singular, row)
    throw redirect(linkTo(site, permalink(found, singular, site.context)), 302)
  },
})
