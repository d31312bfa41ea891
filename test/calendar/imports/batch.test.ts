import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { ImportBatch } from '../../../src/calendar/imports/batch.ts'
import { planBatch } from '../../../src/calendar/imports/plan.ts'
import type { AnyRecord, EventRecord } from '../../../src/calendar/imports/records.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { importContext } from '../../../src/kit/http/request-context.ts'
import { toEpoch } from '../../../src/kit/lib/time.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { everyRole } from '../../attacks/people.ts'
import { countRows, query, send } from '../../factories.ts'

// Sources fill the calendar from the Worker's cron, where the free plan allows 50 statements and subrequests.

const NOW = '2026-11-20 12:00:00'
const people = everyRole()
/** One that is stored: its events are listed by it. */
const SOURCE = 'source:1'

beforeEach(() =>
  env.DB.batch([
    ...['event_terms', 'event_venues', 'event_organizers', 'events', 'venues', 'organizers', 'terms'].map(
      table => env.DB.prepare(`DELETE FROM ${table}`),
    ),
    env.DB.prepare('DELETE FROM imports'),
    env.DB.prepare(
      `INSERT OR IGNORE INTO users (id, login, role, created_utc) VALUES (1, 'admin', 'administrator', '${NOW}')`,
    ),
  ]),
)

const contextOf = () =>
  importContext({ db: new Database(env.DB), settings: settingsOf({ TIMEZONE: 'UTC' }), nowMs: toEpoch(NOW) })

/** An event that names a venue, an organizer, a category and a tag, with an image. */
const event = (i: number, more: Partial<EventRecord> = {}): EventRecord => ({
  source: SOURCE,
  kind: 'event',
  externalId: `event-${i}`,
  status: 'publish',
  slug: '',
  title: `Event ${i}`,
  description: `<p>${i}</p>`,
  cost: '',
  website: null,
  show_map: true,
  show_map_link: true,
  all_day: false,
  timezone: 'UTC',
  image: { url: `https://images.example/${i}.jpg`, width: 4, height: 3 },
  start: { wall: '2027-03-01 20:00:00', utc: '2027-03-01 20:00:00' },
  end: { wall: '2027-03-01 22:00:00', utc: '2027-03-01 22:00:00' },
  venues: [`venue-${i}`],
  organizers: [`organizer-${i}`],
  categories: [`c-${i % 7}`],
  tags: [`t-${i % 9}`],
  ...more,
})

const place = { source: SOURCE, status: 'publish', slug: '', description: '' } as const
const term = { source: SOURCE, slug: '', description: '' } as const
const related = (i: number): AnyRecord[] => [
  { ...term, kind: 'category', externalId: `c-${i % 7}`, name: `C ${i % 7}` },
  { ...term, kind: 'tag', externalId: `t-${i % 9}`, name: `T ${i % 9}` },
  { ...place, kind: 'venue', externalId: `venue-${i}`, name: `Venue ${i}`, city: 'Kent' },
  { ...place, kind: 'organizer', externalId: `organizer-${i}`, name: `Organizer ${i}` },
]

const COUNT = 100
const records = (more?: (i: number) => Partial<EventRecord>): AnyRecord[] => {
  const numbers = Array.from({ length: COUNT }, (_, i) => i)
  const named = new Map(numbers.flatMap(related).map(one => [`${one.kind} ${one.externalId}`, one]))
  return [...named.values(), ...numbers.map(i => event(i, more?.(i)))]
}

const OPTIONS = { source: SOURCE, mirror: false, authorId: 1 }

async function sync(all: readonly AnyRecord[], options = OPTIONS) {
  const context = contextOf()
  const { planned, partStatements } = await planBatch(
    context,
    { records: all },
    new ImportBatch(context, options),
  )
  const statements = partStatements(planned)
  if (statements.length > 0) await context.db.write(statements)
  const actions = planned.map(({ action }) => action)
  const count = (action: string) => actions.filter(one => one === action).length
  return { ...context.db.metrics, count }
}

