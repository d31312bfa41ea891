import { beforeAll, describe, expect, it } from 'vitest'
import { badNames } from '../../attacks/requests.ts'
import { type Answer, declareUser, makeEvent, query, send } from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'

const admin = declareUser('administrator', 'admin')
const contributor = declareUser('contributor')
const author = declareUser('author', 'ann')
let event: Answer['body']

beforeAll(async () => {
  event = await makeEvent(admin, {
    title: 'Ball & "more"',
    description: '<p>All night</p>',
    excerpt: 'Short',
    start_date: '2027-02-01 20:00',
    end_date: '2027-02-02 02:00',
    timezone: 'Europe/Rome',
    cost: '$5 - $10',
    website: 'https://ball.example',
    featured: true,
    event_status: 'postponed',
    event_status_reason: 'Rain',
    ticketed: true,
    ticket_availability: 'sold_out',
    virtual_event_type: 'hybrid',
    custom_fields: { dress: { label: 'Dress', value: 'white' } },
    venue: [{ venue: 'Hall' }, { venue: 'Garden' }],
    organizer: [{ organizer: 'Guild' }],
    categories: ['Dance'],
    tags: ['night'],
    image: 'https://example.org/ball.jpg',
    external_id: 'crm-1',
    slug: 'ball',
  })
})

const duplicate = (json: object = {}, as = admin, id = event.id) =>
  send('POST', `/events/${id}/duplicate`, { as, json })

/** What a copy has of its own. */
const OWN = [
  ...['id', 'global_id', 'global_id_lineage', 'url', 'rest_url', 'slug', 'external_id', 'status'],
  ...['date', 'date_utc', 'modified', 'modified_utc', 'author'],
  ...['event_status', 'event_status_reason', 'ticket_availability'],
]
const others = (body: Answer['body']) =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !OWN.includes(name)))),
    (name, value) =>
      // Counts of published events.
      name === 'count' ? undefined : value,
  )

