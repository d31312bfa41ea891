import { describe, expect, it } from 'vitest'
import { type EventSource, originsOf, type RelatedWithUses } from '../../../../src/calendar/events/rows.ts'
import {
  type Answer,
  declareUser,
  makeAll,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeVenue,
  query,
  queryAll,
  send,
  WHEN,
} from '../../../factories.ts'
import { measure } from '../../../kit/http/metrics.ts'

const admin = declareUser('administrator', 'admin')

/** Venues and organizers by name, and their ids. */
const makeIds = async (
  make: typeof makeVenue | typeof makeOrganizer,
  ...names: string[]
): Promise<number[]> => {
  const made: number[] = []
  for (const name of names) made.push((await make(admin, name)).id)
  return made
}

/** The links of an event. */
const linksOf = async (event: number) =>
  await query(
    `SELECT 'venue' AS name, target_id, position FROM event_venues WHERE event_id = ?1
      UNION ALL SELECT 'organizer', target_id, position FROM event_organizers WHERE event_id = ?1
      UNION ALL SELECT 'term', target_id, 0 FROM event_terms WHERE event_id = ?1 ORDER BY 1, 2`,
    event,
  )

/** Has the database write down which links come and go from now on, and reads that. */
async function watchLinks(): Promise<() => Promise<unknown[]>> {
  const writes = ['event_venues', 'event_organizers', 'event_terms'].flatMap(table =>
    (['INSERT', 'UPDATE', 'DELETE'] as const).map(
      write => `CREATE TRIGGER IF NOT EXISTS ${table}_seen_${write} AFTER ${write} ON ${table} BEGIN
        INSERT INTO seen VALUES ('${write} ${table} ' || ${write === 'DELETE' ? 'OLD' : 'NEW'}.target_id); END`,
    ),
  )
  const statements = ['CREATE TABLE IF NOT EXISTS seen (link)', 'DELETE FROM seen', ...writes]
  await queryAll(statements)
  return async () => (await query('SELECT link FROM seen')).map(({ link }) => link)
}

it('an update that names the links an event has leaves them as they are', async () => {
  const venue = await makeIds(makeVenue, 'First hall', 'Second hall')
  const organizer = await makeIds(makeOrganizer, 'First guild', 'Second guild')
  const links = { venue, organizer, categories: 'talks,walks', tags: 'free,open' }
  const { id } = await makeEvent(admin, links)
  const seen = await watchLinks()
  const answer = await send('PATCH', `/events/${id}`, { as: admin, json: links })
  expect(answer.status).toBe(200)
  expect(await seen()).toEqual([])
  // New ones come in, old ones go, and the rest stays.
  const other = { venue: [venue[1]], tags: 'open,late', categories: 'walks' }
  const { body } = await send('PATCH', `/events/${id}`, { as: admin, json: other })
  expect([body.venue, body.tags, body.categories, body.organizer]).toMatchObject([
    { id: venue[1] },
    [{ name: 'late' }, { name: 'open' }],
    [{ name: 'walks' }],
    organizer.map(id => ({ id })),
  ])
  expect(JSON.stringify(await seen())).not.toContain('event_organizers')
})

it.each([0, '0'])('%j means no venue or organizer, and is refused in a list', async none => {
  const [venue] = await makeIds(makeVenue, `Hall of ${typeof none}`)
  const [organizer] = await makeIds(makeOrganizer, `Guild of ${typeof none}`)
  const { id } = await makeEvent(admin, { venue, organizer })
  const patch = (fields: object) => send('PATCH', `/events/${id}`, { as: admin, json: fields })
  for (const name of ['venue', 'organizer']) {
    const refused = await patch({ [name]: [venue, none] })
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, [name]])
  }
  expect((await linksOf(id)).map(({ name }) => name)).toEqual(['organizer', 'venue'])
  expect((await patch({ venue: none, organizer: none })).status).toBe(200)
  expect(await linksOf(id)).toEqual([])
})

