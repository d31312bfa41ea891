import { shownFields } from '../../calendar/content/fields.ts'
import type { SourceRow } from '../../calendar/imports/source.ts'
import {
  type FileReading,
  type RunResponse,
  SOURCE_FIELDS,
  type SourceResponse,
} from '../../calendar/imports/source-schema.ts'
import { restUrl, type SerializeContext } from '../../kit/context.ts'
import { pick, storedJson } from '../../kit/lib/values.ts'
import type { RunRow } from './queries.ts'

const asShown = shownFields(SOURCE_FIELDS)

/**
 * An editor's choices for reading a file, and the calendar's host at the time of the upload, which the cron
 * doesn't know when it reads the rest.
 */
export const fileReadingOf = ({ reading }: Pick<SourceRow, 'reading'>): FileReading & { host?: string } =>
  storedJson<FileReading>(reading)

function shownReading(row: SourceRow): SourceResponse['reading'] {
  const { columns = {}, dates = '' } = fileReadingOf(row)
  return { columns, dates }
}

export const serializeSource = (row: SourceRow, context: SerializeContext): SourceResponse => ({
  id: row.id,
  rest_url: restUrl(context, 'sources', row.id),
  ...asShown(row),
  categories: storedJson<number[]>(row.categories),
  tags: storedJson<number[]>(row.tags),
  organizer: row.organizer ?? 0,
  venue: row.venue ?? 0,
  rights: { text: row.rights_text, url: row.rights_url },
  file: row.file,
  reading: shownReading(row),
  message: row.message,
  code: row.code,
  author: String(row.author_id),
  date_utc: row.created_utc,
  last_run: row.last_run_utc ?? '',
  next_run: row.state === 'paused' ? '' : (row.next_run_utc ?? ''),
})

export const serializeRun = (row: RunRow): RunResponse => ({
  id: row.id,
  source_id: row.source_id,
  started: row.started_utc,
  ended: row.ended_utc ?? '',
  ...pick(row, 'state', 'created', 'updated', 'unchanged', 'trashed', 'joined', 'asked'),
  skipped: storedJson<RunResponse['skipped']>(row.skipped),
  message: row.message,
  code: row.code,
})
