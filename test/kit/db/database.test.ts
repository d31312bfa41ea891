import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { Database } from '../../../src/kit/db/database.ts'
import {
  combineQueries,
  first,
  many,
  orNull,
  readNumber,
  readOneOf,
  readText,
  rowlessQuery,
} from '../../../src/kit/db/query.ts'
import { countRows } from '../../factories.ts'

it('a database counts round trips, statements and rows over all of its batches', async () => {
  const db = new Database(env.DB)
  expect(db.metrics).toEqual({ roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0, sqlMs: 0 })

  const insert = sql`INSERT INTO images (url) VALUES ('https://img.example/1.png'), ('https://img.example/2.png')`
  await db.read(combineQueries([rowlessQuery(insert), rowlessQuery(sql`SELECT * FROM images`)]))
  await db.read(rowlessQuery(sql`SELECT * FROM images`))

  expect(db.metrics.roundTrips).toBe(2)
  expect(db.metrics.statements).toBe(3)
  expect(db.metrics.rowsRead).toBeGreaterThanOrEqual(4)
  expect(db.metrics.rowsWritten).toBeGreaterThanOrEqual(4)
})

it('a database counts the round trip of a batch that fails', async () => {
  const db = new Database(env.DB)
  await expect(db.read(rowlessQuery(sql`SELECT * FROM nowhere`))).rejects.toThrow('no such table')
  expect(db.metrics.roundTrips).toBe(1)
})

it('statements of several that precede a write are written before it, in order, or not at all', async () => {
  const db = new Database(env.DB)
  const note = (text: string) => sql`INSERT INTO review_notes (kind, object_id, note, user_id, at_utc)
    VALUES ('event', (SELECT count(*) FROM review_notes), ${text}, 1, '')`
  const noted = async () =>
    (
      await env.DB.prepare('SELECT note FROM review_notes ORDER BY object_id').all<{ note: string }>()
    ).results.map(({ note }) => note)
  db.prependToNextWrite({ statements: [note('key')] })
  db.prependToNextWrite({ statements: [note('dropped')] })()
  const drop = db.prependToNextWrite({ statements: [note('version')] })
  await expect(db.write([sql`INSERT INTO nowhere DEFAULT VALUES`])).rejects.toThrow('no such table')
  expect(await noted()).toEqual([])
  // A writer of several has what precedes the writes of all of them.
  db.prependToNextWrite({ statements: [note('joined')] })
  await db.writeTogether<unknown>([() => db.write([note('first')]), () => db.write([note('second')])])
  drop()
  await db.write([note('later')])
  expect(await noted()).toEqual(['key', 'version', 'joined', 'first', 'second', 'later'])
  // Each may explain why the write has failed.
  const explain = (text: string) => (error: unknown) =>
    new Error(`${text}: ${error instanceof Error && error.message}`)
  db.prependToNextWrite({ statements: [sql`SELECT 1`], explain: explain('first') })
  db.prependToNextWrite({ statements: [sql`SELECT 1`], explain: explain('second') })
  await expect(db.write([sql`INSERT INTO nowhere DEFAULT VALUES`])).rejects.toThrow(
    /^second: first: .*no such table/,
  )
})

it('several writers write in one transaction, each with the result of its own write, or not at all', async () => {
  const db = new Database(env.DB)
  const add = (name: string) =>
    first(sql`INSERT INTO day_keys (day, key) VALUES (${name}, '') RETURNING day`, row => row.day)
  const stored = () => countRows('day_keys')
  const writer = (name: string) => async () => {
    const day = await db.write(add(name))
    return [day, await stored()]
  }
  const trips = db.metrics.roundTrips
  const written = await db.writeTogether<unknown>([writer('a'), async () => 'nothing to write', writer('b')])
  // The rows of both are there once the first of them goes on.
  expect(written).toEqual([['a', 2], 'nothing to write', ['b', 2]])
  expect(db.metrics.roundTrips).toBe(trips + 1)
  const fails = db.writeTogether<unknown>([
    writer('c'),
    writer('d'),
    () => db.write([sql`INSERT INTO nowhere VALUES (1)`]),
  ])
  await expect(fails).rejects.toThrow('no such table')
  await expect(
    db.writeTogether<unknown>([writer('e'), () => Promise.reject(new Error('refused'))]),
  ).rejects.toThrow('refused')
  expect(await stored()).toBe(2)
  // What comes after is written by itself.
  expect(await writer('f')()).toEqual(['f', 3])
  const twice = async () => [await writer('g')(), await writer('h')()]
  expect(await db.writeTogether<unknown>([twice, writer('i')])).toEqual([
    [
      ['g', 5],
      ['h', 6],
    ],
    ['i', 5],
  ])
})

it('a template reads columns by their types, and none that its statement lacks or that has another type', async () => {
  const db = new Database(env.DB)
  const read = (columns: string) =>
    db.read(
      many(sql.raw(`SELECT ${columns}`), {
        id: readNumber,
        slug: readText,
        role: readOneOf(['a', 'b']),
        at: orNull(readNumber),
      }),
    )
  expect(await read("1 AS id, 'x' AS slug, 'b' AS role, NULL AS at")).toEqual([
    { id: 1, slug: 'x', role: 'b', at: null },
  ])
  await expect(read("1 AS id, 'x' AS slog, 'b' AS role, NULL AS at")).rejects.toThrow(
    'slug has the value undefined; expected text.',
  )
  await expect(read("NULL AS id, 'x' AS slug, 'b' AS role, NULL AS at")).rejects.toThrow(
    'id has the value null',
  )
  await expect(read("1 AS id, 'x' AS slug, 'c' AS role, NULL AS at")).rejects.toThrow('expected a or b')
  await expect(read("1 AS id, 'x' AS slug, 'b' AS role, 'x' AS at")).rejects.toThrow('expected number')
})
