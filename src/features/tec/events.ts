import * as z from 'zod/mini'
import { intervalOf } from '../../calendar/events/interval.ts'
import { listReferences } from '../../calendar/events/listing/filters.ts'
import { eventPage } from '../../calendar/events/listing/page.ts'
import { selectEventPage } from '../../calendar/events/queries.ts'
import { EVENTS } from '../../calendar/events/resource.ts'
import type { EventRow } from '../../calendar/events/rows.ts'
import {
  EVENT_FIELDS,
  type EventListValues,
  type EventResponse,
  type EventValues,
  eventList,
} from '../../calendar/events/schema.ts'
import { eventWrites } from '../../calendar/events/writes.ts'
import type { SerializeContext } from '../../kit/context.ts'
import * as p from '../../kit/http/params.ts'
import { ApiError, type ValidationErrors } from '../../kit/lib/errors.ts'
import {
  atInstant,
  type DateTime,
  dayNumber,
  exactTime,
  isDateTime,
  lastDayOf,
  spanAt,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
} from '../../kit/lib/time.ts'
import { FIELD_LIMITS, parseBoolean, refuse, scalarText } from '../../kit/lib/values.ts'
import { escapeXml } from '../../kit/lib/xml.ts'
import { datesOf, spanStyle } from '../../words/dates.ts'
import { textsIn } from '../../words/words.ts'
import { defineEntity, routesOfEntity } from './entity-routes.ts'
import {
  asHtml,
  commonFields,
  type EntitySource,
  idList,
  listParams,
  sameFields,
  stringSchema,
  tecField,
} from './fields.ts'
import { ORGANIZER_ENTITIES, VENUE_ENTITIES } from './related.ts'

// Events as entities of `tec/v1`.

type Event = EntitySource<EventRow, EventResponse>

const stringsSchema = z.array(stringSchema)
const idsSchema = z.array(z.int())
const nullSchema = p.documented(z.null(), 'Always null.')
const phpDate = z.object({ date: stringSchema, timezone_type: z.int(), timezone: stringSchema })

const classesOf = ({ serialized: { id, status, tags, categories } }: Event): string[] => [
  `post-${id}`,
  'tribe_events',
  'type-tribe_events',
  `status-${status}`,
  ...tags.map(({ slug }) => `tag-${slug}`),
  ...categories.map(({ slug }) => `tribe_events_cat-${slug}`),
]

/**
 * The dates of an event as PHP writes them: in its own zone, in UTC, in the site's zone, and as it is
 * displayed.
 */
function datesIn({ serialized }: Event, { settings }: SerializeContext) {
  const shownTimes = [serialized.start_date, serialized.end_date, serialized.timezone] as const
  const utc = [serialized.utc_start_date, serialized.utc_end_date, 'UTC'] as const
  const start = toWall(utc[0], settings.timezone)
  const end = toWall(utc[1], settings.timezone)
  const views = {
    '': shownTimes,
    _utc: utc,
    _site: [start, end, settings.timezone],
    _display: shownTimes,
  } as const
  const php = (wall: DateTime, timezone: string) => ({ date: `${wall}.000000`, timezone_type: 3, timezone })
  return Object.fromEntries(
    Object.entries(views).flatMap(([view, [startTime, endTime, zone]]) => [
      [`start${view}`, php(startTime, zone)],
      [`end${view}`, php(endTime, zone)],
    ]),
  )
}

const lengthInDays = ({ serialized: { start_date, end_date } }: Event): number =>
  dayNumber(lastDayOf(start_date, end_date)) - dayNumber(start_date) + 1

/** When an event takes place, in words of the site's language. */
const scheduleHtml = (length: 'long' | 'short') => (event: Event, context: SerializeContext) => {
  const { timezone, website } = context.settings
  const { language } = website
  const { start_date: start, end_date: end, all_day } = event.serialized
  const dates = datesOf(language)
  const last = all_day ? lastDayOf(start, end) : end
  const today = startOfDay(toWall(context.clock.untrackedTime, timezone))
  const style = length === 'long' ? 'date' : spanStyle(start, last, today)
  const times = end > start ? dates.times(start, end) : dates.clock(start)
  const words =
    lengthInDays(event) > 1
      ? `${dates.moment(style, start, all_day)} – ${dates.moment(style, last, all_day)}`
      : `${dates.format(style, start)}, ${all_day ? textsIn(language).pages.allDay : times}`
  return `<span class="tribe-event-date-start">${escapeXml(words)}</span>`
}

const hasEnded = ({ serialized }: Event, context: SerializeContext) =>
  context.clock.hasPassed(serialized.utc_end_date)

