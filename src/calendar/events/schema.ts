import * as z from 'zod/mini'
import { pageParams } from '../../kit/http/lists.ts'
import * as p from '../../kit/http/params.ts'
import { costOfList } from '../../kit/lib/cost.ts'
import {
  EVENT_STATUSES,
  TICKET_AVAILABILITIES,
  VIRTUAL_EVENT_TYPES,
  WHEELCHAIR_ACCESS,
} from '../../kit/lib/statuses.ts'
import { FIELD_LIMITS, isFilledList, requireLength, typedKeys } from '../../kit/lib/values.ts'
import { customFields, customValues } from '../content/custom-fields.ts'
import {
  accessRows,
  computedField,
  contentRows,
  fieldTable,
  paramsOf,
  plainField,
  responsesOf,
  type StoredNames,
  shownField,
  statusFilter,
} from '../content/fields.ts'
import { contentResponse, dateTime, imageSchema, jsonLdSchema } from '../content/resource.ts'
import { ORGANIZERS, organizerSchema } from '../organizers/resource.ts'
import { termSchema } from '../terms/schema.ts'
import { VENUES } from '../venues/resource.ts'
import { venueSchema } from '../venues/schema.ts'
import { defaultWindow, isHappening, NO_PERIOD } from './interval.ts'
import { recurrence, scope, seriesHeadSchema, spread } from './recurrence-fields.ts'
import { linkChoices, termChoices } from './relations/fields.ts'

const docs = (description: string, example?: unknown) => ({
  description,
  ...(example !== undefined && { example }),
})

/** The description of ambiguous dates, for the first date of a schema. */
const AMBIGUOUS = 'With slashes the month comes first (`5/12/2026` is May 12); with dots or dashes the day.'

const flag = (description: string, example?: unknown) =>
  plainField(z.optional(p.flag(docs(description, example))), z.boolean())

