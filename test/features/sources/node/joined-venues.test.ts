import { describe, expect, it } from 'vitest'
import { readIcs } from '../../../../src/readers/ics/file.ts'
import { icsItems } from '../../../../src/readers/ics/items.ts'
import { connectionTo } from '../../../connection.ts'
import { CONTEXT, countsOf, importInto, WINDOW } from '../../../readers/database.ts'
import { ics, useFeed, vevent } from './feed.ts'

// Venues that sources and imports name join public ones of the calendar that have their name.

const feed = await useFeed()
const { calendar } = feed

const make = async (venue: string, fields: object = {}): Promise<number> =>
  (await calendar.must('POST', '/venues', { venue, ...fields })).id

const makeEventAt = (venues: readonly number[], n: number) =>
  calendar.must('POST', '/events', {
    title: `Own ${n}`,
    start_date: `2027-02-0${n} 20:00:00`,
    end_date: `2027-02-0${n} 21:00:00`,
    venue: venues,
  })

const eventLocatedAt = (uid: string, location: string, more: readonly string[] = []) =>
  vevent(uid, `Concert ${uid}`, [`LOCATION:${location.replaceAll(',', String.raw`\,`)}`, ...more])

/** Has the source read some events, as on another day. */
async function read(...events: string[][]): Promise<void> {
  feed.serve(events)
  feed.passMinutes(25 * 60)
  await feed.runEveryOtherMinute(6)
}

/** The ids of the venues of an imported event. */
const venuesOf = async (uid: string): Promise<number[]> => {
  const rows =
    await calendar.rows(`SELECT target_id AS id FROM event_venues JOIN events ON events.id = event_id
    WHERE title = 'Concert ${uid}' ORDER BY position`)
  return rows.map(({ id }) => id)
}
const venues = () => calendar.rows('SELECT id, version, status, name, address, city FROM venues ORDER BY id')

/** Imports a calendar by a command. */
const importAs = (source: string, events: string[][], options: object = {}) => {
  const items = icsItems(readIcs(Buffer.from(ics(events))), source, WINDOW, CONTEXT)
  return importInto(connectionTo(calendar.DB), items, options)
}

