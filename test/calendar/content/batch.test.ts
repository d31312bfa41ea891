import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { badNames } from '../../attacks/requests.ts'
import {
  type Answer,
  declareUser,
  makeEvent,
  makeUser,
  makeVenue,
  query,
  send,
  WHEN,
} from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { measure } from '../../kit/http/metrics.ts'

type Sub = { method?: string; path: string; body?: unknown; headers?: object }

const admin = declareUser('administrator', 'admin')
const contributor = declareUser('contributor')

const batch = (requests: unknown, more: object = {}, as = admin): Promise<Answer> =>
  send('POST', '/batch', { as, json: { requests, ...more } })

/** The responses of a batch. */
async function responsesOf(requests: readonly Sub[], more: object = {}, as = admin) {
  const answer = await batch(requests, more, as)
  expect(answer.status, answer.text).toBe(207)
  return answer.body.responses as { status: number; headers: Record<string, string>; body: Answer['body'] }[]
}

const ALL = { validation: 'require-all-validate' }

const event = (n: number, more: object = {}): Sub => ({
  path: '/events',
  body: { title: `Batch ${n}`, ...WHEN, ...more },
})

/** The cost of a batch, without checking credentials. */
async function measureBatch(json: object) {
  const { trips, statements, body } = await measure('POST', '/batch', { as: admin, json })
  const responses: { status: number; body: object }[] = body.responses
  return { trips: trips - 1, statements: statements - 1, responses }
}

const everything = (name: string) => (n: number) =>
  event(n, {
    title: `${name} ${n}`,
    venue: { venue: `${name} hall ${n % 40}`, city: 'Kent' },
    organizer: [{ organizer: `${name} guild ${n}` }],
    categories: [`${name} music ${n % 7}`],
    tags: [`${name} tag ${n}`, 'shared'],
    image: `https://example.org/${name}-${n}.jpg`,
  })

describe('a hundred new events with everything', () => {
  it.each([{}, ALL])('are at most 45 statements in 4 trips, %j', async more => {
    const name = 'validation' in more ? 'Joint' : 'Each'
    const requests = Array.from({ length: 100 }, (_, n) => everything(name)(n))
    const { trips, statements, responses } = await measureBatch({ requests, ...more })
    expect(responses.map(({ status }) => status)).toEqual(requests.map(() => 201))
    expect(responses.map(({ body }) => 'slug' in body && body.slug)).toEqual(
      requests.map((_, n) => `${name.toLowerCase()}-${n}`),
    )
    expect(trips).toBeLessThanOrEqual(4)
    expect(statements).toBeLessThanOrEqual(45)
    expect((await send('GET', `/venues?search=${name}&per_page=100`)).body.total).toBe(40)
  })
})

describe('requests that ask other servers', () => {
  const far: Sub[] = [
    { path: '/sources/preview', body: { url: 'https://nobody.invalid/feed.ics' } },
    { path: '/sources/1/sync' },
    { path: '/webhooks/1/test' },
    { path: '/webhooks/1/deliveries/1/retry' },
  ]
  const made = event(1, { title: 'Made beside' })
  const total = async () => (await send('GET', '/events?search=beside')).body.total

  it.each<[Sub[], object, string]>([
    [
      [made, ...far.slice(2)],
      {},
      'requests[1], requests[2] would contact other servers, which at most one may do',
    ],
    [[...far, made], {}, 'requests[0], requests[1], requests[2], requests[3] would'],
    ...far.map((one): [Sub[], object, string] => [
      [made, one],
      ALL,
      'requests[1] would contact other servers, which is not possible',
    ]),
  ])('are refused if a batch has two, or one in a single transaction: %j', async (requests, more, reason) => {
    const { status, body } = await batch(requests, more)
    expect([status, body.code]).toEqual([400, 'rest_invalid_param'])
    expect(body.data.params.requests).toContain(reason)
    expect(await total()).toBe(0)
  })

  it('one works as if it were sent alone, and asks no other server for callers without the right', async () => {
    const [sync = { path: '' }, test = { path: '' }] = far.slice(1)
    const statuses = async (requests: Sub[], as = admin) =>
      (await responsesOf(requests, {}, as)).map(({ status }) => status)
    expect(await statuses([sync, made])).toEqual([404, 201])
    expect(await statuses([sync, test], contributor)).toEqual([403, 403])
  })
})

