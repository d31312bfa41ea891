import { beforeEach, describe, expect, it } from 'vitest'
import { tellPeople, updateAllPlaces } from '../../../../src/features/registrations/cron.ts'
import { readSources } from '../../../../src/features/sources/schedule/run.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { pick } from '../../../../src/kit/lib/values.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import { feedOf, numberedEvents, useServer, VARS } from '../../sources/node/feed.ts'

// Sources that move, lose or repeat events for which people have registered.

let source = 0
let respond = feedOf([])
const server = await useServer((request, response) => respond(response, request.url ?? '', request.headers))
const { calendar, address, passHours: laterHours } = server
const others = numberedEvents(9)

// A run has CPU for a few registrations only, and takes any.
beforeEach(() => calendar.rows('DELETE FROM registrations'))

type Fields = { start?: string; title?: string; more?: readonly string[] }

const course = ({ start = '20270308T180000Z', title = 'Bread', more = [] }: Fields = {}): string[] => [
  ...['BEGIN:VEVENT', 'UID:bread', `DTSTART:${start}`, 'DURATION:PT2H', `SUMMARY:${title}`],
  ...['LOCATION:Mill, Kilkenny', ...more, 'END:VEVENT'],
]

const readAll = () =>
  readSources({
    db: new Database(calendar.DB),
    settings: settingsOf(VARS),
    nowMs: Date.now(),
    patience: { sleep: async () => {} },
  })

/** Reads a calendar with some events besides the others, a day later. @returns the run */
async function read(...events: string[][]) {
  respond = feedOf([...others, ...events])
  laterHours(24)
  for (let n = 0; n < 3; n++) await readAll()
  return (await calendar.must('GET', `/sources/${source}/runs`)).runs[0]
}

const eventRows = (where = "title LIKE 'Bread%'") =>
  calendar.rows(
    `SELECT id, title, status, start_date, ticketed, ticket_availability FROM events WHERE ${where} ORDER BY occurrence_date, id`,
  )

/** A source whose course, or a date of it, has somebody on its list. @returns the id of the event */
async function begin(mirror: boolean, fields: Fields = {}, where = "title = 'Bread'"): Promise<number> {
  const made = await calendar.must('POST', '/sources', { name: 'Theatre', url: `${address}/`, mirror })
  source = made.id
  await read(course(fields))
  const id = Number((await eventRows(where)).at(0)?.id)
  await insertRegistration(
    `event_id, places, api) VALUES (${id}, 12, 'https://town.example/calendar/events/v1'`,
  )
  // As the calendar writes it.
  await calendar.rows(`UPDATE registrations SET tickets = 'available'`)
  await calendar.rows(`UPDATE events SET ticketed = 1, ticket_availability = 'available' WHERE id = ${id}`)
  return id
}

async function insertRegistration(values: string): Promise<void> {
  const [row] = await calendar.rows(`INSERT INTO registrations (${values}) RETURNING id`)
  await calendar.rows(`INSERT INTO registrants (registration_id, state, name, email, language, position, created_utc)
    VALUES (${row?.id}, 'confirmed', 'Ann', 'ann@people.example', 'en', 1, '2026-11-20 12:00:00')`)
}

const asked = async (id: number) => (await calendar.must('GET', `/events/${id}/registration`)).asked
const answer = (id: number, follow: boolean, more: object = {}) =>
  calendar.must('POST', `/events/${id}/registration/answer`, { follow, ...more })

const MOVED = { start: '20270309T190000Z' }
const WISH = {
  what: 'move',
  start_date: '2027-03-09 19:00:00',
  end_date: '2027-03-09 21:00:00',
  timezone: 'UTC',
  all_day: false,
}
const STAYS = {
  start_date: '2027-03-08 18:00:00',
  status: 'publish',
  ticketed: 1,
  ticket_availability: 'available',
}

