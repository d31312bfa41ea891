import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { COMPATIBILITY_DATE } from '../../src/commands/wrangler.ts'

export const LOGIN = { login: 'soak', password: 'only for soaking' }

/** The name of the database. */
export const DATABASE = 'soak'

// The process that is killed loads little else of ours: it starts twice.

/** The Worker on a database that outlives it, in a folder of local data. */
export const openWorker = (script: string, folder: string, port?: number): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      name: 'soak',
      modules: true,
      script: readFileSync(script, 'utf8'),
      compatibilityDate: COMPATIBILITY_DATE,
      d1Databases: { DB: DATABASE },
      resourcePersistencePath: join(folder, 'v3'),
      host: '127.0.0.1',
      // Every request is logged; here only the figures at the end are of interest.
      handleStructuredLogs: () => {},
      ...(port !== undefined && { port }),
    }),
  )

// The process that the soak kills: node worker.ts SCRIPT FOLDER PORT.
if (import.meta.main) {
  const [script = '', folder = '', port = ''] = process.argv.slice(2)
  await openWorker(script, folder, Number(port)).ready
  console.log('ready')
}
