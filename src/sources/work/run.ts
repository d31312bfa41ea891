import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { decodeRow } from '../../db/columns.ts'
import { isConflict } from '../../db/conflicts.ts'
import type { Database } from '../../db/database.ts'
import { first, many, type Query, together } from '../../db/query.ts'
import { sources } from '../../db/schema.ts'
import { attempt } from '../../http/log.ts'
import { invalidParams } from '../../lib/errors.ts'
import { formatInstant } from '../../lib/time.ts'
import type { Settings } from '../../settings.ts'
import { ownId } from '../itself.ts'
import { type Transport, Unreachable } from '../readers/transport.ts'
import { Unreadable } from '../records.ts'
import {
  assertSource,
  newestRun,
  type RunRow,
  type SourceRow,
  sourceById,
  sourceColumns,
} from '../resource/queries.ts'
import type { PreviewResponse } from '../resource/schema.ts'
import { importContext } from '../sync/run.ts'
import { findTwins, STATEMENTS_OF_TWINS } from '../twins/find.ts'
import { Allowance, MOST_REQUESTS, type Patience, sourceClient } from './allowance.ts'
import { type FoundCalendar, look } from './look.ts'
import { NO_PAGES, readPages } from './pages.ts'
import { step } from './step.ts'

/** Statements that an invocation may make on the free plan, less a few, and those that a piece takes at most. */
const MOST_OF_INVOCATION = 48
const OF_PIECE = 30

/** Requests of a piece at most. */
const REQUESTS_OF_PIECE = 30

/** Pieces of one invocation, where they are small, and the time after which no other one is begun: one may hang for 20 seconds. */
const MOST_PIECES = 4
const MOST_MS = 25_000
/** The same while somebody waits. */
const MOST_WAIT_MS = 10_000

/** The time for which a run has its source, longer than a piece takes: after it, another takes up what a killed one has left. */
const LEASE_MS = 90_000

/** @property only the id of the one source that may be read, though it is paused */
type Reading = { db: Database; settings: Settings; nowMs: number; only?: number; patience?: Patience }

/**
 * Reads sources that are due, a piece of one after a piece of another, as far as statements, requests and time allow. Can run
 * twice at the same time: each source is taken by one run. What a killed run has written is unchanged for the next one.
 *
 * @returns the number of requests
 */
export async function readSources({ db, settings, nowMs, only, patience }: Reading): Promise<number> {
  const startMs = Date.now()
  const allowance = new Allowance()
  const mostMs = only === undefined ? MOST_MS : MOST_WAIT_MS
  for (let pieces = 0; pieces < MOST_PIECES && Date.now() - startMs < mostMs; pieces++) {
    if (MOST_OF_INVOCATION - db.metrics.statements < OF_PIECE || allowance.requests < REQUESTS_OF_PIECE) break
    const [[source]] = await db.write([claim(nowMs, only)])
    if (!source) break
    const context = importContext(db, settings, formatInstant(nowMs))
    await attempt(`source ${source.id}`, () => stepWithin(context, source, allowance, patience))
    // What is left over is done in another minute.
    if (MOST_OF_INVOCATION - db.metrics.statements >= STATEMENTS_OF_TWINS)
      await attempt('twins', () => findTwins({ db, settings, nowMs }))
  }
  return MOST_REQUESTS - allowance.requests
}

/** Does a piece of a source, unless another run has it by now, or somebody has changed or deleted it: then it is free for the next one. */
async function stepWithin(...[context, source, ...rest]: Parameters<typeof step>): Promise<void> {
  try {
    await step(context, source, ...rest)
  } catch (error) {
    if (!isConflict(error)) throw error
    const { id, lease } = source
    await context.db.change([sql`UPDATE ${sources} SET lease = '' WHERE id = ${id} AND lease = ${lease}`])
  }
}

type ReadingByHand = {
  /** Opens an executor: each piece has its own, as an invocation of the cron. */
  open: () => Database
  settings: Settings
  id: number
  transport: Transport
  /** Called after each piece, with the number of records that are done, and of those that there are at least. */
  progress: (done: number, expected: number) => void
}

/** Pause before the next try to take a source that another run has. */
const PAUSE_MS = 1_000

/**
 * Reads one source to the end of a run, though it is paused, in the pieces of the cron. A run that is under way is taken up.
 *
 * @throws ApiError if there is no such source; Error if something is wrong with the database, so that the cron is to go on later
 */