describe('a venue that a source names', () => {
  it('joins the public one of its name, whatever its case and accents', async () => {
    const own = await make('Kulturscheune', { city: 'Kent' })
    const cafe = await make('Café Aula')
    const before = await venues()
    await feed.add()
    await read(
      eventLocatedAt('a', 'KULTURSCHEUNE'),
      eventLocatedAt('b', 'Kulturscheune, 1 Lane, Kent'),
      eventLocatedAt('c', 'Cafe Aula'),
    )
    expect({ ofA: await venuesOf('a'), ofB: await venuesOf('b'), ofC: await venuesOf('c') }).toEqual({
      ofA: [own],
      ofB: [own],
      ofC: [cafe],
    })
    expect(await venues()).toEqual(before)
    // Later events go there as well.
    await read(eventLocatedAt('a', 'KULTURSCHEUNE'), eventLocatedAt('d', 'KULTURSCHEUNE'))
    expect(await venuesOf('d')).toEqual([own])
    expect(await venues()).toEqual(before)
  })

  it('is another one if only the name begins alike, or is short', async () => {
    await make('Aula of the Grammar School')
    await make('K4')
    await feed.add()
    await read(eventLocatedAt('a', 'Aula'), eventLocatedAt('b', 'K4'))
    expect((await venues()).map(({ name }) => name)).toEqual([
      'Aula of the Grammar School',
      'K4',
      'Aula',
      'K4',
    ])
  })

  it.each([
    ['Aula, 1 Lane, Otherville', { city: 'Kent' }],
    ['Aula, Otherville', { city: 'Kent', address: '1 Lane' }],
    ['Aula, 7 High Street', { city: 'Kent', address: '1 Lane' }],
    ['Aula, 2 Lane', { address: '1 Lane' }],
    ['Aula, 1 Lane, Essen', { address: '1 Lane, Hessen' }],
  ])('is another one if town or address contradict: %s', async (location, fields) => {
    const own = await make('Aula', fields)
    await feed.add()
    await read(eventLocatedAt('a', location))
    expect(await venuesOf('a')).not.toContain(own)
    expect(await venues()).toHaveLength(2)
  })

  it.each([
    ['Aula, 1 Lane, Kent', { city: 'Kent', address: '1 Lane' }],
    ['Aula, Kent', { city: 'Kent', address: '1 Lane' }],
    ['Aula, 12345 Kent', { city: 'Kent', address: '1 Lane' }],
    ['Aula', { city: 'Kent', address: '1 Lane' }],
    ['Aula, 1 Lane', {}],
    ['Aula, Frankfurt', { city: 'Frankfurt am Main' }],
  ])('is the same if they agree or are not known: %s', async (location, fields) => {
    const own = await make('Aula', fields)
    await feed.add()
    await read(eventLocatedAt('a', location))
    expect(await venuesOf('a')).toEqual([own])
  })

  it('is another one if its position is far away', async () => {
    const own = await make('Aula', { geo_lat: 53.27, geo_lng: -9.05 })
    await feed.add()
    await read(
      eventLocatedAt('near', 'Aula', ['GEO:53.2701;-9.0501']),
      eventLocatedAt('far', 'AULA', ['GEO:53.4;-9.05']),
    )
    expect(await venuesOf('near')).toEqual([own])
    expect(await venuesOf('far')).not.toEqual([own])
  })

  it('is, of several with its name, the one whose address agrees, or else the one with most events', async () => {
    const first = await make('Aula', { address: '1 Lane', city: 'Kent' })
    const second = await make('Aula', { address: '2 Lane', city: 'Kent' })
    const third = await make('Aula', { city: 'Kent', phone: '1' })
    await makeEventAt([third], 1)
    await makeEventAt([third], 2)
    await makeEventAt([first], 3)
    await feed.add()
    await read(eventLocatedAt('address', 'Aula, 2 Lane, Kent'), eventLocatedAt('most', 'Aula'))
    expect([await venuesOf('address'), await venuesOf('most')]).toEqual([[second], [third]])
  })

  it.each(['draft', 'pending', 'private', 'trash', 'future'])('never joins one that is %s', async status => {
    const fields = status === 'future' ? { date: '2030-01-01 00:00:00' } : { status }
    const own = await make('Aula', fields)
    if (status === 'trash') await calendar.send('DELETE', `/venues/${own}`)
    const before = await venues()
    await feed.add()
    await read(eventLocatedAt('a', 'Aula'))
    expect(await venuesOf('a')).not.toContain(own)
    expect((await venues()).slice(0, 1)).toEqual(before)
    expect(await venues()).toHaveLength(2)
  })

  it('joins also where its events wait for approval', async () => {
    const own = await make('Aula')
    await feed.add({ status: 'pending' })
    await read(eventLocatedAt('a', 'Aula'), eventLocatedAt('private', 'AULA', ['CLASS:PRIVATE']))
    expect([await venuesOf('a'), await venuesOf('private')]).toEqual([[own], [own]])
    expect(await venues()).toHaveLength(1)
  })
})

describe('a joined venue', () => {
  it('is never changed, hidden or trashed by a source', async () => {
    const own = await make('Aula', { address: '1 Lane' })
    const before = await venues()
    const report = await importAs('ics:a', [eventLocatedAt('a', 'Aula', ['GEO:1;1'])], { mirror: true })
    expect(countsOf(report)).toContain('venue unchanged 1')
    await importAs('ics:a', [eventLocatedAt('a', 'Aula', ['GEO:2;2', 'CLASS:PRIVATE'])], { mirror: true })
    expect(await venuesOf('a')).toEqual([own])
    await importAs('ics:a', [eventLocatedAt('b', 'Elsewhere')], { mirror: true })
    expect((await venues()).slice(0, 1)).toEqual(before)
  })

  it('stays joined when it is renamed here, or merged into another one', async () => {
    const own = await make('Aula')
    await importAs('ics:a', [eventLocatedAt('a', 'Aula')])
    await calendar.must('PATCH', `/venues/${own}`, { venue: 'Great Hall', city: 'Kent' })
    const other = await make('Hall of the Grammar School')
    await importAs('ics:a', [eventLocatedAt('a', 'Aula'), eventLocatedAt('b', 'Aula')])
    expect(await venuesOf('b')).toEqual([own])
    await calendar.must('POST', `/venues/${own}/merge`, { into: other })
    const before = await venues()
    await importAs('ics:a', [eventLocatedAt('c', 'Aula', ['GEO:1;1'])], { mirror: true })
    expect(await venuesOf('c')).toEqual([other])
    expect(await venues()).toEqual(before)
  })

  it('can be replaced at an event by hand, and stays replaced', async () => {
    const own = await make('Aula')
    const other = await make('Aula of the Grammar School')
    await feed.add()
    await read(eventLocatedAt('a', 'Aula'))
    const [event] = await calendar.rows(`SELECT id FROM events WHERE title = 'Concert a'`)
    await calendar.must('PATCH', `/events/${event?.id}`, { venue: [other] })
    await read(eventLocatedAt('a', 'Aula', ['DESCRIPTION:News']), eventLocatedAt('b', 'Aula'))
    expect([await venuesOf('a'), await venuesOf('b')]).toEqual([[other], [own]])
  })
})

