import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { beginAtNoon } from '../../../clock.ts'
import { API, type Calendar, openCalendar } from '../../../node-calendar.ts'
import { makeReceiver, type Receiver, respondWithStatus } from '../../../receiver.ts'
import { notify } from '../notify.ts'

// The messages about each kind of change, to a receiver that accepts everything. The standard's own library
// verifies every message.

let calendar: Calendar
let receiver: Receiver

beginAtNoon()
beforeEach(async () => {
  calendar = await openCalendar()
  await calendar.setUp()
  receiver = await makeReceiver()
})

afterEach(async () => {
  expect(receiver.bad).toEqual([])
  await calendar.stop()
  await receiver.close()
})

const WHEN = { start_date: '2027-01-10 20:00:00', end_date: '2027-01-10 22:00:00' }

async function addWebhook(fields: object = {}): Promise<number> {
  const { id, secret } = await calendar.must('POST', '/webhooks', { url: receiver.url, ...fields })
  receiver.secret = secret
  return id
}

const makeEvent = (fields: object = {}) =>
  calendar.must('POST', '/events', { title: 'Jazz', ...WHEN, ...fields })

/** The messages that the receiver gets about some writes. */
async function messagesAbout(work: () => Promise<unknown>): Promise<string[]> {
  await work()
  await notify(calendar)
  return receiver.take()
}

const nothing = async () => {}

/** The messages about one request. */
const messagesAboutRequest = (...request: Parameters<Calendar['must']>) =>
  messagesAbout(() => calendar.must(...request))
const messagesAboutPatch = (path: string, fields: object) => messagesAboutRequest('PATCH', path, fields)

it('an event causes messages from its publication to its deletion', async () => {
  await makeEvent({ title: 'There before' })
  const id = await addWebhook()
  expect(await messagesAbout(nothing)).toEqual([])
  expect(await calendar.must('GET', `/webhooks/${id}`)).toMatchObject({ state: 'new', waiting: 0 })
  // Changes from before the webhook cause no messages.
  await calendar.must('PATCH', '/events/1', { cost: '5' })
  await notify(calendar)
  expect(receiver.received.map(({ data }) => data.changed)).toEqual([['cost']])
  expect(receiver.take()).toEqual(['event.updated 1'])
  vi.setSystemTime('2026-11-20T12:30:00Z')
  const { id: event } = await makeEvent({ status: 'draft' })
  await notify(calendar)
  expect(receiver.received).toEqual([])

  vi.setSystemTime('2026-11-20T13:00:00Z')
  await calendar.must('PATCH', `/events/${event}`, { status: 'publish' })
  vi.setSystemTime('2026-11-20T14:00:00Z')
  await notify(calendar)
  expect(receiver.received.map(({ data }) => data.rest_url)).toEqual([`${API}/events/2`, `${API}/events/2`])
  expect(receiver.received.map(({ timestamp }) => timestamp)).toEqual([
    '2026-11-20T13:00:00Z',
    '2026-11-20T13:00:00Z',
  ])
  expect(receiver.received[0]?.data.changed).toEqual(expect.arrayContaining(['status', 'title']))
  expect(receiver.take()).toEqual(['event.created 2', 'event.published 2'])

  const messagesAboutChange = (fields: object) => messagesAboutPatch(`/events/${event}`, fields)
  await calendar.must('PATCH', `/events/${event}`, { title: 'Blues', cost: '5' })
  await notify(calendar)
  expect(receiver.received[0]?.data.changed).toEqual(['cost', 'title'])
  expect(receiver.take()).toEqual(['event.updated 2'])
  expect(await messagesAboutChange({ event_status: 'canceled' })).toEqual([
    'event.updated 2',
    'event.canceled 2',
  ])
  expect(await messagesAboutChange({ event_status_reason: 'Rain' })).toEqual(['event.updated 2'])
  expect(await messagesAboutChange({ status: 'draft' })).toEqual(['event.deleted 2'])
  expect(await messagesAboutChange({ title: 'Hidden' })).toEqual([])
  expect(await messagesAboutChange({ status: 'publish', event_status: 'scheduled' })).toEqual([
    'event.created 2',
    'event.published 2',
  ])
  expect(await messagesAboutChange({ hide_from_listings: true })).toEqual(['event.deleted 2'])
  expect(await messagesAboutChange({ hide_from_listings: false })).toEqual([
    'event.created 2',
    'event.published 2',
  ])
  expect(await messagesAboutRequest('DELETE', `/events/${event}`)).toEqual(['event.deleted 2'])
  expect(await messagesAboutRequest('DELETE', `/events/${event}?force=true`)).toEqual([])
  expect(await messagesAboutRequest('DELETE', '/events/1?force=true')).toEqual(['event.deleted 1'])
  expect(await calendar.must('GET', `/webhooks/${id}`)).toMatchObject({ state: 'ok', waiting: 0 })
})

