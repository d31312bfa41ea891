import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type Answer, makeCategory, makeEvent, makeOrganizer, makeVenue, send } from '../factories.ts'
import { bySubmitting } from './by-submitting.ts'
import { signedIn } from './session.ts'

// Whatever is changed, undo restores the state before.

const editor = signedIn('editor', 'ella')
const ids = { venues: [0], organizers: [0], categories: [0], events: [0] }

beforeAll(async () => {
  const { as } = editor
  ids.venues = [(await makeVenue(as, 'Barn')).id, (await makeVenue(as, 'Hall')).id]
  ids.organizers = [(await makeOrganizer(as, 'Choir')).id, (await makeOrganizer(as, 'Band')).id]
  ids.categories = [(await makeCategory(as, 'Music')).id, (await makeCategory(as, 'Film')).id]
  ids.events = [(await makeEvent(as)).id]
})

const text = fc.constantFrom('', 'One', 'Two & three', '“Ünï” <b>code</b>', '0')
const time = fc.constantFrom('2027-01-09 08:00:00', '2027-01-10 10:00:00', '2027-03-28 02:30:00')
const flag = fc.boolean()
const html = fc.constantFrom('', '<p>Rich</p>', 'a\n\nb', 'x'.repeat(5_000))
const image = fc.constantFrom('', 'https://img.example/a.png', 'https://img.example/b.png')
const status = fc.constantFrom('publish', 'draft', 'pending', 'private', 'trash')
const website = fc.constantFrom('', 'https://example.org/a')
const some = (pick: () => readonly number[]) =>
  fc.array(fc.nat(1)).map(chosen => [...new Set(chosen)].map(i => pick()[i]))
const custom = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.record({ label: text, value: text }))
const name = text.filter(Boolean)

const FIELDS: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
  events: {
    title: name,
    description: html,
    excerpt: html,
    cost: fc.constantFrom('', '5', '$10 - $20', 'Free'),
    start_date: time,
    all_day: flag,
    timezone: fc.constantFrom('UTC', 'Europe/Rome', 'America/New_York'),
    venue: some(() => ids.venues),
    organizer: some(() => ids.organizers),
    categories: some(() => ids.categories),
    tags: fc.subarray(['free', 'late']),
    image,
    website,
    status,
    slug: fc.constantFrom('a', 'b'),
    featured: flag,
    show_map: flag,
    event_status: fc.constantFrom('scheduled', 'canceled', 'postponed'),
    event_status_reason: text,
    virtual_event_type: fc.constantFrom('', 'virtual', 'hybrid'),
    custom_fields: custom,
    post_parent: fc.constant(0).chain(() => fc.boolean().map(is => (is ? (ids.events[0] ?? 0) : 0))),
    date: time,
    external_id: fc.constantFrom('', 'x/1'),
  },
  venues: {
    venue: name,
    city: text,
    description: html,
    geo_lat: fc.constantFrom(1, 2.5),
    image,
    website,
    show_map: flag,
    status,
    slug: fc.constantFrom('a', 'b'),
  },
  organizers: {
    organizer: name,
    phone: text,
    email: fc.constantFrom('', 'a@example.org'),
    status,
    description: html,
  },
  categories: { name, description: text, slug: fc.constantFrom('c', 'd'), parent: fc.constant(0) },
}

/** The state of a resource, without the time of its last change. */
async function stateOf(path: string) {
  const { status, body } = await send('GET', path, { as: editor.as })
  const { modified, modified_utc, json_ld, ...state } = body
  return [status, state]
}

let n = 0
const make: Record<string, () => Promise<Answer['body']>> = {
  events: () => makeEvent(editor.as, { title: 'Start', end_date: '2027-12-31 12:00:00', all_day: false }),
  venues: () => makeVenue(editor.as, `Start ${n++}`, { geo_lat: 1, geo_lng: 1 }),
  organizers: () => makeOrganizer(editor.as, `Start ${n++}`),
  categories: () => makeCategory(editor.as, `Start ${n++}`),
}

it.each(Object.keys(FIELDS))('an undo restores %s as they were before any change', async plural => {
  const changes = fc.array(fc.record(FIELDS[plural] ?? {}, { requiredKeys: [] }), {
    minLength: 1,
    maxLength: 2,
  })
  await fc.assert(
    fc.asyncProperty(changes, async all => {
      const id = Number((await make[plural]?.())?.id)
      const path = `/${plural}/${id}`
      let before = await stateOf(path)
      for (const [i, fields] of all.entries()) {
        const body =
          plural === 'categories' && 'name' in fields
            ? { ...fields, name: `${fields.name} ${id} ${i}` }
            : fields
        const undo = await bySubmitting('ella', [{ method: 'PATCH', path, body }])
        const after = await stateOf(path)
        if (JSON.stringify(after) === JSON.stringify(before)) continue
        const { text } = await editor.browser.submit(undo)
        expect(text, JSON.stringify(body)).toContain('The change has been undone.')
        expect(await stateOf(path), JSON.stringify(body)).toEqual(before)
        // The next one begins from the change.
        await bySubmitting('ella', [{ method: 'PATCH', path, body }])
        before = after
      }
      // Out of the way of the next, for its external id.
      await send('DELETE', `${path}?force=true&detach=true`, { as: editor.as })
    }),
    { seed: 20_261_120, numRuns: 10, endOnFailure: true },
  )
})
