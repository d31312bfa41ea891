import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../../../src/app.ts'
import {
  fetchCalendar,
  MeteredTransport,
  sourceClient,
} from '../../../../src/features/sources/schedule/fetch.ts'
import { readSources } from '../../../../src/features/sources/schedule/run.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { importSource } from '../../../../src/kit/db/tables.ts'
import { importContext } from '../../../../src/kit/http/request-context.ts'
import { toEpoch } from '../../../../src/kit/lib/time.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import type { Transport } from '../../../../src/readers/http.ts'
import { listen } from '../../../listen.ts'
import { feedOf, ics, siteEvent, siteOf, useServer, VARS, vevent } from './feed.ts'

// Calendars on a server of this machine, which the cron reads.

const WAITING = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
let respond: (response: ServerResponse, url: string, headers: IncomingHttpHeaders) => void
let asked: string[] = []
beforeEach(() => {
  asked = []
})
const server = await useServer((request, response) => {
  asked.push(request.url ?? '')
  respond(response, request.url ?? '', request.headers)
})
const { calendar, address, state, runs, titles, passHours } = server

/** Has the server send some events, which it knows by an entity tag. */
function serve(events: string[][]): void {
  respond = feedOf(events)
}

const numberedEvents = (count: number, prefix = 'e') =>
  Array.from({ length: count }, (_, i) => vevent(`${prefix}${i}`))
const add = (fields: object = {}) =>
  calendar.must('POST', '/sources', { name: 'Theatre', url: `${address}/feed.ics`, ...fields })

