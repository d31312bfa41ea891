import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { ContentRow } from '../../content/kind.ts'
import { permalink } from '../../content/serialize.ts'
import { readable } from '../../content/single.ts'
import { mapped, type Query } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { selectPlainEvents } from '../../events/queries.ts'
import { integer, oneOf } from '../../http/params.ts'
import { ApiError } from '../../lib/errors.ts'
import { ORGANIZERS } from '../../organizers/kind.ts'
import { VENUES } from '../../venues/kind.ts'
import { assertNotCalendar } from '../feeds.ts'
import { ical } from '../filters.ts'
import { nothing } from '../nothing.ts'
import { definePage, redirect } from '../route.ts'
import { linkTo, type Site } from '../site.ts'

const KINDS = ['event', 'venue', 'organizer'] as const
type Kind = (typeof KINDS)[number]

/** The address that the API gives of content without a permanent one: `/?post_type=venue&p=12`. */
const byId = z.object({
  ical,
  p: z.optional(integer({ description: 'Id of an event, venue or organizer.' })),
  post_type: z.optional(oneOf(KINDS, { description: 'What the id is of.' })),
})

type Row = ContentRow

/** A query of the row of an id, or of none. */
function rowOf({ context }: Site, kind: Kind, id: number | undefined): Query<Row[]> {
  if (id === undefined) return mapped(nothing(), () => [])
  if (kind === 'venue') return VENUES.select(context, eq(VENUES.table.id, id))
  if (kind === 'organizer') return ORGANIZERS.select(context, eq(ORGANIZERS.table.id, id))
  return selectPlainEvents(eq(events.id, id))
}

/** Leads to the events, or to what an id names. */
export const homeRoute = definePage({
  path: '/',
  query: byId,
  load: (site, { query }) => rowOf(site, query.post_type ?? 'event', query.p),
  respond: (site, { query, loaded: [row] }) => {
    if (query.p === undefined) {
      assertNotCalendar(site, query, {})
      throw redirect('/events/', 302)
    }
    const singular = query.post_type ?? 'event'
    try {
      const found = readable(site.context, { kind: { singular }, row })
      throw redirect(linkTo(site, permalink(found, singular, site.context)), 302)
    } catch (error) {
      if (error instanceof ApiError)
        throw new ApiError(`rest-${singular}-not-found`, 'There is no such page.')
      throw error
    }
  },
})
