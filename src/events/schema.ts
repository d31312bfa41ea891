import * as z from 'zod/mini'
import { contentFields, statusFilter } from '../content/fields.ts'
import { contentResponse, dateTime, imageSchema, jsonLdSchema } from '../content/response.ts'
import { pageParams } from '../http/lists.ts'
import * as p from '../http/params.ts'
import { EVENT_STATUSES, VIRTUAL_EVENT_TYPES } from '../lib/event-statuses.ts'
import { ORGANIZERS } from '../organizers/kind.ts'
import { organizerSchema } from '../organizers/schema.ts'
import { termSchema } from '../terms/schema.ts'
import { VENUES } from '../venues/kind.ts'
import { venueSchema } from '../venues/schema.ts'
import { customFields } from './custom-fields.ts'
import { defaultWindow } from './listing/default-window.ts'
import { dependsOnPresent, isHappening } from './listing/happening.ts'
import { recurrence, scope, seriesHeadSchema } from './recurrence/fields.ts'
import { linkChoices, termChoices } from './relations/choices.ts'

const words = (description: string, example?: unknown) => ({
  description,
  ...(example !== undefined && { example }),
})

/** Words about dates that could be two, said where a schema speaks of dates first. */
const AMBIGUOUS = 'With slashes the month comes first (`5/12/2026` is May 12); with dots or dashes the day.'

export const eventFields = z
  .object({
    title: p.name(words('Title, plain text.', 'Jazz night')),
    start_date: p.date(words(`Start, in the event's time zone. ${AMBIGUOUS}`, '2027-06-10 20:00:00')),
    end_date: p.date(words("End, in the event's time zone.", '2027-06-10 23:00:00')),
    ...contentFields(p.LIMIT.eventDescription),
    excerpt: z.optional(
      p.html({ limit: p.LIMIT.excerpt, ...words('Excerpt, HTML or plain text.', 'Three bands, one night.') }),
    ),
    timezone: z.optional(p.zone(words("Time zone of the event; the site's when absent.", 'Europe/Rome'))),
    all_day: z.optional(p.flag({ ...words('Lasts whole days: from 00:00:00 to 23:59:59.'), default: false })),
    cost: z.optional(p.line(words('Cost: a price, a range, or words.', '$10 - $25'))),
    cost_details: z.optional(
      p.field(raw => raw, {
        type: 'object',
        ...words(
          'The details beside a cost that is sent back as it was read; they tell a number from words.',
        ),
        example: { currency_symbol: '$', currency_code: 'USD', currency_position: 'prefix', values: ['13'] },
      }),
    ),
    website: z.optional(p.url(words("The event's own website.", 'https://example.org/jazz'))),
    show_map: z.optional(p.flag(words('Show a map.'))),
    show_map_link: z.optional(p.flag(words('Show a link to a map.'))),
    hide_from_listings: z.optional(p.flag(words('Keep out of lists.', false))),
    sticky: z.optional(p.flag(words('Put first in calendar views.'))),
    featured: z.optional(p.flag(words('Featured on the site.'))),
    ticketed: z.optional(p.flag(words('Has tickets.'))),
    event_status: z.optional(
      p.oneOf(EVENT_STATUSES, {
        ...words('What has become of it. A canceled event stays where it is and says so.'),
        default: 'scheduled',
      }),
    ),
    event_status_reason: z.optional(
      p.line(words('Why it was canceled, postponed or rescheduled.', 'The singer has lost her voice.')),
    ),
    is_virtual: z.optional(
      p.flag(words('Takes place online, also or only; `virtual_event_type` tells. False clears the type.')),
    ),
    virtual_event_type: z.optional(
      p.oneOf(VIRTUAL_EVENT_TYPES, {
        ...words(
          'Only online (`virtual`, if absent), or at the venue as well (`hybrid`). Without `is_virtual`, a type makes the event virtual and an empty one makes it an ordinary one.',
        ),
        default: '',
      }),
    ),
    virtual_url: z.optional(p.url(words('Where to take part online.', 'https://meet.example.org/jazz'))),
    virtual_video_source: z.optional(
      p.line(words('The service that shows it: the name of a program or site.', 'video')),
    ),
    custom_fields: z.optional(
      customFields(
        'Fields of your own by key, at most 50. Keys that are not named stay, `null` removes one, an empty list all.',
      ),
    ),
    post_parent: z.optional(
      p.integer({ minimum: 0, ...words('Id of the event that this one belongs to; 0 for none.', 0) }),
    ),
    categories: z.optional(termChoices('Categories, by id or name; unknown names are created.')),
    tags: z.optional(termChoices('Tags, by id or name; unknown names are created.')),
    venue: z.optional(linkChoices(VENUES, 'Venues, by id or with the data of a new one.')),
    organizer: z.optional(linkChoices(ORGANIZERS, 'Organizers, by id or with the data of a new one.')),
    recurrence,
    scope,
  })
  .register(z.globalRegistry, { id: 'EventFields' })

export type EventFields = z.output<typeof eventFields>

export const ORDERBY = ['start_date', 'end_date', 'title', 'date', 'modified', 'id'] as const

const bound = (description: string, fallback: { default?: p.Default } = {}) =>
  z.optional(p.date({ ...words(description, '2027-06-01'), ...fallback }))