describe('a feed', () => {
  it('is previewed, then read, and costs one request while it is unchanged', async () => {
    serve([...numberedEvents(7), vevent('yoga', 'Yoga', ['RRULE:FREQ=WEEKLY;COUNT=3'])])
    const seen = await calendar.must('POST', '/sources/preview', { url: `${address}/feed.ics` })
    expect(seen).toMatchObject({ kind: 'ical', name: 'Theatre', total: 10 })
    expect(seen.events).toHaveLength(10)
    expect(await titles()).toEqual([])
    const { id } = await add()
    expect(await state(id)).toMatchObject({ state: 'new', kind: '', every: 'day', last_run: '' })
    await calendar.tick()
    expect(await titles()).toHaveLength(10)
    expect(await state(id)).toMatchObject({
      state: 'ok',
      kind: 'ical',
      message: '',
      last_run: '2026-11-20 12:00:00',
      next_run: '2026-11-21 12:00:00',
    })
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 10, updated: 0, skipped: [] }])
    await calendar.tick()
    expect(asked).toHaveLength(2)
    passHours(24)
    await calendar.tick()
    expect(asked).toHaveLength(3)
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 0, unchanged: 0 }, { created: 10 }])
  })

  it('is read a batch at a time; events of a killed batch are not created twice', async () => {
    serve(numberedEvents(130))
    const { id } = await add()
    const run = await calendar.must('POST', `/sources/${id}/sync`)
    expect(run).toMatchObject({ source_id: id, state: 'running' })
    const before = (await titles()).length
    expect(before % 50).toBe(0)
    // Killed after its batch was written, before it was written down.
    await calendar.rows(`UPDATE sources SET place = max(1, place - 50), lease = '2026-11-20 12:01:30 x'`)
    await calendar.tick()
    expect(await titles()).toHaveLength(before)
    for (let minute = 0; minute < 6; minute++) {
      passHours(1 / 30)
      await Promise.all([calendar.tick(), calendar.tick()])
    }
    expect(await titles()).toHaveLength(130)
    expect(await state(id)).toMatchObject({ state: 'ok' })
    const [{ created, unchanged }] = await runs(id)
    expect(created + unchanged).toBeGreaterThanOrEqual(179)
  })

  it('is read to its end even if it is set to be read by hand only meanwhile', async () => {
    serve(numberedEvents(130))
    const { id } = await add()
    await calendar.tick()
    for (const name of ['Theatre', 'Theatre by hand'])
      expect(await calendar.must('PATCH', `/sources/${id}`, { name, every: '' }), name).toMatchObject({
        every: '',
      })
    for (let minute = 0; minute < 4; minute++) await calendar.tick()
    expect(await titles()).toHaveLength(130)
    expect(await runs(id)).toMatchObject([{ state: 'done' }])
    expect(await state(id)).toMatchObject({ state: 'ok', next_run: '' })
    // Whoever agrees to what it asks, and names all fields, has it read again.
    serve(numberedEvents(2))
    await calendar.must('POST', `/sources/${id}/sync`)
    expect(await state(id)).toMatchObject({ state: 'asking' })
    await calendar.must('PATCH', `/sources/${id}`, { state: 'ok', every: '' })
    await calendar.tick()
    expect((await runs(id))[0]).toMatchObject({ state: 'done', unchanged: 2, message: '' })
    expect(await calendar.must('PATCH', `/sources/${id}`, { every: 'day' })).not.toMatchObject({
      next_run: '',
    })
    expect(await calendar.must('PATCH', `/sources/${id}`, { every: '' })).toMatchObject({ next_run: '' })
  })

  it('costs one conditional request if it has a Last-Modified header only', async () => {
    const date = 'Fri, 20 Nov 2026 10:00:00 GMT'
    respond = (response, _, headers) =>
      headers['if-modified-since'] === date
        ? void response.writeHead(304).end()
        : void response.writeHead(200, { 'last-modified': date }).end(ics(numberedEvents(1)))
    const { id } = await add()
    await calendar.tick()
    passHours(24)
    await calendar.tick()
    expect(await runs(id)).toMatchObject([{ state: 'done', unchanged: 0 }, { created: 1 }])
    // One that was never read cannot be as it was.
    respond = response => void response.writeHead(304).end()
    const liar = await add({ url: `${address}/liar.ics`, kind: 'ical' })
    await calendar.tick()
    expect(await state(liar.id)).toMatchObject({ state: 'failing', message: expect.stringContaining('304') })
  })

  it('says what is wrong with a rule, and that an event without UID keeps anything from being gone', async () => {
    serve([vevent('fine'), vevent('rule', 'Rule', ['RRULE:FREQ=WEEKLYY']), vevent('none').toSpliced(1, 1)])
    const { id } = await add()
    await calendar.tick()
    expect((await runs(id))[0].skipped).toMatchObject([
      { what: 'rule (Rule)', why: expect.stringContaining('WEEKLYY'), code: 'record_rule' },
      { what: 'the calendar', why: expect.stringContaining('without UID'), code: 'record_no_uid' },
    ])
    serve([vevent('fine').toSpliced(2, 0, 'GEO'), vevent('other', 'Other', ['RRULE:FREQ=DAILY;COUNT=2'])])
    passHours(24)
    await calendar.tick()
    const codes = (await runs(id))[0].skipped.map(({ code }: { code: string }) => code)
    expect(codes).not.toContain('record_rule')
  })

  it('in UTF-16 is read, and says which of its dates do not exist', async () => {
    const text = ics([
      vevent('fine', 'Café'),
      ['BEGIN:VEVENT', 'UID:zero', 'SUMMARY:Zero', 'DTSTART:00000101T100000Z', 'END:VEVENT'],
      ['BEGIN:VEVENT', 'UID:march', 'SUMMARY:March', 'DTSTART;VALUE=DATE:20270230', 'END:VEVENT'],
      [
        'BEGIN:VEVENT',
        'UID:open',
        'SUMMARY:Open',
        'DTSTART:20270301T100000Z',
        'DTEND:20270230T110000Z',
        'END:VEVENT',
      ],
    ])
    respond = response => void response.writeHead(200).end(Buffer.from(`\ufeff${text}`, 'utf16le'))
    const { id } = await add()
    await calendar.tick()
    expect(await titles()).toEqual(['Café', 'Open'])
    expect(await state(id)).toMatchObject({ state: 'ok', message: '' })
    const skipped = (await runs(id))[0].skipped.map(
      ({ what, why }: Record<string, string>) => `${what}: ${why}`,
    )
    expect(skipped.sort()).toEqual([
      expect.stringContaining('Open: DTEND cannot be understood, left out'),
      'march (March): DTSTART: 2027-02-30 is not a date or time',
      'zero (Zero): DTSTART: 0000-01-01T10:00:00Z is not a date or time',
    ])
  })

  it('takes no more than 50 statements of a minute', async () => {
    serve(
      numberedEvents(60).map((lines, i) => [
        ...lines.slice(0, -1),
        `LOCATION:Hall ${i}`,
        `CATEGORIES:C${i}`,
        'END:VEVENT',
      ]),
    )
    const { id } = await add()
    const db = new Database(calendar.DB)
    await readSources({ db, settings: settingsOf(VARS), nowMs: Date.now(), onlyId: id })
    expect(db.metrics.statements).toBeLessThanOrEqual(50)
    expect((await titles()).length).toBeGreaterThanOrEqual(37)
  })

  it('gives its events what it is set to, and leaves alone what was edited', async () => {
    const { id: category } = await calendar.must('POST', '/categories', { name: 'Stage' })
    const { id: other } = await calendar.must('POST', '/categories', { name: 'Theatre' })
    const { id: venue } = await calendar.must('POST', '/venues', { venue: 'Hall' })
    serve([vevent('a', 'Jazz night'), vevent('b', 'Football'), vevent('c', 'Jázz brunch', ['LOCATION:Café'])])
    const { id } = await add({
      status: 'pending',
      categories: [category],
      venue,
      search: 'jazz blues',
      mirror: false,
    })
    await calendar.tick()
    expect(await titles('pending')).toEqual(['Jazz night', 'Jázz brunch'])
    const list = async () => (await calendar.must('GET', '/events?status=pending,publish')).events
    const [first] = (await list()).filter(({ title }: { title: string }) => title === 'Jazz night')
    expect(first).toMatchObject({ venue: { venue: 'Hall' }, categories: [{ name: 'Stage' }], author: '1' })
    await calendar.must('POST', `/categories/${category}/merge`, { into: other })
    expect(await state(id)).toMatchObject({ categories: [other], venue })
    await calendar.must('PATCH', `/events/${first.id}`, { status: 'publish', title: 'Own' })
    serve([vevent('a', 'Jazz day'), vevent('c', 'Jazz lunch', ['LOCATION:Café'])])
    passHours(25)
    await calendar.tick()
    expect([await titles(), await titles('pending')]).toEqual([['Own'], ['Jazz lunch']])
    expect((await runs(id))[0].skipped).toEqual([
      { what: 'Jazz day', why: 'it was edited here', code: 'record_edited' },
    ])
  })

  it('keeps updating events that were approved here', async () => {
    const weekly = (title: string) => vevent('yoga', title, ['RRULE:FREQ=WEEKLY;COUNT=2'])
    serve([vevent('a', 'Jazz'), weekly('Yoga'), vevent('b', 'Own'), vevent('c', 'Gone')])
    const { id } = await add({ status: 'pending' })
    await calendar.tick()
    const { events } = await calendar.must('GET', '/events?status=pending')
    const named = (name: string) =>
      `/events/${events.find(({ title }: { title: string }) => title === name).id}`
    await calendar.must('PATCH', named('Jazz'), { status: 'publish', title: 'Jazz' })
    await calendar.must('PATCH', named('Yoga'), { status: 'publish', scope: 'all' })
    await calendar.must('PATCH', named('Own'), { status: 'publish' })
    await calendar.must('PATCH', named('Own'), { excerpt: 'By hand' })
    await calendar.must('DELETE', named('Gone'))
    serve([vevent('a', 'Jazz is postponed'), weekly('Pilates'), vevent('b', 'Theirs'), vevent('c', 'Back')])
    passHours(25)
    await calendar.tick()
    expect(await titles()).toEqual(['Jazz is postponed', 'Own', 'Pilates', 'Pilates'])
    expect((await runs(id))[0].skipped).toEqual([
      { what: 'Theirs', why: 'it was edited here', code: 'record_edited' },
      { what: 'Back', why: 'it was deleted here', code: 'record_deleted' },
    ])
    serve([vevent('a', 'Jazz'), weekly('Yoga')])
    passHours(25)
    // All of it at once takes more than the 50 statements of an invocation.
    for (let minute = 0; minute < 4; minute++) await calendar.tick()
    expect(await titles()).toEqual(['Jazz', 'Own', 'Yoga', 'Yoga'])
  })

  it('stays as it was edited, though the edit was put back, and follows its source once it was only published', async () => {
    const all = (title: string) => [
      vevent('a', `${title} a`),
      vevent('b', `${title} b`),
      vevent('yoga', title, ['RRULE:FREQ=WEEKLY;COUNT=2']),
    ]
    const next = async (title: string) => {
      serve(all(title))
      passHours(25)
      for (let minute = 0; minute < 4; minute++) await calendar.tick()
    }
    serve(all('One'))
    const { id } = await add({ status: 'pending' })
    await calendar.tick()
    const rows = await calendar.rows('SELECT id, title FROM events ORDER BY id DESC')
    const path = (title: string) => `/events/${rows.find(row => row.title === title)?.id}`
    for (const title of ['Ours', 'One a']) await calendar.must('PATCH', path('One a'), { title })
    for (const title of ['One a', 'One b', 'One'])
      await calendar.must('PATCH', path(title), {
        status: 'publish',
        scope: title === 'One' ? 'all' : 'this',
      })
    await next('Two')
    expect(await titles()).toEqual(['One a', 'Two', 'Two', 'Two b'])
    expect((await runs(id))[0].skipped).toEqual([
      { what: 'Two a', why: 'it was edited here', code: 'record_edited' },
    ])
    // Whoever moved one to the trash and restored it has not edited it either.
    await calendar.must('DELETE', path('One b'))
    await next('Three')
    await calendar.must('PATCH', path('One b'), { status: 'publish' })
    await next('Four')
    expect(await titles()).toEqual(['Four', 'Four', 'Four b', 'One a'])
  })
})

