import { describe, expect, it } from 'vitest'
import { type Answer, send } from '../factories.ts'
import { everyRole } from './people.ts'
import { badNames, create, least, type Plural } from './requests.ts'

// Dates at both ends of the years 0001 to 9999 are stored as they were given, or refused with 400. They never
// become the present or a default, and are never dropped.

const people = everyRole()

const as = () => people.administrator.as

/** Sends many in one request, each of them a write of its own. */
async function postAll(
  plural: Plural,
  bodies: readonly object[],
): Promise<Pick<Answer, 'status' | 'body'>[]> {
  const requests = bodies.map(body => ({ path: `/${plural}`, body }))
  const { status, body } = await send('POST', '/batch', { as: as(), json: { requests } })
  expect([status, body.responses?.length]).toEqual([207, bodies.length])
  return body.responses
}

const ZONES = ['UTC', 'UTC+14', 'UTC-12', 'Europe/Berlin']

const ENDS = [
  '0001-01-01',
  '0001-01-01 00:00:00',
  '0001-01-01 13:59:59',
  '9999-12-31',
  '9999-12-31 00:00:00',
  '9999-12-31 23:00',
  '9999-12-31 23:59:59',
  '9999-12-30 23:59:59',
  '1883-11-18 12:00:00',
  '1500-02-28 10:00:00',
]

/** What can't be a date of four digits, whatever the zone. */
const BEYOND = [
  '0000-01-01',
  '0000-12-31 23:59:59',
  '10000-01-01',
  '-0001-01-01',
  '+010000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '0001-01-01T00:00:00+14:00',
  '253402300800',
  '-62135596801',
  '99999999999999',
  '-99999 months',
  '+999999999999 seconds',
  '9999-12-32',
  '2027-02-30',
  '2027-00-10',
  '20270010',
  '00/10/2027 3:00 pm',
  '10.00.2027',
  '2027-01-01 25:00',
  '2027-01-01 24:00:01',
  'NaN',
]

const FILTERS = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']

const withSeconds = (text: string): string =>
  text.length === 10 ? `${text} 00:00:00` : text.length === 16 ? `${text}:00` : text

/** True if a wall time is an instant of the years 0001 to 9999 in every zone. */
const isHarmless = (date: string): boolean => date > '0001-01-02' && date < '9999-12-30 23:59:60'

describe.each(ZONES)('an event in the zone %s', timezone => {
  it('keeps its start and its end, or is refused for them', async () => {
    const wrong: string[] = []
    const kept = new Map<number, { told: string; start: string; end: string }>()
    const tried = ENDS.flatMap(date => [
      { date, allDay: false, fields: { start_date: date, end_date: '9999-12-30' } },
      { date, allDay: false, fields: { start_date: '0001-01-03', end_date: date } },
      { date, allDay: true, fields: { start_date: date, end_date: date, all_day: true } },
    ])
    const outer = { ...least('events', 'At the end of time'), timezone }
    const events = tried.map(({ fields }) => ({ ...outer, ...fields }))
    const responses = await postAll('events', events)
    for (const [i, { date, allDay, fields }] of tried.entries()) {
      const { status = 0, body = {} } = responses[i] ?? {}
      const told = `${JSON.stringify(fields)} → ${status} ${body.start_date} – ${body.end_date}`
      if (fields.end_date < fields.start_date) {
        if (status !== 400) wrong.push(told)
      } else if (status === 400) {
        // What is an instant of four digits in any zone gives no reason to refuse it.
        const reason = !isHarmless(date) || allDay
        if (!reason || !badNames({ body }).some(name => /^(start|end)_date$/.test(name))) wrong.push(told)
      } else {
        const start = allDay ? `${date.slice(0, 10)} 00:00:00` : withSeconds(fields.start_date)
        const end = allDay ? `${date.slice(0, 10)} 23:59:59` : withSeconds(fields.end_date)
        if (status !== 201 || body.start_date !== start || body.end_date !== end) wrong.push(told)
        kept.set(body.id, { told, start, end })
      }
    }
    const all = 'start_date=0001-01-01&end_date=9999-12-31&per_page=50'
    const { body } = await send('GET', `/events?${all}&include=${[...kept.keys()]}`)
    expect(body.total).toBe(kept.size)
    for (const { id, start_date, end_date } of body.events) {
      const { told = '', start, end } = kept.get(id) ?? {}
      if (start_date !== start || end_date !== end) wrong.push(`${told}, read as ${start_date} – ${end_date}`)
    }
    expect(wrong).toEqual([])
  })

  it('is moved to either end by an update, or the update is refused', async () => {
    const event = await create(as(), 'events', { ...least('events', 'Movable'), timezone })
    for (const [name, date] of [
      ['end_date', '9999-12-31 23:00'],
      ['end_date', '9999-12-31 23:59:59'],
      ['start_date', '0001-01-01 00:00:00'],
      ['start_date', '0001-01-01 12:00:00'],
    ] as const) {
      const response = await send('PATCH', `/events/${event.id}`, { as: as(), json: { [name]: date } })
      if (response.status === 400) expect(badNames(response), date).toEqual([name])
      else expect([response.status, response.body[name]]).toEqual([200, withSeconds(date)])
    }
    const moved = await create(as(), 'events', {
      ...least('events', 'In UTC'),
      timezone: 'UTC',
      start_date: '0001-01-01',
      end_date: '9999-12-31 23:59:59',
    })
    const response = await send('PATCH', `/events/${moved.id}`, { as: as(), json: { timezone } })
    if (response.status === 400) expect(badNames(response).length).toBeGreaterThan(0)
    else
      expect(response).toMatchObject({
        status: 200,
        body: { start_date: '0001-01-01 00:00:00', end_date: '9999-12-31 23:59:59' },
      })
    expect((await send('GET', '/events?start_date=0001-01-01&end_date=9999-12-31')).status).toBe(200)
  })
})

