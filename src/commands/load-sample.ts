import { createApp } from '../app.ts'
import { isDecided } from '../calendar/settings/routes.ts'
import type { SettingsResponse } from '../calendar/settings/schema.ts'
import { many } from '../kit/db/query.ts'
import { build } from '../kit/db/statements.ts'
import { events } from '../kit/db/tables.ts'
import { readSettingsIn } from '../kit/http/stored-settings.ts'
import { atInstant, type DateTime, daysLater, isoWeekday } from '../kit/lib/time.ts'
import { NAMESPACE, settingsOf } from '../kit/settings.ts'
import type { LocalCalendar } from './lean-database.ts'
import sample from './sample.json' with { type: 'json' }

// sample.json is some weeks in Kilkenny. The town and its streets exist; venues, people and events are
// fictional. Times and costs are in the zone and currency of the calendar, apart from one event in Nova
// Scotia.

/** The dates of a sample event, relative to the day of loading. */
type SampleTime = {
  /** Monday is 1, Sunday 7. */
  weekday: number
  /** 0 is the first such weekday after today, -1 the last until today. */
  week: number
  /** Number of weekly dates; a single event by default. */
  dates?: number
  /** The dates that a series leaves out, from 0. */
  without?: readonly number[]
  /** Number of days; 1 by default. */
  days?: number
  /** Wall times; an event without them takes all day. */
  from?: string
  to?: string
}

type SampleEvent = {
  when: SampleTime
  /** The name of a file in sample-images. */
  image?: string
  venue?: keyof typeof sample.venues
  organizers?: readonly (keyof typeof sample.organizers)[]
  fields: { title: string }
  /** A change after the event was created: it moves by some days. */
  movedBy?: { days: number; reason: string }
  /** Its programme: other events at its venue, with the day counted from its first day. */
  parts?: readonly { day: number; from: string; to: string; fields: { title: string } }[]
}

/** The categories, parents before their children. */
export const SAMPLE_CATEGORIES: readonly { name: string; description: string; parent?: string }[] =
  sample.categories

/**
 * The events in the order in which they are created: single ones, series, and one with a programme. No two
 * share a title.
 */
// The file uses only its own names of venues and organizers, but the compiler reads them as any text.
export const SAMPLE_EVENTS = sample.events as readonly SampleEvent[]

/** The number of events, each date of a series and each part of a programme being one. */
export const SAMPLE_SIZE = SAMPLE_EVENTS.reduce(
  (sum, { when: { dates = 1, without = [] }, parts = [] }) => sum + dates - without.length + parts.length,
  0,
)

type SampleOptions = {
  /** The header of a caller who may publish, create categories and change settings. */
  authorization: string
  /** The address of the folder with images. */
  images: string
  nowMs: number
  /**
   * True to give the calendar the sample's name, colour, header picture, time zone and currency, as far as
   * vars leave them open.
   */
  hasSettings?: boolean
}

/** Requests to the API of a calendar. @throws Error if it refuses one */
function apiOf({ bindings, context }: LocalCalendar, authorization: string) {
  const app = createApp(settingsOf(bindings))
  const headers = { authorization, 'content-type': 'application/json' }

  const send = async (method: string, path: string, fields?: object) => {
    const request = { method, headers, ...(fields && { body: JSON.stringify(fields) }) }
    const response = await app.request(`/${NAMESPACE}${path}`, request, bindings, context)
    const text = await response.text()
    const body = JSON.parse(text)
    if (body.code === 'term_exists') return { id: Number(body.data.term_id) }
    if (!response.ok) throw new Error(`The sample was rejected by ${path}: ${text}`)
    return body
  }
  const create = async (collection: string, fields: object): Promise<number> =>
    Number((await send('POST', `/${collection}`, fields)).id)

  return { send, create }
}

type Api = ReturnType<typeof apiOf>

/** Gives the calendar the settings of the sample, as far as vars leave them open. */
async function applySettings({ send }: Api): Promise<void> {
  const currentSettings: SettingsResponse = await send('GET', '/settings')
  const undecidedSettings = Object.entries(sample.settings).filter(
    ([name]) => !isDecided(currentSettings, asSetting(name)),
  )
  if (undecidedSettings.length > 0) await send('PATCH', '/settings', Object.fromEntries(undecidedSettings))
}