describe('a site', () => {
  it('is found by its address, and its coming events are read with their venues', async () => {
    const event = (city: string) =>
      siteEvent(7, {
        venue: { id: 3, venue: 'Green', slug: 'green', city },
        organizer: [{ id: 4, organizer: 'Guild', slug: 'guild', phone: city }],
      })
    const serveSite = (city: string) => {
      respond = siteOf({ events: [event(city)] })
    }
    serveSite('Cork')
    const { id } = await add({ url: `${address}/` })
    await calendar.tick()
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 1 }])
    expect(await state(id)).toMatchObject({ state: 'ok', kind: 'site' })
    const [found] = (await calendar.must('GET', '/events')).events
    expect(found).toMatchObject({ title: 'Event 7', venue: { venue: 'Green' } })
    expect(asked.find(url => url.includes('start_date'))).toContain('start_date=2026-11-19')

    // Venues and organizers that were edited stay, and follow their source again once they are as they were.
    const edit = (text: string) =>
      Promise.all([
        calendar.must('PATCH', `/venues/${found.venue.id}`, { city: text }),
        calendar.must('PATCH', `/organizers/${found.organizer[0].id}`, { phone: text }),
      ])
    const next = async (city: string) => {
      serveSite(city)
      passHours(25)
      await calendar.tick()
      return calendar.rows('SELECT city, organizers.phone FROM venues, organizers')
    }
    await edit('Ours')
    expect(await next('Dublin')).toEqual([{ city: 'Ours', phone: 'Ours' }])
  })
})

it('a site is called by the name in its index', async () => {
  const routes = ['', '/events', '/venues', '/organizers'].map(name => [`/tribe/events/v1${name}`, {}])
  const index = { name: 'Town &amp; Country', routes: Object.fromEntries(routes) }
  respond = (response, url) => {
    if (url === '/') return void response.writeHead(200).end('<html></html>')
    response.end(JSON.stringify(url === '/wp-json/' ? index : { events: [], total: 0, total_pages: 0 }))
  }
  const seen = await calendar.must('POST', '/sources/preview', { url: `${address}/` })
  expect(seen).toMatchObject({ kind: 'site', name: 'Town & Country', total: 0 })
})

it('a preview names the filters of the address that it keeps', async () => {
  respond = (response, url) => {
    const { pathname, searchParams } = new URL(url ?? '', address)
    const routes = ['', '/events', '/venues', '/organizers'].map(name => [`/tribe/events/v1${name}`, {}])
    if (pathname === '/events/category/music/')
      return void response
        .writeHead(200)
        .end(`<link rel="https://api.w.org/" href="${address}/wp-json/"><title>Music</title>`)
    const isFiltered = searchParams.get('categories') === 'music'
    const list = { events: [], total: isFiltered ? 0 : 1, total_pages: 0 }
    response.end(JSON.stringify(pathname === '/wp-json/' ? { routes: Object.fromEntries(routes) } : list))
  }
  const preview = (url: string) => calendar.must('POST', '/sources/preview', { url: address + url })
  expect(await preview('/events/category/music/')).toMatchObject({ filters: { categories: 'music' } })
  expect(await preview('/wp-json/')).toMatchObject({ filters: {} })
})

/** Runs the cron until it has read what was due. */
async function readDueSources(): Promise<void> {
  for (let minute = 0; minute < 3; minute++) {
    await calendar.tick()
    passHours(1 / 30)
  }
}

