import type { Context, Hono } from 'hono'
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' }
import type { BaseContext } from '../context.ts'
import type { Query } from '../db/query.ts'
import { findRestoreProgress, selectAppliedMigrations } from '../db/readiness.ts'
import type { AppEnv } from '../env.ts'
import { NAMESPACE } from '../settings.ts'
import { asError, logError, logMissingMigrations } from '../work/error-log.ts'
import { asAnonymous } from './auth.ts'
import { requestContext } from './request-context.ts'

/** The migrations that this build expects, as D1 records them. */
const EXPECTED_MIGRATIONS = journal.entries.map(({ tag }) => `${tag}.sql`)

const NEVER_CACHED = { 'Cache-Control': 'no-store' }

/** A cheap list that names every table and column that lists read. */
type Sample = (context: BaseContext) => Query<unknown>

const aliveReply = (c: Context<AppEnv>) => c.json({ status: 'ok' }, 200, NEVER_CACHED)

/**
 * Responds with 200 if the database is reachable, has the tables that this build expects, is no part of a
 * backup, and lists can be read from it.
 */
const readinessReply = (selectSample: Sample) => async (c: Context<AppEnv>) => {
  const unready = (status: string, error: unknown) => {
    logError(c.get('requestId'), asError(error))
    return c.json({ status }, 503, NEVER_CACHED)
  }
  const db = c.get('db')
  let applied: string[]
  try {
    applied = await db.read(selectAppliedMigrations)
  } catch (error) {
    return unready('no database', error)
  }
  const missing = EXPECTED_MIGRATIONS.filter(name => !applied.includes(name))
  if (missing.length > 0) {
    logMissingMigrations(c.get('requestId'), missing)
    return c.json({ status: 'migrations missing', missing }, 503, NEVER_CACHED)
  }
  try {
    if ((await findRestoreProgress(db)) !== null)
      return unready('a restore is under way', 'a backup is being restored, or that was interrupted')
    await db.read(selectSample(c.get('context')))
  } catch (error) {
    return unready('lists cannot be read', error)
  }
  return c.json({ status: 'ok' }, 200, NEVER_CACHED)
}

/**
 * Puts `/healthz` and `/readyz` on an app, for monitors and deployments.
 *
 * @param selectSample makes a query that has to succeed in a service that is ready
 */
export function mountHealth(app: Hono<AppEnv>, selectSample: Sample): void {
  app.get('/healthz', aliveReply)
  app.get('/readyz', asAnonymous, requestContext(NAMESPACE), readinessReply(selectSample))
}
