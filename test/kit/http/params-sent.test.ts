import { describe, expect, it } from 'vitest'
import { type Answer, declareUser, eventsBy, SITE, send, WHEN } from '../../factories.ts'

const admin = declareUser('administrator', 'admin')

const ids = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const { create } = eventsBy(admin)

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

describe('numbers beyond 2^53', () => {
  it.each(['page', 'per_page', 'venue', 'include', 'post_parent', 'categories'])(
    'in %s are refused',
    async name => {
      const { status, body } = await send('GET', `/events?${name}=99999999999999999999`)
      expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, [name]])
    },
  )

  it('are valid page numbers up to 2^53', async () => {
    expect(await send('GET', '/events?page=9007199254740991')).toMatchObject({ status: 404 })
  })
})

describe('length limits', () => {
  it.each([
    ['title', 2_001],
    ['slug', 201],
    ['excerpt', 20_001],
    ['description', 200_001],
    ['cost', 1_001],
    ['website', 2_100],
  ])('refuse a %s of %i letters', async (name, length) => {
    const value = name === 'website' ? `https://example.org/${'x'.repeat(length)}` : 'x'.repeat(length)
    const { status, body } = await create({ [name]: value })
    expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, [name]])
  })

  it('allow texts of exactly that length in any script', async () => {
    const [title, slug, excerpt, description] = [2_000, 200, 20_000, 200_000].map(n => '語'.repeat(n))
    const { status, body } = await create({ title, slug, excerpt, description })
    expect({ status, title: body.title, slug: body.slug }).toEqual({ status: 201, title, slug })
    expect(body.excerpt).toContain(excerpt)
    expect(body.description).toContain(description)
  })
})

describe('unknown names', () => {
  const ignored = ({ headers }: Answer) => headers.get('x-ignored-fields')

  it('of the query and of the body are listed in a header', async () => {
    expect(ignored(await send('GET', '/events?page=1&utm_source=x&utm_source=y&a[b]=1'))).toBe(
      'utm_source, a',
    )
    expect(ignored(await create({ titel: 'x', cost: '1', nested: { cost: 1 } }))).toBe('titel, nested')
    expect(ignored(await send('PATCH', '/events/1?page=1', { as: admin, json: { id: 1, title: 'x' } }))).toBe(
      'page, id',
    )
    const form = new URLSearchParams({ title: 'x', venue_id: '1' })
    expect(ignored(await send('PATCH', '/events/1', { as: admin, body: form }))).toBe('venue_id')
  })

  it('are in no header if every name is known', async () => {
    for (const path of ['/events', '/events/1', '/events?page=1&tags[]=', '/venues?search=x', '/tags', ''])
      expect(ignored(await send('GET', path)), path).toBeNull()
    expect(ignored(await create({ cost: '1' }))).toBeNull()
  })

  it('are listed with errors as well', async () => {
    const refused = await create({ titel: 'x', status: 'none' })
    expect([refused.status, ignored(refused)]).toEqual([400, 'titel'])
    expect(ignored(await send('GET', '/events/999999?x=1'))).toBe('x')
  })

  it('fit into a header, whatever their characters', async () => {
    const names = ['a\r\nSet-Cookie: b=c', '語', '"', 'é, ü', 'x'.repeat(500), `${'x'.repeat(63)}🎸`]
    const header = ignored(
      await send('GET', `/events?${names.map(name => `${encodeURIComponent(name)}=1`).join('&')}`),
    )
    const safe = ['a%0D%0ASet-Cookie%3A%20b%3Dc', '%E8%AA%9E', '%22', '%C3%A9%2C%20%C3%BC', 'x'.repeat(64)]
    // The limit of a name would split a surrogate pair.
    expect(header?.split(', ')).toEqual([...safe, `${'x'.repeat(63)}%EF%BF%BD`])
    const many = Array.from({ length: 100 }, (_, i) => `name${i}=1`).join('&')
    expect(ignored(await send('GET', `/events?${many}`))?.split(', ')).toHaveLength(20)
  })
})

