import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { conflictIf, isConflict } from '../../db/conflicts.ts'
import { first, inList, together } from '../../db/query.ts'
import { sourceRuns, sources } from '../../db/schema.ts'
import { requestIdOf } from '../../lib/audit-source.ts'
import { messageOf } from '../../lib/errors.ts'
import { may, type Role } from '../../lib/roles.ts'
import { DAY_MS, formatInstant, toEpoch } from '../../lib/time.ts'
import { seriesOf } from '../keys.ts'
import { type AnyRecord, recordLength, recordName } from '../records.ts'
import { importSource, newestRun, type RunRow, type SourceRow } from '../resource/queries.ts'
import { forgetSource } from '../resource/writes.ts'
import { syncPiece } from '../sync/piece.ts'
import { type Complete, trashVanished } from '../sync/vanished.ts'
import { type FoundCalendar, look, type Skipped } from './look.ts'
import { letIn, withOwn } from './own.ts'

/** Events, records and characters of descriptions of a piece: the free plan gives 10 ms of CPU. */
const EVENTS = 50
const RECORDS = 150
const CHARACTERS = 500_000

/** Rows that go to the trash in one transaction, and the statements of the invocation after which no more do. */
const TRASHED = 50
const MOST_STATEMENTS = 30

/** Fewer coming events than this may vanish without a question. */
const FEW = 4
const MOST_SKIPPED = 100
const RUNS_KEPT = 50

const MINUTE_MS = 60_000
const EVERY_MS = { hour: 60 * MINUTE_MS, '6 hours': 360 * MINUTE_MS, day: DAY_MS, week: 7 * DAY_MS } as const

/** What a piece has done. Counts are of events. */
type Done = { created: number; updated: number; unchanged: number; trashed: number; skipped: Skipped[] }

const nothing = (): Done => ({ created: 0, updated: 0, unchanged: 0, trashed: 0, skipped: [] })

/** Does a piece of the run of a source, which the caller has taken. @throws a conflict if another one has taken it since */
export async function step(
  context: RequestContext,
  source: SourceRow,
  timeoutMs?: number | undefined,
): Promise<void> {
  const { db, now } = context
  const { id } = source
  if (source.is_ending) return endPiece(context, source)
  const isThis = sql`source_id = ${id}`
  const { run, role } = await db.change(
    [
      sql`INSERT INTO ${sourceRuns} (source_id, started_utc, state) SELECT ${id}, ${now}, 'running'
        WHERE NOT EXISTS (SELECT 1 FROM ${sourceRuns} WHERE ${isThis} AND state = 'running')`,
      sql`DELETE FROM ${sourceRuns} WHERE ${isThis} AND id <= (
        SELECT id FROM ${sourceRuns} WHERE ${isThis} ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`,
    ],
    together({
      run: newestRun(id),
      role: first(
        sql`SELECT role FROM users WHERE id = ${source.author_id}`,
        row => String(row.role) as Role,
      ),
    }),
  )
  if (!run) return
  const going: Going = { context, source, run }
  if (role === undefined || !may({ id: source.author_id, role }, 'manage_sources'))
    return fail(going, 'Its owner may not have sources any more: somebody else has to add it again.')
  let found: FoundCalendar | undefined
  try {
    found = await look(context, {
      ...{ url: source.url, source: importSource(id), kind: source.kind, timeoutMs },
      known:
        source.place === 0
          ? { etag: source.etag, lastModified: source.last_modified }
          : { etag: '', lastModified: '' },
    })
  } catch (error) {
    return fail(going, `It could not be read. ${messageOf(error)}`)
  }
  if (!found) return finish(going, nothing(), source.events)
  await pieceOf(going, found)
}

type Going = { context: RequestContext; source: SourceRow; run: RunRow }

