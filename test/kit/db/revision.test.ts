import { env } from 'cloudflare:workers'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { beforeAll, describe, expect, it } from 'vitest'
import * as schema from '../../../src/kit/db/tables.ts'
import {
  makeCategory,
  makeEvent,
  makeOrganizer,
  makePerson,
  makeUser,
  makeVenue,
  send,
  WHEN,
} from '../../factories.ts'
import { changedSql, copiedSql, lastRowSql, storedColumns } from './rows.ts'

type Tables = {
  [K in keyof typeof schema as (typeof schema)[K] extends SQLiteTable ? K : never]: (typeof schema)[K]
}

/** Rows of a table that responses show: conditions for a public one, and for a hidden one. */
type Feed = { seen: string; hidden?: string; only?: readonly RowWrite[] }
type RowWrite = 'insert' | 'update' | 'delete'

const CONTENT: Feed = { seen: "status = 'publish'", hidden: "status = 'draft'" }
const LINKS: Feed = {
  seen: "event_id IN (SELECT id FROM events WHERE status = 'publish')",
  hidden: "event_id IN (SELECT id FROM events WHERE status = 'draft')",
}

/**
 * All tables of the schema. Their changes must raise the revision, unless no response shows their rows
 * (null).
 */
const FEEDS: Record<keyof Tables, Feed | null> = {
  events: CONTENT,
  venues: CONTENT,
  organizers: CONTENT,
  terms: { seen: '1' },
  // Occurrences and links of a series are written along with it.
  series: { ...CONTENT, only: ['update'] },
  seriesVenues: null,
  seriesOrganizers: null,
  seriesTerms: null,
  eventVenues: LINKS,
  eventOrganizers: LINKS,
  eventTerms: LINKS,
  // Nothing refers to a new image, or to one that can be deleted.
  images: { seen: '1', only: ['update'] },
  settings: { seen: '1' },
  users: null,
  passwords: null,
  sessions: null,
  signInLinks: null,
  emailLinks: null,
  eventPreviews: null,
  passkeys: null,
  usedChallenges: null,
  keys: null,
  audit: null,
  auditState: null,
  undoRequests: null,
  // Written along with the deletion of the row that had the slug.
  formerSlugs: null,
  imports: null,
  imageUploaders: null,
  unusedImages: null,
  imageRemovals: null,
  idempotencyKeys: null,
  dayKeys: null,
  limitCounts: null,
  setbacks: null,
  submissions: null,
  remarks: null,
  reviewNotes: null,
  // Events show settings of their source, which change its version. Triggers act on that, and on deletion.
  sources: null,
  sourceRuns: null,
  sourcePages: null,
  sourceDocuments: null,
  // The editor reads them uncached.
  twins: null,
  twinsPosition: null,
}

/** Columns of terms that say when something has changed. */
const NUMBERS = ['change_number', 'public_change_number']

const tables: Record<string, unknown> = schema
const cases = Object.entries(FEEDS).flatMap(([name, feed]) => {
  const table = tables[name]
  if (!feed || !is(table, SQLiteTable)) return []
  const { only = ['insert', 'update', 'delete'] } = feed
  const kinds = [
    { isSeen: true, where: feed.seen },
    ...(feed.hidden ? [{ isSeen: false, where: feed.hidden }] : []),
  ]
  return kinds.map(kind => ({ name: getTableName(table), table, only, ...kind }))
})

type Revision = { change_number: number; public_change_number: number }

/** The number by which a statement raises the revision. */
async function raisedBy(sql: string): Promise<Revision> {
  const revision = env.DB.prepare('SELECT change_number, public_change_number FROM revision')
  const [before, write, after] = await env.DB.batch<Revision>([revision, env.DB.prepare(sql), revision])
  const from = before?.results[0]
  const to = after?.results[0]
  if (!from || !to) throw new Error('There is no revision.')
  expect(write?.meta.changes, sql).toBeGreaterThan(0)
  return {
    change_number: to.change_number - from.change_number,
    public_change_number: to.public_change_number - from.public_change_number,
  }
}

