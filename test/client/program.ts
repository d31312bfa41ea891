import createClient from 'openapi-fetch'
import type { components, paths } from '../../dist/client/api.d.ts'

// A program that uses the API by its types alone: readme.test.ts compiles it. What must not compile is
// marked.

const client = createClient<paths>({
  baseUrl: 'https://calendar.example.org/calendar/events/v1',
  headers: { authorization: 'Bearer token' },
})

/** Reads what is on, and where. */
export async function listTitles(): Promise<string[]> {
  const { data, error } = await client.GET('/events', {
    params: { query: { per_page: 20, tags: ['jazz'], order: 'desc' } },
  })
  if (error) throw new Error(`${error.code}: ${error.message}`)
  return data.events.map(event => `${event.title}, ${placesOf(event).join(' and ')}`)
}

const placesOf = ({ venue }: components['schemas']['Event']): string[] =>
  (Array.isArray(venue) ? venue : [venue]).map(place => place.venue)

/** Makes an event, with a venue that is made along with it. */
export async function create(): Promise<number> {
  const { data, error, response } = await client.POST('/events', {
    body: {
      title: 'Jazz night',
      start_date: '2027-06-10 20:00:00',
      end_date: '2027-06-10 23:00:00',
      venue: [{ venue: 'The Barn' }],
      categories: ['Music'],
    },
  })
  if (data) return data.id
  const code: 'rest_forbidden' | 'term_exists' | string = error.code
  throw new Error(`${response.status} ${code}`)
}

type Links = components['schemas']['EventFields']

/** All forms in which an event names its venues, organizers, categories and tags. */
export const LINKS: Pick<Links, 'venue' | 'organizer' | 'categories' | 'tags'>[] = [
  { venue: 3, organizer: 4, categories: 5, tags: 6 },
  { venue: '3', organizer: '4,5', categories: 'Music', tags: 'outdoors,every week' },
  { venue: { venue: 'The Barn', city: 'Kent' }, organizer: { organizer: 'The Guild' } },
  {
    venue: { id: 3 },
    organizer: { id: 4 },
    categories: { name: 'Music' },
    tags: { id: 6, slug: 'outdoors' },
  },
  {
    venue: [3, { venue: 'The Barn' }],
    organizer: [{ id: 4 }, '5'],
    categories: ['Music', 5],
    tags: [{ name: 'x' }],
  },
]

/** Renames one. */
export async function rename(id: number, title: string): Promise<components['schemas']['Event'] | undefined> {
  const { data } = await client.PATCH('/events/{id}', { params: { path: { id } }, body: { title } })
  return data
}

/** Sends what was read back as it is. */
export async function sendBack(id: number): Promise<void> {
  const params = { path: { id } }
  const { data: event } = await client.GET('/events/{id}', { params })
  if (event) await client.PUT('/events/{id}', { params, body: event })
  const { data: venue } = await client.GET('/venues/{id}', { params })
  if (venue) await client.PATCH('/venues/{id}', { params, body: venue })
  const { data: organizer } = await client.GET('/organizers/{id}', { params })
  if (organizer) await client.PATCH('/organizers/{id}', { params, body: organizer })
  const { data: category } = await client.GET('/categories/{id}', { params })
  if (category) await client.PATCH('/categories/{id}', { params, body: category })
  const { data: image } = await client.GET('/media/{id}', { params })
  if (image) await client.PATCH('/media/{id}', { params, body: image })
}

/** Values that have several types. */
export async function variants(): Promise<void> {
  const params = { path: { id: 1 } }
  await client.PATCH('/events/{id}', { params, body: { image: { id: 3 }, cost: 10, author: 2 } })
  await client.PATCH('/events/{id}', { params, body: { image: false, cost: [10, '20$'], author: '2' } })
  const image = { url: 'https://example.org/poster.jpg', width: 640, height: 480 }
  await client.PATCH('/events/{id}', { params, body: { image } })
  await client.GET('/events', {
    params: { query: { author: [1, 'ann'], categories: ['music', 3], tags: [4], venue: [5] } },
  })
  await client.POST('/batch', {
    body: {
      requests: [
        {
          method: 'PATCH',
          path: '/events/12',
          body: { title: 'Jazz night', venue: [{ venue: 'The Barn' }] },
        },
        { method: 'DELETE', path: '/events/13', headers: { 'If-Match': '"1"' } },
      ],
    },
  })
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error there is no such path
  await client.GET('/sponsors')
  // @ts-expect-error a page is a number
  await client.GET('/events', { params: { query: { page: 'two' } } })
  // @ts-expect-error sorting goes up or down
  await client.GET('/events', { params: { query: { order: 'sideways' } } })
  // @ts-expect-error a new event has a start and an end
  await client.POST('/events', { body: { title: 'Jazz night' } })
  // @ts-expect-error a venue has no title
  const links: Pick<Links, 'venue'> = { venue: { title: 'The Barn' } }
  await client.PATCH('/events/{id}', { params: { path: { id: 1 } }, body: links })
  // @ts-expect-error which event?
  await client.DELETE('/events/{id}')
  const { data } = await client.GET('/venues/{id}', { params: { path: { id: 1 } } })
  // @ts-expect-error venues have no title
  console.log(data?.title)
}