it('a form that is sent again writes neither links nor the text for searches', async () => {
  const [venue = 0, other = 0] = await makeIds(makeVenue, 'Same hall', 'Other hall')
  const fields = {
    title: 'Sent again',
    venue,
    tags: 'free,open',
    description: `Words ${'and words '.repeat(500)}`,
  }
  const { id } = await makeEvent(admin, fields)
  const change = (changed: object) =>
    measure('PATCH', `/events/${id}`, { as: admin, json: { ...fields, ...changed } })
  await change({})
  const same = await change({ cost: '5' })
  const moved = await change({ venue: other })
  const named = await change({ venue: other, title: 'Xylophones' })
  // A link goes, another comes, and two statements make one change of these and of the event.
  expect({
    status: same.status,
    forMoved: moved.statements - same.statements,
    forNamed: named.statements - same.statements,
  }).toEqual({ status: 200, forMoved: 4, forNamed: 1 })
  const found = await send('GET', '/events?search=xylophones', { as: admin })
  expect(found.body.events).toMatchObject([{ id, venue: { id: other } }])
})

it('another order of the same links is an update, and the first of two that are equal counts', async () => {
  const [one = 0, two = 0] = await makeIds(makeOrganizer, 'One', 'Two')
  const { id } = await makeEvent(admin, { organizer: [one, two] })
  const sent = (organizer: number[]) => send('PATCH', `/events/${id}`, { as: admin, json: { organizer } })
  expect((await sent([two, one])).body.organizer).toMatchObject([{ id: two }, { id: one }])
  expect((await sent([one, two, one])).body.organizer).toMatchObject([{ id: one }, { id: two }])
})

it('an update of the terms of one taxonomy leaves those of the other', async () => {
  const { id } = await makeEvent(admin, { categories: 'talks', tags: 'free,open' })
  const { body } = await send('PATCH', `/events/${id}`, { as: admin, json: { tags: 'late' } })
  expect([body.categories, body.tags]).toMatchObject([[{ name: 'talks' }], [{ name: 'late' }]])
  const without = await send('PATCH', `/events/${id}`, { as: admin, json: { categories: '' } })
  expect([without.body.categories, without.body.tags]).toMatchObject([[], [{ name: 'late' }]])
})

it('writes of an event read few terms, however many exist and however it names its own', async () => {
  await query(`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000)
     INSERT INTO terms (taxonomy, name, name_key, sort_name, slug, path)
     SELECT iif(n % 2, 'event_tag', 'event_category'), 'Term ' || n, 'term ' || n, 'term ' || n, 'term-' || n, 'term-' || n
     FROM number`)
  const fields = { title: 'Few terms', ...WHEN }
  const written = (method: string, path: string, changed: object) =>
    measure(method, path, { as: admin, json: { ...fields, ...changed } })
  const created = await written('POST', '/events', { categories: ['term-2', 'Term 4'], tags: ['term-1'] })
  expect([created.status, created.rows < 250]).toEqual([201, true])
  for (const tags of [['Term 3'], ['term-5', 'Term 7']]) {
    const updated = await written('PATCH', `/events/${created.body.id}`, { categories: ['Term 6'], tags })
    expect([updated.status, updated.rows < 400]).toEqual([200, true])
  }
})

it('a change of a series leaves the links that its occurrences have', async () => {
  const [hall = 0, other = 0] = await makeIds(makeVenue, 'Series hall', 'Series annexe')
  const { id } = await makeEvent(admin, {
    venue: hall,
    tags: 'weekly,free',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  })
  const seen = await watchLinks()
  const change = (fields: object) =>
    send('PATCH', `/events/${id}`, { as: admin, json: { ...fields, scope: 'all' } })
  await change({ venue: [hall], tags: 'free,weekly' })
  expect(await seen()).toEqual([])
  const { body } = await change({ venue: [other, hall], tags: 'weekly,late' })
  expect([body.venue, body.tags]).toMatchObject([
    [{ id: other }, { id: hall }],
    [{ name: 'late' }, { name: 'weekly' }],
  ])
})