it('an event that comes and goes between two runs causes no messages, and many changes cause one', async () => {
  await addWebhook()
  expect(
    await messagesAbout(async () => {
      await calendar.must('DELETE', `/events/${(await makeEvent()).id}`)
      const { id } = await makeEvent()
      for (const title of ['A', 'B']) await calendar.must('PATCH', `/events/${id}`, { title })
    }),
  ).toEqual(['event.created 2', 'event.published 2'])
})

it('venues and organizers cause messages as well, also about the events that show them', async () => {
  await addWebhook()
  const { id } = await makeEvent({ venue: { venue: 'Hall' }, organizer: { organizer: 'Guild' } })
  await notify(calendar)
  expect(receiver.take().sort()).toEqual([
    'event.created 1',
    'event.published 1',
    'organizer.created 1',
    'venue.created 1',
  ])
  expect(await messagesAboutPatch('/venues/1', { city: 'Galway' })).toEqual(['venue.updated 1'])
  // The place is a part of the event.
  await calendar.must('PATCH', '/venues/1', { geo_lat: 53.2, geo_lng: -9 })
  await notify(calendar)
  expect(receiver.received.map(({ type, data }) => [type, data.changed])).toEqual([
    ['event.updated', []],
    ['venue.updated', ['geo_lat', 'geo_lng']],
  ])
  receiver.take()
  expect(await messagesAboutRequest('DELETE', '/organizers/1')).toEqual([
    `event.updated ${id}`,
    'organizer.deleted 1',
  ])
})

it('only the chosen types of messages are sent', async () => {
  await addWebhook({ events: ['event.published', 'venue.deleted'] })
  expect(await messagesAbout(() => makeEvent({ venue: { venue: 'Hall' } }))).toEqual(['event.published 1'])
  expect(await messagesAboutPatch('/events/1', { title: 'X' })).toEqual([])
  expect(await messagesAboutPatch('/events/1', { event_status: 'canceled' })).toEqual([])
  expect(await messagesAboutRequest('DELETE', '/events/1')).toEqual([])
  expect(await messagesAboutPatch('/events/1', { status: 'publish' })).toEqual(['event.published 1'])
  expect(await messagesAboutRequest('DELETE', '/venues/1')).toEqual(['venue.deleted 1'])
})

it('filters are those of a list, and an event that leaves the list counts as deleted', async () => {
  const { id: before } = await makeEvent({ categories: ['Music'] })
  await makeEvent({ title: 'Never in it', categories: ['Sport'] })
  await calendar.must('POST', '/categories', { name: 'Folk', parent: 1 })
  await addWebhook({ filters: { categories: 'music' } })
  expect(await messagesAboutPatch('/events/2', { title: 'Still not' })).toEqual([])
  expect(await messagesAbout(() => makeEvent({ categories: ['Folk'] }))).toEqual([
    'event.created 3',
    'event.published 3',
  ])
  expect(await messagesAboutPatch(`/events/${before}`, { categories: ['Sport'] })).toEqual([
    'event.deleted 1',
  ])
  expect(await messagesAboutPatch('/events/2', { categories: ['Music'] })).toEqual([
    'event.created 2',
    'event.published 2',
  ])
  // A category that moves also moves its events.
  expect(await messagesAboutPatch('/categories/3', { parent: 0 })).toEqual(['event.deleted 3'])
})

it('a filter for a series follows what “this and following” dates divide from it', async () => {
  const { series } = await makeEvent({ recurrence: 'FREQ=WEEKLY;COUNT=4' })
  await addWebhook({ filters: { series: series.id } })
  const divided = { scope: 'following', title: 'Blues' }
  // The first two have another recurrence.
  expect(await messagesAboutPatch('/events/3', divided)).toEqual(
    [1, 2, 3, 4].map(id => `event.updated ${id}`),
  )
  expect((await calendar.must('GET', '/events/3')).series.id).not.toBe(series.id)
  expect(await messagesAboutPatch('/events/4', { cost: '5' })).toEqual(['event.updated 4'])
})

