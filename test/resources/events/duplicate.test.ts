import { beforeAll, describe, expect, it } from 'vitest'
import { badNames } from '../../attacks/requests.ts'
import { type Answer, makeEvent, send, user } from '../../factories.ts'

const admin = user('administrator', 'admin')
const contributor = user('contributor')
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
]
const others = (body: Answer['body']) =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !OWN.includes(name)))),
    (name, value) =>
      // Counts of published events.
      name === 'count' ? undefined : value,
  )

describe('a copy of an event', () => {
  it('is a draft, and like it in everything but its slug and external id', async () => {
    const { status, body } = await duplicate()
    expect(status).toBe(201)
    expect(others(body)).toEqual(others(event))
    expect(body).toMatchObject({ status: 'draft', slug: 'ball-more' })
    expect(body.external_id ?? '').toBe('')
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
    expect([status, body.status, body.author === event.author]).toEqual([201, 'pending', false])
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
      expect(body.responses.map((one: { body: Answer['body'] }) => one.body.start_date)).toEqual([
        '2027-05-01 10:00:00',
        '2027-05-08 10:00:00',
      ])
    }
  })
})
