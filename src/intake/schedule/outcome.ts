import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { conflictIf } from '../../db/conflicts.ts'
import { type Statement, together } from '../../db/query.ts'
import { sourcePages, sourceRuns, sources } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { DAY_MS, formatInstant, toEpoch } from '../../lib/time.ts'
import {
  HALF_GONE,
  INCOMPLETE,
  importSource,
  type RunRow,
  type SourceRow,
} from '../../resources/sources/queries.ts'
import { forgetDocument } from '../../resources/sources/writes.ts'
import { COLLECTIONS, type ContentRecordKind } from '../records.ts'
import { type Holder, isEdited } from '../sync/decisions.ts'
import { editionColumns, storedOf } from '../sync/editions.ts'
import { forgetUndone } from '../sync/edits.ts'
import { selectOf } from '../sync/lists.ts'
import { addMapping, MAPPING } from '../sync/load.ts'
import { State } from '../sync/state.ts'
import type { Skipped } from './look.ts'
import { wasApproved } from './own.ts'
import type { StoredPages } from './pages.ts'

/** What was edited here of a source, so that what it said of that was left out. */
const heldIn = ({ held }: SourceRow): Holder[] =>
  // Of JSON that was stored by outcome.ts.
  JSON.parse(held) as Holder[]

/** True if something that is held of a source is as it was imported again: what was left out is to be read, though nothing is new. */
export async function hasReleased(context: RequestContext, source: SourceRow): Promise<boolean> {
  const held = heldIn(source)
  if (held.length === 0) return false
  const name = importSource(source.id)
  const rowsOf = (kind: ContentRecordKind) =>
    selectOf(
      held.flatMap(([of, id]) => (of === kind ? [id] : [])),
      list =>
        sql`SELECT ${sql.raw(editionColumns(kind))} FROM ${sql.raw(COLLECTIONS[kind])} WHERE id IN ${list}`,
    )
  const rows = {
    event: rowsOf('event'),
    series: rowsOf('series'),
    venue: rowsOf('venue'),
    organizer: rowsOf('organizer'),
  }
  const { mapped, ...found } = await context.db.get(
    together({
      ...rows,
      mapped: selectOf(
        held,
        list => sql`SELECT ${MAPPING} FROM ${list} AS given CROSS JOIN imports INDEXED BY imports_target
          ON imports.kind = (given.value ->> 0) AND target_id = (given.value ->> 1) AND source = ${name}`,
      ),
    }),
  )
  const state = new State()
  for (const row of mapped) addMapping(state, name, row)
  for (const kind of ['event', 'series', 'venue', 'organizer'] as const)
    for (const row of found[kind]) state.content[kind].set(Number(row.id), await storedOf(kind, row))
  await forgetUndone(context, { source: name, mapped, drafts: [] }, state)
  for (const row of found.series)
    if (await wasApproved(row, state.mappingTo(name, 'series', Number(row.id))?.importedVersion)) return true
  return held.some(([kind, id]) => {
    const [known, stored] = [state.mappingTo(name, kind, id), state.content[kind].rows.get(id)]
    return known !== undefined && stored !== undefined && !isEdited(stored, known)
  })
}

const MOST_SKIPPED = 100
const MOST_HELD = 500
/** Characters of what sources say in reports. */
const LONGEST = 500

const MINUTE_MS = 60_000

/** Minutes after which what was left for a fault of the database is tried again, at most, and what it has refused, the first time. */
const MOST_MINUTES_LEFT = 15
const MINUTES_REFUSED = 15
const EVERY_MS = { hour: 60 * MINUTE_MS, '6 hours': 360 * MINUTE_MS, day: DAY_MS, week: 7 * DAY_MS } as const

/** What a piece has done. Counts are of events, but for what the database has refused. */
export type PieceOutcome = Record<'created' | 'updated' | 'unchanged' | 'trashed' | 'refused', number> & {
  skipped: Skipped[]
  held: Holder[]
}

export const noOutcome = (): PieceOutcome => ({
  ...{ created: 0, updated: 0, unchanged: 0, trashed: 0, refused: 0, skipped: [], held: [] },
})

