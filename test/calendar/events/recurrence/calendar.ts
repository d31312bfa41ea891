import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import worker from '../../../../src/index.ts'
import { type Answer, makeEvent, queryAll, send } from '../../../factories.ts'

/** A weekly event of five dates. */
export const WEEKLY = {
  title: 'Yoga',
  description: '<p>Bring a mat.</p>',
  start_date: '2027-01-05 20:00:00',
  end_date: '2027-01-05 21:30:00',
  timezone: 'Europe/Rome',
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
}

export const DATES = ['2027-01-05', '2027-01-12', '2027-01-19', '2027-01-26', '2027-02-02']

const LINKS = ['venues', 'organizers', 'terms'].flatMap(name => [`event_${name}`, `series_${name}`])
const OF_EVENTS = [...LINKS, 'events', 'series', 'terms', 'former_slugs', 'review_notes', 'audit']

/** Deletes all events and their rows, so that ids start again, in a tenth of the time of a new database. */
export const deleteEvents = (...alsoFrom: string[]) => {
  const tables = [...OF_EVENTS, ...alsoFrom]
  const names = tables.map(name => `'${name}'`)
  return queryAll([...tables, `sqlite_sequence WHERE name IN (${names})`].map(rows => `DELETE FROM ${rows}`))
}

export type Body = Answer['body']

export const makeWeekly = (as: string, fields: object = {}): Promise<Body> =>
  makeEvent(as, { ...WEEKLY, ...fields })

/** All listed occurrences of a series, or of all. */
export async function readListed(query = '', as?: string): Promise<Body[]> {
  const { status, body, text } = await send(
    'GET',
    `/events?start_date=1990-01-01&end_date=2100-01-01&per_page=100${query}`,
    as === undefined ? {} : { as },
  )
  expect(status, text).toBe(200)
  return body.events
}

/** The starts of the listed occurrences. */
export const starts = async (query = ''): Promise<string[]> =>
  (await readListed(query)).map(({ start_date }) => start_date)

/** The days of the listed occurrences, `01-05` for 5 January. */
export const days = async (): Promise<string> => (await starts()).map(start => start.slice(5, 10)).join(' ')

/** The condition of an occurrence of the series that an event belongs to. */
export const inSeriesOf = (id: number): string =>
  `series_id = (SELECT series_id FROM events WHERE id = ${id})`

/** Runs the cron at a time, which it is from then on. */
export async function runCronAt(time: string): Promise<void> {
  vi.setSystemTime(time)
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), env)
}

export const patch = (as: string, id: number, json: object): Promise<Answer> =>
  send('PATCH', `/events/${id}`, { as, json })