const EXACT = 'YYYY-MM-DD HH:MM:SS'

/** A local date in the only form that the plugin accepts. */
const exactDate = (description: string) =>
  p.text({
    isValid: isDateTime,
    reason: `must be an existing date of the form ${EXACT}`,
    description: `${description} ${EXACT}.`,
    example: '2027-06-10 20:00:00',
  })

const seconds = p.integer({
  minimum: 0,
  description: 'Seconds from start to end, instead of `end_date`.',
  example: 7200,
})

/** A cost, which must not be a number. */
const cost = p.field(
  raw => p.lineOf(typeof raw === 'string' ? raw : refuse('must be text'), FIELD_LIMITS.text),
  {
    type: 'string',
    description: 'Cost: a price, a range, or words.',
    example: '$10',
  },
)

const linkIn = (id: number) => ({ id })
const termIn = (id: number) => ({ id, creatable: false })
const itemIds = (items: readonly { id: number }[]) => items.map(({ id }) => id)

const EVENT_ENTITIES = defineEntity<EventRow, EventResponse>(EVENTS, {
  ...commonFields('tribe_events', 'title', EVENT_FIELDS),
  ...sameFields(EVENT_FIELDS, ['timezone', 'all_day', 'featured', 'sticky']),
  class_list: tecField(stringsSchema, classesOf),
  tags: tecField(idsSchema, ({ serialized }) => itemIds(serialized.tags), {
    param: idList('Ids of the tags.', termIn),
  }),
  tribe_events_cat: tecField(idsSchema, ({ serialized }) => itemIds(serialized.categories), {
    param: idList('Ids of the categories.', termIn),
    sets: 'categories',
  }),
  start_date: tecField(stringSchema, ({ serialized }) => serialized.start_date, {
    param: exactDate("Start, in the event's time zone:"),
  }),
  end_date: tecField(stringSchema, ({ serialized }) => serialized.end_date, {
    param: z.optional(exactDate("End, in the event's time zone:")),
  }),
  start_date_utc: tecField(stringSchema, ({ serialized }) => serialized.utc_start_date),
  end_date_utc: tecField(stringSchema, ({ serialized }) => serialized.utc_end_date),
  dates: tecField(z.record(stringSchema, phpDate), datesIn),
  duration: tecField(
    p.documented(z.int(), 'Seconds from start to end.'),
    ({ serialized }) => (toEpoch(serialized.utc_end_date) - toEpoch(serialized.utc_start_date)) / 1000,
    { param: z.optional(seconds) },
  ),
  multiday: tecField(
    p.documented(z.union([z.literal(false), z.int()]), 'The number of days that it spans, if more than one.'),
    event => lengthInDays(event) > 1 && lengthInDays(event),
  ),
  is_past: tecField(z.boolean(), hasEnded),
  is_now: tecField(
    z.boolean(),
    (event, context) => !hasEnded(event, context) && context.clock.hasPassed(event.serialized.utc_start_date),
  ),
  starts_this_week: tecField(nullSchema, () => null),
  ends_this_week: tecField(nullSchema, () => null),
  this_week_duration: tecField(nullSchema, () => null),
  happens_this_week: tecField(nullSchema, () => null),
  displays_on: tecField(stringsSchema, () => []),
  cost: tecField(stringSchema, ({ serialized }) => serialized.cost, { param: z.optional(cost) }),
  organizer_names: tecField(stringsSchema, ({ serialized }) =>
    serialized.organizer.map(({ organizer }) => asHtml(organizer)),
  ),
  organizers: tecField(
    z.array(ORGANIZER_ENTITIES.response),
    ({ row }, context) => row.organizers.map(one => ORGANIZER_ENTITIES.serialize(one, context)),
    { param: idList('Ids of the organizers; an empty list for none.', linkIn), sets: 'organizer' },
  ),
  venues: tecField(
    z.array(VENUE_ENTITIES.response),
    ({ row }, context) => row.venues.map(one => VENUE_ENTITIES.serialize(one, context)),
    { param: idList('Ids of the venues; an empty list for none.', linkIn), sets: 'venue' },
  ),
  schedule_details: tecField(stringSchema, scheduleHtml('long')),
  short_schedule_details: tecField(stringSchema, scheduleHtml('short')),
})

type SentTimes = {
  values: EventValues & { duration?: number }
  stored?: { start_date: DateTime; timezone: string } | undefined
}

/**
 * The values of an event, with an end computed from its duration.
 *
 * @param errors gets an error for a new event without an end, and for an end and a duration that contradict
 *   each other
 */
