import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { COMPATIBILITY_DATE } from '../../src/commands/wrangler.ts'
import { databaseId } from '../migrated.ts'

/** A Worker that reads one row of D1 by its id, and does nothing else. */
export const FLOOR = `export default {
  async fetch(request, env) {
    const { results } = await env.DB.prepare('SELECT * FROM floor WHERE id = ?').bind(500).all()
    return Response.json(results)
  },
}`

const FLOOR_ROWS = `CREATE TABLE floor (id INTEGER PRIMARY KEY, title TEXT);
  INSERT INTO floor WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 1000)
  SELECT id, 'Row ' || id FROM n`

/**
 * The service as deployed.
 *
 * @param state the folder of its data, as for `--persist-to`
 * @param more further vars, and what takes the lines that it logs
 */
export const startService = (
  scriptPath: string,
  state: string,
  { bindings = {}, log = () => {} }: { bindings?: Record<string, string>; log?: (line: string) => void } = {},
): Miniflare =>
  new Miniflare({
    ...convertV4MiniflareOptions({
      name: 'service',
      modules: true,
      script: readFileSync(scriptPath, 'utf8'),
      compatibilityDate: COMPATIBILITY_DATE,
      d1Databases: { DB: databaseId() },
      r2Buckets: ['MEDIA'],
      images: { binding: 'IMAGES' },
      bindings: { DEBUG_TIMING: '1', MAX_PER_PAGE: '100', ...bindings },
      // Every request is logged, as it is in production.
      handleStructuredLogs: ({ message }) => log(message),
    }),
    resourcePersistencePath: join(state, 'v3'),
  })

/** The floor for all that asks D1. */
export async function startFloor(): Promise<Miniflare> {
  const floor = new Miniflare(
    convertV4MiniflareOptions({
      name: 'floor',
      modules: true,
      script: FLOOR,
      compatibilityDate: COMPATIBILITY_DATE,
      d1Databases: { DB: 'floor' },
    }),
  )
  const db = await floor.getD1Database('DB')
  await db.batch(FLOOR_ROWS.split(';').map(statement => db.prepare(statement)))
  return floor
}
