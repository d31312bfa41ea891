import { describe, expect, it } from 'vitest'
import { queryValue, send, user } from '../../../factories.ts'
import { inSeriesOf, makeWeekly, patch, WEEKLY } from './calendar.ts'

// Recurrences as The Events Calendar Pro stores them, which its clients send.

const as = user('editor')

const post = (recurrence: unknown) => send('POST', '/events', { as, json: { ...WEEKLY, recurrence } })
const custom = (type: string, parts: object, rest: object = {}) => ({
  rules: [
    {
      type: 'Custom',
      custom: { type, interval: 1, 'same-time': 'yes', ...parts },
      'end-type': 'Never',
      ...rest,
    },
  ],
  exclusions: [],
})

const UNDERSTOOD: [recurrence: unknown, rrule: string, dates?: { rdate?: string[]; exdate?: string[] }][] = [
  [{ type: 'weekly', end_type: 'never' }, 'FREQ=WEEKLY'],
  [{ type: 'Every Week', 'end-type': 'After', 'end-count': '4' }, 'FREQ=WEEKLY;COUNT=4'],
  [
    { type: 'daily', interval: 2, endType: 'On', end: '2027-01-31' },
    'FREQ=DAILY;INTERVAL=2;UNTIL=20270131T235959',
  ],
  [
    { rules: [{ type: 'Monthly' }], 'end-type': 'On', end: '2027-12-31' },
    'FREQ=MONTHLY;UNTIL=20271231T235959',
  ],
  [{ rules: [{ type: 'yearly', 'end-type': 'Never' }] }, 'FREQ=YEARLY'],
  [
    { type: 'weekly', days: ['monday', 'WED', 5], end_type: 'after', end_count: 6 },
    'FREQ=WEEKLY;COUNT=6;BYDAY=MO,WE,FR',
  ],
  [custom('Weekly', { interval: 2, week: { day: ['2', '7'] } }), 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU'],
  [custom('Weekly', { week: { day: { 0: '2', 2: '4' } } }), 'FREQ=WEEKLY;BYDAY=TU,TH'],
  [custom('Weekly', { day: { 'same-time': 'yes' }, week: { day: '2' } }), 'FREQ=WEEKLY;BYDAY=TU'],
  [custom('Daily', {}), 'FREQ=DAILY'],
  [custom('Monthly', { month: { 'same-day': 'yes', number: 'Last', day: 1 } }), 'FREQ=MONTHLY'],
  [custom('Monthly', { month: { number: 'First', day: '2' } }), 'FREQ=MONTHLY;BYDAY=1TU'],
  [custom('Monthly', { month: { number: 'Last', day: 8 } }), 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  [custom('Monthly', { month: { number: '15' } }), 'FREQ=MONTHLY;BYMONTHDAY=15'],
  [custom('Monthly', { month: { 'same-day': 'no', number: '15', day: '1' } }), 'FREQ=MONTHLY;BYMONTHDAY=15'],
  [custom('Monthly', { month: { 'same-day': 'no', number: 2, day: 'FRIDAY' } }), 'FREQ=MONTHLY;BYDAY=2FR'],
  [custom('Monthly', { month: { number: '-1', day: 'Sun' } }), 'FREQ=MONTHLY;BYDAY=-1SU'],
  [
    custom('Yearly', { year: { month: ['3'], 'same-day': 'no', number: '1', day: 'monday' } }),
    'FREQ=YEARLY;BYMONTH=3;BYDAY=1MO',
  ],
  [custom('Yearly', { year: { month: ['1', '6'], 'same-day': 'yes' } }), 'FREQ=YEARLY;BYMONTH=1,6'],
  [custom('Yearly', { year: { month: '6', number: 'Second', day: 6 } }), 'FREQ=YEARLY;BYMONTH=6;BYDAY=2SA'],
  [
    custom('Yearly', { year: { month: ['6'], filter: '0', 'month-number': 'First', 'month-day': '1' } }),
    'FREQ=YEARLY;BYMONTH=6',
  ],
  [
    custom('Yearly', { year: { month: ['6'], filter: '1', 'month-number': 'First', 'month-day': '1' } }),
    'FREQ=YEARLY;BYMONTH=6;BYDAY=1MO',
  ],
  [
    { rules: [{ type: 'Date', custom: { date: { date: '2027-03-01' } } }] },
    '',
    { rdate: ['2027-03-01 20:00:00'] },
  ],
  [
    {
      rules: [
        { type: 'Weekly', 'end-type': 'After', 'end-count': 3 },
        { type: 'Custom', custom: { type: 'Date', date: { date: '2027-03-01' } } },
      ],
      exclusions: [{ type: 'Custom', custom: { type: 'Date', date: { date: '2027-01-12' } } }, '2027-01-13'],
      description: null,
    },
    'FREQ=WEEKLY;COUNT=3',
    { rdate: ['2027-03-01 20:00:00'], exdate: ['2027-01-12 20:00:00', '2027-01-13 20:00:00'] },
  ],
]

const NOT_UNDERSTOOD: unknown[] = [
  { type: 'lunar' },
  { type: 'weekly', interval: 0 },
  { type: 'weekly', days: ['someday'] },
  { type: 'weekly', days: ['m'] },
  custom('Monthly', { month: { 'same-day': 'no', number: 2, day: 'FRIDOY' } }),
  { type: 'weekly', end_type: 'on' },
  { type: 'weekly', end_type: 'on', end: 'tomorrow' },
  { type: 'weekly', end_type: 'after' },
  { type: 'weekly', end_type: 'whenever' },
  { type: 'constructor' },
  { rules: [{ type: 'weekly' }, { type: 'daily' }] },
  { rules: [{ type: 'weekly' }], exclusions: [{ type: 'Custom', custom: { type: 'Weekly' } }] },
  { rules: Array.from({ length: 2_000 }, () => ({ type: 'Date', date: '2027-03-01' })) },
  custom('Weekly', { 'same-time': 'no', 'start-time': '3pm' }),
  custom('Monthly', { month: { number: 'Sixth', day: 1 } }),
  custom('Monthly', { month: { number: '40' } }),
  custom('Yearly', { year: { month: ['13'] } }),
  custom('Monthly', { month: { number: '1', day: '1', week: '3' } }),
  custom('Yearly', { year: { month: ['3'], weekno: '9' } }),
  custom('Weekly', { week: { day: ['2'], every: 'second' } }),
  { type: { a: 1 }, rules: [{ type: 'Custom' }] },
]

describe('a recurrence in the form of the WordPress plugin', () => {
  it.each(UNDERSTOOD)(
    '%j becomes a rule: %s',
    async (recurrence, rrule, { rdate = [], exdate = [] } = {}) => {
      const { status, headers, body, text } = await post(recurrence)
      expect(status, text).toBe(201)
      expect(headers.get('x-ignored-fields')).toBeNull()
      const parts = (rule: string) =>
        rule
          .split(';')
          .filter(part => part !== 'INTERVAL=1')
          .sort()
      expect(parts(body.series.recurrence.rrule)).toEqual(parts(rrule))
      expect(body.series.recurrence).toMatchObject({ rdate, exdate })
    },
  )

  it.each(NOT_UNDERSTOOD)(
    'without an equivalent rule makes a single event, and the response names it: %j',
    async recurrence => {
      const { status, headers, body, text } = await post(recurrence)
      expect(status, text).toBe(201)
      expect(headers.get('x-ignored-fields')).toBe('recurrence')
      expect(body).not.toHaveProperty('series')
      const address = `/events/by-external-id/${NOT_UNDERSTOOD.indexOf(recurrence)}`
      const external = await send('PUT', address, { as, json: { ...WEEKLY, recurrence } })
      expect([external.status, external.headers.get('x-ignored-fields')]).toEqual([201, 'recurrence'])
    },
  )

  it.each([
    { rules: [] },
    { rules: [], exclusions: [], description: null },
    { type: 'None' },
    { rules: [{ type: 'None' }] },
  ])('without a rule is none: %j', async recurrence => {
    const { status, headers, body } = await post(recurrence)
    expect([status, headers.get('x-ignored-fields')]).toEqual([201, null])
    expect(body).not.toHaveProperty('series')
  })

  it('is understood in a form', async () => {
    const form = new URLSearchParams({
      title: 'Form',
      start_date: WEEKLY.start_date,
      end_date: WEEKLY.end_date,
      'recurrence[rules][0][type]': 'Weekly',
      'recurrence[rules][0][end-type]': 'After',
      'recurrence[rules][0][end-count]': '3',
    })
    const { status, body, text } = await send('POST', '/events', { as, body: form })
    expect(status, text).toBe(201)
    expect(body.series.recurrence.rrule).toBe('FREQ=WEEKLY;COUNT=3')
  })

  it('without an equivalent rule leaves a series as it is', async () => {
    const { id } = await makeWeekly(as)
    const { status, headers } = await patch(as, id, { recurrence: { type: 'lunar' } })
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'recurrence'])
    expect(
      await queryValue(
        `SELECT count(*) FROM events WHERE status = 'publish' AND detached = '[]' AND ${inSeriesOf(id)}`,
      ),
    ).toBe(5)
  })

  it('is refused with its reason where its dates are too many, or none', async () => {
    const never = await post({ type: 'daily', end_type: 'on', end: '2020-01-01' })
    expect([never.status, Object.keys(never.body.data.params)]).toEqual([400, ['recurrence']])
  })
})
