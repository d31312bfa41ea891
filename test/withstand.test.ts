import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../src/lib/roles.ts'
import { API, makeUser, send } from './factories.ts'

// What a public API meets sooner or later. Each gets the error that is due, or works; nothing gets a 500.

const WHEN = { start_date: '2027-01-10 10:00:00', end_date: '2027-01-10 12:00:00' }
const ids = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const as = new Map<Role, string>()

beforeAll(async () => {
  for (const role of ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const)
    as.set(role, await makeUser(role, role))
})

const admin = () => as.get('administrator') ?? ''
const create = (fields: object) =>
  send('POST', '/events', { as: admin(), json: { title: 'Event', ...WHEN, ...fields } })

describe('requests at once', () => {
  it('keep both fields when two update one event', async () => {
    const { body } = await create({ title: 'Shared' })
    const names = ['cost', 'excerpt', 'website', 'timezone', 'description', 'title'] as const
    const values = ['$5', '<p>E</p>', 'https://example.org/s', 'Europe/Rome', '<p>D</p>', 'Shared, renamed']
    const answers = await Promise.all(
      names.map((name, i) =>
        send('PATCH', `/events/${body.id}`, { as: admin(), json: { [name]: values[i] } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    const { body: after } = await send('GET', `/events/${body.id}`)
    expect(names.map(name => after[name])).toEqual(values)
  })

  it('get a slug each when they create one title', async () => {
    const answers = await Promise.all(ids(5).map(() => create({ title: 'The same again' })))
    const slugs = answers.map(({ body }) => body.slug)
    expect(slugs.sort()).toEqual(['the-same-again', ...[2, 3, 4, 5].map(n => `the-same-again-${n}`)])
  })

  it('make one venue, not two, of the same data', async () => {
    const venue = { venue: 'Twin hall', city: 'Cork' }
    const answers = await Promise.all([
      ...ids(3).map(() => send('POST', '/venues', { as: admin(), json: venue })),
      ...ids(3).map(() => create({ venue })),
    ])
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const { body } = await send('GET', '/venues?search=twin')
    expect(body.total).toBe(1)
  })

  it('make one category, not two, of one name', async () => {
    const answers = await Promise.all(
      ids(4).map(() => create({ categories: ['Brand new'], tags: ['fresh'] })),
    )
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.categories?.[0]?.id))).size).toBe(1)
    const { body } = await send('GET', '/categories?search=brand')
    expect(body).toMatchObject({ total: 1, categories: [{ count: 4 }] })
    const names = await Promise.all(
      ids(3).map(() => send('POST', '/tags', { as: admin(), json: { name: 'raced' } })),
    )
    expect(names.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })
})

describe('a write that fails', () => {
  it('leaves nothing behind, not even a new venue', async () => {
    const { status, body } = await create({
      venue: { venue: 'Ghost hall' },
      organizer: [{ organizer: 'Ghost' }, 99999],
      categories: ['Ghosts'],
      image: 'https://example.org/ghost.jpg',
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { organizer: expect.any(String) } },
    })
    for (const list of ['venues', 'organizers', 'categories', 'events'])
      expect(await send('GET', `/${list}?search=ghost&hide_empty=0`)).toMatchObject({ body: { total: 0 } })
    expect(await env.DB.prepare("SELECT count(*) AS n FROM images WHERE url LIKE '%ghost%'").first('n')).toBe(
      0,
    )
  })

  it('leaves nothing behind when the database gives up half way', async () => {
    await env.DB.exec(
      `CREATE TRIGGER breaking BEFORE INSERT ON event_terms BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    )
    const { status, body } = await create({ title: 'Half', venue: { venue: 'Half hall' }, tags: ['half'] })
    await env.DB.exec('DROP TRIGGER breaking')
    expect([status, body.code]).toEqual([500, 'rest_internal_error'])
    expect(JSON.stringify(body)).not.toMatch(/broken|SQL/i)
    for (const list of ['events', 'venues', 'tags'])
      expect(await send('GET', `/${list}?search=half&hide_empty=0`)).toMatchObject({ body: { total: 0 } })
  })
})

describe('long lists', () => {
  it('take 500 ids and refuse 501', async () => {
    expect(await send('GET', `/events?include=${ids(500)}`)).toMatchObject({ status: 200 })
    const { status, body } = await send('GET', `/events?include=${ids(501)}`)
    expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, ['include']])
    const brackets = ids(500).map(id => `include[]=${id}`)
    expect(await send('GET', `/events?${brackets.join('&')}`)).toMatchObject({ status: 200 })
  })

  it('link 200 organizers in their order and refuse 201', async () => {
    const organizer = ids(200).map(n => ({ organizer: `Organizer ${n}` }))
    const { status, body } = await create({ organizer })
    expect(status).toBe(201)
    const answered: { organizer: string }[] = body.organizer ?? []
    expect(answered.map(item => item.organizer)).toEqual(organizer.map(item => item.organizer))
    expect(await create({ organizer: [...organizer, { organizer: 'One more' }] })).toMatchObject({
      status: 400,
    })
  })
})

describe('search', () => {
  beforeAll(async () => {
    await create({
      title: 'It\'s 100% "fun" & games',
      description: 'snake_case, C++ and naïve Ünïcode 🎸 コンサート',
    })
    await create({ title: 'ΟΔΥΣΣΕΑΣ in der Straße', excerpt: 'موسيقى हिन्दी' })
  })

  it.each([
    ['"fun"', 1],
    ['100%', 1],
    ['%', 1],
    ['_', 1],
    ["it's", 1],
    ['c++', 1],
    ['🎸', 1],
    ['サート', 1],
    ['コ', 1],
    ['UNICODE naive', 1],
    ['οδυσσεας', 1],
    ['STRASSE', 1],
    ['موسيقى', 1],
    ['हिन्दी', 1],
    ['fun OR games', 0],
    ['fun NOT games', 0],
    ['fun*', 0],
    ['NEAR(fun games)', 0],
    ['games" OR "fun', 0],
    ["'; DROP TABLE events; --", 0],
    ['<p>', 0],
    ['x'.repeat(1000), 0],
  ])('for %j finds %i', async (query, total) => {
    const { status, body } = await send('GET', `/events?${new URLSearchParams({ search: query })}`)
    expect([status, body.total]).toEqual([200, total])
  })

  it.each(['', '%20', '%00'])('for nothing (%j) is refused', async query => {
    expect(await send('GET', `/events?search=${query}`)).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    })
  })
})

describe('numbers beyond 2^53', () => {
  it.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
    'in the path of %s name nothing',
    async plural => {
      expect(await send('GET', `/${plural}/99999999999999999999`)).toMatchObject({ status: 404 })
    },
  )

  it.each(['page', 'per_page', 'venue', 'include', 'post_parent', 'categories'])(
    'in %s are refused',
    async name => {
      const { status, body } = await send('GET', `/events?${name}=99999999999999999999`)
      expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, [name]])
    },
  )

  it('are fine as a page up to there', async () => {
    expect(await send('GET', '/events?page=9007199254740991')).toMatchObject({ status: 404 })
  })
})

describe('bodies', () => {
  const post = (body: string, type = 'application/json') =>
    send('POST', '/events', { as: admin(), body, headers: { 'content-type': type } })

  it.each(['[]', 'null', '"text"', '12', 'true', ''])(
    'that are no object (%j) have no fields',
    async body => {
      expect(await post(body)).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } })
    },
  )

  it.each(['{', "{'a': 1}", 'title=x', '\u0000'])('that are no JSON (%j) are said to be', async body => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'rest_invalid_json' } })
  })

  it('of 3 MB are refused, also without a length', async () => {
    const large = 'x'.repeat(3 * 1024 * 1024)
    expect(await post(JSON.stringify({ title: large }))).toMatchObject({
      status: 413,
      body: { code: 'rest_payload_too_large' },
    })
    const stream = new Blob([large]).stream()
    const response = await exports.default.fetch(`${API}/events`, {
      method: 'POST',
      headers: { authorization: admin(), 'content-type': 'application/json' },
      body: stream,
    })
    expect(response.status).toBe(413)
  })

  it('come as forms and as multipart, with brackets', async () => {
    const form = new URLSearchParams({
      title: 'From a form',
      ...WHEN,
      'venue[venue]': 'Form hall',
      'tags[]': 'formed',
    })
    form.append('tags[]', 'twice')
    form.append('organizer[0][organizer]', 'Former')
    const multipart = new FormData()
    for (const [name, value] of form) multipart.append(name, value)
    for (const body of [form, multipart]) {
      const { status, body: event } = await send('POST', '/events', { as: admin(), body })
      expect(status).toBe(201)
      expect(event).toMatchObject({
        venue: { venue: 'Form hall' },
        tags: [{ name: 'formed' }, { name: 'twice' }],
        organizer: [{ organizer: 'Former' }],
      })
    }
  })
})

describe('length limits', () => {
  it.each([
    ['title', 70_000],
    ['slug', 70_000],
    ['excerpt', 20_001],
    ['description', 500_001],
    ['cost', 1_001],
    ['website', 2_100],
  ])('refuse a %s of %i letters', async (name, length) => {
    const value = name === 'website' ? `https://example.org/${'x'.repeat(length)}` : 'x'.repeat(length)
    const { status, body } = await create({ [name]: value })
    expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, [name]])
  })

  it('take the longest that they allow, in any script', async () => {
    const { status } = await create({ title: '語'.repeat(2000), description: '語'.repeat(400_000) })
    expect(status).toBe(201)
  })
})