describe('a venue that several calendars name', () => {
  const named = (location: string, uid = location) => [eventLocatedAt(uid, location)]

  it('is one, which none of them changes or moves to the trash', async () => {
    await importAs('ics:first', named('Aula', 'first'))
    await importAs('ics:second', named('AULA', 'second'))
    const before = await venues()
    expect(before).toHaveLength(1)
    expect(await venuesOf('second')).toEqual(await venuesOf('first'))
    // The first calendar made the venue, and would change it if the second did not name it.
    await importAs('ics:first', [eventLocatedAt('first', 'Aula', ['GEO:1;1'])], { mirror: true })
    expect(await venues()).toEqual(before)
    await importAs('ics:first', named('Elsewhere', 'first'), { mirror: true })
    expect((await venues()).slice(0, 1)).toEqual(before)
  })

  it('is changed again by the one that made it once the other is gone', async () => {
    await importAs('ics:first', named('Aula', 'first'))
    await importAs('ics:second', named('AULA', 'second'))
    await calendar.rows(`DELETE FROM imports WHERE source = 'ics:second'`)
    await importAs('ics:first', [eventLocatedAt('first', 'Aula', ['GEO:1;1'])])
    expect(await calendar.rows('SELECT geo_lat FROM venues')).toEqual([{ geo_lat: 1 }])
  })

  it('is one however a calendar writes its name, unless that tells two apart by their addresses', async () => {
    await importAs('ics:first', [eventLocatedAt('a', 'Aula'), eventLocatedAt('b', 'AULA')])
    await importAs('ics:first', [eventLocatedAt('c', 'aula')])
    expect(await venues()).toHaveLength(1)
    await importAs('ics:first', [
      eventLocatedAt('d', 'Aula, 1 Lane'),
      eventLocatedAt('e', 'Aula, 2 Lane'),
      eventLocatedAt('f', 'AULA, 1 lane'),
    ])
    expect(await venues()).toHaveLength(3)
    expect(await venuesOf('f')).toEqual(await venuesOf('d'))
  })
})