describe.each([true, false])('an event with people, of a source that is a mirror: %s', mirror => {
  it('follows in its other fields, and asks before it moves', async () => {
    const id = await begin(mirror)
    const run = await read(course({ ...MOVED, title: 'Bread and rolls' }))
    expect(run).toMatchObject({ state: 'done', asked: 1, trashed: 0 })
    expect(run.skipped).toEqual([
      expect.objectContaining({ what: 'Bread and rolls', code: 'record_people', values: { event: id } }),
    ])
    expect(await eventRows()).toEqual([{ id, title: 'Bread and rolls', ...STAYS }])
    expect(await asked(id)).toEqual([{ event: id, ...WISH }])
    // It is asked once, whatever else changes.
    expect(await read(course({ ...MOVED, title: 'Bread, rolls' }))).toMatchObject({ updated: 1 })
    expect(await eventRows()).toEqual([{ id, title: 'Bread, rolls', ...STAYS }])
    expect((await answer(id, true)).asked).toEqual([])
    expect(await eventRows()).toEqual([
      { id, title: 'Bread, rolls', ...STAYS, start_date: '2027-03-09 19:00:00' },
    ])
    // And it goes on to follow.
    expect(await read(course({ ...MOVED, title: 'Bread now' }))).toMatchObject({ asked: 0 })
    expect(await eventRows()).toEqual([
      { id, title: 'Bread now', ...STAYS, start_date: '2027-03-09 19:00:00' },
    ])
  })

  it('stays where it is, if that is the answer', async () => {
    const id = await begin(mirror)
    await read(course(MOVED))
    expect((await answer(id, false)).asked).toEqual([])
    expect(await read(course({ ...MOVED, title: 'Bread now' }))).toMatchObject({ asked: 0 })
    expect(await eventRows()).toEqual([{ id, title: 'Bread now', ...STAYS }])
    expect(await asked(id)).toEqual([])
    // Another move is another question.
    expect(await read(course({ start: '20270310T190000Z' }))).toMatchObject({ asked: 1 })
    expect(await asked(id)).toMatchObject([{ start_date: '2027-03-10 19:00:00' }])
    // One that comes back is none.
    await read(course())
    expect(await asked(id)).toEqual([])
  })

  it('does not follow what was asked after its organizers have looked', async () => {
    const id = await begin(mirror)
    await read(course(MOVED))
    const before = await asked(id)
    await read(course({ start: '20270310T190000Z' }))
    await expect(answer(id, true, { asked: before })).rejects.toThrow('rest_registration_asked')
    await expect(answer(id, false, { asked: 'trash' })).rejects.toThrow('rest_invalid_param')
    expect(await eventRows()).toEqual([{ id, title: 'Bread', ...STAYS }])
    expect((await answer(id, true, { asked: await asked(id) })).asked).toEqual([])
    expect(await eventRows()).toMatchObject([{ start_date: '2027-03-10 19:00:00' }])
  })

  it('is not hidden because it is private there', async () => {
    const id = await begin(mirror)
    expect(await read(course({ more: ['CLASS:PRIVATE'] }))).toMatchObject({ asked: 1 })
    expect(await eventRows()).toEqual([{ id, title: 'Bread', ...STAYS }])
    expect(await asked(id)).toEqual([{ event: id, what: 'hide' }])
    await answer(id, true)
    expect(await eventRows()).toMatchObject([{ status: 'private' }])
  })

  it('goes on to follow after the calendar has written what is left, even if the audit has forgotten the import', async () => {
    const id = await begin(mirror)
    await calendar.rows('UPDATE registrations SET places = 1, taken = 1')
    laterHours(1)
    const run = { db: new Database(calendar.DB), settings: settingsOf(VARS), nowMs: Date.now() }
    await tellPeople(run)
    await updateAllPlaces(run)
    const tickets = { ticketed: 1, ticket_availability: 'waitlist' }
    expect(await eventRows()).toMatchObject([{ id, ...tickets }])
    await calendar.rows('DELETE FROM audit')
    await read(course({ title: 'Bread now' }))
    expect(await eventRows()).toMatchObject([{ id, title: 'Bread now', ...tickets }])
  })

  it('moves without a question once nobody is registered', async () => {
    const id = await begin(mirror)
    await calendar.rows('DELETE FROM registrants')
    expect(await read(course(MOVED))).toMatchObject({ asked: 0 })
    expect(await eventRows()).toEqual([{ id, title: 'Bread', ...STAYS, start_date: '2027-03-09 19:00:00' }])
  })
})

