import { describe, expect, it } from 'vitest'
import { type Answer, declareUser, makeEvent, send } from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { calendar, eventsOf } from './calendar.ts'
import { expanded } from './expand.ts'

// Whoever subscribes to a series keeps its dates, whatever becomes of it.

const admin = declareUser('administrator', 'admin')

type Event = Answer['body']

const datesOf = async ({ series }: Event): Promise<Event[]> =>
  (await send('GET', `/events?series=${series.id}&start_date=2026-01-01&per_page=50`)).body.events

const change = async (id: number, json: object) => {
  const { status, text } = await send('PATCH', `/events/${id}`, { as: admin, json })
  expect(status, text).toBe(200)
}

const makeSeries = (title: string, fields: object = {}): Promise<Event> =>
  makeEvent(admin, { title, recurrence: 'FREQ=WEEKLY;COUNT=8', ...fields })

const subscribed = (id: number, more = ''): Promise<string> => calendar(`series=${id}${more}`)

const uidOf = (id: number): string => `series-${id}@calendar.example`

describe('a subscription to a series', () => {
  it('has all of its parts after a change of “this and following” dates, whichever it names', async () => {
    const first = await makeSeries('Divided')
    const [, , third = {}, , fifth = {}] = await datesOf(first)
    const following = { scope: 'following', start_date: '2027-01-24 19:00', end_date: '2027-01-24 20:00' }
    await change(third.id, following)
    await change(fifth.id, { scope: 'following', title: 'Divided again' })
    const second = (await send('GET', `/events/${third.id}`)).body
    const last = (await send('GET', `/events/${fifth.id}`)).body
    expect(new Set([first, second, last].map(({ series }) => series.id)).size).toBe(3)
    const { body } = await send('GET', `/events?series=${first.series.id}&start_date=2026-01-01`)
    expect(body.total).toBe(2)
    for (const { series } of [first, second, last])
      for (const more of ['', '&expand=true']) {
        const shown = expanded(await subscribed(series.id, more))
        expect(shown.map(({ title }) => title)).toEqual([
          ...Array(4).fill('Divided'),
          ...Array(4).fill('Divided again'),
        ])
        expect(new Set(shown.map(({ start }) => start)).size).toBe(8)
      }
    for (const form of ['rss', 'feed.json', 'csv'])
      expect((await send('GET', `/events.${form}?series=${first.series.id}`)).text).toContain('Divided again')
    // What goes to the trash later is gone from the subscription to the first part.
    await send('DELETE', `/events/${fifth.id}?scope=all`, { as: admin })
    const text = await subscribed(first.series.id)
    expect(eventsOf(text, uidOf(last.series.id))).toEqual([])
    expect(eventsOf(text, uidOf(second.series.id))).toMatchObject([{ status: 'CONFIRMED' }])
  })

  it('has nothing of a series that was never a part of it, even of the same title', async () => {
    const own = await makeSeries('Namesake')
    const other = await makeSeries('Namesake', { description: 'The other' })
    expect(await subscribed(own.series.id)).not.toContain(uidOf(other.series.id))
    const [, second = {}] = await datesOf(own)
    await change(second.id, { scope: 'following', title: 'Namesake', cost: '5' })
    expect(eventsOf(await subscribed(other.series.id), uidOf(own.series.id))).toEqual([])
  })

  it('is empty once the series is in the trash', async () => {
    const first = await makeSeries('Called off')
    await send('DELETE', `/events/${first.id}?scope=all`, { as: admin })
    for (const more of ['', '&expand=true'])
      expect(await subscribed(first.series.id, more)).not.toContain('VEVENT')
    expect((await send('GET', `/events.rss?series=${first.series.id}`)).status).toBe(200)
    expect((await send('GET', `/events?series=${first.series.id}`)).status).toBe(400)
  })

  it('has the one event that stays when a series ends', async () => {
    const first = await makeSeries('Ended')
    await change(first.id, { recurrence: '' })
    for (const text of [await subscribed(first.series.id), await calendar('search=ended')]) {
      expect(text.match(/^UID:.*$/gm)).toEqual([`UID:${uidOf(first.series.id)}`])
      expect(text).toContain('STATUS:CONFIRMED')
    }
    const following = await makeSeries('Ended later')
    const [, , third = {}] = await datesOf(following)
    await change(third.id, { recurrence: '', scope: 'following' })
    expect(expanded(await subscribed(following.series.id))).toHaveLength(3)
  })

  it('is empty while the series is not public, and for one that never was or will be', async () => {
    const first = await makeSeries('Draft later')
    await change(first.id, { status: 'draft', scope: 'all', title: 'Secret plans' })
    const { status, text } = await send('GET', `/events.ics?series=${first.series.id}`)
    expect([status, text.includes('VEVENT'), text.includes('Secret')]).toEqual([200, false, false])
    const never = await makeSeries('Never public', { status: 'draft' })
    for (const id of [never.series.id, 99_999]) expect(await subscribed(id)).not.toMatch(/VEVENT|Never/)
  })

  it('takes one trip, and reads no dates of other series', async () => {
    const first = await makeSeries('Counted')
    const [, , third = {}] = await datesOf(first)
    await change(third.id, { scope: 'following', cost: '9' })
    const path = `/events.ics?series=${first.series.id}`
    const { trips, rows } = await measure('GET', path)
    await makeSeries('Beside it', { recurrence: 'FREQ=WEEKLY;COUNT=20' })
    expect(trips).toBe(1)
    expect((await measure('GET', path)).rows - rows).toBeLessThan(10)
  })

  it('has its name', async () => {
    const first = await makeSeries('Jazz &amp; more')
    const { series } = await makeSeries('Blues')
    const nameOf = async (ids: string) => /^X-WR-CALNAME:(.*)$/m.exec(await calendar(`series=${ids}`))?.[1]
    expect(await nameOf(`${first.series.id}`)).toMatch(/^Jazz & more · Events/)
    expect(await nameOf(`${series.id},${first.series.id}`)).toMatch(/^Blues\\, Jazz & more · Events/)
    await change(first.id, { status: 'draft', scope: 'all', title: 'Secret name' })
    expect(await nameOf(`${first.series.id}`)).toMatch(/^Events/)
  })
})
