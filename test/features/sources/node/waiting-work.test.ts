import { SOURCES_WAITING } from '../../../../src/features/sources/budgets.ts'
import { readSources } from '../../../../src/features/sources/schedule/run.ts'
import { describeWaiting } from '../../../waiting-work.ts'

await describeWaiting('sources', ({ calendar, server, settings }) => ({
  make: async names => {
    for (const name of names)
      await calendar.must('POST', '/sources', {
        name,
        url: `${server.address}/${name}.ics`,
        every: 'week',
      })
  },
  run: db => readSources({ db, settings, nowMs: Date.now(), patience: { sleep: async () => {} } }),
  tables: [],
  table: 'sources',
  isRowOf: name => `NEW.name = '${name}'`,
  policy: SOURCES_WAITING,
}))
