import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsIn } from '../../../editor/forms.ts'
import { Browser, signInAs } from '../../../editor/session.ts'
import { makeEvent, makePerson, makeVenue, type Person, query, send } from '../../../factories.ts'
import { deleteEvents } from './calendar.ts'

// A few daily series take several days of the writes that the free plan allows.

let contributor: Person
let editor: Person
beforeAll(async () => {
  contributor = await makePerson('contributor', 'contributor')
  editor = await makePerson('editor', 'editor')
})

const DAILY = {
  start_date: '2026-11-21 10:00',
  end_date: '2026-11-21 11:00',
  recurrence: { rrule: 'FREQ=DAILY' },
}

const batch = async ({ as }: Person, count: number, more: object = {}, rrule = 'FREQ=DAILY') => {
  const requests = Array.from({ length: count }, (_, i) => ({
    path: '/events',
    body: { title: `Daily ${i}`, ...DAILY, recurrence: { rrule } },
  }))
  return send('POST', '/batch', { as, json: { requests, ...more } })
}

const statuses = (body: { responses: { status: number }[] }) => body.responses.map(({ status }) => status)

describe('a batch of series', () => {
  it('is limited for a contributor, and says how many dates the next ones would have', async () => {
    const { body, headers } = await batch(contributor, 4, {}, 'FREQ=DAILY;COUNT=120')
    expect(statuses(body as never)).toEqual([201, 201, 429, 429])
    expect(Number(headers.get('x-series-dates'))).toBe(240)
    const [, , refused] = body.responses
    expect(refused.headers).not.toHaveProperty('Retry-After')
    expect(refused.body).toMatchObject({ code: 'rest_too_many_requests', data: { status: 429 } })
    expect(refused.body.message).toMatch(
      /^This writes 120 dates. The role contributor may write 300 in one request, and this one has written 240/,
    )
  })

  it('makes no dates at all if they are too many and it is one transaction', async () => {
    const whole = { validation: 'require-all-validate' }
    const answer = await batch(contributor, 4, whole, 'FREQ=DAILY;COUNT=120')
    expect([answer.status, answer.headers.get('x-series-dates')]).toEqual([429, null])
    expect((await batch(contributor, 2, whole, 'FREQ=DAILY;COUNT=120')).status).toBe(207)
  })

  it('has the limit of a single request: 300 dates for a contributor, with advice in the error', async () => {
    const { as } = contributor
    const stored = () => query('SELECT count(*) AS n FROM events')
    const before = await stored()
    const refused = await send('POST', '/events', { as, json: { title: 'Daily', ...DAILY } })
    // Waiting does not help.
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null])
    expect(refused.body.code).toBe('rest_too_many_requests')
    expect(refused.body.message).toMatch(
      /^This makes 73\d dates. The role contributor may write 300 .* with COUNT or UNTIL/,
    )
    expect(await stored()).toEqual(before)
    const most = { ...DAILY, title: 'Daily', status: 'draft', recurrence: { rrule: 'FREQ=DAILY;COUNT=300' } }
    const { status, body } = await send('POST', '/events', { as, json: most })
    expect(status).toBe(201)
    const longer = await send('PATCH', `/events/${body.id}`, { as, json: { recurrence: 'FREQ=DAILY' } })
    expect(longer.status).toBe(429)
    // Those that it has may all change, even if some are in the trash.
    for (const json of [
      { recurrence: 'FREQ=DAILY;COUNT=20' },
      { title: 'Less', scope: 'all' },
      { recurrence: '' },
    ])
      expect((await send('PATCH', `/events/${body.id}`, { as, json })).status).toBe(200)
  })

  it('may make more dates for an editor', async () => {
    expect(statuses((await batch(editor, 4)).body as never)).toEqual([201, 201, 201, 201])
  })
})

