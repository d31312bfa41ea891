import { type SQL, sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { SOURCE_CODES } from '../../lib/reasons.ts'
import { booleanColumn, refersTo } from './column-types.ts'
import { events } from './content.ts'

/** The intervals at which sources are read; '' means only on request. */
export const SOURCE_INTERVALS = ['hour', '6 hours', 'day', 'week', ''] as const
export const SOURCE_KINDS = ['ical', 'site', 'jsonld'] as const
export const FILE_KINDS = ['csv', 'ical', 'html'] as const
export const SOURCE_STATES = ['new', 'ok', 'failing', 'asking', 'paused'] as const

/**
 * Other calendars that the cron reads on a schedule. `imports` has their records, under the source
 * `source:{id}`. `version` rises when users change settings, not when a run updates the row.
 */
export const sources = sqliteTable(
  'sources',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    name: text().notNull(),
    /** '' for an uploaded file. */
    url: text().notNull(),
    /**
     * The name of an uploaded file, by which later uploads of it are recognised; '' for a calendar at an
     * address.
     */
    file: text().notNull().default(''),
    /**
     * JSON: the user's choices for reading the file (`FileReading` of calendar/imports/source-schema.ts), and
     * the host of the calendar.
     */
    reading: text().notNull().default('{}'),
    /** '' if not known yet. */
    kind: text({ enum: ['', ...SOURCE_KINDS, ...FILE_KINDS] }).notNull(),
    every: text({ enum: SOURCE_INTERVALS }).notNull(),
    /** Values for new events. Categories and tags are JSON arrays of ids. */
    status: text({ enum: ['publish', 'pending', 'draft'] }).notNull(),
    categories: text().notNull().default('[]'),
    tags: text().notNull().default('[]'),
    organizer: integer(),
    venue: integer(),
    search: text().notNull().default(''),
    mirror: booleanColumn(),
    rights_text: text().notNull().default(''),
    rights_url: text().notNull().default(''),
    /** The owner, whose rights imports have. The user may have been deleted. */
    author_id: integer().notNull(),
    created_utc: text().notNull(),
    state: text({ enum: SOURCE_STATES }).notNull().default('new'),
    message: text().notNull().default(''),
    /** The message's code, which pages translate; '' without a message. */
    code: text({ enum: SOURCE_CODES }).notNull().default(''),
    last_run_utc: text(),
    /** Null if nothing is due. */
    next_run_utc: text(),
    /** Failures since the last success. */
    failures: integer().notNull().default(0),
    /** Since when the state is `failing` or `asking`; null in other states. */
    failing_since_utc: text(),
    /** HTTP headers of the document that was last read to its end, or is being read. */
    etag: text().notNull().default(''),
    last_modified: text().notNull().default(''),
    /**
     * The version of the Worker that began the last run. Another version may be able to read what this one
     * could not.
     */
    build: text().notNull().default(''),
    /** The number of records that the current run has processed. */
    place: integer().notNull().default(0),
    /** The database refuses at least one of this many next records; 0 if it has refused none. */
    refused_within: integer().notNull().default(0),
    /** The number of records that the database has refused in the current run. */
    refused: integer().notNull().default(0),
    /** The number of successive runs in which the database has refused a record. */
    refused_runs: integer().notNull().default(0),
    /** The number of events in the source when it was last read to its end. */
    events: integer().notNull().default(0),
    /** True if the source was deleted, and its events are being moved to the trash. */
    is_being_deleted: booleanColumn(),
    /** The run whose new events are being moved to the trash. */
    undoing: integer(),
    /** When the source last had its turn. */
    served_utc: text().notNull().default(''),
    /**
     * The time until which a run may read the source, and a random text that identifies the run; '' if there
     * is no run.
     */
    lease: text().notNull().default(''),
  },
  t => [index('sources_due').on(t.next_run_utc).where(sql`next_run_utc IS NOT NULL`)],
)

/** Recent runs of each source. */
export const sourceRuns = sqliteTable(
  'source_runs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    source_id: refersTo(() => sources.id),
    started_utc: text().notNull(),
    /** Null while the run goes on. */
    ended_utc: text(),
    state: text({ enum: ['running', 'done', 'failed'] }).notNull(),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    trashed: integer().notNull().default(0),
    joined: integer().notNull().default(0),
    asked: integer().notNull().default(0),
    /** A JSON array of `{what, why, code}`. */
    skipped: text().notNull().default('[]'),
    message: text().notNull().default(''),
    /** As in `sources`. */
    code: text({ enum: SOURCE_CODES }).notNull().default(''),
  },
  t => [index('source_runs_source').on(t.source_id)],
)