/** Creates the categories, each after its parent. Those that exist stay as they are. */
async function createCategories({ create }: Api): Promise<void> {
  const ids = new Map<string, number>()
  for (const { name, description, parent } of SAMPLE_CATEGORIES) {
    const parentId = parent === undefined ? 0 : ids.get(parent)
    ids.set(name, await create('categories', { name, description, parent: parentId }))
  }
}

/**
 * Creates an event with its programme, unless it is known. Its venue and organizers are created with the
 * first event that has them.
 *
 * @param known ids of the calendar's events by title
 * @param now the wall time in the calendar's zone
 * @returns the id of the event
 */
async function createEvent(
  { send, create }: Api,
  { when, image: name, venue, organizers = [], fields, movedBy, parts = [] }: SampleEvent,
  { known: knownIds, images, now }: { known: ReadonlyMap<string, number>; images: string; now: DateTime },
): Promise<number> {
  const dates = sampleDates(when, now)
  const image = name && { url: `${images}${name}.svg`, width: 1200, height: 800 }
  const place = venue && { venue: sample.venues[venue] }
  const id =
    knownIds.get(fields.title) ??
    (await create('events', {
      ...dates,
      ...(when.dates && { recurrence: recurrenceOf(when, dates.start_date) }),
      ...(image && { image }),
      ...place,
      organizer: organizers.map(organizer => sample.organizers[organizer]),
      ...fields,
    }))
  if (movedBy)
    await send('PATCH', `/events/${id}`, {
      start_date: laterBy(dates.start_date, movedBy.days),
      end_date: laterBy(dates.end_date, movedBy.days),
      event_status: 'rescheduled',
      event_status_reason: movedBy.reason,
    })
  for (const { day, from, to, fields: part } of parts) {
    const date = daysLater(dates.start_date, day)
    const times = { start_date: `${date} ${from}`, end_date: `${date} ${to}` }
    if (!knownIds.has(part.title)) await create('events', { ...times, ...place, ...part, post_parent: id })
  }
  return id
}

/**
 * Fills a calendar with the sample through the API. Existing events stay as they are, so that an interrupted
 * run can be repeated.
 *
 * @returns the number of events
 * @throws Error if the API refuses a request
 */
export async function loadSample(
  calendar: LocalCalendar,
  { authorization, images, nowMs, hasSettings = false }: SampleOptions,
): Promise<number> {
  const { bindings, db } = calendar
  const api = apiOf(calendar, authorization)
  if (hasSettings) await applySettings(api)
  const { timezone } = await readSettingsIn(db, bindings)
  await createCategories(api)
  const storedEvents = await db.read(many(build.select({ id: events.id, title: events.title }).from(events)))
  const knownIds = new Map(storedEvents.map(({ id, title }) => [title, id]))
  for (const event of SAMPLE_EVENTS) {
    const id = await createEvent(api, event, {
      known: knownIds,
      images,
      now: atInstant(nowMs, timezone).wall,
    })
    if (hasSettings && event.image === sample.header) {
      const { image } = await api.send('GET', `/events/${id}`)
      await api.send('PATCH', '/settings', { header_image: Number(image.id) })
    }
  }
  return SAMPLE_SIZE
}

// The compiler reads the keys of the file as any text.
const asSetting = (name: string) => name as keyof typeof sample.settings

/** The same time of day, with or without seconds, a number of days later. */
const laterBy = (start: string, days: number): string => daysLater(start, days) + start.slice(10)

/** The rule of weekly dates, with the starts that it leaves out. */
const recurrenceOf = ({ dates, without = [] }: SampleTime, start: string) => ({
  rrule: `FREQ=WEEKLY;COUNT=${dates}`,
  exdate: without.map(week => laterBy(start, 7 * week)),
})

/** Start and end of a sample event, as wall times. @param now wall time */
export function sampleDates(
  { weekday, week, days = 1, from = '00:00', to = '23:59:59' }: SampleTime,
  now: DateTime,
) {
  const tomorrow = daysLater(now, 1)
  const first = daysLater(tomorrow, ((weekday - isoWeekday(tomorrow) + 7) % 7) + 7 * week)
  return { start_date: `${first} ${from}`, end_date: `${daysLater(first, days - 1)} ${to}` }
}
