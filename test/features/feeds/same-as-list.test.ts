import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, declareUser, makeEvent, query, send } from '../../factories.ts'
import { asShown, expanded } from './expand.ts'

// A feed shows exactly what the list with the same filters shows, to a parser that shares no code with it.

const admin = declareUser('administrator', 'admin')
/** What is on in this window is in feeds without dates. */
const FEED_START = '2026-08-22'
const FEED_END = '2028-11-20'
const FIELDS = '&_fields=title,url,all_day,start_date,end_date,utc_start_date,utc_end_date'

/** All events of the list with some filters, in the window of feeds. */
async function listEvents(query: string): Promise<Answer['body'][]> {
  const found: Answer['body'][] = []
  const end = query.includes('end_date') ? '..' : FEED_END
  const window = /start_date|starts_|ends_|happening|include/.test(query)
    ? ''
    : `&happening=${FEED_START}/${end}`
  for (let page = 1; ; page++) {
    const { status, body } = await send('GET', `/events?${query}&per_page=100${window}&page=${page}${FIELDS}`)
    expect(status, JSON.stringify(body)).toBe(200)
    found.push(...body.events)
    if (!body.next_rest_url) return found
  }
}

const sorted = (shown: { start: string; end: string; title: string }[]) =>
  shown.map(({ start, end, title }) => `${start} ${end} ${title}`).sort()

const ZONES = [
  'Europe/Rome',
  'America/New_York',
  'UTC',
  'UTC+3',
  'UTC+5.5',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
]
const RULES = [
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=MONTHLY;BYMONTHDAY=31',
  'FREQ=DAILY;COUNT=9',
  'FREQ=DAILY;INTERVAL=5;UNTIL=20270501',
  'FREQ=YEARLY;BYMONTH=3,10;BYDAY=SU',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2',
]

const pick = <T>(from: readonly T[]) => fc.nat(from.length - 1).map(i => from[i] as T) // One of them.

const arbitraryEvent = fc.record({
  day: fc.integer({ min: 0, max: 500 }),
  hour: fc.integer({ min: 0, max: 23 }),
  hours: pick([0, 1, 3, 10, 30]),
  zone: pick(ZONES),
  all_day: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
  rule: fc.option(pick(RULES), { nil: undefined }),
  rdate: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 2 }),
  category: pick(['Music', 'Film', '']),
})

const dayAfter = (day: number) =>
  new Date(Date.UTC(2026, 8, 20) + day * 86_400_000).toISOString().slice(0, 10)

async function batch(requests: object[]): Promise<{ status: number }[]> {
  const { body } = await send('POST', '/batch', { as: admin, json: { requests } })
  return body.responses
}

beforeAll(async () => {
  const some = fc.sample(arbitraryEvent, { numRuns: 30, seed: 7 })
  const events = some.map(({ day, hour, hours, zone, all_day, rule, rdate, category }, n) => {
    const start = `${dayAfter(day)} ${String(hour).padStart(2, '0')}:30:00`
    const end = new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + hours * 3_600_000).toISOString()
    return {
      title: `Event ${n}, "ü"; \\ & <b>x</b>`,
      start_date: start,
      end_date: end.slice(0, 19).replace('T', ' '),
      timezone: zone,
      all_day,
      categories: category === '' ? [] : [category],
      venue: [{ venue: 'Hall', geo_lat: 53.2, geo_lng: -9.05 }, { venue: 'Barn' }, []][n % 3],
      ...(rule && { recurrence: { rrule: rule, rdate: rdate.map(day => `${dayAfter(day)} 11:00:00`) } }),
    }
  })
  // Some rules never meet their start's zone or day; those are of no interest here.
  await batch(events.map(body => ({ path: '/events', body })))
  const results = await query<{ id: number; series_id: number; start_date: string }>(
    'SELECT id, series_id, start_date FROM events WHERE series_id NOT NULL ORDER BY start_date',
  )
  const series = Map.groupBy(results, event => event.series_id)
  expect(series.size).toBeGreaterThan(10)
  const changes = [...series.values()].flatMap(([, second, third, fourth, fifth], n) => {
    const change = (event: { id: number } | undefined, body: object, method = 'PATCH') =>
      event ? [{ method, path: `/events/${event.id}`, body }] : []
    return [
      ...(n % 2 === 0 ? change(second, { title: `Another ${n}`, categories: ['Film'] }) : []),
      ...(n % 3 === 0 ? change(third, {}, 'DELETE') : []),
      ...(n % 3 === 1 ? change(fourth, { end_date: `${fourth?.start_date.slice(0, 10)} 23:59:59` }) : []),
      ...(n % 4 === 1 ? change(fifth, { event_status: 'canceled' }) : []),
    ]
  })
  for (const { status } of await batch(changes)) expect(status).toBe(200)
  await makeEvent(admin, { title: 'Moved', recurrence: 'FREQ=WEEKLY;COUNT=5', timezone: 'Europe/Rome' })
  const moved = await send('GET', '/events?search=moved')
  const [, one] = moved.body.events
  await send('PATCH', `/events/${one.id}`, {
    as: admin,
    json: { start_date: '2027-02-01 20:00', end_date: '2027-02-01 21:00', timezone: 'Asia/Tokyo' },
  })
})

