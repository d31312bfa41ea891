import { beforeAll, describe, expect, it } from 'vitest'
import { makeEvent, makeVenue, SITE, send, user } from '../../factories.ts'
import { dataIn, page } from './page.ts'

const admin = user('administrator', 'admin')
let festival: number
let concert: number

const make = (title: string, start: string, fields: object = {}) =>
  makeEvent(admin, { title, start_date: `2027-06-${start}`, end_date: `2027-06-${start}`, ...fields })

beforeAll(async () => {
  const hall = await makeVenue(admin, 'Great hall', { city: 'Kent' })
  const yard = await makeVenue(admin, 'Yard')
  festival = (await make('Festival', '10 10:00', { end_date: '2027-06-12 22:00', venue: hall.id })).id
  const part = { post_parent: festival, venue: hall.id }
  concert = (await make('Opening concert', '10 20:00', { ...part, cost: '$10 - $25' })).id
  await make('Talk', '10 18:00', { ...part, venue: yard.id, cost: '0', ticket_availability: 'few' })
  await make('Only for guests', '11 09:00', { ...part, hide_from_listings: true })
  await make('Secret part', '11 10:00', { ...part, status: 'draft' })
  await make('Dropped part', '11 11:00', { ...part, event_status: 'canceled', cost: '$5' })
  const gone = await make('Trashed part', '11 12:00', part)
  await send('DELETE', `/events/${gone.id}`, { as: admin })
})

const change = (id: number, json: object) => send('PATCH', `/events/${id}`, { as: admin, json })

describe('the page of an event with parts', () => {
  it('shows its programme by day and venue, with costs, including parts that lists hide', async () => {
    const { html, text } = await page('/event/festival/')
    expect(text).toMatch(
      /Programme Thursday, June 10, 2027 Yard 6:00 PM Talk Free · Few tickets left Great hall 8:00 PM Opening concert \$10 – \$25 Friday, June 11, 2027 Great hall 9:00 AM Only for guests 11:00 AM Dropped part Cancelled Share/,
    )
    expect(text).not.toMatch(/Secret part|Trashed part/)
    expect(html).toContain('href="/event/opening-concert/"')
    expect((await page('/events/2027-06-11/')).text).not.toContain('Only for guests')
  })

  it('leads to a calendar of the programme', async () => {
    const { status, headers } = await page('/event/festival/?ical=1')
    expect(status).toBe(302)
    const path = (headers.get('location') ?? '').replace(/^.*\/events\/v1/, '')
    expect(path).toBe(`/events/${festival}.ics?programme=true&expand=true`)
    const { text } = await send('GET', path)
    expect([...text.matchAll(/SUMMARY:(.*)\r/g)].map(([, title]) => title)).toEqual([
      'Talk',
      'Opening concert',
      'Only for guests',
      'Dropped part',
    ])
    // An event without parts has its own calendar.
    expect((await page('/event/talk/?ical=1')).headers.get('location')).toMatch(/\/events\/\d+\.ics$/)
  })

  it('has JSON-LD of its parts, and they have that of their parent', async () => {
    const { subEvent } = dataIn((await page('/event/festival/')).html)
    expect(subEvent).toHaveLength(4)
    expect(subEvent[1]).toEqual({
      '@type': 'Event',
      name: 'Opening concert',
      url: `${SITE}/event/opening-concert/`,
      startDate: '2027-06-10T20:00:00+00:00',
      endDate: '2027-06-10T20:00:00+00:00',
      location: { '@type': 'Place', name: 'Great hall', address: 'Great hall' },
    })
    expect(dataIn((await page('/event/opening-concert/')).html).superEvent).toMatchObject({
      name: 'Festival',
      url: `${SITE}/event/festival/`,
    })
  })
})

describe('the page of a part', () => {
  const named = async () => (await page('/event/opening-concert/')).html.match(/class="part-of">([^<]*)/)?.[1]

  it('names its parent in the language of the page', async () => {
    expect(await named()).toBe('Part of ')
    const { text } = await page('/event/opening-concert/', { vars: { LANGUAGE: 'fr' } })
    expect(text).toContain('Fait partie de Festival')
  })

  it.each([
    ['is a draft', { status: 'draft' }, { status: 'publish' }],
    ['is hidden from lists', { hide_from_listings: true }, { hide_from_listings: false }],
    ['is in the trash', { status: 'trash' }, { status: 'publish' }],
  ])('doesn’t name a parent that %s', async (_, hidden, shown) => {
    if ('status' in hidden && hidden.status === 'trash')
      await send('DELETE', `/events/${festival}`, { as: admin })
    else await change(festival, hidden)
    expect(await named()).toBe(undefined)
    expect(dataIn((await page('/event/opening-concert/')).html)).not.toHaveProperty('superEvent')
    await change(festival, shown)
    expect(await named()).toBe('Part of ')
  })

  it('names a parent that lists hide if that is a part itself', async () => {
    const day = await make('Second day', '11 08:00', { post_parent: festival, hide_from_listings: true })
    await make('Workshop', '11 15:00', { post_parent: day.id })
    expect((await page('/event/workshop/')).text).toContain('Part of Second day')
  })
})

describe('circles of parents', () => {
  const errorOf = async (id: number, json: object) => {
    const { status, body } = await change(id, json)
    return [status, body.data?.params?.post_parent]
  }

  it('are rejected, however long', async () => {
    const encore = await make('Encore', '10 23:00', { post_parent: concert })
    const reason = (id: number) => [400, `event ${id} is itself a part of this one`]
    expect(await errorOf(festival, { post_parent: festival })).toEqual([
      400,
      'an event cannot be its own parent',
    ])
    expect(await errorOf(festival, { post_parent: concert })).toEqual(reason(concert))
    expect(await errorOf(festival, { post_parent: encore.id })).toEqual(reason(encore.id))
    expect(await errorOf(encore.id, { post_parent: festival })).toEqual([200, undefined])
  })

  it('are rejected for all dates of a series, although one date may be a part of another', async () => {
    const first = await make('Weekly', '01 10:00', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
    const { body } = await send('GET', `/events?series=${first.series.id}`)
    const second = body.events[1].id
    expect(await errorOf(first.id, { post_parent: second, scope: 'all' })).toEqual([
      400,
      `event ${second} is itself a part of this one`,
    ])
    expect(await errorOf(first.id, { post_parent: second })).toEqual([200, undefined])
    expect(await errorOf(second, { post_parent: first.id })).toEqual([
      400,
      `event ${first.id} is itself a part of this one`,
    ])
  })

  it('are rejected between concurrent requests', async () => {
    for (const recurrence of [undefined, { rrule: 'FREQ=WEEKLY;COUNT=2' }]) {
      const one = await make('One', '20 10:00', { recurrence })
      const other = await make('Other', '20 12:00', {})
      const both = await Promise.all([
        change(one.id, { post_parent: other.id, ...(recurrence && { scope: 'all' }) }),
        change(other.id, { post_parent: one.id }),
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    }
  })

  it('can be ended', async () => {
    expect((await errorOf(festival, { post_parent: 0 }))[0]).toBe(200)
    expect((await page('/event/festival/')).status).toBe(200)
  })
})
