import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { contentTables } from '../../../src/calendar/content/resource.ts'
import { FACETS } from '../../../src/kit/db/derived.ts'
import { eventOrganizers, events, eventTerms, eventVenues, imports } from '../../../src/kit/db/tables.ts'
import { findDriftIn } from '../../derived/values.ts'
import {
  makeCategory,
  makeDatabaseAnew,
  makeEvent,
  makeOrganizer,
  makeSource,
  makeUser,
  makeVenue,
  query,
  WHEN,
} from '../../factories.ts'
import { changedSql, copiedSql, lastRowSql, storedColumns } from './rows.ts'

// A trigger names the columns on whose changes it acts. If it forgot one, values derived from that column
// would stay as they were. So every column is changed, and changed back.

/** Drift in values that SQL alone maintains. The Worker writes texts for searches and the like. */
const drift = async (): Promise<string[]> =>
  (await findDriftIn(env.DB)).filter(text => !/^(search index|paths|names|fields of|relations of)/.test(text))

beforeEach(async () => {
  await makeDatabaseAnew()
  const as = await makeUser('editor', 'editor')
  const { id: parent } = await makeCategory(as, 'Music')
  await makeCategory(as, 'Jazz', { parent })
  const { id } = await makeEvent(as, { title: 'Whole' })
  await makeEvent(as, {
    ...WHEN,
    venue: { venue: 'Hall', geo_lat: 1, geo_lng: 1, wheelchair: 'yes' },
    organizer: { organizer: 'Guild' },
    categories: ['Jazz'],
    tags: ['free'],
    featured: true,
    ticketed: true,
    sticky: true,
    post_parent: id,
    event_status: 'canceled',
    is_virtual: true,
    cost: 'Free',
    ticket_availability: 'few',
    image: 'https://img.example/1.png',
    recurrence: 'FREQ=DAILY;COUNT=2',
  })
  await makeEvent(as, { ...WHEN, venue: [{ venue: 'Stage' }, { venue: 'Foyer' }] })
  await makeSource('Elsewhere', { events: [id], series: [1] })
  // The last row of each table, which no event has. Links of copied rows lead there.
  await makeVenue(as, 'Nobody’s')
  await makeOrganizer(as, 'Nobody')
  await makeCategory(as, 'Nothing')
})

async function run(sql: string): Promise<void> {
  const { meta } = await env.DB.prepare(sql).run()
  expect(meta.changes, sql).toBeGreaterThan(0)
  expect(await drift(), sql).toEqual([])
}

it('an event is listed by every index', async () => {
  const rows = await query('SELECT DISTINCT facet FROM listings ORDER BY facet')
  expect(rows.map(({ facet }) => facet)).toEqual([...FACETS].sort())
})

it.each(
  [...contentTables.map(([, table]) => table), eventVenues, eventOrganizers, eventTerms, imports].map(
    table => ({
      name: getTableName(table),
      table,
    }),
  ),
)('whatever changes in $name, everything that is derived from it follows', async ({ name, table }) => {
  for (const column of storedColumns(table)) {
    const change = `UPDATE ${name} SET ${column.name} = ${changedSql(table, column)} WHERE ${lastRowSql(name)}`
    await run(change)
    if (column.dataType === 'boolean' || !column.notNull) await run(change)
  }
  if ('status' in table)
    for (const status of ['draft', 'publish'])
      await run(`UPDATE ${name} SET status = '${status}' WHERE ${lastRowSql(name)}`)
  const columns = storedColumns(table)
  await run(`INSERT INTO ${name} (${columns.map(column => column.name).join(', ')})
    SELECT ${columns.map(column => copiedSql(table, column)).join(', ')} FROM ${name} WHERE ${lastRowSql(name)}`)
  await run(`DELETE FROM ${name} WHERE ${lastRowSql(name)}`)
})

describe.each(contentTables)('the date of the next publication, with a scheduled %s', (_, table) => {
  it('follows scheduling, postponing and publishing', async () => {
    const name = getTableName(table)
    const set = (values: string) => run(`UPDATE ${name} SET ${values} WHERE ${lastRowSql(name)}`)
    const due = async () => (await query('SELECT next_due_utc AS due FROM revision'))[0]?.due
    expect(await due()).toBeNull()
    await set(`status = 'future', date_utc = '2027-01-01 00:00:00'`)
    expect(await due()).toBe('2027-01-01 00:00:00')
    await set(`date_utc = '2027-02-01 00:00:00'`)
    expect(await due()).toBe('2027-02-01 00:00:00')
    await set(`status = 'publish'`)
    expect(await due()).toBeNull()
  })
})

it('the test notices a table whose triggers forget a column', async () => {
  await query('DROP TRIGGER events_listing_update')
  await query(`UPDATE ${getTableName(events)} SET parent_confirmed_by = NULL`)
  expect(await drift()).toEqual([expect.stringMatching(/^listings:/)])
})
