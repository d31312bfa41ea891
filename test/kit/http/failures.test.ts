import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { Allowance, OutOfAllowance } from '../../../src/kit/db/allowance.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { many, rowlessQuery } from '../../../src/kit/db/query.ts'
import { messageOf } from '../../../src/kit/lib/errors.ts'
import { type Answer, countRows, declareUser, SITE, send, WHEN } from '../../factories.ts'
import { faultyD1 } from './faulty-d1.ts'

const LOST = 'D1_ERROR: Network connection lost.'
const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'

const editor = declareUser('editor')
beforeAll(async () => {
  // The first log-in of an hour makes a write of its own, which these tests leave out.
  await send('GET', '/events', { as: editor })
})

/** A list that no request has asked for before, so that no response to it is in memory. */
const newList = () => `/events?search=${crypto.randomUUID()}`

/** The rows of an event and of everything that comes with it. */
const rowCounts = async () =>
  Promise.all(
    ['events', 'venues', 'terms', 'event_terms', 'event_venues', 'events_search', 'audit'].map(table =>
      countRows(table),
    ),
  )

const createEvent = (DB: D1Database, title: string) => {
  const json = { title, ...WHEN, venue: { venue: `Venue of ${title}` }, tags: [`tag of ${title}`] }
  return send('POST', '/events', { as: editor, json, bindings: { DB } })
}

const expectUnavailable = ({ status, headers, body, text }: Answer) => {
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toMatchObject({ code: 'rest_service_unavailable', data: { status: 503 } })
  expect(text).not.toMatch(/D1|SQL|network/i)
}

describe('a read', () => {
  it.each([LOST, OVERLOADED, 'D1_ERROR: Internal error in D1 DB storage caused object to be reset.'])(
    'is sent again after "%s"',
    async message => {
      const { DB, seen } = faultyD1({ message, times: 2 })
      expect((await send('GET', newList(), { bindings: { DB } })).status).toBe(200)
      expect(seen.batches).toBe(3)
    },
  )

  it.each([
    'D1_ERROR: database or disk is full: SQLITE_FULL',
    'D1_ERROR: disk I/O error: SQLITE_IOERR',
    'D1_ERROR: Something that nobody has listed.',
    LOST,
  ])('is given up with a 503 when D1 keeps failing: %s', async message => {
    const { DB, seen } = faultyD1({ message, times: Infinity })
    expectUnavailable(await send('GET', newList(), { bindings: { DB } }))
    expect(seen.batches).toBe(3)
  })

  it('is not sent again if the statement itself is wrong', async () => {
    for (const message of [
      'D1_ERROR: no such table: events: SQLITE_ERROR',
      'D1_ERROR: too many SQL variables at offset 90: SQLITE_ERROR',
      'D1_ERROR: string or blob too big: SQLITE_TOOBIG',
    ]) {
      const { DB, seen } = faultyD1({ message })
      expect((await send('GET', newList(), { bindings: { DB } })).status, message).toBe(500)
      expect(seen.batches, message).toBe(1)
    }
  })
})

const LOCKED = 'D1_ERROR: database is locked: SQLITE_BUSY_SNAPSHOT'

describe('a local database into which another process writes', () => {
  it('makes reads and writes wait', async () => {
    const reading = faultyD1({ message: LOCKED, times: 6 })
    expect((await send('GET', newList(), { bindings: { DB: reading.DB } })).status).toBe(200)
    const before = await rowCounts()
    const writing = faultyD1({ message: LOCKED, times: 6, writesOnly: true })
    expect((await createEvent(writing.DB, 'beside an import')).status).toBe(201)
    const after = await rowCounts()
    expect(after[0]).toBe(Number(before[0]) + 1)
  })
})

describe('a command while a service is busy', () => {
  // The error of Miniflare's D1 for a statement that found the database locked, if it can't say so.
  const message = 'D1_ERROR: Failed to parse body as JSON, got: Error: internal error; reference = x'

  it('asks again', async () => {
    const { DB, seen } = faultyD1({ message, times: 6 })
    expect(await new Database(DB).read(many(sql`SELECT 1 AS n`, row => row))).toEqual([{ n: 1 }])
    expect(seen.batches).toBe(7)
  })

  it('repeats nothing that may have happened, and keeps the database’s message', async () => {
    const { DB, seen } = faultyD1({ message, times: 6 })
    const done = new Database(DB).write(rowlessQuery(sql`DELETE FROM users WHERE 0`))
    const error: Error = await done.then(
      () => new Error('done'),
      error => error,
    )
    expect([messageOf(error.cause), seen.batches]).toEqual([message, 1])
  })
})

