import { eq } from 'drizzle-orm'
import { many } from '../db/query.ts'
import { sources } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { switchedOn } from '../feature.ts'
import { FEATURES } from '../features.ts'
import { settingsIn } from '../http/settings.ts'
import { nodeTransport } from '../intake/readers/node-transport.ts'
import type { Report } from '../intake/sync/report.ts'
import { UsageError } from './arguments.ts'
import type { OpenCalendar } from './lean-database.ts'

/**
 * Reads a source of the calendar to its end, like the cron.
 *
 * @param input the number of the source, as the user wrote it, and a function that shows the progress
 * @throws UsageError if there is no such source, or sources are switched off
 */
export async function importStored(
  { executor: open, vars }: Pick<OpenCalendar, 'executor' | 'vars'>,
  { id, progress }: { id: string; progress: (done: number, expected: number) => void },
): Promise<Report> {
  const db = open()
  const known = await db.get(
    many(
      build
        .select({ id: sources.id, name: sources.name })
        .from(sources)
        .where(eq(sources.is_ending, false))
        .orderBy(sources.id),
    ),
  )
  if (!known.some(row => String(row.id) === id)) {
    const names = known.map(row => `${row.id} (${row.name})`).join(', ')
    throw new UsageError(`--source: there is no source ${id}. There ${names ? `are: ${names}` : 'are none'}.`)
  }
  const settings = await settingsIn(db, vars)
  const read = switchedOn(FEATURES, settings).find(({ importStored }) => importStored)?.importStored
  if (!read) throw new UsageError('--source: this calendar has no sources (FEATURES).')
  return read({ open, settings, id: Number(id), transport: nodeTransport, progress })
}
