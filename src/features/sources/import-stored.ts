import type { StoredImport } from '../../feature.ts'
import { Report } from '../../intake/sync/report.ts'
import { isGuessCode } from '../../lib/reasons.ts'
import { type RunRow, saidIn } from './queries.ts'
import { readToItsEnd } from './schedule/run.ts'
import { serializeRun } from './serialize.ts'

/** Reads a source to its end, for a command. @returns what came of it */
export const importStored = async (reading: StoredImport): Promise<Report> =>
  reportOf(await readToItsEnd(reading))

/** The report of a run, in the form of other imports. */
function reportOf(run: RunRow): Report {
  const report = new Report()
  for (const outcome of ['created', 'updated', 'unchanged', 'trashed'] as const)
    report.count('event', outcome, run[outcome])
  for (const { what, why, code } of serializeRun(run).skipped)
    if (isGuessCode(code)) report.note(`${what}: ${why}`)
    else report.explain('event', 'skipped', what, why)
  if (run.state === 'failed') report.explain('page', 'failed', 'events', run.message)
  else if (saidIn(run.code).asks) report.question = run.message
  else if (run.message) report.note(run.message)
  if (run.joined + run.asked > 0)
    report.note(
      `${run.joined} events were joined with the same events of other calendars; ${run.asked} are waiting for a decision.`,
    )
  return report
}
