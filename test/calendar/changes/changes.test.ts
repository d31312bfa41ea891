import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { publishDue } from '../../../src/calendar/content/publication.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import {
  type Answer,
  API,
  declareUser,
  makeAll,
  makeCategory,
  makeEvent,
  makeUser,
  makeVenue,
  query,
  send,
  WHEN,
  withoutJsonLd,
} from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { Copy, sorted } from './copy.ts'

const admin = declareUser('administrator', 'admin')
const author = declareUser('author')
const other = declareUser('author', 'other')

const readChanges = async (query: string, as?: string): Promise<Answer['body']> => {
  const { status, body } = await send('GET', `/events/changes?${query}`, as ? { as } : {})
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** The token after all present changes. */
async function caughtUp(query = '', as?: string): Promise<string> {
  const copy = new Copy('events', query, as)
  await copy.sync(500)
  return copy.since ?? ''
}

const ids = (body: Answer['body']): number[] => body.events.map(({ id }: Answer['body']) => id)

describe('changes', () => {
  it('are the changed events, complete, in the order of changes', async () => {
    const a = await makeEvent(admin, { title: 'A', venue: { venue: 'Hall' } })
    const b = await makeEvent(admin, { title: 'B' })
    await makeEvent(admin, { title: 'C' })
    let since = await caughtUp()
    expect(await readChanges(`since=${since}`)).toEqual({
      events: [],
      deleted: [],
      next: expect.any(String),
      more: false,
    })
    await send('PATCH', `/events/${b.id}`, { as: admin, json: { title: 'B2' } })
    await send('PATCH', `/events/${a.id}`, { as: admin, json: { venue: [] } })
    const body = await readChanges(`since=${since}`)
    expect({ ids: ids(body), deleted: body.deleted, more: body.more }).toEqual({
      ids: [b.id, a.id],
      deleted: [],
      more: false,
    })
    expect(body.events[1]).toEqual(withoutJsonLd((await send('GET', `/events/${a.id}`)).body))
    since = body.next
    await send('DELETE', `/events/${a.id}`, { as: admin })
    await send('DELETE', `/events/${b.id}?force=true`, { as: admin })
    expect(await readChanges(`since=${since}`)).toMatchObject({ events: [], deleted: [a.id, b.id] })
    await send('PATCH', `/events/${a.id}`, { as: admin, json: { status: 'publish' } })
    expect(ids(await readChanges(`since=${since}`))).toEqual([a.id])
  })

  it('of a filter include events that no longer match', async () => {
    const { id: category } = await makeCategory(admin, 'Music')
    const event = await makeEvent(admin, { categories: [category] })
    const since = await caughtUp(`categories=${category}`)
    await send('PATCH', `/events/${event.id}`, { as: admin, json: { categories: [] } })
    expect((await readChanges(`categories=${category}&since=${since}`)).deleted).toEqual([event.id])
  })

  it('come in several responses if there are many', async () => {
    const since = await caughtUp()
    const made: number[] = []
    for (let i = 0; i < 5; i++) made.push((await makeEvent(admin, { title: `P ${i}` })).id)
    const first = await readChanges(`since=${since}&limit=2`)
    const second = await readChanges(`since=${first.next}&limit=3`)
    expect({
      firstIds: ids(first),
      firstMore: first.more,
      secondIds: ids(second),
      secondMore: second.more,
    }).toEqual({ firstIds: made.slice(0, 2), firstMore: true, secondIds: made.slice(2), secondMore: false })
    expect(ids(await readChanges(`since=${second.next}`))).toEqual([])
  })

  it('begin with all matching events of any date, and include changes made in the meantime', async () => {
    const old = await makeEvent(admin, { title: 'Old', start_date: '1999-01-01', end_date: '1999-01-02' })
    const far = await makeEvent(admin, { title: 'Far', start_date: '2099-01-01', end_date: '2099-01-02' })
    const copy = new Copy('events', '')
    expect(await copy.step(2)).toBe(true)
    await send('PATCH', `/events/${old.id}`, {
      as: admin,
      json: { start_date: '1998-01-01', title: 'Older' },
    })
    await copy.sync(2)
    expect(copy.rows.get(old.id)?.title).toBe('Older')
    expect(copy.rows.has(far.id)).toBe(true)
    expect(sorted(copy.rows.values())).toEqual(sorted(await copy.list()))
  })

  it('of a window of dates are the events in it, from the first page on', async () => {
    const { id: category } = await makeCategory(admin, 'Windowed')
    const on = (day: string) =>
      makeEvent(admin, { start_date: day, end_date: day, all_day: true, categories: [category] })
    const made: number[] = []
    for (const day of ['2027-05-31', '2027-06-01', '2027-06-02', '2027-06-03', '2027-06-04'])
      made.push((await on(day)).id)
    const window = `categories=${category}&start_date=2027-06-01&end_date=2027-06-03`
    const copy = new Copy('events', window)
    expect(await copy.step(1)).toBe(true)
    await copy.sync(1)
    expect([...copy.rows.keys()]).toEqual(made.slice(1, 4))
    const [before, first, , , after] = made
    const move = (id: number | undefined, day: string) =>
      send('PATCH', `/events/${id}`, { as: admin, json: { start_date: day, end_date: day } })
    await move(first, '2027-07-01')
    await move(before, '2027-06-02')
    await move(after, '2027-07-02')
    await copy.sync()
    expect(sorted(copy.rows.values())).toEqual(sorted(await copy.list()))
    expect([...copy.rows.keys()].sort()).toEqual([before, ...made.slice(2, 4)].sort())
  })

  it('of a window include a scheduled event once the cron has published it', async () => {
    const { id } = await makeEvent(admin, {
      start_date: '2027-05-01',
      end_date: '2027-05-01',
      all_day: true,
      date_utc: '2026-11-20 12:01:00',
    })
    const time = Date.parse('2026-11-20T12:02:00Z')
    vi.setSystemTime(time)
    const copy = new Copy('events', 'start_date=2027-05-01&end_date=2027-05-01')
    await copy.sync()
    expect([(await copy.list()).map(event => event.id), [...copy.rows.keys()]]).toEqual([[id], []])
    await publishDue(new Database(env.DB), time)
    await copy.sync()
    expect([...copy.rows.keys()]).toEqual([id])
  })

  it('accept `_fields`, and refuse dates that depend on the present', async () => {
    const body = await readChanges('_fields=id,venue.venue&limit=1')
    expect(Object.keys(body.events[0]).sort()).toEqual(['id', 'venue'])
    expect(body.next).toEqual(expect.any(String))
    for (const query of [
      'starts_after=now',
      'start_date=today',
      'happening=now',
      'happening=2027-01-01/tomorrow',
      'limit=0',
      'venue=9999',
      'status=draft',
      'bbox=1,2,3,99',
    ])
      expect((await send('GET', `/events/changes?${query}`)).status, query).toBe(400)
    for (const path of [
      '/venues/changes?has_events=1',
      '/venues/changes?only_with_upcoming=1',
      '/organizers/changes?event=1',
      '/categories/changes?hide_empty=1',
      '/tags/changes?post=1',
      '/categories/changes?parent=9999',
      '/venues/changes?status=draft',
    ])
      expect((await send('GET', path)).status, path).toBe(400)
    const ignored = await send('GET', '/events/changes?page=2&per_page=1&order=desc')
    expect(ignored.headers.get('x-ignored-fields')).toBe('page, per_page, order')
  })
})

// model.test.ts has the other causes.
describe('an event changes with', () => {
  const edit = (path: string, json: object) => send('PATCH', path, { as: admin, json })
  it.each<[string, object, (event: Answer['body']) => Promise<unknown>]>([
    [
      'the size of its image',
      { image: 'https://example.org/shared.png' },
      () => makeEvent(admin, { image: { url: 'https://example.org/shared.png', width: 10, height: 20 } }),
    ],
    [
      'the deletion of its venue',
      { venue: { venue: 'Gone' } },
      ({ venue }) => send('DELETE', `/venues/${venue.id}?force=true&detach=true`, { as: admin }),
    ],
    [
      'the deletion of a tag',
      { tags: ['ending'] },
      ({ tags: [tag] }) => send('DELETE', `/tags/${tag.id}`, { as: admin }),
    ],
  ])('%s', async (_, fields, change) => {
    const event = await makeEvent(admin, { title: 'Changing', ...fields })
    const since = await caughtUp()
    await change(event)
    const body = await readChanges(`since=${since}`)
    expect(ids(body)).toContain(event.id)
    expect(body.events.find(({ id }: Answer['body']) => id === event.id)).toEqual(
      withoutJsonLd((await send('GET', `/events/${event.id}`)).body),
    )
  })

  it('the access of its venue, unless the event has its own', async () => {
    const venue = await makeVenue(admin, 'Gate', { wheelchair: 'no' })
    const { id } = await makeEvent(admin, { venue: venue.id })
    await makeEvent(admin, { venue: venue.id, wheelchair: 'no' })
    const copy = new Copy('events', 'wheelchair=yes')
    await copy.sync(500)
    const since = await caughtUp()
    await send('PATCH', `/venues/${venue.id}`, { as: admin, json: { wheelchair: 'yes' } })
    await copy.sync(500)
    expect([...copy.rows.keys()]).toContain(id)
    expect(ids(await readChanges(`since=${since}`))).toEqual([id])
    await send('PATCH', `/venues/${venue.id}`, { as: admin, json: { wheelchair: 'limited' } })
    await copy.sync(500)
    expect([...copy.rows.keys()]).not.toContain(id)
  })

  it('the place of its category', async () => {
    const parent = await makeCategory(admin, 'Parent')
    const child = await makeCategory(admin, 'Child', { parent: parent.id })
    const event = await makeEvent(admin, { categories: [child.id] })
    const since = await caughtUp(`categories=${parent.id}`)
    await edit(`/categories/${child.id}`, { parent: 0 })
    const gone = await readChanges(`categories=${parent.id}&since=${since}`)
    expect([ids(gone), gone.deleted]).toEqual([[], [event.id]])
    await edit(`/categories/${child.id}`, { parent: parent.id })
    expect(ids(await readChanges(`categories=${parent.id}&since=${gone.next}`))).toEqual([event.id])
  })
})

describe('tokens', () => {
  const status = async (path: string, as?: string) => (await send('GET', path, as ? { as } : {})).status

  it('belong to their list, filters and caller, and cannot be forged', async () => {
    const since = await caughtUp('search=jazz')
    expect(await status(`/events/changes?search=jazz&since=${since}`)).toBe(200)
    for (const [path, as] of [
      [`/events/changes?since=${since}`],
      [`/events/changes?search=film&since=${since}`],
      [`/venues/changes?search=jazz&since=${since}`],
      [`/events/changes?search=jazz&since=${since}`, admin],
      ...[
        since.slice(0, -1),
        `x${since}`,
        since.replace('.', 'A.'),
        'x',
        '.',
        'null.null',
        `${btoa('[1,2,3,4]')}.x`,
        'e30.e30',
        '%00',
      ].map((token): [string] => [`/events/changes?search=jazz&since=${encodeURIComponent(token)}`]),
    ] as [string, string?][]) {
      const answer = await send('GET', path, as ? { as } : {})
      expect([answer.status, answer.body.code], path).toEqual([410, 'rest_sync_expired'])
    }
    const own = await caughtUp('', admin)
    expect(await status(`/events/changes?since=${own}`)).toBe(410)
    expect(await status(`/events/changes?since=${own}`, author)).toBe(410)
    expect(await status(`/events/changes?since=${own}&limit=3&_fields=id`, admin)).toBe(200)
    const two = await caughtUp('featured=false&search=jazz')
    expect(await status(`/events/changes?search=jazz&featured=false&since=${two}`)).toBe(200)
    // Times are those of another zone by then.
    const moved = { bindings: { TIMEZONE: 'Asia/Tokyo' } }
    expect((await send('GET', `/events/changes?search=jazz&since=${since}`, moved)).status).toBe(410)
  })

  it('are valid for 90 days after each response', async () => {
    let since = await caughtUp()
    vi.setSystemTime(new Date('2027-02-18T11:00:00Z'))
    const body = await readChanges(`since=${since}`)
    vi.setSystemTime(new Date('2027-02-19T00:00:00Z'))
    expect(await status(`/events/changes?since=${since}`)).toBe(410)
    since = body.next
    expect(await status(`/events/changes?since=${since}`)).toBe(200)
  })

  it('outlive the Worker that issued them', async () => {
    await makeEvent(admin)
    const copy = new Copy('events', '')
    await copy.step(1)
    vi.resetModules()
    const { createApp } = await import('../../../src/app.ts')
    const another = createApp(settingsOf({}))
    const response = await another.request(`${API}/events/changes?since=${copy.since}`, {}, env)
    expect(response.status).toBe(200)
  })

  it('are only valid for the database that issued them', async () => {
    const since = await caughtUp()
    await query(
      "UPDATE revision SET secret = 'another', change_number = change_number + 1, public_change_number = public_change_number + 1",
    )
    expect(await status(`/events/changes?since=${since}`)).toBe(410)
  })
})

describe('hidden content', () => {
  it('is left out for the public: its id, the fact that it changed, and how often', async () => {
    const shown = await makeEvent(author, { title: 'Shown' })
    const forAll = await caughtUp()
    const forEditors = await caughtUp('', admin)
    const draft = await makeEvent(author, { title: 'Draft', status: 'draft' })
    const unlisted = await makeEvent(admin, { title: 'Unlisted', hide_from_listings: true })
    await send('PATCH', `/events/${draft.id}`, { as: author, json: { title: 'Draft 2' } })
    await send('DELETE', `/events/${draft.id}?force=true`, { as: author })
    await send('PATCH', `/events/${unlisted.id}`, { as: admin, json: { title: 'Unlisted 2' } })
    const nothing = { events: [], deleted: [], more: false }
    const before = await readChanges(`since=${forAll}`)
    expect(before).toMatchObject(nothing)
    expect(before.next).toBe(forAll)
    expect((await readChanges(`since=${forEditors}`, admin)).deleted).toEqual([draft.id, unlisted.id])
    // Once it is not shown any more, further changes say nothing either.
    await send('PATCH', `/events/${shown.id}`, { as: author, json: { status: 'draft' } })
    const gone = await readChanges(`since=${forAll}`)
    expect(gone.deleted).toEqual([shown.id])
    await send('PATCH', `/events/${shown.id}`, { as: author, json: { title: 'Hidden by now' } })
    expect(await readChanges(`since=${gone.next}`)).toMatchObject(nothing)
    const { next } = gone
    expect(await readChanges(`since=${next}`, author)).toEqual({ ...nothing, next })
  })

  it('is left out for its author as well: only editors get more than the public', async () => {
    const contributor = await makeUser('contributor', 'contributor')
    const subscriber = await makeUser('subscriber', 'subscriber')
    const mine = [
      await makeEvent(author, { title: 'Mine', status: 'draft', tags: ['whispered'] }),
      await makeEvent(contributor, { title: 'Waiting', status: 'pending' }),
    ].map(({ id }) => id)
    const since = await caughtUp()
    await makeVenue(author, 'Secret hall', { status: 'draft' })
    await send('PATCH', `/events/${mine[0]}`, { as: author, json: { title: 'Mine 2' } })
    await makeEvent(author, { title: 'For everybody', tags: ['spoken'] })
    for (const path of [
      '/events/changes?limit=500',
      `/events/changes?since=${since}`,
      '/venues/changes?limit=500',
      '/tags/changes?limit=500',
    ]) {
      const toAll = await send('GET', path)
      expect(toAll.status, path).toBe(200)
      for (const as of [author, contributor, subscriber])
        expect((await send('GET', path, { as })).body, path).toEqual(toAll.body)
    }
    const lists = [author, contributor].map(as => send('GET', '/events/changes?status=draft,pending', { as }))
    for (const { status, body } of await Promise.all(lists))
      expect([status, body.data.params.status]).toEqual([400, expect.stringContaining('only editors')])
    const toEditors = await readChanges('limit=500&status=draft,pending', admin)
    expect(ids(toEditors)).toEqual(expect.arrayContaining(mine))
  })

  it('includes categories and tags that only unpublished events have', async () => {
    const read = async (since?: string) =>
      (await send('GET', `/tags/changes?limit=500${since ? `&since=${since}` : ''}`)).body
    const { next } = await read()
    const draft = await makeEvent(other, { status: 'draft', tags: ['murmured', 'muttered'] })
    const [gone, tag] = draft.tags
    // By the API, an administrator who edits it makes it one for everybody.
    await query(
      "UPDATE terms SET description = description || 'x', version = version + 1 WHERE id = ?",
      tag.id,
    )
    await send('DELETE', `/tags/${gone.id}`, { as: admin })
    expect(await read(next)).toEqual({ tags: [], deleted: [], more: false, next })
    await makeEvent(other, { tags: [tag.name] })
    expect((await read(next)).tags.map(({ id }: Answer['body']) => id)).toEqual([tag.id])
    await send('DELETE', `/tags/${tag.id}`, { as: admin })
    expect((await read(next)).deleted).toEqual([tag.id])
  })

  it('is left out for other kinds as well', async () => {
    const start = (await send('GET', '/venues/changes?limit=500')).body
    const venue = await makeVenue(author, 'Secret cellar', { status: 'draft' })
    const body = (await send('GET', `/venues/changes?since=${start.next}`)).body
    expect(body).toMatchObject({ venues: [], deleted: [] })
    expect((await send('GET', `/venues/changes?since=${start.next}`, { as: admin })).status).toBe(410)
    const all = (await send('GET', '/venues/changes?limit=500', { as: admin })).body
    expect(all.venues.map(({ id }: Answer['body']) => id)).toContain(venue.id)
  })
})

describe('the cost', () => {
  const read = async (path: string) => {
    const read = await measure('GET', path)
    expect(read.status, path).toBe(200)
    return read
  }

  it('depends on the number of changes, in one round trip', async () => {
    const { id: category } = await makeCategory(admin, 'Cost')
    const event = (i: number) => ({ title: `Cost ${i}`, ...WHEN, categories: i % 40 === 0 ? [category] : [] })
    await makeAll(
      admin,
      'events',
      Array.from({ length: 100 }, (_, i) => event(i)),
    )
    // Those of a batch have one number together, which would be read again.
    await makeEvent(admin, { title: 'Last', categories: [category] })
    const since = await caughtUp(`categories=${category}`)
    const path = `/events/changes?categories=${category}&since=${since}`
    const nothing = await read(path)
    expect({ trips: nothing.trips, hasFewRows: nothing.rows < 40, events: nothing.body.events }).toEqual({
      trips: 1,
      hasFewRows: true,
      events: [],
    })
    await makeEvent(admin, { title: 'One more', categories: [category] })
    const one = await read(path)
    expect({
      hasFewTrips: one.trips <= 2,
      hasFewRows: one.rows < 100,
      events: one.body.events.length,
    }).toEqual({ hasFewTrips: true, hasFewRows: true, events: 1 })
    const first = await read(`/events/changes?categories=${category}&limit=2`)
    expect({ trips: first.trips, hasFewRows: first.rows < 150, events: first.body.events.length }).toEqual({
      trips: 1,
      hasFewRows: true,
      events: 2,
    })
  })
})

// At the end, because other tests read all events.
describe('changes', () => {
  it('with texts too long for one response come complete, in several responses', async () => {
    const description = `<p>${'x'.repeat(180_000)}</p>`
    const { id: category } = await makeCategory(admin, 'Long')
    for (let i = 0; i < 20; i++)
      await makeEvent(admin, { title: `Long ${i}`, description, categories: [category] })
    const copy = new Copy('events', `categories=${category}`)
    expect(await copy.step()).toBe(true)
    await copy.sync()
    expect([...copy.rows.values()].map(row => row.description.length)).toEqual(
      Array(20).fill(description.length),
    )
    // Whichever of them changed first.
    for (const id of [...copy.rows.keys()].reverse())
      await send('PATCH', `/events/${id}`, { as: admin, json: { cost: '$1' } })
    await copy.sync()
    expect([...copy.rows.values()].map(row => row.cost)).toEqual(Array(20).fill('$1'))
  })

  it('of series with many dates come in several responses', async () => {
    const dates = (year: number) =>
      Array.from(
        { length: 1_000 },
        (_, i) => `${year + Math.floor(i / 28)}-02-${String((i % 28) + 1).padStart(2, '0')}`,
      )
    const { series } = await makeEvent(admin, {
      recurrence: { rrule: 'FREQ=DAILY;COUNT=100', rdate: dates(2040), exdate: dates(2100) },
    })
    const first = await send('GET', `/events/changes?series=${series.id}&limit=500`)
    expect(first.body.more).toBe(true)
    expect(first.text.length).toBeLessThan(4_000_000)
    const copy = new Copy('events', `series=${series.id}`)
    await copy.sync(500)
    expect(copy.rows.size).toBe(100)
    for (const { series } of copy.rows.values())
      expect([series.recurrence.rdate.length, series.recurrence.exdate.length]).toEqual([1_000, 1_000])
  })
})