describe('a source, as a mirror or not', () => {
  it('leaves alone events beyond the limits of a calendar, and reports that', async () => {
    const yoga = vevent('yoga', 'Yoga', ['RRULE:FREQ=WEEKLY;COUNT=3'])
    serve([...numberedEvents(7), yoga])
    const { id } = await add({ mirror: true })
    await readDueSources()
    const changes = Array.from({ length: 10_001 }, () =>
      vevent('yoga', 'Other', ['RECURRENCE-ID:20270301T190000Z']),
    )
    serve([...numberedEvents(6), yoga, ...changes])
    passHours(24)
    await readDueSources()
    // One has vanished, and no date of what could not be read.
    expect((await titles()).filter(title => title === 'Yoga')).toHaveLength(3)
    expect(await titles()).toHaveLength(9)
    expect(await state(id)).toMatchObject({ state: 'ok' })
    expect((await runs(id))[0]).toMatchObject({
      trashed: 1,
      skipped: [
        {
          what: 'yoga (Yoga)',
          why: expect.stringContaining('more than 10000 dates: this one is not read'),
          code: 'record_too_much',
        },
      ],
    })
    serve([
      ...numberedEvents(6),
      ...Array.from({ length: 25_000 }, (_, i) => vevent(`x${i}`)).map(lines => lines.slice(0, 4)),
      yoga,
    ])
    passHours(24)
    await calendar.tick()
    const [run] = await runs(id)
    expect(run.skipped).toContainEqual({
      what: 'the calendar',
      why: 'has more than 100000 lines, and the rest is not read: nothing is taken to be gone that is not in it',
      code: 'record_broken',
    })
  })

  it('trashes vanished events, asks before it trashes half, and continues when an editor agrees', async () => {
    serve(numberedEvents(8))
    const { id } = await add({ mirror: true })
    await readDueSources()
    respond = response => void response.end(ics(numberedEvents(8)).slice(0, -300))
    passHours(24)
    await readDueSources()
    expect(await titles()).toHaveLength(8)
    expect((await runs(id))[0].skipped).toContainEqual({
      what: 'the calendar',
      why: expect.stringContaining('breaks off'),
      code: 'record_broken',
    })
    serve(numberedEvents(7))
    passHours(24)
    await readDueSources()
    expect(await titles()).toHaveLength(7)
    for (const few of [numberedEvents(3), [], numberedEvents(7, 'other')]) {
      serve(few)
      passHours(24)
      await readDueSources()
      expect(await state(id)).toMatchObject({
        state: 'asking',
        message: expect.stringContaining('Half or more'),
      })
      expect(await titles()).toHaveLength(7)
    }
    expect(await calendar.must('PATCH', `/sources/${id}`, { state: 'ok' })).toMatchObject({ state: 'ok' })
    await readDueSources()
    expect(await titles()).toEqual(numberedEvents(7, 'other').map(([, uid]) => `Concert ${uid?.slice(4)}`))
    expect(await titles('trash')).toHaveLength(8)
    expect(await state(id)).toMatchObject({ state: 'ok' })
  })

  it('goes on to be read if its events have moved, and asks once if it has far fewer', async () => {
    const choir = (start: string) => [
      ...['BEGIN:VEVENT', 'UID:choir', `DTSTART:20270308T${start}Z`, 'DURATION:PT2H'],
      ...['RRULE:FREQ=WEEKLY;COUNT=8', 'SUMMARY:Choir', 'END:VEVENT'],
    ]
    const next = async (events: string[][]) => {
      serve(events)
      passHours(24)
      await readDueSources()
      return state(id)
    }
    serve([choir('190000'), ...numberedEvents(4)])
    const { id } = await add()
    await readDueSources()
    expect(await next([choir('193000'), ...numberedEvents(4)])).toMatchObject({ state: 'ok' })
    expect((await runs(id))[0]).toMatchObject({ updated: 8, trashed: 0 })
    expect(await next(numberedEvents(1))).toMatchObject({ state: 'asking' })
    await calendar.must('PATCH', `/sources/${id}`, { state: 'ok' })
    await readDueSources()
    // What is gone there stays here, and is not asked about again.
    for (const title of ['Now', 'Later'])
      expect(
        await next(numberedEvents(1).map(lines => lines.map(line => line.replace('Concert e0', title)))),
      ).toMatchObject({ state: 'ok' })
    expect(await titles()).toEqual(expect.arrayContaining(['Later', 'Choir', 'Concert e3']))
  })

  it('is not asked about if a series has moved, and is if most of its dates are gone', async () => {
    const choir = (start: string, count: number) => [
      ...['BEGIN:VEVENT', 'UID:choir', `DTSTART:20270308T${start}Z`, 'DURATION:PT2H'],
      ...[`RRULE:FREQ=WEEKLY;COUNT=${count}`, 'SUMMARY:Choir', 'END:VEVENT'],
    ]
    serve([choir('190000', 8), ...numberedEvents(1)])
    const { id } = await add({ mirror: true })
    await readDueSources()
    serve([choir('193000', 8), ...numberedEvents(1)])
    passHours(24)
    await readDueSources()
    expect(await state(id)).toMatchObject({ state: 'ok' })
    expect((await runs(id))[0]).toMatchObject({ updated: 8, trashed: 0 })
    serve([choir('200000', 3), ...numberedEvents(1)])
    passHours(24)
    await readDueSources()
    expect(await state(id)).toMatchObject({
      state: 'asking',
      message: expect.stringContaining('5 of 9'),
    })
  })

  const moved = (lines: string[]) => lines.map(line => line.replace('T200000Z', 'T213000Z'))

  it.each([false, true])('keeps its events when it gives them other UIDs, mirror: %s', async mirror => {
    const calendarOf = (uid: string) => [
      [
        ...['BEGIN:VEVENT', `UID:choir-${uid}`, 'DTSTART:20270308T190000Z', 'DURATION:PT2H'],
        ...['RRULE:FREQ=WEEKLY;COUNT=3', 'SUMMARY:Choir & Tea', 'END:VEVENT'],
      ],
      ...['190000', '200000'].map((start, i) => [
        ...['BEGIN:VEVENT', `UID:${uid}-${i}`, `DTSTART:20270310T${start}Z`, 'DURATION:PT1H'],
        ...['SUMMARY:Fair', 'END:VEVENT'],
      ]),
    ]
    const rows = () => calendar.rows('SELECT id, status, utc_start_date FROM events ORDER BY id')
    serve(calendarOf('old'))
    const { id } = await add({ mirror })
    await readDueSources()
    const before = await rows()
    expect(before).toHaveLength(5)
    for (const uid of ['new', 'newer']) {
      serve(calendarOf(uid))
      passHours(24)
      await readDueSources()
      expect(await state(id)).toMatchObject({ state: 'ok' })
      expect(await rows()).toEqual(before)
    }
    // One that has moved as well is another event.
    serve([...calendarOf('newest').slice(0, 2), ...calendarOf('newest').slice(2).map(moved)])
    passHours(24)
    await readDueSources()
    expect(await rows()).toHaveLength(6)
  })

  it('keeps in the trash what was moved there here, when its UIDs change', async () => {
    const calendarOf = (uid: string) => [
      ['BEGIN:VEVENT', `UID:${uid}-1`, 'DTSTART:20270310T190000Z', 'SUMMARY:Fair', 'END:VEVENT'],
      ['BEGIN:VEVENT', `UID:${uid}-2`, 'DTSTART:20270311T190000Z', 'SUMMARY:Choir', 'END:VEVENT'],
    ]
    const rows = () => calendar.rows('SELECT id, status, title FROM events ORDER BY id')
    serve(calendarOf('old'))
    await add({ mirror: false })
    await readDueSources()
    const [fair] = await rows()
    await calendar.must('DELETE', `/events/${fair?.id}`)
    const before = await rows()
    expect(before.map(({ status }) => status)).toEqual(['trash', 'publish'])
    for (const uid of ['new', 'newer']) {
      serve(calendarOf(uid))
      passHours(24)
      await readDueSources()
      expect(await rows()).toEqual(before)
    }
  })

  it.each(['', '?force=true'])('keeps a date deleted (%s) whose series moves to another hour', async how => {
    const choir = (start: string, more: string[] = []) => [
      ...['BEGIN:VEVENT', 'UID:choir', `DTSTART:20270308T${start}Z`, 'DURATION:PT2H'],
      ...['RRULE:FREQ=WEEKLY;COUNT=4', 'SUMMARY:Choir', ...more, 'END:VEVENT'],
    ]
    const dates = async () =>
      (await calendar.rows("SELECT start_date FROM events WHERE status = 'publish' ORDER BY 1")).map(
        ({ start_date }) => String(start_date).slice(5, 16),
      )
    const next = async (...events: string[][]) => {
      serve(events)
      passHours(24)
      await readDueSources()
      return dates()
    }
    serve([choir('190000', ['EXDATE:20270322T190000Z'])])
    await add()
    await readDueSources()
    expect(await dates()).toEqual(['03-08 19:00', '03-15 19:00', '03-29 19:00'])
    const [, second] = await calendar.rows('SELECT id FROM events ORDER BY start_date')
    await calendar.must('DELETE', `/events/${second?.id}${how}`)
    // A date that the source has left out comes with it again.
    expect(await next(choir('180000'))).toEqual(['03-08 18:00', '03-22 18:00', '03-29 18:00'])
    expect(await next(choir('173000'))).toEqual(['03-08 17:30', '03-22 17:30', '03-29 17:30'])
    expect(await next(choir('173000', ['DESCRIPTION:New']))).toHaveLength(3)
    expect(await next(choir('190000'))).toEqual(['03-08 19:00', '03-22 19:00', '03-29 19:00'])
  })

  const weekly = (start: string, rule = 'FREQ=WEEKLY;COUNT=5', more: string[] = []) => [
    ...['BEGIN:VEVENT', 'UID:choir', `DTSTART:202703${start}Z`, 'DURATION:PT2H', `RRULE:${rule}`],
    ...['SUMMARY:Choir', ...more, 'END:VEVENT'],
  ]
  const dated = () =>
    calendar.rows("SELECT id, title, start_date FROM events WHERE status = 'publish' ORDER BY start_date")

  it.each(['FREQ=WEEKLY;COUNT=5', 'FREQ=WEEKLY;UNTIL=20270407T235959Z', 'FREQ=WEEKLY'])(
    'moves the dates of a series to another weekday, with their edits: %s',
    async rule => {
      serve([weekly('09T190000', rule)])
      await add()
      await readDueSources()
      const [, second, third, fourth] = await dated()
      await calendar.must('PATCH', `/events/${second?.id}`, { title: 'Mine' })
      await calendar.must('DELETE', `/events/${third?.id}`)
      await calendar.must('DELETE', `/events/${fourth?.id}?force=true`)
      const before = await dated()
      serve([weekly('10T180000', rule)])
      passHours(24)
      await readDueSources()
      const after = await dated()
      expect(after.slice(0, 3)).toMatchObject([
        { title: 'Choir', start_date: '2027-03-10 18:00:00' },
        { title: 'Mine', start_date: '2027-03-17 18:00:00' },
        { title: 'Choir', start_date: '2027-04-07 18:00:00' },
      ])
      expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
      expect(await dated()).toHaveLength(before.length)
    },
  )

  it.each([
    ['that begins later', weekly('16T190000'), ['03-09', '03-16', '03-23', '03-30', '04-06', '04-13']],
    [
      'one of whose dates moves far',
      weekly('09T190000', 'FREQ=WEEKLY;COUNT=5', ['EXDATE:20270316T190000Z', 'RDATE:20270425T190000Z']),
      ['03-09', '03-16', '03-23', '03-30', '04-06', '04-25'],
    ],
    [
      'that takes place every other week',
      weekly('10T190000', 'FREQ=WEEKLY;INTERVAL=2;COUNT=3'),
      ['03-09', '03-10', '03-16', '03-24', '04-07'],
    ],
  ])('leaves the edited dates of a series where they are %s', async (_, moved, expected) => {
    serve([weekly('09T190000')])
    await add()
    await readDueSources()
    for (const { id } of (await dated()).slice(0, 2))
      await calendar.must('PATCH', `/events/${id}`, { title: 'Mine' })
    serve([moved])
    passHours(24)
    await readDueSources()
    expect((await dated()).map(({ start_date }) => String(start_date).slice(5, 10))).toEqual(expected)
  })

  it('keeps what was corrected here, when its UIDs change', async () => {
    const calendarOf = (uid: string, last = 'Lektüre') =>
      ['Fair', 'Choir', 'Quiz', 'Ball', last].map((title, i) => [
        ...['BEGIN:VEVENT', `UID:${uid}-${i}`, `DTSTART:2027031${i}T190000Z`, `SUMMARY:${title}`],
        'END:VEVENT',
      ])
    const rows = () => calendar.rows('SELECT id, status, title, utc_start_date FROM events ORDER BY id')
    serve(calendarOf('old'))
    await add()
    await readDueSources()
    const [fair, choir, quiz, ball, last] = await rows()
    const change = (row: typeof fair, fields: object) => calendar.must('PATCH', `/events/${row?.id}`, fields)
    // One gets the title and the day of another, one a zone of its own, one what its source will have.
    await change(fair, { title: 'First' })
    await change(fair, { title: 'Choir', start_date: '2027-03-11 19:00:00', end_date: '2027-03-11 21:00:00' })
    await change(choir, { title: 'Choir & Tea' })
    await change(quiz, { timezone: 'America/New_York' })
    await change(ball, { start_date: '2027-03-13 18:00:00' })
    await calendar.must('DELETE', `/events/${ball?.id}`)
    await change(last, { title: 'Lecture' })
    const before = await rows()
    for (const [uid, title] of [
      ['new', 'Lektüre'],
      ['newer', 'Lecture'],
    ] as const) {
      serve(calendarOf(uid, title))
      passHours(24)
      await readDueSources()
      expect(await rows()).toEqual(before)
    }
  })

  it('asks again if it was paused rather than agreed to, and after a pause', async () => {
    serve(numberedEvents(8))
    const { id } = await add({ mirror: true })
    const set = (value: string) => calendar.must('PATCH', `/sources/${id}`, { state: value })
    for (let minute = 0; minute < 3; minute++) await calendar.tick()
    serve(numberedEvents(2))
    await set('paused')
    for (const _ of ['after a pause', 'after a refusal']) {
      await set('ok')
      await calendar.tick()
      expect(await state(id)).toMatchObject({ state: 'asking' })
      await set('paused')
    }
    expect(await titles()).toHaveLength(8)
  })
})

