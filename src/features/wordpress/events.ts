import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { codesOf } from '../../calendar/content/resource.ts'
import { versionedBody } from '../../calendar/content/routes.ts'
import { requireReadableRow } from '../../calendar/content/visibility.ts'
import { UNBOUNDED } from '../../calendar/events/interval.ts'
import { eventPage, plainPage, type SelectedPage } from '../../calendar/events/listing/page.ts'
import { selectEventPage } from '../../calendar/events/queries.ts'
import { EVENTS } from '../../calendar/events/resource.ts'
import type { EVENT_FIELDS, EventResponse } from '../../calendar/events/schema.ts'
import type { BaseContext } from '../../kit/context.ts'
import { first, inList } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import type { ListSlice } from '../../kit/http/lists.ts'
import { flag, lazyObject } from '../../kit/http/params.ts'
import { ok, okVersioned } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { typedKeys } from '../../kit/lib/values.ts'
import {
  COMMON_FIELDS,
  listedStatusesOf,
  type PostType,
  passedOn,
  postFields,
  postListParams,
  postParams,
  postsPath,
  shownPost,
  withMeta,
  writePost,
} from './posts.ts'
import {
  defineWordpressList,
  orderByParam,
  orderParam,
  renderedField,
  renderedText,
  WORDPRESS_SUBJECT,
} from './shapes.ts'

// Events in the format of WordPress: programs list them here as they list all posts, and those that have
// created an event with the API of The Events Calendar complete it.

type EventField = keyof typeof EVENT_FIELDS

const EVENT_POST: PostType<'tribe_events'> = {
  name: 'tribe_events',
  fields: {
    title: 'title',
    excerpt: 'excerpt',
    tags: 'tags',
    tribe_events_cat: 'categories',
    ...COMMON_FIELDS,
  } satisfies Record<string, EventField>,
  meta: {
    _EventStartDate: 'start_date',
    _EventEndDate: 'end_date',
    _EventTimezone: 'timezone',
    _EventAllDay: 'all_day',
    _EventCost: 'cost',
    _EventURL: 'website',
    _EventVenueID: 'venue',
    _EventOrganizerID: 'organizer',
    _EventShowMap: 'show_map',
    _EventShowMapLink: 'show_map_link',
    _EventHideFromUpcoming: 'hide_from_listings',
    _tribe_featured: 'featured',
  } satisfies Record<string, EventField>,
  flags: ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'featured'] satisfies EventField[],
}

const eventFields = lazyObject('WordPressEventFields', () => ({
  ...postParams(EVENT_POST, {
    title: 'Jazz night',
    content: 'Three bands.',
    slug: 'jazz-night',
    meta: { _EventCost: '10' },
  }),
  excerpt: passedOn('Excerpt, as text or as `{raw}`.', 'Three bands, one night.'),
  tags: passedOn('Tags, by id or name.', [8]),
  tribe_events_cat: passedOn('Categories, by id or name.', [3]),
}))

const wordpressEvent = lazyObject('WordPressEvent', () => ({
  ...postFields(EVENT_POST),
  excerpt: renderedField,
  tags: z.array(z.int()),
  tribe_events_cat: z.array(z.int()),
}))

const ONE_EVENT_PATH = `${postsPath(EVENT_POST)}/{id}`

function shownEvent(context: BaseContext, event: EventResponse): z.output<typeof wordpressEvent> {
  const ids = (items: readonly { id: number }[]) => items.map(({ id }) => id)
  const values = { ...event, venue: ids([event.venue].flat()), organizer: ids(event.organizer) }
  return {
    ...shownPost(context, EVENT_POST, { response: event, title: event.title, values }),
    excerpt: renderedText(event.excerpt),
    tags: ids(event.tags),
    tribe_events_cat: ids(event.categories),
  }
}

/** The sort keys of the list, by the names of WordPress and of the plugin. */
const ORDERS = {
  id: 'id',
  date: 'date',
  modified: 'modified',
  title: 'title',
  event_date: 'start_date',
  event_date_utc: 'start_date',
} as const

