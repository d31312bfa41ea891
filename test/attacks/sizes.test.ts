import { beforeEach, describe, expect, it } from 'vitest'
import { makeAll, makeDatabaseAnew, send } from '../factories.ts'
import { by, everyRole } from './people.ts'
import { create, expectRefused, least, type Plural } from './requests.ts'

// Long texts with many links: one author's content must neither break a page for everybody nor resist
// deletion.

const MAX_BYTES = 12_000_000
const GUITAR = '🎸'
const LONGEST = {
  events: 200_000,
  venues: 20_000,
  organizers: 20_000,
  categories: 5_000,
  tags: 5_000,
} as const

// Lists show what other tests left: each has a database of its own.
beforeEach(makeDatabaseAnew)
const people = everyRole(beforeEach)

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

/** Creates resources with the longest description there may be. */
async function createLong(plural: Plural, n: number, name: string): Promise<number[]> {
  const description = GUITAR.repeat(LONGEST[plural])
  const resources = numbers(n).map(i => ({ ...least(plural, `${name} ${i}`), description }))
  return (await makeAll(people.administrator.as, plural, resources)).map(({ id }) => id)
}

/**
 * Expects that reads succeed, the first for whoever asks, at a size that can be sent.
 *
 * @param isCut true if the responses say that they had to leave something out
 */
async function expectReadable(isCut: boolean, ...paths: string[]): Promise<void> {
  for (const [i, path] of paths.entries())
    for (const person of i === 0 ? [undefined, people.administrator] : [undefined]) {
      const { status, headers, text } = await send('GET', path, by(person))
      expect([status, text.slice(0, status === 200 ? 0 : 300)], path).toEqual([200, ''])
      expect(headers.get('x-shortened'), path).toEqual(isCut ? 'true' : null)
      expect(Buffer.byteLength(text), path).toBeLessThanOrEqual(MAX_BYTES)
    }
}

/** Expects that a caller who may delete an event can trash it and delete it. */
async function expectDeletable(id: number, by: string): Promise<void> {
  expect(await send('DELETE', `/events/${id}`, { as: by })).toMatchObject({ status: 200 })
  expect(await send('DELETE', `/events/${id}?force=true`, { as: by })).toMatchObject({ status: 200 })
  expect(await send('GET', `/events/${id}`)).toMatchObject({ status: 404 })
}

describe('a description', () => {
  it.each(Object.entries(LONGEST))(
    'of %s may have %i characters of four bytes, and no more',
    async (plural, most) => {
      const fields = (length: number) => ({
        // The keys of LONGEST are those of Plural; Object.entries forgets it.
        ...least(plural as Plural, `Length ${length}`),
        description: GUITAR.repeat(length),
      })
      const as = people.administrator.as
      expect(await send('POST', `/${plural}`, { as, json: fields(most) })).toMatchObject({ status: 201 })
      expectRefused(await send('POST', `/${plural}`, { as, json: fields(most + 1) }), 'description')
    },
  )

  it.each(['venue', 'organizer'] as const)(
    'of a new %s inside an event may be as long as alone',
    async name => {
      const nested = (length: number) => ({
        ...least('events', 'Nested'),
        [name]: { [name]: `Nested ${length}`, description: 'x'.repeat(length) },
      })
      const as = people.author.as
      expect(await send('POST', '/events', { as, json: nested(20_000) })).toMatchObject({ status: 201 })
      expectRefused(await send('POST', '/events', { as, json: nested(20_001) }), name)
    },
  )
})

