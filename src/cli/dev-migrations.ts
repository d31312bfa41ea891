import { existsSync, watch } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Target } from './wrangler.ts'

/** The time in which a tool has written all files of a migration. */
const SETTLED_MS = 500

/**
 * Applies migrations as they are written, while the service runs.
 *
 * @param apply brings the database of the target up to date
 */
export function watchMigrations({ config }: Target, apply: () => Promise<unknown>): void {
  const folder = join(dirname(resolve(config)), 'drizzle')
  if (!existsSync(folder)) return
  let last = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const run = async () => {
    await apply().then(
      () => console.log('Migrations: the local database is up to date.'),
      error => console.error(error instanceof Error ? error.message : error),
    )
  }
  // The service decides how long this process lives.
  watch(folder, { persistent: false }, (_, name) => {
    if (!name?.endsWith('.sql')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(run)
    }, SETTLED_MS).unref()
  })
}
