import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeEvent, query, send, WHEN } from '../../factories.ts'

const as = declareUser('editor')
/** An event that is never changed. */
let plain = 0
beforeAll(async () => {
  plain = (await makeEvent(as)).id
})

const patch = (id: number, json: object) => send('PATCH', `/events/${id}`, { as, json })
const post = (json: object) => send('POST', '/events', { as, json: { title: 'E', ...WHEN, ...json } })
const paramsOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [
  status,
  Object.keys(body.data?.params ?? {}),
]

const PLAIN = {
  event_status: 'scheduled',
  event_status_reason: '',
  is_virtual: false,
  virtual_event_type: '',
  virtual_url: '',
  virtual_video_source: '',
  external_id: '',
  custom_fields: [],
}

it('fields that a request does not name have their defaults, in lists as well', async () => {
  const event = await makeEvent(as)
  expect(event).toMatchObject(PLAIN)
  const list = await send('GET', '/events')
  expect(list.body.events[0]).toMatchObject(PLAIN)
})

it('an update leaves fields alone that it does not name', async () => {
  const given = {
    event_status: 'canceled',
    event_status_reason: 'Rain',
    is_virtual: true,
    virtual_event_type: 'hybrid',
    virtual_url: 'https://meet.example/1',
    virtual_video_source: 'video',
    custom_fields: { a: { label: 'A', value: '1' } },
    external_id: 'kept',
  }
  const { id } = await makeEvent(as, given)
  expect((await patch(id, { title: 'Other' })).body).toMatchObject(given)
  expect((await patch(id, (await send('GET', `/events/${id}`)).body)).body).toMatchObject(given)
})

describe('the type of an online event', () => {
  it.each([
    [{ is_virtual: true }, 'virtual'],
    [{ is_virtual: true, virtual_event_type: '' }, 'virtual'],
    [{ virtual_event_type: 'hybrid' }, 'hybrid'],
    [{ is_virtual: 'yes', virtual_event_type: 'HYBRID' }, 'hybrid'],
    [{ is_virtual: false, virtual_event_type: 'hybrid' }, ''],
    [{ virtual_event_type: '' }, ''],
    [{ virtual_url: 'https://meet.example/' }, ''],
  ])('of %j is %j', async (given, type) => {
    expect(await makeEvent(as, given)).toMatchObject({
      virtual_event_type: type,
      is_virtual: type !== '',
    })
  })

  it('follows changes', async () => {
    const { id } = await makeEvent(as, { virtual_event_type: 'hybrid', virtual_url: 'https://a.example/' })
    const steps: [object, string][] = [
      [{ is_virtual: true }, 'hybrid'],
      [{ is_virtual: false }, ''],
      [{ title: 'x' }, ''],
      [{ is_virtual: true }, 'virtual'],
      [{ virtual_event_type: '' }, ''],
    ]
    for (const [change, type] of steps)
      expect((await patch(id, change)).body).toMatchObject({
        virtual_event_type: type,
        is_virtual: type !== '',
        virtual_url: 'https://a.example/',
      })
  })
})

it('the error of a wrong type of online event names the right ones', async () => {
  const { body } = await post({ virtual_event_type: 'online' })
  expect(body.data.params).toEqual({ virtual_event_type: 'must be empty or one of virtual, hybrid' })
})

it.each([
  ['event_status', 'abandoned'],
  ['event_status', ''],
  ['event_status_reason', 'x'.repeat(1_001)],
  ['event_status_reason', { a: 1 }],
  ['is_virtual', 'perhaps'],
  ['virtual_event_type', 'online'],
  ['virtual_url', 'javascript:alert(1)'],
  ['virtual_url', 'data:text/html,x'],
  ['virtual_url', `https://a.example/${'x'.repeat(2_048)}`],
  ['virtual_video_source', 'x'.repeat(1_001)],
  ['external_id', 'x'.repeat(256)],
  ['external_id', { a: 1 }],
  ['custom_fields', 'text'],
  ['custom_fields', ['a']],
  ['custom_fields', { Price: { label: 'x', value: 'y' } }],
  ['custom_fields', { 'a-b': { label: 'x', value: 'y' } }],
  ['custom_fields', { '': { label: 'x', value: 'y' } }],
  ['custom_fields', { ['x'.repeat(65)]: { label: 'x', value: 'y' } }],
  ['custom_fields', { a: 'text' }],
  ['custom_fields', { a: { label: 'x'.repeat(256), value: '' } }],
  ['custom_fields', { a: { label: 'x', value: 'y'.repeat(5_001) } }],
  ['custom_fields', { a: { label: ['x', { y: 1 }], value: 'y' } }],
  ['custom_fields', JSON.parse('{"__proto__":{"label":"x","value":"y"}}')],
  ['custom_fields', JSON.parse('{"constructor":{"label":"x","value":"y"}}')],
  ['custom_fields', JSON.parse('{"constructor":null}')],
])('%s of %j is refused', async (name, value) => {
  expect(paramsOf(await post({ [name]: value }))).toEqual([400, [name]])
  expect(paramsOf(await patch(plain, { [name]: value }))).toEqual([400, [name]])
})