describe('a venue of the same name and street', () => {
  const WEIR = 'Weir Theatre, 3 Mill Lane, Leeds'
  const SHORTER = 'Weir Theatre, 3 Mill Ln'
  const OTHER_CASE = 'WEIR THEATRE, 3 mill lane, Leeds'
  const OTHER_SIGNS = 'Weir Theatre, 3 Mill Lane – Leeds'

  /** Adds a source of its own for each list of events, and has all of them read. */
  async function readEach(...lists: { status: string; events: string[][] }[]): Promise<number[]> {
    feed.answer((response, url) =>
      response
        .writeHead(200, { 'content-type': 'text/calendar' })
        .end(ics(lists[Number(/\d+/.exec(url)?.[0] ?? 0)]?.events ?? [])),
    )
    const ids: number[] = []
    for (const [i, { status }] of lists.entries())
      ids.push(await feed.add({ url: `${feed.address}/${i}.ics`, status }))
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(8)
    return ids
  }

  it('is one, whatever its case and signs in one calendar, at once and on later days', async () => {
    await importAs('ics:a', [eventLocatedAt('a', WEIR), eventLocatedAt('b', OTHER_CASE)])
    const [first] = await venuesOf('a')
    expect(await venuesOf('b')).toEqual([first])
    await importAs('ics:a', [eventLocatedAt('a', WEIR), eventLocatedAt('c', OTHER_SIGNS)])
    expect(await venuesOf('c')).toEqual([first])
    // Each of its names keeps it, and none of them changes it.
    const before = await venues()
    expect(before).toHaveLength(1)
    await importAs('ics:a', [eventLocatedAt('c', OTHER_SIGNS, ['GEO:1;1'])], { mirror: true })
    expect(await venues()).toEqual(before)
  })

  it.each([
    ['a room may follow its street', `${WEIR}, Room 4`],
    ['another number is another house', 'Weir Theatre, 4 Mill Lane, Leeds'],
    ['its street may be missing', 'Weir Theatre'],
  ])('is told apart by one calendar: %s', async (_, location) => {
    await importAs('ics:a', [eventLocatedAt('a', WEIR), eventLocatedAt('b', location)])
    expect(await venuesOf('b')).not.toEqual(await venuesOf('a'))
  })

  it('is one if two calendars name it whose events both wait', async () => {
    await readEach(
      { status: 'pending', events: [eventLocatedAt('a', WEIR), eventLocatedAt('x', 'Aula')] },
      { status: 'draft', events: [eventLocatedAt('b', SHORTER), eventLocatedAt('y', 'Aula')] },
    )
    expect(await venuesOf('b')).toEqual(await venuesOf('a'))
    // Of Aula, no more is known than the name.
    expect((await venues()).map(({ name, status }) => [name, status])).toEqual([
      ['Weir Theatre', 'pending'],
      ['Aula', 'pending'],
      ['Aula', 'draft'],
    ])
  })

  it('is not published by a calendar that has not made it', async () => {
    await readEach(
      { status: 'pending', events: [eventLocatedAt('a', WEIR)] },
      { status: 'publish', events: [eventLocatedAt('b', SHORTER)] },
    )
    expect(await venuesOf('b')).not.toEqual(await venuesOf('a'))
    expect((await venues()).map(({ status }) => status)).toEqual(['pending', 'publish'])
  })

  it('is published by the first of its calendars whose events no longer wait, as that describes it', async () => {
    const [, second] = await readEach(
      { status: 'pending', events: [eventLocatedAt('a', WEIR)] },
      { status: 'pending', events: [eventLocatedAt('b', SHORTER)] },
    )
    await calendar.must('PATCH', `/sources/${second}`, { status: 'publish' })
    // As by a version that published no venue along with an event.
    await calendar.rows(`UPDATE events SET status = 'publish' WHERE title = 'Concert b'`)
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(8)
    const published = await venues()
    expect(published.map(({ status, address }) => [status, address])).toEqual([['publish', '3 Mill Ln']])
    // From then on it is nobody's.
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(8)
    expect(await venues()).toEqual(published)
  })

  it('is published as it is with the first of its events that somebody publishes', async () => {
    await readEach(
      { status: 'pending', events: [eventLocatedAt('a', WEIR)] },
      { status: 'pending', events: [eventLocatedAt('b', SHORTER)] },
    )
    const before = await venues()
    const [event] = await calendar.rows(`SELECT id FROM events WHERE title = 'Concert b'`)
    await calendar.must('PATCH', `/events/${event?.id}`, { status: 'publish' })
    const published = before.map(venue => ({ ...venue, status: 'publish', version: 2 }))
    expect(await venues()).toEqual(published)
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(8)
    expect(await venues()).toEqual(published)
  })

  it('stays as an editor leaves it, whoever names it', async () => {
    const ids = await readEach(
      { status: 'pending', events: [eventLocatedAt('a', WEIR)] },
      { status: 'pending', events: [eventLocatedAt('b', SHORTER)] },
    )
    const [venue] = await venuesOf('a')
    await calendar.must('PATCH', `/venues/${venue}`, { phone: '1' })
    const before = await venues()
    for (const id of ids) await calendar.must('PATCH', `/sources/${id}`, { status: 'publish' })
    await calendar.must('PATCH', `/venues/${venue}`, { phone: '' })
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(8)
    expect((await venues()).map(({ status }) => status)).toEqual(before.map(({ status }) => status))
  })
})

it('a source finds its venues by their names alone, and takes signs of searches as letters', async () => {
  const own = await make('A "quoted" hall* (OR) NEAR', { description: 'Beside Aula and "Aula" OR Aula' })
  await feed.add()
  await read(eventLocatedAt('a', 'Aula'), eventLocatedAt('b', 'A "quoted" hall* (OR) NEAR'))
  expect([await venuesOf('a'), await venuesOf('b')]).not.toContainEqual([])
  expect(await venuesOf('a')).not.toEqual([own])
  expect(await venuesOf('b')).toEqual([own])
})
