import { getTableColumns, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import {
  dumpedColumns,
  dumpedNames,
  dumpedTable,
  fieldColumns,
  notInBackups,
} from '../../../../src/commands/backup/tables.ts'
import { FEATURES } from '../../../../src/features.ts'
import * as derived from '../../../../src/kit/db/derived.ts'
import * as schema from '../../../../src/kit/db/tables.ts'
import { PARTS } from '../../../features.ts'

const DUMPED = dumpedColumns()
const DUMPED_NAMES = dumpedNames()
const LEFT_OUT = notInBackups()

const CONTENT =
  'id version author status slug date date_utc modified modified_utc description image external_id'
const EVENT = `title excerpt all_day start_date end_date timezone cost website show_map show_map_link hide_from_listings
  sticky featured ticketed post_parent parent_confirmed_by event_status event_status_reason is_virtual virtual_event_type virtual_url
  virtual_video_source ticket_availability wheelchair accessibility room custom_fields uid sequence former_series_id`

/** The fields of all files. Backups that people have use these names: none may get another meaning. */
const FIELDS: Record<string, string> = {
  users: 'id login name role created_utc',
  images: `id url width height version author date_utc slug title alt_text caption mime_type filesize has_sizes copied_id`,
  settings: 'id version vars image header_image imprint_text privacy_text',
  imageUploaders: 'image_id user_id',
  terms: 'id version taxonomy parent name slug description color standalone',
  venues: `${CONTENT} venue address city country province state stateprovince zip phone website show_map show_map_link
    geo_lat geo_lng wheelchair accessibility`,
  organizers: `${CONTENT} organizer phone website email hide_contact hidden_phone hidden_email`,
  series: `${CONTENT} ${EVENT} rrule rdate exdate extend_from`,
  events: `${CONTENT} ${EVENT} utc_start_date utc_end_date timezone_abbr series_id occurrence_date
    previous_utc_start_date detached duplicate_of`,
  seriesVenues: 'series_id target_id position',
  seriesOrganizers: 'series_id target_id position',
  seriesTerms: 'series_id target_id',
  eventVenues: 'event_id target_id position',
  eventOrganizers: 'event_id target_id position',
  eventTerms: 'event_id target_id',
  formerSlugs: 'kind slug former_id target_id',
  sources: `id version name url file reading kind every status categories tags organizer venue search mirror rights_text rights_url
    author created_utc state message code last_run_utc next_run_utc failures refused_runs events is_ending served_utc`,
  imports: 'source kind external_id target_id hash imported_version',
  twins: 'id first_id second_id state likeness trashed_from user_id at_utc',
  submissions: `id event_id token_digest has_image event_key created_utc decided_utc is_withdrawn note likeness is_spam via`,
  reviewNotes: 'kind object_id note author_id user_id at_utc',
  ...Object.assign({}, ...PARTS.map(({ backup }) => backup)),
  audit: 'id at_utc user_id request_id action kind object_id fields changed',
  auditState: 'cleared_to',
}

const OF_FEATURES: object = Object.assign({}, ...FEATURES.map(({ tables }) => tables))

it('every table and every column is in backups, or left out on purpose', () => {
  const wanted = Object.entries({ ...schema, ...derived, ...OF_FEATURES }).flatMap(([name, value]) => {
    if (!is(value, SQLiteTable) || name in LEFT_OUT) return []
    // The file may have another name than the table has in the code.
    const file = DUMPED_NAMES.find(file => dumpedTable(file).table === value) ?? name
    const columns = Object.entries(getTableColumns(value))
    return columns.flatMap(([column, { name: stored }]) =>
      `${file}.${column}` in LEFT_OUT ? [] : [`${file}.${stored}`],
    )
  })
  const dumped = DUMPED_NAMES.flatMap(name =>
    Object.values(fieldColumns(name)).map(column => `${name}.${column.name}`),
  )
  expect(dumped.sort()).toEqual(wanted.sort())
  // A new column gets here by itself, and may be a secret: then it belongs to LEFT_OUT.
  const fields = DUMPED_NAMES.map(name => [name, Object.keys(fieldColumns(name)).sort()])
  const known = Object.entries(FIELDS).map(([name, list]) => [name, list.split(/\s+/).sort()])
  expect(Object.fromEntries(fields)).toEqual(Object.fromEntries(known))
})

it('the list of what is left out names only existing tables and columns', () => {
  const tables: Record<string, unknown> = { ...schema, ...derived, ...OF_FEATURES }
  for (const key of Object.keys(LEFT_OUT)) {
    const [name = '', column] = key.split('.')
    const table = tables[name]
    expect(is(table, SQLiteTable) && (column === undefined || column in getTableColumns(table)), key).toBe(
      true,
    )
    expect(name in DUMPED, key).toBe(column !== undefined)
  }
})