describe('a list where one value belongs', () => {
  const paramsOf = ({ body }: Answer) => Object.keys(body.data?.params ?? {})

  it.each([
    ['title', ['c', 'd']],
    ['description', ['c', 'd']],
    ['slug', ['c']],
    ['start_date', ['2027-01-10', '2027-01-11']],
    ['timezone', ['Europe/Rome']],
    ['website', ['https://example.org']],
    ['featured', [true]],
    ['status', ['draft']],
    ['ticket_availability', ['few', 'sold_out']],
    ['author', [1]],
    ['post_parent', [1]],
    ['image', [1]],
    ['image', { url: ['https://example.org/a.jpg'] }],
    ['recurrence', { rrule: ['FREQ=DAILY;COUNT=2'] }],
    ['custom_fields', { band: { label: 'Band', value: ['a', 'b'] } }],
    ['venue', { venue: ['a', 'b'] }],
    ['venue', { venue: 'Hall of one value', city: ['a', 'b'] }],
    ['venue', [[1]]],
    ['venue', { id: [1], venue: 'Hall of one value' }],
    ['organizer', [{ organizer: ['a', 'b'] }]],
    ['tags', [['a', 'b']]],
    ['categories', { id: 1, name: ['a'] }],
    ['cost', [['1', '2']]],
  ])('is refused in JSON: %s %j', async (name, value) => {
    const made = await create({ [name]: value })
    expect([made.status, paramsOf(made)]).toEqual([400, [name]])
  })

  it('is refused in a batch and by other interfaces', async () => {
    const body = { title: ['c', 'd'], ...WHEN }
    const { body: batch } = await send('POST', '/batch', {
      as: admin,
      json: { requests: [{ path: '/events', body }] },
    })
    expect(batch.responses).toMatchObject([{ status: 400 }])
    const bindings = { CORE_PREFIX: 'wp-json' }
    for (const path of ['tec/v1/events', 'wp/v2/tribe_venue']) {
      const answer = await send('POST', `${SITE}/wp-json/${path}`, { as: admin, json: body, bindings })
      expect([answer.status, paramsOf(answer)], path).toEqual([400, ['title']])
    }
  })

  it('empties a field if it has no entries', async () => {
    const { body: event } = await create({ website: 'https://example.org', cost: '5' })
    const { body } = await send('PATCH', `/events/${event.id}`, {
      as: admin,
      json: { website: [], cost: [] },
    })
    expect([body.website, body.cost]).toEqual(['', ''])
  })

  it('keeps its last value in forms and queries', async () => {
    const form =
      'title=c&title=d&website[]=https://a.example&website[]=https://b.example&venue[venue]=A&venue[venue]=B'
    const { status, body } = await send('POST', '/events', {
      as: admin,
      body: new URLSearchParams([...new URLSearchParams(form), ...Object.entries(WHEN)]),
    })
    expect({ status, title: body.title, website: body.website, venue: body.venue?.venue }).toEqual({
      status: 201,
      title: 'd',
      website: 'https://b.example',
      venue: 'B',
    })
    expect((await send('GET', '/events?per_page=5&per_page=1')).body.events).toHaveLength(1)
  })
})

describe('a list of costs', () => {
  it.each([
    [['0$', '20$', '30$'], 'Free – 30$', ['0', '20', '30'], '$', 'postfix'],
    [[30, 20, 0], 'Free – $30', ['0', '20', '30'], '$', 'prefix'],
    [['€5', '€8'], '€5 – €8', ['5', '8'], '€', 'prefix'],
    [['12 €'], '12 €', ['12'], '€', 'postfix'],
    [['Adults $10', 'Kids $5'], 'Adults $10, Kids $5', ['5', '10'], '$', 'prefix'],
  ])('is shown as their range: %j', async (cost, shown, values, currency_symbol, currency_position) => {
    const { status, body } = await create({ cost })
    const details = { values, currency_symbol, currency_position }
    expect({ status, cost: body.cost, cost_details: body.cost_details }).toEqual({
      status: 201,
      cost: shown,
      cost_details: expect.objectContaining(details),
    })
    // What was read and is sent back, or sent to another event, changes nothing.
    const sent = { cost: body.cost, cost_details: body.cost_details }
    const { body: again } = await send('PUT', `/events/${body.id}`, { as: admin, json: sent })
    expect(again).toMatchObject(sent)
  })

  it('is taken from forms', async () => {
    const form = new URLSearchParams({ 'cost[0]': '0$', 'cost[1]': '20$', 'cost[2]': '30$' })
    const { body: event } = await create({})
    const { body } = await send('POST', `/events/${event.id}`, { as: admin, body: form })
    expect([body.cost, body.cost_details.values]).toEqual(['Free – 30$', ['0', '20', '30']])
  })
})
