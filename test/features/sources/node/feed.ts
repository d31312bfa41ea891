import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { readSources } from '../../../../src/features/sources/schedule/run.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import { beginAtNoon } from '../../../clock.ts'
import { listen } from '../../../listen.ts'
import { openCalendar } from '../../../node-calendar.ts'
import { ignoreDatabaseFailure } from '../../../watched-d1.ts'

// A calendar that reads what a server of this machine sends. The clock is set: no test waits for it.

export const VARS = { SITE_URL: 'https://town.example', TIMEZONE: 'UTC', ALLOW_PRIVATE_HOSTS: 'on' }

/** Gives the tests of a file a calendar, which each finds empty, and a server. */
export async function useServer(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const calendar = await openCalendar()
  const { address, close } = await listen(() => handle)
  beginAtNoon()
  beforeAll(calendar.setUp)
  afterAll(async () => {
    await close()
    await calendar.stop()
  })
  beforeEach(async () => {
    await calendar.clear()
    await calendar.rows('DELETE FROM terms')
  })
  const laterMs = (ms: number) => void vi.setSystemTime(Date.now() + ms)
  return {
    calendar,
    address,
    passMinutes: (minutes: number) => laterMs(minutes * 60_000),
    passHours: (hours: number) => laterMs(hours * 3_600_000),
    state: (id: number) => calendar.must('GET', `/sources/${id}`),
    runs: async (id: number) => (await calendar.must('GET', `/sources/${id}/runs`)).runs,
    /** The titles of events, by their status. */
    titles: async (status = 'publish'): Promise<string[]> =>
      (await calendar.rows(`SELECT title FROM events WHERE status = '${status}' ORDER BY title, id`)).map(
        ({ title }) => title,
      ),
  }
}

type Respond = (response: ServerResponse, url: string, headers: IncomingHttpHeaders) => void

/** The lines of an event on 1 March 2027 at 19:00. */
export const vevent = (uid: string, title = `Concert ${uid}`, more: readonly string[] = []): string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTART:20270301T190000Z',
  'DTEND:20270301T210000Z',
  `SUMMARY:${title}`,
  ...more,
  'END:VEVENT',
]

/** The given number of events. */
export const numberedEvents = (
  count: number,
  more: (i: number) => readonly string[] = () => [],
): string[][] => Array.from({ length: count }, (_, i) => vevent(`e${i}`, `Concert ${i}`, more(i)))

export const ics = (events: readonly string[][]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:Theatre', ...events.flat(), 'END:VCALENDAR'].join('\r\n')

const entityTag = (body: string): string => `"${createHash('sha1').update(body).digest('hex')}"`

/** A response with some events, which the server knows by an entity tag. */
export const feedOf = (events: readonly string[][]): Respond => {
  const body = ics(events)
  const etag = entityTag(body)
  return (response, _, headers) => {
    if (headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.writeHead(200, { 'content-type': 'text/calendar', etag }).end(body)
  }
}

/** Responses of a site with the API, whose lists have a page each. @param more beside the records of each */
export const siteOf =
  (lists: Record<string, object[]>, more: object = {}): Respond =>
  (response, url) => {
    if (url === '/') return void response.writeHead(200, { 'x-tec-api-root': '/api/' }).end('<html></html>')
    const [, name = ''] = /^\/api\/(\w+)\?/.exec(url) ?? []
    const items = lists[name]
    if (!items) return void response.writeHead(404).end('{}')
    response.end(JSON.stringify({ [name]: items, total: items.length, total_pages: 1, ...more }))
  }

/** An event of such a site. */
export const siteEvent = (id: number, more: object = {}) => ({
  id,
  author: '1',
  status: 'publish',
  title: `Event ${id}`,
  slug: `e${id}`,
  timezone: 'UTC',
  start_date: '2027-03-01 10:00:00',
  end_date: '2027-03-01 12:00:00',
  utc_start_date: '2027-03-01 10:00:00',
  utc_end_date: '2027-03-01 12:00:00',
  ...more,
})

/** Has the tests of a file read a feed, each into an empty calendar. */
export async function useFeed() {
  let respond: Respond = response => void response.writeHead(404).end()
  let statuses: number[] = []
  const server = await useServer((request, response) => {
    response.on('finish', () => statuses.push(response.statusCode))
    respond(response, request.url ?? '', request.headers)
  })
  beforeEach(() => {
    statuses = []
  })
  const { calendar, address, passMinutes: later } = server
  return {
    ...server,
    /** The statuses of what the server has answered. */
    statuses: () => statuses,
    /** Has the server answer in some way. */
    answer: (how: Respond) => {
      respond = how
    },
    /** Has the server send some events, which it knows by an entity tag. */
    serve: (events: readonly string[][]) => {
      respond = feedOf(events)
    },
    /** Adds the feed. @returns its id */
    add: async (fields: object = {}): Promise<number> =>
      (await calendar.must('POST', '/sources', { name: 'Theatre', url: `${address}/feed.ics`, ...fields }))
        .id,
    /**
     * Does the work of the cron on sources every other minute, for some minutes.
     *
     * @param DB the database as the cron sees it
     * @param build the version of the Worker
     * @returns the statements of each time
     */
    runEveryOtherMinute: async (minutes: number, DB = calendar.DB, build = ''): Promise<number[]> => {
      const settings = settingsOf({ ...VARS, CF_VERSION_METADATA: { id: build } })
      const statements: number[] = []
      for (let minute = 0; minute < minutes; minute += 2) {
        const db = new Database(DB)
        const patience = { sleep: async () => {} }
        await readSources({ db, settings, nowMs: Date.now(), patience }).catch(ignoreDatabaseFailure)
        statements.push(db.metrics.statements)
        later(2)
      }
      return statements
    },
    state: async () => (await calendar.must('GET', '/sources')).sources[0],
  }
}