/** A piece under way. */
export type RunningPiece = {
  context: RequestContext
  source: SourceRow
  run: RunRow
  stored: StoredPages
  /** What the run has stored of its document, as JSON; '' for nothing. */
  details: string
}

/** A statement that fails if another run has the source by now, or somebody has changed it. */
export const isMine = ({ id, lease, version }: SourceRow): SQL =>
  conflictIf(
    sql`NOT EXISTS (SELECT 1 FROM ${sources} WHERE id = ${id} AND lease = ${lease} AND version = ${version})`,
  )

/**
 * Writes down what a piece has done.
 *
 * @param values of the source, as assignments
 * @param values.run of the run, likewise
 * @param values.pages what is known of its pages now
 * @param values.beside a statement that is carried out along with it
 */
function writeDown(
  { context, source, run, stored }: RunningPiece,
  done: PieceOutcome,
  {
    source: values,
    run: end = sql``,
    pages = stored,
    beside,
  }: { source: SQL; run?: SQL; pages?: StoredPages; beside?: Statement | undefined },
): Promise<void> {
  // Of JSON that was stored here. A piece that is done again says the same again.
  const said = new Map((JSON.parse(run.skipped) as Skipped[]).map(one => [`${one.what}\n${one.why}`, one]))
  for (const one of done.skipped) {
    const [what, why] = [one.what, one.why].map(text => text.slice(0, LONGEST))
    if (what !== undefined && why !== undefined && said.size < MOST_SKIPPED)
      said.set(`${what}\n${why}`, { what, why })
  }
  return context.db.change([
    isMine(source),
    ...(beside ? [beside] : []),
    ...(pages === stored
      ? []
      : [
          build
            .insert(sourcePages)
            .values({ source_id: source.id, ...pages })
            .onConflictDoUpdate({ target: sourcePages.source_id, set: pages }),
        ]),
    sql`UPDATE ${sourceRuns} SET created = created + ${done.created}, updated = updated + ${done.updated},
      unchanged = unchanged + ${done.unchanged}, trashed = trashed + ${done.trashed},
      skipped = ${JSON.stringify([...said.values()])} ${end} WHERE id = ${run.id}`,
    sql`UPDATE ${sources} SET lease = '', held = ${heldWith(source, done)}, build = ${source.build},
      ${values} WHERE id = ${source.id}`,
  ])
}

/** What is held of a source after a piece, that of the piece last. */
function heldWith(source: SourceRow, done: PieceOutcome): string {
  const held = new Map([...heldIn(source), ...done.held].map(one => [one.join(), one]))
  return JSON.stringify([...held.values()].slice(-MOST_HELD))
}

/** The time of the next run, in milliseconds from now; null if there is none. */
const pauseOf = ({ every }: SourceRow): number | null => (every === '' ? null : EVERY_MS[every])

const after = ({ now }: RequestContext, ms: number | null): string | null =>
  ms === null ? null : formatInstant(toEpoch(now) + ms)

export type About = { kind: string; etag: string; last_modified: string }

/** Goes on as soon as it is its turn again. A source that was failing is not any more. */
export const goOn = (
  going: RunningPiece,
  done: PieceOutcome,
  values: SQL,
  { pages, beside }: { pages?: StoredPages; beside?: Statement } = {},
): Promise<void> =>
  writeDown(going, done, {
    beside,
    source: sql`${values}, state = iif(state = 'failing', 'ok', state), message = '', failures = 0,
      refused = ${going.source.refused + done.refused}, next_run_utc = ${going.context.now}`,
    ...(pages && { pages }),
  })

/** Leaves a piece to be tried again, because something is wrong with the database. What the document said of itself counts for nothing until all is done. */
export const leave = (going: RunningPiece, why: string): Promise<void> => {
  const { failures } = going.source
  const pauseMs = MINUTE_MS * Math.min(MOST_MINUTES_LEFT, 2 ** failures)
  return writeDown(going, noOutcome(), {
    source: sql`state = iif(state = 'paused', state, 'failing'), message = ${why.slice(0, 2 * LONGEST)},
      failures = ${failures + 1}, etag = '', last_modified = '', next_run_utc = ${after(going.context, pauseMs)}`,
  })
}

