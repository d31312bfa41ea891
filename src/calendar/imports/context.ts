import { sql } from 'drizzle-orm'
import { type BaseContext, contextAt, type SerializeContext } from '../../kit/context.ts'
import type { Database } from '../../kit/db/database.ts'
import { first, readNumber } from '../../kit/db/query.ts'
import { clockAt } from '../../kit/lib/clock.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { NAMESPACE, type Settings } from '../../kit/settings.ts'

/** The context of a command, which sees what an administrator sees. @param now UTC */
export function commandContext(settings: Settings, now: DateTime): SerializeContext {
  const site = settings.siteUrl ?? 'http://localhost:8787'
  return {
    ...contextAt(settings, `${site}/${NAMESPACE}`),
    caller: { id: 0, role: 'administrator' },
    clock: clockAt(now),
  }
}

/** The context of an import. Nobody is its caller: the audit names the source. @param now UTC */
export const importContext = (db: Database, settings: Settings, now: DateTime): BaseContext => ({
  ...commandContext(settings, now),
  db,
  requestId: '',
})

/** The id of a user, or of the first administrator. */
export async function findAuthor(db: Database, login: string | undefined): Promise<number | undefined> {
  const wantedSql = login === undefined ? sql`role = 'administrator'` : sql`login = ${login} COLLATE NOCASE`
  return db.read(
    first(sql`SELECT id FROM users WHERE ${wantedSql} ORDER BY id LIMIT 1`, row => readNumber(row.id)),
  )
}
