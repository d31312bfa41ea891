import { beforeAll, expect, it } from 'vitest'
import { responseCache } from '../../../src/kit/http/caching.ts'
import { type Answer, declareUser, makeEvent, send } from '../../factories.ts'

const admin = declareUser('administrator', 'admin')
let event: Answer['body']

beforeAll(async () => {
  event = await makeEvent(admin, { title: 'Ahead', venue: { venue: 'Hall' }, tags: ['jazz'] })
})

/** Headers except those that differ in every request. */
const shared = ({ headers }: Answer) =>
  [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))

it.each([
  ['/events', 200],
  ['/events?per_page=1&unknown=1', 200],
  ['/events/', 200],
  ['/events/{event}', 200],
  ['/events/{event}/', 200],
  ['/events/by-slug/ahead', 200],
  ['/events/by-slug/ahead/', 200],
  ['/venues', 200],
  ['/organizers', 200],
  ['/categories', 200],
  ['/tags', 200],
  ['', 200],
  ['/doc', 200],
  ['/events/999999', 404],
  ['/events?page=x', 400],
  ['/nothing', 404],
])('HEAD %s has the same response as GET, without the body', async (pattern, status) => {
  const path = pattern.replace('{event}', event.id)
  for (const as of [undefined, admin]) {
    const by = as === undefined ? {} : { as }
    // Both computed and from memory, and the other way round.
    responseCache.clear()
    const get = await send('GET', path, by)
    const cached = await send('HEAD', path, by)
    responseCache.clear()
    const head = await send('HEAD', path, by)
    expect([get.status, Object.keys(get.body).length > 0]).toEqual([status, true])
    for (const one of [cached, head]) expect([one.status, one.body]).toEqual([status, {}])
    expect(shared(head)).toEqual(shared(get))
    expect(shared(cached)).toEqual(shared(get))
    expect((await send('GET', path, by)).body).toEqual(
      status === 200 ? get.body : expect.objectContaining({ code: get.body.code }),
    )
  }
})

it('HEAD with the tag of GET is 304, and the other way round', async () => {
  for (const [first, second] of [
    ['GET', 'HEAD'],
    ['HEAD', 'GET'],
  ] as const) {
    const tag = (await send(first, '/events')).headers.get('etag') ?? ''
    const { status, headers } = await send(second, '/events', { headers: { 'if-none-match': tag } })
    expect([status, headers.get('etag')], first).toEqual([304, tag])
  }
})