describe('an event with people that its mirror has no longer', () => {
  it('stays, while others go, and goes if that is the answer', async () => {
    const id = await begin(true)
    const [gone] = others.splice(0, 1)
    const run = await read()
    others.unshift(gone ?? [])
    expect(run).toMatchObject({ state: 'done', asked: 1, trashed: 1 })
    expect(run.skipped).toMatchObject([{ what: 'Bread', code: 'record_people', values: { event: id } }])
    expect(await eventRows()).toEqual([{ id, title: 'Bread', ...STAYS }])
    expect(await asked(id)).toEqual([{ event: id, what: 'trash' }])
    expect((await answer(id, true)).asked).toEqual([])
    expect(await eventRows()).toMatchObject([{ status: 'trash' }])
  })

  it('is asked about until somebody has answered, and no longer when it is back', async () => {
    const id = await begin(true)
    await read()
    expect(await asked(id)).toHaveLength(1)
    await read(course())
    expect(await asked(id)).toEqual([])
    await read()
    await answer(id, false)
    expect(
      await read(course({ title: 'Cheese' }).map(line => line.replace('bread', 'cheese'))),
    ).toMatchObject({ asked: 0 })
    expect(await eventRows()).toEqual([{ id, title: 'Bread', ...STAYS }])
    expect(await asked(id)).toEqual([])
  })
})

