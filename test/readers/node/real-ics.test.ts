import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import rrule from 'rrule'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../../../src/calendar/imports/report.ts'
import type { RawRow } from '../../../src/kit/db/query.ts'
import { comparable } from '../../../src/kit/lib/likeness.ts'
import { fileItems } from '../../../src/readers/files.ts'
import { findDriftIn } from '../../derived/values.ts'
import { CONTEXT, emptyTables, importInto, makeDatabase } from '../database.ts'
import {
  durationOf,
  every,
  first,
  instant,
  type Property,
  readVevents,
  stamp,
  type Time,
  textOf,
  timesOf,
  utc,
  type Vevent,
  wallOf,
} from '../ics-reader.ts'

// Feeds of real calendars, captured by others; see SOURCES.md beside them. They are no part of the project.
const FOLDER = join(import.meta.dirname, '../../../../shared/data/ics')
const FILES = existsSync(FOLDER) ? readdirSync(FOLDER).filter(name => name.endsWith('.ics')) : []

if (FILES.length === 0) console.warn(`Skipped: there are no captured feeds in ${FOLDER}.`)

const FROM = '2005-01-01 00:00:00'
// Two years after the import, which is as far as occurrences of series exist.
const TO = '2028-11-20 12:00:00'

/** What stands in LOCATION and is no place, in the form of {@link comparable}. */
const ONLINE = ['zoom virtual meeting']

const ZONES: Record<string, string> = { 'Eastern Time (US & Canada)': 'America/New_York' }

/** The zone that a calendar says it lives in. */
const homeOf = (head: Property[]): string | undefined => {
  const name = head.find(property => property.name === 'X-WR-TIMEZONE')?.value.trim()
  return name === undefined ? undefined : (ZONES[name] ?? name)
}

const uidOf = (event: Vevent): string => textOf(first(event, 'UID'))
const isRecurring = (event: Vevent): boolean =>
  every(event, 'RRULE').length + every(event, 'RDATE').length > 0
const startOf = (event: Vevent, floating: string): Time => {
  const property = first(event, 'DTSTART')
  const [time] = property ? timesOf(property, floating) : []
  if (!time) throw new Error(`${uidOf(event)} has no start`)
  return time
}

/** Of whole days, wall times count: they are the same day everywhere. */
const key = (time: Time): string => stamp(time.isDate ? time.wall : utc(time))

/** The original starts of all occurrences in the period, by another library. */
function occurrencesOf(event: Vevent, floating: string): string[] {
  const start = startOf(event, floating)
  const set = new rrule.RRuleSet()
  const onWall = (time: Time) =>
    new Date(time.isDate || time.zone === start.zone ? time.wall : wallOf(utc(time), start.zone))
  const rules = every(event, 'RRULE').map(({ value }) => {
    // The library knows no zones: all times are by the wall clock of the start.
    const local = value.replace(/UNTIL=(\d{8})(T\d{6}Z?)?/, (_, day: string, time = '') => {
      if (time === '') return `UNTIL=${day}T235959Z`
      const [until] = timesOf({ name: '', params: '', value: day + time }, start.zone)
      const wall = until && !start.isDate ? wallOf(utc(until), start.zone) : (until?.wall ?? 0)
      return `UNTIL=${new Date(wall).toISOString().replace(/[-:]|\.\d+/g, '')}`
    })
    return new rrule.RRule({ ...rrule.RRule.parseString(local), dtstart: new Date(start.wall) })
  })
  for (const rule of rules) set.rrule(rule)
  const isOver = ({ options: { until } }: rrule.RRule) => until !== null && until.getTime() < start.wall
  if (rules.length === 0 || !rules.every(isOver)) set.rdate(new Date(start.wall))
  const times = (name: string) => every(event, name).flatMap(property => timesOf(property, floating))
  for (const time of times('RDATE')) set.rdate(onWall(time))
  for (const time of times('EXDATE')) set.exdate(onWall(time))
  const all = set.between(
    new Date(Date.parse(`${FROM}Z`) - 86_400_000),
    new Date(Date.parse(`${TO}Z`) + 86_400_000),
    true,
  )
  return all
    .map(date => stamp(start.isDate ? date.getTime() : instant(date.getTime(), start.zone)))
    .filter(at => at >= FROM && at <= TO)
}

const PYTHON = '/usr/bin/python3'
const HAS_DATEUTIL = spawnSync(PYTHON, ['-c', 'import dateutil']).status === 0

if (!HAS_DATEUTIL) console.warn('Dates are not compared with python-dateutil, which is not here.')

