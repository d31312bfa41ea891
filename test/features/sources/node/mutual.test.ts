import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { SourceItem } from '../../../../src/calendar/imports/records.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { readOwnCalendarId } from '../../../../src/kit/http/revision.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import { addressItems } from '../../../../src/readers/addresses.ts'
import { fileItems } from '../../../../src/readers/files.ts'
import { temporaryFolder } from '../../../commands/spawn.ts'
import { listen } from '../../../listen.ts'
import { type Calendar, openCalendar } from '../../../node-calendar.ts'
import { CLIENT } from '../../../readers/site-server.ts'
import { useFeed, vevent } from './feed.ts'

// Two calendars that read each other at addresses that neither recognises as its own, such as those of a
// proxy that leaves out headers, and one that reads a copy of itself.

const ROOT = '/calendar/events/v1'
const feed = await useFeed()
const { calendar: town } = feed
let village: Calendar
let closing: (() => Promise<void>)[] = []
let addresses: { town: string; village: string }

/** A server that passes on what a calendar says, but for its headers. */
async function proxyOf(calendar: () => Calendar): Promise<string> {
  const { address, close } = await listen(origin => async (request, response) => {
    const answer = await calendar().ask(origin + request.url)
    const names = ['content-type', 'x-tec-api-root', 'x-tec-api-version', 'location']
    const headers = names.flatMap(name => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    response.writeHead(answer.status, Object.fromEntries(headers)).end(await answer.text())
  })
  closing.push(close)
  return address
}

beforeAll(async () => {
  village = await openCalendar(undefined, 'https://village.example')
  await village.setUp()
  addresses = { town: await proxyOf(() => town), village: await proxyOf(() => village) }
})
afterAll(async () => {
  for (const close of closing) await close()
  closing = []
  await village.stop()
})
beforeEach(() => village.clear())

const EVENT = { start_date: '2027-03-02 19:00:00', end_date: '2027-03-02 21:00:00' }
const titlesOf = async (calendar: Calendar) =>
  (await calendar.rows("SELECT title FROM events WHERE status <> 'trash' ORDER BY title")).map(
    ({ title }) => title,
  )
const addSource = (calendar: Calendar, url: string, fields: object = {}) =>
  calendar.must('POST', '/sources', { name: url, url, every: 'hour', ...fields })

/** Lets both read their sources, several times. */
async function goOn(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    feed.passMinutes(61)
    for (const calendar of [town, village]) await calendar.tick()
    feed.passMinutes(2)
    for (const calendar of [town, village]) await calendar.tick()
  }
}

describe('two calendars that read each other', () => {
  const series = vevent('yoga@theatre.example', 'Yoga', ['RRULE:FREQ=WEEKLY;COUNT=3'])
  const single = (title: string, time = '19') => [
    ...['BEGIN:VEVENT', 'UID:play@theatre.example', `DTSTART:20270310T${time}0000Z`],
    ...['DTEND:20270310T230000Z', `SUMMARY:${title}`, 'URL:https://theatre.example/play', 'END:VEVENT'],
  ]

  it('have each event once, whether it is from either of them or from a third calendar', async () => {
    feed.serve([single('Play'), series])
    await feed.add({ every: 'hour' })
    await town.must('POST', '/events', { title: 'Fair', ...EVENT })
    await village.must('POST', '/events', { title: 'Dance', ...EVENT })
    await addSource(village, `${addresses.town}${ROOT}/events.ics`)
    await addSource(town, `${addresses.village}${ROOT}/events.ics`)
    await goOn(3)
    const all = ['Dance', 'Fair', 'Play', 'Yoga', 'Yoga', 'Yoga']
    expect(await titlesOf(town)).toEqual(all)
    expect(await titlesOf(village)).toEqual(all)
    // The town reads the theatre itself, so the play moves there first.
    feed.serve([single('Play, later', '20'), series])
    await goOn(3)
    const later = all.map(title => (title === 'Play' ? 'Play, later' : title))
    expect(await titlesOf(town)).toEqual(later)
    expect(await titlesOf(village)).toEqual(later)
    const runs = (await town.must('GET', '/sources/2/runs')).runs
    expect(runs[0].skipped).toContainEqual({
      what: 'Play, later',
      why: 'it is in this calendar already',
      code: 'record_here',
    })
  })

  it('count the dates of a series that moves as updated, not as new ones and others in the trash', async () => {
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=4' }
    const { id } = await town.must('POST', '/events', { title: 'Choir', ...EVENT, recurrence })
    const source = await addSource(village, `${addresses.town}${ROOT}/`)
    await goOn(1)
    const dates = () => village.rows('SELECT id, status FROM events ORDER BY id')
    const before = await dates()
    expect(before).toHaveLength(4)
    const counts = async () => (await village.must('GET', `/sources/${source.id}/runs`)).runs[0]
    for (const day of ['2027-03-02', '2027-03-03']) {
      const times = { start_date: `${day} 18:00:00`, end_date: `${day} 20:00:00` }
      await town.must('PATCH', `/events/${id}?scope=all`, times)
      await goOn(1)
      expect(await dates()).toEqual(before)
      expect(await counts()).toMatchObject({ created: 0, updated: 4, trashed: 0 })
    }
    // What really goes is counted.
    await town.must('DELETE', `/events/${id}?scope=this`)
    await goOn(1)
    expect(await counts()).toMatchObject({ created: 0, trashed: 1 })
  })

  it('do not bring back what was deleted here', async () => {
    feed.serve([single('Play')])
    await feed.add({ every: 'hour' })
    await goOn(1)
    await addSource(village, `${addresses.town}${ROOT}/events.ics`)
    await goOn(1)
    const [play] = await town.rows('SELECT id FROM events')
    await town.must('DELETE', `/events/${play?.id}`)
    await addSource(town, `${addresses.village}${ROOT}/events.ics`)
    await goOn(2)
    expect(await titlesOf(town)).toEqual([])
  })

  it.each(['/', `${ROOT}/events.ics`])(
    'recognise their own events by the address at which these were read: %s',
    async path => {
      await town.must('POST', '/events', { title: 'Fair', website: 'https://fair.example/', ...EVENT })
      const { id } = await addSource(village, addresses.town + path)
      await goOn(1)
      expect(await titlesOf(village)).toEqual(['Fair'])
      await village.rows(`UPDATE sources SET url = 'https://town.example${path}' WHERE id = ${id}`)
      await village.rows(`UPDATE events SET uid = '', title = 'The fair', external_id = ''`)
      await village.must('POST', '/events', { title: 'Dance', ...EVENT })
      await addSource(town, addresses.village + path)
      await goOn(2)
      expect(await titlesOf(town)).toEqual(['Dance', 'Fair'])
    },
  )
})

