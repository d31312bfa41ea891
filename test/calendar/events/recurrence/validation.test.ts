import { describe, expect, it } from 'vitest'
import { countRows, declareUser, queryValue, send } from '../../../factories.ts'
import { inSeriesOf, makeWeekly, patch, WEEKLY } from './calendar.ts'

const as = declareUser('editor')

const post = (recurrence: unknown, fields: object = {}) =>
  send('POST', '/events', { as, json: { ...WEEKLY, ...fields, recurrence } })

/** A minute of the day of the first date. */
const minute = (i: number) =>
  `2027-01-05 ${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`

const REFUSED: [what: string, recurrence: unknown, reason: RegExp][] = [
  ['no rule', 'whenever', /rule of RFC 5545/],
  ['an unknown part', 'FREQ=DAILY;COLOR=RED', /COLOR/],
  ['no frequency', 'COUNT=3', /FREQ/],
  ['COUNT with UNTIL', 'FREQ=DAILY;COUNT=3;UNTIL=20270201', /UNTIL/],
  ['a rule that can never happen', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', /never/],
  ['a rule that is over before it begins', 'FREQ=DAILY;UNTIL=20200101', /never/],
  [
    'too many dates',
    { rrule: 'FREQ=DAILY', rdate: Array.from({ length: 999 }, (_, i) => minute(i)) },
    /1000/,
  ],
  ['a date every second', 'FREQ=SECONDLY', /FREQ: SECONDLY is too often/],
  ['a date every minute', 'FREQ=MINUTELY;COUNT=3', /FREQ: MINUTELY is too often/],
  ['a date every hour', 'FREQ=HOURLY;COUNT=3', /FREQ: HOURLY is too often/],
  ['weeks of the year', 'FREQ=YEARLY;BYWEEKNO=20', /BYWEEKNO: is not supported: use rdate/],
  ['days of the year', 'FREQ=YEARLY;BYYEARDAY=100', /BYYEARDAY: is not supported: use rdate/],
  ['a numbered weekday of the year', 'FREQ=YEARLY;BYDAY=20MO', /BYDAY: numbers need BYMONTH/],
  ['several hours', 'FREQ=DAILY;COUNT=3;BYHOUR=8,20', /BYHOUR: must be that of the start, 20/],
  ['another hour', 'FREQ=DAILY;COUNT=3;BYHOUR=8', /BYHOUR: must be that of the start, 20/],
  ['several minutes', 'FREQ=DAILY;COUNT=3;BYMINUTE=0,30', /BYMINUTE: must be that of the start, 00/],
  ['another minute', 'FREQ=DAILY;COUNT=3;BYHOUR=20;BYMINUTE=30', /BYMINUTE: must be that of the start/],
  ['another second', { rrule: 'FREQ=DAILY;COUNT=3;BYSECOND=1' }, /BYSECOND: must be that of the start/],
  ['a count of nothing', 'FREQ=DAILY;COUNT=0', /COUNT/],
  ['a part that this frequency does not have', 'FREQ=WEEKLY;BYMONTHDAY=3', /BYMONTHDAY/],
  ['an unknown key', { rule: 'FREQ=DAILY' }, /rule/],
  ['a number', 7, /must be an object/],
  ['a list', ['FREQ=DAILY'], /must be an object/],
  ['a further start that is no date', { rdate: ['soon'] }, /soon/],
  ['an object as a date', { rdate: [{ a: 1 }] }, /needs dates/],
  ['all dates left out', { rrule: 'FREQ=DAILY;COUNT=2', exdate: ['2027-01-05', '2027-01-06'] }, /every date/],
  [
    'too many further starts',
    { rdate: Array.from({ length: 1_001 }, (_, i) => `2027-01-01 00:${i}`) },
    /1000/,
  ],
  ['a word for a frequency', 'daily', /FREQ=DAILY;COUNT=10/],
  ['a rule of a megabyte', `FREQ=DAILY;BYHOUR=${'1,'.repeat(500_000)}`, /characters/],
]

describe('a recurrence', () => {
  it.each(REFUSED)('with %s is refused, and nothing is stored', async (_, recurrence, reason) => {
    const stored = () => queryValue('SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM series)')
    const before = await stored()
    const { status, body } = await post(recurrence)
    expect(status).toBe(400)
    expect(Object.keys(body.data.params)).toEqual(['recurrence'])
    expect(body.data.params.recurrence).toMatch(reason)
    expect(await stored()).toBe(before)
  })

  it.each([[''], ['  '], [[]], [false], [{ rrule: '' }], [{ rrule: ' ', rdate: '', exdate: [] }]])(
    'of %j means none',
    async recurrence => {
      const { status, body } = await post(recurrence)
      expect(status).toBe(201)
      expect(body).not.toHaveProperty('series')
      const changed = await patch(as, body.id, { title: 'New', recurrence })
      expect([changed.status, changed.body.title]).toEqual([200, 'New'])
      expect(changed.body).not.toHaveProperty('series')
    },
  )

  it.each([[{}], [{ rrule: null }], [{ rdate: null, exdate: null }]])(
    'of %j counts as absent, and ends no series',
    async recurrence => {
      const { id } = await makeWeekly(as)
      const { status, body } = await patch(as, id, { title: 'New', recurrence })
      expect({ status, title: body.title, detached: body.series.detached }).toEqual({
        status: 200,
        title: 'New',
        detached: ['title'],
      })
      expect(await countRows(`events WHERE status = 'publish' AND ${inSeriesOf(id)}`)).toBe(5)
    },
  )

  it('takes dates in every form, in a list or in one text', async () => {
    const days = ['June 10, 2027 8pm', '2027-06-11 20:00', '20270612T200000', '1812916800']
    for (const rdate of [days, days.join(','), days.slice(0, 2).concat(days.slice(2).join(', '))]) {
      const { status, body, text } = await post({ rdate }, { timezone: 'UTC' })
      expect(status, text).toBe(201)
      expect(body.series.recurrence.rdate).toEqual([10, 11, 12, 13].map(day => `2027-06-${day} 20:00:00`))
    }
  })

  it('may have at most a thousand dates', async () => {
    const daily = { start_date: '2026-02-20 20:00:00', end_date: '2026-02-20 21:00:00' }
    const { status, body } = await post('FREQ=DAILY;COUNT=1000', daily)
    expect(status).toBe(201)
    expect(await countRows(`events WHERE ${inSeriesOf(body.id)}`)).toBe(1_000)
    expect((await post('FREQ=DAILY;COUNT=1001', daily)).status).toBe(400)
  })

  it('is refused together with other wrong fields', async () => {
    const { body } = await post('FREQ=DAILY;COUNT=1;UNTIL=20270101', { website: 'x y', scope: 'some' })
    expect(Object.keys(body.data.params).sort()).toEqual(['recurrence', 'scope', 'website'])
  })

  it('changes nothing if it is refused', async () => {
    const { id } = await makeWeekly(as)
    const { status, body } = await patch(as, id, { title: 'New', recurrence: 'FREQ=SECONDLY' })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['recurrence']])
    expect(await countRows(`events WHERE title = 'Yoga' AND ${inSeriesOf(id)}`)).toBe(5)
  })

  it('does not end before it starts', async () => {
    const { id } = await makeWeekly(as)
    const { status, body } = await patch(as, id, { end_date: '2027-01-05 19:00:00', scope: 'all' })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['end_date']])
  })
})

