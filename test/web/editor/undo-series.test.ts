import { beforeAll, expect, it } from 'vitest'
import { makeEvent, makeVenue, query, send } from '../../factories.ts'
import { bySubmitting } from './by-submitting.ts'
import { signedIn } from './session.ts'

// A change of several dates of a series is undone exactly, or cannot be undone. New dates are left in the trash, as the page says.

const editor = signedIn('editor', 'ella')

beforeAll(async () => {
  await makeVenue(editor.as, 'Hall')
  await makeVenue(editor.as, 'Yard')
})

const VERSIONS = ['version', 'modified', 'modified_utc', 'sequence', 'search_key']

/** The rows of a series and of its dates outside the trash, with their links. */
async function rowsOf(first: number) {
  const plain = (rows: Record<string, unknown>[]) =>
    rows.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => !VERSIONS.includes(name))))
  const venues = (owner: 'event' | 'series') =>
    `(SELECT group_concat(target_id ORDER BY position) FROM ${owner}_venues WHERE ${owner}_id = ${owner === 'event' ? 'events' : 'series'}.id)`
  const dates = `events WHERE id >= ${first} AND status <> 'trash'`
  return {
    events: plain(await query(`SELECT *, ${venues('event')} AS venues FROM ${dates} ORDER BY id`)),
    series: plain(
      await query(
        `SELECT *, ${venues('series')} AS venues FROM series WHERE id IN (SELECT series_id FROM ${dates}) ORDER BY id`,
      ),
    ),
  }
}

type Date = { id: number; start_date: string; end_date: string }

const on = ({ start_date }: Date, clock: string, later = 0) =>
  `${new Date(Date.parse(`${start_date.slice(0, 10)}T00:00:00Z`) + later * 86_400_000).toISOString().slice(0, 10)} ${clock}`

const KINDS: Record<string, (date: Date) => object> = {
  time: date => ({ start_date: on(date, '18:30:00'), end_date: on(date, '19:30:00') }),
  length: date => ({ end_date: on(date, '23:15:00') }),
  day: date => ({ start_date: on(date, '17:00:00', 2), end_date: on(date, '18:00:00', 2) }),
  rule: () => ({ recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4' } }),
  fewer: () => ({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } }),
  fields: () => ({
    title: 'Course',
    cost: '9',
    venue: [2],
    description: 'Other',
    custom_fields: { a: { label: 'A', value: '1' } },
  }),
  cancelled: () => ({ event_status: 'canceled', event_status_reason: 'Ill' }),
  draft: () => ({ status: 'draft' }),
  ended: () => ({ recurrence: '' }),
}

/** Makes a series whose third date, and only that, has values of its own if it is `moved`. */
async function makeSeries(isMoved: boolean): Promise<Date[]> {
  const first = await makeEvent(editor.as, {
    title: 'Class',
    description: 'For all',
    venue: 1,
    start_date: '2027-01-05 20:00',
    end_date: '2027-01-05 21:30',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', exdate: ['2027-01-26'] },
  })
  const { body } = await send('GET', `/events?series=${first.series.id}&start_date=2027-01-01`)
  const third = body.events[2].id
  const own = { title: 'Party', cost: '3', start_date: '2027-01-20 17:00', end_date: '2027-01-20 18:00' }
  if (isMoved) await send('PATCH', `/events/${third}`, { as: editor.as, json: own })
  return (await send('GET', `/events?series=${first.series.id}&start_date=2027-01-01`)).body.events
}

const CASES = Object.keys(KINDS).flatMap(kind =>
  (['all', 'following'] as const).flatMap(scope =>
    [false, true].flatMap(isMoved => [0, 2].map(at => [kind, scope, isMoved, at] as const)),
  ),
)

it.each(CASES)('%s of %s dates, with one of its own: %s, from date %i', async (kind, scope, isMoved, at) => {
  const dates = await makeSeries(isMoved)
  const [first, named] = [dates[0], dates[at]]
  if (!first || !named) throw new Error('The series has no such date.')
  const before = await rowsOf(first.id)
  const body = { ...KINDS[kind]?.(named), scope }
  const address = await bySubmitting('ella', [{ method: 'PATCH', path: `/events/${named.id}`, body }])
  const changed = await rowsOf(first.id)
  expect(changed).not.toEqual(before)
  const { text, status } = await editor.browser.submit(address)
  // Nothing is said to be undone that is not.
  if (status === 410) expect(await rowsOf(first.id)).toEqual(changed)
  else {
    expect(text).toContain('Undone.')
    expect(await rowsOf(first.id)).toEqual(before)
  }
  const isDivided = scope === 'following' && at > 0
  if (isDivided || kind === 'ended') expect(status).toBe(410)
  else if (!isMoved) expect(status).toBe(200)
})
