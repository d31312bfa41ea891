import { Report } from '../../calendar/imports/report.ts'
import { SOURCE_FIELDS } from '../../calendar/imports/source-schema.ts'
import { defineFeature, type Feature, type StoredImport } from '../../feature.ts'
import { isGuessCode } from '../../kit/lib/reasons.ts'
import { sourcesArea } from './area.ts'
import { meaningOfCode, type RunRow } from './queries.ts'
import { sourceRoutes } from './routes.ts'
import { readSources, readToItsEnd, sourceDueSql, sourceToClearSql } from './schedule/run.ts'
import { serializeRun } from './serialize.ts'
import { abandonedFiles } from './stored-files.ts'
import words from './words.ts'

/** Reads a source to its end, for a command. @returns the report of the run */
const importStored = async (reading: StoredImport): Promise<Report> => reportOf(await readToItsEnd(reading))

function reportOf(run: RunRow): Report {
  const report = new Report()
  for (const outcome of ['created', 'updated', 'unchanged', 'trashed'] as const)
    report.count('event', outcome, run[outcome])
  for (const { what, why, code } of serializeRun(run).skipped)
    if (isGuessCode(code)) report.note(`${what}: ${why}`)
    else report.explain('event', 'skipped', what, why)
  if (run.state === 'failed') report.explain('page', 'failed', 'events', run.message)
  else if (meaningOfCode(run.code).asks) report.question = run.message
  else if (run.message) report.note(run.message)
  if (run.joined + run.asked > 0)
    report.note(
      `${run.joined} events were joined with the same events of other calendars; ${run.asked} are waiting for a decision.`,
    )
  return report
}

const DECLARED = {
  errors: {
    404: {
      'rest-source-not-found': 'There is no such source.',
      'source-archive-page-not-found': 'The list has no such page.',
    },
    409: {
      'sources-are-too-many': 'The maximum number of sources has been reached.',
    },
    503: {
      rest_source_being_read: 'Another run is reading the source; `Retry-After` says when to look again.',
    },
  },
  words,
  fields: { source: SOURCE_FIELDS },
} as const

/**
 * Other calendars that are read on a schedule, and files that editors upload. The origins of events are part
 * of the core, and so are the readers and the comparison, which `npm run import` uses as well.
 */
export const sourcesFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'sources',
  declares: DECLARED,
  routes: sourceRoutes,
  docTags: { sources: 'Other calendars that are read on a schedule, for administrators and editors.' },
  area: sourcesArea,
  importStored,
  tasks: run => [
    { name: 'sources', dueSql: sourceDueSql(run.nowMs), bringsEvents: true, work: () => readSources(run) },
    // Even while the feature is off, events of deleted sources and undone imports go to the trash.
    {
      name: 'sources that end',
      runsWhile: 'off',
      dueSql: sourceToClearSql(run.nowMs),
      work: () => readSources({ ...run, isClearing: true }),
    },
  ],
  expired: nowMs => [abandonedFiles(nowMs)],
})
