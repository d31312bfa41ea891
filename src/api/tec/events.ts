import * as z from 'zod/mini'
import type { SerializeContext } from '../../context.ts'
import * as p from '../../http/params.ts'
import { hasPassed } from '../../lib/clock.ts'
import { ApiError, type ValidationErrors } from '../../lib/errors.ts'
import { escapeXml } from '../../lib/escape.ts'
import { atInstant, type DateTime, dayNumber, lastDayOf, toEpoch, toUtc, toWall } from '../../lib/time.ts'
import { LIMIT, toInteger } from '../../lib/values.ts'
import { EVENTS } from '../../resources/events/resource.ts'
import type { EventRow } from '../../resources/events/rows.ts'
import {
  EVENT_FIELDS,
  type EventListValues,
  type EventResponse,
  type EventValues,
} from '../../resources/events/schema.ts'
import { type Dates, datesOf } from '../../words/dates.ts'
import { textsIn } from '../../words/words.ts'
import { searchParam } from '../wordpress/shapes.ts'
import { organizerEntity, organizerShape, venueEntity, venueShape } from './related.ts'
import {
  entityHead,
  exactDate,
  exactly,
  headFields,
  headShape,
  idList,
  listParams,
  row,
  textOnly,
} from './shapes.ts'

const phpDate = z.object({ date: z.string(), timezone_type: z.int(), timezone: z.string() })
const MOMENTS = ['start', 'end'] as const
const VIEWS = ['', '_utc', '_site', '_display'] as const
const nothingYet = z.null().register(z.globalRegistry, { description: 'Always null.' })

export const eventShape = z.lazy(() =>
  z
    .object({
      ...headShape,
      type: z.literal('tribe_events'),
      class_list: z.array(z.string()),
      tags: z.array(z.int()),
      tribe_events_cat: z.array(z.int()),
      start_date: z.string(),
      end_date: z.string(),
      start_date_utc: z.string(),
      end_date_utc: z.string(),
      timezone: z.string(),
      dates: z.record(z.string(), phpDate),
      duration: z.int().register(z.globalRegistry, { description: 'Seconds from start to end.' }),
      multiday: z
        .union([z.literal(false), z.int()])
        .register(z.globalRegistry, { description: 'The number of days that it touches, if not one.' }),
      is_past: z.boolean(),
      is_now: z.boolean(),
      all_day: z.boolean(),
      featured: z.boolean(),
      sticky: z.boolean(),
      starts_this_week: nothingYet,
      ends_this_week: nothingYet,
      this_week_duration: nothingYet,
      happens_this_week: nothingYet,
      displays_on: z.array(z.string()),
      cost: z.string(),
      organizer_names: z.array(z.string()),
      organizers: z.array(organizerShape),
      venues: z.array(venueShape),
      schedule_details: z.string(),
      short_schedule_details: z.string(),
    })
    .register(z.globalRegistry, { id: 'TecEvent' }),
)
export type EventEntity = z.output<typeof eventShape>

/** The dates of an event as PHP writes them: in its own zone, in UTC, in the site's zone, and as it is displayed. */
function datesIn(
  { start_date, end_date, utc_start_date, utc_end_date, timezone }: EventResponse,
  zone: string,
) {
  const walls = { start: start_date, end: end_date }
  const instants = { start: utc_start_date, end: utc_end_date }
  const entries = MOMENTS.flatMap(moment =>
    VIEWS.map(view => {
      const [wall, shown] =
        view === '_utc'
          ? [instants[moment], 'UTC']
          : view === '_site'
            ? [toWall(instants[moment], zone), zone]
            : [walls[moment], timezone]
      return [moment + view, { date: `${wall}.000000`, timezone_type: 3, timezone: shown }] as const
    }),
  )
  return Object.fromEntries(entries)
}

const daysOf = (start: DateTime, end: DateTime): number =>
  dayNumber(lastDayOf(start, end)) - dayNumber(start) + 1

