import { expect, it } from 'vitest'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { WORKER_LIMITS } from '../../../src/readers/ics/limits.ts'
import { CONTEXT, WINDOW } from '../database.ts'
import { calendar, eventsOf, itemsOf, seriesOf } from '../ics-calendar.ts'

/** Reasons why events of a calendar were left out. */
const labelledFailures = async (...events: string[][]) =>
  (await itemsOf(calendar(events))).flatMap(item =>
    item.type === 'failed' ? [`${item.what}: ${item.reason}`] : [],
  )

const event = (uid: string, ...lines: string[]) => [`UID:${uid}`, 'DTSTART:20270101T100000Z', ...lines]

it.each([
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'matches no date'],
  ['FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31', 'FREQ: HOURLY is too often'],
  ['FREQ=MINUTELY;BYMONTH=4;BYMONTHDAY=31;INTERVAL=60', 'FREQ: MINUTELY is too often'],
  ['FREQ=DAILY;BYHOUR=9,17;BYMONTH=2;BYMONTHDAY=30', 'matches no date'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYYEARDAY=1', 'matches no date'],
  ['FREQ=YEARLY;BYYEARDAY=366;BYMONTH=11', 'matches no date'],
  ['FREQ=YEARLY;BYDAY=20MO;BYMONTHDAY=1;BYSETPOS=2', 'matches no date'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO', 'BYDAY: numbers are not allowed with BYWEEKNO'],
  ['FREQ=YEARLY;BYYEARDAY=367', 'BYYEARDAY: invalid value'],
  ['FREQ=MONTHLY;BYYEARDAY=100', 'BYYEARDAY: is not allowed with FREQ=MONTHLY'],
  ['FREQ=DAILY;BYHOUR=9,17;BYSETPOS=1', 'BYHOUR: must be that of the start'],
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3', 'matches no date'],
  ['FREQ=WEEKLY;BYMONTH=13', 'BYMONTH: invalid value'],
  ['FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4', 'matches no date'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'matches no date'],
  ['FREQ=YEARLY;BYDAY=MO;BYMONTH=4;BYMONTHDAY=31', 'matches no date'],
  ['FREQ=MONTHLY;INTERVAL=24;BYDAY=5MO', 'matches no date', '20270201'],
  ['FREQ=SECONDLY', 'occurs more than 5000 times in the period'],
  ['FREQ=MINUTELY', 'occurs more than 5000 times in the period'],
  ['FREQ=SECONDLY', 'occurs more than 5000 times in the period', '19700101'],
  ['FREQ=MINUTELY;COUNT=999999999', 'occurs more than 5000 times in the period', '19700101'],
  ['FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9;COUNT=99999', 'occurs more than 5000 times in the', '19700101'],
  ['FREQ=DAILY;INTERVAL=2147483647', 'INTERVAL: 2147483647 is not a whole number'],
])(
  'a rule that no date satisfies, or too many, is reported and skipped: %s',
  async (rule, reason, day = '20270101') => {
    const lines = ['UID:rule', `DTSTART:${day}T100000Z`, `RRULE:${rule}`]
    expect(await labelledFailures(lines)).toEqual([expect.stringMatching(new RegExp(`^rule: .*${reason}`))])
  },
)

it('an event of more than 20,000 dates is reported and skipped', async () => {
  const days = Array.from({ length: 20_001 }, (_, i) =>
    new Date(Date.UTC(2027, 0, 1) + i * 60_000).toISOString().replace(/[-:]|\.\d+/g, ''),
  )
  expect(await labelledFailures(event('dates', `RDATE:${days.join(',')}`))).toEqual([
    expect.stringContaining('20001 dates'),
  ])
  expect(
    await labelledFailures(event('lines', ...days.map(day => `EXDATE:${day}`), 'RRULE:FREQ=DAILY;COUNT=2')),
  ).toEqual([expect.stringContaining('20001 dates')])
})

it.each([
  ['whose first date is not its start keeps both', 'FREQ=WEEKLY;BYDAY=MO;COUNT=2', ['2027-01-04']],
  ['of leap days has no other days', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2', ['2028-02-29']],
])('a rule %s', async (_, rule, days) => {
  const starts = (await eventsOf(calendar([event('ruled', `RRULE:${rule}`)]))).map(({ start }) => start.utc)
  expect(starts).toEqual(['2027-01-01', ...days].map(day => `${day} 10:00:00`))
})

it('an event of nearly 5,000 occurrences is a series, and a longer one is not', async () => {
  const daily = (count: number) => [
    'UID:d',
    'SUMMARY:Daily',
    'DTSTART:20140101T100000Z',
    `RRULE:FREQ=DAILY;COUNT=${count}`,
  ]
  expect(await seriesOf(calendar([daily(5_000)]))).toHaveLength(1)
  expect(await eventsOf(calendar([daily(5_000)]))).toHaveLength(5_000)
  expect(await seriesOf(calendar([daily(5_001)]))).toHaveLength(0)
})

it('an event refers to as many organizers and categories as a request may name', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `Name ${i}`)
  const lines = [...names.map(name => `CONTACT:${name}`), `CATEGORIES:${names.join(',')}`]
  const bytes = calendar([event('crowd', ...lines)])
  const [crowd] = await eventsOf(bytes)
  expect([crowd?.organizers.length, crowd?.categories.length]).toEqual([200, 200])
  const read = (await itemsOf(bytes)).flatMap(item => (item.type === 'record' ? [item.record.kind] : []))
  expect(read).toHaveLength(401)
})

