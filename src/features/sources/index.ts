import { defineFeature } from '../../feature.ts'
import type { SOURCE_FIELDS } from '../../resources/sources/schema.ts'
import type { WordsFor } from '../../web/forms/control.ts'
import type { TextsOf } from '../../words/words.ts'
import { sourcesArea } from './editor/area.ts'
import { ERRORS } from './errors.ts'
import { abandonedFiles } from './files.ts'
import { importStored } from './import-stored.ts'
import { readingRoutes } from './reading-routes.ts'
import { sourceRoutes } from './routes.ts'
import { hasSourceDue, hasSourceToClear, readSources } from './schedule/run.ts'
import catalogues from './words/catalogues.ts'

declare module '../../lib/features.ts' {
  interface Features {
    sources: {
      errors: typeof ERRORS
      words: TextsOf<typeof catalogues>
      fields: {
        source: WordsFor<typeof SOURCE_FIELDS>
      }
    }
  }
}

/**
 * Other calendars that are read on a schedule, and files that editors upload. What the calendar knows of where an event comes from is core, and so
 * are the readers and the comparison, which `npm run import` uses as well.
 */
export const sourcesFeature = defineFeature({
  name: 'sources',
  errors: ERRORS,
  words: catalogues,
  routes: [...readingRoutes, ...sourceRoutes],
  subjects: { sources: 'Other calendars that are read on a schedule, for administrators and editors.' },
  area: sourcesArea,
  importStored,
  tasks: run => [
    { name: 'sources', isDue: hasSourceDue(run.nowMs), bringsEvents: true, work: () => readSources(run) },
  ],
  // What somebody has deleted or undone goes to the trash all the same.
  tasksWhileOff: run => [
    {
      name: 'sources that end',
      isDue: hasSourceToClear(run.nowMs),
      work: () => readSources({ ...run, isClearing: true }),
    },
  ],
  expired: nowMs => [abandonedFiles(nowMs)],
})
