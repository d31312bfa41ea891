import { createApp } from '../app.ts'
import { addDays, type DateTime, formatInstant, startOfDay, toEpoch } from '../lib/time.ts'
import { NAMESPACE, settingsOf } from '../settings.ts'
import type { LocalConnection } from './database.ts'
import { CATEGORIES, EVENTS, type When, ZONE } from './sample.ts'

/**
 * Fills a calendar with the sample by way of the API itself, as any client would.
 *
 * @param authorization the header of a caller who may publish and create categories
 * @param nowMs the day from which the sample's dates count, in milliseconds since 1970
 * @returns how many events there are
 * @throws Error if the API refuses something
 */
export async function loadSample(
  { bindings, context }: LocalConnection,
  authorization: string,
  nowMs: number,
): Promise<number> {
  const app = createApp(settingsOf(bindings))

  const post = async (collection: string, fields: object): Promise<number> => {
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
    if (!response.ok) throw new Error(`The sample was refused by /${collection}: ${text}`)
    return Number(JSON.parse(text).id)
  }

  const ids = new Map<string, number>()
  for (const { name, description, parent } of CATEGORIES) {
    const parentId = parent === undefined ? 0 : ids.get(parent)
    ids.set(name, await post('categories', { name, description, parent: parentId }))
  }
  // Venues and organizers come with their events: the second of a kind links the one that the first made.
  const now = formatInstant(nowMs)
  for (const { when, fields } of EVENTS) {
    await post('events', { timezone: ZONE, ...datesOf(when, now), ...fields })
  }
  return EVENTS.length
}

/** First and last moment of a sample event, as wall times; the present is one, too. */
export function datesOf({ weekday, week, days = 1, from = '00:00', to = '23:59:59' }: When, now: DateTime) {
  const tomorrow = addDays(startOfDay(now), 1)
  const first = addDays(tomorrow, ((weekday - weekdayOf(tomorrow) + 7) % 7) + 7 * week)
  const last = addDays(first, days - 1)
  return { start_date: `${first.slice(0, 10)} ${from}`, end_date: `${last.slice(0, 10)} ${to}` }
}

/** Monday is 1, Sunday 7. */
const weekdayOf = (day: DateTime): number => new Date(toEpoch(day)).getUTCDay() || 7
