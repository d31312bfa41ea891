import { beforeEach, describe, expect, it, vi } from 'vitest'
import { countRows, declareUser, makeEvent, makeVenue, send } from '../../../factories.ts'
import { TODAY } from '../../../setup.ts'
import {
  type Body,
  DATES,
  deleteEvents,
  makeWeekly,
  patch,
  readListed,
  runCronAt,
  starts,
} from './calendar.ts'

const as = declareUser('editor')

beforeEach(() => deleteEvents('venues'))

describe('an event with a recurrence', () => {
  it('is a series of events with ids, slugs and addresses of their own', async () => {
    const first = await makeWeekly(as)
    expect(first).toMatchObject({
      title: 'Yoga',
      slug: 'yoga-2027-01-05',
      url: 'https://calendar.example/event/yoga/2027-01-05/',
      start_date: '2027-01-05 20:00:00',
      series: {
        id: 1,
        rest_url: 'https://calendar.example/calendar/events/v1/series/1',
        recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', rdate: [], exdate: [] },
        occurrence_date: '2027-01-05 20:00:00',
        detached: [],
      },
    })
    const events = await readListed()
    expect(events.map(({ slug }) => slug)).toEqual(DATES.map(date => `yoga-${date}`))
    expect(new Set(events.map(({ id }) => id)).size).toBe(5)
    for (const { description, end_date, start_date } of events) {
      expect(description).toBe('<p>Bring a mat.</p>')
      expect(end_date).toBe(start_date.replace('20:00', '21:30'))
    }
    const { body } = await send('GET', '/events/by-slug/yoga-2027-01-19')
    expect(body).toMatchObject({ id: events[2]?.id, json_ld: { '@type': 'Event' } })
  })

  it('is the only one that shows a series', async () => {
    expect(await makeEvent(as)).not.toHaveProperty('series')
  })

  it('has additional and excluded dates', async () => {
    const recurrence = {
      rrule: 'FREQ=WEEKLY;COUNT=3',
      rdate: ['2027-01-07 19:00:00', '2027-01-08'],
      exdate: ['2027-01-12 20:00:00', '20270119'],
    }
    const { series } = await makeWeekly(as, { recurrence })
    expect(series.recurrence).toEqual({
      rrule: 'FREQ=WEEKLY;COUNT=3',
      rdate: ['2027-01-07 19:00:00', '2027-01-08 20:00:00'],
      exdate: ['2027-01-12 20:00:00', '2027-01-19 20:00:00'],
    })
    expect(await starts()).toEqual(['2027-01-05 20:00:00', '2027-01-07 19:00:00', '2027-01-08 20:00:00'])
  })

  it('takes a rule as text, a form, and an end in UTC', async () => {
    await makeWeekly(as, { title: 'Text', recurrence: 'freq=daily;count=2' })
    const form = new URLSearchParams({
      title: 'Form',
      start_date: '2027-03-01 10:00',
      end_date: '2027-03-01 11:00',
      'recurrence[rrule]': 'FREQ=DAILY;UNTIL=20270302T220000Z',
      'recurrence[exdate][]': '2027-03-02 10:00',
      timezone: 'Europe/Rome',
    })
    const { status, body } = await send('POST', '/events', { as, body: form })
    expect(status).toBe(201)
    expect(body.series.recurrence).toEqual({
      rrule: 'FREQ=DAILY;UNTIL=20270302T230000',
      rdate: [],
      exdate: ['2027-03-02 10:00:00'],
    })
    expect(await starts()).toEqual(['2027-01-05 20:00:00', '2027-01-06 20:00:00', '2027-03-01 10:00:00'])
  })

  it('of several occurrences a day has slugs with their times', async () => {
    await makeWeekly(as, { recurrence: { rdate: ['2027-01-05 22:00', '2027-01-06 00:00'] } })
    expect((await readListed()).map(({ slug }) => slug)).toEqual([
      'yoga-2027-01-05',
      'yoga-2027-01-05-2200',
      'yoga-2027-01-06',
    ])
  })

  it('gets a slug that no other series or event has', async () => {
    await makeEvent(as, { title: 'Yoga' })
    await makeEvent(as, { title: 'Yoga 2 2027 01 12' })
    await makeWeekly(as)
    const slugs = (await readListed()).map(({ slug }) => slug)
    expect(slugs).toContain('yoga-2-2027-01-05')
    expect(slugs).toContain('yoga-2-2027-01-12-2')
    await makeWeekly(as)
    expect((await readListed('&series=2')).map(({ slug }) => slug)).toEqual(
      DATES.map(date => `yoga-3-${date}`),
    )
    const long = await makeWeekly(as, { title: 'Long '.repeat(100) })
    expect(long.slug.length).toBeLessThanOrEqual(200)
  })

  it('of whole days lasts whole days', async () => {
    await makeWeekly(as, {
      all_day: true,
      end_date: '2027-01-06',
      recurrence: { rrule: 'FREQ=MONTHLY;COUNT=2', exdate: ['2027-02-05'], rdate: ['2027-02-07 15:00'] },
    })
    expect((await readListed()).map(({ start_date, end_date }) => [start_date, end_date])).toEqual([
      ['2027-01-05 00:00:00', '2027-01-06 23:59:59'],
      ['2027-02-07 00:00:00', '2027-02-08 23:59:59'],
    ])
  })

  it('is found by the words that all share', async () => {
    const { series } = await makeWeekly(as)
    await makeEvent(as, { title: 'Mat race' })
    expect(await starts('&search=mat')).toHaveLength(6)
    expect(await starts(`&search=mat&series=${series.id}`)).toHaveLength(5)
    expect(await starts('&search=bring yoga')).toHaveLength(5)
    expect(await starts('&search=nothing')).toHaveLength(0)
    expect(await countRows('events_search')).toBe(1)
  })

  it('starts beyond the horizon with its first occurrence', async () => {
    const { id, series } = await makeWeekly(as, {
      start_date: '2031-01-01 10:00',
      end_date: '2031-01-01 11:00',
    })
    expect(await readListed(`&series=${series.id}`)).toMatchObject([{ id }])
  })
})

