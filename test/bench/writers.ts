import { addDays } from '../../src/kit/lib/time.ts'
import { ADMINISTRATOR, API, authorizationOf } from './api.ts'
import {
  CATEGORIES,
  dayFromToday,
  eventRow,
  ORGANIZERS,
  type SeedEvent,
  TAGS,
  TODAY,
  VENUES,
} from './calendar.ts'
import { makeAgent, send } from './measure.ts'
import type { Random } from './random.ts'

// Writes through the API as people make them, one request after the other.

type Created = { id: number }

/** Sends requests that must succeed. */
function writer(base: URL) {
  const agent = makeAgent(1)
  return async (login: string, method: string, path: string, fields?: object): Promise<Created> => {
    const headers = { authorization: authorizationOf(login), 'content-type': 'application/json' }
    const url = new URL(`${API}${path}`, base)
    const { status, text } = await send(agent, url, {
      method,
      headers,
      body: fields && JSON.stringify(fields),
    })
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
}

/**
 * One of three forms, each as often as the others: an id, a name, or the data of something that may be new.
 */
const choice = (n: number, id: number, name: string, data: object): unknown => [id, name, data][n % 3]

function fieldsOf(n: number, row: SeedEvent, random: Random): object {
  const { title, description, start_date, end_date, timezone, cost, featured, is_virtual } = row
  const category = random.skewed(CATEGORIES) + 1
  const organizers = [{ id: row.organizer }, ...(n % 10 === 0 ? [{ organizer: `Circle ${n % 40}` }] : [])]
  return {
    title,
    description,
    start_date,
    end_date,
    timezone,
    cost,
    featured: featured === 1,
    is_virtual: is_virtual === 1,
    event_status: row.event_status,
    external_id: row.external_id,
    // Every fifth is at a place that nobody has entered before the first such event.
    venue: n % 5 === 0 ? { venue: `Barn ${n % 60}`, city: 'Kent', geo_lat: 54, geo_lng: -7 } : row.venue,
    organizer: n % 2 === 0 ? row.organizer : organizers,
    categories: [choice(n, row.categories[0] ?? 2, `Category ${category}`, { name: `Category ${category}` })],
    tags: [`Tag ${random.skewed(TAGS) + 1}`, ...(n % 25 === 0 ? [`Found ${n}`] : []), ...row.tags],
    ...(n % 25 === 7 && { status: 'draft' }),
  }
}

/**
 * Creates events as several people, who change one of ten of them later and move one of fifty to the trash.
 *
 * @param first the id that the first gets
 */
export async function postEvents(
  base: URL,
  {
    logins,
    first,
    count,
    random,
  }: { logins: readonly string[]; first: number; count: number; random: Random },
  progress: (done: number) => void,
): Promise<void> {
  const write = writer(base)
  for (let n = 0; n < count; n++) {
    const login = logins[n % logins.length] ?? ''
    const row = eventRow(first + n, random)
    const { id } = await write(login, 'POST', '/events', fieldsOf(n, row, random))
    if (n % 10 === 3) await write(login, 'PATCH', `/events/${id}`, changesOf(row, random))
    if (n % 50 === 9) await write(login, 'DELETE', `/events/${id}`)
    progress(n / count)
  }
}

/** The event moves by a week, to another place. */
const changesOf = ({ title, start_date, end_date }: SeedEvent, random: Random) => ({
  title: `${title}, moved`,
  start_date: addDays(start_date, 7),
  end_date: addDays(end_date, 7),
  venue: 1 + random.skewed(VENUES),
  organizer: 1 + random.skewed(ORGANIZERS),
})

/** Series of two years, weekly: so many occurrences each. */
export const OCCURRENCES = 105
/** Series that every calendar has, for requests that change them. */
const FEW = 5

/** Creates weekly series of two years until there are so many occurrences, but at least a few series. */
export async function postSeries(
  base: URL,
  { occurrences, random }: { occurrences: number; random: Random },
  progress: (done: number) => void,
): Promise<void> {
  const write = writer(base)
  const count = Math.max(FEW, Math.round(occurrences / OCCURRENCES))
  for (let n = 0; n < count; n++) {
    const row = eventRow(n, random)
    const start = `${dayFromToday(-365 + (n % 365))} ${row.start_date.slice(11)}`
    await write(ADMINISTRATOR, 'POST', '/events', {
      title: row.title,
      description: row.description,
      cost: row.cost,
      start_date: start,
      end_date: `${start.slice(0, 11)}23:00:00`,
      timezone: row.timezone,
      external_id: `bench-series-${n}`,
      venue: row.venue,
      organizer: row.organizer,
      categories: row.categories,
      tags: row.tags,
      recurrence: { rrule: `FREQ=WEEKLY;COUNT=${OCCURRENCES}` },
    })
    progress(n / count)
  }
}

/** Creates events that are published by the cron on one of the next days. */
export async function scheduleEvents(base: URL, login: string, count: number, random: Random): Promise<void> {
  const write = writer(base)
  for (let n = 0; n < count; n++) {
    const day = dayFromToday(3 + (n % 300))
    await write(login, 'POST', '/events', {
      title: `Announced later ${n}`,
      date: addDays(TODAY, 2 + (n % 20)),
      start_date: `${day} 19:00:00`,
      end_date: `${day} 22:00:00`,
      venue: 1 + random.skewed(VENUES),
      organizer: 1 + random.skewed(ORGANIZERS),
      categories: [`Category ${random.skewed(CATEGORIES) + 1}`],
      tags: [`Tag ${random.skewed(TAGS) + 1}`],
    })
  }
}