describe('a date of a series with people', () => {
  const WEEKLY = { more: ['RRULE:FREQ=WEEKLY;COUNT=4'] }
  const second = "title = 'Bread' AND occurrence_date LIKE '2027-03-15%'"
  const starts = async (status = 'publish') =>
    (await eventRows(`title = 'Bread' AND status = '${status}'`))
      .map(row => String(row.start_date).slice(5, 13))
      .sort()

  it.each([true, false])('stays when the others move, of a mirror: %s', async mirror => {
    const id = await begin(mirror, WEEKLY, second)
    expect(await read(course({ ...WEEKLY, start: '20270308T190000Z' }))).toMatchObject({ asked: 1 })
    expect(await starts()).toEqual(['03-08 19', '03-15 18', '03-22 19', '03-29 19'])
    expect(await asked(id)).toMatchObject([{ event: id, what: 'move', start_date: '2027-03-15 19:00:00' }])
    await answer(id, true)
    expect(await starts()).toEqual(['03-08 19', '03-15 19', '03-22 19', '03-29 19'])
    expect(
      await read(course({ more: [...WEEKLY.more, 'DESCRIPTION:New'], start: '20270308T190000Z' })),
    ).toMatchObject({ asked: 0 })
    expect(await starts()).toEqual(['03-08 19', '03-15 19', '03-22 19', '03-29 19'])
  })

  it.each([true, false])('stays when it is left out there, of a mirror: %s', async mirror => {
    const id = await begin(mirror, WEEKLY, second)
    const without = { more: [...WEEKLY.more, 'EXDATE:20270315T180000Z,20270322T180000Z'] }
    expect(await read(course(without))).toMatchObject({ asked: 1, trashed: 1 })
    expect(await starts()).toEqual(['03-08 18', '03-15 18', '03-29 18'])
    expect(await asked(id)).toEqual([{ event: id, what: 'trash' }])
    await answer(id, true)
    expect(await starts()).toEqual(['03-08 18', '03-29 18'])
  })

  it('stays when the whole series has vanished, and can be edited', async () => {
    const id = await begin(true, WEEKLY, second)
    expect(await read()).toMatchObject({ asked: 1, trashed: 3 })
    expect(await starts()).toEqual(['03-15 18'])
    expect(await calendar.rows("SELECT status FROM series WHERE title = 'Bread'")).toEqual([
      { status: 'publish' },
    ])
    await calendar.must('PATCH', `/events/${id}`, { title: 'Bread again', scope: 'all' })
    expect((await eventRows("title = 'Bread again' AND status = 'publish'")).map(row => row.id)).toEqual([id])
  })

  it.each([true, false])(
    'follows as a whole course whose places are taken, of a mirror: %s',
    async mirror => {
      source = (await calendar.must('POST', '/sources', { name: 'Theatre', url: `${address}/`, mirror })).id
      await read(course(WEEKLY))
      const [{ id, series_id: series } = {}] = await calendar.rows(
        "SELECT id, series_id FROM events WHERE title = 'Bread' ORDER BY occurrence_date",
      )
      await insertRegistration(
        `series_id, places, api) VALUES (${series}, 1, 'https://town.example/calendar/events/v1'`,
      )
      laterHours(1)
      const run = { db: new Database(calendar.DB), settings: settingsOf(VARS), nowMs: Date.now() }
      await tellPeople(run)
      await updateAllPlaces(run)
      const tickets = { ticketed: 1, ticket_availability: 'waitlist' }
      expect(
        await calendar.rows(`SELECT ticketed, ticket_availability FROM series WHERE id = ${series}`),
      ).toEqual([tickets])
      const titles = async () =>
        (await eventRows()).map(one => [one.title, pick(one, 'ticketed', 'ticket_availability')])
      const four = (title: string) => Array.from({ length: 4 }, () => [title, tickets])
      for (const title of ['Bread and rolls', 'Bread, rolls'])
        expect(await read(course({ ...WEEKLY, title })), title).toMatchObject({
          asked: 0,
          trashed: 0,
          skipped: [],
        })
      expect(await titles()).toEqual(four('Bread, rolls'))
      // What an editor writes is an edit.
      await calendar.must('PATCH', `/events/${id}`, { title: 'Bread of ours', scope: 'all' })
      await read(course({ ...WEEKLY, title: 'Bread now' }))
      expect(await titles()).toEqual(four(mirror ? 'Bread now' : 'Bread of ours'))
    },
  )

  it('is asked about with all others of a course', async () => {
    await begin(true, WEEKLY, second)
    await calendar.rows('DELETE FROM registrants')
    await calendar.rows('DELETE FROM registrations')
    const [{ series_id: series, id } = {}] = await calendar.rows(
      "SELECT series_id, id FROM events WHERE title = 'Bread'",
    )
    await insertRegistration(
      `series_id, places, api) VALUES (${series}, 12, 'https://town.example/calendar/events/v1'`,
    )
    expect(await read()).toMatchObject({ asked: 4, trashed: 0 })
    expect(await starts()).toHaveLength(4)
    expect(await asked(Number(id))).toHaveLength(4)
    await answer(Number(id), true)
    expect(await starts()).toEqual([])
  })
})

it('an event with people is combined with no duplicate from elsewhere before an editor says so', async () => {
  const id = await begin(false)
  const own = await calendar.must('POST', '/events', {
    title: 'Bread',
    start_date: '2027-03-08 18:00:00',
    end_date: '2027-03-08 20:00:00',
    timezone: 'UTC',
    venue: { venue: 'Mill, Kilkenny' },
  })
  await read(course())
  const { duplicates } = await calendar.must('GET', '/duplicates')
  expect(
    duplicates.map(({ state, events }: { state: string; events: { id: number }[] }) => [
      state,
      ...events.map(one => one.id),
    ]),
  ).toEqual([['asked', ...[id, own.id].sort((a, b) => a - b)]])
  // The one with people is shown, although it is of a source.
  await calendar.must('POST', `/duplicates/${duplicates[0].id}`, { same: true })
  expect(await calendar.rows(`SELECT id FROM events WHERE title = 'Bread' AND duplicate_of IS NULL`)).toEqual(
    [{ id }],
  )
})
