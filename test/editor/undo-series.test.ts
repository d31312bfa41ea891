import { beforeAll, expect, it } from 'vitest'
import { makeCategory, makeEvent, makeOrganizer, makeVenue, query, send } from '../factories.ts'
import { bySubmitting } from './by-submitting.ts'
import { signedIn } from './session.ts'

// Undo restores every row of a series and of its dates: whatever changed, through whichever date, for
// whichever scope.

const editor = signedIn('editor', 'ella')

beforeAll(async () => {
  for (const name of ['Hall', 'Yard']) {
    await makeVenue(editor.as, name)
    await makeOrganizer(editor.as, name)
    await makeCategory(editor.as, name)
  }
})

// SEQUENCE in subscribers' calendars never decreases either.
const RISING = ['version', 'modified', 'modified_utc', 'sequence_offset']

/**
 * All rows of a series and of its dates, those in the trash included, with their links, and the texts by
 * which searches find them.
 */
async function rowsOf(first: number) {
  const links = (owner: 'event' | 'series') =>
    ['venues', 'organizers', 'terms'].map(
      name => `(SELECT group_concat(target_id ORDER BY ${name === 'terms' ? 'target_id' : 'position'})
        FROM ${owner}_${name} WHERE ${owner}_id = own.id) AS ${name}`,
    )
  const rows = [
    query(`SELECT *, ${links('event')}, (SELECT coalesce(listed, unlisted) FROM events_search WHERE rowid = own.search_key) AS text
      FROM events AS own WHERE id >= ${first} ORDER BY id`),
    query(`SELECT *, ${links('series')}, (SELECT search_text FROM series_search WHERE rowid = own.id) AS text
      FROM series AS own WHERE id >= (SELECT series_id FROM events WHERE id = ${first}) ORDER BY id`),
    query(
      `SELECT facet, target_id, event_id, utc_start_date FROM listings WHERE event_id >= ${first} ORDER BY 1, 2, 3`,
    ),
  ]
  const [events, series, listings] = (await Promise.all(rows)).map(found =>
    found.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => !RISING.includes(name)))),
  )
  return { events, series, listings }
}

type SeriesDate = { id: number; slug: string; start_date: string; end_date: string }

const on = ({ start_date }: SeriesDate, clock: string, later = 0) =>
  `${new Date(Date.parse(`${start_date.slice(0, 10)}T00:00:00Z`) + later * 86_400_000).toISOString().slice(0, 10)} ${clock}`

const patch = (body: object) => ({ method: 'PATCH', body })

