import { readFileSync } from 'node:fs'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { digestOf } from '../../src/lib/digest.ts'
import { migrate } from '../migrated.ts'

export const LOGIN = { login: 'soak', password: 'only for soaking' }

/** The Worker on a database that outlives it. Without a port it can be asked for its database only. */
export const openWorker = (script: string, folder: string, port?: number): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      name: 'soak',
      modules: true,
      script: readFileSync(script, 'utf8'),
      compatibilityDate: '2026-09-18',
      d1Databases: { DB: 'soak' },
      resourcePersistencePath: folder,
      host: '127.0.0.1',
      // Every request is logged; here only the figures at the end are of interest.
      handleStructuredLogs: () => {},
      ...(port !== undefined && { port }),
    }),
  )

/** Tables, and an editor to log in as. */
export async function prepare(db: D1Database): Promise<void> {
  await migrate(db)
  await db.batch([
    db.prepare(`INSERT INTO users (login, role, created_utc) VALUES (?, 'editor', '')`).bind(LOGIN.login),
    db
      .prepare(`INSERT INTO passwords (user_id, digest, created_utc) VALUES (1, ?, '')`)
      .bind(await digestOf(LOGIN.password)),
  ])
}

// The process that the soak kills: node worker.ts SCRIPT FOLDER PORT.
if (import.meta.main) {
  const [script = '', folder = '', port = ''] = process.argv.slice(2)
  await openWorker(script, folder, Number(port)).ready
  console.log('ready')
}
