import { readFileSync } from 'node:fs'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const COMPATIBILITY_DATE = '2026-09-18'

const FLOOR = `export default {
  async fetch(request, env) {
    const { results } = await env.DB.prepare('SELECT 1 AS one').all()
    return Response.json(results)
  },
}`

/** The service as deployed, with a database of its own. */
export const startService = (scriptPath: string): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      name: 'service',
      modules: true,
      script: readFileSync(scriptPath, 'utf8'),
      compatibilityDate: COMPATIBILITY_DATE,
      compatibilityFlags: ['nodejs_compat'],
      d1Databases: { DB: 'bench' },
      bindings: { DEBUG_TIMING: '1' },
      // Every request is logged, as it is in production; nobody needs to read it here.
      handleStructuredLogs: () => {},
    }),
  )

/** What nothing that asks D1 once can be faster than. */
export const startFloor = (): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      name: 'floor',
      modules: true,
      script: FLOOR,
      compatibilityDate: COMPATIBILITY_DATE,
      d1Databases: { DB: 'floor' },
    }),
  )
