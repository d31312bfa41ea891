import { createApp } from '../app.ts'
import { many } from '../db/query.ts'
import { events } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { addDays, atInstant, type DateTime, isoWeekday, startOfDay } from '../lib/time.ts'
import { NAMESPACE, settingsOf } from '../settings.ts'
import type { LocalCalendar } from './lean-database.ts'
import sample from './sample.json' with { type: 'json' }

// sample.json is some weeks in Kilkenny. The town and its streets exist; venues, people and events are fictional. Times and costs are in
// the zone and currency of the calendar, apart from one event in Nova Scotia.

/** The dates of a sample event, relative to the day of loading. */
type When = {
  /** Monday is 1, Sunday 7. */
  weekday: number
  /** 0 is the first such weekday after today, -1 the last until today. */
  week: number
  /** Number of weeks in which the event takes place; 1 by default. */
  weeks?: number
  /** Number of days; 1 by default. */
  days?: number
  /** Wall times; an event without them takes all day. */
  from?: string
  to?: string
}

type SampleEvent = {
  when: When
  /** The name of a file in sample-images. */
  image?: string
  venue?: keyof typeof sample.venues
  organizers?: readonly (keyof typeof sample.organizers)[]
  fields: { title: string }
}

/** The categories, parents before their children. */
export const SAMPLE_CATEGORIES: readonly { name: string; description: string; parent?: string }[] =
  sample.categories

/** The events, in the order in which they are created. */
// The file uses only its own names of venues and organizers, but the compiler reads them as any text.
export const SAMPLE_EVENTS = (sample.events as SampleEvent[]).flatMap(event =>
  Array.from({ length: event.when.weeks ?? 1 }, (_, i) => ({
    ...event,
    when: { ...event.when, week: event.when.week + i },
  })),
)

/**
 * Fills a calendar with the sample through the API. Existing rows stay unchanged.
 *
 * @param authorization the header of a caller who may publish and create categories
 * @param images the address of the folder of images
 * @param images the address of the folder with images
 * @returns the number of events
 * @throws Error if the API refuses a request
 */
export async function loadSample(
  { bindings, context, db }: LocalCalendar,
  authorization: string,
  images: string,
  nowMs: number,
): Promise<number> {
  const settings = settingsOf(bindings)
  const app = createApp(settings)

  const create = async (collection: string, fields: object): Promise<number> => {
    const response = await app.request(
      `/${NAMESPACE}/${collection}`,
      {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      },
      bindings,
      context,
    )
    const text = await response.text()
    const body = JSON.parse(text)
    if (body.code === 'term_exists') return Number(body.data.term_id)
    if (!response.ok) throw new Error(`The sample was rejected by /${collection}: ${text}`)
    return Number(body.id)
  }

  const ids = new Map<string, number>()
  for (const { name, description, parent } of SAMPLE_CATEGORIES) {
    const parentId = parent === undefined ? 0 : ids.get(parent)
    ids.set(name, await create('categories', { name, description, parent: parentId }))
  }
  // Each venue and organizer is created with its first event.
  const now = atInstant(nowMs, settings.timezone).wall
  // Counts by title, because several events share a title and the dates depend on the day of loading.
  const stored = await db.get(many(build.select({ title: events.title }).from(events)))
  const titles = stored.map(({ title }) => title)
  for (const { when, image: name, venue, organizers = [], fields } of SAMPLE_EVENTS) {
    const at = titles.indexOf(fields.title)
    if (at >= 0) {
      titles.splice(at, 1)
      continue
    }
    const image = name && { url: `${images}${name}.svg`, width: 1200, height: 800 }
    await create('events', {
      ...sampleDates(when, now),
      ...(image && { image }),
      ...(venue && { venue: sample.venues[venue] }),
      organizer: organizers.map(organizer => sample.organizers[organizer]),
      ...fields,
    })
  }
  return SAMPLE_EVENTS.length
}

/** Start and end of a sample event, as wall times. @param now wall time */
export function sampleDates(
  { weekday, week, days = 1, from = '00:00', to = '23:59:59' }: When,
  now: DateTime,
) {
  const tomorrow = addDays(startOfDay(now), 1)
  const first = addDays(tomorrow, ((weekday - isoWeekday(tomorrow) + 7) % 7) + 7 * week)
  const last = addDays(first, days - 1)
  return { start_date: `${first.slice(0, 10)} ${from}`, end_date: `${last.slice(0, 10)} ${to}` }
}