beforeAll(async () => {
  const as = await makeUser('editor', 'editor')
  for (const status of ['publish', 'draft']) {
    const venue = await makeVenue(as, `Hall ${status}`, { status, geo_lat: 1, geo_lng: 1 })
    const organizer = await makeOrganizer(as, `Guild ${status}`, { status })
    const image = `https://img.example/${status}.png`
    await makeEvent(as, { status, venue: venue.id, organizer: organizer.id, categories: ['Music'], image })
    await makeEvent(as, { status, recurrence: 'FREQ=DAILY;COUNT=2', image })
  }
  await send('PATCH', '/settings', {
    as: (await makePerson('boss', 'administrator')).as,
    json: { name: 'Town' },
  })
  // The last row of each table, which no event has. Links of copied rows lead there.
  await makeVenue(as, 'Nobody’s')
  await makeOrganizer(as, 'Nobody')
  await makeCategory(as, 'Nothing')
})

describe.each(cases)('a row of $name that is seen: $isSeen', ({ name, table, only, isSeen, where }) => {
  const one = (rows: string) => lastRowSql(name, rows)
  const expectRaised = async (sql: string) => {
    const raised = await raisedBy(sql)
    expect(raised.change_number, sql).toBeGreaterThan(0)
    if (isSeen) expect(raised.public_change_number, sql).toBeGreaterThan(0)
    else expect(raised.public_change_number, sql).toBe(0)
  }

  it('raises the revision when any of its columns changes', async () => {
    const columns = storedColumns(table)
    expect(columns.length).toBeGreaterThan(1)
    for (const column of columns.filter(({ name }) => !NUMBERS.includes(name)))
      await expectRaised(
        `UPDATE ${name} SET ${column.name} = ${changedSql(table, column)} WHERE ${one(where)}`,
      )
  })

  if (!only.includes('insert')) return
  it('raises the revision when it is inserted, and when it is deleted', async () => {
    const columns = storedColumns(table)
    const names = columns.map(column => column.name).join(', ')
    const values = columns.map(column => copiedSql(table, column)).join(', ')
    await expectRaised(`INSERT INTO ${name} (${names}) SELECT ${values} FROM ${name} WHERE ${one(where)}`)
    await expectRaised(`DELETE FROM ${name} WHERE ${one(where)}`)
  })
})

it('a new image, and a deleted one, change responses only for those who may list images', async () => {
  const url = 'https://img.example/new.png'
  expect(await raisedBy(`INSERT INTO images (url) VALUES ('${url}')`)).toEqual({
    change_number: 1,
    public_change_number: 0,
  })
  expect(await raisedBy(`DELETE FROM images WHERE url = '${url}'`)).toEqual({
    change_number: 1,
    public_change_number: 0,
  })
})

describe('a write has one number for all its changes, however many rows and links it has', () => {
  const numbers = async () => {
    const [revision, changes] = await env.DB.batch<Revision>([
      env.DB.prepare('SELECT change_number, public_change_number FROM revision'),
      env.DB.prepare(
        'SELECT change_number, public_change_number FROM changes UNION ALL SELECT change_number, public_change_number FROM terms',
      ),
    ])
    return { ...revision?.results[0], changes: changes?.results ?? [] }
  }
  const links = (word: string) => ({
    venue: [{ venue: `Hall ${word}` }, { venue: `Barn ${word}` }],
    organizer: { organizer: `Guild ${word}` },
    categories: [`Category ${word}`, 'Music'],
    tags: [`a ${word}`, `b ${word}`],
  })

  it.each([
    ['an event', 8, (as: string) => makeEvent(as, links('one'))],
    ['a series', 10, (as: string) => makeEvent(as, { ...links('many'), recurrence: 'FREQ=DAILY;COUNT=3' })],
    [
      'a batch',
      9,
      (as: string) =>
        send('POST', '/batch', {
          as,
          json: {
            requests: [1, 2].map(n => ({
              method: 'PUT',
              path: `/events/by-external-id/x${n}`,
              body: { title: 'X', ...WHEN, ...links('batch') },
            })),
          },
        }),
    ],
  ])('%s', async (_, things, write) => {
    const as = await makeUser(`writer ${things}`, 'editor')
    const before = await numbers()
    await write(as)
    const after = await numbers()
    expect([after.change_number, after.public_change_number]).toEqual([
      Number(before.change_number) + 1,
      Number(before.public_change_number) + 1,
    ])
    const { change_number, public_change_number } = after
    const same = after.changes.filter(
      change =>
        change.change_number === change_number && change.public_change_number === public_change_number,
    )
    expect(same.length).toBe(things)
  })
})

it('only rows that responses show raise the revision', async () => {
  const writes = [`UPDATE images SET width = width`, `UPDATE users SET login = login || 'x'`]
  for (const sql of writes)
    expect(await raisedBy(sql), sql).toEqual({ change_number: 0, public_change_number: 0 })
})