describe('the dates of a write', () => {
  const WEEKS = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=50' }, status: 'draft' }
  /** A limit of writes that counts them. @param most the number that it allows */
  const counter = (most = 1_000) => {
    const counted = { writes: 0 }
    const limit: RateLimit = {
      limit: async () => {
        counted.writes++
        return { success: counted.writes <= most }
      },
    }
    return { counted, bindings: { WRITE_LIMIT: limit } }
  }
  type Sent = { method: string; path: string; body?: object }

  /**
   * Sends a write of a contributor.
   * @returns the dates that its response names, and the writes that it counts as
   */
  async function cost({ method, path, body = {} }: Sent): Promise<[dates: number, writes: number]> {
    const { counted, bindings } = counter()
    const { status, headers, text } = await send(method, path, { ...contributor, json: body, bindings })
    expect(status, text).toBeLessThan(300)
    return [Number(headers.get('x-series-dates')), counted.writes]
  }

  /** Makes a series of fifty dates. @returns the ids of its dates */
  async function makeSeries(): Promise<number[]> {
    await deleteEvents()
    await makeEvent(contributor.as, WEEKS)
    const results = await query('SELECT id FROM events ORDER BY occurrence_date')
    return results.map(({ id }) => Number(id))
  }

  const OTHER = { title: 'Other' }

  it.each<
    [what: string, dates: number, writes: number, method: string, at: number, rest: string, body?: object]
  >([
    ['a change of all', 50, 6, 'PATCH', 0, '?scope=all', OTHER],
    ['a cancellation of all', 50, 6, 'PUT', 0, '', { scope: 'all', event_status: 'canceled' }],
    ['another status of all', 50, 6, 'POST', 0, '?scope=all', { status: 'pending' }],
    ['a change of the following', 30, 4, 'PATCH', 20, '?scope=following', OTHER],
    ['another rule', 60, 7, 'PATCH', 0, '', { recurrence: 'FREQ=WEEKLY;COUNT=60' }],
    ['the end of the repetition', 49, 5, 'PATCH', 0, '', { recurrence: '' }],
    ['a series that goes to the trash', 50, 6, 'DELETE', 0, '?scope=all'],
    ['its rest that goes to the trash', 30, 4, 'DELETE', 20, '?scope=following'],
    ['a series that is deleted for good', 50, 6, 'DELETE', 0, '?scope=all&force=true'],
    ['one date', 0, 1, 'PATCH', 0, '', OTHER],
    ['a copy that repeats', 50, 6, 'POST', 0, '/duplicate', WEEKS],
  ])('count for %s', async (_, dates, writes, method, at, rest, body) => {
    const ids = await makeSeries()
    expect(await cost({ method, path: `/events/${ids[at]}${rest}`, ...(body && { body }) })).toEqual([
      dates,
      writes,
    ])
  })

  it('count for each request of a batch', async () => {
    const [id] = await makeSeries()
    const path = `/events/${id}?scope=all`
    const requests = [
      { method: 'DELETE', path },
      { method: 'PATCH', path, body: { status: 'draft' } },
    ]
    expect(await cost({ method: 'POST', path: '/batch', body: { requests } })).toEqual([100, 12])
  })

  it('count when a single event starts to repeat, or is put as a series', async () => {
    await deleteEvents()
    const { id } = await makeEvent(contributor.as, { status: 'draft' })
    const { recurrence } = WEEKS
    expect(await cost({ method: 'PATCH', path: `/events/${id}`, body: { recurrence } })).toEqual([50, 6])
    const body = { title: 'Put', ...DAILY, ...WEEKS }
    expect(await cost({ method: 'PUT', path: '/events/by-external-id/weeks', body })).toEqual([50, 6])
  })

  it.each<[what: string, method: string, rest: string, body: (other: number) => object]>([
    ['another status', 'PATCH', '', () => ({ status: 'private' })],
    ['the trash', 'DELETE', '', () => ({})],
    ['deletion', 'DELETE', '?force=true&detach=true', () => ({})],
    ['merging', 'POST', '/merge', into => ({ into })],
  ])('count where all are listed in another way: %s of their venue', async (_, method, rest, body) => {
    await deleteEvents()
    const [one, other] = await Promise.all(
      ['Hall', 'Annex'].map(name => makeVenue(contributor.as, `${name} ${crypto.randomUUID()}`)),
    )
    await makeEvent(contributor.as, { ...WEEKS, venue: one?.id })
    expect(await cost({ method, path: `/venues/${one?.id}${rest}`, body: body(other?.id ?? 0) })).toEqual([
      50, 6,
    ])
    expect(await cost({ method: 'PATCH', path: `/venues/${other?.id}`, body: { phone: '1' } })).toEqual([
      0, 1,
    ])
  })

  it('are limited per minute', async () => {
    const [id] = await makeSeries()
    const sent = { ...contributor, json: { title: 'Narrow' }, bindings: counter(3).bindings }
    const refused = await send('PATCH', `/events/${id}?scope=all`, sent)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(refused.body.message).toMatch(
      /^This writes 50 dates, which count as 5 more writes, one for every 10 dates for the role contributor/,
    )
    const { body } = await send('GET', `/events/${id}`, contributor)
    expect(body.title).toBe('Event')
  })

  it('count in the editor', async () => {
    const [id] = await makeSeries()
    const { counted, bindings } = counter()
    const { browser } = await signInAs(contributor, 'contributor', new Browser(bindings))
    counted.writes = 0
    const { status } = await browser.post(`/admin/events/${id}/trash/`, { scope: 'all' })
    expect([status, counted.writes]).toEqual([303, 6])
    const empty = fieldsIn((await browser.get('/admin/events/new/')).html)
    // Four writes are left, and the form itself is one.
    counted.writes = 996
    const refused = await browser.post('/admin/events/new/', {
      ...empty,
      title: 'Weekly',
      start_date: '2027-01-10',
      start_date_time: '10:00',
      recurrence: 'weekly',
      recurrence_end: 'after',
      recurrence_count: '50',
      do: 'save',
    })
    expect(refused.text).toContain('too much for one minute')
  })
})