it('updates in a batch read no more for each than one alone, however many links the others have', async () => {
  const tags = Array.from({ length: 20 }, (_, i) => `Of all ${i}`)
  const events = await makeAll(admin, 'events', Array(40).fill({ title: 'Batch', ...WHEN, tags }))
  const ids = events.map(({ id }) => id)
  const rowsOf = async (count: number, tag: string) => {
    const requests = ids.slice(0, count).map(id => ({
      method: 'PATCH',
      path: `/events/${id}`,
      body: { tags: [...tags.slice(1), tag] },
    }))
    const { status, rows } = await measure('POST', '/batch', { as: admin, json: { requests } })
    expect(status).toBe(207)
    return rows
  }
  await rowsOf(40, 'known')
  const few = await rowsOf(5, 'other')
  const many = await rowsOf(40, 'other')
  expect(many / 40).toBeLessThan(1.2 * (few / 5))
})

it('an event has at most 200 links of a kind, however they are written', async () => {
  const ids = (from: number) => Array.from({ length: 150 }, (_, i) => from + i).join()
  for (const name of ['venue', 'organizer']) {
    const { status, body } = await send('POST', '/events', {
      as: admin,
      json: { title: 'Of many', ...WHEN, [name]: [ids(1), ids(151)] },
    })
    expect([status, body.data.params]).toEqual([400, { [name]: 'must have at most 200 items' }])
  }
})

describe('terms and venues of events', () => {
  it('are given by id, name in any case, slug or object, and sorted by name in responses', async () => {
    const known = await makeCategory(admin, 'Known one', { slug: 'ko' })
    const { body } = await send('POST', '/events', {
      as: admin,
      json: {
        title: 'T',
        ...WHEN,
        categories: [
          'ko',
          'KNOWN ONE',
          known.id,
          { id: known.id },
          { name: 'Another, with comma' },
          'a new one',
        ],
      },
    })
    expect(body.categories).toMatchObject([
      { name: 'a new one' },
      { name: 'Another, with comma' },
      { id: known.id },
    ])
  })

  it('of another calendar are not those that have their ids here', async () => {
    const market = await makeCategory(admin, 'Market', { slug: 'market' })
    const hall = await makeVenue(admin, 'Old Hall')
    const guild = await makeOrganizer(admin, 'The Old Guild')
    const foreign = await makeEvent(admin, {
      categories: [{ id: market.id, name: 'Fitness', slug: 'fitness' }],
      venue: { id: hall.id, venue: 'Town Gym', slug: 'town-gym', city: 'Cork' },
      organizer: [{ id: guild.id, organizer: 'Gym Club', slug: 'gym-club' }],
    })
    expect(foreign).toMatchObject({
      categories: [{ name: 'Fitness' }],
      venue: { venue: 'Town Gym', city: 'Cork' },
      organizer: [{ organizer: 'Gym Club' }],
    })
    // The slug tells that it is the same one under its former name.
    const renamed = await makeEvent(admin, {
      categories: [{ id: market.id, name: 'Markets', slug: 'market' }],
      venue: { id: hall.id, venue: 'The Hall', slug: hall.slug },
      organizer: [{ id: guild.id, organizer: 'THE OLD GUILD', slug: 'old-guild' }],
    })
    expect(renamed).toMatchObject({
      categories: [{ id: market.id }],
      venue: { id: hall.id },
      organizer: [{ id: guild.id }],
    })
  })

  it('that are new and wrong are refused with the name of the wrong field', async () => {
    const venue = { venue: 'By nobody', author: 99_999 }
    const { body } = await send('POST', '/events', { as: admin, json: { title: 'T', ...WHEN, venue } })
    expect(body.data.params).toEqual({ venue: 'author: there is no user 99999' })
  })

  it('are counted while the event is published', async () => {
    const body = await makeEvent(admin, { tags: 'counted,twice' })
    const count = async () => (await send('GET', '/tags?hide_empty=0&search=counted')).body.tags?.[0]?.count
    expect(await count()).toBe(1)
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { status: 'draft' } })
    expect(await count()).toBe(0)
    expect((await send('GET', '/tags?search=counted')).body.total).toBe(0)
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { status: 'publish', tags: ['twice'] } })
    expect(await count()).toBe(0)
  })
})