const DATES_SCRIPT = `
import json, sys
from datetime import datetime
from dateutil.rrule import rrulestr, rruleset
at = lambda text: datetime.strptime(text, '%Y-%m-%d %H:%M:%S')
def dates_of(given):
    dates = rruleset()
    start = at(given['start_date'])
    dates.rdate(start)
    if given['rrule']: dates.rrule(rrulestr(given['rrule'], dtstart=start))
    for date in given['rdate']: dates.rdate(at(date))
    for date in given['exdate']: dates.exdate(at(date))
    to = at(given['to'])
    found = []
    for date in dates:
        if date > to: break
        found.append(str(date))
    return found
for line in sys.stdin: print(json.dumps([dates_of(given) for given in json.loads(line)]), flush=True)`

const python = HAS_DATEUTIL
  ? spawn(PYTHON, ['-c', DATES_SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
  : undefined
const answers = python && createInterface(python.stdout)[Symbol.asyncIterator]()
afterAll(() => python?.stdin.end())

/** The dates of each stored series up to the end of the period, by its wall clock. */
async function datesByPython(series: readonly RawRow[]): Promise<string[][]> {
  const given = series.map(({ rrule, rdate, exdate, start_date, timezone }) => {
    const to = stamp(wallOf(Date.parse(`${TO}Z`), String(timezone)))
    return { rrule, start_date, to, rdate: JSON.parse(String(rdate)), exdate: JSON.parse(String(exdate)) }
  })
  python?.stdin.write(`${JSON.stringify(given)}\n`)
  return JSON.parse((await answers?.next())?.value ?? 'null')
}

/** One for all files, emptied before each. */
const shared = makeDatabase()
afterAll(async () => (await shared).close())

it.skipIf(FILES.length === 0)('the feeds are iCalendar files', async () => {
  for (const file of FILES) expect(await readFile(join(FOLDER, file), 'utf8')).toContain('BEGIN:VCALENDAR')
})

describe.skipIf(FILES.length === 0).each(FILES)('the feed %s', file => {
  let db: Awaited<typeof shared>
  let report: Report
  let head: Property[]
  let events: Vevent[]
  let rows: Map<string, RawRow>
  let floating: string

  const importFile = () => importInto(db, fileItems([join(FOLDER, file)], { from: FROM, to: TO }, CONTEXT))

  beforeAll(async () => {
    db = await shared
    await emptyTables(db)
    report = await importFile()
    ;({ head, events } = readVevents(await readFile(join(FOLDER, file))))
    floating = homeOf(head) ?? 'UTC'
    const found = await db.query(
      `SELECT events.*, imports.external_id AS imported_id, venues.name AS venue, venues.address, venues.geo_lat, venues.geo_lng,
        (SELECT json_group_array(terms.name) FROM event_terms JOIN terms ON terms.id = target_id WHERE event_id = events.id) AS terms
       FROM events JOIN imports ON kind = 'event' AND imports.target_id = events.id
       LEFT JOIN event_venues ON event_id = events.id LEFT JOIN venues ON venues.id = event_venues.target_id`,
    )
    rows = new Map(found.map(row => [String(row.imported_id), row]))
  })

  const occurrenceKey = (uid: string, at: string) => `${uid}#${at.replace(/[-:]/g, '').replace(' ', 'T')}Z`

  /** The row of an event that does not recur. */
  const rowOf = (event: Vevent): RawRow | undefined => {
    const instead = first(event, 'RECURRENCE-ID')
    const [time] = instead ? timesOf(instead, floating) : []
    return rows.get(time ? occurrenceKey(uidOf(event), key(time)) : uidOf(event))
  }
  const single = () => events.filter(event => !isRecurring(event))

  /** Those that recur, without the first halves of series that were split at their first date. */
  const recurring = () =>
    events.filter(event => isRecurring(event) && occurrencesOf(event, floating).length > 0)

  it('is imported without a failure', () => {
    const halves = events.filter(event => isRecurring(event) && !recurring().includes(event))
    expect(report.reasons).toEqual(
      halves.map(half => {
        const title = textOf(first(half, 'SUMMARY'))
        return `skipped: series ${uidOf(half)} (${title}): all its dates are left out`
      }),
    )
  })

  it('keeps titles and instants', () => {
    for (const event of single()) {
      const row = rowOf(event)
      const start = startOf(event, floating)
      expect(row, uidOf(event)).toBeDefined()
      // Calendars do not know markup in titles.
      expect(row?.title).toBe(textOf(first(event, 'SUMMARY')).replace(/<[^>]*>/g, ''))
      const end = first(event, 'DTEND')
      const [to] = end ? timesOf(end, floating) : []
      if (start.isDate) {
        const last = Math.max(start.wall, (to?.wall ?? start.wall + 86_400_000) - 86_400_000)
        expect([row?.start_date, row?.end_date]).toEqual([stamp(start.wall), stamp(last + 86_399_000)])
      } else {
        const finish = to ? utc(to) : utc(start) + durationOf(first(event, 'DURATION')?.value ?? 'PT0S')
        expect([row?.utc_start_date, row?.utc_end_date]).toEqual([stamp(utc(start)), stamp(finish)])
      }
      expect(row?.all_day).toBe(start.isDate ? 1 : 0)
      expect(row?.status).toBe('publish')
      const isCanceled = first(event, 'STATUS')?.value === 'CANCELLED'
      expect(row?.event_status).toBe(isCanceled ? 'canceled' : 'scheduled')
      const isOccurrence = first(event, 'RECURRENCE-ID') !== undefined
      const uid = textOf(first(event, 'UID')).trim()
      const isFirst = row?.series_id !== null && row?.external_id !== ''
      if (!isFirst) expect(row?.external_id).toBe(isOccurrence || [...uid].length > 255 ? '' : uid)
    }
  })

  it('keeps zones, and what their clocks show', () => {
    for (const event of single()) {
      const row = rowOf(event)
      const start = startOf(event, floating)
      const [own] = event.filter(({ name }) => /^X-.*TIMEZONE$/.test(name))
      if (start.zone !== 'UTC' && !start.isDate) expect(row?.timezone).toBe(start.zone)
      else expect(row?.timezone).toBe(own?.value ?? floating)
      const zone = String(row?.timezone)
      expect(Date.parse(`${row?.start_date}Z`)).toBe(wallOf(Date.parse(`${row?.utc_start_date}Z`), zone))
    }
  })

  it('keeps places and categories', () => {
    for (const event of single()) {
      const row = rowOf(event)
      const location = textOf(first(event, 'LOCATION'))
      const geo = first(event, 'GEO')?.value.split(/\\?;/).map(Number)
      if (ONLINE.includes(comparable(location))) expect([row?.venue, row?.is_virtual]).toEqual([null, 1])
      else if (location !== '')
        // Spellings that differ only in signs and case are one venue.
        expect(comparable([row?.venue, row?.address].filter(Boolean).join(', '))).toBe(comparable(location))
      if (geo && location === '') expect([row?.geo_lat, row?.geo_lng]).toEqual(geo)
      const categories = every(event, 'CATEGORIES')
        .flatMap(({ value }) => value.split(/(?<!\\),/))
        .map(value => textOf({ name: '', params: '', value }))
      const names = new Set(categories.filter(Boolean).map(name => name.toLowerCase()))
      expect((JSON.parse(String(row?.terms)) as string[]).map(name => name.toLowerCase()).sort()).toEqual(
        [...names].sort(),
      )
    }
  })

  it('keeps every occurrence of what recurs, and no other', () => {
    for (const event of events.filter(isRecurring)) {
      const uid = uidOf(event)
      const expected = new Set(occurrencesOf(event, floating).map(at => occurrenceKey(uid, at)))
      // Occurrences that an override stands for count as well, wherever it has moved them.
      for (const other of events.filter(other => uidOf(other) === uid && first(other, 'RECURRENCE-ID'))) {
        const [time] = timesOf(first(other, 'RECURRENCE-ID') ?? { name: '', params: '', value: '' }, floating)
        if (time) expected.add(occurrenceKey(uid, key(time)))
      }
      const found = [...rows.keys()].filter(externalId => externalId.startsWith(`${uid}#`))
      expect(found.sort()).toEqual([...expected].sort())
    }
  })

  it('keeps what recurs as series, whose rules give the same dates to python-dateutil', async () => {
    const uids = new Set(recurring().map(uidOf))
    const stored = await db.query(
      `SELECT series.*, imports.external_id AS uid FROM series JOIN imports ON kind = 'series' AND target_id = series.id`,
    )
    expect(new Set(stored.map(({ uid }) => uid))).toEqual(uids)
    expect(await findDriftIn(db.d1)).toEqual([])
    if (!HAS_DATEUTIL) return
    const expected = await datesByPython(stored)
    for (const [i, series] of stored.entries()) {
      const dates = await db.query(
        `SELECT occurrence_date AS date FROM events WHERE series_id = ? AND status <> 'trash' ORDER BY 1`,
        series.id ?? 0,
      )
      expect(dates.map(({ date }) => date)).toEqual(expected[i])
    }
  })

  it('changes nothing when imported again', async () => {
    const second = await importFile()
    expect({
      created: second.total('created'),
      updated: second.total('updated'),
      failed: second.total('failed'),
    }).toEqual({ created: 0, updated: 0, failed: 0 })
  })
})
