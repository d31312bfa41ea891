import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findDriftIn } from '../../../derived/values.ts'
import { countRows, declareUser, makeEvent, makeVenue, queryValue, send } from '../../../factories.ts'
import { type Body, days, deleteEvents, makeWeekly, patch, readListed, starts } from './calendar.ts'

const as = declareUser('editor')
let ids: number[]
let seriesId: number
let hall: number
let yard: number

const titles = async () => (await readListed()).map(({ title }) => title)
const remove = (id: number | undefined, query = '') => send('DELETE', `/events/${id}${query}`, { as })
const change = async (at: number, json: object): Promise<Body> => {
  const { status, body, text } = await patch(as, ids[at] ?? 0, json)
  expect(status, text).toBe(200)
  expect(await findDriftIn(env.DB)).toEqual([])
  return body
}

beforeAll(async () => {
  hall = (await makeVenue(as, 'Hall')).id
  yard = (await makeVenue(as, 'Yard')).id
})

beforeEach(async () => {
  await deleteEvents()
  seriesId = (await makeWeekly(as, { venue: hall, tags: ['mat'] })).series.id
  ids = (await readListed()).map(({ id }) => id)
})

describe('a change of this occurrence', () => {
  it('detaches the fields that differ', async () => {
    const body = await change(2, { title: 'Special', cost: '$9', venue: yard })
    expect(body).toMatchObject({ title: 'Special', series: { detached: ['title', 'cost', 'venue'] } })
    expect(await titles()).toEqual(['Yoga', 'Yoga', 'Special', 'Yoga', 'Yoga'])
    const others = { title: 'Pilates', cost: '$5', venue: [hall, yard], description: 'Mats are here' }
    await change(0, { ...others, scope: 'all' })
    const events = await readListed()
    expect(events.map(({ title }) => title)).toEqual(['Pilates', 'Pilates', 'Special', 'Pilates', 'Pilates'])
    expect(events.map(({ cost }) => cost)).toEqual(['$5', '$5', '$9', '$5', '$5'])
    expect(events[2]).toMatchObject({ venue: { venue: 'Yard' }, description: '<p>Mats are here</p>' })
    expect(events[3]?.venue).toHaveLength(2)
    expect(await starts('&search=special mats')).toHaveLength(1)
    expect(await starts('&search=pilates mats')).toHaveLength(4)
  })

  it('detaches nothing if a whole event is sent back with one change', async () => {
    const { body: read } = await send('GET', `/events/${ids[1]}`)
    const answer = await send('PUT', `/events/${ids[1]}`, { as, json: { ...read, cost: '$7' } })
    expect(answer).toMatchObject({ status: 200, body: { cost: '$7', series: { detached: ['cost'] } } })
  })

  it('moves it, and it stays there when the others move', async () => {
    await change(1, { start_date: '2027-01-13 18:00:00', end_date: '2027-01-13 19:00:00' })
    const times = { start_date: '2027-01-26 19:00:00', end_date: '2027-01-26 22:00:00' }
    expect((await change(3, { ...times, scope: 'all' })).start_date).toBe('2027-01-26 19:00:00')
    expect(await starts()).toEqual([
      '2027-01-05 19:00:00',
      '2027-01-13 18:00:00',
      '2027-01-19 19:00:00',
      '2027-01-26 19:00:00',
      '2027-02-02 19:00:00',
    ])
    expect((await readListed())[1]?.series).toMatchObject({
      occurrence_date: '2027-01-12 19:00:00',
      detached: ['start_date', 'end_date'],
    })
  })

  it('finds it by its own text, while its other texts follow the series', async () => {
    await change(0, { description: 'A candle for each' })
    expect(await starts('&search=candle yoga')).toEqual(['2027-01-05 20:00:00'])
    expect(await starts('&search=mat')).toHaveLength(4)
    await change(4, { title: 'Stretching', scope: 'all' })
    expect(await starts('&search=candle stretching')).toEqual(['2027-01-05 20:00:00'])
    expect(await starts('&search=yoga')).toEqual([])
  })

  it.each(['FREQ=DAILY;COUNT=2', ''])('cannot change the recurrence (%o)', async recurrence => {
    const { status, body } = await patch(as, ids[0] ?? 0, { recurrence, scope: 'this' })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['scope']])
    expect(await starts()).toHaveLength(5)
  })
})