const source = (
  id: number,
  uses: RelatedWithUses<EventSource>['uses'],
  text = '',
): RelatedWithUses<EventSource> => ({
  row: {
    id,
    name: `Source ${id}`,
    url: 'https://a.example/',
    rights_text: text,
    rights_url: '',
    mirror: false,
  },
  uses,
})

it('an event has its own source, the older of two, and others once; an own event has none', () => {
  const origin = originsOf([
    source(2, [[0, 0]]),
    source(1, [
      [0, 1],
      [0, 0],
      [0, 0],
    ]),
    source(3, [
      [0, 1],
      [1, 1],
    ]),
  ])
  expect([origin(0).source?.id, origin(0).others.map(({ id }) => id)]).toEqual([1, [2, 3]])
  expect([origin(1).source?.id, origin(1).others.map(({ id }) => id)]).toEqual([undefined, []])
  expect(origin(2)).toEqual({ source: undefined, others: [] })
})

it('long texts of many sources do not make a page too long', () => {
  const page = Array.from({ length: 100 }, (_, n): [number, number] => [n, 1])
  const own = source(
    1_000,
    page.map(([n]) => [n, 0]),
  )
  const origin = originsOf([
    own,
    ...Array.from({ length: 200 }, (_, n) => source(n, page, 'x'.repeat(1_000))),
  ])
  const others = page.map(([n]) => origin(n).others.length)
  expect(Math.max(...others)).toBeLessThanOrEqual(10)
  expect(others.reduce((sum, length) => sum + length)).toBeLessThan(500)
})

