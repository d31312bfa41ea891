import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { digestOf } from '../../src/lib/digest.ts'
import { ADMINISTRATOR, passwordOf } from './api.ts'
import { insertEvents } from './bulk.ts'
import { AUTHORS, eventRow } from './calendar.ts'
import { writeDocuments } from './documents.ts'
import { Random } from './random.ts'
import { postEvents } from './writers.ts'

// As many rows in a statement as stay well below the two megabytes that D1 takes for a value.
const CHUNK = 1_500

export type Progress = (done: number, what: string) => void

/** The numbers of events that are imported, written in bulk and posted. */
export function partsOf(events: number): { imported: number; bulk: number; posted: number } {
  const imported = Math.min(2_000, events / 5)
  const posted = Math.min(1_000, events / 10)
  return {
    imported: Math.floor(imported),
    posted: Math.floor(posted),
    bulk: events - Math.floor(imported) - Math.floor(posted),
  }
}

const AUTHOR_LOGINS = Array.from({ length: AUTHORS }, (_, i) => `author${i + 1}`)

async function addUsers(db: D1Database): Promise<void> {
  const now = '2024-01-01 00:00:00'
  for (const [i, login] of [ADMINISTRATOR, ...AUTHOR_LOGINS].entries()) {
    const role = login === ADMINISTRATOR ? 'administrator' : 'author'
    await db
      .prepare('INSERT INTO users VALUES (?, ?, ?, ?)')
      .bind(i + 1, login, role, now)
      .run()
    await db
      .prepare('INSERT INTO passwords (user_id, digest, created_utc) VALUES (?, ?, ?)')
      .bind(i + 1, await digestOf(passwordOf(login)), now)
      .run()
  }
}

/** `npm run import` of a folder of saved responses, into the database that the service has open. */
async function importFolder(folder: string, state: string): Promise<void> {
  const command = ['src/cli/import.ts', folder, '--persist-to', state, '--author', ADMINISTRATOR]
  await promisify(execFile)(process.execPath, command)
}

/**
 * Fills a database that has all its tables and no rows the way calendars grow: what was elsewhere before is
 * imported, most of it in bulk, and then people write through the API. Nothing is optimised or analysed, so that
 * requests meet the query plans of a database that nobody has cared for.
 *
 * @param state the folder of the database, as for `--persist-to`
 * @param base the address of the service that has it open
 */
export async function seed(
  { db, base, state }: { db: D1Database; base: URL; state: string },
  events: number,
  progress: Progress,
): Promise<void> {
  const { imported, bulk, posted } = partsOf(events)
  const random = new Random(1)
  await addUsers(db)
  progress(0, 'import')
  const documents = join(state, 'documents')
  await writeDocuments(
    documents,
    Array.from({ length: imported }, (_, i) => eventRow(i + 1, random)),
  )
  await importFolder(documents, state)
  const found = await db.prepare('SELECT max(id) FROM events HAVING count(*) = max(id)').first('max(id)')
  if (found !== imported) throw new Error(`Of ${imported} events, the last imported one has the id ${found}.`)
  await rm(documents, { recursive: true })
  for (let at = 0; at < bulk; at += CHUNK) {
    const size = Math.min(CHUNK, bulk - at)
    await insertEvents(
      db,
      Array.from({ length: size }, (_, i) => eventRow(imported + at + i + 1, random)),
    )
    progress((imported + at) / events, 'events in bulk')
  }
  const first = imported + bulk + 1
  await postEvents(base, { logins: AUTHOR_LOGINS, first, count: posted, random }, done =>
    progress((first + done * posted) / events, 'events through POST'),
  )
  progress(1, 'done')
}