export const eventList = z.object({
  ...pageParams,
  start_date: bound(`Only events that start at or after this; from yesterday when absent. ${AMBIGUOUS}`, {
    default: context => defaultWindow(context).start_date,
  }),
  end_date: bound('Only events that end at or before this; two years ahead when absent.', {
    default: context => defaultWindow(context).end_date,
  }),
  starts_before: bound('Only events that start before this.'),
  starts_after: bound('Only events that start after this.'),
  ends_before: bound('Only events that end before this.'),
  ends_after: bound('Only events that end after this.'),
  happening: z.optional(
    p.text({
      isValid: isHappening,
      reason: 'must be now, a date, or an interval of dates or instants such as 2027-06-01/2027-06-30',
      dependsOnClock: dependsOnPresent,
      ...words(
        'Only events that are on at any moment of this: `now` (on now, or later), a date, or an interval of dates or instants, `2027-06-01/2027-06-30`; `..` as its end leaves it open. It replaces the window.',
        'now',
      ),
    }),
  ),
  strict_dates: z.optional(
    p.flag({ ...words('Take the date filters by the second, not by whole days.'), default: false }),
  ),
  search: z.optional(p.search(words('Words that must occur in title, description or excerpt.', 'jazz'))),
  categories: z.optional(
    p.texts(words('Any of these categories or what is below them: ids or slugs.', ['music'])),
  ),
  tags: z.optional(p.texts(words('Any of these tags: ids or slugs.', ['outdoor']))),
  venue: z.optional(p.ids(words('Any of these venues.', [3]))),
  organizer: z.optional(p.ids(words('Any of these organizers.', [4]))),
  featured: z.optional(p.flag(words('Featured, or not.'))),
  status: statusFilter,
  geoloc: z.optional(p.flag(words('The venue has coordinates, or lacks them.'))),
  geoloc_lat: z.optional(
    p.decimal({ minimum: -90, maximum: 90, ...words('Near this latitude; with `geoloc_lng`.', 53.27) }),
  ),
  geoloc_lng: z.optional(
    p.decimal({ minimum: -180, maximum: 180, ...words('Near this longitude; with `geoloc_lat`.', -9.05) }),
  ),
  geoloc_radius: z.optional(
    p.decimal({ minimum: 0, maximum: 20_038, ...words('How near, in kilometres.', 40), default: 40 }),
  ),
  include: z.optional(p.ids(words('Exactly these events, whatever their dates.', [12, 15]))),
  post_parent: z.optional(p.integer(words('Only events that belong to this one.', 12))),
  series: z.optional(p.integer(words('Only occurrences of this series.', 3))),
  ticketed: z.optional(p.flag(words('With tickets, or without.'))),
  event_status: z.optional(
    p.someOf(EVENT_STATUSES, words('Any of these: whether it takes place as announced.', ['canceled'])),
  ),
  is_virtual: z.optional(p.flag(words('Online, or not.'))),
  order: z.optional(p.oneOf(['asc', 'desc'], { ...words('Direction of sorting.'), default: 'asc' })),
  orderby: z.optional(p.oneOf(ORDERBY, { ...words('What to sort by.'), default: 'start_date' })),
})

export type EventListParams = z.output<typeof eventList>

const details = z
  .object({
    year: z.string(),
    month: z.string(),
    day: z.string(),
    hour: z.string(),
    minutes: z.string(),
    seconds: z.string(),
  })
  .register(z.globalRegistry, { id: 'DateDetails' })

const costDetails = z
  .object({
    currency_symbol: z.string(),
    currency_code: z.string(),
    currency_position: z.enum(['', 'prefix', 'postfix']),
    values: z.array(z.string()).register(z.globalRegistry, { description: 'Prices in ascending order.' }),
  })
  .register(z.globalRegistry, { id: 'CostDetails' })

const customField = z
  .object({ label: z.string(), value: z.string() })
  .register(z.globalRegistry, { id: 'CustomField' })

export const eventSchema = z
  .object({
    ...contentResponse,
    rest_url: z.string(),
    title: z.string(),
    description: z.string(),
    excerpt: z.string(),
    image: z.union([imageSchema, z.literal(false)]),
    all_day: z.boolean(),
    start_date: dateTime,
    start_date_details: details,
    end_date: dateTime,
    end_date_details: details,
    utc_start_date: dateTime,
    utc_start_date_details: details,
    utc_end_date: dateTime,
    utc_end_date_details: details,
    timezone: z.string(),
    timezone_abbr: z.string(),
    cost: z.string(),
    cost_details: costDetails,
    website: z.string(),
    show_map: z.boolean(),
    show_map_link: z.boolean(),
    hide_from_listings: z.boolean(),
    sticky: z.boolean(),
    featured: z.boolean(),
    ticketed: z.boolean(),
    categories: z.array(termSchema),
    tags: z.array(termSchema),
    venue: z.union([venueSchema, z.array(venueSchema)]).register(z.globalRegistry, {
      description: 'An empty list for none, an object for one, a list for several.',
    }),
    organizer: z.array(organizerSchema),
    event_status: z.enum(EVENT_STATUSES),
    event_status_reason: z.string(),
    is_virtual: z.boolean(),
    virtual_event_type: z.enum(VIRTUAL_EVENT_TYPES),
    virtual_url: z.string(),
    virtual_video_source: z.string(),
    external_id: z.string(),
    custom_fields: z
      .union([z.record(z.string(), customField), z.array(z.never())])
      .register(z.globalRegistry, { description: 'Fields of the site by key; an empty list for none.' }),
    series: z
      .optional(seriesHeadSchema)
      .register(z.globalRegistry, { description: 'Only occurrences of a series have it.' }),
    json_ld: z.optional(jsonLdSchema),
  })
  .register(z.globalRegistry, { id: 'Event' })

export type EventResponse = z.output<typeof eventSchema>