it('a contact that was hidden here stays hidden, whatever its source says', async () => {
  const organizer = (phone: string): AnyRecord => ({
    ...place,
    kind: 'organizer',
    externalId: 'organizer-1',
    name: 'Guild',
    phone,
    email: 'guild@example.org',
  })
  await sync([organizer('1')])
  const row = () => env.DB.prepare('SELECT phone, email, hidden_phone, hidden_email FROM organizers').all()
  expect((await row()).results).toMatchObject([{ phone: '1', email: 'guild@example.org' }])
  await env.DB.prepare(
    `UPDATE organizers SET hide_contact = 1, hidden_phone = phone, hidden_email = email, phone = '', email = ''`,
  ).run()
  const { count } = await sync([organizer('2')])
  expect(count('update')).toBe(1)
  expect((await row()).results).toEqual([
    { phone: '', email: '', hidden_phone: '2', hidden_email: 'guild@example.org' },
  ])
})

it('a venue and an organizer with “<” in their names are those that are here already', async () => {
  for (const [path, json] of [
    ['/venues', { venue: 'The <3 Club', city: 'Kent' }],
    ['/organizers', { organizer: 'Team <3' }],
  ] as const)
    await send('POST', path, { as: people.editor.as, json })
  await sync([
    { ...place, kind: 'venue', externalId: 'venue-1', name: 'The &lt;3 Club', city: 'Kent' },
    { ...place, kind: 'organizer', externalId: 'organizer-1', name: 'Team &lt;3' },
  ])
  expect([await countRows('venues'), await countRows('organizers')]).toEqual([1, 1])
})

it.each([false, true])('a mirror keeps the contact of merged organizers, hidden: %s', async isHidden => {
  const options = { ...OPTIONS, mirror: true }
  const email = 'guild@example.org'
  const organizers = (phone: string): AnyRecord[] =>
    ['Guild', 'The Guild'].map((name, i) => ({
      ...place,
      kind: 'organizer',
      externalId: `organizer-${i}`,
      name,
      phone,
      email,
    }))
  await sync(organizers('1'), options)
  const [into, from] = await query<{ id: number }>('SELECT id FROM organizers ORDER BY id')
  const as = people.editor.as
  if (isHidden) await send('PATCH', `/organizers/${into?.id}`, { as, json: { hide_contact: true } })
  const merged = await send('POST', `/organizers/${from?.id}/merge`, { as, json: { into: into?.id } })
  expect(merged.status).toBe(200)
  const { count } = await sync(organizers('2'), options)
  expect(count('update')).toBe(2)
  const rows = await query(
    'SELECT phone, email, hidden_phone, hidden_email FROM organizers WHERE id = ?',
    into?.id ?? 0,
  )
  expect(rows).toEqual([
    isHidden
      ? { phone: '', email: '', hidden_phone: '2', hidden_email: email }
      : { phone: '2', email, hidden_phone: '', hidden_email: '' },
  ])
})

it('a record that is mapped to another row leaves the former one', () => {
  const batch = new ImportBatch(contextOf(), OPTIONS)
  const mapTo = (externalId: string, target: number) =>
    batch.setMapping('event', externalId, { target, hash: '', importedVersion: '1' })
  mapTo('a', 1)
  mapTo('b', 1)
  mapTo('a', 2)
  expect([1, 2].map(id => batch.externalIdsOf('event', id))).toEqual([['b'], ['a']])
  batch.removeMapping('event', 'b')
  expect([1, 2].map(id => batch.mappingTo('event', id)?.target)).toEqual([undefined, 2])
})