it.each(['categories', 'tags'])(
  'filters that name %s by their slugs mean the same ones once these have other slugs',
  async plural => {
    // A number that is an id is no slug.
    for (const name of ['Music', 'Sport', '1', '2027']) await calendar.must('POST', `/${plural}`, { name })
    await makeEvent({ [plural]: [1] })
    await makeEvent({ [plural]: [4] })
    const filters = { [plural]: ['Music, 1', '2027'], featured: false }
    const id = await addWebhook({ filters, events: ['event.created', 'event.updated', 'event.deleted'] })
    const renamed = { 1: 'film', 2: 'games', 3: 'one', 4: 'year' }
    for (const [term, slug] of Object.entries(renamed))
      await calendar.must('PATCH', `/${plural}/${term}`, { slug })
    expect((await calendar.must('GET', `/webhooks/${id}`)).filters).toEqual({
      [plural]: ['1', '4'],
      featured: false,
    })
    await notify(calendar)
    receiver.take()
    expect(await messagesAboutPatch('/events/1', { title: 'Blues' })).toEqual(['event.updated 1'])
    expect(await messagesAboutPatch('/events/2', { title: 'Blues' })).toEqual(['event.updated 2'])
    expect(await messagesAbout(() => makeEvent({ [plural]: ['Sport'] }))).toEqual([])
    // What takes a former slug is another one.
    await calendar.must('POST', `/${plural}`, { name: 'New', slug: 'music' })
    expect(await messagesAbout(() => makeEvent({ [plural]: ['New'] }))).toEqual([])
    expect(await messagesAbout(() => makeEvent({ [plural]: ['Music'] }))).toEqual(['event.created 5'])
  },
)

it.each([
  ['venue', 'private'],
  ['venue', 'trash'],
  ['organizer', 'draft'],
])('a %s that becomes %s chooses no events, until it is public again', async (kind, status) => {
  for (const name of ['Hall', 'Yard']) await calendar.must('POST', `/${kind}s`, { [kind]: name })
  await makeEvent({ [kind]: [1] })
  await makeEvent({ [kind]: [2] })
  await makeEvent({ [kind]: [1], status: 'draft' })
  const id = await addWebhook({
    filters: { [kind]: 1 },
    events: ['event.created', 'event.updated', 'event.deleted'],
  })
  expect(await messagesAboutPatch(`/${kind}s/1`, { status })).toEqual(['event.deleted 1'])
  expect(await messagesAboutPatch('/events/3', { status: 'publish' })).toEqual([])
  expect(await messagesAboutPatch('/events/1', { title: 'Blues' })).toEqual([])
  // Neither does a webhook begin with these events when something else of it changes.
  await calendar.must('PATCH', `/webhooks/${id}`, { events: ['event.created', 'event.deleted'] })
  expect(await messagesAboutRequest('DELETE', '/events/1')).toEqual([])
  expect(await messagesAboutPatch(`/${kind}s/1`, { status: 'publish' })).toEqual(['event.created 3'])
  // What else a filter names still chooses events.
  await calendar.must('PATCH', `/webhooks/${id}`, { filters: { [kind]: [1, 2] } })
  await calendar.must('PATCH', `/${kind}s/1`, { status })
  await notify(calendar)
  expect(receiver.take()).toEqual(['event.deleted 3'])
  expect(await messagesAbout(() => makeEvent({ [kind]: [2] }))).toEqual(['event.created 4'])
})

it('drafts only cause messages if the filters name their status', async () => {
  await addWebhook({
    filters: { status: 'publish,draft,pending' },
    events: ['event.created', 'event.updated', 'event.published'],
  })
  const { id } = await makeEvent({ status: 'draft' })
  await notify(calendar)
  expect(receiver.take()).toEqual([`event.created ${id}`])
  expect(await messagesAboutPatch(`/events/${id}`, { status: 'publish' })).toEqual([
    `event.updated ${id}`,
    `event.published ${id}`,
  ])
})

it('an event that comes back causes a message again, even if the webhook gets none about its end', async () => {
  await addWebhook({ filters: { status: 'publish,draft' }, events: ['event.published', 'event.canceled'] })
  expect(await messagesAbout(() => makeEvent())).toEqual(['event.published 1'])
  for (const [gone, back, told] of [
    [{ status: 'draft' }, { status: 'publish' }, 'event.published 1'],
    [{}, { event_status: 'canceled' }, 'event.canceled 1'],
    [{ event_status: 'scheduled' }, { event_status: 'canceled' }, 'event.canceled 1'],
  ] as const) {
    expect(await messagesAboutPatch('/events/1', gone)).toEqual([])
    expect(await messagesAboutPatch('/events/1', back)).toEqual([told])
  }
  expect(await messagesAbout(() => makeEvent({ event_status: 'canceled' }))).toEqual([
    'event.published 2',
    'event.canceled 2',
  ])
})

