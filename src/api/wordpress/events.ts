import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type RequestContext, wordpressBase } from '../../context.ts'
import { firstOf } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { dispatch } from '../../http/dispatch.ts'
import { errorIn } from '../../http/errors.ts'
import { idOf } from '../../http/input.ts'
import { field, flag } from '../../http/params.ts'
import { ok, one } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { withNames } from '../../lib/errors.ts'
import { isEmpty, isObject, refuse } from '../../lib/values.ts'
import { codesOf } from '../../resources/content/resource.ts'
import { versioned } from '../../resources/content/routes.ts'
import { readable } from '../../resources/content/visibility.ts'
import { EVENTS } from '../../resources/events/resource.ts'
import type { EVENT_FIELDS, EventResponse } from '../../resources/events/schema.ts'
import { isoDate, links, linksIn, rawValue, renderedField, renderedText, SUBJECT } from './shapes.ts'

// An event in the format of WordPress: programs that have created an event with the API of The Events Calendar complete it here. Their
// requests become requests of the events' own routes, with the same rights, checks and errors.

type EventField = keyof typeof EVENT_FIELDS

/** Fields of events by their names in WordPress. */
const NAMES = {
  title: 'title',
  content: 'description',
  excerpt: 'excerpt',
  status: 'status',
  slug: 'slug',
  date: 'date',
  author: 'author',
  featured_media: 'image',
  tags: 'tags',
  tribe_events_cat: 'categories',
} as const satisfies Record<string, EventField>

/** Fields of events by the names under which The Events Calendar stores them. */
const META = {
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
} as const satisfies Record<string, EventField>

/** Fields that are false where WordPress stores an empty text. */
const FLAGS: readonly EventField[] = [
  'all_day',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'featured',
]

/** A value that the events' own route checks. For a rendered text, it is the raw text. */
const passedOn = (description: string, example: unknown) =>
  z.optional(field(rawValue, { description, example }))

const metaFields = z.optional(
  field(raw => (isEmpty(raw) ? {} : isObject(raw) ? raw : refuse('must be an object')), {
    type: 'object',
    description: `${Object.keys(META).join(', ')}; others are named in \`X-Ignored-Fields\`.`,
    example: { _EventCost: '10' },
  }),
)

const fields = z
  .object({
    title: passedOn('Title, as text or as `{raw}`.', 'Jazz night'),
    content: passedOn('Description, as text or as `{raw}`.', 'Three bands.'),
    excerpt: passedOn('Excerpt, as text or as `{raw}`.', 'Three bands, one night.'),
    status: passedOn('Status.', 'publish'),
    slug: passedOn('Slug.', 'jazz-night'),
    date: passedOn('Date of publication.', '2027-05-01T10:00:00'),
    author: passedOn('Id of the author.', 1),
    featured_media: passedOn('Id of the image; 0 for none.', 0),
    tags: passedOn('Tags, by id or name.', [8]),
    tribe_events_cat: passedOn('Categories, by id or name.', [3]),
    meta: metaFields,
  })
  .register(z.globalRegistry, { id: 'WordPressEventFields' })

type WordpressFields = Partial<z.output<typeof fields>>

/** The fields of an event. Unknown ones keep their names, so that the response lists them as ignored. */
function eventFieldsOf({ meta = {}, ...named }: WordpressFields): Record<string, unknown> {
  const own = Object.entries(named).map(([name, value]) => [NAMES[name as keyof typeof NAMES], value]) // The schema's names.
  const stored = Object.entries(meta).map(([name, value]) => {
    const field = Object.hasOwn(META, name) ? META[name as keyof typeof META] : undefined // It is one of these names.
    if (field === undefined) return [`meta.${name}`, value]
    return [field, FLAGS.includes(field) && isEmpty(value) ? false : value]
  })
  // The event's own fields win over the fields in `meta`.
  return Object.fromEntries([...stored, ...own])
}

const nameOf = (field: string): string =>
  [...Object.entries(NAMES), ...Object.entries(META).map(([name, own]) => [`meta.${name}`, own])].find(
    ([, own]) => own === field,
  )?.[0] ?? field