type Style = Parameters<Dates['format']>[0]

/** When an event takes place, in words of the site's language. */
function schedule(event: EventResponse, language: string, style: Style): string {
  const { start_date: start, end_date: end, all_day } = event
  const dates = datesOf(language)
  const last = `${lastDayOf(start, end)} 00:00:00`
  if (daysOf(start, end) > 1)
    return `${dates.moment(style, start, all_day)} – ${dates.moment(style, all_day ? last : end, all_day)}`
  const time = end > start ? dates.times(start, end) : dates.clock(start)
  return `${dates.format(style, start)}, ${all_day ? textsIn(language).pages.allDay : time}`
}

/** An event as an entity. */
function eventEntity(row: EventRow, context: SerializeContext): EventEntity {
  const event = EVENTS.serialize(row, context)
  const { timezone, website } = context.settings
  const { start_date, end_date, utc_start_date, utc_end_date } = event
  const isOver = hasPassed(context, utc_end_date)
  const days = daysOf(start_date, end_date)
  const organizers = row.organizers.map(one => organizerEntity(one, context))
  const scheduleIn = (style: Style) =>
    `<span class="tribe-event-date-start">${escapeXml(schedule(event, website.language, style))}</span>`
  return {
    ...entityHead(event, { title: event.title, type: 'tribe_events' }, context),
    type: 'tribe_events',
    class_list: [
      `post-${event.id}`,
      'tribe_events',
      'type-tribe_events',
      `status-${event.status}`,
      ...event.tags.map(({ slug }) => `tag-${slug}`),
      ...event.categories.map(({ slug }) => `tribe_events_cat-${slug}`),
    ],
    tags: event.tags.map(({ id }) => id),
    tribe_events_cat: event.categories.map(({ id }) => id),
    start_date,
    end_date,
    start_date_utc: utc_start_date,
    end_date_utc: utc_end_date,
    timezone: event.timezone,
    dates: datesIn(event, timezone),
    duration: (toEpoch(utc_end_date) - toEpoch(utc_start_date)) / 1000,
    multiday: days > 1 && days,
    is_past: isOver,
    is_now: !isOver && hasPassed(context, utc_start_date),
    all_day: event.all_day,
    featured: event.featured,
    sticky: event.sticky,
    starts_this_week: null,
    ends_this_week: null,
    this_week_duration: null,
    happens_this_week: null,
    displays_on: [],
    cost: event.cost,
    organizer_names: organizers.map(({ title }) => title.rendered),
    organizers,
    venues: row.venues.map(one => venueEntity(one, context)),
    schedule_details: scheduleIn('date'),
    short_schedule_details: scheduleIn('shortDay'),
  }
}

/** Events as entities. */
export const EVENT_ENTITIES = {
  ...EVENTS,
  response: eventShape,
  serialize: eventEntity,
  serializeSingle: eventEntity,
}

const link = (id: number) => ({ id })
const term = (id: number) => ({ id, creatable: false })

/** The fields that events take. */
export const EVENT_ROWS = {
  ...headFields,
  title: row('title', EVENT_FIELDS.title.param),
  content: row('description', EVENT_FIELDS.description.param),
  excerpt: row('excerpt', EVENT_FIELDS.excerpt.param),
  start_date: row('start_date', exactDate("Start, in the event's time zone:")),
  end_date: row('end_date', z.optional(exactDate("End, in the event's time zone:"))),
  duration: row(
    'duration',
    z.optional(
      p.field(raw => toInteger(raw, 0), {
        type: 'integer',
        minimum: 0,
        description: 'Seconds from start to end, instead of `end_date`.',
        example: 7200,
      }),
    ),
  ),
  timezone: row('timezone', EVENT_FIELDS.timezone.param),
  all_day: row('all_day', EVENT_FIELDS.all_day.param),
  featured: row('featured', EVENT_FIELDS.featured.param),
  sticky: row('sticky', EVENT_FIELDS.sticky.param),
  cost: row(
    'cost',
    textOnly(p.line({ description: '', limit: LIMIT.text }), 'Cost: a price, a range, or words.', '$10'),
  ),
  organizers: row('organizer', idList('Ids of the organizers; an empty list for none.', link)),
  venues: row('venue', idList('Ids of the venues; an empty list for none.', link)),
  tags: row('tags', idList('Ids of the tags.', term)),
  tribe_events_cat: row('categories', idList('Ids of the categories.', term)),
}

