import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { CONTENT_TABLES } from '../../../src/calendar/content/resource.ts'
import { extendSeries } from '../../../src/calendar/events/extend-series.ts'
import { EVENT_FIELDS } from '../../../src/calendar/events/schema.ts'
import { copyStatements } from '../../../src/calendar/media/writes.ts'
import { removeUser } from '../../../src/calendar/users/users.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { clockAt } from '../../../src/kit/lib/clock.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import {
  countRows,
  makeCategory,
  makeDatabaseAnew,
  makeEvent,
  makeUser,
  makeVenue,
  query,
  queryValue,
  send,
} from '../../factories.ts'
import { makeWeekly, patch } from '../events/recurrence/calendar.ts'

// Clients that send If-Match rely on this: no field of content changes without a new version of its row.

const TABLES = [...Object.values(CONTENT_TABLES).map(getTableName), 'series', 'terms']

/** Slugs of dates are computed after their events were written, and descriptions are read from the series. */
const COLUMNS = Object.values(EVENT_FIELDS)
  .flatMap(({ columns }): readonly string[] => columns)
  .filter(name => !['slug', 'description', 'excerpt', 'external_id', 'post_parent'].includes(name))

/** Triggers that record changes to the rows of a table which leave the version as it is. */
async function noteUnversioned(): Promise<void> {
  const columnsOf = async (table: string) => {
    const results = await query(`SELECT name FROM pragma_table_info('${table}')`)
    return results
      .map(({ name }) => String(name))
      .filter(name => [...COLUMNS, 'name', 'parent'].includes(name))
  }
  const triggers = TABLES.map(async table => {
    const changed = (await columnsOf(table)).map(
      name => `iif(NEW.${name} IS NOT OLD.${name}, '${name} ', '')`,
    )
    return env.DB.prepare(`CREATE TRIGGER ${table}_noted AFTER UPDATE ON ${table}
      WHEN NEW.version = OLD.version AND ${changed.join(' || ')} <> ''
      BEGIN INSERT INTO noted SELECT '${table}: ' || ${changed.join(' || ')}; END`)
  })
  await env.DB.batch([env.DB.prepare('CREATE TABLE noted (name TEXT)'), ...(await Promise.all(triggers))])
}

const entries = async (kind: string) => {
  const results = await query('SELECT action, fields FROM audit WHERE kind = ? ORDER BY id', kind)
  return results.map(({ action, fields }) => [action, ...JSON.parse(String(fields))].join(' '))
}

let as: string
beforeEach(async () => {
  await makeDatabaseAnew()
  as = await makeUser('admin', 'administrator')
  await noteUnversioned()
})

it('every change of a series raises versions, and has an entry in the audit', async () => {
  const { id } = await makeWeekly(as, { venue: { venue: 'Hall' } })
  const done = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    expect(status, text).toBe(200)
  }
  await done(patch(as, id, { title: 'Pilates', scope: 'all' }))
  await done(patch(as, id, { start_date: '2027-01-05 19:00:00', scope: 'all' }))
  await done(patch(as, id + 3, { title: 'Tango', scope: 'following' }))
  await done(patch(as, id + 1, { title: 'Only this one' }))
  await done(send('DELETE', `/events/${id + 1}`, { as }))
  await done(patch(as, id + 1, { status: 'publish' }))
  await done(send('DELETE', `/events/${id + 2}?force=true`, { as }))
  await done(send('DELETE', `/events/${id + 4}?scope=following`, { as }))
  await done(patch(as, id, { recurrence: '', scope: 'all' }))
  await done(patch(as, id, { recurrence: 'FREQ=WEEKLY', title: 'Chess' }))
  const dates = await countRows('events')
  await extendSeries({
    db: new Database(env.DB),
    settings: settingsOf({}),
    nowMs: Date.parse('2027-06-01T12:00:00Z'),
  })
  expect(await countRows('events')).toBeGreaterThan(dates)
  expect(await queryValue('SELECT group_concat(name) FROM noted')).toBeNull()
  expect(await entries('series')).toEqual([
    expect.stringMatching(/^create title /),
    'update title scope',
    'update start_date scope',
    // Dividing the series changes the rule of the old series, and what the request names in the new one.
    'update recurrence',
    'update title scope recurrence',
    // A date goes to the trash, comes back, and is deleted for good.
    'update recurrence',
    'update recurrence',
    'update recurrence',
    'trash',
    'update recurrence',
    'create recurrence',
  ])
})

it('changes through users, images and terms raise versions, and have entries as well', async () => {
  const db = new Database(env.DB)
  const heir = await makeUser('heir', 'editor')
  const image = { url: 'https://example.org/a.jpg' }
  const venue = await makeVenue(as, 'Hall', { image })
  const parent = await makeCategory(as, 'Sport')
  await makeCategory(as, 'Yoga', { parent: parent.id })
  await makeWeekly(heir, { image, venue: venue.id })
  await makeEvent(heir, { image })
  await db.write(
    copyStatements(
      { caller: { id: 0 }, requestId: 'import:a', clock: clockAt('2027-01-01 00:00:00') },
      { from: 1, to: 1 },
    ),
  )
  await removeUser(db, 'heir', { heir: 'admin' })
  expect((await send('DELETE', `/categories/${parent.id}?force=true`, { as })).status).toBe(200)
  expect(await queryValue('SELECT group_concat(name) FROM noted')).toBeNull()
  expect(await entries('series')).toEqual([
    expect.stringMatching(/^create /),
    'update image',
    'update author',
  ])
  expect(await entries('venue')).toEqual([expect.stringMatching(/^create /), 'update image'])
  expect(await entries('category')).toEqual([
    expect.stringMatching(/^create /),
    expect.stringMatching(/^create /),
    'update parent',
    'delete',
  ])
  expect((await entries('event')).filter(entry => entry === 'update image')).toHaveLength(6)
})
