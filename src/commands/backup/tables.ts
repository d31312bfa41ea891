import { getTableColumns } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type DumpedColumns, type InBackup, storedByFeatures } from '../../calendar/content/backup-tables.ts'
import type { CompleteTable } from '../../calendar/content/fields.ts'
import { EVENT_FIELDS } from '../../calendar/events/schema.ts'
import { ORGANIZER_FIELDS } from '../../calendar/organizers/resource.ts'
import { VENUE_FIELDS } from '../../calendar/venues/schema.ts'
import type * as derived from '../../kit/db/derived.ts'
import * as schema from '../../kit/db/tables.ts'

// The contents of backups. The names of files and fields outlive the schema: a field has the name of the
// API's field or, if there is none, the name of its column in the first backup that contained it. A renamed
// column keeps its field in `fields`.

/** The fields of the API that have a single column, by column. */
const fieldsOf = (table: CompleteTable): Record<string, string> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([field, { columns }]) =>
      columns.length === 1 ? columns.map(column => [column, field]) : [],
    ),
  )

const EVENT_COLUMN_FIELDS = { ...fieldsOf(EVENT_FIELDS), sequence_offset: 'sequence' }

/** The tables of the core by the names of their files, each after the tables that its rows refer to. */
const TABLES_BEFORE_FEATURES = {
  users: { table: schema.users },
  images: { table: schema.images, fields: { author_id: 'author' } },
  settings: { table: schema.settings, fields: { logo_id: 'image', header_image_id: 'header_image' } },
  imageUploaders: { table: schema.imageUploaders },
  terms: { table: schema.terms },
  venues: { table: schema.venues, fields: fieldsOf(VENUE_FIELDS) },
  organizers: { table: schema.organizers, fields: fieldsOf(ORGANIZER_FIELDS) },
  series: { table: schema.series, fields: EVENT_COLUMN_FIELDS },
  events: { table: schema.events, fields: EVENT_COLUMN_FIELDS },
  seriesVenues: { table: schema.seriesVenues },
  seriesOrganizers: { table: schema.seriesOrganizers },
  seriesTerms: { table: schema.seriesTerms },
  eventVenues: { table: schema.eventVenues },
  eventOrganizers: { table: schema.eventOrganizers },
  eventTerms: { table: schema.eventTerms },
  formerSlugs: { table: schema.formerSlugs },
  sources: { table: schema.sources, fields: { author_id: 'author', is_being_deleted: 'is_ending' } },
  imports: { table: schema.imports },
  twins: { table: schema.twins },
  submissions: { table: schema.submissions },
  reviewNotes: { table: schema.reviewNotes },
} as const satisfies Record<string, DumpedColumns>

/** The tables whose rows come after those of features. */
const TABLES_AFTER_FEATURES = {
  audit: { table: schema.audit },
  auditState: { table: schema.auditState },
} as const satisfies Record<string, DumpedColumns>

export const CORE_TABLES = { ...TABLES_BEFORE_FEATURES, ...TABLES_AFTER_FEATURES }

type CoreName = keyof typeof CORE_TABLES

/** The name of a table's file: a table of the core, or of a feature. */
export type DumpedName = string

export const featureDumps = (): [name: DumpedName, dump: DumpedColumns & InBackup][] =>
  storedByFeatures().flatMap(([name, { table, backup }]) =>
    typeof backup === 'string' ? [] : [[name, { table, ...backup }]],
  )

/** The tables of a backup by the names of their files, each after the tables that its rows refer to. */
export const dumpedColumns = (): Readonly<Record<DumpedName, DumpedColumns>> => ({
  ...TABLES_BEFORE_FEATURES,
  ...Object.fromEntries(featureDumps()),
  ...TABLES_AFTER_FEATURES,
})

export const dumpedNames = (): DumpedName[] => Object.keys(dumpedColumns())

/** The table of a file. @throws Error for an unknown name */
export function dumpedTable(name: DumpedName): DumpedColumns {
  const dumped = dumpedColumns()[name]
  if (!dumped) throw new Error(`Backups have no table ${name}.`)
  return dumped
}

type TablesOf<S> = { [K in keyof S as S[K] extends SQLiteTable ? K : never]: S[K] }
type Tables = TablesOf<typeof schema> & TablesOf<typeof derived>
type DumpedTable = (typeof CORE_TABLES)[CoreName]['table']
/** The names of the tables that are not in {@link CORE_TABLES}. */
type TableName = { [K in keyof Tables]: Tables[K] extends DumpedTable ? never : K }[keyof Tables]

