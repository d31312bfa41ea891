import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { decodeEntities, htmlToText } from '../../../src/kit/lib/text.ts'
import { type Answer, declareUser, makeAll, send } from '../../factories.ts'

// Every event of captured answers of real calendars, written through the API and read back. The captures are
// no part of the project: without the folder ../shared/data/events-api beside it these tests are skipped.

type Captured = Answer['body']

const files = env.SITES
const admin = declareUser('administrator', 'admin')

/** A captured event as a request: everything as it stands there, but for ids, which mean nothing here. */
function toRequest({ id, author, date, date_utc, status, global_id, ...event }: Captured): object {
  const withoutIds = (item: Captured) =>
    Object.fromEntries(
      Object.entries(item).filter(([name]) => !['id', 'author', 'date', 'date_utc', 'slug'].includes(name)),
    )
  const named = (items: unknown, name: string) =>
    [items]
      .flat()
      .filter((item): item is Captured => Boolean((item as Captured)?.[name]))
      .map(withoutIds)
  return {
    ...event,
    timezone: event.timezone || 'UTC',
    image: event.image ? event.image.url : false,
    ticketed: Array.isArray(event.ticketed) ? event.ticketed.length > 0 : (event.ticketed ?? false),
    venue: named(event.venue, 'venue'),
    organizer: named(event.organizer, 'organizer'),
    categories: event.categories.map(withoutIds),
    tags: event.tags.map(withoutIds),
  }
}

const text = (value: unknown): string =>
  decodeEntities(String(value ?? ''))
    .replace(/\s+/g, ' ')
    .trim()
const namesOf = (items: unknown, name: string): string[] =>
  [items]
    .flat()
    .map(item => text((item as Captured)?.[name]))
    .filter(Boolean)

describe.skipIf(files.length === 0)('real calendars', () => {
  it.each(files)('are read as they were written: $name', async ({ text: json }) => {
    const page: Captured = JSON.parse(json)
    const events: Captured[] = page.events ?? (page.title === undefined ? [] : [page])
    if (events.length === 0) return
    const written = await makeAll(admin, 'events', events.map(toRequest))
    const include = `include=${written.map(({ id }) => id)}&per_page=100`
    const read: Captured[] = (await send('GET', `/events?${include}`)).body.events
    expect(read).toHaveLength(events.length)
    for (const [n, event] of events.entries()) {
      const body = read.find(({ id }) => id === written[n]?.id) ?? {}
      expect(text(body.title)).toBe(text(event.title))
      expect([body.start_date, body.end_date]).toEqual([event.start_date, event.end_date])
      // One capture ends before it starts in UTC, though not in its own zone: that is no time to compare
      // with.
      if (event.timezone && event.utc_end_date >= event.utc_start_date)
        expect([body.utc_start_date, body.utc_end_date]).toEqual([event.utc_start_date, event.utc_end_date])
      expect(namesOf(body.venue, 'venue')).toEqual(namesOf(event.venue, 'venue'))
      expect(namesOf(body.organizer, 'organizer')).toEqual(namesOf(event.organizer, 'organizer'))
      for (const list of ['categories', 'tags'])
        expect(namesOf(body[list], 'name').sort()).toEqual([...new Set(namesOf(event[list], 'name'))].sort())
      expect(text(htmlToText(body.description))).toBe(text(htmlToText(event.description)))
      expect(text(body.cost)).toBe(text(event.cost))
      expect(body.image ? body.image.url : false).toBe(event.image ? event.image.url : false)
    }
  })
})