/** The fields of events. A new plain field needs a row here, a column and a migration. */
export const EVENT_FIELDS = fieldTable({
  title: plainField(
    p.name(docs('Title, plain text; responses escape it for HTML.', 'Jazz night')),
    p.escapedName,
  ),
  start_date: shownField(
    p.date(docs(`Start, in the event's time zone. ${AMBIGUOUS}`, '2027-06-10 20:00:00')),
    dateTime,
    ['start_date', 'utc_start_date', 'timezone_abbr'],
  ),
  end_date: shownField(p.date(docs("End, in the event's time zone.", '2027-06-10 23:00:00')), dateTime, [
    'end_date',
    'utc_end_date',
  ]),
  ...contentRows(FIELD_LIMITS.eventDescription, z.string()),
  excerpt: plainField(
    z.optional(
      p.html({
        limit: FIELD_LIMITS.excerpt,
        ...docs('Excerpt, HTML or plain text.', 'Three bands, one night.'),
      }),
    ),
    z.string(),
  ),
  timezone: shownField(
    z.optional(p.zone(docs("Time zone of the event; the site's when absent.", 'Europe/Rome'))),
    z.string(),
    ['timezone'],
  ),
  all_day: shownField(
    z.optional(p.flag({ ...docs('Lasts whole days: from 00:00:00 to 23:59:59.'), default: false })),
    z.boolean(),
    ['all_day'],
  ),
  cost: computedField(
    z.optional(
      p.field(
        raw => {
          const costs = (isFilledList(raw) ? raw : [raw]).map(cost => p.lineOf(cost, FIELD_LIMITS.text))
          return requireLength(costOfList(costs), FIELD_LIMITS.text)
        },
        {
          type: ['string', 'number', 'array'],
          items: { type: ['string', 'number'] },
          maxLength: FIELD_LIMITS.text,
          ...docs('Cost: a price, a range, or words; a list of prices becomes their range.', '$10 - $25'),
        },
      ),
    ),
    ['cost'],
  ),
  cost_details: computedField(
    z.optional(
      p.field(raw => raw, {
        type: 'object',
        additionalProperties: true,
        ...docs(
          'The details of a cost that is sent back as it was read; they distinguish a number from words.',
        ),
        example: { currency_symbol: '$', currency_code: 'USD', currency_position: 'prefix', values: ['13'] },
      }),
    ),
    [],
  ),
  website: {
    ...plainField(
      z.optional(p.url(docs("The event's own website.", 'https://example.org/jazz'))),
      z.string(),
    ),
    // Imported rows without a website have null.
    isShown: false as const,
  },
  show_map: flag('Show a map.'),
  show_map_link: flag('Show a link to a map.'),
  hide_from_listings: flag('Keep out of lists.', false),
  sticky: flag('Put first in calendar views.'),
  featured: flag('Featured on the site.'),
  ticketed: flag('Has tickets.'),
  ticket_availability: plainField(
    z.optional(
      p.oneOf(TICKET_AVAILABILITIES, {
        ...docs('Whether there are tickets left; empty if unknown.', 'few'),
        default: '',
      }),
    ),
    z.enum(TICKET_AVAILABILITIES),
  ),
  ...accessRows(z.enum(WHEELCHAIR_ACCESS), z.string()),
  room: plainField(
    z.optional(p.line(docs('The room or stage at the venue. Empty if it has only one.', 'Great hall'))),
    z.string(),
  ),
  event_status: plainField(
    z.optional(
      p.oneOf(EVENT_STATUSES, {
        ...docs('Whether it takes place. Canceled events stay listed and are marked as canceled.'),
        default: 'scheduled',
      }),
    ),
    z.enum(EVENT_STATUSES),
  ),
  event_status_reason: plainField(
    z.optional(
      p.line(docs('Why it was canceled, postponed or rescheduled.', 'The singer has lost her voice.')),
    ),
    z.string(),
  ),
  is_virtual: shownField(
    z.optional(
      p.flag(
        docs('Takes place online, exclusively or as well; see `virtual_event_type`. False clears the type.'),
      ),
    ),
    z.boolean(),
    ['is_virtual', 'virtual_event_type'],
  ),
  virtual_event_type: shownField(
    z.optional(
      p.oneOf(VIRTUAL_EVENT_TYPES, {
        ...docs(
          'Online only (`virtual`, the default) or also at the venue (`hybrid`). Without `is_virtual`, a type makes the event virtual, and an empty one makes it an ordinary event.',
        ),
        default: '',
      }),
    ),
    z.enum(VIRTUAL_EVENT_TYPES),
    ['is_virtual', 'virtual_event_type'],
  ),
  virtual_url: plainField(
    z.optional(p.url(docs('Where to take part online.', 'https://meet.example.org/jazz'))),
    z.string(),
  ),
  virtual_video_source: plainField(
    z.optional(p.line(docs('The service that broadcasts it: the name of a program or site.', 'video'))),
    z.string(),
  ),
  custom_fields: computedField(
    z.optional(
      customFields(
        'Custom fields by key, at most 50. Keys that are not named stay, `null` removes one, an empty list all.',
      ),
    ),
    ['custom_fields'],
  ),
  post_parent: computedField(
    z.optional(
      p.idOrNone(
        docs(
          'Id of the event that this one is a part of; 0 for none. Its programme shows the part if you may edit that event, or once an editor has named it here.',
          0,
        ),
      ),
    ),
    ['post_parent', 'parent_confirmed_by'],
  ),
  categories: computedField(
    z.optional(termChoices('Categories, by id or name; unknown names are created.')),
    [],
  ),
  tags: computedField(z.optional(termChoices('Tags, by id or name; unknown names are created.')), []),
  venue: computedField(z.optional(linkChoices(VENUES, 'Venues, by id or with the data of a new one.')), []),
  organizer: computedField(
    z.optional(linkChoices(ORGANIZERS, 'Organizers, by id or with the data of a new one.')),
    [],
  ),
  recurrence: computedField(recurrence, []),
  scope: computedField(scope, []),
  spread: computedField(spread, []),
})

/** The fields whose column has the checked value. */
export type PlainFieldName = StoredNames<typeof EVENT_FIELDS>

export const eventFields = p.documented(z.object(paramsOf(EVENT_FIELDS)), { id: 'EventFields' })

export type EventFields = z.output<typeof eventFields>

/** The checked values of the fields that a request names. */
export type EventValues = Partial<EventFields>

export type FieldName = keyof EventFields

export const FIELD_NAMES = typedKeys(EVENT_FIELDS)

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(EVENT_FIELDS, name)