const CREDENTIALS = 'Credentials: everybody gets new ones.'
const KEYS = 'Secrets of one database, and what was made with them.'
const CONTACT = 'Contact data, which is deleted after some time, and could not be deleted from backups.'
const REVISION =
  'Change numbers and entity tags belong to one database. After a restore, copies of lists start from scratch.'
const DERIVED = 'Made again from what is in the backup.'
const RESTORED_SETUP = 'The setup code never opens a calendar that was restored.'
const SOURCE_STATE = 'Sources are read again from the beginning, which adds nothing twice.'

const CONFIRMED =
  'Addresses are confirmed again, so that a restored calendar writes to nobody who has not agreed to it.'

/**
 * Tables, and columns of other tables, that backups leave out, each with the reason. .github/IMPORTING.md
 * shows this list. A new table that is neither here nor in {@link CORE_TABLES} doesn't compile.
 */
const NOT_IN_BACKUPS = {
  passwords: CREDENTIALS,
  passkeys: CREDENTIALS,
  signInLinks: CREDENTIALS,
  sessions: CREDENTIALS,
  emailLinks: CREDENTIALS,
  eventPreviews: CREDENTIALS,
  usedChallenges: KEYS,
  keys: KEYS,
  dayKeys: KEYS,
  'submissions.form_digest': KEYS,
  'submissions.sender': KEYS,
  'submissions.name': CONTACT,
  'submissions.email': CONTACT,
  'submissions.email_digest': CONTACT,
  'submissions.is_confirmed': CONTACT,
  'submissions.told_utc': CONTACT,
  'submissions.mail_text': CONTACT,
  remarks: 'Remarks of visitors wait for a short time, and have their names and addresses.',
  undoRequests: 'Changes can be undone for an hour only.',
  idempotencyKeys: 'Responses to repeated requests are kept for a day only.',
  unusedImages: 'The cron looks again for images that nothing uses.',
  imageRemovals: 'Files on their way out of a bucket are in no backup.',
  setbacks: 'Rows with which the cron had trouble are tried again.',
  'users.noticed_utc': 'The first notice after a restore names all that waits.',
  'users.setup_code': RESTORED_SETUP,
  'users.is_setup_code_used': RESTORED_SETUP,
  'sources.failing_since_utc': SOURCE_STATE,
  'sources.etag': SOURCE_STATE,
  'sources.last_modified': SOURCE_STATE,
  'sources.build': SOURCE_STATE,
  'sources.place': SOURCE_STATE,
  'sources.refused_within': SOURCE_STATE,
  'sources.refused': SOURCE_STATE,
  'sources.undoing': SOURCE_STATE,
  'sources.lease': SOURCE_STATE,
  sourcePages: SOURCE_STATE,
  sourceDocuments: 'Sources are read again, and a file that waited to be imported is uploaded again.',
  sourceRuns: 'A log of how sources were read.',
  twinsPosition: 'Events of a backup were compared with each other before.',
  'users.email': CONFIRMED,
  'users.notices': CONFIRMED,
  limitCounts: 'Limits count what is done within a day.',
  revision: REVISION,
  changes: REVISION,
  'images.search_text': DERIVED,
  'terms.name_key': DERIVED,
  'terms.sort_name': DERIVED,
  'terms.path': DERIVED,
  'terms.count': DERIVED,
  'terms.change_number': REVISION,
  'terms.public_change_number': REVISION,
  'events.listed': DERIVED,
  'events.is_free': DERIVED,
  'events.span': DERIVED,
  'events.search_key': DERIVED,
  'events.shares_text': DERIVED,
  termAncestors: DERIVED,
  listings: DERIVED,
  listingCounts: DERIVED,
} as const satisfies Record<TableName, string> & Readonly<Record<`${CoreName}.${string}`, string>>

/** All tables and columns that backups leave out, including those of features, each with the reason. */
export const notInBackups = (): Readonly<Record<string, string>> => ({
  ...NOT_IN_BACKUPS,
  ...Object.fromEntries(
    featureDumps().flatMap(([name, { omittedColumns = {} }]) =>
      Object.entries<string | undefined>(omittedColumns).map(([column, reason]) => [
        `${name}.${column}`,
        String(reason),
      ]),
    ),
  ),
  ...Object.fromEntries(
    storedByFeatures().flatMap(([name, { backup }]) => (typeof backup === 'string' ? [[name, backup]] : [])),
  ),
})

/** The columns of a table in backups, by the names of their fields. */
export function fieldColumns(name: DumpedName): Record<string, SQLiteColumn> {
  const { table, fields = {} } = dumpedTable(name)
  const reasons = notInBackups()
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([column, details]) =>
      `${name}.${column}` in reasons ? [] : [[fields[column] ?? column, details]],
    ),
  )
}