describe('«never» as people write it', () => {
  it.each([
    ['9999-12-31', 'UTC'],
    ['9999-12-31 23:59', 'UTC'],
    ['9999-12-31 23:59:59', 'UTC'],
    ['9999-12-31 23:59:59', 'UTC-12'],
    ['9999-12-31 23:59:59', 'America/New_York'],
    ['9999-12-31 23:59:59', 'Europe/Berlin'],
  ])('%s is an end that works in %s, and is found', async (end_date, timezone) => {
    const fields = { ...least('events', `For ever ${end_date}`), timezone, end_date }
    const event = await create(as(), 'events', fields)
    expect(event.end_date).toBe(withSeconds(end_date))
    for (const query of [
      'ends_after=now',
      'end_date=9999-12-31',
      'ends_after=9999-01-01',
      'start_date=2027-01-10&end_date=9999-12-31 23:59:59',
    ])
      expect((await send('GET', `/events?${query}&include=${event.id}`)).body.total, query).toBe(1)
  })
})

describe.each([
  ['events', ENDS],
  // One code reads the dates of all three.
  ['venues', ENDS.slice(-2)],
  ['organizers', ENDS.slice(-2)],
] as const)('a publication date of %s', (plural, ends) => {
  it.each(['date', 'date_utc'])('by %s is kept, or refused', async name => {
    for (const date of [
      ...ends,
      '9999-12-31T23:00:00-05:00',
      '0001-01-01T00:00:00+14:00',
      '9999-12-31 23:00 America/New_York',
    ]) {
      const json = { ...least(plural, `Dated ${name} ${date}`), [name]: date }
      const response = await send('POST', `/${plural}`, { as: as(), json })
      if (response.status === 400) {
        expect(badNames(response), date).toEqual([name])
        continue
      }
      expect(response.body[name], date).toEqual(withSeconds(date))
      expect(response.body.status, date).toEqual(date > '2027' ? 'future' : 'publish')
    }
  })

  it('is never the present instead of one that cannot be', async () => {
    for (const name of ['date', 'date_utc']) {
      const bodies = BEYOND.map(date => ({ ...least(plural, 'Beyond'), [name]: date }))
      const refused = (await postAll(plural, bodies)).map(badNames)
      expect(refused).toEqual(BEYOND.map(() => [name]))
    }
  })
})

describe('dates beyond four digits', () => {
  it('are refused in every field', async () => {
    const bodies = BEYOND.map(date => ({ ...least('events', 'Beyond'), start_date: date, end_date: date }))
    const refused = (await postAll('events', bodies)).map(response => badNames(response).sort())
    expect(refused).toEqual(BEYOND.map(() => ['end_date', 'start_date']))
  })

  it('are refused in every filter', async () => {
    for (const date of BEYOND) {
      const query = new URLSearchParams(FILTERS.map(name => [name, date]))
      const response = await send('GET', `/events?${query}`)
      expect([response.status, badNames(response).sort()], date).toEqual([400, [...FILTERS].sort()])
    }
  })
})

describe('filters by date', () => {
  it.each(FILTERS)('of %s at either end are honoured or refused, and never fail', async name => {
    const before = ['end_date', 'starts_before', 'ends_before'].includes(name)
    await create(as(), 'events', { ...least('events', 'Filtered') })
    for (const [i, date] of ENDS.filter(date => date < '0002' || date > '9999').entries()) {
      const query = new URLSearchParams({ [name]: date, strict_dates: String(i % 2), search: 'filtered' })
      // Of two bounds, only the one that is absent has a default: the other side must be open too.
      if (name === 'start_date') query.set('end_date', '9999-12-31')
      if (name === 'end_date') query.set('start_date', '0001-01-01')
      const response = await send('GET', `/events?${query}`)
      if (response.status === 400) expect(badNames(response), `${query}`).toContain(name)
      else {
        const all = date > '9' === before
        expect([response.status, response.body.total > 0], `${query}`).toEqual([200, all])
      }
    }
  })
})