export const fieldNamesOf = (values: EventValues): FieldName[] =>
  // A schema has made the values, so their keys are its fields.
  (Object.keys(values) as FieldName[]).filter(name => values[name] !== undefined)

export const ORDERBY = ['start_date', 'end_date', 'title', 'date', 'modified', 'id'] as const

const boundParam = (description: string, fallback: { default?: p.Default } = {}) =>
  z.optional(p.date({ ...docs(description, '2027-06-01'), ...fallback }))

const withoutEmpty = <const W extends string>(choice: readonly W[]) =>
  choice.filter((word): word is Exclude<W, ''> => word !== '')

const idsOrTexts = (description: string, example: string) =>
  z.optional(p.texts({ ...docs(description, [example]), items: { type: ['integer', 'string'] } }))

export const eventList = z.object({
  ...pageParams,
  start_date: boundParam(
    `Only events that start at or after this; from yesterday when absent. ${AMBIGUOUS}`,
    {
      default: context => defaultWindow(context).start_date,
    },
  ),
  end_date: boundParam('Only events that end at or before this; two years ahead when absent.', {
    default: context => defaultWindow(context).end_date,
  }),
  starts_before: boundParam('Only events that start before this.'),
  starts_after: boundParam('Only events that start after this.'),
  ends_before: boundParam('Only events that end before this.'),
  ends_after: boundParam('Only events that end after this.'),
  happening: z.optional(
    p.text({
      isValid: text => isHappening(text),
      reason: NO_PERIOD,
      ...docs(
        'Only events that are on at any moment of this: `now` (on now, or later), a date, an interval of dates or instants, `2027-06-01/2027-06-30`, with `..` as its end for an open one, or a period as people say it: `this weekend`, `next month`, `June`. A part of a day, as in `tonight`, means the whole day. It replaces the window.',
        'now',
      ),
    }),
  ),
  strict_dates: z.optional(
    p.flag({ ...docs('Apply date filters by the second, not by whole days.'), default: false }),
  ),
  search: z.optional(p.search(docs('Words that must occur in title, description or excerpt.', 'jazz'))),
  search_in: z.optional(
    p.oneOf(['text', 'all'], {
      ...docs(
        'Where `search` looks for each word: in the text of the event or, with `all`, also in the name and address of its venues and in the names of its organizers, categories and tags.',
        'all',
      ),
      default: 'text',
    }),
  ),
  categories: idsOrTexts('Any of these categories or their subcategories: ids or slugs.', 'music'),
  tags: idsOrTexts('Any of these tags: ids or slugs.', 'outdoor'),
  venue: z.optional(p.ids(docs('Any of these venues.', [3]))),
  organizer: z.optional(p.ids(docs('Any of these organizers.', [4]))),
  featured: z.optional(p.flag(docs('Featured or not.'))),
  status: statusFilter,
  geoloc: z.optional(p.flag(docs('The venue has coordinates, or lacks them.'))),
  geoloc_lat: z.optional(
    p.decimal({ ...p.LATITUDE, ...docs('Near this latitude; with `geoloc_lng`.', 53.27) }),
  ),
  geoloc_lng: z.optional(
    p.decimal({ ...p.LONGITUDE, ...docs('Near this longitude; with `geoloc_lat`.', -9.05) }),
  ),
  geoloc_radius: z.optional(
    p.decimal({ minimum: 0, maximum: 20_038, ...docs('Distance in kilometres.', 40), default: 40 }),
  ),
  place: z.optional(
    p.search(docs('Words that must occur in name, address or another text of the venue.', 'kilkenny')),
  ),
  bbox: z.optional(p.box(docs('Only events whose venue is in this box.'))),
  include: z.optional(p.ids(docs('Exactly these events, whatever their dates.', [12, 15]))),
  post_parent: z.optional(p.integer(docs("Only parts listed in this event's programme.", 12))),
  series: z.optional(p.ids(docs('Only occurrences of any of these series.', [3]))),
  source: z.optional(p.ids(docs('From any of these other calendars.', [5]))),
  ticketed: z.optional(p.flag(docs('With or without tickets.'))),
  ticket_availability: z.optional(
    p.someOf(
      withoutEmpty(TICKET_AVAILABILITIES),
      docs('With any of these ticket availabilities.', ['available', 'few']),
    ),
  ),
  wheelchair: z.optional(
    p.someOf(
      withoutEmpty(WHEELCHAIR_ACCESS),
      docs(
        'Any of these levels of wheelchair access, taken from the event or, if it states none, from its venue.',
        ['yes'],
      ),
    ),
  ),
  custom_fields: z.optional(
    customValues(
      'Exactly these values of custom fields, `custom_fields[price_band]=Mid`; at most three keys.',
    ),
  ),
  author: idsOrTexts('By any of these authors: ids and, for editors and administrators, logins.', '3'),
  event_status: z.optional(p.someOf(EVENT_STATUSES, docs('Any of these statuses.', ['canceled']))),
  is_virtual: z.optional(p.flag(docs('Online or not.'))),
  is_free: z.optional(p.flag(docs('Free of charge according to `cost`, or not.'))),
  order: z.optional(p.oneOf(['asc', 'desc'], { ...docs('Sort direction.'), default: 'asc' })),
  orderby: z.optional(
    p.oneOf(ORDERBY, {
      ...docs('Sort key. `event_date` and `event_date_utc` are other names for `start_date`.'),
      default: 'start_date',
    }),
  ),
})