describe('requests are done as if each were sent alone', () => {
  it('in their order, with statuses, headers and errors of their own', async () => {
    const kept = await makeEvent(admin)
    const gone = await makeEvent(admin)
    const responses = await responsesOf([
      { method: 'patch', path: `/events/${kept.id}?x=1`, body: { title: 'New', color: 'red' } },
      event(1, { start_date: 'never' }),
      { method: 'DELETE', path: `/events/${gone.id}` },
      { method: 'DELETE', path: `/events/${gone.id}/` },
      { method: 'PATCH', path: '/venues/999999', body: {} },
      { path: '/nothing', body: {} },
      { path: '/tags', body: { name: 'batched' } },
      { path: '/tags', body: { name: 'Batched' } },
      { path: '/media', body: {} },
    ])
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [200, undefined],
      [400, 'rest_invalid_param'],
      [200, undefined],
      [410, 'event-is-in-trash'],
      [404, 'rest-venue-not-found'],
      [404, 'rest_no_route'],
      [201, undefined],
      [400, 'term_exists'],
      [400, 'rest_missing_callback_param'],
    ])
    expect(responses[0]?.headers).toEqual({ 'X-Ignored-Fields': 'x, color' })
    expect(responses[0]?.body).toMatchObject({ title: 'New' })
    expect(responses[1]?.body.data.params).toHaveProperty('start_date')
    expect(responses[7]?.body.data.term_id).toBe(responses[6]?.body.id)
  })

  it('errors say what an address takes, or which one was meant', async () => {
    const responses = await responsesOf([
      { path: '/event', body: {} },
      { method: 'DELETE', path: '/events' },
    ])
    expect(responses.map(({ headers, body }) => [headers, body.message])).toEqual([
      [{}, 'No route matches this address and method. Did you mean /events?'],
      [{ Allow: 'GET, HEAD, POST, OPTIONS' }, 'This address takes GET, POST.'],
    ])
  })

  it('with responses that do not differ from those of single requests', async () => {
    const body = { title: 'Alone', ...WHEN, venue: { venue: 'Alone' }, cost: '$5' }
    const alone = (await send('POST', '/events', { as: admin, json: body })).body
    const [first, second] = await responsesOf([event(1, body), event(2, body)])
    const same = ({
      id: _,
      slug,
      url,
      global_id: _g,
      global_id_lineage: _l,
      rest_url,
      ...others
    }: Answer['body']) => ({
      ...others,
      slugs: [slug, url, rest_url].map(text => String(text).replace(/-\d\b|\d+$/g, '')),
    })
    expect(same(first?.body ?? {})).toEqual(same(alone))
    expect(second?.body.slug).toBe('alone-3')
  })

  it('with If-Match and If-None-Match of their own', async () => {
    const { id } = await makeEvent(admin)
    const path = `/events/${id}`
    const etag = (await send('GET', path, { as: admin })).headers.get('etag')
    const responses = await responsesOf([
      { method: 'PATCH', path, body: { title: 'a' }, headers: { 'If-Match': etag } },
      { method: 'PATCH', path, body: { title: 'b' }, headers: { 'if-match': [etag] } },
      {
        method: 'PUT',
        path: '/events/by-external-id/nm',
        body: { title: 'c', ...WHEN },
        headers: { 'If-None-Match': '*' },
      },
      {
        method: 'PUT',
        path: '/events/by-external-id/nm',
        body: { title: 'd' },
        headers: { 'If-None-Match': '*' },
      },
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 412, 201, 412])
    expect((await send('GET', path)).body.title).toBe('a')
  })

  it('with the rights of the caller', async () => {
    const { id } = await makeEvent(admin)
    const venue = await makeVenue(admin, 'Of the admin')
    const responses = await responsesOf(
      [
        event(1, { title: 'Mine', venue: venue.id, status: 'publish' }),
        { method: 'PATCH', path: `/events/${id}`, body: { title: 'Taken' } },
        event(2, { title: 'Mine too', tags: ['not allowed'] }),
        event(3, { title: 'Mine three', author: 1 }),
        { path: '/tags', body: { name: 'forbidden' } },
        { method: 'DELETE', path: `/venues/${venue.id}?force=true` },
        event(4, { title: 'Mine four' }),
      ],
      {},
      contributor,
    )
    expect(responses.map(({ status, body }) => [status, body.status])).toEqual([
      [201, 'pending'],
      [403, undefined],
      [403, undefined],
      [403, undefined],
      [403, undefined],
      [403, undefined],
      [201, 'draft'],
    ])
    expect((await send('GET', `/events/${id}`)).body.title).toBe('Event')
    expect((await send('GET', '/tags?search=allowed')).body.tags).toEqual([])
  })

  it('audit entries are like those of requests sent alone', async () => {
    const responses = await responsesOf([event(1), event(2), { path: '/tags', body: { name: 'audited' } }])
    const [one, two, tag] = responses.map(({ body }) => body.id)
    const results = await query(
      "SELECT kind, object_id, fields FROM audit WHERE action = 'create' ORDER BY id DESC LIMIT 3",
    )
    const fields = '["title","start_date","end_date"]'
    expect(results.reverse()).toEqual([
      { kind: 'event', object_id: one, fields },
      { kind: 'event', object_id: two, fields },
      { kind: 'tag', object_id: tag, fields: '["name"]' },
    ])
  })
})