const wordpressEvent = z.lazy(() =>
  z
    .object({
      id: z.int(),
      date: z.string(),
      date_gmt: z.string(),
      modified: z.string(),
      modified_gmt: z.string(),
      slug: z.string(),
      status: z.string(),
      type: z.literal('tribe_events'),
      link: z.string(),
      title: renderedField,
      content: renderedField,
      excerpt: renderedField,
      author: z.int(),
      featured_media: z.int(),
      tags: z.array(z.int()),
      tribe_events_cat: z.array(z.int()),
      meta: z.record(z.string(), z.unknown()),
      _links: links,
    })
    .register(z.globalRegistry, { id: 'WordPressEvent' }),
)

const PATH = '/wp/v2/tribe_events'
const ONE = `${PATH}/{id}`

function shownEvent(context: RequestContext, event: EventResponse): z.output<typeof wordpressEvent> {
  const ids = (items: readonly { id: number }[]) => items.map(({ id }) => id)
  const related = { venue: ids([event.venue].flat()), organizer: ids(event.organizer) }
  const meta = Object.entries(META).map(([name, own]) => [name, { ...event, ...related }[own]])
  return {
    id: event.id,
    date: isoDate(event.date),
    date_gmt: isoDate(event.date_utc),
    modified: isoDate(event.modified),
    modified_gmt: isoDate(event.modified_utc),
    slug: event.slug,
    status: event.status,
    type: 'tribe_events',
    link: event.url,
    title: renderedText(event.title),
    content: renderedText(event.description),
    excerpt: renderedText(event.excerpt),
    author: Number(event.author),
    featured_media: event.image === false ? 0 : event.image.id,
    tags: ids(event.tags),
    tribe_events_cat: ids(event.categories),
    meta: Object.fromEntries(meta),
    _links: linksIn(wordpressBase(context) + PATH, event.id),
  }
}

/** Writes with the events' own route. @returns its event and headers. @throws ApiError that uses the client's names of fields */
async function written(context: RequestContext, method: string, path: string, body?: object) {
  const { replies } = await dispatch(context, [
    {
      method,
      path,
      ...(body && { body }),
      headers: {
        ...(context.ifMatch !== undefined && { 'if-match': context.ifMatch }),
        ...(context.ifNoneMatch !== undefined && { 'if-none-match': context.ifNoneMatch }),
      },
    },
  ])
  const [reply] = replies
  if (!reply) throw new Error('no reply')
  // The body of a success is an event, as the route declares.
  if (reply.status < 300) return { event: reply.body as EventResponse, headers: reply.headers ?? {} }
  throw withNames(errorIn(reply), nameOf)
}

const codes = codesOf('event')

export const wordpressEvents: Route[] = [
  defineRoute({
    methods: ['GET'],
    path: ONE,
    subject: SUBJECT,
    summary: 'Read one event as WordPress shows it',
    requires: 'read',
    responses: { 200: wordpressEvent },
    errors: [codes.notFound, codes.notAccessible, codes.trashed],
    load: (context, { key }) => firstOf(EVENTS.select(context, eq(events.id, idOf(key)))),
    prepare: (context, row, { key }) => readable(context, { resource: EVENTS, row, key }),
    handle: (context, { prepared: row }) =>
      one(versioned(EVENTS, row, shownEvent(context, EVENTS.serialize(row, context)))),
  }),
  defineRoute({
    methods: ['POST', 'PUT', 'PATCH'],
    path: ONE,
    subject: SUBJECT,
    summary: 'Update one event as clients of WordPress do',
    requires: 'edit_content',
    body: fields,
    responses: { 200: wordpressEvent },
    errors: [codes.notFound],
    handle: async (context, { key, body }) => {
      const { event, headers } = await written(context, 'PATCH', `/events/${idOf(key)}`, eventFieldsOf(body))
      return ok(shownEvent(context, event), headers)
    },
  }),
  defineRoute({
    methods: ['DELETE'],
    path: ONE,
    subject: SUBJECT,
    summary: 'Move one event to the trash, or delete it',
    requires: 'edit_content',
    query: z.object({
      force: z.optional(flag({ description: 'Delete for good.', default: false })),
    }),
    responses: {
      200: z.union([wordpressEvent, z.object({ deleted: z.boolean(), previous: wordpressEvent })]),
    },
    errors: [codes.notFound, codes.inTrash],
    handle: async (context, { key, query: { force = false } }) => {
      const { event, headers } = await written(context, 'DELETE', `/events/${idOf(key)}?force=${force}`)
      const previous = shownEvent(context, event)
      return ok(force ? { deleted: true, previous } : previous, headers)
    },
  }),
]
