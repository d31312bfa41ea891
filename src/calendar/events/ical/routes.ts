import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type BaseContext, restUrl } from '../../../kit/context.ts'
import { combineQueries, literal, resolvedQuery } from '../../../kit/db/query.ts'
import { events } from '../../../kit/db/tables.ts'
import { defineRead } from '../../../kit/http/define-read.ts'
import { withQuery } from '../../../kit/http/lists.ts'
import { flag } from '../../../kit/http/params.ts'
import { ok, SHORTENED, shortened } from '../../../kit/http/reply.ts'
import type { Route } from '../../../kit/http/route.ts'
import { FEED_SIZE } from '../../../kit/lib/budgets.ts'
import { codesOf } from '../../content/resource.ts'
import { duplicateOfError } from '../../content/routes.ts'
import {
  keySql,
  noDuplicateSql,
  publishedSql,
  requireReadableRow,
  requireRow,
} from '../../content/visibility.ts'
import { selectPlainEvents } from '../queries.ts'
import { EVENTS } from '../resource.ts'
import { calendarText, singleText } from './calendar.ts'
import { selectFeedEvents } from './queries.ts'

/** The media type of iCalendar. */
export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

export const expandParam = {
  expand: z.optional(
    flag({
      description:
        'Every date of a series as an event of its own, for programs that do not understand rules.',
      default: false,
    }),
  ),
}

const programme = z.optional(
  flag({ description: 'The public parts of the event instead of the event itself.', default: false }),
)

/** A SELECT of the ids of an event's public parts that are confirmed, whether or not lists show them. */
const partIds = (context: BaseContext, namedSql: SQL): SQL =>
  sql`SELECT ${events.id} FROM ${events} INDEXED BY events_programme
    WHERE ${events.post_parent} = (SELECT id FROM ${events} WHERE ${namedSql})
    AND parent_confirmed_by IS NOT NULL AND ${noDuplicateSql} AND ${publishedSql(events, context.clock.untrackedTime)}
    ORDER BY utc_start_date, id LIMIT ${literal(FEED_SIZE.events)}`

const codes = codesOf('event')

/** One event as a calendar. */
const calendarRoute = (path: string): Route =>
  defineRead({
    path,
    summary: 'Read one event as a calendar',
    requires: 'read',
    ignoresCaller: true,
    produces: CALENDAR_TYPE,
    query: z.object({ ...expandParam, programme }),
    responses: { 200: z.string() },
    headers: SHORTENED,
    errors: ['rest_moved', codes.notFound, codes.notAccessible, codes.trashed],
    load: (context, { key, query }, isBad) => {
      const namedSql = keySql(events, key)
      const ownId = sql`SELECT ${events.id} FROM ${events} WHERE ${namedSql}`
      return combineQueries({
        rows: selectPlainEvents(namedSql),
        shown: isBad
          ? resolvedQuery(undefined)
          : query.programme
            ? selectFeedEvents(context, { ids: partIds(context, namedSql), descriptions: 'abridged' })
            : selectFeedEvents(context, { ids: ownId, descriptions: 'whole' }),
      })
    },
    prepare: (context, { rows, shown }, { key, sent, query }, errors) => {
      const row = requireRow(EVENTS, rows[0])
      requireReadableRow(context, { resource: EVENTS, row, key })
      if (row.duplicate_of !== null)
        throw duplicateOfError(
          row.duplicate_of,
          withQuery(`${restUrl(context, 'events', row.duplicate_of)}.ics`, sent),
        )
      errors.throwIfAny()
      // If there are no errors, `shown` was selected.
      if (query.programme && shown) return { parts: shown }
      return { event: requireRow(EVENTS, shown?.events[0]) }
    },
    handle: (context, { prepared, query: { expand = false } }) => {
      if ('event' in prepared)
        return ok(singleText(prepared.event, expand, context), shortened(prepared.event.isCut))
      const total = prepared.parts.events.length
      const { body, isShortened } = calendarText({ ...prepared.parts, total, expand }, context)
      return ok(body, shortened(isShortened))
    },
  })

/**
 * The routes of the calendar of one event. They come before the routes of events, where a slug may end with
 * `.ics`.
 */
export const calendarRoutes: Route[] = ['/events/{id}.ics', '/events/by-slug/{slug}.ics'].map(calendarRoute)