const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>'

describe.each(['administrator', 'editor', 'author', 'contributor'] as const)('script from an %s', role => {
  it('comes out of no field of an event', async () => {
    const texts = ['title', 'description', 'excerpt', 'cost', 'slug'].map(name => [name, `${SCRIPT}${role}`])
    const contact = { phone: SCRIPT, description: SCRIPT }
    const { status, body } = await send('POST', '/events', {
      as: as.get(role) ?? '',
      json: {
        ...WHEN,
        ...Object.fromEntries(texts),
        venue: { venue: `Hall ${SCRIPT}`, address: SCRIPT, city: SCRIPT, ...contact },
        organizer: { organizer: `Org ${SCRIPT}`, ...contact },
        ...(role !== 'contributor' && { categories: [`Cat ${SCRIPT}`], tags: [`Tag ${SCRIPT}`] }),
      },
    })
    expect(status).toBe(201)
    expect(JSON.stringify(body)).not.toMatch(/<script|onerror|javascript:/i)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://example.org/"><script>'])(
    'is no website: %s',
    async website => {
      const answer = await send('POST', '/events', {
        as: as.get(role) ?? '',
        json: { title: 'x', ...WHEN, website },
      })
      if (answer.status === 201)
        expect(JSON.stringify(answer.body)).not.toMatch(/"><script>|javascript:|data:/)
      else expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
    },
  )
})