describe('later requests see the results of earlier ones', () => {
  it('venues, by their names', async () => {
    const [venue, named, other] = await responsesOf([
      { path: '/venues', body: { venue: 'Seen' } },
      event(1, { venue: { venue: 'Seen' } }),
      { path: '/venues', body: { venue: 'Seen' } },
    ])
    expect(named?.body.venue.id).toBe(venue?.body.id)
    expect(other?.body.id).toBe(venue?.body.id)
  })

  it('new venues of one name, which are one', async () => {
    const body = { venue: 'Twice', city: 'Rome' }
    const responses = await responsesOf([
      { path: '/venues', body },
      { path: '/venues', body: { venue: 'Twice' } },
      { path: '/venues', body },
      { path: '/venues', body: { venue: 'Twice', city: 'Oslo' } },
    ])
    const [first, second, third, fourth] = responses.map(({ body }) => body.id)
    expect([second, third]).toEqual([first, first])
    expect(fourth).not.toBe(first)
  })

  it('a venue that gets the name of a new one', async () => {
    const { id } = await makeVenue(admin, 'Before')
    const responses = await responsesOf([
      { method: 'PATCH', path: `/venues/${id}`, body: { venue: 'After' } },
      { path: '/venues', body: { venue: 'After' } },
    ])
    expect(responses[1]?.body.id).toBe(id)
  })

  it('terms, by their names and slugs', async () => {
    const responses = await responsesOf([
      event(1, { tags: ['New York'] }),
      event(2, { tags: ['new york'] }),
      event(3, { tags: ['new-york'] }),
      event(4, { tags: [{ slug: 'new-york' }] }),
    ])
    const ids = responses.map(({ body }) => body.tags.map((tag: { id: number }) => tag.id))
    expect(new Set(ids.flat()).size).toBe(1)
  })

  it('events, by their slugs and external ids', async () => {
    const path = '/events/by-external-id/crm-1'
    const responses = await responsesOf([
      event(1, { title: 'Unseen before' }),
      { method: 'PATCH', path: '/events/by-slug/unseen-before', body: { slug: 'moved' } },
      { method: 'PATCH', path: '/events/by-slug/unseen-before', body: {} },
      { method: 'PUT', path, body: { title: 'One', ...WHEN } },
      { method: 'PUT', path, body: { title: 'Two' } },
      { method: 'PUT', path: '/events/by-external-id/crm-2', body: { title: 'Three', ...WHEN } },
      event(2, { external_id: 'crm-2' }),
      { method: 'DELETE', path: `${path}?force=true` },
      { method: 'PUT', path, body: { title: 'Four', ...WHEN } },
    ])
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 404, 201, 200, 201, 400, 200, 201])
    expect((await send('GET', path)).body.title).toBe('Four')
  })

  it('several changes of one event', async () => {
    const { id, slug } = await makeEvent(admin, { title: 'Changed often' })
    const responses = await responsesOf([
      // An empty external id doesn't find an event that has none.
      { method: 'PATCH', path: '/events/by-external-id/%20', body: { title: 'Any' } },
      { method: 'PATCH', path: `/events/${id}`, body: { title: 'x' } },
      { method: 'PATCH', path: `/events/by-slug/${slug.toUpperCase()}`, body: { cost: '$1' } },
      { method: 'PATCH', path: `/events/${id}`, body: { all_day: true } },
    ])
    expect(responses.map(({ status }) => status)).toEqual([404, 200, 200, 200])
    expect((await send('GET', `/events/${id}`)).body).toMatchObject({ title: 'x', cost: '$1', all_day: true })
  })

  it('occurrences of one series', async () => {
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=4' }
    const [first] = await responsesOf([event(1, { title: 'Series', recurrence }), event(2)])
    const { id } = first?.body.series ?? {}
    const { events } = (await send('GET', `/events?series=${id}&per_page=10`)).body
    const ids = events.map((one: { id: number }) => one.id)
    const responses = await responsesOf([
      ...ids.map((one: number, n: number) => ({
        method: 'PATCH',
        path: `/events/${one}`,
        body: { title: `Part ${n}` },
      })),
      { method: 'PATCH', path: `/events/${ids[0]}`, body: { cost: '$5', scope: 'all' } },
      { method: 'DELETE', path: `/events/${ids[3]}` },
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const after = (await send('GET', `/events?series=${id}&per_page=10`)).body.events
    expect(after.map((one: Answer['body']) => [one.title, one.cost])).toEqual([
      ['Part 0', '$5'],
      ['Part 1', '$5'],
      ['Part 2', '$5'],
    ])
  })
})

