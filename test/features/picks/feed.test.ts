import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, declareUser, makeDatabaseAnew, makeEvent, query, send } from '../../factories.ts'
import { TODAY } from '../../setup.ts'
import { eventsOf } from '../feeds/calendar.ts'

// The calendar of a list of picks.

beforeAll(makeDatabaseAnew)

const admin = declareUser('administrator', 'admin')

const change = (id: number, json: object) => send('PATCH', `/events/${id}`, { as: admin, json })
const trash = (id: number) => send('DELETE', `/events/${id}`, { as: admin })
const uidOf = ({ id }: Answer['body']) => `event-${id}@calendar.example`

const makeList = async (json: object) => (await send('POST', '/picks', { json })).body
const read = async (token: string, tag?: string) =>
  send('GET', `/picks/${token}.ics`, tag === undefined ? {} : { headers: { 'if-none-match': tag } })
const titlesIn = (text: string) => [...text.matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title]) => title).sort()

beforeEach(() => {
  vi.setSystemTime(TODAY)
})

describe('the calendar of a list', () => {
  it('has exactly its events, and all dates of its series', async () => {
    const concert = await makeEvent(admin, { title: 'Concert' })
    const talk = await makeEvent(admin, { title: 'Talk' })
    await makeEvent(admin, { title: 'Other' })
    const series = await makeEvent(admin, { title: 'Choir', recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const { token } = await makeList({ ids: [concert.id, talk.id, 99_999], series: [series.series.id] })
    const { text, headers } = await read(token)
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(titlesIn(text)).toEqual(['Choir', 'Concert', 'Talk'])
    expect(text).toContain('COUNT=3')
    const whole = await send('GET', `/picks/${token}.ics?expand=true`)
    expect(titlesIn(whole.text)).toEqual(['Choir', 'Choir', 'Choir', 'Concert', 'Talk'])
  })

  it('says what is cancelled', async () => {
    const event = await makeEvent(admin, { title: 'Called off' })
    const { token } = await makeList({ ids: [event.id] })
    await change(event.id, { event_status: 'canceled' })
    expect(eventsOf((await read(token)).text, uidOf(event))[0]).toMatchObject({ status: 'CANCELLED' })
  })

  it.each([
    ['in the trash', (id: number) => trash(id)],
    ['private', (id: number) => change(id, { status: 'private' })],
    ['a draft again', (id: number) => change(id, { status: 'draft' })],
    ['hidden from lists', (id: number) => change(id, { hide_from_listings: true })],
  ])('has nothing of what is %s', async (_, hide) => {
    const event = await makeEvent(admin, {
      title: 'Seen',
      description: 'Told',
      venue: { venue: 'Vanishing' },
    })
    const { token } = await makeList({ ids: [event.id] })
    await hide(event.id)
    await query('UPDATE events SET title = ? WHERE id = ?', 'Unseen', event.id)
    const { text } = await read(token)
    expect(text).not.toMatch(/VEVENT|Told|Vanishing|Seen|Unseen/)
  })

  it.each([{ status: 'private' }, { status: 'draft' }, { hide_from_listings: true }])(
    'has nothing of a series once all of its dates are %j',
    async hidden => {
      const event = await makeEvent(admin, { title: 'Seen', recurrence: 'FREQ=WEEKLY;COUNT=3' })
      const { token } = await makeList({ series: [event.series.id] })
      await change(event.id, { ...hidden, scope: 'all', title: 'Unseen' })
      const { text } = await read(token)
      const { text: expanded } = await send('GET', `/picks/${token}.ics?expand=true`)
      expect(text + expanded).not.toMatch(/VEVENT|Seen|Unseen/)
    },
  )

  it('never shows what was never public', async () => {
    const secret = await makeEvent(admin, { title: 'Secret', status: 'private' })
    const unlisted = await makeEvent(admin, { title: 'Unlisted', hide_from_listings: true })
    const { token } = await makeList({ ids: [secret.id, unlisted.id] })
    expect(titlesIn((await read(token)).text)).toEqual([])
    await trash(secret.id)
    expect(titlesIn((await read(token)).text)).toEqual([])
  })

  it('has the event into which one was merged', async () => {
    const kept = await makeEvent(admin, { title: 'Kept' })
    const merged = await makeEvent(admin, { title: 'Same' })
    const { token } = await makeList({ ids: [merged.id] })
    await query('UPDATE events SET duplicate_of = ? WHERE id = ?', kept.id, merged.id)
    expect(eventsOf((await read(token)).text, uidOf(kept))).toHaveLength(1)
  })

  it('has only the coming and the latest dates of a series, and single events whenever they were', async () => {
    const past = { start_date: '2025-01-10 10:00:00', end_date: '2025-01-10 12:00:00' }
    const single = await makeEvent(admin, { title: 'Long ago', ...past })
    const series = await makeEvent(admin, { title: 'Old choir', ...past, recurrence: 'FREQ=YEARLY;COUNT=3' })
    const { token } = await makeList({ ids: [single.id], series: [series.series.id] })
    const { text } = await send('GET', `/picks/${token}.ics?expand=true`)
    expect(titlesIn(text)).toEqual(['Long ago', 'Old choir'])
  })
})

describe('the entity tag of this calendar', () => {
  it('gives a 304 from two rows until the list or an event changes', async () => {
    const one = await makeEvent(admin, { title: 'One' })
    const two = await makeEvent(admin, { title: 'Two' })
    const { token, key } = await makeList({ ids: [one.id] })
    const tag = async () => (await read(token)).headers.get('etag') ?? ''
    const first = await tag()
    expect(first).toMatch(/^"/)
    const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const again = await read(token, first)
    const logged = JSON.parse(String(lines.mock.calls[0]?.[0]))
    lines.mockRestore()
    expect({ status: again.status, text: again.text, etag: again.headers.get('etag') }).toEqual({
      status: 304,
      text: '',
      etag: first,
    })
    expect(logged).toMatchObject({ cache: 'hit', round_trips: 1 })
    expect(logged.rows_read).toBeLessThanOrEqual(3)

    await send('PUT', `/picks/${key}`, { json: { ids: [one.id, two.id] } })
    const changed = await read(token, first)
    expect([changed.status, titlesIn(changed.text)]).toEqual([200, ['One', 'Two']])
    const second = await tag()
    expect((await read(token, second)).status).toBe(304)
    await change(two.id, { title: 'Three' })
    expect(titlesIn((await read(token, second)).text)).toEqual(['One', 'Three'])
  })

  it('differs for each list', async () => {
    const event = await makeEvent(admin, { title: 'Shared' })
    const a = await makeList({ ids: [event.id] })
    const b = await makeList({ ids: [event.id] })
    const tag = (await read(a.token)).headers.get('etag') ?? ''
    expect((await read(b.token, tag)).status).toBe(200)
  })

  it('is worth nothing once the list is deleted', async () => {
    const event = await makeEvent(admin, { title: 'Gone' })
    const { token, key } = await makeList({ ids: [event.id] })
    const tag = (await read(token)).headers.get('etag') ?? ''
    await send('DELETE', `/picks/${key}`)
    const { status, headers } = await read(token, tag)
    expect(status).toBe(404)
    expect(headers.get('cache-control')).toMatch(/no-store|no-cache/)
  })

  it('waits once a week for a read to be noted', async () => {
    const event = await makeEvent(admin, { title: 'Weekly' })
    const { token } = await makeList({ ids: [event.id] })
    vi.setSystemTime(new Date(TODAY.getTime() + 8 * 24 * 3_600_000))
    const noted = await read(token)
    const tag = (await read(token)).headers.get('etag') ?? ''
    expect([noted.status, noted.headers.get('etag')]).toEqual([200, null])
    expect((await read(token, tag)).status).toBe(304)
  })
})
