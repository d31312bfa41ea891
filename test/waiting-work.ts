import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Mailer } from '../src/kit/context.ts'
import { Database } from '../src/kit/db/database.ts'
import type { Retries } from '../src/kit/lib/retries.ts'
import { type Settings, settingsOf } from '../src/kit/settings.ts'
import { beginAtNoon, NOON } from './clock.ts'
import { ics, vevent } from './features/sources/node/feed.ts'
import { listen } from './listen.ts'
import { type Calendar, openCalendar } from './node-calendar.ts'
import { ignoreDatabaseFailure, watchedD1 } from './watched-d1.ts'

// Several kinds of work wait for others: sources that are read, webhooks that get messages, letters, and
// notices. The same faults happen to each; what differs is what users want of it (kit/lib/retries.ts).

const SETTINGS = settingsOf({ SITE_URL: 'https://town.example', TIMEZONE: 'UTC', ALLOW_PRIVATE_HOSTS: 'on' })

/** A kind of work that waits for others. */
type WaitingKind = {
  /** Makes work that is due at once for some who are reached by their names. */
  make: (names: readonly string[]) => Promise<void>
  run: (db: Database) => Promise<unknown>
  /** Its own tables, each before those to which it refers. */
  tables: readonly string[]
  /** The table whose rows reserve the work, and a condition for the row of a name. */
  table: string
  isRowOf: (name: string) => string
  policy: { leaseMs: number | null; retries: Retries }
}

export const EVENT = { title: 'Concert', start_date: '2026-12-01 20:00:00', end_date: '2026-12-01 22:00:00' }

const atMinute = (minutes: number) => vi.setSystemTime(Date.parse(NOON) + minutes * 60_000)

/** What a kind of work needs: the calendar, and somebody who is reached. */
type Tools = {
  calendar: Calendar
  server: { address: string }
  mailer: Mailer
  settings: Settings
}