/** A zone that only the file knows. */
const zone = (name: string, ...lines: string[]) => [
  'BEGIN:VTIMEZONE',
  `TZID:${name}`,
  'BEGIN:STANDARD',
  'DTSTART:19000101T000000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0300',
  ...lines,
  'END:STANDARD',
  'END:VTIMEZONE',
]
const inZone = (name: string) => [
  `UID:${name}`,
  `DTSTART;TZID=${name}:20270101T100000`,
  `DTEND;TZID=${name}:20270101T110000`,
]

const manyTimes = Array.from({ length: 6_000 }, () => '20000101T000000').join(',')

it.each([
  ['every second', 'RRULE:FREQ=SECONDLY', 'its zone has a rule that is not read: FREQ: SECONDLY'],
  ['every day', 'RRULE:FREQ=DAILY', 'its zone has more than 5000 clock changes'],
  ['three times a day', 'RRULE:FREQ=DAILY;BYHOUR=1,2,3', 'its zone has a rule that is not read: BYHOUR'],
  ['on working days', 'RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR', 'its zone has more than 5000 clock changes'],
  ['at 6,000 times', `RDATE:${manyTimes}`, 'more than 5000'],
])('a zone that changes its clocks all the time spoils its own events only: %s', async (_, line, reason) => {
  const bytes = calendar(
    [inZone('Bad'), inZone('Good'), ['UID:fine', 'DTSTART:20270101T100000Z']],
    [...zone('Bad', line), ...zone('Good')],
  )
  const items = await itemsOf(bytes)
  expect(items.flatMap(item => (item.type === 'failed' ? [item.what, item.reason] : []))).toEqual([
    'Bad',
    expect.stringContaining(reason),
  ])
  expect((await eventsOf(bytes)).map(({ externalId, start }) => [externalId, start.utc])).toEqual([
    ['Good', '2027-01-01 07:00:00'],
    ['fine', '2027-01-01 10:00:00'],
  ])
})

it('a calendar whose own zone changes its clocks all the time keeps its events in other zones', async () => {
  const head = ['X-WR-TIMEZONE:Bad', ...zone('Bad', 'RRULE:FREQ=DAILY')]
  const bytes = calendar([inZone('Bad'), ['UID:rome', 'DTSTART;TZID=Europe/Rome:20270101T100000']], head)
  expect((await eventsOf(bytes)).map(({ externalId }) => externalId)).toEqual(['rome'])
})

it('all rules of a file are asked about so many days, and then given up', async () => {
  const costly = 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=999'
  const old = (uid: string) => [`UID:${uid}`, 'DTSTART:00010101T100000Z', `SUMMARY:${uid}`]
  const events = Array.from({ length: 60 }, (_, i) => [...old(`costly-${i}`), costly])
  const limits = { ...WORKER_LIMITS, days: 20_000_000 }
  const file = readIcs(calendar([...events, old('fine')]))
  const items = await Array.fromAsync(icsItems(file, 'ics:test', WINDOW, { ...CONTEXT, limits }))
  const reasons = items.flatMap(item => (item.type === 'failed' ? [item.reason] : []))
  expect(reasons.length).toBeGreaterThan(20)
  expect(new Set(reasons)).toEqual(
    new Set(['the recurrence rules of the file take more than 20000000 days to ask about']),
  )
  const titles = items.flatMap(item =>
    item.type === 'record' && 'title' in item.record ? [item.record.title] : [],
  )
  expect(titles).toContain('fine')
})

// What a command reads of a calendar is more than the Worker does, and ends as well.

const daily = (uid: string, count: number) => [
  `UID:${uid}`,
  'DTSTART:20160101T100000Z',
  `SUMMARY:${uid}`,
  `RRULE:FREQ=DAILY;COUNT=${count}`,
]

it('four series of 2,600 dates each are read', async () => {
  const bytes = calendar(['a', 'b', 'c', 'd'].map(uid => daily(uid, 2_600)))
  expect(await eventsOf(bytes)).toHaveLength(10_400)
  expect((await itemsOf(bytes)).filter(({ type }) => type === 'failed')).toEqual([])
})
