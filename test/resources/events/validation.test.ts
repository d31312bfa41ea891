import { describe, expect, it } from 'vitest'
import { send, user, WHEN } from '../../factories.ts'

const admin = user('administrator', 'admin')

const create = (fields: object, as = admin) =>
  send('POST', '/events', { as, json: { title: 'Event', ...WHEN, ...fields } })
const params = (body: { data?: { params?: object } }) => Object.keys(body.data?.params ?? {}).sort()

describe('all bad fields', () => {
  it('of a write are named in one response, those that need a look at the database among them', async () => {
    const { status, body } = await create({
      start_date: '2027-02-30',
      timezone: 'Mars/Olympus',
      venue: 999,
      organizer: { organizer: 'X', email: 'nope' },
      tags: [998],
      categories: '997',
      author: 996,
      image: 995,
      post_parent: 994,
      featured: 'perhaps',
      website: 'not a url',
    })
    expect(status).toBe(400)
    expect(params(body)).toEqual([
      'author',
      'categories',
      'featured',
      'image',
      'organizer',
      'post_parent',
      'start_date',
      'tags',
      'timezone',
      'venue',
      'website',
    ])
  })

  it('of a list are named in one response', async () => {
    const { body } = await send(
      'GET',
      '/events?page=0&venue=999&categories=none&status=draft&geoloc_lat=1&start_date=soon&tags=1&order=up',
    )
    expect(params(body)).toEqual([
      'categories',
      'geoloc_lat',
      'order',
      'page',
      'start_date',
      'status',
      'tags',
      'venue',
    ])
  })

  it.each([
    ['/events?geoloc_lat=91&geoloc_lng=0', ['geoloc_lat']],
    ['/events/changes?geoloc_lat=0&geoloc_lng=east', ['geoloc_lng']],
    ['/events.ics?geoloc_lng=0', ['geoloc_lng']],
  ])('say nothing of the other coordinate: %s', async (path, bad) => {
    expect(params((await send('GET', path)).body)).toEqual(bad)
  })
})
