import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, makeDatabaseAnew, makeEvent, makeUser, send } from '../../factories.ts'

let as: string

beforeEach(async () => {
  await makeDatabaseAnew()
  as = await makeUser('editor', 'editor')
})

const TUESDAYS = {
  title: 'Yoga',
  description: '<p>Bring a mat.</p>',
  start_date: '2027-01-05 20:00:00',
  end_date: '2027-01-05 21:30:00',
  timezone: 'Europe/Rome',
}

const weekly = (fields: object = {}) =>
  makeEvent(as, { ...TUESDAYS, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' }, ...fields })

const DATES = ['2027-01-05', '2027-01-12', '2027-01-19', '2027-01-26', '2027-02-02']

const list = async (query = ''): Promise<Answer['body']> =>
  (await send('GET', `/events?start_date=2026-01-01&per_page=50${query}`)).body

const patch = (id: number, json: object) => send('PATCH', `/events/${id}`, { as, json })

describe('a series', () => {
  it('is made of events with ids, slugs and addresses of their own', async () => {
    const first = await weekly()
    expect(first).toMatchObject({
      title: 'Yoga',
      slug: 'yoga-2027-01-05',
      url: 'https://calendar.example/event/yoga/2027-01-05/',
      start_date: '2027-01-05 20:00:00',
      series: {
        recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', rdate: [], exdate: [] },
        occurrence_date: '2027-01-05 20:00:00',
        detached: [],
      },
    })
    const { events, total } = await list()
    expect(total).toBe(5)
    expect(events.map(({ start_date }: Answer['body']) => start_date)).toEqual(
      DATES.map(date => `${date} 20:00:00`),
    )
    expect(events.every((event: Answer['body']) => event.description === '<p>Bring a mat.</p>')).toBe(true)
    expect(await list('&search=mat')).toMatchObject({ total: 5 })
    expect(await list(`&series=${first.series.id}`)).toMatchObject({ total: 5 })
    const { body } = await send('GET', `/series/${first.series.id}`)
    expect(body).toMatchObject({ title: 'Yoga', total: 5, first_date: '2027-01-05 20:00:00' })
  })

  it('changes one', async () => {
    const { series } = await weekly()
    const { events } = await list()
    const answer = await patch(events[2].id, { title: 'Special' })
    expect(answer).toMatchObject({ status: 200, body: { title: 'Special', series: { detached: ['title'] } } })
    const all = await patch(events[0].id, { title: 'Pilates', scope: 'all' })
    expect(all).toMatchObject({ status: 200, body: { title: 'Pilates' } })
    const after = await list()
    expect(after.events.map(({ title }: Answer['body']) => title)).toEqual([
      'Pilates',
      'Pilates',
      'Special',
      'Pilates',
      'Pilates',
    ])
    expect(await list('&search=pilates')).toMatchObject({ total: 4 })
    expect(await list('&search=special mat')).toMatchObject({ total: 1 })
    const moved = await patch(events[0].id, {
      start_date: '2027-01-05 19:00:00',
      end_date: '2027-01-05 20:00:00',
      scope: 'all',
    })
    expect(moved.status).toBe(200)
    expect((await list()).events.map(({ start_date }: Answer['body']) => start_date)).toEqual(
      DATES.map(date => `${date} 19:00:00`),
    )
    const following = await patch(events[3].id, { title: 'Later', scope: 'following' })
    expect(following).toMatchObject({ status: 200, body: { title: 'Later' } })
    expect(following.body.series.id).not.toBe(series.id)
    const gone = await send('DELETE', `/events/${events[1].id}`, { as })
    expect(gone.status).toBe(200)
    expect((await list()).total).toBe(4)
    const back = await patch(events[1].id, { status: 'publish' })
    expect(back).toMatchObject({
      status: 200,
      body: { series: { recurrence: { exdate: [] } }, slug: 'yoga-2027-01-12' },
    })
    const ended = await patch(events[4].id, { recurrence: '' })
    expect(ended.status).toBe(200)
    expect(ended.body.series).toBeUndefined()
    expect((await list()).total).toBe(4)
    expect(ended.body.description).toContain('mat')
    const trashed = await send('DELETE', `/events/${events[0].id}?scope=all`, { as })
    expect(trashed.status).toBe(200)
    expect((await list()).total).toBe(1)
    const restored = await patch(events[0].id, { status: 'publish', scope: 'all' })
    expect(restored.status, restored.text).toBe(200)
    expect((await list()).total).toBe(4)
  })
})
it('env', () => expect(env).toBeDefined())