/** The state of the pages of a source with several pages: one row of bounded size for each source. */
export const sourcePages = sqliteTable('source_pages', {
  source_id: integer()
    .primaryKey()
    .references(() => sources.id),
  /** JSON: the HTTP headers of each page when it was read, and its events. */
  pages: text().notNull(),
  /** JSON: the progress of the current run; '' if there is none. */
  crawl: text().notNull(),
})

/**
 * Records that current runs have read but not written yet (features/sources/schedule/staged-records.ts), and
 * uploaded files (features/sources/stored-files.ts). They are deleted when the run ends.
 */
export const sourceDocuments = sqliteTable(
  'source_documents',
  {
    source_id: refersTo(() => sources.id),
    /**
     * The number of records before this row's; -1 for the row with the details of what was read, and from -2
     * down for parts of a file.
     */
    place: integer().notNull(),
    /** JSON: records, or the details of what was read. For a file: its bytes in Base64. */
    content: text().notNull(),
  },
  t => [primaryKey({ columns: [t.source_id, t.place] })],
)

const IMPORT_KINDS = ['category', 'tag', 'venue', 'organizer', 'series', 'event'] as const

/**
 * Maps imported records to our rows, so that a second import updates them instead of creating them again.
 * `source` is the calendar, `external_id` an id or UID there, `target_id` the id of our row. `hash` is the
 * imported record's hash, `imported_version` our row's version after the import: a row with another version
 * was edited here since. It is null for a row that existed before the import and was linked to the record.
 */
export const imports = sqliteTable(
  'imports',
  {
    source: text().notNull(),
    kind: text({ enum: IMPORT_KINDS }).notNull(),
    external_id: text().notNull(),
    target_id: integer().notNull(),
    hash: text().notNull(),
    imported_version: text(),
  },
  t => [
    primaryKey({ columns: [t.source, t.kind, t.external_id] }),
    index('imports_target').on(t.kind, t.target_id),
  ],
)

export const DUPLICATE_STATES = ['asked', 'joined', 'different'] as const

/**
 * Pairs of events of different origin that are the same event, may be the same, or were declared to be
 * different. `first_id` is the lower id. `events.duplicate_of` says which of the two lists show; a pair stays
 * joined while that event is in the trash.
 */
export const twins = sqliteTable(
  'twins',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    first_id: refersTo(() => events.id),
    second_id: refersTo(() => events.id),
    state: text({ enum: DUPLICATE_STATES }).notNull(),
    /** 0 to 1. */
    likeness: real().notNull(),
    /**
     * The status that the hidden event had when a user who may edit both moved the shown event to the trash.
     * The hidden event then stays hidden, as if it were in the trash too. '' otherwise.
     */
    trashed_from: text().notNull().default(''),
    /** The user who decided; null if the Worker decided by itself. */
    user_id: integer(),
    at_utc: text().notNull(),
  },
  t => [
    uniqueIndex('twins_pair').on(t.first_id, t.second_id),
    index('twins_second').on(t.second_id),
    index('twins_state').on(t.state, t.at_utc, t.id),
  ],
)

/** One row: the last change of events that the search for duplicates has reached. */
export const twinsPosition = sqliteTable('twins_place', {
  n: integer().notNull(),
  id: integer().notNull(),
  public_n: integer().notNull().default(0),
})

// The table `imports` and the audit name a source of the calendar `source:7`; other imports have names of
// their own. Triggers know this form as well (kit/db/triggers/event-sources.sql).

/** The name of a source in the table `imports`. */
export const importSource = (id: number): string => `source:${id}`

/** The id in the name of a source; undefined for other imports. */
export function sourceIdIn(name: string): number | undefined {
  const id = /^source:(\d{1,15})$/.exec(name)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** A condition that is true for the names of sources. @param name an expression */
export const sourceNameSql = (name: SQL): SQL => sql`${name} GLOB 'source:*'`

/** An expression for the id in the name of a source. @param name an expression */
export const idInSourceName = (name: SQL): SQL => sql`CAST(substr(${name}, 8) AS INTEGER)`