async function pieceOf(going: Going, found: FoundCalendar): Promise<void> {
  const { context, source } = going
  const records = letIn(found.records, source.search)
  const events = records.filter(({ kind }) => kind === 'event')
  if (source.place === 0 && source.events > 0 && (await hasShrunk(context, source, events)))
    return ask(going, events.length)
  const isSame = source.place === 0 || found.etag === source.etag
  const about = {
    kind: found.kind,
    etag: isSame ? found.etag : '',
    last_modified: isSame ? found.lastModified : '',
  }
  const done = nothing()
  // Said once, with the first piece.
  if (source.place === 0) done.skipped.push(...found.skipped)
  const piece = pieceFrom(records, source)
  if (piece.length > 0) {
    const place = source.place + piece.length
    const isWritten = await writePiece(going, piece, done)
    if (!isWritten)
      return commit(
        going,
        done,
        sql`state = iif(state = 'failing', 'ok', state), failures = ${refusalsOf(source) + 1}, next_run_utc = ${context.now}`,
      )
    if (place < records.length || source.mirror)
      return commit(
        going,
        done,
        sql`failures = 0, place = ${place}, kind = ${about.kind}, etag = ${about.etag}, last_modified = ${about.last_modified}, next_run_utc = ${context.now}`,
      )
  }
  if (source.mirror && !(await trash(going, { found, records }, done)))
    return commit(going, done, sql`place = ${Math.max(1, records.length)}, next_run_utc = ${context.now}`)
  await finish(going, done, Math.max(1, events.length), about)
}

/** How often the database has refused the next records. Failures of one that is failing are those of reading it. */
const refusalsOf = ({ state, failures }: SourceRow): number => (state === 'failing' ? 0 : failures)

/** The next records. After a refusal of the database there are fewer, down to the one that it refuses. */
function pieceFrom(records: readonly AnyRecord[], source: SourceRow): AnyRecord[] {
  const { place } = source
  const refusals = refusalsOf(source)
  const piece: AnyRecord[] = []
  const most = Math.max(1, EVENTS >> (2 * Math.min(refusals, 4)))
  let events = 0
  let characters = 0
  for (const record of records.slice(place)) {
    piece.push(record)
    if (record.kind === 'event') events++
    characters += recordLength(record)
    if (events >= most || piece.length >= (refusals > 0 ? most : RECORDS) || characters > CHARACTERS) break
  }
  return piece
}

/** Writes a piece. @returns false if the database has refused it, and a smaller one is to be tried */
async function writePiece(
  { context, source }: Going,
  piece: readonly AnyRecord[],
  done: Done,
): Promise<boolean> {
  const name = importSource(source.id)
  try {
    const { records, state } = await withOwn(context, source, piece)
    const planned = await syncPiece(context, name, records, {
      mirror: source.mirror,
      authorId: source.author_id,
      state,
    })
    for (const { decision, series } of planned) {
      done.trashed += series?.trashed.length ?? 0
      const { record, action } = decision
      if (decision.action === 'skip') done.skipped.push({ what: recordName(record), why: decision.reason })
      else if (record.kind !== 'event') continue
      else if (action === 'create') done.created++
      else if (action === 'update') done.updated++
      else done.unchanged++
    }
    return true
  } catch (error) {
    const [only, ...others] = piece
    if (isConflict(error) || !only || others.length > 0) return false
    done.skipped.push({ what: recordName(only), why: messageOf(error) })
    return true
  }
}

/** Moves to the trash what has vanished of what is still to come. @returns false if there is more of it */
async function trash(
  { context, source }: Going,
  { found, records }: { found: FoundCalendar; records: readonly AnyRecord[] },
  done: Done,
): Promise<boolean> {
  const there = new Set([...found.unread, ...records.map(({ kind, externalId }) => `${kind} ${externalId}`)])
  for (const complete of found.completes) {
    const { kind } = complete
    if (kind !== 'event' && kind !== 'series') continue
    const has = (externalId: string): boolean => {
      const uid = kind === 'series' ? externalId : seriesOf(externalId)
      return there.has(`${kind} ${externalId}`) || (uid !== undefined && found.unread.has(`event ${uid}`))
    }
    const coming = { ...complete, from: [complete.from ?? '', context.now].sort().at(-1) ?? context.now }
    if (!(await trashSome(context, source, { complete: coming, has }, done))) return false
  }
  return true
}

async function trashSome(
  context: RequestContext,
  source: SourceRow,
  vanishing: { complete: Complete; has: (externalId: string) => boolean },
  done: Done,
): Promise<boolean> {
  const name = importSource(source.id)
  const from = { ...context, requestId: requestIdOf(name) }
  const { now, settings } = context
  const options = { mirror: true, authorId: source.author_id, now, timezone: settings.timezone }
  for await (const { statements, gone } of trashVanished(from, { ...vanishing, size: TRASHED }, options)) {
    if (context.db.metrics.statements > MOST_STATEMENTS) return false
    await context.db.change(statements)
    done.trashed += gone.filter(({ kind }) => kind === 'event').length
  }
  return true
}