export async function readToItsEnd({
  open,
  settings,
  id,
  transport,
  progress,
}: ReadingByHand): Promise<RunRow> {
  const state = together({ source: sourceById(id), run: newestRun(id) })
  const before = await open().get(state)
  assertSource(before.source)
  await open().change([
    sql`UPDATE ${sources} SET next_run_utc = ${formatInstant(Date.now())} WHERE id = ${id}`,
  ])
  for (;;) {
    const db = open()
    const nowMs = Date.now()
    const [[taken]] = await db.write([claim(nowMs, id)])
    if (taken)
      await stepWithin(importContext(db, settings, formatInstant(nowMs)), taken, new Allowance(transport))
    await attempt('twins', () => findTwins({ db: open(), settings, nowMs }))
    const { source, run } = await open().get(state)
    const known = assertSource(source)
    progress(known.place, Math.max(known.place, known.events))
    if (taken && run?.state === 'running' && known.failures > taken.failures) throw new Error(known.message)
    const isNew = run?.id !== before.run?.id || before.run?.state === 'running'
    if (run && isNew && run.state !== 'running') return run
    if (!taken) await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}

/** A condition for sources that are read, or taken apart. */
const isGoingOn = sql`(state <> 'paused' OR is_ending)`

/** Tells if a source is to be read, or to be taken apart, now. @param nowMs epoch milliseconds */
export const hasSourceDue = async (db: Database, nowMs: number): Promise<boolean> =>
  (await db.get(
    first(
      sql`SELECT 1 FROM ${sources} WHERE next_run_utc <= ${formatInstant(nowMs)} AND ${isGoingOn} LIMIT 1`,
      () => true,
    ),
  )) ?? false

/** Minutes for which a source is put back that was not written down again, by how often. */
const PUT_BACK = sql`min(1440, 5 << min(failures, 9))`

/**
 * A write that takes the source whose turn it is. One whose lease is still there was killed in the middle: less of it is tried,
 * and if that is killed as well, it is put back, so that no source uses up the time of all others.
 */
function claim(nowMs: number, only: number | undefined): Query<SourceRow[]> {
  const now = formatInstant(nowMs)
  const lease = `${formatInstant(nowMs + LEASE_MS)} ${crypto.randomUUID()}`
  // One of another day may have been left because the database did no more on that day.
  const isKilled = sql`(lease >= ${now.slice(0, 10)})`
  const isWanted = only === undefined ? isGoingOn : sql`id = ${only}`
  return many(
    sql`UPDATE ${sources} SET lease = ${lease}, served_utc = ${now}, failures = failures + ${isKilled},
      next_run_utc = iif(NOT ${isKilled}, next_run_utc, datetime(${now}, '+' || ${PUT_BACK} || ' minutes'))
      WHERE id = (
        SELECT id FROM ${sources} WHERE next_run_utc <= ${now} AND lease < ${now} AND ${isWanted}
        ORDER BY served_utc, id LIMIT 1) RETURNING *`,
    row => decodeRow(sourceColumns, row),
  )
}

const SHOWN = 5

/** The time after which a look asks for no more pages. */
const MOST_OF_LOOK_MS = 8_000

/** What is at an address: of pages, as many as show some events. @throws Unreachable, Unreadable */
async function foundAt(
  context: RequestContext,
  url: string,
): Promise<Pick<FoundCalendar, 'name' | 'records'> & { kind: string }> {
  const allowance = new Allowance()
  const client = sourceClient(context, url, allowance, { own: await ownId(context.db, context.settings) })
  const known = { etag: '', lastModified: '' }
  const found = await look(context, { url, source: 'preview', kind: '', client, known })
  if (!found) throw new Unreadable(`${url} says nothing`)
  if (!('first' in found)) return found
  let room = SHOWN
  const { records } = await readPages(context, {
    ...{ url, source: 'preview', search: '', client, allowance, stored: NO_PAGES, first: found.first },
    ...{ place: 0, known, mostMs: MOST_OF_LOOK_MS, patience: { timeoutMs: MOST_OF_LOOK_MS } },
    room: { isFull: () => room <= 0, take: ({ kind }) => (room -= Number(kind === 'event')) },
  })
  if (records.length === 0)
    throw new Unreadable(`there is no calendar, and the first pages have no events as JSON-LD`)
  return { kind: found.kind, name: new URL(url).hostname, records }
}

/** What is at an address. Nothing is written. @throws ApiError naming `url` if nothing can be read there */
export async function previewOf(context: RequestContext, url: string): Promise<PreviewResponse> {
  try {
    const found = await foundAt(context, url)
    const events = found.records.flatMap(record =>
      record.kind === 'event' && 'start' in record ? [record] : [],
    )
    const coming = events.filter(({ end }) => end.utc >= context.now)
    const shown = (coming.length > 0 ? coming : events).toSorted((a, b) =>
      a.start.utc < b.start.utc ? -1 : 1,
    )
    return {
      kind: found.kind,
      name: found.name,
      events: shown.slice(0, SHOWN).map(({ title, start, end, timezone, all_day }) => ({
        ...{ title, timezone, all_day },
        start_date: start.wall,
        end_date: end.wall,
      })),
      total: events.length,
    }
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Unreadable)
      throw invalidParams(new Map([['url', `cannot be read: ${error.message}`]]))
    throw error
  }
}