describe.each(['editor', 'author'] as const)('new venues and organizers of an event by an %s', role => {
  const own = declareUser(role, `owner-${role}`)
  const secret = (name: string) => ({
    venue: { venue: `Hall ${name} of an ${role}`, address: '1 Lane' },
    organizer: [{ organizer: `People ${name} of an ${role}` }],
  })
  const make = (name: string, fields: object) => makeEvent(own, { ...secret(name), ...fields })
  const change = async (id: number, json: object, as = own) => {
    const { status, body } = await send('PATCH', `/events/${id}`, { as, json })
    expect(status).toBe(200)
    return body
  }
  const statusesOf = ({ venue, organizer }: Answer['body']) => [venue.status, organizer[0].status]
  /** What anybody gets for both. */
  const publicStatuses = async ({ venue, organizer }: Answer['body']) => [
    (await send('GET', `/venues/${venue.id}`)).status,
    (await send('GET', `/organizers/${organizer[0].id}`)).status,
  ]

  it.each(['draft', 'pending', 'private'])('wait for a %s event, and are published with it', async status => {
    const event = await make(status, { status })
    expect(statusesOf(event)).toEqual(['draft', 'draft'])
    expect(await publicStatuses(event)).toEqual([403, 403])
    await change(event.id, { title: 'Other title' })
    expect(await publicStatuses(event)).toEqual([403, 403])
    await change(event.id, { status: 'publish' })
    expect(await publicStatuses(event)).toEqual([200, 200])
  })

  it('wait for their time with a planned event, and follow it', async () => {
    const event = await make('of later', { date: '2026-12-24 10:00:00' })
    expect([event.status, ...statusesOf(event)]).toEqual(['future', 'future', 'future'])
    expect(await publicStatuses(event)).toEqual([403, 403])
    const { venue } = await change(event.id, { date: '2026-12-31 10:00:00' })
    expect(venue.date).toBe('2026-12-31 10:00:00')
    expect(statusesOf(await change(event.id, { status: 'draft' }))).toEqual(['draft', 'draft'])
    await change(event.id, { status: 'publish', date: '2026-11-01 10:00:00' })
    expect(await publicStatuses(event)).toEqual([200, 200])
  })

  it('go back to drafts with a planned event that is trashed', async () => {
    const event = await make('of never', { date: '2026-12-24 10:00:00' })
    expect((await send('DELETE', `/events/${event.id}`, { as: own })).status).toBe(200)
    const { body } = await send('GET', `/venues/${event.venue.id}`, { as: own })
    expect(body.status).toBe('draft')
  })

  it('wait also if a change, a copy or a series brings them', async () => {
    const { id } = await makeEvent(own, { status: 'draft' })
    const changed = await change(id, secret('of a change'))
    expect(await publicStatuses(changed)).toEqual([403, 403])
    const json = secret('of a copy')
    const { body: copy } = await send('POST', `/events/${id}/duplicate`, { as: own, json })
    expect(await publicStatuses(copy)).toEqual([403, 403])
    const recurrence = 'FREQ=WEEKLY;COUNT=3'
    const series = await make('of a series', { status: 'draft', recurrence })
    expect(await publicStatuses(series)).toEqual([403, 403])
    for (const event of [changed, copy]) await change(event.id, { status: 'publish' })
    await change(series.id, { status: 'publish', scope: 'all' })
    for (const event of [changed, copy, series]) expect(await publicStatuses(event)).toEqual([200, 200])
  })

  it('are published with the first of several events that name them', async () => {
    const first = await make('of several', { status: 'draft' })
    const second = await make('of several', { status: 'draft' })
    expect(second.venue.id).toBe(first.venue.id)
    await change(second.id, { status: 'publish' })
    expect(await publicStatuses(first)).toEqual([200, 200])
  })

  it('are public at once with a public event, or if they have that status', async () => {
    const event = await make('of today', {})
    expect(await publicStatuses(event)).toEqual([200, 200])
    const draft = await make('named', {
      status: 'draft',
      venue: { venue: `Public hall of an ${role}`, status: 'publish' },
    })
    expect(await publicStatuses(draft)).toEqual([200, 403])
    const hidden = await make('hidden', {
      status: 'draft',
      venue: { venue: `Hidden hall of an ${role}`, status: 'private' },
    })
    await change(hidden.id, { status: 'publish' })
    expect(await publicStatuses(hidden)).toEqual([403, 200])
  })

  it('are public at once with a public series, by way of a hidden date as well', async () => {
    const { id, series } = await makeEvent(own, { recurrence: 'FREQ=WEEKLY;COUNT=3' })
    await change(id, { status: 'draft' })
    const changed = await change(id, { ...secret('of the others'), scope: 'all' })
    expect([changed.status, ...(await publicStatuses(changed))]).toEqual(['draft', 200, 200])
    const { body } = await send('GET', `/events?series=${series.id}`)
    expect(body.events).toMatchObject(Array(2).fill({ venue: { id: changed.venue.id } }))
  })
})

const author = declareUser('author', 'author-of-draft')
const editor = declareUser('editor', 'editor-of-draft')

it('what an editor adds to a draft belongs to its author, who keeps it and publishes it', async () => {
  const { id, author: owner } = await makeEvent(author, { status: 'draft' })
  const json = { venue: { venue: 'Hall from the editors' } }
  const { body } = await send('PATCH', `/events/${id}`, { as: editor, json })
  expect(body.venue).toMatchObject({ status: 'draft', author: owner })
  const { body: seen } = await send('GET', `/events/${id}`, { as: author })
  expect(seen.venue).toMatchObject(json.venue)
  await send('PATCH', `/events/${id}`, { as: author, json: { status: 'publish' } })
  expect((await send('GET', `/events/${id}`)).body.venue).toMatchObject(json.venue)
})