describe.each([
  // No more events than come to more than a page has room for.
  { what: 'letters of four bytes', text: GUITAR, stored: 1, events: 5 },
  { what: 'quotes, which JSON escapes', text: '"', stored: 1, events: 9 },
  { what: 'paragraphs of one letter, which are stored as markup', text: 'a\n\n', stored: 9, events: 15 },
])('descriptions of $what', ({ text, stored, events }) => {
  it('on many events leave every list readable, and a walk over its pages complete', async () => {
    const word = `walk${text.codePointAt(0)}`
    const description = text.repeat(Math.floor(LONGEST.events / stored) - 1)
    const as = people.administrator.as
    const made = await Promise.all(
      numbers(events).map(async i => {
        const event = await create(as, 'events', { ...least('events', `${word} ${i}`), description })
        return Number(event.id)
      }),
    )
    const list = `/events?search=${word}&per_page=100`
    await expectReadable(true, list)
    const seen: number[] = []
    let next: string | undefined = list
    while (next !== undefined && seen.length <= made.length) {
      const { body } = await send('GET', next)
      expect(body.total).toBe(made.length)
      seen.push(...(body.events ?? []).map(({ id }: { id: number }) => id))
      next = body.next_rest_url
    }
    expect(seen.sort((a, b) => a - b)).toEqual(made.sort((a, b) => a - b))
  })
})

describe.each([
  {
    what: 'venues and organizers',
    kinds: ['venues', 'organizers'],
    fields: ['venue', 'organizer'],
    most: 20,
  },
  {
    what: 'categories and tags',
    kinds: ['categories', 'tags'],
    fields: ['categories', 'tags'],
    most: 70,
  },
] as const)('the longest $what that an author can put on events', ({ kinds, fields, most }) => {
  it('leave every read readable, and an administrator and the author able to delete', async () => {
    const author = people.author.as
    const [first, second] = await Promise.all(kinds.map(kind => createLong(kind, most, `Heavy ${kind}`)))
    const links = { [fields[0]]: first, [fields[1]]: second }
    const { id: mine } = await create(author, 'events', { ...least('events', 'Laden'), ...links })
    const { id: other } = await create(author, 'events', { ...least('events', 'As laden'), ...links })
    await expectReadable(true, '/events?per_page=100', `/events/${mine}`)
    await expectReadable(false, ...kinds.map(kind => `/${kind}?event=${mine}&per_page=100&hide_empty=0`))
    const renamed = { as: author, json: { title: 'Renamed' } }
    expect(await send('PATCH', `/events/${mine}`, renamed)).toMatchObject({ status: 200 })
    await expectDeletable(mine, people.administrator.as)
    await expectDeletable(other, author)
    for (const [i, kind] of kinds.entries())
      expect(
        await send(
          'DELETE',
          `/${kind}/${[first, second][i]?.[0]}?force=1&detach=1`,
          by(people.administrator),
        ),
      ).toMatchObject({ status: 200 })
  })
})

describe('a venue and an organizer of 120 events', () => {
  it('are read, listed, trashed and deleted, and the events lose them', async () => {
    const as = people.administrator.as
    const [venue, organizer, tag] = await Promise.all([
      create(as, 'venues', { venue: 'Busy hall' }),
      create(as, 'organizers', { organizer: 'Busy guild' }),
      create(as, 'tags', { name: 'busy' }),
    ])
    const links = { venue: venue.id, organizer: organizer.id, tags: [tag.id] }
    const events = numbers(60).map(i => ({ ...least('events', `Busy ${i}`), ...links }))
    for (const half of [events, events]) await makeAll(as, 'events', half)
    await expectReadable(
      false,
      `/events?venue=${venue.id}&per_page=100`,
      `/venues/${venue.id}`,
      '/tags?per_page=100',
    )
    for (const path of [`/venues/${venue.id}`, `/organizers/${organizer.id}`]) {
      expect(await send('DELETE', path, { as }), path).toMatchObject({ status: 200 })
      expect(await send('DELETE', `${path}?force=1`, { as }), path).toMatchObject({ status: 200 })
    }
    expect(await send('DELETE', `/tags/${tag.id}`, { as })).toMatchObject({ status: 200 })
    const { body } = await send('GET', '/events?search=busy&per_page=100')
    expect(body).toMatchObject({ total: 120, events: expect.any(Array) })
    expect(body.events[0]).toMatchObject({ venue: [], organizer: [], tags: [] })
  })
})

