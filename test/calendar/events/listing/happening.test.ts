import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeEvent, makeUser } from '../../../factories.ts'
import { sendTo } from '../../../request.ts'
import { TODAY } from '../../../setup.ts'

// It is Friday noon in UTC: four in the morning in Los Angeles, and two on Saturday morning in Kiritimati
// (UTC+14).

const EVENTS: Record<string, [start: string, end: string]> = {
  'over at noon': ['2026-11-20 10:00:00', '2026-11-20 12:00:00'],
  'over a second later': ['2026-11-20 10:00:00', '2026-11-20 12:00:01'],
  'at noon, without length': ['2026-11-20 12:00:00', '2026-11-20 12:00:00'],
  'from noon': ['2026-11-20 12:00:00', '2026-11-20 14:00:00'],
  'Saturday in UTC': ['2026-11-21 00:00:00', '2026-11-21 23:59:59'],
  'Sunday night': ['2026-11-22 23:00:00', '2026-11-23 01:00:00'],
  'Monday at once': ['2026-11-23 00:00:00', '2026-11-23 00:00:00'],
  'all of the autumn': ['2026-09-01 00:00:00', '2026-12-20 00:00:00'],
  'in three years': ['2029-11-20 12:00:00', '2029-11-20 13:00:00'],
}

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  for (const [title, [start_date, end_date]] of Object.entries(EVENTS))
    await makeEvent(admin, { title, start_date, end_date, timezone: 'UTC' })
})

type List = { events: { title: string }[]; next_rest_url?: string; total: number }

async function list(zone: string, query: Record<string, string>): Promise<List> {
  const response = await sendTo({ TIMEZONE: zone }, `/events?${new URLSearchParams(query)}`)
  expect(response.status).toBe(200)
  return response.json()
}

async function on(zone: string, happening: string, more: Record<string, string> = {}): Promise<string[]> {
  const { events, total } = await list(zone, { happening, per_page: '50', orderby: 'id', ...more })
  expect(total).toBe(events.length)
  return events.map(({ title }) => title)
}

const LATER = ['Saturday in UTC', 'Sunday night', 'Monday at once', 'all of the autumn', 'in three years']

describe('happening', () => {
  it.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC+5.5'])(
    'now is the same moment in %s: an event that ends at it is over, one without a length at it is on',
    async zone => {
      const now = ['over a second later', 'at noon, without length', 'from noon', ...LATER]
      expect(await on(zone, 'now')).toEqual(now)
      expect(await on(zone, '2026-11-20T12:00:00Z/..')).toEqual(now)
    },
  )

  it('a day is one of the site’s zone', async () => {
    expect(await on('UTC', '2026-11-21')).toEqual(['Saturday in UTC', 'all of the autumn'])
    const aroundNoon = ['over at noon', 'over a second later', 'at noon, without length', 'from noon']
    const fromNoon = [...aroundNoon, 'Saturday in UTC', 'all of the autumn']
    // From 08:00 on Saturday to 08:00 on Sunday, UTC.
    expect(await on('America/Los_Angeles', '2026-11-21')).toEqual(['Saturday in UTC', 'all of the autumn'])
    expect(await on('America/Los_Angeles', '2026-11-20')).toEqual(fromNoon)
    // From 10:00 on Friday to 10:00 on Saturday, UTC.
    expect(await on('Pacific/Kiritimati', '2026-11-21')).toEqual(fromNoon)
  })

  it('a part of a day is the whole day, and an hour is one', async () => {
    expect(await on('UTC', 'tonight')).toEqual(await on('UTC', 'today'))
    expect(await on('UTC', 'today 13:00/today 23:59')).toEqual(['from noon', 'all of the autumn'])
  })

  it('an interval excludes events that end as it begins, and events that begin as it ends', async () => {
    const between = (from: string, to: string) => on('America/Los_Angeles', `${from}/${to}`)
    expect(await between('2026-11-20T12:00:00Z', '2026-11-20T13:00:00Z')).toEqual([
      'over a second later',
      'at noon, without length',
      'from noon',
      'all of the autumn',
    ])
    expect(await between('2026-11-20T11:00:00Z', '2026-11-20T12:00:00Z')).toEqual([
      'over at noon',
      'over a second later',
      'all of the autumn',
    ])
    expect(await between('2026-11-23T00:00:00Z', '2026-11-23T02:00:00Z')).toEqual([
      'Sunday night',
      'Monday at once',
      'all of the autumn',
    ])
  })

  it('the last day of an interval belongs to it', async () => {
    expect(await on('UTC', '2026-11-21/2026-11-22')).toEqual([
      'Saturday in UTC',
      'Sunday night',
      'all of the autumn',
    ])
  })

  it.each([
    ['today', '2026-11-20'],
    ['Tomorrow', '2026-11-21'],
    ['sunday', '2026-11-22'],
    ['November 23, 2026', '2026-11-23'],
    ['23.11.2026', '2026-11-23'],
    ['saturday this week/sunday this week', '2026-11-21/2026-11-22'],
    ['next month', '2026-12-01/2026-12-31'],
    ['today/tomorrow', '2026-11-20/2026-11-21'],
    ['today/2026-11-20 12:30', '2026-11-20/2026-11-20 12:30:00'],
  ])('%s means %s', async (words, dates) => {
    for (const zone of ['UTC', 'America/Los_Angeles'])
      expect(await on(zone, words)).toEqual(await on(zone, dates))
  })

  it.each(['2026-11-20 15:00', 'noon', '1795176000', '..', '../2026-11-20', '2026-11-21/2026-11-20', 'a/b'])(
    '%s is refused, for it names neither a day nor an interval',
    async happening => {
      const response = await sendTo({}, `/events?${new URLSearchParams({ happening })}`)
      expect(response.status).toBe(400)
      expect(((await response.json()) as { message: string }).message).toContain(
        'happening: must be now, a date',
      )
    },
  )

  it('other bounds narrow it, also for events without a length', async () => {
    expect(
      await on('UTC', '2026-11-20T12:00:00Z/..', { ends_after: '2026-11-20 12:00:00', strict_dates: '1' }),
    ).toEqual(['over a second later', 'from noon', ...LATER])
  })

  it('pages go on from the moment at which the first was read', async () => {
    let { events, next_rest_url: next } = await list('Europe/Berlin', { happening: 'now', per_page: '2' })
    const titles = events.map(({ title }) => title)
    while (next !== undefined) {
      vi.setSystemTime(Date.now() + 3_600_000)
      expect(new URL(next).searchParams.get('happening')).toBe('2026-11-20T12:00:00Z/..')
      const response = await sendTo({ TIMEZONE: 'Europe/Berlin' }, next)
      ;({ events, next_rest_url: next } = (await response.json()) as List)
      titles.push(...events.map(({ title }) => title))
    }
    vi.setSystemTime(TODAY)
    expect(titles).toHaveLength(8)
    expect(new Set(titles).size).toBe(8)
  })
})
