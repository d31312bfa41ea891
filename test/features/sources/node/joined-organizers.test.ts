import { describe, expect, it } from 'vitest'
import { readIcs } from '../../../../src/readers/ics/file.ts'
import { icsItems } from '../../../../src/readers/ics/items.ts'
import { connectionTo } from '../../../connection.ts'
import { CONTEXT, importInto, WINDOW } from '../../../readers/database.ts'
import { ics, useFeed, vevent } from './feed.ts'

// Organizers that sources and imports name join public ones of the calendar that have their name.

const feed = await useFeed()
const { calendar } = feed

const make = async (organizer: string, fields: object = {}): Promise<number> =>
  (await calendar.must('POST', '/organizers', { organizer, ...fields })).id

const eventBy = (uid: string, name: string, email = '', more: readonly string[] = []) =>
  vevent(uid, `Concert ${uid}`, [
    email === '' ? `CONTACT:${name}` : `ORGANIZER;CN="${name}":mailto:${email}`,
    ...more,
  ])

/** Has the source read some events, as on another day. */
async function read(...events: string[][]): Promise<void> {
  feed.serve(events)
  feed.passMinutes(25 * 60)
  await feed.runEveryOtherMinute(6)
}

/** The ids of the organizers of an imported event. */
const organizersOf = async (uid: string): Promise<number[]> => {
  const rows =
    await calendar.rows(`SELECT target_id AS id FROM event_organizers JOIN events ON events.id = event_id
    WHERE title = 'Concert ${uid}' ORDER BY position`)
  return rows.map(({ id }) => id)
}

const organizers = () => calendar.rows('SELECT id, version, status, name, email FROM organizers ORDER BY id')

const importAs = (source: string, events: string[][], options: object = {}) =>
  importInto(
    connectionTo(calendar.DB),
    icsItems(readIcs(Buffer.from(ics(events))), source, WINDOW, CONTEXT),
    options,
  )

describe('an organizer that a source names', () => {
  it('joins the public one of its name, whatever its case and accents, and never changes it', async () => {
    const own = await make('Théâtre du Pont')
    const before = await organizers()
    await feed.add()
    await read(eventBy('a', 'THEATRE DU PONT'), eventBy('b', 'Théâtre du Pont', 'pont@hall.example'))
    expect([await organizersOf('a'), await organizersOf('b')]).toEqual([[own], [own]])
    await read(eventBy('a', 'THEATRE DU PONT'), eventBy('c', 'Theatre du Pont', '', ['CLASS:PRIVATE']))
    expect(await organizersOf('c')).toEqual([own])
    await importAs('ics:mirror', [eventBy('d', 'Théâtre du Pont')], { mirror: true })
    await importAs('ics:mirror', [eventBy('e', 'Elsewhere')], { mirror: true })
    expect((await organizers()).slice(0, 1)).toEqual(before)
  })

  it('is another one if its e-mail address differs, or if that of the calendar is not public', async () => {
    await make('Choir', { email: 'choir@one.example' })
    await make('Band', { status: 'draft' })
    await feed.add()
    await read(eventBy('a', 'Choir', 'choir@two.example'), eventBy('b', 'Band'), eventBy('c', 'Choirs'))
    expect((await organizers()).map(({ name }) => name)).toEqual(['Choir', 'Band', 'Choir', 'Band', 'Choirs'])
  })

  it('is, of several with its name, the one with its e-mail address', async () => {
    await make('Choir')
    const known = await make('Choir', { email: 'Choir@two.example' })
    await feed.add()
    await read(eventBy('a', 'Choir', 'choir@two.example'))
    expect(await organizersOf('a')).toEqual([known])
  })

  it.each(['publish', 'draft'])(
    'is one however its calendar writes the name, if events come as %s',
    async status => {
      await feed.add({ status })
      await read(eventBy('a', 'Klub'), eventBy('b', 'KLUB'))
      await read(eventBy('a', 'Klub'), eventBy('c', 'klub'))
      expect(await organizers()).toMatchObject([{ name: 'Klub' }])
      expect(await organizersOf('c')).toEqual(await organizersOf('a'))
    },
  )
})

describe('an organizer that several calendars name', () => {
  it('is one, which none of them changes or moves to the trash', async () => {
    await importAs('ics:first', [eventBy('first', 'Klub')])
    await importAs('ics:second', [eventBy('second', 'KLUB')])
    const before = await organizers()
    expect(before).toHaveLength(1)
    expect(await organizersOf('second')).toEqual(await organizersOf('first'))
    await importAs('ics:first', [eventBy('first', 'Klub', 'klub@hall.example')], { mirror: true })
    await importAs('ics:first', [eventBy('first', 'Elsewhere')], { mirror: true })
    expect((await organizers()).slice(0, 1)).toEqual(before)
  })
})