it('accepted messages are not sent again with a failed one', async () => {
  const id = await addWebhook()
  receiver.respond = ({ type }, response) =>
    void response.writeHead(type === 'event.published' ? 500 : 200).end()
  expect(await messagesAbout(() => makeEvent())).toEqual(['event.created 1', 'event.published 1'])
  // A venue with the same id is another resource.
  expect(await messagesAboutRequest('POST', '/venues', { venue: 'Hall' })).toEqual(['venue.created 1'])
  expect(await calendar.must('GET', `/webhooks/${id}/deliveries?state=waiting`)).toMatchObject({ total: 1 })
  vi.setSystemTime('2026-11-20T12:00:05Z')
  expect(await messagesAbout(nothing)).toEqual(['event.published 1'])
})

it('each of many changes at once causes its message, however few a run sends', async () => {
  await addWebhook({ events: ['event.created'] })
  const requests = [1, 2, 3].map(n => ({ path: '/events', body: { title: `Jazz ${n}`, ...WHEN } }))
  await calendar.must('POST', '/batch', { requests })
  for (const id of [1, 2, 3]) {
    await notify(calendar, { messages: 1 })
    expect(receiver.take()).toEqual([`event.created ${id}`])
  }
})

it('many webhooks take turns', async () => {
  const secret = `whsec_${btoa('s'.repeat(32))}`
  for (let i = 0; i < 5; i++) await addWebhook({ secret, events: ['event.updated'] })
  await makeEvent()
  const told = new Set<string | undefined>()
  for (let n = 0; n < 7; n++) {
    vi.setSystemTime(Date.now() + 1000)
    await calendar.must('PATCH', '/events/1', { title: `Jazz ${n}` })
    await notify(calendar, { messages: 1 })
    for (const { id } of receiver.received.splice(0)) told.add(id.split('_')[1])
  }
  expect(told.size).toBe(5)
})

it('a change of a webhook during a message stays in effect', async () => {
  const id = await addWebhook()
  receiver.respond = async (_, response) => {
    await calendar.must('PATCH', `/webhooks/${id}`, { active: false })
    response.writeHead(204).end()
  }
  await makeEvent()
  await notify(calendar, { messages: 1 })
  expect(await calendar.must('GET', `/webhooks/${id}`)).toMatchObject({ active: false, state: 'paused' })
})

it('scheduled events cause messages when the cron publishes them, and so does every date of a series', async () => {
  await addWebhook({ events: ['event.created', 'event.updated', 'event.published'] })
  await makeEvent({ date_utc: '2026-11-21 08:00:00' })
  await calendar.tick()
  expect(receiver.take()).toEqual([])
  vi.setSystemTime('2026-11-21T08:00:30Z')
  await calendar.tick()
  expect(receiver.take()).toEqual(['event.created 1', 'event.published 1'])
  await makeEvent({ recurrence: 'FREQ=DAILY;COUNT=3' })
  await calendar.tick()
  expect(receiver.take()).toEqual([2, 3, 4].flatMap(id => [`event.created ${id}`, `event.published ${id}`]))
  await calendar.must('PATCH', '/events/3?scope=all', { title: 'All of them' })
  await notify(calendar)
  expect(receiver.received.map(({ type, data }) => [type, data.id, data.changed])).toEqual(
    [2, 3, 4].map(id => ['event.updated', id, ['title']]),
  )
})

it('once a series is divided, the dates that stay have another rule, and the others what the request set', async () => {
  await addWebhook({ events: ['event.updated'] })
  await makeEvent({ recurrence: 'FREQ=DAILY;COUNT=4' })
  await calendar.tick()
  const changedBy = async (id: number, fields: object) => {
    await calendar.must('PATCH', `/events/${id}?scope=following`, fields)
    await notify(calendar)
    return receiver.received.splice(0).map(({ data }) => [data.id, data.changed])
  }
  const moved = { start_date: '2027-01-12 19:00:00', end_date: '2027-01-12 21:00:00' }
  expect(await changedBy(3, moved)).toEqual([
    ...[1, 2].map(id => [id, ['recurrence']]),
    ...[3, 4].map(id => [id, ['end_date', 'recurrence', 'start_date']]),
  ])
  expect(await changedBy(2, { title: 'Blues' })).toEqual([
    [1, ['recurrence']],
    [2, ['recurrence', 'title']],
  ])
})