describe('a request that the database refuses', () => {
  const poisoned = (n: number) =>
    event(n, { title: n % 7 === 3 ? 'Poison' : `Healthy ${n}`, tags: [`healthy ${n}`] })
  const requests = Array.from({ length: 20 }, (_, n) => poisoned(n))

  it('doesn’t affect the others, unless all are one transaction', async () => {
    await env.DB.exec(
      "CREATE TRIGGER poison BEFORE INSERT ON events WHEN NEW.title = 'Poison' BEGIN SELECT RAISE(ABORT, 'poisoned'); END",
    )
    try {
      const joint = await batch(requests, ALL)
      expect(joint.status).toBe(500)
      expect((await send('GET', '/events?search=healthy')).body.events).toEqual([])
      const responses = await responsesOf(requests)
      expect(responses.map(({ status }) => status)).toEqual(requests.map((_, n) => (n % 7 === 3 ? 500 : 201)))
    } finally {
      await env.DB.exec('DROP TRIGGER poison')
    }
    expect((await send('GET', '/events?search=healthy')).body.total).toBe(17)
  })
})

describe('a fault while requests are written', () => {
  const sendBatch = (requests: readonly Sub[], { DB }: { DB: D1Database }) =>
    send('POST', '/batch', { as: admin, json: { requests }, bindings: { DB } })

  it('affects only its own request if the others don’t meet it', async () => {
    const requests = [1, 2, 3, 4].map(n => event(n, n === 2 ? { tags: ['faulty'] } : {}))
    const { body } = await sendBatch(requests, faultyD1({ refused: /INSERT INTO "terms"/ }))
    expect(body.responses.map(({ status }: Answer) => status)).toEqual([201, 500, 201, 201])
  })

  it('is not met once for each request if it is one of the database', async () => {
    const fault = faultyD1({ message: 'D1_ERROR: no such column: parts', times: 20, writesOnly: true })
    const { body } = await sendBatch(
      [1, 2, 3, 4].map(n => event(n)),
      fault,
    )
    expect(body.responses.map(({ status }: Answer) => status)).toEqual([500, 500, 500, 500])
    expect(fault.seen.failed).toBe(1)
  })
})

it('a request that is not valid keeps its error if the others cannot be written', async () => {
  const { DB } = faultyD1({ message: 'D1_ERROR: Network connection lost.', writesOnly: true })
  const requests = [event(1), event(2, { start_date: 'never' }), event(3)]
  const { body } = await send('POST', '/batch', { as: admin, json: { requests }, bindings: { DB } })
  expect(body.responses.map(({ status }: Answer) => status)).toEqual([503, 400, 503])
})

it.each([1, 2])('a venue that another request makes meanwhile is found by a batch of %i', async count => {
  const name = `Meanwhile ${count}`
  const { DB } = faultyD1({ beforeWrite: () => makeVenue(admin, name) })
  const requests = Array.from({ length: count }, (_, n) => event(n, { venue: { venue: name } }))
  const { body } = await send('POST', '/batch', { as: admin, json: { requests }, bindings: { DB } })
  const venues = body.responses.map((one: Answer) => one.body.venue?.venue)
  expect(venues).toEqual(Array(count).fill(name))
  expect((await send('GET', `/venues?search=${name}`)).body.total).toBe(1)
})