describe('a calendar shows what the list shows', () => {
  it.each([
    '',
    'categories=music',
    'categories=film',
    'categories=film&search=another',
    'start_date=2027-03-01&end_date=2027-04-30',
    'start_date=2027-01-01',
    'end_date=2027-01-31',
    'ends_before=2026-11-20',
    'starts_after=2027-06-01&starts_before=2027-06-30',
    'event_status=canceled',
    'event_status=scheduled&categories=film',
    'happening=now',
    'happening=2027-02-01/2027-02-20',
    'search=another',
    'search=moved',
    // The only date there is one with times of its own.
    'search=moved&start_date=2027-02-01&end_date=2027-02-02',
    'venue=1',
    'include=1,5,9,12,20,31',
    'is_virtual=0',
    'is_free=0',
    'series=3',
    'geoloc=false&categories=music',
    // Statements with the totals of several targets are the deepest.
    'categories=music,film',
    'venue=1,2',
    'geoloc_lat=53.2&geoloc_lng=-9.05&geoloc_radius=10',
    'bbox=-10,50,10,60',
    'search=another&search_in=all',
    'place=hall',
    'categories=music,film&search=another&search_in=all&bbox=-10,50,10,60&is_free=0&is_virtual=0',
  ])('with the filters %s', async query => {
    const { status, text } = await send('GET', `/events.ics?${query}`)
    expect(status, text).toBe(200)
    const shown = expanded(text).filter(({ title }) => title !== '')
    const list = await listEvents(query)
    expect(sorted(shown)).toEqual(sorted(list.map(asShown)))
    if (!/20$/.test(query)) expect(list.length).toBeGreaterThan(0)
  })

  it.each(['', 'categories=film', 'start_date=2027-03-01&end_date=2027-04-30'])(
    'and so do RSS and JSON Feed, with the filters %s',
    async query => {
      const titles = (await listEvents(query)).map(event => `${event.title} ${event.url}`).sort()
      const feed = JSON.parse((await send('GET', `/events.feed.json?${query}`)).text)
      expect(
        feed.items
          .map((item: Answer['body']) =>
            `${item.title.replace(/^(?:Cancelled|Postponed|New date): /, '')} ${item.url}`.replaceAll(
              '<',
              '&lt;',
            ),
          )
          .sort(),
      ).toEqual(titles.map(title => title.replaceAll('<', '&lt;')))
      const rss = (await send('GET', `/events.rss?${query}`)).text
      expect(rss.match(/<item>/g)?.length ?? 0).toBe(titles.length)
      const [, ...rows] = parse((await send('GET', `/events.csv?${query}`)).text, { bom: true })
      expect(rows).toHaveLength(titles.length)
    },
  )
})