export type EventListParams = z.output<typeof eventList>

/** The checked parameters of a request for a list of events. */
export type EventListValues = Partial<EventListParams> & {
  /**
   * True for subscribers, for whom `series` also includes what was divided from these series, and may name
   * removed series.
   */
  followsSeries?: boolean
}

/** The parameters of a list that somebody has subscribed to, which continues when a series is divided. */
export const followingSeries = <V extends EventListValues>(values: V): V => ({
  ...values,
  followsSeries: true,
})

const details = p.documented(
  z.object({
    year: z.string(),
    month: z.string(),
    day: z.string(),
    hour: z.string(),
    minutes: z.string(),
    seconds: z.string(),
  }),
  { id: 'DateDetails' },
)

const costDetails = p.documented(
  z.object({
    currency_symbol: z.string(),
    currency_code: z.string(),
    currency_position: z.enum(['', 'prefix', 'postfix']),
    values: p.documented(z.array(z.string()), 'Prices in ascending order.'),
  }),
  { id: 'CostDetails' },
)

const customField = p.documented(z.object({ label: z.string(), value: z.string() }), { id: 'CustomField' })

const eventSource = p.documented(
  z.object({
    id: z.int(),
    name: z.string(),
    url: z.string(),
    rights: p.documented(
      z.optional(z.object({ text: z.string(), url: z.string() })),
      'The terms under which it may be shown; absent if unknown.',
    ),
  }),
  { id: 'EventSource' },
)

export const eventSchema = p.documented(
  z.object({
    ...contentResponse,
    ...responsesOf(EVENT_FIELDS),
    rest_url: z.string(),
    image: z.union([imageSchema, z.literal(false)]),
    start_date_details: details,
    end_date_details: details,
    utc_start_date: dateTime,
    utc_start_date_details: details,
    utc_end_date: dateTime,
    utc_end_date_details: details,
    timezone_abbr: z.string(),
    cost: z.string(),
    cost_details: costDetails,
    categories: z.array(termSchema),
    tags: z.array(termSchema),
    venue: p.documented(
      z.union([venueSchema, z.array(venueSchema)]),
      'An empty list for none, an object for one, a list for several.',
    ),
    organizer: z.array(organizerSchema),
    custom_fields: p.documented(
      z.union([z.record(z.string(), customField), z.array(z.never())]),
      'Custom fields by key; an empty list for none.',
    ),
    series: p.documented(z.optional(seriesHeadSchema), 'For occurrences of a series only.'),
    duplicate_of: p.documented(
      z.optional(z.int()),
      'The event that lists show instead, for callers who may edit this one.',
    ),
    source: p.documented(
      z.optional(eventSource),
      'The calendar that it comes from; absent for events of this calendar itself.',
    ),
    other_sources: p.documented(
      z.optional(z.array(eventSource)),
      'Other calendars that have the same event; absent if there are none.',
    ),
    json_ld: z.optional(jsonLdSchema),
  }),
  { id: 'Event' },
)

export type EventResponse = z.output<typeof eventSchema>