const eventListParams = lazyObject('WordPressEventParams', () => ({
  ...postListParams('jazz-night'),
  order: orderParam('desc'),
  orderby: orderByParam(typedKeys(ORDERS), 'id', 'event_date'),
}))
type ListParams = Partial<z.output<typeof eventListParams>>

/** A page of all events, whenever they take place. */
function postPage(context: BaseContext, params: ListParams, page: ListSlice): SelectedPage {
  const { search, include, slug, status, order = 'desc', orderby = 'id' } = params
  const values = {
    ...(search !== undefined && { search }),
    ...(include && { include }),
    status: listedStatusesOf(status),
    order,
    orderby: ORDERS[orderby],
  }
  const filters = slug
    ? [{ condition: sql`${events.id} IN (SELECT id FROM ${events} WHERE slug IN ${inList(slug)})` }]
    : []
  const list = { values, page, filters, interval: UNBOUNDED }
  if (slug) return plainPage(context, list)
  const selectedPage = eventPage(context, list)
  // By id, the first rows of the table suffice: the listings would have to be sorted.
  const isByTable = values.orderby === 'id' && search === undefined
  return isByTable ? { ...selectedPage, ids: plainPage(context, list).ids } : selectedPage
}

const codes = codesOf('event')

export const wordpressEvents: Route[] = [
  defineWordpressList({
    path: postsPath(EVENT_POST),
    summary: 'List events as WordPress does',
    params: eventListParams,
    item: wordpressEvent,
    select: (context, { values, page }) => selectEventPage(context, postPage(context, values, page)),
    serialize: (context, row) => shownEvent(context, EVENTS.serialize(row, context)),
    endsWithError: true,
  }),
  defineRead({
    path: ONE_EVENT_PATH,
    subject: WORDPRESS_SUBJECT,
    summary: 'Read one event as WordPress shows it',
    requires: 'read',
    responses: { 200: wordpressEvent },
    errors: [codes.notFound, codes.notAccessible, codes.trashed],
    load: (context, { id }) => first(EVENTS.select(context, eq(events.id, id))),
    prepare: (context, row, { key }) => requireReadableRow(context, { resource: EVENTS, row, key }),
    handle: (context, { prepared: row }) =>
      okVersioned(versionedBody(EVENTS, row, shownEvent(context, EVENTS.serialize(row, context)))),
  }),
  defineWrite({
    methods: ['POST', 'PUT', 'PATCH'],
    path: ONE_EVENT_PATH,
    subject: WORDPRESS_SUBJECT,
    summary: 'Update one event as clients of WordPress do',
    requires: 'edit_content',
    body: eventFields,
    responses: { 200: wordpressEvent },
    errors: [codes.notFound],
    handle: async (context, { id, body }) => {
      const { response, headers } = await writePost<EventResponse>(context, EVENT_POST, {
        method: 'PATCH',
        path: `/events/${id}`,
        body: withMeta(EVENT_POST, body),
      })
      return ok(shownEvent(context, response), headers)
    },
  }),
  defineWrite({
    methods: ['DELETE'],
    path: ONE_EVENT_PATH,
    subject: WORDPRESS_SUBJECT,
    summary: 'Move one event to the trash, or delete it',
    requires: 'edit_content',
    query: z.object({
      force: z.optional(flag({ description: 'Delete for good.', default: false })),
    }),
    responses: {
      200: z.union([wordpressEvent, z.object({ deleted: z.boolean(), previous: wordpressEvent })]),
    },
    errors: [codes.notFound, codes.inTrash],
    handle: async (context, { id, query: { force = false } }) => {
      const { response, headers } = await writePost<EventResponse>(context, EVENT_POST, {
        method: 'DELETE',
        path: `/events/${id}?force=${force}`,
      })
      const previous = shownEvent(context, response)
      return ok(force ? { deleted: true, previous } : previous, headers)
    },
  }),
]