describe('a copy of an event', () => {
  it('is a draft, and like it in everything but its slug, external id and what has become of it', async () => {
    const { status, body } = await duplicate()
    expect(status).toBe(201)
    expect(others(body)).toEqual(others(event))
    expect(body).toMatchObject({
      status: 'draft',
      slug: 'ball-more',
      event_status: 'scheduled',
      ticketed: true,
    })
    for (const name of ['external_id', 'event_status_reason', 'ticket_availability'])
      expect(body[name] ?? '', name).toBe('')
  })

  it('takes the fields that the request names', async () => {
    const named = {
      title: 'Other',
      status: 'publish',
      tags: ['day'],
      venue: [],
      slug: 'other',
      external_id: 'crm-2',
    }
    const { body } = await duplicate(named)
    expect(body).toMatchObject({
      title: 'Other',
      status: 'publish',
      slug: 'other',
      external_id: 'crm-2',
      venue: [],
    })
    expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(['day'])
    expect(body.cost).toBe(event.cost)
  })

  it('lasts as long, if only its start is named', async () => {
    const { body } = await duplicate({ start_date: '2027-03-06 21:00' })
    expect(body).toMatchObject({ start_date: '2027-03-06 21:00:00', end_date: '2027-03-07 03:00:00' })
    expect(badNames(await duplicate({ end_date: '2026-01-01' }))).toEqual(['end_date'])
    expect(badNames(await duplicate({ start_date: 'x', external_id: 'crm-1' }))).toEqual([
      'start_date',
      'external_id',
    ])
  })

  it('may be a series', async () => {
    const { body } = await duplicate({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' }, status: 'publish' })
    expect(body.series).toBeDefined()
    const occurrence = await duplicate({}, admin, body.id)
    expect(occurrence.body.series).toBeUndefined()
    expect(occurrence.body.description).toBe(event.description)
  })

  it('belongs to whoever makes it, who needs to see the event', async () => {
    const { status, body } = await duplicate({ status: 'publish' }, contributor)
    expect({ status, copyStatus: body.status, isSameAuthor: body.author === event.author }).toEqual({
      status: 201,
      copyStatus: 'pending',
      isSameAuthor: false,
    })
    const draft = await makeEvent(admin, { status: 'draft' })
    expect((await duplicate({}, contributor, draft.id)).status).toBe(403)
    expect((await duplicate({ tags: ['new one'] }, contributor)).status).toBe(403)
    expect((await duplicate({}, admin, 999_999)).status).toBe(404)
    await send('DELETE', `/events/${draft.id}`, { as: admin })
    expect((await duplicate({}, admin, draft.id)).body.code).toBe('event-no-longer-available')
    expect((await send('POST', `/events/${event.id}/duplicate`, { json: {} })).status).toBe(401)
  })

  it('is made in a batch as well', async () => {
    const requests = ['2027-05-01 10:00', '2027-05-08 10:00'].map(start_date => ({
      path: `/events/${event.id}/duplicate`,
      body: { start_date },
    }))
    for (const validation of ['normal', 'require-all-validate']) {
      const { body } = await send('POST', '/batch', { as: admin, json: { requests, validation } })
      expect(
        body.responses.map((one: { body: Answer['body'] }) => one.body.start_date),
        validation,
      ).toEqual(['2027-05-01 10:00:00', '2027-05-08 10:00:00'])
    }
  })
})

describe('a copy of an event with a programme', () => {
  let fair: number
  const day = (start: string) => ({
    start_date: `2027-06-${start}:00`,
    end_date: `2027-06-${start}:30`,
  })
  const make = async (title: string, start: string, fields: object = {}, as = admin) =>
    (await makeEvent(as, { title, ...day(start), ...fields })).id

  beforeAll(async () => {
    fair = await make('Fair', '10 10', { timezone: 'Europe/Rome' })
    const part = { post_parent: fair, timezone: 'Europe/Rome' }
    await make('Opening', '10 19', {
      ...part,
      room: 'Great hall',
      venue: { venue: 'Fair hall' },
      description: 'Long',
    })
    await make('Talk', '12 09', { ...part, hide_from_listings: true })
    await make('Still a draft', '12 11', { ...part, status: 'draft' })
    await send('DELETE', `/events/${await make('Gone', '12 12', part)}`, { as: admin })
    const intruder = await make('Intruder', '12 13', {}, author)
    await send('PATCH', `/events/${intruder}`, { as: author, json: { post_parent: fair } })
  })

  const partsOf = async (id: number) =>
    await query<Record<string, unknown>>(
      'SELECT title, start_date, status, room, author_id, parent_confirmed_by, hide_from_listings AS hidden FROM events WHERE post_parent = ? ORDER BY start_date',
      id,
    )

  it('has copies of its parts as drafts, as many days later', async () => {
    const { body, status } = await duplicate({ start_date: '2028-06-08 18:00' }, admin, fair)
    expect(status).toBe(201)
    const own = { status: 'draft', author_id: 1, parent_confirmed_by: 1 }
    expect(await partsOf(body.id)).toEqual([
      { title: 'Opening', start_date: '2028-06-08 19:00:00', room: 'Great hall', hidden: 0, ...own },
      { title: 'Talk', start_date: '2028-06-10 09:00:00', room: '', hidden: 1, ...own },
      { title: 'Still a draft', start_date: '2028-06-10 11:00:00', room: '', hidden: 0, ...own },
    ])
    // Those of the original stay where they are.
    expect(await partsOf(fair)).toHaveLength(5)
  })

  it('is as public as the request says, and without parts if it says so', async () => {
    const { body } = await duplicate({ status: 'publish' }, admin, fair)
    expect((await partsOf(body.id)).map(({ status }) => status)).toEqual(['publish', 'publish', 'publish'])
    const listed = await send('GET', `/events?post_parent=${body.id}&start_date=2027-01-01`)
    expect(listed.body.total).toBe(2)
    const { body: alone } = await send('POST', `/events/${fair}/duplicate?programme=false`, {
      as: admin,
      json: {},
    })
    expect(await partsOf(alone.id)).toEqual([])
    expect(
      badNames(await send('POST', `/events/${fair}/duplicate?programme=x`, { as: admin, json: {} })),
    ).toEqual(['programme'])
  })

  it('belongs to whoever makes it, with the parts that they may read', async () => {
    const { body } = await duplicate({}, contributor, fair)
    const parts = await partsOf(body.id)
    expect(parts.map(({ title }) => title)).toEqual(['Opening', 'Talk'])
    for (const { author_id, parent_confirmed_by } of parts)
      expect([author_id, parent_confirmed_by]).toEqual([body.author, body.author].map(Number))
  })

  it('is written whole or not at all, in one batch with two hundred parts at most', async () => {
    const big = await make('Congress', '20 10')
    const part = (i: number) => ({
      method: 'POST',
      path: '/events',
      body: { title: `Talk ${i}`, ...day('20 11'), post_parent: big },
    })
    for (const from of [0, 100]) {
      const requests = Array.from({ length: 100 }, (_, i) => part(from + i))
      await send('POST', '/batch', { as: admin, json: { requests } })
    }
    const copy = await measure('POST', `/events/${big}/duplicate`, { as: admin, json: {} })
    expect(copy.status).toBe(201)
    expect(copy.trips).toBeLessThan(6)
    expect(await partsOf(copy.body.id)).toHaveLength(200)
    await send('POST', '/events', { as: admin, json: part(200).body })
    const { status, body } = await duplicate({}, admin, big)
    expect([status, body.message]).toEqual([413, expect.stringContaining('programme=false')])
  })
})