/** Moves a piece of what came of a deleted source to the trash, and forgets the source when nothing is left. */
async function endPiece(context: RequestContext, source: SourceRow): Promise<void> {
  const done = nothing()
  for (const kind of ['series', 'event'] as const) {
    const complete = { type: 'complete' as const, source: importSource(source.id), kind }
    if (!(await trashSome(context, source, { complete, has: () => false }, done)))
      return context.db.change([
        isMine(source),
        sql`UPDATE ${sources} SET lease = '' WHERE id = ${source.id}`,
      ])
  }
  await context.db.change([isMine(source), ...forgetSource(source.id)])
}

/** True if half of what is still to come of a source is not there any more. */
async function hasShrunk(
  { db, now }: RequestContext,
  { id }: SourceRow,
  events: readonly AnyRecord[],
): Promise<boolean> {
  const ids = events.map(({ externalId }) => externalId)
  const counts = await db.get(
    first(
      sql`SELECT count(*) AS had, coalesce(sum(of.external_id IN ${inList(ids)}), 0) AS has
        FROM (SELECT imports.external_id, target_id FROM imports WHERE source = ${importSource(id)} AND kind = 'event') AS of
        CROSS JOIN events ON events.id = of.target_id WHERE utc_start_date >= ${now} AND status <> 'trash'`,
      row => ({ had: Number(row.had), has: Number(row.has) }),
    ),
  )
  return counts !== undefined && counts.had >= FEW && counts.has * 2 < counts.had
}

/** A statement that fails if another run has the source by now, or somebody has changed it. */
const isMine = ({ id, lease, version }: SourceRow): SQL =>
  conflictIf(
    sql`NOT EXISTS (SELECT 1 FROM ${sources} WHERE id = ${id} AND lease = ${lease} AND version = ${version})`,
  )

/** Writes down what a piece has done. @param values of the source, as assignments */
function commit({ context, source, run }: Going, done: Done, values: SQL, end = sql``): Promise<void> {
  // Of JSON that was stored here.
  const skipped = [...(JSON.parse(run.skipped) as Skipped[]), ...done.skipped].slice(0, MOST_SKIPPED)
  return context.db.change([
    isMine(source),
    sql`UPDATE ${sourceRuns} SET created = created + ${done.created}, updated = updated + ${done.updated},
      unchanged = unchanged + ${done.unchanged}, trashed = trashed + ${done.trashed},
      skipped = ${JSON.stringify(skipped)} ${end} WHERE id = ${run.id}`,
    sql`UPDATE ${sources} SET lease = '', ${values} WHERE id = ${source.id}`,
  ])
}

/** The time of the next run, in milliseconds from now; null if there is none. */
const pauseOf = ({ every }: SourceRow): number | null => (every === '' ? null : EVERY_MS[every])

const after = ({ now }: RequestContext, ms: number | null): string | null =>
  ms === null ? null : formatInstant(toEpoch(now) + ms)

type About = { kind: string; etag: string; last_modified: string }

function finish(going: Going, done: Done, events: number, about?: About): Promise<void> {
  const { context, source } = going
  const { kind, etag, last_modified } = about ?? source
  return commit(
    going,
    done,
    sql`state = iif(state = 'paused', state, 'ok'), message = '', failures = 0, place = 0, events = ${events},
      kind = ${kind}, etag = ${etag}, last_modified = ${last_modified}, last_run_utc = ${context.now},
      next_run_utc = ${after(context, pauseOf(source))}`,
    sql`, state = 'done', ended_utc = ${context.now}`,
  )
}

function ask(going: Going, events: number): Promise<void> {
  const { context, source } = going
  const message = `Less than half of its coming events are there (${events} events in all): nothing is done before an editor agrees.`
  return commit(
    going,
    nothing(),
    sql`state = iif(state = 'paused', state, 'asking'), message = ${message}, failures = 0, place = 0, etag = '', last_modified = '',
      last_run_utc = ${context.now}, next_run_utc = ${after(context, pauseOf(source))}`,
    sql`, state = 'done', ended_utc = ${context.now}, message = ${message}`,
  )
}

function fail(going: Going, message: string): Promise<void> {
  const { context, source } = going
  const pause = source.every === '' ? null : Math.min(DAY_MS, 5 * MINUTE_MS * 2 ** source.failures)
  return commit(
    going,
    nothing(),
    sql`state = iif(state = 'paused', state, 'failing'), message = ${message}, failures = failures + 1, place = 0, etag = '',
      last_modified = '', last_run_utc = ${context.now}, next_run_utc = ${after(context, pause)}`,
    sql`, state = 'failed', ended_utc = ${context.now}, message = ${message}`,
  )
}