function withEnd(
  { values: { duration, ...values }, stored }: SentTimes,
  siteZone: string,
  errors: ValidationErrors,
): EventValues {
  const start = values.start_date ?? stored?.start_date
  // An invalid duration has its own error. Without an end, the event would get a second error.
  if (errors.has('duration') && start !== undefined) return { end_date: start, ...values }
  if (duration === undefined || start === undefined) {
    if (!stored && values.end_date === undefined && !errors.hasAny)
      errors.fail(
        new ApiError('rest_missing_callback_param', 'Missing parameter(s): end_date or duration', {
          params: ['end_date'],
        }),
      )
    return values
  }
  const zone = values.timezone ?? stored?.timezone ?? siteZone
  if (values.end_date === undefined) {
    const { wall, utc } = atInstant(toEpoch(toUtc(start, zone)) + duration * 1000, zone)
    // In autumn, clocks show one hour twice: the offset says which of the two the duration leads to.
    return { ...values, end_date: exactTime(wall, utc, zone) }
  }
  const span = spanAt({ start, end: values.end_date }, zone)
  if (!values.all_day && toEpoch(span.end.utc) - toEpoch(span.start.utc) !== duration * 1000)
    errors.add('duration', 'must be the number of seconds from start_date to end_date, or absent')
  return values
}

/** The orders of lists, with the calendar's own orders. Events have no menu order. */
const ORDERS = {
  event_date: 'start_date',
  date: 'date',
  title: 'title',
  menu_order: 'id',
  modified: 'modified',
} as const

/** One of the allowed words, in exact spelling; the first word if absent. */
const enumParam = <const W extends string>(allowed: readonly [W, ...W[]], description: string) =>
  z.optional(
    p.field(
      raw => allowed.find(word => word === scalarText(raw)) ?? refuse(`must be one of ${allowed.join(', ')}`),
      { type: 'string', enum: allowed, description, default: allowed[0], example: allowed[0] },
    ),
  )

const boundParam = (description: string) => z.optional(p.date({ description, example: '2027-06-01' }))
const { starts_after, starts_before, ends_after, ends_before } = eventList.shape
const { venue, organizer, featured, post_parent } = eventList.shape

/** Clients of the plugin also name providers of tickets. This calendar has one kind of tickets. */
const ticketed = z.optional(
  p.field(
    raw =>
      Array.isArray(raw) ||
      (parseBoolean(scalarText(raw)) ?? refuse('must be true, false or a list of names')),
    {
      type: 'boolean',
      description: 'With or without tickets. A list of providers means with tickets, whoever sells them.',
      example: true,
    },
  ),
)

const eventParams = p.lazyObject('TecEventParams', () => ({
  ...listParams,
  start_date: boundParam('Only events that start then or later.'),
  end_date: boundParam('Only events that end then or earlier.'),
  starts_after,
  starts_before,
  ends_after,
  ends_before,
  categories: z.optional(
    p.ids({ description: 'Any of these categories or their subcategories.', example: [3] }),
  ),
  tags: z.optional(p.ids({ description: 'Any of these tags.', example: [8] })),
  venue,
  organizer,
  featured,
  ticketed,
  post_parent,
  // Object.keys forgets the keys' type.
  orderby: enumParam(Object.keys(ORDERS) as [keyof typeof ORDERS], 'Sort key.'),
  order: enumParam(['ASC', 'DESC'], 'Sort direction.'),
}))

/** The filters of the calendar's own list for these parameters. */
const ownFilters = ({
  categories,
  tags,
  orderby,
  order,
  ...sharedParams
}: Partial<z.output<typeof eventParams>>): EventListValues => ({
  ...sharedParams,
  ...(categories && { categories: categories.map(String) }),
  ...(tags && { tags: tags.map(String) }),
  ...(orderby && { orderby: ORDERS[orderby] }),
  order: order === 'DESC' ? 'desc' : 'asc',
  // Dates are exact to the second, and there is no default window.
  strict_dates: true,
})

export const EVENT_ROUTES = routesOfEntity({
  resource: EVENT_ENTITIES,
  writes: {
    ...eventWrites,
    prepare: (context, input, errors) => {
      const values = withEnd(input, context.settings.timezone, errors)
      return eventWrites.prepare(context, { ...input, values }, errors)
    },
  },
  params: eventParams,
  select: (context, { values: params, page }) => {
    const values = ownFilters(params)
    const { interval } = intervalOf(context, values, {})
    return selectEventPage(context, eventPage(context, { values, page, interval }))
  },
  references: (context, params) => listReferences(context, ownFilters(params)),
})