/** The tests of a kind of work, over a calendar of their own. */
export async function describeWaiting(name: string, kindWith: (tools: Tools) => WaitingKind): Promise<void> {
  const calendar = await openCalendar()

  /** The names of those who were reached, in order. */
  let reached: string[] = []
  /** What happens once somebody is reached: it may fail. */
  let whenReached = async (_name: string): Promise<void> => {}

  const reach = async (name: string): Promise<void> => {
    reached.push(name)
    await whenReached(name)
  }

  const server = await listen(() => async (request, response) => {
    const [, name = ''] = /^\/(\w+)/.exec(request.url ?? '') ?? []
    const failure = await reach(name).catch(error => error)
    if (failure) return void response.writeHead(500).end()
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(ics([vevent(`of-${name}`)]))
  })

  /** Stands in for the platform's service for e-mails. An e-mail that it reports as failed was never sent. */
  const mailer = {
    from: { name: 'Town Hall', email: 'events@town.example' },
    send: async ({ to }: { to: string }) => {
      await reach(to.replace(/@.*/, ''))
      return { messageId: '1' }
    },
  }

  /** The database, of which batches fail while something holds. */
  const failing = (fails: () => boolean): D1Database =>
    watchedD1(calendar.DB, {
      batch: () => {
        if (fails()) throw new Error('D1_ERROR: Network connection lost.')
      },
    })

  const kind = kindWith({ calendar, server, mailer, settings: SETTINGS })

  describe(name, () => {
    beginAtNoon()
    beforeAll(async () => {
      await calendar.setUp()
      vi.spyOn(console, 'error').mockImplementation(() => undefined)
    })
    beforeEach(async () => {
      reached = []
      whenReached = async () => {}
      await calendar.clear()
      for (const table of [...kind.tables, 'setbacks']) await calendar.rows(`DELETE FROM ${table}`)
      await calendar.rows(`DELETE FROM users WHERE login <> 'ada'`)
    })
    afterAll(async () => {
      vi.restoreAllMocks()
      await server.close()
      await calendar.stop()
    })

    // What must not happen twice is not repeated once somebody may have been reached.
    const isRepeated = kind.policy.leaseMs !== null
    const run = (DB = calendar.DB) => kind.run(new Database(DB)).catch(ignoreDatabaseFailure)

    /** The work at some minutes after it was due. */
    const runAt = async (minutes: readonly number[], DB = calendar.DB) => {
      for (const minute of minutes) {
        atMinute(minute)
        await run(DB)
      }
    }

    it('are done once, by several workers at the same time', async () => {
      await kind.make(['amy', 'ben', 'cleo'])
      atMinute(1)
      await Promise.all([run(), run(), run()])
      await runAt([2, 3, 60])
      // Sources that write the same rows at the same time get in each other's way, and one of them is read
      // again.
      const all = isRepeated ? [...new Set(reached)] : reached
      expect(all.toSorted()).toEqual(['amy', 'ben', 'cleo'])
    })

    it('are not touched by a second worker while the first one is busy with them', async () => {
      await kind.make(['amy'])
      atMinute(1)
      whenReached = async () => {
        whenReached = async () => {}
        await run()
      }
      await run()
      await runAt([2, 3])
      expect(reached).toEqual(['amy'])
    })

    it(
      isRepeated
        ? 'are done again if a worker is killed in the middle'
        : 'are not done again if a worker is killed in the middle',
      async () => {
        await kind.make(['amy'])
        let isDead = false
        whenReached = async () => {
          isDead = true
        }
        atMinute(1)
        await run(failing(() => isDead))
        expect(reached).toEqual(['amy'])
        whenReached = async () => {}
        // Nobody knows yet whether it was killed.
        atMinute(1.5)
        await run()
        expect(reached).toEqual(['amy'])
        await runAt([3, 5, 10, 30, 60, 24 * 60])
        expect(reached).toEqual(isRepeated ? ['amy', 'amy'] : ['amy'])
      },
    )

    it('wait for a database that fails, and lose nothing', async () => {
      await kind.make(['amy', 'ben'])
      await runAt(
        [1, 2, 3],
        failing(() => true),
      )
      expect(reached).toEqual([])
      await runAt([4, 5, 6])
      expect(reached.toSorted()).toEqual(['amy', 'ben'])
    })

    it('do not wait for a row that the database refuses', async () => {
      await kind.make(['amy', 'ben', 'cleo'])
      await calendar.rows(`CREATE TRIGGER refused BEFORE UPDATE ON ${kind.table} WHEN ${kind.isRowOf('amy')}
      BEGIN SELECT RAISE(ABORT, 'refused'); END`)
      await runAt([1, 2, 3])
      await calendar.rows('DROP TRIGGER refused')
      expect(reached.toSorted()).toEqual(['ben', 'cleo'])
      await runAt([10, 20, 40, 70])
      expect(reached.toSorted()).toEqual(['amy', 'ben', 'cleo'])
    })

    it('are not done again by a clock that goes back', async () => {
      await kind.make(['amy'])
      await runAt([10, 5, -60, 9, 10, 11, 12])
      expect(reached).toEqual(['amy'])
    })

    it('are tried less and less often while they fail, until the last time', async () => {
      await kind.make(['amy'])
      const tries: number[] = []
      whenReached = async () => {
        tries.push((Date.now() - Date.parse(NOON)) / 3_600_000)
        throw Object.assign(new Error('refused'), { code: 'E_DELIVERY_FAILED' })
      }
      for (let minute = 1; minute < 60; minute += 1) await runAt([minute])
      const inFirstHour = tries.length
      for (let hour = 1; hour <= 120; hour += 1) await runAt([hour * 60])
      expect(inFirstHour).toBeGreaterThan(1)
      expect(inFirstHour).toBeLessThan(12)
      const { retries } = kind.policy
      const lasting = retries.pausesMs.reduce((sum, ms) => sum + ms, 0) / 3_600_000
      // This test runs the cron only once an hour.
      if (retries.isEndless) expect(tries.at(-1)).toBeGreaterThan(90)
      else expect(Math.abs((tries.at(-1) ?? 0) - lasting)).toBeLessThan(retries.pausesMs.length)
      expect(tries.length).toBeLessThanOrEqual(retries.isEndless ? 130 : retries.pausesMs.length + 1)
    })
  })
}
