import { beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { eventFields } from '../../../src/calendar/events/schema.ts'
import { organizerFields } from '../../../src/calendar/organizers/resource.ts'
import { categoryFields, type TermFields, tagFields } from '../../../src/calendar/terms/schema.ts'
import { venueFields } from '../../../src/calendar/venues/schema.ts'
import {
  type Answer,
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  send,
  WHEN,
} from '../../factories.ts'
import type { Sample } from '../../feature-part.ts'
import { PARTS } from '../../features.ts'
import { EVENT, ORGANIZER, VENUE } from './samples.ts'

// Every field that a schema declares is stored, on creating and on updating: one that is forgotten would be
// accepted and dropped in silence. The compiler demands an entry for each.

const CATEGORY: Record<keyof TermFields, Sample> = {
  name: { sent: 'Another name' },
  description: { sent: 'Words' },
  slug: { sent: 'another-slug' },
  parent: { sent: 1 },
  color: { sent: 'teal' },
}

const { parent: _, color: __, ...TAG } = CATEGORY

/** Ids to send, by field, instead of those in the samples. */
const ids: Record<string, number> = {}
const sentOf = (name: string, { sent }: Sample) => ids[name] ?? sent
const shownOf = (name: string, sample: Sample) => ('shown' in sample ? sample.shown : sentOf(name, sample))

const admin = declareUser('administrator', 'admin')
declareUser('author')
beforeAll(async () => {
  ids.post_parent = (await makeEvent(admin, { title: 'First' })).id
  ids.parent = (await makeCategory(admin, 'First')).id
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
  const read = async (id: number, name: string) =>
    (await send('GET', `${path}/${id}`, { as: admin })).body[name]
  const plain = new Map<string, Answer['body']>()

  describe('store on updating', () => {
    beforeAll(async () => {
      const made = await write(entries.map(() => ({ path, body: required() })))
      for (const [i, [name]] of entries.entries()) plain.set(name, made[i] ?? {})
      const changes = entries.map(([name, sample], i) => ({
        method: 'PATCH',
        path: `${path}/${made[i]?.id}`,
        body: { ...sample.along, [name]: sentOf(name, sample) },
      }))
      await write(changes)
    })

    it.each(entries)('%s', async (name, sample) => {
      const before = plain.get(name) ?? {}
      const shown = shownOf(name, sample)
      if (shown !== undefined) expect(before[name]).not.toEqual(shown)
      expect(await read(before.id, name)).toEqual(shown)
    })
  })

  describe('store on creating', () => {
    let made: Answer['body'][] = []
    beforeAll(async () => {
      const unique = entries.filter(([name]) => isUnique(plural, name))
      await write(
        unique.map(([name]) => ({ method: 'DELETE', path: `${path}/${plain.get(name)?.id}?force=1` })),
      )
      const fields = entries.map(([name, sample]) => ({ ...sample.along, [name]: sentOf(name, sample) }))
      made = await write(fields.map(body => ({ path, body: { ...required(), ...body } })))
    })

    it.each(entries.map((entry, i) => [...entry, i] as const))('%s', async (name, sample, i) => {
      expect(await read(made[i]?.id, name)).toEqual(shownOf(name, sample))
    })
  })

  it('have no other fields', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(schema.shape).sort())
  })
})

it('events can be created as parts of another, and made parts of it', async () => {
  const { post_parent } = ids
  const part = await makeEvent(admin, { post_parent })
  const moved = await makeEvent(admin)
  await send('PATCH', `/events/${moved.id}`, { as: admin, json: { post_parent } })
  const { body } = await send('GET', `/events?post_parent=${post_parent}&per_page=100`)
  expect(body.events.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([part.id, moved.id]))
})