it.each([
  ['FREQ=DAILY;COUNT=3;BYMINUTE=0;BYSECOND=0', 'FREQ=DAILY;COUNT=3'],
  ['FREQ=DAILY;COUNT=3;BYHOUR=20;BYMINUTE=00', 'FREQ=DAILY;COUNT=3'],
])('the minute of the start in a rule adds nothing: %s', async (rrule, stored) => {
  const { status, body, text } = await post(rrule)
  expect([status, body.series?.recurrence.rrule], text).toEqual([201, stored])
  const moved = { start_date: '2027-01-05 20:15', end_date: '2027-01-05 21:00', scope: 'all' }
  expect((await patch(as, body.id, { ...moved, recurrence: 'FREQ=DAILY;COUNT=3;BYMINUTE=15' })).status).toBe(
    200,
  )
})

describe('a recurrence in the form that The Events Calendar Pro stores', () => {
  const FORMS = [
    { type: 'weekly', end_type: 'never' },
    { rules: [{ type: 'Weekly', 'end-type': 'After', 'end-count': 3 }], exclusions: [] },
    { rules: [] },
    { 'end-type': 'On', end: '2027-12-31' },
  ]

  it.each(FORMS)('is ignored and named: %j', async recurrence => {
    const { status, headers, body } = await post(recurrence)
    expect([status, headers.get('x-ignored-fields')]).toEqual([201, 'recurrence'])
    expect(body).not.toHaveProperty('series')
    const { id } = await makeWeekly(as)
    const changed = await patch(as, id, { recurrence, cost: '$4' })
    expect([changed.status, changed.headers.get('x-ignored-fields')]).toEqual([200, 'recurrence'])
    expect(await countRows(`events WHERE status = 'publish' AND ${inSeriesOf(id)}`)).toBe(5)
  })

  it('is ignored in a form as well', async () => {
    const { start_date, end_date } = WEEKLY
    const form = { title: 'Form', start_date, end_date, 'recurrence[rules][0][type]': 'Weekly' }
    const { status, headers } = await send('POST', '/events', { as, body: new URLSearchParams(form) })
    expect([status, headers.get('x-ignored-fields')]).toEqual([201, 'recurrence'])
  })
})

describe('rules that cost much', () => {
  it.each([
    'FREQ=DAILY;INTERVAL=23;BYDAY=MO;BYMONTHDAY=29;BYMONTH=2',
    'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31;BYSETPOS=3',
    'FREQ=DAILY;INTERVAL=99999999',
    'FREQ=YEARLY;INTERVAL=999999999',
    'FREQ=WEEKLY;BYDAY=MO;BYMONTH=2;BYSETPOS=5',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=999',
    'FREQ=HOURLY;BYYEARDAY=366;BYHOUR=25',
  ])('are taken or refused with a reason: %s', async rule => {
    for (const start_date of ['2027-01-05 20:00:00', '0001-01-01 00:00:00', '1990-02-28 23:59:59']) {
      const fields = { start_date, end_date: start_date }
      const { status, body } = await post(rule, fields)
      expect([201, 400], JSON.stringify(body)).toContain(status)
      if (status === 400) expect(Object.keys(body.data.params), JSON.stringify(body)).toEqual(['recurrence'])
    }
  })
})