describe('drafts that a new public event names', () => {
  const own = declareUser('author', 'author-of-drafts')
  const statusOf = async (path: string) => (await send('GET', path)).status
  const draftVenue = (name: string, as = own) => makeVenue(as, name, { status: 'draft' })
  const draftOrganizer = (name: string) => makeOrganizer(own, name, { status: 'draft' })

  it.each(['by id', 'by name', 'by external id'])('become public with it: %s', async how => {
    const fields =
      how === 'by external id' ? { external_id: `hall-${how}`, status: 'draft' } : { status: 'draft' }
    const { id } = await makeVenue(own, `Barn ${how}`, fields)
    const organizer = await draftOrganizer(`Barn people ${how}`)
    const venue = {
      'by id': id,
      'by name': { venue: `Barn ${how}` },
      'by external id': { venue: 'Other name', external_id: `hall-${how}` },
    }[how]
    const event = await makeEvent(own, { venue, organizer: organizer.id })
    expect([event.venue.id, event.venue.status]).toEqual([id, 'publish'])
    expect(await statusOf(`/venues/${id}`)).toBe(200)
    expect(await statusOf(`/organizers/${organizer.id}`)).toBe(200)
  })

  it('do so with a series, a copy, an event in a batch, and a change of a public event', async () => {
    const [ofSeries, ofCopy, ofBatch, ofChange] = [
      await draftVenue('Of a series'),
      await draftVenue('Of a copy'),
      await draftVenue('Of a batch'),
      await draftVenue('Of a change'),
    ]
    await makeEvent(own, { venue: ofSeries.id, recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const draft = await makeEvent(own, { venue: ofCopy.id, status: 'draft' })
    expect(await statusOf(`/venues/${ofCopy.id}`)).toBe(403)
    await send('POST', `/events/${draft.id}/duplicate`, { as: own, json: { status: 'publish' } })
    const body = { title: 'In a batch', ...WHEN, venue: ofBatch.id }
    const requests = [{ method: 'POST', path: '/events', body }]
    await send('POST', '/batch', { as: own, json: { requests } })
    const { id } = await makeEvent(own, {})
    await send('PATCH', `/events/${id}`, { as: own, json: { venue: ofChange.id } })
    for (const venue of [ofSeries, ofCopy, ofBatch, ofChange])
      expect(await statusOf(`/venues/${venue.id}`), venue.venue).toBe(200)
  })

  it('wait for their time with a planned event', async () => {
    const { id } = await draftVenue('Of later on')
    const { venue } = await makeEvent(own, { venue: id, date: '2026-12-24 10:00:00' })
    expect(venue).toMatchObject({ status: 'future', date: '2026-12-24 10:00:00' })
  })

  it('stay with a draft, as do private ones, and those of others or hidden by editors', async () => {
    const ofDraft = await draftVenue('Of a draft')
    await makeEvent(own, { venue: ofDraft.id, status: 'draft' })
    const secret = await makeVenue(own, 'Private', { status: 'private' })
    await makeEvent(own, { venue: secret.id })
    const ofOther = await draftVenue('Of somebody else')
    await makeEvent(admin, { venue: ofOther.id })
    const hidden = await draftVenue('Hidden by an editor', editor)
    await makeEvent(editor, { venue: hidden.id })
    for (const { id, venue } of [ofDraft, secret, ofOther, hidden])
      expect(await statusOf(`/venues/${id}`), venue).toBe(403)
  })

  it('stay if they were taken back while the event was public', async () => {
    const { id, venue } = await makeEvent(own, { venue: (await draftVenue('Taken back')).id })
    await send('PATCH', `/venues/${venue.id}`, { as: own, json: { status: 'draft' } })
    await send('PATCH', `/events/${id}`, { as: own, json: { title: 'Other', venue: venue.id } })
    expect(await statusOf(`/venues/${venue.id}`)).toBe(403)
  })

  it('that wait for another event of an editor become public with the first that names them', async () => {
    const { venue } = await makeEvent(editor, { status: 'draft', venue: { venue: 'Of two events' } })
    await makeEvent(editor, { venue: venue.id })
    expect(await statusOf(`/venues/${venue.id}`)).toBe(200)
  })
})