const KINDS: Record<string, (date: SeriesDate) => { method: string; body: object }> = {
  time: date => patch({ start_date: on(date, '18:30:00'), end_date: on(date, '19:30:00') }),
  length: date => patch({ end_date: on(date, '23:15:00') }),
  day: date => patch({ start_date: on(date, '17:00:00', 2), end_date: on(date, '18:00:00', 2) }),
  'whole week': date => patch({ start_date: on(date, '20:00:00', 7), end_date: on(date, '21:30:00', 7) }),
  rule: () => patch({ recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4' } }),
  more: () => patch({ recurrence: { rrule: 'FREQ=DAILY;COUNT=9' } }),
  fewer: () => patch({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } }),
  fields: () =>
    patch({
      title: 'Course',
      cost: '9',
      venue: [2],
      organizer: [2, 1],
      categories: [2],
      tags: ['late'],
      image: 'https://img.example/b.png',
      description: 'Other',
      custom_fields: { a: { label: 'A', value: '1' } },
    }),
  address: () => patch({ slug: 'course' }),
  cancelled: () => patch({ event_status: 'canceled', event_status_reason: 'Ill' }),
  draft: () => patch({ status: 'draft' }),
  trash: () => patch({ status: 'trash' }),
  'trash and title': () => patch({ status: 'trash', title: 'Course' }),
  deletion: () => ({ method: 'DELETE', body: {} }),
  ended: () => patch({ recurrence: '' }),
}

/** Makes a series whose third date, and only that, has values of its own if it is `moved`. */
async function makeSeries(isMoved: boolean): Promise<SeriesDate[]> {
  const first = await makeEvent(editor.as, {
    title: 'Class',
    description: 'For all',
    venue: 1,
    organizer: [1],
    categories: [1],
    tags: ['free'],
    image: 'https://img.example/a.png',
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

const OF_SERIES = ['rule', 'more', 'fewer', 'ended']

const CASES = Object.keys(KINDS).flatMap(kind =>
  (['this', 'all', 'following'] as const)
    .filter(scope => scope !== 'this' || !OF_SERIES.includes(kind))
    .flatMap(scope =>
      [false, true].flatMap(isMoved => [0, 2].map(at => [kind, scope, isMoved, at] as const)),
    ),
)

it.each(CASES)(
  'an undo restores a series after «%s» for %s dates, one of which was moved: %s, from date %i',
  async (kind, scope, isMoved, at) => {
    const dates = await makeSeries(isMoved)
    const first = dates[0]
    const named = dates[at]
    const change = named && KINDS[kind]?.(named)
    if (!first || !change) throw new Error('The series has no such date.')
    const before = await rowsOf(first.id)
    const path = `/events/${named.id}?scope=${scope}`
    const undo = await bySubmitting('ella', [{ ...change, path }])
    expect(await rowsOf(first.id)).not.toEqual(before)
    const { text } = await editor.browser.submit(undo)
    expect(text).toContain('The change has been undone.')
    expect(await rowsOf(first.id)).toEqual(before)
  },
)

it('an undo restores the former time of a single event, and makes a repeated one single again', async () => {
  const { id } = await makeEvent(editor.as, { start_date: '2027-01-05 20:00', end_date: '2027-01-05 21:30' })
  const moved = { start_date: '2027-01-06 20:00', end_date: '2027-01-06 21:30' }
  await send('PATCH', `/events/${id}`, { as: editor.as, json: moved })
  const before = await rowsOf(id)
  for (const body of [
    { start_date: '2027-01-06 19:00' },
    { recurrence: 'FREQ=DAILY;COUNT=3', title: 'Thrice' },
  ]) {
    const undo = await bySubmitting('ella', [{ method: 'PATCH', path: `/events/${id}`, body }])
    expect(await rowsOf(id)).not.toEqual(before)
    expect((await editor.browser.submit(undo)).text).toContain('The change has been undone.')
    expect(await rowsOf(id)).toEqual(before)
  }
})

type Since = (dates: SeriesDate[], venue: number) => Promise<unknown>

const SINCE: Record<string, Since> = {
  'another date has changed': ([, second]) =>
    send('PATCH', `/events/${second?.id}`, { as: editor.as, json: { title: 'Other' } }),
  'a new date has changed': ([first]) =>
    send('PATCH', `/events/${(first?.id ?? 0) + 9}`, { as: editor.as, json: { title: 'Other' } }),
  'a venue was deleted': (_, venue) =>
    send('DELETE', `/venues/${venue}?force=true&detach=true`, { as: editor.as }),
  'an address is taken': ([, , third]) => makeEvent(editor.as, { slug: third?.slug }),
}

it.each(Object.keys(SINCE))('an undo leaves everything as it is if %s since', async since => {
  const dates = await makeSeries(false)
  const [first] = dates
  if (!first) throw new Error('The series has no dates.')
  const path = `/events/${first.id}?scope=all`
  const { id: venue } = await makeVenue(editor.as, `Shed ${since}`)
  await send('PATCH', path, { as: editor.as, json: { venue: [venue] } })
  const body = { venue: [1], slug: 'course', recurrence: 'FREQ=DAILY;COUNT=12' }
  const undo = await bySubmitting('ella', [{ method: 'PATCH', path, body }])
  await SINCE[since]?.(dates, venue)
  const changed = await rowsOf(first.id)
  const { status, text } = await editor.browser.submit(undo)
  expect([status, text]).toEqual([409, expect.stringContaining('changed')])
  expect(await rowsOf(first.id)).toEqual(changed)
})