describe('a series', () => {
  it('shows what its occurrences share, and how many there are', async () => {
    const venue = await makeVenue(as, 'Hall')
    await makeWeekly(as, {
      venue: venue.id,
      categories: ['Sport'],
      cost: '$5',
      website: 'https://yoga.example/',
    })
    const { status, body } = await send('GET', '/series/1')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: 1,
      rest_url: 'https://calendar.example/calendar/events/v1/series/1',
      url: 'https://calendar.example/event/yoga/',
      slug: 'yoga',
      title: 'Yoga',
      description: '<p>Bring a mat.</p>',
      cost: '$5',
      website: 'https://yoga.example/',
      start_date: '2027-01-05 20:00:00',
      end_date: '2027-01-05 21:30:00',
      timezone: 'Europe/Rome',
      venue: { venue: 'Hall' },
      categories: [{ name: 'Sport' }],
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', rdate: [], exdate: [] },
      first_date: '2027-01-05 20:00:00',
      last_date: '2027-02-02 20:00:00',
      total: 5,
    })
    expect((await send('GET', '/series/2')).body.code).toBe('rest-series-not-found')
  })

  it('is seen by those who may see one of its occurrences', async () => {
    await makeWeekly(as, { status: 'draft' })
    expect(await send('GET', '/series/1')).toMatchObject({
      status: 403,
      body: { code: 'series-not-accessible' },
    })
    expect((await send('GET', '/events?series=1')).status).toBe(400)
    expect(await send('GET', '/series/1', { as })).toMatchObject({ status: 200, body: { total: 5 } })
    const [event] = await readListed('&status=draft', as)
    await patch(as, event?.id, { status: 'publish' })
    expect((await send('GET', '/series/1')).status).toBe(403)
    await patch(as, event?.id, { status: 'publish', scope: 'all', spread: ['status'] })
    expect(await send('GET', '/series/1')).toMatchObject({ status: 200, body: { total: 5 } })
  })

  it('does not show a venue that the caller may not see', async () => {
    const venue = await makeVenue(as, 'Secret', { status: 'private' })
    await makeWeekly(as, { venue: venue.id })
    expect((await send('GET', '/series/1')).body.venue).toEqual([])
    expect((await send('GET', '/series/1', { as })).body.venue).toMatchObject({ venue: 'Secret' })
  })

  it('is listed by category, venue and tag like other events', async () => {
    const venue = await makeVenue(as, 'Hall')
    await makeWeekly(as, { venue: venue.id, categories: ['Sport'], tags: ['mat'] })
    for (const filter of [`venue=${venue.id}`, 'categories=sport', 'tags=mat', 'series=1'])
      expect(await starts(`&${filter}`), filter).toHaveLength(5)
    const { body } = await send('GET', '/categories')
    expect(body.categories).toMatchObject([{ name: 'Sport', count: 5 }])
  })

  it('loses a venue or category that is deleted for good', async () => {
    const venue = await makeVenue(as, 'Hall')
    const { categories } = await makeWeekly(as, { venue: venue.id, categories: ['Sport'] })
    const forced = `/venues/${venue.id}?force=1`
    expect(await send('DELETE', forced, { as })).toMatchObject({
      status: 409,
      body: { data: { events: DATES.length } },
    })
    expect((await send('DELETE', `${forced}&detach=1`, { as })).status).toBe(200)
    expect((await send('DELETE', `/categories/${categories[0].id}`, { as })).status).toBe(200)
    expect((await readListed()).map(({ venue, categories }) => [venue, categories])).toEqual(
      DATES.map(() => [[], []]),
    )
    expect((await send('GET', '/series/1')).body).toMatchObject({ venue: [], categories: [] })
  })

  it('is published when it is due, and gets further dates', async () => {
    await makeWeekly(as, { date_utc: '2026-12-01 00:00:00', recurrence: 'FREQ=WEEKLY' })
    expect(await starts()).toHaveLength(0)
    await runCronAt('2026-12-02T00:00:00Z')
    const before = await countRows("events WHERE status = 'publish'")
    expect(before).toBe(100)
    await runCronAt('2027-03-02T00:00:00Z')
    expect(await countRows("events WHERE status = 'publish'")).toBe(before + 13)
    vi.setSystemTime(TODAY)
  })
})