it('changed filters apply from then on, and no waiting message is lost', async () => {
  const id = await addWebhook()
  for (const name of ['Music', 'Sport']) await makeEvent({ categories: [name] })
  await notify(calendar)
  receiver.take()
  await calendar.must('DELETE', '/events/1')
  await calendar.must('PATCH', `/webhooks/${id}`, { filters: { categories: 'sport' } })
  await notify(calendar)
  expect(receiver.take()).toEqual(['event.deleted 1'])
  expect(await messagesAbout(() => makeEvent({ categories: ['Music'] }))).toEqual([])
  // An event from before the change of filters, about which nothing was sent yet, causes messages as well.
  await makeEvent({ categories: ['Music'] })
  await calendar.must('PATCH', `/webhooks/${id}`, { filters: { categories: 'music' } })
  expect(await messagesAbout(nothing)).toEqual(['event.created 4', 'event.published 4'])
  await calendar.must('PATCH', `/webhooks/${id}`, { filters: '', events: ['event.updated', 'venue.created'] })
  expect(await messagesAboutPatch('/events/3', { title: 'Known' })).toEqual(['event.updated 3'])
  expect(await messagesAboutRequest('POST', '/venues', { venue: 'Hall' })).toEqual(['venue.created 1'])
  // Waiting messages are still sent, unless the webhook doesn't want them any more.
  receiver.respond = respondWithStatus(500)
  expect(await messagesAboutPatch('/events/3', { title: 'Waits' })).toEqual(['event.updated 3'])
  expect(await messagesAboutRequest('POST', '/venues', { venue: 'Yard' })).toEqual(['venue.created 2'])
  receiver.respond = respondWithStatus(200)
  await calendar.must('PATCH', `/webhooks/${id}`, { events: ['event.updated'] })
  expect(await calendar.must('GET', `/webhooks/${id}`)).toMatchObject({ waiting: 1 })
  vi.setSystemTime(Date.now() + 5_000)
  await calendar.must('POST', '/venues', { venue: 'Told to nobody' })
  expect(await messagesAbout(nothing)).toEqual(['event.updated 3'])
  await calendar.must('PATCH', `/webhooks/${id}`, { events: ['event.updated', 'venue.created'] })
  expect(await messagesAbout(nothing)).toEqual([])
})

it('a paused webhook gets nothing, and everything afterwards', async () => {
  const id = await addWebhook()
  await calendar.must('PATCH', `/webhooks/${id}`, { active: false })
  expect(await messagesAbout(makeEvent)).toEqual([])
  expect(await calendar.must('GET', `/webhooks/${id}`)).toMatchObject({ active: false, state: 'paused' })
  await calendar.must('PATCH', `/webhooks/${id}`, { active: true })
  await notify(calendar)
  expect(receiver.take()).toEqual(['event.created 1', 'event.published 1'])
})

it('secrets that are changed again within a day all sign, until a day after the last change', async () => {
  const { id, secret: first } = await calendar.must('POST', '/webhooks', { url: receiver.url })
  const renew = async () => (await calendar.must('PATCH', `/webhooks/${id}`, { secret: 'new' })).secret
  const second = await renew()
  vi.setSystemTime('2026-11-20T22:00:00Z')
  const third = await renew()
  vi.setSystemTime('2026-11-21T21:59:00Z')
  for (const known of [first, second, third]) {
    receiver.secret = known
    await calendar.must('POST', `/webhooks/${id}/test`)
  }
  expect(receiver.bad).toEqual([])
  vi.setSystemTime('2026-11-21T22:00:01Z')
  for (const known of [first, second]) {
    receiver.secret = known
    await calendar.must('POST', `/webhooks/${id}/test`)
  }
  expect(receiver.bad.splice(0)).toHaveLength(2)
})

it('a new secret signs at once, and the old one for another day', async () => {
  const { id, secret: old } = await calendar.must('POST', '/webhooks', { url: receiver.url })
  const { secret } = await calendar.must('PATCH', `/webhooks/${id}`, { secret: 'new' })
  expect(secret).not.toBe(old)
  for (const known of [old, secret]) {
    receiver.secret = known
    await calendar.must('POST', `/webhooks/${id}/test`)
  }
  vi.setSystemTime('2026-11-21T12:00:01Z')
  await calendar.must('POST', `/webhooks/${id}/test`)
  expect(receiver.received).toHaveLength(3)
  receiver.secret = old
  await calendar.must('POST', `/webhooks/${id}/test`)
  expect(receiver.bad.splice(0)).toHaveLength(1)
  const own = `whsec_${btoa('k'.repeat(24))}`
  expect(await calendar.must('PATCH', `/webhooks/${id}`, { secret: own })).toMatchObject({ secret: own })
  receiver.secret = own
  await calendar.must('POST', `/webhooks/${id}/test`)
  expect(receiver.take()).toEqual(Array(4).fill(`webhook.test ${id}`))
})