describe('a copy of this calendar', () => {
  const importing = async (calendar: Calendar, site: string) => ({
    timezone: 'UTC',
    nowMs: Date.now(),
    note: () => {},
    ownId: await readOwnCalendarId(new Database(calendar.DB), settingsOf({ SITE_URL: site })),
  })
  const WINDOW = { from: '2020-01-01 00:00:00', to: '2030-01-01 00:00:00' }

  it('names its source, wherever it comes from', async () => {
    await town.must('POST', '/events', { title: 'Fair', ...EVENT })
    const own = await readOwnCalendarId(
      new Database(town.DB),
      settingsOf({ SITE_URL: 'https://town.example' }),
    )
    const { events } = await town.read('/events')
    for (const path of ['/events.ics', `/events/${events[0].id}.ics`, '/events.ics?expand=1'])
      for (let i = 0; i < 2; i++) {
        const answer = await town.ask(`https://x.example${ROOT}${path}`)
        expect(answer.headers.get('x-calendar-id')).toBe(own)
        expect(await answer.text()).toContain(`\r\nX-CALENDAR-ID:${own}\r\n`)
      }
  })

  it('is not read by a source, though nothing but the copy says so', async () => {
    await town.must('POST', '/events', { title: 'Fair', ...EVENT })
    const text = await (await town.ask(`https://x.example${ROOT}/events.ics`)).text()
    feed.answer(response => {
      response.writeHead(200, { 'content-type': 'text/calendar' })
      response.end(text.replaceAll('town.example', 'alias.example'))
    })
    await feed.add()
    await feed.runEveryOtherMinute(4)
    expect(await feed.state()).toMatchObject({
      message: expect.stringContaining('is this calendar itself'),
    })
    expect(await titlesOf(town)).toEqual(['Fair'])
  })

  it('is not imported into it, from a file or from an address, but into another one', async () => {
    await town.must('POST', '/events', { title: 'Fair', ...EVENT })
    const file = join(temporaryFolder(onTestFinished), 'saved.ics')
    await writeFile(file, await (await town.ask(`https://x.example${ROOT}/events.ics`)).text())
    const into = {
      town: await importing(town, 'https://town.example'),
      village: await importing(village, 'https://village.example'),
    }
    const recordsOf = (items: SourceItem[]) => items.filter(({ type }) => type === 'record').length
    const failed = [
      expect.objectContaining({ type: 'failed', reason: expect.stringContaining('this calendar itself') }),
    ]
    expect(await Array.fromAsync(fileItems([file], WINDOW, into.town))).toEqual(failed)
    expect(recordsOf(await Array.fromAsync(fileItems([file], WINDOW, into.village)))).toBe(1)
    const options = { client: CLIENT, window: WINDOW }
    const address = `${addresses.town}${ROOT}/events.ics`
    await expect(Array.fromAsync(addressItems(address, options, into.town))).rejects.toThrow(
      'this calendar itself',
    )
    expect(recordsOf(await Array.fromAsync(addressItems(address, options, into.village)))).toBe(1)
  })

  it('is not read where another address leads to it', async () => {
    await town.must('POST', '/events', { title: 'Fair', ...EVENT })
    const location = `${addresses.town}${ROOT}/events.ics`
    feed.answer(response => void response.writeHead(302, { location }).end())
    await feed.add()
    await feed.runEveryOtherMinute(4)
    expect(await feed.state()).toMatchObject({ message: expect.stringContaining('is this calendar itself') })
    expect(await titlesOf(town)).toEqual(['Fair'])
  })
})