describe('require-all-validate', () => {
  it('writes everything in one transaction, of any resources', async () => {
    const changed = await makeEvent(admin)
    const gone = await makeEvent(admin)
    const responses = await responsesOf(
      [
        { path: '/venues', body: { venue: 'Whole' } },
        event(1, { title: 'Whole', tags: ['whole'] }),
        { method: 'DELETE', path: `/events/${gone.id}` },
        { method: 'PATCH', path: `/events/${changed.id}`, body: { title: 'Changed' } },
        { path: '/categories', body: { name: 'Whole' } },
        event(2, { title: 'Weekly', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } }),
        event(3, { title: 'Whole' }),
      ],
      ALL,
    )
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 200, 200, 201, 201, 201])
    expect(responses.map(({ body }) => body.slug)).toEqual([
      'whole',
      'whole',
      expect.stringContaining('trashed'),
      changed.slug,
      'whole',
      'weekly-2027-01-10',
      'whole-2',
    ])
  })

  it('writes nothing if one is not valid, and names that one', async () => {
    const { id } = await makeEvent(admin)
    const answer = await batch(
      [
        event(1, { title: 'Never there', tags: ['never there'] }),
        { method: 'PATCH', path: `/events/${id}`, body: { title: '' } },
        { path: '/nothing' },
        { method: 'DELETE', path: `/events/${id}` },
      ],
      ALL,
    )
    expect(answer.status).toBe(207)
    expect(answer.headers.get('x-batch-failed')).toBe('validation')
    const { responses } = answer.body
    expect(responses.map((one: { status: number } | null) => one?.status)).toEqual([
      undefined,
      400,
      404,
      undefined,
    ])
    expect(responses[0]).toBeNull()
    expect((await send('GET', '/events?search=never')).body.events).toEqual([])
    expect((await send('GET', '/tags?search=never')).body.tags).toEqual([])
    expect((await send('GET', `/events/${id}`)).status).toBe(200)
  })

  it('refuses requests that build on one another, and writes nothing', async () => {
    const { id } = await makeEvent(admin)
    const path = `/events/${id}`
    for (const requests of [
      [
        { method: 'PATCH', path, body: { title: 'a' } },
        { method: 'PATCH', path, body: { cost: '1' } },
      ],
      [
        { method: 'PATCH', path, body: { title: 'a' } },
        { method: 'DELETE', path },
      ],
      [
        { path: '/venues', body: { venue: 'Built on' } },
        event(1, { title: 'a', venue: { venue: 'Built on' } }),
      ],
      [
        { path: '/tags', body: { name: 'built on' } },
        { path: '/tags', body: { name: 'Built on' } },
      ],
    ]) {
      const answer = await batch(requests, ALL)
      expect([answer.status, answer.body.code], JSON.stringify(requests)).toEqual([
        409,
        'rest_batch_conflict',
      ])
    }
    expect((await send('GET', path)).body.title).toBe('Event')
    expect((await send('GET', '/venues?search=built')).body.venues).toEqual([])
  })
})

