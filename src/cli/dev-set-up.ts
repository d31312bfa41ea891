import { openLocal } from './database.ts'
import { loadSample } from './load-sample.ts'
import { addUser, listUsers } from './users.ts'
import { applyMigrations, stateFolder, type Target } from './wrangler.ts'

// Runs as a process of its own for `npm run dev`: it loads wrangler and the API, several hundred megabytes, and ends.
// The parent discards its stdout, the log of the requests that fill the calendar.

/** The administrator's account for trying the API. The password is known only if it was just made. */
export type Account = { login?: string; password?: string; sampleEvents?: number }

/** The message to the parent. */
export type Outcome = { account: Account } | { failure: string }

/**
 * Brings the local database up to date, and fills it if it has no users: then it has no events either, because each
 * event has an author.
 */
async function setUp(target: Target): Promise<Account> {
  await applyMigrations(target)
  const db = await openLocal(target)
  try {
    const users = await listUsers(db)
    if (users.length > 0) {
      const login = users.find(({ role }) => role === 'administrator')?.login
      return login === undefined ? {} : { login }
    }
    const { login, password } = await addUser(db, 'admin', 'administrator')
    const sampleEvents = await loadSample(db, `Bearer ${password.replaceAll(' ', '')}`, Date.now())
    return { login, password, sampleEvents }
  } finally {
    await db.close()
  }
}

process.once('message', async (target: Target) => {
  const outcome: Outcome = await setUp(target).then(
    account => ({ account }),
    error => {
      const reason = error instanceof Error ? error.message : String(error)
      return { failure: `Setting up the database in ${stateFolder(target)} failed: ${reason}` }
    },
  )
  // The parent may have been stopped meanwhile.
  if (!process.connected) return
  process.send?.(outcome)
  process.disconnect()
})
