import { existsSync } from 'node:fs'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { moveImages } from '../calendar/media/writes.ts'
import { addLink, addPassword } from '../calendar/users/passwords.ts'
import { addUser, type ListedUser, readUsers } from '../calendar/users/users.ts'
import type { Database } from '../kit/db/database.ts'
import { countOf } from '../kit/db/query.ts'
import { audit } from '../kit/db/tables.ts'
import { settingsOf } from '../kit/settings.ts'
import { runCommand } from './arguments.ts'
import { ASSETS_FOLDER } from './assets.ts'
import { openLocal } from './lean-database.ts'
import { markerFileOf, type Target } from './wrangler.ts'

// A separate process of `npm run dev`, because it loads Miniflare and, the first time, the API: some hundred
// megabytes, which are free again once it has ended. The parent discards its stdout, the log of the requests
// that fill the calendar.

/**
 * The message to the parent: the administrator's account for trying things. It has the password only if that
 * is new; the link is a path of the editor.
 */
export type Account = { login?: string; password?: string; link?: string; sampleEvents?: number }

/**
 * The argument from the parent, as JSON.
 *
 * @property origin the address of the calendar, `http://localhost:8787`
 * @property wantsLink true for a link that signs in to the editor; earlier links then stop working
 */
export type SetUpOrder = { target: Target; origin: string; wantsLink: boolean }

const SAMPLE = '_sample'
/**
 * The folder of the sample's images at any port, as a pattern: the port may have changed since the sample was
 * loaded.
 */
const SAMPLE_ANYWHERE = `http://localhost:%/${SAMPLE}/`

const LOGIN = 'admin'

/**
 * True if the calendar has been changed by more than this administrator's set-up: an import, or another user.
 */
const isInUse = async (db: Database, users: readonly ListedUser[], { id }: ListedUser): Promise<boolean> =>
  users.length > 1 ||
  (await db.read(countOf(sql`${audit} WHERE kind <> 'user' AND user_id IS NOT ${id}`))) > 0

/**
 * Brings the local database up to date, and fills it if it has no users, and so no events, because each event
 * has an author. An interrupted set-up continues where it stopped, and makes another password, unless the
 * calendar has been put to use meanwhile.
 */
async function setUp({ target, origin, wantsLink }: SetUpOrder): Promise<Account> {
  await cp(join(import.meta.dirname, 'sample-images'), join(ASSETS_FOLDER, SAMPLE), { recursive: true })
  const images = `${origin}/${SAMPLE}/`
  const calendar = await openLocal(target)
  const { db, vars } = calendar
  const makeLink = async (login: string) =>
    wantsLink && settingsOf(vars).website.isOn ? { link: (await addLink(db, login)).path } : {}
  try {
    const users = await readUsers(db)
    const administrator = users.find(({ login, role }) => login === LOGIN && role === 'administrator')
    let isInterrupted = administrator !== undefined && existsSync(markerFileOf(target))
    if (isInterrupted && administrator && (await isInUse(db, users, administrator))) {
      isInterrupted = false
      await rm(markerFileOf(target))
      console.warn('The first start was interrupted, and the calendar was used since: it gets no sample.')
    }
    if (users.length > 0) await moveImages(db, SAMPLE_ANYWHERE, images)
    if (users.length > 0 && !isInterrupted) {
      const login = users.find(({ role }) => role === 'administrator')?.login
      return login === undefined ? {} : { login, ...(await makeLink(login)) }
    }
    await writeFile(markerFileOf(target), '')
    const { login, password } = administrator
      ? await addPassword(db, LOGIN, null)
      : await addUser(db, LOGIN, 'administrator')
    // This loads the app, which later starts don't need.
    const { loadSample } = await import('./load-sample.ts')
    const authorization = `Bearer ${password.replaceAll(' ', '')}`
    const order = { authorization, images, nowMs: Date.now(), hasSettings: true }
    const sampleEvents = await loadSample(calendar, order)
    return { login, password, ...(await makeLink(login)), sampleEvents }
  } finally {
    await calendar.close()
  }
}

await runCommand(async () => {
  // The parent sends a {@link SetUpOrder}.
  const account = await setUp(JSON.parse(process.argv[2] ?? ''))
  // The parent may have been stopped in the meantime.
  if (process.connected) process.send?.(account)
})
// A server that failed to start may still run.
if (process.exitCode) process.exit()
