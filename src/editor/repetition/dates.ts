import { sql } from 'drizzle-orm'
import { ownedByCallerSql } from '../../calendar/content/visibility.ts'
import { columnList, decodeRow, type RowOf } from '../../kit/db/columns.ts'
import { literal, many, type Query } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { DAY_MS, type DateTime, formatInstant, toEpoch } from '../../kit/lib/time.ts'
import { pick, textsOf } from '../../kit/lib/values.ts'
import { optionName, type SeriesDate, wordsOfField } from '../../site/forms/control.ts'
import { movedStyle } from '../../words/dates.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { editPath } from '../events/rows.ts'

/** The dates that the form of a series lists at first, and the most that it lists. */
const MAX_NEXT_DATES = 10
const MAX_DATES = 1_000

/** A date that was moved by more than this counts as a next date only from its original day on. */
const MAX_MOVED_MS = 31 * DAY_MS

const TIME_FIELDS = ['start_date', 'end_date', 'timezone', 'all_day']
/** Fields that the list doesn't name, because it shows their values. */
const FIELDS_WITH_VALUES = ['status', 'event_status', 'event_status_reason']

const COLUMNS = pick(
  events,
  'id',
  'start_date',
  'occurrence_date',
  'all_day',
  'status',
  'event_status',
  'detached',
)

/** A query for the dates of an event's series that the caller may read: the next ones, or all. */
export const selectSeriesDates = (
  editor: EditorContext,
  id: number,
  hasAllDates: boolean,
): Query<SeriesDate[]> => {
  const { clock } = editor.context
  const from = formatInstant(toEpoch(clock.now()) - MAX_MOVED_MS)
  const nextDatesSql = sql`${events.occurrence_date} >= ${from} AND ${events.utc_end_date} >= ${clock.now()}`
  return many(
    sql`SELECT ${columnList(COLUMNS)} FROM ${events}
      WHERE ${events.series_id} = (SELECT own.series_id FROM ${events} AS own WHERE own.id = ${id}) AND ${hasAllDates ? sql`1` : nextDatesSql}
        AND ${events.status} <> 'trash' AND (${events.status} = 'publish' OR ${ownedByCallerSql(events, editor.context)})
      ORDER BY ${events.occurrence_date} LIMIT ${literal(hasAllDates ? MAX_DATES : MAX_NEXT_DATES)}`,
    raw => {
      const row = decodeRow(COLUMNS, raw)
      const date = row.occurrence_date ?? row.start_date
      return { date, href: editPath(row.id), isOwn: row.id === id, notes: notesOf(editor, row, date) }
    },
  )
}

/** The differences of a date from the others, in words. */
function notesOf(
  { language, site, texts }: EditorContext,
  { start_date, all_day, status, event_status, detached }: RowOf<typeof COLUMNS>,
  date: DateTime,
): string[] {
  const isMoved = start_date !== date
  const ownFields = textsOf(detached).filter(
    name => !FIELDS_WITH_VALUES.includes(name) && !(isMoved && TIME_FIELDS.includes(name)),
  )
  return [
    isMoved
      ? filled(texts.repetition.movedTo, {
          date: site.dates.moment(movedStyle(start_date, date), start_date, all_day),
        })
      : '',
    status === 'publish' ? '' : optionName(language, 'event', 'status', status),
    event_status === 'scheduled' ? '' : optionName(language, 'event', 'event_status', event_status),
    ownFields.map(name => wordsOfField(language, 'event', name).label).join(', '),
  ].filter(Boolean)
}