describe('a source in trouble', () => {
  const failing = async (fragment: string, hours = 1) => {
    await calendar.tick()
    const id = Number((await calendar.rows('SELECT id FROM sources'))[0]?.id)
    expect(await state(id)).toMatchObject({ state: 'failing', message: expect.stringContaining(fragment) })
    expect((await runs(id))[0]).toMatchObject({ state: 'failed', message: expect.stringContaining(fragment) })
    passHours(hours)
  }

  it('a source that breaks off, sends errors, too much or endless redirects fails, and is postponed', async () => {
    const { id } = await add()
    respond = response => void response.writeHead(500).end()
    await failing('HTTP 500')
    respond = response => void response.writeHead(404).end('<html>')
    await failing('HTTP 404', 2)
    expect((await runs(id))[0]).toMatchObject({ code: 'source_gone' })
    respond = response => void response.writeHead(200).end('<html>')
    await failing('no calendar', 4)
    respond = (response, url) => void response.writeHead(302, { location: `${url}x` }).end()
    await failing('more than 3 redirects', 8)
    respond = response => {
      response.writeHead(200, { 'content-length': '20000000' })
      response.write('BEGIN:VCALENDAR')
    }
    await failing('longer than 10000000 bytes', 16)
    respond = response => void response.destroy()
    await failing('could not be read', 24)
    respond = response => {
      response.writeHead(200)
      response.end('BEGIN:VCALENDAR\r\n'.padEnd(11_000_000, 'x'))
    }
    await failing('longer than 10000000 bytes', 24)
    serve(numberedEvents(2))
    const quiet = await add({ name: 'Other', url: `${address}/other.ics` })
    await calendar.tick()
    expect(await state(quiet.id)).toMatchObject({ state: 'ok' })
    passHours(24)
    await calendar.tick()
    expect(await state(id)).toMatchObject({ state: 'ok', message: '' })
  })

  it('a source that hangs is given up after its time, and others are read', async () => {
    respond = (response, url) => {
      if (url === '/feed.ics') return
      response.writeHead(200).end(ics(numberedEvents(1)))
    }
    const { id } = await add()
    const other = await add({ url: `${address}/other.ics` })
    const db = new Database(calendar.DB)
    await readSources({ db, settings: settingsOf(VARS), nowMs: Date.now(), patience: { timeoutMs: 2_000 } })
    expect([(await state(id)).state, (await state(other.id)).state]).toEqual(['failing', 'ok'])
  })

  it('a source that cannot be reserved does not keep others from being read', async () => {
    serve(numberedEvents(1))
    const { id } = await add()
    const other = await add({ name: 'Other', url: `${address}/other.ics` })
    await calendar.rows(
      `CREATE TRIGGER refused BEFORE UPDATE ON sources WHEN OLD.id = ${id} BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    )
    try {
      for (let minute = 0; minute < 3; minute++) {
        await calendar.tick()
        passHours(1 / 60)
      }
      expect([(await state(id)).state, (await state(other.id)).state]).toEqual(['new', 'ok'])
    } finally {
      await calendar.rows('DROP TRIGGER refused')
    }
    passHours(2)
    await calendar.tick()
    expect((await state(id)).state).toBe('ok')
  })

  it('a source with many long errors is reported briefly', async () => {
    const long = 'x'.repeat(600_000)
    const bad = (uid: string) => ['BEGIN:VEVENT', `UID:${uid}${long}`, `SUMMARY:${long}`, 'END:VEVENT']
    serve([vevent('a'), bad('b'), bad('c'), vevent('d'.repeat(100_000))])
    const { id } = await add({ name: 'Long' })
    await calendar.tick()
    expect(await state(id)).toMatchObject({ state: 'ok' })
    const [run] = await runs(id)
    expect(run.skipped.length).toBeGreaterThan(0)
    expect(JSON.stringify(run).length).toBeLessThan(5_000)
  })

  const own = (more: string[]) => vevent('event-1@town.example', 'Jazz', more)
  it.each<[string, Record<string, string>, string]>([
    ['by its API', { 'x-tec-api-root': 'http://town.example/calendar/events/v1/' }, '<a>'],
    ['by its pages', { 'x-tec-api-origin': 'https://town.example' }, '<a>'],
    ['by UIDs', {}, ics([own([]), own(['RRULE:FREQ=WEEKLY;COUNT=2'])])],
    ['by addresses', {}, ics([own([]), vevent('theirs', 'x', ['URL:https://town.example/event/x/'])])],
  ])(
    'a source that is this calendar by another name is not read, which would double it: %s',
    async (_, headers, body) => {
      respond = response => void response.writeHead(200, headers).end(body)
      const { id } = await add({ url: `${address}/` })
      await calendar.tick()
      expect(await state(id)).toMatchObject({ message: expect.stringContaining('is this calendar itself') })
      expect(await titles()).toEqual([])
    },
  )

  it.each(['http://town.example/calendar/events/v1/events.ics', 'https://town.example/'])(
    'a source that leads to this calendar is not read: %s',
    async location => {
      const context = importContext({
        db: new Database(calendar.DB),
        settings: settingsOf(VARS),
        nowMs: toEpoch('2026-11-20 12:00:00'),
      })
      const url = `${address}/`
      const transport: Transport = async ({ href }) => ({
        status: href === url ? 302 : 200,
        headers: new Headers(href === url ? { location } : {}),
        chunks: (async function* () {
          yield new TextEncoder().encode(ics([vevent('a')]))
        })(),
        cancel: () => {},
      })
      const client = sourceClient(context, new MeteredTransport(context.db.allowance, { transport }))
      const known = { etag: '', lastModified: '' }
      await expect(fetchCalendar(context, { url, source: 's', kind: '', client, known })).rejects.toThrow(
        'this calendar itself',
      )
    },
  )

  it('a source with some events of this calendar among its own is read without them', async () => {
    const page = ['URL:https://town.example/event/x/']
    serve([own([]), own(['RRULE:FREQ=WEEKLY;COUNT=2']), vevent('copy', 'Copy', page), vevent('theirs')])
    const { id } = await add()
    await calendar.tick()
    expect(await state(id)).toMatchObject({ state: 'ok' })
    expect(await titles()).toEqual(['Concert theirs'])
    const why = 'it is an event of this calendar'
    expect((await runs(id))[0].skipped).toContainEqual({ what: 'Copy', why, code: 'record_here' })
  })

  it.each(['/calendar/events/v1/events.ics', '/calendar/events/v1/', '/events/'])(
    'a source that is this calendar by an unknown name is not read, though it has events of others: %s',
    async path => {
      serve([vevent('theirs')])
      await add()
      await calendar.tick()
      await calendar.must('POST', '/events', {
        title: 'Own',
        start_date: '2027-03-02 19:00:00',
        end_date: '2027-03-02 21:00:00',
      })
      const { DB } = calendar
      const app = createApp(settingsOf(VARS))
      const mirror = await listen(() => async (request, response) => {
        // Neither addresses nor UIDs are those of this calendar: it would be asked by a name that no setting
        // knows.
        const answer = await app.request(`https://town.example${request.url}`, {}, { ...VARS, DB }, WAITING)
        const text = (await answer.text()).replaceAll('town.example', 'alias.example')
        const who = answer.headers.get('x-calendar-id')
        response.writeHead(answer.status, who === null ? {} : { 'x-calendar-id': who }).end(text)
      })
      const { id } = await add({ url: mirror.address + path })
      await calendar.tick()
      await calendar.tick()
      await mirror.close()
      expect(await state(id)).toMatchObject({ message: expect.stringContaining('is this calendar itself') })
      expect(await titles()).toEqual(['Concert theirs', 'Own'])
    },
  )

  it('a source with another id is another calendar, though it was made from the same database', async () => {
    const ids = await Promise.all(
      [VARS, { ...VARS, SITE_URL: 'https://staged.example' }, VARS].map(async vars => {
        const path = 'https://x.example/calendar/events/v1/events.ics'
        const { DB } = calendar
        const answer = await createApp(settingsOf(vars)).request(path, {}, { ...vars, DB }, WAITING)
        return answer.headers.get('x-calendar-id')
      }),
    )
    expect(ids[0]).toMatch(/^[\w-]{20}$/)
    expect(ids[2]).toBe(ids[0])
    expect(ids[1]).not.toBe(ids[0])
  })

  it('a source whose events all name the home page of this calendar is read', async () => {
    serve([vevent('theirs', 'Choir', ['URL:https://town.example/'])])
    const { id } = await add()
    await calendar.tick()
    expect(await state(id)).toMatchObject({ state: 'ok' })
    expect(await titles()).toEqual(['Choir'])
  })

  it('a source that is in a private network, or leads there, is not read', async () => {
    const context = importContext({
      db: new Database(calendar.DB),
      settings: settingsOf({}),
      nowMs: toEpoch('2026-11-20 12:00:00'),
    })
    const url = `${address}/`
    const known = { etag: '', lastModified: '' }
    const client = sourceClient(context, new MeteredTransport(context.db.allowance))
    await expect(fetchCalendar(context, { url, source: 's', kind: '', client, known })).rejects.toThrow(
      'private network',
    )
    expect(asked).toEqual([])
  })

  it('a source of somebody who has lost the permission is not read', async () => {
    serve(numberedEvents(1))
    await add()
    await calendar.rows("UPDATE users SET role = 'author'")
    await calendar.tick()
    await calendar.rows("UPDATE users SET role = 'administrator'")
    expect(await titles()).toEqual([])
    expect(await calendar.rows('SELECT state FROM sources')).toEqual([{ state: 'failing' }])
  })
})

