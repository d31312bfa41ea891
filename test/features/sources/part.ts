import { type SourceFields, sourceFields } from '../../../src/calendar/imports/source-schema.ts'
import type { FeaturePart, Sample } from '../../feature-part.ts'

const FIELDS: Record<keyof SourceFields, Sample> = {
  name: { sent: 'Another name' },
  url: { sent: 'https://another.invalid/feed.ics' },
  kind: { sent: 'ical' },
  every: { sent: '6 hours' },
  status: { sent: 'pending' },
  categories: { sent: [1] },
  tags: { sent: [2] },
  organizer: { sent: 1 },
  venue: { sent: 1 },
  search: { sent: 'jazz' },
  mirror: { sent: true },
  rights: { sent: { text: 'CC BY', url: 'https://rights.example/' } },
  reading: { sent: { columns: { Kick: 'start_time' }, dates: 'dmy' } },
  state: { sent: 'paused' },
}

let n = 0

export const sourcesPart: FeaturePart = {
  due: {
    make: async ({ rows }) =>
      void (await rows(`INSERT INTO sources (name, url, file, kind, every, status, author_id, created_utc, state, next_run_utc)
        VALUES ('Abandoned', '', 'abandoned.csv', 'csv', '', 'draft', 1, '2026-11-20 12:00:00', 'paused', '2026-11-21 12:00:00')`)),
    leftAt: () => ({ files: "SELECT count(*) AS n FROM sources WHERE file <> ''" }),
  },
  attacked: [
    {
      path: '/sources',
      makeRow: async ({ must }) =>
        (await must('POST', '/sources', { name: 'Attacked', url: 'https://nobody.invalid/', every: '' })).id,
    },
  ],
  fields: {
    plural: 'sources',
    samples: FIELDS,
    schema: sourceFields,
    required: () => ({ name: `Source ${n++}`, url: 'https://nobody.invalid/feed.ics' }),
  },
}
