import { beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { type EventFields, eventFields } from '../../../src/resources/events/schema.ts'
import { type OrganizerFields, organizerFields } from '../../../src/resources/organizers/resource.ts'
import { categoryFields, type TermFields, tagFields } from '../../../src/resources/terms/schema.ts'
import { type VenueFields, venueFields } from '../../../src/resources/venues/schema.ts'
import {
  type Answer,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  send,
  user,
  WHEN,
} from '../../factories.ts'
import type { Sample } from '../../feature-part.ts'
import { PARTS } from '../../features.ts'

// Every field that a schema declares is stored, on creating and on updating: one that is forgotten would be
// accepted and dropped in silence. The compiler demands an entry for each.

const IMAGE = 'https://img.example/all.png'
const named = (name: string) => expect.objectContaining(name === 'Hall' ? { venue: name } : { name })

const CONTENT = {
  author: { sent: 2, shown: '2' },
  date: { sent: '2026-01-02 09:00:00' },
  date_utc: { sent: '2026-01-03 08:00:00' },
  status: { sent: 'private' },
  slug: { sent: 'another-slug' },
  description: { sent: '<p>Another</p>' },
  image: { sent: IMAGE, shown: expect.objectContaining({ url: IMAGE }) },
  external_id: { sent: 'crm/4711@example.org' },
}

const EVENT: Record<keyof EventFields, Sample> = {
  ...CONTENT,
  title: { sent: 'Another title' },
  start_date: { sent: '2027-01-10 09:00:00' },
  end_date: { sent: '2027-01-10 13:00:00' },
  excerpt: { sent: '<p>Excerpt</p>' },
  timezone: { sent: 'Europe/Rome' },
  all_day: { sent: true },
  cost: { sent: '$5' },
  cost_details: {
    sent: { currency_symbol: '$', currency_code: 'USD', currency_position: 'prefix', values: ['13'] },
    along: { cost: '$13' },
  },
  website: { sent: 'https://another.example/' },
  show_map: { sent: true },
  show_map_link: { sent: true },
  hide_from_listings: { sent: true },
  sticky: { sent: true },
  featured: { sent: true },
  ticketed: { sent: true },
  event_status: { sent: 'postponed' },
  event_status_reason: { sent: 'The river has risen' },
  is_virtual: { sent: true },
  virtual_event_type: { sent: 'hybrid' },
  virtual_url: { sent: 'https://meet.example/all' },
  virtual_video_source: { sent: 'video' },
  ticket_availability: { sent: 'few' },
  wheelchair: { sent: 'limited' },
  accessibility: { sent: 'Ramp in the yard' },
  room: { sent: 'Great hall' },
  custom_fields: { sent: { price_band: { label: 'Price band', value: 'Mid' } } },
  // No response shows it; a list does.
  post_parent: { sent: 1, shown: undefined },
  categories: { sent: ['Music'], shown: [named('Music')] },
  tags: { sent: ['jazz'], shown: [named('jazz')] },
  venue: { sent: { venue: 'Hall' }, shown: named('Hall') },
  organizer: { sent: { organizer: 'Guild' }, shown: [expect.objectContaining({ organizer: 'Guild' })] },
  // Shown in `series`: see test/resources/events/recurrence.
  recurrence: { sent: { rrule: '', rdate: ['2027-01-10 18:00:00'] }, shown: undefined },
  scope: { sent: 'this', shown: undefined },
  spread: { sent: ['title'], shown: undefined },
}

const VENUE: Record<keyof VenueFields, Sample> = {
  ...CONTENT,
  venue: { sent: 'Another venue' },
  address: { sent: '1 Lane' },
  city: { sent: 'Kent' },
  country: { sent: 'Ireland' },
  province: { sent: 'Leinster' },
  state: { sent: 'MA' },
  stateprovince: { sent: 'CT' },
  zip: { sent: '02101' },
  phone: { sent: '123' },
  website: { sent: 'https://venue.example/' },
  show_map: { sent: false },
  show_map_link: { sent: false },
  geo_lat: { sent: 53.27, along: { geo_lng: 1 } },
  geo_lng: { sent: -9.05, along: { geo_lat: 1 } },
  wheelchair: { sent: 'limited' },
  accessibility: { sent: 'Ramp in the yard' },
}

const ORGANIZER: Record<keyof OrganizerFields, Sample> = {
  ...CONTENT,
  organizer: { sent: 'Another organizer' },
  phone: { sent: '123' },
  website: { sent: 'https://organizer.example/' },
  email: { sent: 'guild@example.org' },
  hide_contact: { sent: true },
}

const CATEGORY: Record<keyof TermFields, Sample> = {
  name: { sent: 'Another name' },
  description: { sent: 'Words' },
  slug: { sent: 'another-slug' },
  parent: { sent: 1 },
  color: { sent: 'teal' },
}

const { parent: _, color: __, ...TAG } = CATEGORY

const admin = user('administrator', 'admin')
user('author')
beforeAll(async () => {
  expect((await makeEvent(admin, { title: 'First' })).id).toBe(1)
  expect((await makeCategory(admin, 'First')).id).toBe(1)
  await makeTag(admin, 'Second')
  await makeVenue(admin, 'First')
  await makeOrganizer(admin, 'First')
})

/** Slugs, external ids, and names of terms, are each there once. */
const isUnique = (plural: string, name: string): boolean =>
  name === 'slug' || name === 'external_id' || plural === 'categories' || plural === 'tags'

type Request = { method?: string; path: string; body?: object }
/** Writes, and gives what the responses say. */
async function write(requests: Request[]): Promise<Answer['body'][]> {
  if (requests.length === 0) return []
  const { text, body } = await send('POST', '/batch', { as: admin, json: { requests } })
  const responses: Answer['body'][] = body.responses
  for (const { status } of responses) expect(status, text).toBeLessThan(300)
  return responses.map(response => response.body)
}

let n = 0
/** The fields without which none is made, of a name of its own. */
const REQUIRED = {
  events: () => ({ title: `Event ${n++}`, ...WHEN }),
  venues: () => ({ venue: `Venue ${n++}` }),
  organizers: () => ({ organizer: `Organizer ${n++}` }),
  categories: () => ({ name: `Category ${n++}` }),
  tags: () => ({ name: `Tag ${n++}` }),
}

/** All resources: samples, schema, and the fields without which none is made. */
const RESOURCES: readonly [
  plural: string,
  samples: Readonly<Record<string, Sample>>,
  schema: z.ZodMiniObject,
  required: () => object,
][] = [
  ['events', EVENT, eventFields, REQUIRED.events],
  ['venues', VENUE, venueFields, REQUIRED.venues],
  ['organizers', ORGANIZER, organizerFields, REQUIRED.organizers],
  ['categories', CATEGORY, categoryFields, REQUIRED.categories],
  ['tags', TAG, tagFields, REQUIRED.tags],
  ...PARTS.flatMap(({ fields: of }): typeof RESOURCES =>
    of ? [[of.plural, of.samples, of.schema, of.required]] : [],
  ),
]

describe.each(RESOURCES)('%s', (plural, samples, schema, required) => {
  const entries: [string, Sample][] = Object.entries(samples)
  const path = `/${plural}`
  const shownOf = (sample: Sample) => ('shown' in sample ? sample.shown : sample.sent)
  const read = async (id: number, name: string) =>
    (await send('GET', `${path}/${id}`, { as: admin })).body[name]
  const plain = new Map<string, Answer['body']>()

  describe('store on updating', () => {
    beforeAll(async () => {
      const made = await write(entries.map(() => ({ path, body: required() })))
      for (const [i, [name]] of entries.entries()) plain.set(name, made[i] ?? {})
      const changes = entries.map(([name, { sent, along }], i) => ({
        method: 'PATCH',
        path: `${path}/${made[i]?.id}`,
        body: { ...along, [name]: sent },
      }))
      await write(changes)
    })

    it.each(entries)('%s', async (name, sample) => {
      const before = plain.get(name) ?? {}
      if (shownOf(sample) !== undefined) expect(before[name]).not.toEqual(shownOf(sample))
      expect(await read(before.id, name)).toEqual(shownOf(sample))
    })
  })

  describe('store on creating', () => {
    let made: Answer['body'][] = []
    beforeAll(async () => {
      const unique = entries.filter(([name]) => isUnique(plural, name))
      await write(
        unique.map(([name]) => ({ method: 'DELETE', path: `${path}/${plain.get(name)?.id}?force=1` })),
      )
      const fields = entries.map(([name, { sent, along }]) => ({ ...along, [name]: sent }))
      made = await write(fields.map(body => ({ path, body: { ...required(), ...body } })))
    })

    it.each(entries.map((entry, i) => [...entry, i] as const))('%s', async (name, sample, i) => {
      expect(await read(made[i]?.id, name)).toEqual(shownOf(sample))
    })
  })

  it('have no other fields', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(schema.shape).sort())
  })
})

it('events belong to others', async () => {
  const part = await makeEvent(admin, { post_parent: 1 })
  const moved = await makeEvent(admin)
  await send('PATCH', `/events/${moved.id}`, { as: admin, json: { post_parent: 1 } })
  const { body } = await send('GET', '/events?post_parent=1&per_page=100')
  expect(body.events.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([part.id, moved.id]))
})