describe('a batch that is refused as a whole', () => {
  it.each<[string, unknown]>([
    ['without requests', undefined],
    ['of none', []],
    ['of no list', { path: '/events' }],
    ['of 101', Array.from({ length: 101 }, () => ({ path: '/tags', body: {} }))],
    ['of texts', ['/events']],
    ['that reads', [{ method: 'GET', path: '/events' }]],
    ['of another method', [{ method: 'PURGE', path: '/events' }]],
    ['of a method that is none', [{ method: ['POST'], path: '/events' }]],
    ['in a batch', [{ path: '/batch', body: { requests: [] } }]],
    ['in a batch, by another spelling', [{ path: '/x/../batch/?a=1' }]],
    ['without a path', [{ method: 'POST' }]],
    ['of another address', [{ path: 'https://evil.example/events' }]],
    ['of another host', [{ path: '//evil.example/events' }]],
    ['of another host, by backslashes', [{ path: '/\\evil.example/events' }]],
    ['that leaves the namespace', [{ path: '/../../../wp-json/wp/v2/tags' }]],
    ['that leaves the namespace encoded', [{ path: '/%2e%2e/%2E%2e/other/events' }]],
    ['with a header that is none', [{ path: '/events', headers: { 'If-Match': 7 } }]],
    ['with credentials', [{ path: '/events', headers: { AUTHORIZATION: 'Basic eDp5' } }]],
    ['with a cookie', [{ path: '/events', headers: { Cookie: 'session=x' } }]],
    ['with a key', [{ path: '/events', headers: { 'Idempotency-Key': 'k' } }]],
  ])('a batch is refused: %s', async (_, requests) => {
    const answer = await batch(requests)
    expect([answer.status, badNames(answer)]).toEqual([400, ['requests']])
  })

  it('the refusal of a batch names the place of each request that is wrong', async () => {
    const reasonAgainst = async (requests: unknown) => (await batch(requests)).body.data.params.requests
    expect(await reasonAgainst([event(1), '/events'])).toBe(
      'requests[1] must be an object with a method and a path',
    )
    expect(await reasonAgainst([event(1), { path: '/batch', body: {} }])).toBe(
      'requests[1] must not be a batch',
    )
  })

  it('a batch is refused if its mode is unknown', async () => {
    expect(badNames(await batch([event(1)], { validation: 'none' }))).toEqual(['validation'])
  })

  it('a batch is refused if the caller may write nothing', async () => {
    const subscriber = await makeUser('subscriber', 'subscriber')
    expect((await send('POST', '/batch', { json: { requests: [event(1)] } })).status).toBe(401)
    expect((await batch([event(1)], {}, subscriber)).status).toBe(403)
  })

  it('a batch is refused if the caller writes too often: it counts as many writes as it has requests', async () => {
    const counted = { writes: 0 }
    const limit = async () => ({ success: ++counted.writes <= 10 })
    const requests = [1, 2, 3, 4, 5, 6].map(n => event(n, { title: `Limited ${n}` }))
    // The Worker uses nothing else of the binding.
    const sent = { as: admin, json: { requests }, bindings: { WRITE_LIMIT: { limit } as RateLimit } }
    expect((await send('POST', '/batch', sent)).status).toBe(207)
    expect((await send('POST', '/batch', sent)).status).toBe(429)
    expect((await send('GET', '/events?search=limited')).body.total).toBe(6)
  })
})

it.each([
  ['/events%2F12', 404],
  ['/events/12%2F..%2F13', 404],
  ['/calendar/events/v1/events', 404],
  ['/events#x', 201],
  ['/events/?a=1', 201],
  ['/venues/../events', 201],
  ['/by-external-id/a', 404],
  // A batch can't contain a batch.
  ['/%62atch', 404],
])('the path %s of a request is below the namespace, and gets the status %i', async (path, status) => {
  const [response] = await responsesOf([{ ...event(1), path }])
  expect(response?.status).toBe(status)
})

it('a hundred bad bodies cost one query', async () => {
  const body = { title: '', venue: [999_999], tags: [{ id: 5 }], start_date: 'x' }
  const requests = Array.from({ length: 100 }, (_, n) => ({ path: n % 2 ? '/events' : '/events?x=1', body }))
  const { trips, statements, responses } = await measureBatch({ requests })
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]))
  expect(trips).toBe(1)
  expect(statements).toBeLessThanOrEqual(10)
})

it('bad requests between good ones cost nothing more', async () => {
  const requests = Array.from({ length: 50 }, (_, n) => event(n, n % 2 ? { start_date: 'x' } : {}))
  const { trips, responses } = await measureBatch({ requests })
  expect(responses.filter(({ status }) => status === 201).length).toBe(25)
  expect(trips).toBeLessThanOrEqual(2)
})

it('responses that are too long together leave out long fields', async () => {
  const { id } = await makeEvent(admin, { description: 'x'.repeat(150_000) })
  const requests = Array.from({ length: 70 }, (_, n) => ({
    method: 'PATCH',
    path: `/events/${id}`,
    body: { cost: `$${n}` },
  }))
  const answer = await batch(requests)
  expect(answer.text.length).toBeLessThan(10_000_000)
  expect(answer.headers.get('x-shortened')).toBe('true')
  expect(answer.body.responses.at(-1)).toMatchObject({
    status: 200,
    headers: { 'X-Shortened': 'true' },
    body: { id, cost: '$69' },
  })
})