describe('an event that exists', () => {
  it('becomes the first of a series, with its id', async () => {
    const event = await makeEvent(as, {
      title: 'Choir',
      description: 'Sing',
      venue: { venue: 'Hall' },
      tags: ['song'],
      external_id: 'uid-1',
      image: 'https://img.example/a.png',
      start_date: '2027-01-05 20:00',
      end_date: '2027-01-05 22:00',
    })
    const { status, body, text } = await patch(as, event.id, {
      cost: '$3',
      image: 'https://img.example/b.png',
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
    })
    expect(status, text).toBe(200)
    expect(body).toMatchObject({
      id: event.id,
      slug: 'choir-2027-01-05',
      external_id: 'uid-1',
      cost: '$3',
      series: { occurrence_date: '2027-01-05 20:00:00' },
    })
    const events = await readListed()
    expect(events).toHaveLength(3)
    for (const each of events)
      expect(each).toMatchObject({
        title: 'Choir',
        description: '<p>Sing</p>',
        cost: '$3',
        image: { url: 'https://img.example/b.png' },
        venue: { venue: 'Hall' },
        tags: [{ name: 'song' }],
      })
    expect(events.map(({ external_id }: Body) => external_id)).toEqual(['uid-1', '', ''])
    expect(await starts('&search=sing')).toHaveLength(3)
    expect(await countRows('events_search')).toBe(0)
  })

  it('cannot leave itself out', async () => {
    const event = await makeEvent(as)
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=3', exdate: [event.start_date] }
    expect((await patch(as, event.id, { recurrence })).body.data.params).toHaveProperty('recurrence')
  })
})

describe('a series by an external id', () => {
  const put = (json: object) => send('PUT', '/events/by-external-id/feed%2F1', { as, json })

  it('is created, and changed as a whole when it comes again', async () => {
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' }
    const event = { title: 'Choir', start_date: '2027-01-05 20:00', end_date: '2027-01-05 22:00', recurrence }
    const made = await put(event)
    expect(made).toMatchObject({ status: 201, body: { external_id: 'feed/1', series: { id: 1 } } })
    const again = await put(event)
    expect(again).toMatchObject({ status: 200, body: { id: made.body.id, series: { detached: [] } } })
    await put({ ...event, title: 'Chorus', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })
    const events = await readListed()
    expect(events.map(({ title }) => title).join(' ')).toBe('Chorus Chorus Chorus Chorus')
    expect(events[0]?.id).toBe(made.body.id)
  })
})
