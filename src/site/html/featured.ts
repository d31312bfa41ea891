import { sql } from 'drizzle-orm'
import { type ListedEvent, selectListedOnPage } from '../../calendar/events/listed-events.ts'
import { eventPage } from '../../calendar/events/listing/page.ts'
import type { BaseContext } from '../../kit/context.ts'
import { literal, type Query } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { type Day, dayOf } from '../../kit/lib/time.ts'
import { isOngoing } from './agenda.ts'
import { type DatedEvent, isOver, withTimes } from './events.ts'
import type { PageContext } from './page-context.ts'

// Featured events lead the list of all events, whatever their dates.

/**
 * The number of cards, the number of events that is read for them, and the number of dates that are looked
 * at.
 */
const MAX_CARDS = 2
const MAX_READ = 6
const MAX_DATES_READ = 24

/** A query for the featured events to come, nearest first, each series once. */
export function selectFeatured(context: BaseContext, today: Day): Query<ListedEvent[]> {
  const page = { page: 1, perPage: MAX_DATES_READ, offset: 0 }
  const { ids, ...otherParts } = eventPage(context, {
    values: { featured: true, happening: `${today}/..` },
    page,
  })
  // With a single min(), SQLite takes the id from the same row.
  const firstDates = sql`SELECT id FROM (SELECT ${events.id} AS id, min(${events.utc_start_date}) AS start
    FROM (${ids}) AS found CROSS JOIN ${events} ON ${events.id} = found.id
    WHERE ${events.event_status} <> 'canceled' GROUP BY coalesce(${events.series_id}, -${events.id}))
    ORDER BY start, id LIMIT ${literal(MAX_READ)}`
  return selectListedOnPage(context, { ...otherParts, ids: firstDates })
}

/** The events at the top of a list: none that are over, and no ongoing ones. */
export const leadingEvents = (site: PageContext, featured: readonly ListedEvent[]): DatedEvent[] =>
  featured
    .filter(event => !isOver(site, event))
    .map(event => withTimes(site, event))
    .filter(shown => !isOngoing(site, shown, dayOf(site.today)))
    .slice(0, MAX_CARDS)