type End = {
  state: 'ok' | 'asking' | 'failing'
  message: string
  /** What it said of itself, by which the next run asks. */
  about: About
  events?: number | undefined
  pauseMs?: number | null
  refusedRuns?: number
  pages: StoredPages
}

/** Ends a run, with what becomes of the source. */
function end(
  going: RunningPiece,
  done: PieceOutcome,
  { state, message, about, ...values }: End,
): Promise<void> {
  const { context, source } = going
  const {
    events = source.events,
    pauseMs = pauseOf(source),
    refusedRuns = source.refused_runs,
    pages,
  } = values
  const [failures, outcome] = state === 'failing' ? [sql`failures + 1`, 'failed'] : [sql`0`, 'done']
  return writeDown(going, done, {
    source: sql`state = iif(state = 'paused', state, ${state}), message = ${message}, failures = ${failures}, place = 0,
      refused = 0, refused_within = 0, refused_runs = ${refusedRuns}, events = ${events}, kind = ${about.kind}, etag = ${about.etag}, last_modified = ${about.last_modified},
      last_run_utc = ${context.now}, next_run_utc = ${after(context, pauseMs)}`,
    run: sql`, state = ${outcome}, ended_utc = ${context.now}, message = ${message}`,
    // When no run is under way.
    pages: pages.crawl === '' ? pages : { ...pages, crawl: '' },
    beside: going.details === '' ? undefined : forgetDocument(source.id),
  })
}

export const unknown = ({ kind }: Pick<About, 'kind'>): About => ({ kind, etag: '', last_modified: '' })

/** What is still to come of a source and was there before a run, and how much of it is not there any more. */
export type Loss = { live: number; gone: number }

/** What is said of a list that may lack something. @param gap why */
const incomplete = (gap: string | undefined): string =>
  gap === undefined ? '' : `${INCOMPLETE}, and none of them counts as vanished: ${gap}.`

/**
 * Ends a run. What the database has refused is tried again soon, and later less often, whether the document has changed or not.
 *
 * @param events how many there are
 * @param gap why there may be more
 */
export function finish(
  going: RunningPiece,
  done: PieceOutcome,
  {
    events,
    about = going.source,
    pages = going.stored,
    gap,
  }: { events: number; about?: About; pages?: StoredPages; gap?: string | undefined },
): Promise<void> {
  const { source } = going
  const isRefused = source.refused + done.refused > 0
  const whole = {
    ...({ state: 'ok', message: incomplete(gap), events, pages } as const),
    // It is read again, whether it says that it has changed or not.
    about: gap === undefined && !isRefused ? about : unknown(about),
  }
  if (!isRefused) return end(going, done, { ...whole, refusedRuns: 0 })
  const usualMs = pauseOf(source)
  const soonMs = MINUTE_MS * MINUTES_REFUSED * 2 ** Math.min(source.refused_runs, 10)
  return end(going, done, {
    ...{ ...whole, refusedRuns: source.refused_runs + 1 },
    pauseMs: usualMs === null ? null : Math.min(usualMs, soonMs),
  })
}

/** Ends a run of which nothing is done before an editor agrees. @param gap why there may be more than was read */
export function askEditor(
  going: RunningPiece,
  done: PieceOutcome,
  { loss, gap, pages = going.stored }: { loss: Loss; gap: string | undefined; pages?: StoredPages },
): Promise<void> {
  const question = `${HALF_GONE}, ${loss.gone} of ${loss.live}: nothing is done before an editor agrees.`
  const message = [question, incomplete(gap)].filter(Boolean).join(' ')
  return end(going, done, { state: 'asking', message, about: unknown(going.source), pages })
}

/** Ends a run that cannot go on. */
export function fail(going: RunningPiece, why: string, done = noOutcome()): Promise<void> {
  const { source, stored: pages } = going
  const pauseMs = source.every === '' ? null : Math.min(DAY_MS, 5 * MINUTE_MS * 2 ** source.failures)
  const message = why.slice(0, 2 * LONGEST)
  return end(going, done, { state: 'failing', message, about: unknown(source), pauseMs, pages })
}