type StoredTimes = { start_date: DateTime; timezone: string }

/**
 * Values of an event with the end that follows from its duration.
 *
 * @param errors gets one for a new event without an end, and for an end and a duration that contradict each other
 */
export function withEnd(
  { duration, ...values }: EventValues & { duration?: number },
  { stored, zone: usual }: { stored: StoredTimes | undefined; zone: string },
  errors: ValidationErrors,
): EventValues {
  const start = values.start_date ?? stored?.start_date
  if (duration === undefined || start === undefined) {
    if (!stored && values.end_date === undefined && !errors.any)
      errors.fail(
        new ApiError('rest_missing_callback_param', 'Missing parameter(s): end_date or duration', {
          params: ['end_date'],
        }),
      )
    return values
  }
  const zone = values.timezone ?? stored?.timezone ?? usual
  const startMs = toEpoch(toUtc(start, zone))
  if (values.end_date === undefined) {
    const { wall } = atInstant(startMs + duration * 1000, zone)
    return { ...values, end_date: wall }
  }
  if (!values.all_day && toEpoch(toUtc(values.end_date, zone)) - startMs !== duration * 1000)
    errors.add('duration', 'must be the number of seconds from start_date to end_date, or absent')
  return values
}

const moment = (description: string, example = '2027-06-01') => z.optional(p.date({ description, example }))

/** The orders of lists, and those of the calendar's own. Events have no order of a menu. */
const ORDERS = {
  event_date: 'start_date',
  date: 'date',
  title: 'title',
  menu_order: 'id',
  modified: 'modified',
} as const
type Order = keyof typeof ORDERS

// Object.keys forgets the keys' type.
const ORDER_NAMES = Object.keys(ORDERS) as Order[]

export const eventParams = z.object({
  ...listParams,
  search: searchParam,
  start_date: moment('Only events that start then or later.'),
  end_date: moment('Only events that end then or earlier.'),
  starts_after: moment('Only events that start later.'),
  starts_before: moment('Only events that start earlier.'),
  ends_after: moment('Only events that end later.'),
  ends_before: moment('Only events that end earlier.'),
  categories: z.optional(
    p.ids({ description: 'Any of these categories or their subcategories.', example: [3] }),
  ),
  tags: z.optional(p.ids({ description: 'Any of these tags.', example: [8] })),
  venue: z.optional(p.ids({ description: 'Any of these venues.', example: [3] })),
  organizer: z.optional(p.ids({ description: 'Any of these organizers.', example: [4] })),
  featured: z.optional(p.flag({ description: 'Featured or not.' })),
  ticketed: z.optional(p.flag({ description: 'With or without tickets.' })),
  post_parent: z.optional(p.integer({ description: 'Only parts of this event.', example: 12 })),
  orderby: exactly(ORDER_NAMES, { description: 'What to sort by.', fallback: 'event_date' }),
  order: exactly(['ASC', 'DESC'], { description: 'Direction of sorting.', fallback: 'ASC' }),
})

/** The filters of the calendar's own list for these parameters. */
export const ownFilters = ({
  categories,
  tags,
  orderby,
  order,
  ...same
}: Partial<z.output<typeof eventParams>>): EventListValues => ({
  ...same,
  ...(categories && { categories: categories.map(String) }),
  ...(tags && { tags: tags.map(String) }),
  ...(orderby && { orderby: ORDERS[orderby] }),
  order: order === 'DESC' ? 'desc' : 'asc',
  // To the second, and no window where none is named.
  strict_dates: true,
})