describe('a change of all occurrences', () => {
  it('may be requested in the address, or in a form', async () => {
    const json = { title: 'Pilates' }
    expect((await send('PATCH', `/events/${ids[1]}?scope=all`, { as, json })).status).toBe(200)
    const body = new URLSearchParams({ cost: '$4', scope: 'all' })
    expect((await send('POST', `/events/${ids[1]}`, { as, body })).status).toBe(200)
    expect(new Set((await readListed()).map(({ title, cost }) => `${title} ${cost}`))).toEqual(
      new Set(['Pilates $4']),
    )
  })

  it('keeps ids, slugs and addresses, and sets the time of the change', async () => {
    const before = await readListed()
    await change(0, { title: 'Pilates', scope: 'all' })
    const after = await readListed()
    expect(after.map(({ id, slug, url }) => [id, slug, url])).toEqual(
      before.map(({ id, slug, url }) => [id, slug, url]),
    )
    expect(after.every(({ modified_utc }) => modified_utc === '2026-11-20 12:00:00')).toBe(true)
  })

  it('gives them another slug, except those with a slug of their own', async () => {
    await change(1, { slug: 'mine' })
    await change(0, { slug: 'stretch', scope: 'all' })
    expect((await readListed()).map(({ slug }) => slug)).toEqual([
      'stretch-2027-01-05',
      'mine',
      'stretch-2027-01-19',
      'stretch-2027-01-26',
      'stretch-2027-02-02',
    ])
  })

  it('keeps the exceptions if only the rule changes', async () => {
    await remove(ids[1])
    const { series } = await change(0, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
    expect(series.recurrence.exdate).toEqual(['2027-01-12 20:00:00'])
    await change(0, { recurrence: { exdate: [] } })
    expect((await readListed()).map(({ id }) => id)).toEqual(ids.slice(0, 3))
  })

  it('leaves dates to the cron only if the rule has no end', async () => {
    const goesOn = () => queryValue('SELECT extend_from IS NOT NULL FROM series')
    expect(await goesOn()).toBe(0)
    await change(0, { recurrence: { rrule: 'FREQ=WEEKLY' } })
    expect(await goesOn()).toBe(1)
    await change(0, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
    expect(await goesOn()).toBe(0)
  })

  it('moves them to another day if the rule allows it', async () => {
    await change(1, { start_date: '2027-01-13 20:00:00', end_date: '2027-01-13 21:30:00', scope: 'all' })
    expect(await days()).toBe('01-06 01-13 01-20 01-27 02-03')
    expect((await readListed()).map(({ id }) => id)).toEqual(ids)
    await change(0, { recurrence: 'FREQ=MONTHLY;BYMONTHDAY=6;COUNT=5' })
    const json = { start_date: '2027-01-07 20:00:00', end_date: '2027-01-07 21:30:00', scope: 'all' }
    const refused = await patch(as, ids[0] ?? 0, json)
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['start_date']])
    await change(0, { ...json, recurrence: 'FREQ=MONTHLY;BYMONTHDAY=7;COUNT=5' })
    expect(await days()).toBe('01-07 02-07 03-07 04-07 05-07')
  })

  it('moves all weekdays of a rule, across the end of its weeks', async () => {
    await change(0, { recurrence: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=5' })
    expect(await days()).toBe('01-05 01-07 01-19 01-21 02-02')
    const before = (await readListed()).map(({ id }) => id)
    const [, thursday] = before
    const json = { start_date: '2027-01-11 20:00:00', end_date: '2027-01-11 21:30:00', scope: 'all' }
    expect((await patch(as, thursday ?? 0, json)).status).toBe(200)
    expect(await days()).toBe('01-09 01-11 01-23 01-25 02-06')
    expect((await readListed()).map(({ id }) => id)).toEqual(before)
    expect(await queryValue('SELECT rrule FROM series')).toBe(
      'FREQ=WEEKLY;INTERVAL=2;COUNT=5;BYDAY=SA,MO;WKST=FR',
    )
    // The rule gives the same dates when it is read again.
    await change(0, { recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=6;BYDAY=SA,MO;WKST=FR' } })
    expect(await days()).toBe('01-09 01-11 01-23 01-25 02-06 02-08')
  })

  it.each([
    ['2027-01-30', 'FREQ=MONTHLY;COUNT=5', '2027-03-30', '2027-04-01'],
    ['2027-01-31', 'FREQ=MONTHLY;UNTIL=20270901', '2027-03-31', '2027-04-01'],
    ['2027-02-28', 'FREQ=YEARLY', '2028-02-28', '2028-02-29'],
    ['2027-01-31', 'FREQ=MONTHLY;UNTIL=20270330', '2027-01-31', '2027-02-01'],
  ])(
    'of the day, from %s by %s, neither drops nor adds dates because months differ in length',
    async (first, recurrence, from, to) => {
      await makeEvent(as, {
        title: 'Club',
        start_date: `${first} 09:00`,
        end_date: `${first} 09:00`,
        recurrence,
      })
      const before = await readListed('&search=club')
      const { id } = before.find(({ start_date }) => start_date.startsWith(from)) ?? {}
      const json = { start_date: `${to} 09:00`, end_date: `${to} 09:00`, scope: 'all' }
      const refused = await patch(as, id, json)
      expect([refused.status, Object.keys(refused.body.data?.params ?? {})]).toEqual([400, ['start_date']])
      expect(await readListed('&search=club')).toEqual(before)
      const { status } = await patch(as, id, { ...json, recurrence })
      expect(status).toBe(200)
      await patch(as, id, { status: 'trash', scope: 'all' })
    },
  )

  it('moves the end of the rule by as many days as the dates', async () => {
    await change(0, { recurrence: 'FREQ=WEEKLY;UNTIL=20270202T200000' })
    await change(0, { start_date: '2027-01-06 20:00:00', end_date: '2027-01-06 21:30:00', scope: 'all' })
    expect(await days()).toBe('01-06 01-13 01-20 01-27 02-03')
  })

  it('keeps their days and ids when it makes them whole days and back', async () => {
    const rdate = ['2027-01-13 10:00', '2027-01-26 21:00']
    await change(0, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4', rdate, exdate: ['2027-01-19'] } })
    const before = (await readListed()).map(({ id }) => id)
    expect(before).toHaveLength(5)
    expect(await days()).toBe('01-05 01-12 01-13 01-26 01-26')
    const { series } = await change(1, { all_day: true, scope: 'all' })
    expect(series.recurrence).toMatchObject({
      rdate: ['2027-01-13 00:00:00', '2027-01-26 00:00:00'],
      exdate: ['2027-01-19 00:00:00'],
    })
    expect((await readListed()).map(({ start_date, end_date }) => [start_date, end_date])).toEqual(
      ['2027-01-05', '2027-01-12', '2027-01-13', '2027-01-26'].map(day => [
        `${day} 00:00:00`,
        `${day} 23:59:59`,
      ]),
    )
    // Of two on one day the first is left.
    expect((await readListed()).map(({ id }) => id)).toEqual(before.slice(0, 4))
    const times = { start_date: '2027-01-12 19:00', end_date: '2027-01-12 20:00' }
    await change(1, { ...times, all_day: false, scope: 'all' })
    expect((await readListed()).map(({ id }) => id)).toEqual(before.slice(0, 4))
    expect(await days()).toBe('01-05 01-12 01-13 01-26')
    expect(new Set((await starts()).map(start => start.slice(11)))).toEqual(new Set(['19:00:00']))
  })

  it('replaces dates at several times a day when it makes them whole days', async () => {
    const rdate = ['05', '06', '07'].map(day => `2027-01-${day} 09:00`)
    await change(0, { recurrence: { rrule: 'FREQ=DAILY;COUNT=3', rdate } })
    const [, second] = await readListed()
    const whole = { all_day: true, recurrence: 'FREQ=DAILY;COUNT=3' }
    expect((await patch(as, second?.id, whole)).status).toBe(200)
    expect((await readListed()).map(({ start_date, all_day }) => `${start_date} ${all_day}`)).toEqual(
      ['05', '06', '07'].map(day => `2027-01-${day} 00:00:00 true`),
    )
    const timed = await patch(as, second?.id, { recurrence: 'FREQ=DAILY;BYHOUR=9;COUNT=3' })
    expect([timed.status, Object.keys(timed.body.data.params)]).toEqual([400, ['recurrence']])
  })

  it('gives an external id to the named one', async () => {
    expect((await change(1, { external_id: 'y-2', scope: 'all' })).external_id).toBe('y-2')
    expect((await change(2, { external_id: 'y-3', scope: 'following' })).external_id).toBe('y-3')
    expect((await readListed()).map(({ external_id }) => external_id)).toEqual(['', 'y-2', 'y-3', '', ''])
    expect(await countRows(`series WHERE external_id <> ''`)).toBe(0)
  })

  it('spreads what one has of its own only if the request says so', async () => {
    await change(2, {
      title: 'Special',
      start_date: '2027-01-20 17:00',
      end_date: '2027-01-20 18:00',
      cost: '$9',
    })
    const { body: read } = await send('GET', `/events/${ids[2]}`)
    for (const body of [{ title: 'Special' }, read]) {
      await change(2, { ...body, scope: 'all' })
      expect(await titles()).toEqual(['Yoga', 'Yoga', 'Special', 'Yoga', 'Yoga'])
      expect(await days()).toBe('01-05 01-12 01-20 01-26 02-02')
    }
    await change(2, { title: 'Special', cost: '$9', scope: 'all', spread: ['title'] })
    expect(new Set(await titles())).toEqual(new Set(['Special']))
    expect((await readListed()).map(({ cost }) => cost)).toEqual(['', '', '$9', '', ''])
    const { start_date, end_date } = read
    expect(
      (await change(2, { start_date, end_date, scope: 'all', spread: ['start_date'] })).series,
    ).toMatchObject({
      detached: ['cost'],
      occurrence_date: '2027-01-20 17:00:00',
    })
    expect(await starts()).toEqual(
      ['06', '13', '20', '27'].map(day => `2027-01-${day} 17:00:00`).concat('2027-02-03 17:00:00'),
    )
    expect(new Set((await readListed()).map(({ end_date }) => end_date.slice(11)))).toEqual(
      new Set(['18:00:00']),
    )
  })

  it('keeps its zone when one spreads its times but not the zone that only it has', async () => {
    const times = { start_date: '2027-01-20 17:00', end_date: '2027-01-20 18:00' }
    await change(2, { timezone: 'America/New_York', ...times })
    const { start_date, end_date, timezone } = (await send('GET', `/events/${ids[2]}`)).body
    const before = (await readListed())[0]?.timezone
    const sent = { start_date, end_date, timezone, scope: 'all' }
    await change(2, { ...sent, spread: ['start_date'] })
    const zones = async () => (await readListed()).map(event => event.timezone)
    const others = [before, before, timezone, before, before]
    expect(await zones()).toEqual(others)
    expect(new Set((await starts()).map(start => start.slice(11)))).toEqual(new Set(['17:00:00']))
    await change(2, { ...sent, spread: ['start_date', 'timezone'] })
    expect(new Set(await zones())).toEqual(new Set([timezone]))
  })

  it.each([[['price']], [['title']], [['scope']]])(
    'cannot spread %o without a value for it',
    async spread => {
      const { status, body } = await patch(as, ids[2] ?? 0, { cost: '$9', scope: 'all', spread })
      expect([status, Object.keys(body.data.params)]).toEqual([400, ['spread']])
    },
  )

  it('moves several occurrences of a day past each other', async () => {
    const { series } = await makeWeekly(as, {
      title: 'Tide',
      recurrence: { rdate: ['2027-01-05 21:00', '2027-01-05 22:00', '2027-01-05 23:00'] },
    })
    const [first] = await readListed(`&series=${series.id}`)
    const times = { start_date: '2027-01-05 21:00:00', end_date: '2027-01-05 22:00:00' }
    expect((await patch(as, first?.id, { ...times, scope: 'all' })).status).toBe(200)
    const hours = (await starts(`&series=${series.id}`)).map(start => start.slice(11, 13))
    expect(hours).toEqual(['21', '22', '23', '00'])
  })
})

describe('a change from a date with values of its own', () => {
  const times = async () =>
    (await readListed()).map(
      ({ start_date, end_date }) => `${start_date.slice(5, 16)}-${end_date.slice(11, 16)}`,
    )
  /**
   * The third date, which its rule gives on Tuesday the 19th from 20:00 to 21:30, on Wednesday from 17:00 to
   * 17:45.
   */
  const moved = () => change(2, { start_date: '2027-01-20 17:00', end_date: '2027-01-20 17:45' })
  const BEFORE = ['01-05 20:00-21:30', '01-12 20:00-21:30']

  it.each([
    [
      'another time',
      { start_date: '2027-01-20 16:30', end_date: '2027-01-20 17:15' },
      '01-20 16:30-17:15',
      '16:30-18:00',
      0,
    ],
    ['another start', { start_date: '2027-01-20 16:30' }, '01-20 16:30-17:45', '16:30-21:30', 0],
    ['another end', { end_date: '2027-01-20 22:15' }, '01-20 17:00-22:15', '20:00-22:15', 0],
    [
      'another day',
      { start_date: '2027-01-22 17:00', end_date: '2027-01-22 17:45' },
      '01-22 17:00-17:45',
      '20:00-21:30',
      2,
    ],
    [
      'another day and time',
      { start_date: '2027-01-21 19:00', end_date: '2027-01-21 21:00' },
      '01-21 19:00-21:00',
      '19:00-21:00',
      1,
    ],
    [
      'the times of the rule',
      { start_date: '2027-01-19 20:00', end_date: '2027-01-19 21:30' },
      '01-19 20:00-21:30',
      '20:00-21:30',
      -1,
    ],
  ])('gives the others %s on their own days', async (_, json, own, clock, later) => {
    await moved()
    await change(2, { ...json, scope: 'following' })
    const on = (day: number) =>
      `${new Date(Date.UTC(2027, 0, day + later)).toISOString().slice(5, 10)} ${clock}`
    expect(await times()).toEqual([...BEFORE, own, on(26), on(33)])
  })

  it('leaves the others as they are if only its other fields change', async () => {
    await moved()
    await change(2, { cost: '$9', title: 'Special' })
    const { body: read } = await send('GET', `/events/${ids[2]}`)
    const put = await send('PUT', `/events/${ids[2]}`, {
      as,
      json: { ...read, cost: '$7', scope: 'following' },
    })
    expect(put).toMatchObject({ status: 200, body: { cost: '$7', title: 'Special' } })
    expect(await titles()).toEqual(['Yoga', 'Yoga', 'Special', 'Yoga', 'Yoga'])
    expect((await readListed()).map(({ cost }) => cost)).toEqual(['', '', '$7', '$7', '$7'])
    expect(await times()).toEqual([...BEFORE, '01-20 17:00-17:45', '01-26 20:00-21:30', '02-02 20:00-21:30'])
    expect(put.body.series.detached).toEqual(['start_date', 'end_date', 'title'])
  })

  it('follows the series again in what it shares, and keeps the rest of its own', async () => {
    const text = (label: string) => ({ label, value: 'x' })
    await change(2, {
      description: 'Only here',
      venue: yard,
      tags: ['late'],
      custom_fields: { a: text('A') },
      status: 'private',
    })
    const fields = {
      description: 'For all',
      venue: [hall, yard],
      tags: ['mat', 'late'],
      custom_fields: { b: text('B') },
      status: 'publish',
    }
    const body = await change(2, { ...fields, scope: 'all' })
    expect(body).toMatchObject({
      description: '<p>For all</p>',
      status: 'publish',
      series: { detached: ['custom_fields'] },
    })
    expect(Object.keys(body.custom_fields)).toEqual(['a', 'b'])
    expect(
      (await readListed()).map(({ custom_fields, venue, tags }) => [
        Object.keys(custom_fields).join(),
        venue.length,
        tags.length,
      ]),
    ).toEqual([0, 1, 2, 3, 4].map(at => [at === 2 ? 'a,b' : 'b', 2, 2]))
    expect(await starts('&search=for all')).toHaveLength(5)
    await change(0, { description: 'Once more', scope: 'all' })
    expect(await starts('&search=once more')).toHaveLength(5)
  })

  it('divides nothing if the others have the value already', async () => {
    await change(2, { title: 'Special', cost: '$9' })
    const { series } = await change(2, { title: 'Yoga', scope: 'following' })
    expect(series).toMatchObject({ id: seriesId, detached: ['cost'] })
    expect(await titles()).toEqual(['Yoga', 'Yoga', 'Yoga', 'Yoga', 'Yoga'])
  })

  it('refuses an end before the start of the others', async () => {
    await moved()
    const { status, body } = await patch(as, ids[2] ?? 0, {
      end_date: '2027-01-20 18:00',
      scope: 'following',
    })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['end_date']])
    expect(await times()).toHaveLength(5)
  })

  it('moves additional dates at other hours by the difference to what the rule gave it', async () => {
    await change(0, {
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4', rdate: ['2027-01-20 10:00', '2027-01-29 22:00'] },
    })
    ids = (await readListed()).map(({ id }) => id)
    await change(2, { start_date: '2027-01-18 12:00', end_date: '2027-01-18 13:00' })
    await change(2, { start_date: '2027-01-18 18:30', end_date: '2027-01-18 19:30', scope: 'following' })
    expect(await times()).toEqual([
      ...BEFORE,
      '01-18 18:30-19:30',
      '01-20 08:30-10:00',
      '01-26 18:30-20:00',
      '01-29 20:30-22:00',
    ])
  })

  it('gives the others their time through clock changes, where that of the rule is skipped too', async () => {
    const { series } = await makeWeekly(as, {
      start_date: '2027-03-21 02:30',
      end_date: '2027-03-21 04:00',
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
    })
    const clocks = async () =>
      (await readListed(`&series=${series.id}`)).map(
        ({ start_date, end_date }) => `${start_date.slice(5, 16)}-${end_date.slice(11, 16)}`,
      )
    const [first, skipped] = await readListed(`&series=${series.id}`)
    expect(await clocks()).toEqual(['03-21 02:30-04:00', '03-28 03:30-04:00', '04-04 02:30-04:00'])
    expect((await patch(as, skipped?.id, { start_date: '2027-03-28 03:45', scope: 'all' })).status).toBe(200)
    expect(await clocks()).toEqual(['03-21 03:45-04:00', '03-28 03:45-04:00', '04-04 03:45-04:00'])
    expect((await patch(as, first?.id, { start_date: '2027-03-21 02:30', scope: 'all' })).status).toBe(200)
    expect(await clocks()).toEqual(['03-21 02:30-04:00', '03-28 03:30-04:00', '04-04 02:30-04:00'])
  })

  it('keeps its whole day, and leaves the others their hours', async () => {
    await change(2, { all_day: true })
    const json = { start_date: '2027-01-21', end_date: '2027-01-21', scope: 'following' }
    expect(await change(2, json)).toMatchObject({ all_day: true, start_date: '2027-01-21 00:00:00' })
    expect(await times()).toEqual([...BEFORE, '01-21 00:00-23:59', '01-28 20:00-21:30', '02-04 20:00-21:30'])
    await change(0, { all_day: true, scope: 'all' })
    await change(1, { all_day: false, start_date: '2027-01-13 18:00', end_date: '2027-01-13 19:00' })
    await change(1, { start_date: '2027-01-14 19:00', end_date: '2027-01-14 20:00', scope: 'all' })
    expect((await times()).slice(0, 2)).toEqual(['01-06 00:00-23:59', '01-14 19:00-20:00'])
  })
})

describe('a change of this and the following', () => {
  it('ends the series before, and begins another one with the same ids', async () => {
    await change(4, { cost: '$1' })
    const body = await change(2, { title: 'Later', recurrence: undefined, scope: 'following' })
    expect(body.series).toMatchObject({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
    const later = body.series.id
    expect(later).not.toBe(seriesId)
    const events = await readListed()
    expect(events.map(({ id, title, series }) => [id, title, series.id])).toEqual([
      [ids[0], 'Yoga', seriesId],
      [ids[1], 'Yoga', seriesId],
      [ids[2], 'Later', later],
      [ids[3], 'Later', later],
      [ids[4], 'Later', later],
    ])
    expect(events[4]).toMatchObject({
      cost: '$1',
      tags: [{ name: 'mat' }],
      description: '<p>Bring a mat.</p>',
    })
    expect(events[0]?.series.recurrence.rrule).toBe('FREQ=WEEKLY;UNTIL=20270119T195959')
    expect(events[3]?.slug).toBe('yoga-2027-01-26')
    expect(events[3]?.url).toBe('https://calendar.example/event/yoga/2027-01-26/')
    await change(0, { title: 'Before', scope: 'all' })
    expect(await titles()).toEqual(['Before', 'Before', 'Later', 'Later', 'Later'])
  })

  it('takes another rule from there on', async () => {
    await change(3, { recurrence: { rrule: 'FREQ=DAILY;COUNT=2' }, scope: 'following' })
    expect(await days()).toBe('01-05 01-12 01-19 01-26 01-27')
  })

  const FRIDAYS = 'FREQ=WEEKLY;BYDAY=FR;COUNT=3'
  it.each([
    ['an additional date before the start', 'FREQ=WEEKLY;COUNT=3', ['2027-03-01', '2027-03-02'], 1],
    ['one of the dates that are all named', '', ['2027-03-01', '2027-03-02', '2027-04-01'], 1],
    ['a start that the rule does not give', FRIDAYS, ['2027-03-01'], 1],
    ['the first date of such a rule', FRIDAYS, [], 1],
    ['an additional date after the end of such a rule', FRIDAYS, ['2027-03-15'], 3],
  ])('from %s on leaves every date in one of two series', async (_, rrule, rdate, at) => {
    const start_date = '2027-03-03 20:00:00'
    const recurrence = { rrule, rdate }
    const { series } = await makeWeekly(as, { start_date, end_date: '2027-03-03 21:00', recurrence })
    const before = await readListed(`&series=${series.id}`)
    const dates = before.map(({ id, start_date }) => [id, start_date])
    const later = { title: 'Later', scope: 'following' }
    const other = (await patch(as, before[at]?.id, later)).body.series
    expect(other.id).not.toBe(series.id)
    // Another time has all dates worked out anew.
    for (const { id, start_date, end_date } of [before[0] ?? {}, before.at(-1) ?? {}])
      for (const minutes of ['30', '00']) {
        const times = { start_date: start_date.replace('00:00', `${minutes}:00`), end_date, scope: 'all' }
        expect((await patch(as, id, times)).status, minutes).toBe(200)
      }
    const shown = async (id: number) =>
      (await readListed(`&series=${id}`)).map(({ id, start_date }) => [id, start_date])
    expect(await shown(series.id)).toEqual(dates.slice(0, at))
    expect(await shown(other.id)).toEqual(dates.slice(at))
  })
})

describe('an occurrence that is deleted', () => {
  it('is left out, and comes back with its id', async () => {
    expect((await remove(ids[1])).body.status).toBe('trash')
    const [first] = await readListed()
    expect(first?.series.recurrence.exdate).toEqual(['2027-01-12 20:00:00'])
    expect(await starts()).toHaveLength(4)
    const body = await change(1, { status: 'publish' })
    expect(body).toMatchObject({
      slug: 'yoga-2027-01-12',
      series: { recurrence: { exdate: [] }, detached: [] },
    })
    expect(await starts()).toHaveLength(5)
  })

  it('does not come back if it was deleted for good', async () => {
    expect((await remove(ids[1], '?force=1')).status).toBe(200)
    await change(0, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' } })
    expect(await days()).toBe('01-05 01-19 01-26 02-02 02-09')
  })

  it('takes its series with it if it was the last one', async () => {
    for (const id of ids) await remove(id, '?force=1')
    expect(await countRows('series')).toBe(0)
    expect(await countRows('series_venues')).toBe(0)
    expect(await countRows('series_search')).toBe(0)
  })

  it('comes back as an additional date if the rule no longer gives it', async () => {
    await change(0, { recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=2' } })
    const { series } = await change(1, { status: 'publish' })
    expect(series.recurrence.rdate).toEqual(['2027-01-12 20:00:00'])
    expect((await readListed()).map(({ id }) => id)).toEqual(ids.slice(0, 3))
  })

  it('goes to the trash with all others, and comes back with them', async () => {
    await remove(ids[1])
    expect((await remove(ids[2], '?scope=all')).status).toBe(200)
    expect(await starts()).toEqual([])
    expect((await remove(ids[2], '?scope=all')).status).toBe(410)
    expect(await findDriftIn(env.DB)).toEqual([])
    await change(4, { status: 'publish', scope: 'all' })
    expect((await readListed()).map(({ id }) => id)).toEqual([ids[0], ids[2], ids[3], ids[4]])
  })

  it('leaves no rows if it was deleted for good with all others', async () => {
    expect((await remove(ids[0], '?scope=all&force=1')).status).toBe(200)
    const tables = 'events series event_venues series_venues series_terms listings series_search'
    for (const table of tables.split(' ')) expect(await countRows(table), table).toBe(0)
  })
})

describe('the end of a recurrence', () => {
  it('leaves a single event, and the others in the trash', async () => {
    await change(2, { cost: '$2' })
    const body = await change(2, { recurrence: '', title: 'Once' })
    expect(body).toMatchObject({ id: ids[2], title: 'Once', cost: '$2', description: '<p>Bring a mat.</p>' })
    expect(body).not.toHaveProperty('series')
    expect((await readListed()).map(({ id }) => id)).toEqual([ids[2]])
    expect(await starts('&search=once mat')).toHaveLength(1)
    expect(await countRows("events WHERE status = 'trash'")).toBe(4)
  })

  it('leaves the series before an occurrence if it is ended from there on', async () => {
    await change(2, { recurrence: '', scope: 'following' })
    const events = await readListed()
    expect(events.map(({ id }) => id)).toEqual(ids.slice(0, 3))
    expect(events.map(({ series }) => series?.id)).toEqual([seriesId, seriesId, undefined])
  })
})

describe('a deletion says how many dates it leaves', () => {
  const left = async (at: number, query = '') =>
    (await remove(ids[at], query)).headers.get('x-series-remaining')

  it.each([
    [0, '', '4'],
    [0, '?force=true', '4'],
    [2, '?scope=following', '2'],
    [2, '?scope=following&force=true', '2'],
    [1, '?scope=all', '0'],
    [1, '?scope=all&force=true', '0'],
  ])('of date %i, with %s', async (at, query, expected) => {
    expect(await left(at, query)).toBe(expected)
    expect(await readListed()).toHaveLength(Number(expected))
  })

  it('counts no dates in the trash, and is silent about single events', async () => {
    expect({ first: await left(0), second: await left(1), forced: await left(2, '?force=1') }).toEqual({
      first: '4',
      second: '3',
      forced: '2',
    })
    const { id } = await makeEvent(as)
    expect((await remove(id)).headers.has('x-series-remaining')).toBe(false)
  })
})