describe('custom fields', () => {
  const field = (value: string) => ({ label: value.toUpperCase(), value })

  it('are merged by key, removed by null, and emptied by an empty list', async () => {
    const { id } = await makeEvent(as, { custom_fields: { a: field('a'), b: field('b') } })
    const set = async (custom_fields: unknown) => (await patch(id, { custom_fields })).body.custom_fields
    expect(await set({ c: field('c'), a: field('z') })).toEqual({
      a: field('z'),
      b: field('b'),
      c: field('c'),
    })
    expect(await set({ a: null, missing: null })).toEqual({ b: field('b'), c: field('c') })
    expect(await set({ b: { value: 'other' } })).toEqual({
      b: { label: 'B', value: 'other' },
      c: field('c'),
    })
    expect(await set({})).toEqual({ b: { label: 'B', value: 'other' }, c: field('c') })
    expect(await set({ b: null, c: '' })).toEqual([])
    await set({ a: field('a') })
    expect(await set([])).toEqual([])
    await set({ a: field('a') })
    expect(await set('')).toEqual([])
  })

  it('are limited to fifty, in however many requests they come', async () => {
    const many = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, field('v')]))
    expect(paramsOf(await post({ custom_fields: many(0, 51) }))).toEqual([400, ['custom_fields']])
    const { id } = await makeEvent(as, { custom_fields: many(0, 50) })
    expect(paramsOf(await patch(id, { custom_fields: many(50, 51) }))).toEqual([400, ['custom_fields']])
    expect((await patch(id, { custom_fields: { ...many(50, 51), k0: null } })).status).toBe(200)
    expect(paramsOf(await patch(id, { custom_fields: many(0, 101) }))).toEqual([400, ['custom_fields']])
    expect(Object.keys((await send('GET', `/events/${id}`)).body.custom_fields)).toHaveLength(50)
  })

  it('are stored up to their largest size, and refused beyond it', async () => {
    const full = (letter: string, length: number) =>
      Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [
          `${i}`.padStart(64, '_'),
          { label: letter.repeat(255), value: letter.repeat(length) },
        ]),
      )
    const event = await makeEvent(as, { custom_fields: full('x', 5_000) })
    expect(event.custom_fields).toEqual(full('x', 5_000))
    expect((await makeEvent(as, { custom_fields: full('ж', 5_000) })).custom_fields).toEqual(full('ж', 5_000))
    expect(paramsOf(await post({ custom_fields: full('🎷', 5_000) }))).toEqual([400, ['custom_fields']])
  })

  it('all stay when several requests add one each at the same time', async () => {
    const { id } = await makeEvent(as)
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    const changes = keys.map(key => patch(id, { custom_fields: { [key]: field(key) } }))
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(keys.map(() => 200))
    const { custom_fields } = (await send('GET', `/events/${id}`)).body
    expect(Object.keys(custom_fields).sort()).toEqual(keys)
  })

  it('are plain text', async () => {
    const { custom_fields } = await makeEvent(as, {
      custom_fields: {
        a: { label: '<b>Bold</b> & co', value: '<script>alert(1)</script>1 < 2\n3\u0000' },
        prototype: { label: 1, value: 2.5 },
      },
    })
    expect(custom_fields).toEqual({
      a: { label: 'Bold & co', value: '1 &lt; 2 3' },
      prototype: { label: '1', value: '2.5' },
    })
  })

  it('come in forms', async () => {
    const body =
      'title=F&start_date=2027-01-01&end_date=2027-01-02&custom_fields[price][label]=Price&custom_fields[price][value]=9&event_status=postponed&is_virtual=on'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const made = await send('POST', '/events', { as, body, headers })
    expect(made.body).toMatchObject({
      custom_fields: { price: { label: 'Price', value: '9' } },
      event_status: 'postponed',
      virtual_event_type: 'virtual',
    })
    const form = new FormData()
    form.set('custom_fields[price]', '')
    form.set('custom_fields[age][value]', '18')
    const changed = await send('PUT', `/events/${made.body.id}`, { as, body: form })
    expect(changed.body.custom_fields).toEqual({ age: { label: '', value: '18' } })
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const bad = `custom_fields[${key}][label]=x`
      const path = `/events/${made.body.id}`
      expect(paramsOf(await send('PUT', path, { as, body: bad, headers })), key).toEqual([
        400,
        ['custom_fields'],
      ])
    }
  })

  it('are shown as none if the database holds no valid JSON', async () => {
    const { id } = await makeEvent(as)
    for (const text of ['', 'x', '[]', 'null', '{"a":1}']) {
      await query('UPDATE events SET custom_fields = ? WHERE id = ?', text, id)
      expect((await send('GET', `/events/${id}`)).body.custom_fields, text).toEqual([])
    }
  })
})