describe('a batch of a hundred events with all that they name', () => {
  it('is new within 45 statements and 4 trips, unchanged the next time, and then updated', async () => {
    const first = await sync(records())
    expect(first.count('create')).toBe(2 * COUNT + 7 + 9 + COUNT)
    expect(first.statements).toBeLessThanOrEqual(45)
    expect(first.roundTrips).toBeLessThanOrEqual(4)
    const again = await sync(records())
    expect(again.count('unchanged')).toBe(first.count('create'))
    expect([again.rowsWritten, again.statements]).toEqual([0, 1])
    const changed = await sync(records(i => ({ title: `Other ${i}`, slug: `other-${i}`, tags: [] })))
    expect(changed.count('update')).toBe(COUNT)
    expect(changed.statements).toBeLessThanOrEqual(45)
    // What stays is not written again: neither the links to venues and categories, nor the columns of times.
    expect(changed.rowsWritten).toBeLessThan(14 * COUNT)
    expect(await countRows('event_venues')).toBe(COUNT)
    expect(await countRows("terms WHERE taxonomy = 'event_tag' AND count > 0")).toBe(0)
    expect(await countRows("events WHERE slug LIKE 'other-%' AND version = 2")).toBe(COUNT)
  })

  it('reads as much of a large calendar as of a small one', async () => {
    const own = { venues: [], organizers: [], categories: [], tags: [], image: undefined }
    const three = (from: number) => [0, 1, 2].map(i => event(from + i, own))
    const small = await sync(three(500))
    await sync(records())
    const large = await sync(three(600))
    expect(large.rowsRead).toBeLessThan(small.rowsRead + 20)
  })

  it('reads as much of a long audit as of a short one, where things were edited', async () => {
    const some = (title: string) => [0, 1, 2].map(i => event(i, { title, venues: [], organizers: [] }))
    await sync(some('One'))
    await query('UPDATE events SET version = version + 1')
    const short = await sync(some('Two'))
    expect(short.count('skip')).toBe(3)
    await sync(records().slice(-90))
    const long = await sync(some('Two'))
    expect(long.rowsRead).toBeLessThan(short.rowsRead + 20)
  })

  it('is made once if two do it at the same time', async () => {
    const results = await Promise.allSettled([sync(records()), sync(records())])
    expect(results.filter(({ status }) => status === 'fulfilled')).not.toHaveLength(0)
    expect(await countRows('events')).toBe(COUNT)
    expect((await sync(records())).rowsWritten).toBe(0)
  })
})

describe('a batch of a calendar with series', () => {
  /** Twenty series of four dates each, of which the second has a title of its own. */
  const calendar = async (title: string) => {
    const series = Array.from({ length: 20 }, (_, i) => {
      const day = `2027030${1 + (i % 7)}T190000Z`
      const head = [
        `UID:series-${i}`,
        `DTSTART:${day}`,
        `DTEND:${day.replace('19', '21')}`,
        `LOCATION:Barn ${i}`,
      ]
      const own = [
        `UID:series-${i}`,
        `RECURRENCE-ID:${day.replace('0301', '0308')}`,
        `DTSTART:${day}`,
        'SUMMARY:Own',
      ]
      return [
        ...['BEGIN:VEVENT', ...head, `SUMMARY:${title} ${i}`, 'RRULE:FREQ=WEEKLY;COUNT=4', 'END:VEVENT'],
        ...(i % 7 === 0 ? ['BEGIN:VEVENT', ...own, 'END:VEVENT'] : []),
      ]
    })
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...series.flat(), 'END:VCALENDAR'].join('\r\n')
    const reading = { timezone: 'UTC', nowMs: Date.parse(`${NOW.replace(' ', 'T')}Z`), note: () => {} }
    const window = { from: '2026-01-01 00:00:00', to: '2028-01-01 00:00:00' }
    const items = icsItems(readIcs(new TextEncoder().encode(text)), SOURCE, window, reading)
    return (await Array.fromAsync(items)).flatMap(item => (item.type === 'record' ? [item.record] : []))
  }

  it('is read, written and changed in the Worker, within 45 statements each time', async () => {
    const first = await sync(await calendar('Yoga'))
    expect(first.count('create')).toBe(20 + 20 + 80)
    const again = await sync(await calendar('Yoga'))
    expect([again.count('unchanged'), again.rowsWritten]).toEqual([120, 0])
    await query(
      "UPDATE events SET cost = '5', detached = '[\"cost\"]', version = 2 WHERE slug LIKE 'yoga-1-2%'",
    )
    const changed = await sync(await calendar('Pilates'))
    expect(changed.count('update')).toBe(20 + 77)
    for (const { statements } of [first, again, changed]) expect(statements).toBeLessThanOrEqual(45)
    expect(await countRows("events WHERE title LIKE 'Pilates%'")).toBe(77)
    expect(await countRows("events WHERE cost = '5'")).toBe(4)
  })
})
