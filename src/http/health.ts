import { sql } from 'drizzle-orm'
import type { Context, Hono } from 'hono'
import journal from '../../drizzle/meta/_journal.json' with { type: 'json' }
import { many } from '../db/query.ts'
import type { AppEnv } from '../env.ts'

/** The migrations that this build expects, as D1 records them. */
const EXPECTED = journal.entries.map(({ tag }) => `${tag}.sql`)

const NEVER_CACHED = { 'Cache-Control': 'no-store' }

/** Responds as long as the process runs. */
const alive = (c: Context<AppEnv>) => c.json({ status: 'ok' }, 200, NEVER_CACHED)

/** Responds with 200 if the database is reachable and has the tables that this build expects. */
async function ready(c: Context<AppEnv>) {
  const applied = await c
    .get('db')
    .get(many(sql`SELECT name FROM d1_migrations`, row => String(row.name)))
    .catch(() => undefined)
  if (!applied) return c.json({ status: 'no database' }, 503, NEVER_CACHED)
  const missing = EXPECTED.filter(name => !applied.includes(name))
  return missing.length === 0
    ? c.json({ status: 'ok' }, 200, NEVER_CACHED)
    : c.json({ status: 'migrations missing', missing }, 503, NEVER_CACHED)
}

/** Puts `/healthz` and `/readyz` on an app, for monitors and deployments. */
export function mountHealth(app: Hono<AppEnv>): void {
  app.get('/healthz', alive)
  app.get('/readyz', ready)
}
