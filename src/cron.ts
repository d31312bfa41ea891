import { type SQL, sql } from 'drizzle-orm'
import { publishDue } from './calendar/content/publication.ts'
import { changedEventExistsSql } from './calendar/duplicates/nearby.ts'
import { extendSeries, seriesDueSql } from './calendar/events/extend-series.ts'
import { findDuplicates } from './calendar/imports/duplicates.ts'
import { cleanMedia } from './calendar/media/removal.ts'
import { noticeDueSql, sendNotices } from './editor/notices.ts'
import { expiredRows as expiredSessions } from './editor/sessions.ts'
import { type Feature, switchedOn, type Task, type TaskRun } from './feature.ts'
import { FEATURES } from './features.ts'
import { Allowance } from './kit/db/allowance.ts'
import { forgetValues, oldUndoRemovalStatement, oldUndoSql, oldValuesSql } from './kit/db/audit.ts'
import { Database } from './kit/db/database.ts'
import { isDailyLimit } from './kit/db/failures.ts'
import { first } from './kit/db/query.ts'
import { findRestoreProgress } from './kit/db/readiness.ts'
import type { Bindings } from './kit/env.ts'
import { oldKeys } from './kit/http/idempotency.ts'
import { loggedMetrics } from './kit/http/log.ts'
import { mailerOf } from './kit/http/request-context.ts'
import { purgeChanged } from './kit/http/shared-caches.ts'
import { readSettings } from './kit/http/stored-settings.ts'
import { CRON, ROWS_PER_RUN } from './kit/lib/budgets.ts'
import { MINUTE_MS } from './kit/lib/time.ts'
import { settingsOf } from './kit/settings.ts'
import { oldCounts } from './kit/work/counts.ts'
import { oldDayKeys } from './kit/work/day-keys.ts'
import { anyDueSql, changeDue, changeEach } from './kit/work/due-rows.ts'
import { logError, runLogged } from './kit/work/error-log.ts'

/** True every ten minutes, when rows that are no longer needed are deleted even where no index finds them. */
const isTimeToForget = (nowMs: number): boolean => new Date(nowMs).getUTCMinutes() % 10 === 7

/**
 * The tasks of features that run now: tasks of enabled features, tasks that run while their feature is off,
 * and tasks that always run.
 */
export function tasksOf(features: readonly Feature[], run: TaskRun): readonly Task[] {
  const enabledFeatures = switchedOn(features, run.settings)
  return features.flatMap(feature =>
    (feature.tasks?.(run) ?? []).filter(
      ({ runsWhile = 'on' }) =>
        runsWhile === 'always' || (runsWhile === 'on') === enabledFeatures.includes(feature),
    ),
  )
}

const VALUES_TASK = 'values of the audit'
const UNDO_TASK = 'undo data'

const task = (name: string, dueSql: SQL, work: () => Promise<unknown>): Task => ({ name, dueSql, work })

/** Checks in one statement which tasks are due. */
async function findDue(db: Database, tasks: readonly Task[]): Promise<readonly Task[]> {
  const columns = tasks.map(({ dueSql }, i) => sql`${dueSql} AS ${sql.raw(`due${i}`)}`)
  const due = await runLogged('what is due', () =>
    db.read(
      first(sql`SELECT ${sql.join(columns, sql`, `)}`, row => tasks.filter((_, i) => row[`due${i}`] === 1)),
    ),
  )
  // If the check fails, all tasks run.
  return due ?? tasks
}

/**
 * The list, starting at another member each minute, so that each is sometimes the first to use a shared
 * budget.
 */
function rotateItems<T>(items: readonly T[], nowMs: number): T[] {
  const from = Math.floor(nowMs / MINUTE_MS) % Math.max(1, items.length)
  return [...items.slice(from), ...items.slice(0, from)]
}

/**
 * Runs the tasks of the cron. They share one allowance: remaining work waits for the next minute, and the
 * order rotates. A failed task does not stop the others; if the database has reached its daily limit, one
 * line in the log says so. Another line says what the run took, even if the run fails.
 *
 * @param nowMs epoch milliseconds
 * @param cache shared caches, if the runtime has them
 */
export async function runCron(env: Bindings, nowMs: number, cache?: CacheContext): Promise<void> {
  const startMs = Date.now()
  const allowance = new Allowance({ statements: CRON.statements, isStrict: true, endsMs: startMs + CRON.ms })
  const db = new Database(env.DB, allowance)
  try {
    await runTasks(db, env, nowMs, cache)
  } catch (error) {
    if (!isDailyLimit(error)) throw error
    logError('cron', error)
  } finally {
    console.log(
      JSON.stringify({
        id: 'cron',
        ms: Math.round(Date.now() - startMs),
        ...loggedMetrics(db.metrics),
        left: [...allowance.postponed],
      }),
    )
  }
}

async function runTasks(db: Database, env: Bindings, nowMs: number, cache?: CacheContext): Promise<void> {
  const varSettings = settingsOf(env)
  const settings = await runLogged('restore', async () => {
    if ((await findRestoreProgress(db)) === null) return readSettings(db, varSettings)
    console.log(JSON.stringify({ id: 'cron', restoring: true }))
    return undefined
  })
  // The cron does nothing in a calendar that may be incomplete.
  if (!settings) return
  const refusedRows = await publishDue(db, nowMs)
  // Withdrawn content must disappear from caches soon, whatever other work is due.
  await runLogged('shared caches', () => purgeChanged(db, cache))
  // What features delete after some time is deleted while they are switched off, too.
  const cleanings = [
    ...expiredSessions(nowMs),
    oldKeys(nowMs),
    oldDayKeys(nowMs),
    oldCounts(nowMs),
    ...FEATURES.flatMap(({ expired }) => expired?.(nowMs) ?? []),
  ]
  if (isTimeToForget(nowMs))
    for (const rows of cleanings) if (rows.isUnindexed) await changeDue(db, rows, nowMs)
  await cleanMedia(db, env.MEDIA, nowMs)
  const base = { db, settings, nowMs }
  const mailer = mailerOf(env.EMAIL, settings)
  const featureTasks = tasksOf(FEATURES, { ...base, mailer })
  const tasks = [
    ...refusedRows.map(rows => task(rows.name, sql`1`, () => changeEach(db, rows, nowMs))),
    ...featureTasks.filter(({ bringsEvents }) => bringsEvents),
    task('duplicates', changedEventExistsSql, () => findDuplicates(base)),
    task('series', seriesDueSql(nowMs), () => extendSeries(base)),
    ...cleanings.flatMap(rows =>
      rows.isUnindexed ? [] : task(rows.name, anyDueSql(rows, nowMs), () => changeDue(db, rows, nowMs)),
    ),
    task(VALUES_TASK, oldValuesSql(nowMs), async () => {
      if (db.allowance.allows(VALUES_TASK, { statements: ROWS_PER_RUN.auditStatements }))
        await forgetValues(db, nowMs)
    }),
    task(UNDO_TASK, oldUndoSql(nowMs), () => db.writeIfAllowed(UNDO_TASK, [oldUndoRemovalStatement(nowMs)])),
    ...featureTasks.filter(({ bringsEvents }) => !bringsEvents),
    ...(mailer
      ? [task('notices', noticeDueSql(settings, nowMs), () => sendNotices({ ...base, mailer }))]
      : []),
  ]
  for (const { name, work } of rotateItems(await findDue(db, tasks), nowMs)) await runLogged(name, work)
}
