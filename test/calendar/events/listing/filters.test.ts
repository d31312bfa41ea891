import { beforeAll, describe, expect, it } from 'vitest'
import type { EventFilterMap, NonFilterParam } from '../../../../src/calendar/events/listing/filters.ts'
import { eventList } from '../../../../src/calendar/events/schema.ts'
import { declareUser, makeEvent, makeSource, makeUser, send } from '../../../factories.ts'
import { SAMPLES } from './samples.ts'

const admin = declareUser('administrator', 'admin')
declareUser('author')
let parent: number

beforeAll(async () => {
  parent = (
    await makeEvent(admin, { title: 'Whole', start_date: '2026-11-20', end_date: '2026-11-20 14:00' })
  ).id
  const venue = { venue: 'Hall', geo_lat: 53.27, geo_lng: -9.05 }
  const about = { organizer: { organizer: 'Guild' }, categories: ['Music'], tags: ['jazz'] }
  const flags = {
    event_status: 'canceled',
    is_virtual: true,
    cost: 'Free',
    featured: true,
    ticketed: true,
    ticket_availability: 'few',
    wheelchair: 'yes',
    author: 2,
    custom_fields: { price_band: { label: 'Price band', value: 'Mid' } },
    post_parent: parent,
  }
  const when = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
  const part = await makeEvent(admin, { title: 'Part', ...when, venue, ...about, ...flags })
  await makeSource('Elsewhere', { events: [part.id] })
  await makeEvent(admin, { title: 'Draft', status: 'draft' })
  await makeEvent(admin, { title: 'Weekly', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } })
  // A kilometre off.
  await makeEvent(admin, { title: 'Near', venue: { ...venue, venue: 'Yard', geo_lat: 53.28 } })
})

describe('the parameter', () => {
  const read = async (query: string) => {
    const { body } = await send('GET', `/events?${query}`, { as: admin })
    return {
      total: body.total,
      titles: body.events?.map(({ title }: { title: string }) => title),
      data: body.data,
    }
  }

  it.each(Object.entries(SAMPLES))('%s makes a difference to a list', async (name, [without, value]) => {
    const before = await read(without)
    const after = await read(`${without}&${name}${/^\[/.test(value) ? '' : '='}${value}`)
    expect(after.titles?.length, JSON.stringify(after)).toBeGreaterThan(0)
    expect(after).not.toEqual(before)
  })

  it.each(Object.keys(eventList.shape))('%s is known to this test', name => {
    expect(SAMPLES).toHaveProperty(name)
  })
})

describe('the filter', () => {
  const read = (query: string, as?: string) => send('GET', `/events?${query}`, as ? { as } : {})
  const totalOf = async (query: string, as?: string) => {
    const { status, body } = await read(query, as)
    return status === 200 ? body.total : Object.keys(body.data.params)
  }

  it('author takes ids from everybody, and logins from those who may see them', async () => {
    const editor = await makeUser('edith', 'editor')
    const someone = await makeUser('sam', 'author')
    expect([await totalOf('author=2'), await totalOf('author=2,99')]).toEqual([1, 1])
    // An unknown id is no error.
    expect([await totalOf('author=99'), await totalOf('author=99', editor)]).toEqual([0, 0])
    for (const as of [admin, editor]) expect(await totalOf('author=AUTHOR', as)).toBe(1)
    for (const as of [undefined, someone]) {
      expect(await totalOf('author=author', as)).toEqual(['author'])
      expect(await totalOf('author=nobody', as)).toEqual(['author'])
    }
    expect(await totalOf('author=nobody', editor)).toEqual(['author'])
    expect((await send('GET', '/events.rss?author=author', { as: admin })).status).toBe(400)
  })

  it('custom_fields finds exact values of one to three keys, and links carry them', async () => {
    const json = {
      custom_fields: { age: { label: 'Age', value: 'from 6 & up' }, price_band: { value: 'Mid' } },
    }
    const { id } = await makeEvent(admin, { title: 'For children', ...json })
    const age = `custom_fields[age]=${encodeURIComponent('from 6 & up')}`
    expect(await totalOf(age)).toBe(1)
    expect(await totalOf('custom_fields[age]=from 6')).toBe(0)
    expect(await totalOf('custom_fields[price_band]=Mid')).toBe(2)
    const { body } = await read('custom_fields[price_band]=Mid&per_page=1')
    const next = new URL(body.next_rest_url)
    expect([next.searchParams.get('custom_fields[price_band]'), next.searchParams.get('page')]).toEqual([
      'Mid',
      '2',
    ])
    expect((await send('GET', `/events${next.search}`)).body.events).toHaveLength(1)
    expect((await read(`custom_fields[price_band]=Mid&${age}`)).body.events[0].id).toBe(id)
    for (const bad of [
      'custom_fields=Mid',
      'custom_fields[A b]=1',
      'custom_fields[a][b]=1',
      'custom_fields[]=1',
    ])
      expect(await totalOf(bad), bad).toEqual(['custom_fields'])
    const four = ['a', 'b', 'c', 'd'].map(key => `custom_fields[${key}]=1`).join('&')
    expect(await totalOf(four)).toEqual(['custom_fields'])
    expect(await totalOf("custom_fields[x_y]=' OR 1=1")).toBe(0)
  })
})

it('a parameter without a filter does not compile', () => {
  const forgetful = ({ tags: _, ...rest }: EventFilterMap) => {
    // @ts-expect-error nothing filters by `tags`
    rest satisfies EventFilterMap
    return rest
  }
  const idle = (name: NonFilterParam) => {
    // @ts-expect-error one that filters can't be said not to
    const never: NonFilterParam = 'venue'
    return [name, never]
  }
  // Values of the type, whatever they do.
  const filters = Object.fromEntries(Object.keys(SAMPLES).map(name => [name, undefined])) as EventFilterMap
  expect(forgetful(filters)).not.toHaveProperty('tags')
  expect(idle('page')).toEqual(['page', 'venue'])
})
