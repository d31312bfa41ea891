import { eq } from 'drizzle-orm'
import { many } from '../db/query.ts'
import { sources } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { settingsIn } from '../http/settings.ts'
import { nodeTransport } from '../intake/readers/node-transport.ts'
import { readToItsEnd } from '../intake/schedule/run.ts'
import { Report } from '../intake/sync/report.ts'
import { type RunRow, saidIn } from '../resources/sources/queries.ts'
import { serializeRun } from '../resources/sources/serialize.ts'
import { UsageError } from './arguments.ts'
import type { OpenCalendar } from './lean-database.ts'

/**
 * Reads a source of the calendar to its end, like the cron.
 *
 * @param input the number of the source, as the user wrote it, and a function that shows the progress
 * @throws UsageError if there is no such source
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
  const reading = { open, settings, id: Number(id), transport: nodeTransport, progress }
  return reportOf(await readToItsEnd(reading))
}

/** The report of a run, in the form of other imports. */
function reportOf(run: RunRow): Report {
  const report = new Report()
  for (const outcome of ['created', 'updated', 'unchanged', 'trashed'] as const)
    report.count('event', outcome, run[outcome])
  for (const { what, why } of serializeRun(run).skipped) report.explain('event', 'skipped', what, why)
  if (run.state === 'failed') report.explain('page', 'failed', 'events', run.message)
  else if (saidIn(run.code).asks) report.question = run.message
  else if (run.message) report.note(run.message)
  if (run.joined + run.asked > 0)
    report.note(
      `${run.joined} events were joined with the same events of other calendars; ${run.asked} are waiting for a decision.`,
    )
  return report
}
