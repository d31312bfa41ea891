import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { mapQuery } from '../../kit/db/query.ts'
import { events, series } from '../../kit/db/tables.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { isRelativeDate } from '../../kit/lib/parse-date.ts'
import { DATE_PARAMS, dependsOnPresent, type Interval, intervalOf, withinBounds } from '../events/interval.ts'
import { listReferences } from '../events/listing/filters.ts'
import { eventInListSql, eventPage, pageStatement } from '../events/listing/page.ts'
import { selectEventPage } from '../events/queries.ts'
import { checkList, EVENTS } from '../events/resource.ts'
import { type EventRow, seriesJoin, sharedTexts } from '../events/rows.ts'
import {
  type EventListParams,
  type EventListValues,
  type EventResponse,
  eventList,
  eventSchema,
} from '../events/schema.ts'
import { type CopiedResource, type Cursor, checkCopiedStatuses, PAGES_AND_ORDER } from './queries.ts'

const params = z.omit(eventList, PAGES_AND_ORDER)

/**
 * The interval of a copy. Without dates it has no bounds: with a window that moves with the time, the copy
 * would keep events that have left the window.
 */
const boundsOf = (context: BaseContext, values: EventListValues): Interval =>
  intervalOf(context, values, {}).interval

/**
 * Adds errors for dates whose meaning changes with the day: the list would change without a write that
 * records it.
 */
function checkDates(values: EventListValues, errors: ValidationErrors): void {
  const isMoving = (name: (typeof DATE_PARAMS)[number]): boolean => {
    const value = values[name]
    return value !== undefined && isRelativeDate(value)
  }
  for (const name of DATE_PARAMS) if (isMoving(name)) errors.add(name, 'must be a fixed date')
  if (values.happening !== undefined && dependsOnPresent(values.happening))
    errors.add('happening', 'must have fixed dates')
}

/** A SELECT of the ids of the next events by their start. */
function nextByStart(
  context: BaseContext,
  { values, after, limit }: { values: EventListValues; after: Cursor | null; limit: number },
): SQL {
  const bounds = boundsOf(context, values)
  const [start, id] = after ?? []
  const hasCursor = start !== undefined && id !== undefined
  const page = eventPage(context, {
    values: { ...values, order: 'asc', orderby: 'start_date' },
    page: { page: 1, perPage: limit, offset: 0 },
    interval: hasCursor ? withinBounds(bounds, { startFrom: String(start) }) : bounds,
    filters: hasCursor
      ? [{ condition: sql`(${events.utc_start_date} > ${start} OR ${events.id} > ${id})` }]
      : [],
  })
  return pageStatement(page)
}

const texts = [
  sharedTexts.description,
  sharedTexts.excerpt,
  events.custom_fields,
  sql`coalesce(${series.rdate} || ${series.exdate}, '')`,
]

export const COPIED_EVENTS: CopiedResource<EventListParams, EventRow, EventResponse> = {
  kind: 'events',
  plural: 'events',
  schemaId: 'EventChanges',
  item: eventSchema,
  // The parameters of the list except for pages and order, which a copy does not have.
  params: params as CopiedResource<EventListParams, EventRow, EventResponse>['params'],
  table: events,
  join: seriesJoin,
  bytes: sql.join(
    texts.map(text => sql`octet_length(${text})`),
    sql` + `,
  ),
  listedSql: (context, values) => eventInListSql(context, { values, interval: boundsOf(context, values) }),
  nextIds: nextByStart,
  cursorOf: ({ utc_start_date, id }) => [utc_start_date, id],
  select: (context, ids, fields) =>
    mapQuery(selectEventPage(context, { ids, total: sql`0` }, fields), ({ rows }) => rows),
  isShortened: EVENTS.isShortened,
  serialize: EVENTS.serialize,
  references: listReferences,
  validate: (context, values, errors) => {
    checkCopiedStatuses(values.status, context, errors)
    checkList(context, values, errors)
    checkDates(values, errors)
  },
}