describe('JSON-LD', () => {
  const ld = async (fields: object) => {
    const { id } = await makeEvent(as, fields)
    return (await send('GET', `/events/${id}`)).body.json_ld
  }
  const venue = { venue: 'Hall' }
  const virtual_url = 'https://meet.example/?a=1&b=<script>'

  it('says whether an event takes place', async () => {
    for (const [event_status, type] of [
      ['scheduled', 'EventScheduled'],
      ['canceled', 'EventCancelled'],
      ['postponed', 'EventPostponed'],
      ['rescheduled', 'EventRescheduled'],
    ])
      expect((await ld({ event_status })).eventStatus, event_status).toBe(`https://schema.org/${type}`)
  })

  it('says where an event takes place', async () => {
    const mode = (name: string) => `https://schema.org/${name}EventAttendanceMode`
    const place = expect.objectContaining({ '@type': 'Place', name: 'Hall' })
    const online = { '@type': 'VirtualLocation', url: 'https://meet.example/?a=1&b=%3Cscript%3E' }
    expect(await ld({ venue, virtual_url })).toMatchObject({
      eventAttendanceMode: mode('Offline'),
      location: place,
    })
    expect(await ld({ venue, virtual_url, is_virtual: true })).toMatchObject({
      eventAttendanceMode: mode('Online'),
      location: online,
    })
    expect(await ld({ venue, virtual_url, virtual_event_type: 'hybrid' })).toMatchObject({
      eventAttendanceMode: mode('Mixed'),
      location: [place, online],
    })
    const without = await ld({ is_virtual: true })
    expect(without.location.url).toBe(without.url)
  })
})

describe('the filters', () => {
  const titles = async (query: string) => {
    const { status, body } = await send('GET', `/events?per_page=50&search=filtered&${query}`)
    expect([status, body.total], query).toEqual([200, body.events.length])
    return body.events.map(({ title }: { title: string }) => title.replace('Filtered ', '')).sort()
  }

  beforeAll(async () => {
    for (const event_status of ['scheduled', 'canceled', 'postponed', 'rescheduled'])
      await makeEvent(as, { title: `Filtered ${event_status}`, event_status, categories: ['Filters'] })
    await makeEvent(as, { title: 'Filtered online', is_virtual: true })
    await makeEvent(as, {
      title: 'Filtered draft',
      status: 'draft',
      event_status: 'canceled',
      is_virtual: true,
    })
  })

  it.each([
    ['event_status=canceled', 'canceled'],
    ['event_status=canceled,postponed', 'canceled postponed'],
    ['event_status[]=canceled&event_status[]=postponed', 'canceled postponed'],
    ['event_status=scheduled', 'online scheduled'],
    ['event_status=SCHEDULED,postponed', 'online postponed scheduled'],
    [
      'event_status=scheduled,canceled,postponed,rescheduled',
      'canceled online postponed rescheduled scheduled',
    ],
    ['event_status=scheduled&orderby=title&order=desc', 'online scheduled'],
    ['event_status=scheduled,canceled&categories=filters', 'canceled scheduled'],
    ['event_status=scheduled&categories=filters&is_virtual=0', 'scheduled'],
    ['is_virtual=true', 'online'],
    ['is_virtual=0', 'canceled postponed rescheduled scheduled'],
    ['is_virtual=1&event_status=canceled', ''],
  ])('%s find %s', async (query, expected) => {
    expect((await titles(query)).join(' ')).toBe(expected)
  })
})

it.each([[''], [[]], [0]])('the parent of an event is taken away by %j', async post_parent => {
  const { id } = await makeEvent(as, { post_parent: plain })
  const children = async (): Promise<{ id: number }[]> =>
    (await send('GET', `/events?post_parent=${plain}`)).body.events
  expect((await children()).map(child => child.id)).toEqual([id])
  expect((await patch(id, { post_parent })).status).toBe(200)
  expect(await children()).toEqual([])
})