describe('events of two calendars', () => {
  const times = { start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' }
  const countListed = async () =>
    (await calendar.must('GET', '/events?start_date=2027-01-01&per_page=100')).total

  const PLACE = 'LOCATION:Orpheus hall\\, Quay 1\\, 24103 Kiel'

  it('that are the same are joined in the minutes in which they are read, within 50 statements', async () => {
    const { id: venue } = await calendar.must('POST', '/venues', {
      venue: 'Orpheus hall',
      address: 'Quay 1',
      city: 'Kiel',
    })
    const titles = Array.from({ length: 50 }, (_, i) => `Evening ${i + 1} of Schubert with Quartet ${i}`)
    const requests = titles.map(title => ({
      method: 'POST',
      path: '/events',
      body: { ...times, title, venue },
    }))
    await calendar.must('POST', '/batch', { requests })
    for (let i = 0; i < 3; i++) await calendar.tick()
    serve(titles.map((title, i) => vevent(`s${i}`, title, [PLACE, 'URL:https://t.example/x'])))
    const { id } = await add({ mirror: true })
    const db = new Database(calendar.DB)
    await readSources({ db, settings: settingsOf(VARS), nowMs: Date.now() })
    expect(db.metrics.statements).toBeLessThanOrEqual(50)
    for (let i = 0; i < 4 && (await countListed()) > 50; i++) await calendar.tick()
    expect(await countListed()).toBe(50)
    expect((await runs(id))[0]).toMatchObject({ created: 50, joined: 50, asked: 0 })
    expect(
      await calendar.rows("SELECT count(*) AS n FROM events WHERE website = 'https://t.example/x'"),
    ).toEqual([{ n: 50 }])
    // The events that vanish there were hidden, and take nothing else along. The run ends before they do,
    // because it reads its document once.
    for (let i = 0; i < 2; i++) await calendar.tick()
    serve(titles.slice(10).map((title, i) => vevent(`s${i + 10}`, title, [PLACE])))
    passHours(24)
    for (let i = 0; i < 4; i++) await calendar.tick()
    expect(
      await calendar.rows(
        "SELECT count(*) AS n FROM events WHERE status = 'trash' AND title LIKE 'Evening %'",
      ),
    ).toEqual([{ n: 10 }])
    expect(await countListed()).toBe(50)
  })

  it('show the next one when a mirror trashes the one that shows', async () => {
    serve([vevent('a', 'Jazz of the quay', [PLACE])])
    const one = await add({ mirror: true })
    await calendar.tick()
    const two = await add({ name: 'Church', mirror: true })
    for (let i = 0; i < 3; i++) await calendar.tick()
    const eventOfSource = (id: number) =>
      calendar.rows(`SELECT duplicate_of IS NULL AS shown, status FROM events WHERE id =
        (SELECT target_id FROM imports WHERE source = '${importSource(id)}' AND kind = 'event')`)
    expect([await eventOfSource(one.id), await eventOfSource(two.id)]).toEqual([
      [{ shown: 1, status: 'publish' }],
      [{ shown: 0, status: 'publish' }],
    ])
    await calendar.must('DELETE', `/sources/${one.id}?events=trash`)
    for (let i = 0; i < 3; i++) await calendar.tick()
    expect(await eventOfSource(two.id)).toEqual([{ shown: 1, status: 'publish' }])
    expect(await countListed()).toBe(1)
  })
})

describe('a deleted source', () => {
  it('leaves its events, or moves them to the trash', async () => {
    serve(numberedEvents(55))
    const kept = await add()
    for (let i = 0; i < 3; i++) await calendar.tick()
    await calendar.must('DELETE', `/sources/${kept.id}`)
    expect(await titles()).toHaveLength(55)
    expect(await calendar.rows(`SELECT 1 FROM imports WHERE source = '${importSource(kept.id)}'`)).toEqual([])
    serve(numberedEvents(55, 'new'))
    const { id } = await add()
    for (let i = 0; i < 3; i++) await calendar.tick()
    expect(await titles()).toHaveLength(110)
    await calendar.must('DELETE', `/sources/${id}?events=trash`)
    expect((await calendar.send('GET', `/sources/${id}`)).status).toBe(404)
    // The rest is left to the cron if a request has no room for it.
    expect((await titles()).length).toBeLessThanOrEqual(60)
    for (let i = 0; i < 4; i++) await calendar.tick()
    expect(await titles()).toHaveLength(55)
    expect(await calendar.rows('SELECT 1 FROM sources')).toEqual([])
  })
})