describe('a write', () => {
  it('is sent again if D1 never began it', async () => {
    const before = await rowCounts()
    const { DB, seen } = faultyD1({ message: OVERLOADED, times: 2, writesOnly: true })
    expect((await createEvent(DB, 'patient')).status).toBe(201)
    expect(seen.failed).toBe(2)
    expect(await rowCounts()).toEqual(before.map((n, i) => Number(n) + (i === 6 ? 3 : 1)))
  })

  it.each([LOST, 'D1_ERROR: out of luck'])(
    'is not sent again if it may have happened, and leaves nothing if it has not: %s',
    async message => {
      const before = await rowCounts()
      const { DB, seen } = faultyD1({ message, times: 2, writesOnly: true })
      expectUnavailable(await createEvent(DB, 'lost'))
      expect(seen.failed).toBe(1)
      expect(await rowCounts()).toEqual(before)
    },
  )

  it.each([
    [LOST, true, /look before/],
    [OVERLOADED, false, /in a few seconds/],
  ])('says after "%s" whether it may have happened: %s', async (message, mayHaveWritten, advice) => {
    const db = new Database(faultyD1({ message, times: Infinity }).DB)
    await expect(db.write(rowlessQuery(sql`DELETE FROM users WHERE 0`))).rejects.toThrow(advice)
    expect(db.mayHaveWritten).toBe(mayHaveWritten)
  })

  it('that would take too many statements has not happened', async () => {
    const db = new Database(env.DB, new Allowance({ statements: 0, isStrict: true }))
    await expect(db.write(rowlessQuery(sql`DELETE FROM users WHERE 0`))).rejects.toThrow(OutOfAllowance)
    expect(db.mayHaveWritten).toBe(false)
  })

  it('is 500 when a rule of the tables refuses it', async () => {
    const message = 'D1_ERROR: CHECK constraint failed: start_utc: SQLITE_CONSTRAINT'
    const { DB } = faultyD1({ message, writesOnly: true })
    expect((await createEvent(DB, 'refused')).status).toBe(500)
  })

  it('happens once and as a whole when only its response is lost', async () => {
    const before = await rowCounts()
    const { DB } = faultyD1({ message: LOST, writesOnly: true, late: true })
    expectUnavailable(await createEvent(DB, 'unheard'))
    expect(await rowCounts()).toEqual(before.map((n, i) => Number(n) + (i === 6 ? 3 : 1)))
    const { body } = await send('GET', '/events?search=unheard')
    expect(body.total).toBe(1)
  })

  it.each(['PATCH', 'DELETE'])('by %s leaves nothing half done either', async method => {
    const title = `kept from ${method}`
    const { id } = (await createEvent(env.DB, title)).body
    const before = await rowCounts()
    const { DB } = faultyD1({ message: LOST, writesOnly: true })
    const sent = { as: editor, json: { title: 'other', tags: ['other'] }, bindings: { DB } }
    expectUnavailable(await send(method, `/events/${id}`, sent))
    expect(await rowCounts()).toEqual(before)
    const { body } = await send('GET', `/events/${id}`)
    expect(body).toMatchObject({ title, status: 'publish', tags: [{ name: `tag of ${title}` }] })
  })
})

describe('an unforeseen error', () => {
  const message = `D1_ERROR: near "SELECT secret": syntax error at offset 7`

  it('gives a response with the id of the request and no details', async () => {
    const { DB } = faultyD1({ message, times: Infinity })
    const sent = { headers: { 'x-request-id': 'from-the-client' }, bindings: { DB } }
    const { status, headers, body, text } = await send('GET', newList(), sent)
    expect([status, headers.get('x-request-id')]).toEqual([500, 'from-the-client'])
    expect(body).toMatchObject({
      code: 'rest_internal_error',
      data: { status: 500, request_id: 'from-the-client' },
    })
    expect(text).not.toMatch(/SELECT|secret|D1|\.ts|at /)
  })

  it('makes the service not ready', async () => {
    const { DB } = faultyD1({ message, times: Infinity })
    const probe = (path: string) => send('GET', SITE + path, { bindings: { DB } })
    expect(await probe('/readyz')).toMatchObject({ status: 503, body: { status: 'no database' } })
    expect((await probe('/healthz')).status).toBe(200)
  })
})

describe('a database without migrations', () => {
  const missing = () => ({
    bindings: { DB: faultyD1({ message: 'D1_ERROR: no such table: settings', times: Infinity }).DB },
  })

  it.each(['/events/', '/admin/', '/calendar/events/v1/events'])(
    'says at %s what to do, on this machine only',
    async path => {
      const here = await send('GET', `http://localhost:8787${path}`, missing())
      expect(here.status).toBe(500)
      expect(here.text).toContain('npm run dev applies migrations')
      const deployed = await send('GET', SITE + path, missing())
      expect(deployed.status).toBe(500)
      expect(deployed.text).not.toContain('npm run')
    },
  )
})