describe('tags', () => {
  it.each([
    ['in JSON', 'application/json', (tag: string) => JSON.stringify({ description: tag })],
    [
      'in JSON that escapes them',
      'application/json',
      (tag: string) => `{"description":"${tag.replaceAll('<', String.raw`\u003c`)}"}`,
    ],
    [
      'in a form',
      'application/x-www-form-urlencoded',
      (tag: string) => `description=${encodeURIComponent(tag)}`,
    ],
  ])('beyond what can be cleaned in a moment are refused before any is: %s', async (_, type, bodyOf) => {
    const post = (tags: number) =>
      send('POST', '/events', {
        as: people.author.as,
        headers: { 'content-type': type },
        body: bodyOf('<p>'.repeat(tags)),
      })
    const { status, body } = await post(100_001)
    expect([status, body]).toEqual([
      413,
      expect.objectContaining({
        code: 'rest_payload_too_large',
        message: 'The body must have at most 100000 tags.',
      }),
    ])
    expect((await post(100)).status).toBe(400)
  })
})

describe('custom fields', () => {
  const full = (letter: string, length: number) =>
    Object.fromEntries(
      numbers(50).map(i => [`k${i}`, { label: letter.repeat(255), value: letter.repeat(length) }]),
    )

  it.each([
    ['quotes, which JSON escapes', '"', 5_000],
    ['letters of four bytes', GUITAR, 2_500],
  ])(
    'of %s on many events leave every list readable, and each event deletable',
    async (_, letter, length) => {
      const as = people.author.as
      const custom_fields = full(letter, length)
      const made = await Promise.all(
        numbers(7).map(i => create(as, 'events', { ...least('events', `Fields ${i}`), custom_fields })),
      )
      await expectReadable(true, '/events?per_page=100')
      await expectReadable(false, '/events?per_page=2')
      const whole = await send('GET', `/events/${made[0]?.id}`)
      expect(whole.body.custom_fields).toEqual(custom_fields)
      await expectDeletable(Number(made[0]?.id), as)
    },
  )

  it('beside the longest texts fit into a row', async () => {
    const as = people.author.as
    const paragraphs = (n: number) => `${GUITAR.repeat(5)}\n\n`.repeat(n)
    const texts = { description: paragraphs(32_000), excerpt: paragraphs(3_200) }
    const lines = { event_status_reason: GUITAR.repeat(1_000), virtual_video_source: GUITAR.repeat(1_000) }
    const event = await create(as, 'events', {
      ...least('events', 'All'),
      ...texts,
      ...lines,
      title: GUITAR.repeat(2_000),
    })
    const id = Number(event.id)
    const custom_fields = full(GUITAR, 2_700)
    expect(await send('PATCH', `/events/${id}`, { as, json: { custom_fields } })).toMatchObject({
      status: 200,
    })
    await expectReadable(false, `/events/${id}`, '/events?per_page=100')
    expect((await send('GET', `/events/${id}`)).body.custom_fields).toEqual(custom_fields)
    await expectDeletable(id, as)
  })

  it('in a body of two megabytes are refused or stored, and never fail', async () => {
    const as = people.author.as
    for (const custom_fields of [
      Object.fromEntries(numbers(60_000).map(i => [`k${i}`, null])),
      Object.fromEntries(numbers(100).map(i => [`k${i}`, { label: 'x', value: '<'.repeat(19_000) }])),
      { a: { label: 'x', value: '<b>'.repeat(600_000) } },
      { a: Object.fromEntries(numbers(60_000).map(i => [`k${i}`, 'x'])) },
    ])
      expect([200, 201, 400, 413]).toContain(
        (await send('POST', '/events', { as, json: { ...least('events', 'Huge'), custom_fields } })).status,
      )
  })
})
