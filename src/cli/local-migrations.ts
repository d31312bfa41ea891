import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

// Wrangler starts a runtime of its own for each migration, which took half of the time of a first start.

const BUSY_ATTEMPTS = 10

/** Another process may have a local database open: while that writes, the file is busy for a moment. */
async function whenFree<T>(run: () => Promise<T>): Promise<T> {
  for (let left = BUSY_ATTEMPTS; ; left--) {
    try {
      return await run()
    } catch (error) {
      if (left <= 1 || !(error instanceof Error && error.message.includes('SQLITE_BUSY'))) throw error
      await setTimeout(500)
    }
  }
}

/**
 * Runs the migrations that a local database doesn't have yet, each in a transaction with the note of it that wrangler
 * makes as well, and goes by.
 *
 * @param folder of the files, which run in the order of their names
 * @throws Error that names the migration that fails; those before it stay
 */
export async function migrate(d1: D1Database, folder: string): Promise<void> {
  const run = (...statements: D1PreparedStatement[]) => whenFree(() => d1.batch<{ name: string }>(statements))
  const [, noted] = await run(
    d1.prepare(`CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`),
    d1.prepare('SELECT name FROM d1_migrations'),
  )
  const applied = new Set(noted?.results.map(({ name }) => name))
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql') && !applied.has(name)).sort()
  for (const name of names) {
    const sql = await readFile(join(folder, name), 'utf8')
    await run(
      ...sql.split('--> statement-breakpoint').map(statement => d1.prepare(statement)),
      d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ).catch((error: Error) => {
      throw new Error(`Migration ${name} failed: ${error.message}`, { cause: error })
    })
  }
}
