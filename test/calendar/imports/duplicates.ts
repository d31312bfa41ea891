import { env } from 'cloudflare:workers'
import { findDuplicates } from '../../../src/calendar/imports/duplicates.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { makeSource, query, send } from '../../factories.ts'

/** Looks for duplicates of everything, as the cron does. */
export async function findAllDuplicates(DB: D1Database = env.DB): Promise<void> {
  await query(
    `UPDATE twins_place SET id = 0, public_n = 0, n = (SELECT min(change_number) FROM changes WHERE kind = 'events' AND id IN (SELECT id FROM events))`,
  )
  await findNewDuplicates(DB)
}

/** Looks for duplicates of events that have changed since. */
export const findNewDuplicates = (DB: D1Database = env.DB): Promise<void> =>
  findDuplicates({ db: new Database(DB), settings: settingsOf({ TIMEZONE: 'UTC' }), nowMs: Date.now() })

/** An event that came of a source. */
export async function makeSourced(as: string, name: string, fields: object): Promise<number> {
  const { status, body } = await send('POST', '/events', { as, json: fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const [known] = await query('SELECT id FROM sources WHERE name = ?', name)
  const id = known ? Number(known.id) : await makeSource(name)
  await query(
    `INSERT INTO imports (source, kind, external_id, target_id, hash, imported_version) VALUES (?, 'event', ?, ?, '', '1')`,
    `source:${id}`,
    `uid-${body.id}`,
    body.id,
  )
  return Number(body.id)
}

/** The events behind which some are hidden, 0 for those that are not. */
export const hiddenBehind = async (...ids: number[]): Promise<number[]> => {
  const found = await query('SELECT id, coalesce(duplicate_of, 0) AS of FROM events')
  return ids.map(id => Number(found.find(row => row.id === id)?.of))
}
