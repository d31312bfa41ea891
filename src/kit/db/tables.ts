import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  real,
  type SQLiteTable,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { SOURCE_CODES } from '../lib/reasons.ts'
import { ROLES } from '../lib/roles.ts'
import type { All, OfFeatures } from '../lib/started-features.ts'
import {
  EVENT_STATUSES,
  STATUSES,
  TICKET_AVAILABILITIES,
  VIRTUAL_EVENT_TYPES,
  WHEELCHAIR_ACCESS,
} from '../lib/statuses.ts'
import { EVENT_IDS, freeSql, movedSql, searchKeySql, sharesTextSql, spanSql } from './derived.ts'

// Columns are named like the API's fields. Dates are text, "YYYY-MM-DD HH:MM:SS", which sorts correctly and goes into
// responses unchanged. No foreign key cascades: a migration that rebuilds a table drops it first, and a cascade would
// then delete the rows that refer to it.

export const booleanColumn = () => integer({ mode: 'boolean' }).notNull().default(false)
/** Accessibility columns that events and venues share. */
const access = () => ({
  wheelchair: text({ enum: WHEELCHAIR_ACCESS }).notNull().default(''),
  accessibility: text().notNull().default(''),
})
export const refersTo = (column: () => AnySQLiteColumn) => integer().notNull().references(column)

export const TAXONOMIES = ['event_category', 'event_tag'] as const
export type Taxonomy = (typeof TAXONOMIES)[number]

export const ACTIONS = ['create', 'update', 'publish', 'trash', 'delete', 'merge', 'revoke', 'find'] as const
export const AUDITED_KINDS = [
  'event',
  'series',
  'venue',
  'organizer',
  'category',
  'tag',
  'user',
  'image',
  'source',
  'settings',
] as const

/** A resource of a feature that the audit knows. */
export type FeatureKind = keyof All<OfFeatures<'history'>>

export type AuditedKind = (typeof AUDITED_KINDS)[number] | FeatureKind

/** Kinds of content that wait for review, and that editors may send back with a note. */
export const REVIEWED_KINDS = ['event', 'series'] as const

/** When users get e-mails about what is waiting for them. */
export const NOTICES = ['never', 'day', 'now'] as const

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    login: text().notNull(),
    /** The name that other people see; '' to show the login. */
    name: text().notNull().default(''),
    role: text({ enum: ROLES }).notNull(),
    created_utc: text().notNull(),
    /** The address that the user has confirmed; '' for none. */
    email: text().notNull().default(''),
    notices: text({ enum: NOTICES }).notNull().default('never'),
    /** The time of the last notice: later items are new. */
    noticed_utc: text().notNull().default(''),
    /**
     * The digest of the browser from which the setup made this user; '' for others, and from the first time on that
     * the user comes back: then the setup code never opens the calendar again.
     */
    setup_visit: text().notNull().default(''),
  },
  t => [
    uniqueIndex('users_login').on(sql`${t.login} COLLATE NOCASE`),
    index('users_notices').on(t.notices).where(sql`notices <> 'never'`),
  ],
)

/** Settings that administrators have changed. They override the vars of `wrangler.toml`. One row, or none. */
export const settings = sqliteTable('settings', {
  id: integer().primaryKey(),
  version: integer().notNull().default(1),
  /** A JSON object: the text of each var, by its name. */
  vars: text().notNull(),
  /** The logo. */
  image_id: integer().references((): AnySQLiteColumn => images.id),
  /** The image above the lists of events. */
  header_id: integer().references((): AnySQLiteColumn => images.id),
  /** Texts of pages, as HTML. Requests read the other settings without them. */
  imprint_text: text().notNull().default(''),
  privacy_text: text().notNull().default(''),
})

/** Application passwords. Only the SHA-256 digest is stored, in hexadecimal. */
export const passwords = sqliteTable(
  'passwords',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: refersTo(() => users.id),
    digest: text().notNull(),
    created_utc: text().notNull(),
    expires_utc: text(),
    last_used_utc: text(),
    /** What the password is for, in the user's words; '' if a command made it. */
    name: text().notNull().default(''),
  },
  t => [uniqueIndex('passwords_digest').on(t.digest), index('passwords_user').on(t.user_id)],
)

// Links, recovery codes and cookies that sign users in are random. Only their SHA-256 digests are stored, in
// hexadecimal.

export const SIGN_IN_METHODS = ['passkey', 'password', 'link', 'code', 'setup'] as const

/** Sessions of the editor, one for each browser. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: refersTo(() => users.id),
    digest: text().notNull(),
    method: text({ enum: SIGN_IN_METHODS }).notNull(),
    /** Browser and system, such as `Firefox, Android`; '' if they are unknown. */
    device: text().notNull(),
    created_utc: text().notNull(),
    expires_utc: text().notNull(),
    /** At most an hour before the true last use. */
    last_used_utc: text().notNull(),
  },
  t => [
    uniqueIndex('sessions_digest').on(t.digest),
    index('sessions_user').on(t.user_id),
    index('sessions_expiry').on(t.expires_utc),
  ],
)

/** Links that sign a user in once. */
export const signInLinks = sqliteTable(
  'sign_in_links',
  {
    digest: text().primaryKey(),
    user_id: refersTo(() => users.id),
    expires_utc: text().notNull(),
  },
  t => [index('sign_in_links_user').on(t.user_id), index('sign_in_links_expiry').on(t.expires_utc)],
)

/** Links that confirm the e-mail address of a user, or of a row of a feature. Each works once, and only the newest one works. */
export const emailLinks = sqliteTable(
  'email_links',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The user who asked. No foreign key, so that a version before this table can delete users: ids are never reused. */
    user_id: integer().notNull(),
    /** The kind of the row whose address the link confirms, such as `letter`; '' for the user's own address. */
    kind: text().notNull().default(''),
    /** The row's id; null for the user's own address. The column is from when only letters had addresses. */
    row_id: integer('letter_id'),
    email: text().notNull(),
    digest: text().notNull(),
    created_utc: text().notNull(),
    expires_utc: text().notNull(),
  },
  t => [
    uniqueIndex('email_links_digest').on(t.digest),
    index('email_links_user').on(t.user_id),
    index('email_links_expiry').on(t.expires_utc),
  ],
)

export const MAIL_PURPOSES = ['link', 'test'] as const

/**
 * E-mails of the last day that users had sent at once: links that confirm an address, and tests of letters. Limits
 * count these rows, so they are only deleted by age.
 */
export const sentMails = sqliteTable(
  'sent_mails',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    purpose: text({ enum: MAIL_PURPOSES }).notNull(),
    /** The user who asked for the e-mail. No foreign key: the row still counts after the user is deleted. */
    user_id: integer().notNull(),
    email: text().notNull(),
    created_utc: text().notNull(),
    expires_utc: text().notNull(),
  },
  t => [index('sent_mails_expiry').on(t.expires_utc)],
)

/** Links that show an event to people without an account before it is public. An event has one link at a time. */
export const eventPreviews = sqliteTable(
  'event_previews',
  {
    /** No foreign key, so that deleting an event doesn't look here. Ids are never reused. */
    event_id: integer().primaryKey(),
    digest: text().notNull(),
    expires_utc: text().notNull(),
  },
  t => [uniqueIndex('event_previews_digest').on(t.digest)],
)

/** Codes for users who have lost their passkey. Each signs its user in once. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    digest: text().primaryKey(),
    user_id: refersTo(() => users.id),
  },
  t => [index('recovery_codes_user').on(t.user_id)],
)

/** WebAuthn credentials. Ids and public keys are base64url, as browsers send them. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: refersTo(() => users.id),
    credential_id: text().notNull(),
    public_key: text().notNull(),
    /** The number of signatures, from authenticators that count them. */
    counter: integer().notNull(),
    /** A JSON array of WebAuthn's `transports`, as the authenticator names them, such as `usb`. */
    transports: text().notNull(),
    name: text().notNull(),
    created_utc: text().notNull(),
    last_used_utc: text(),
  },
  t => [uniqueIndex('passkeys_credential').on(t.credential_id), index('passkeys_user').on(t.user_id)],
)

/** Passkey challenges that were answered, kept until they expire, so that no answer is accepted twice. */
export const usedChallenges = sqliteTable(
  'used_challenges',
  {
    digest: text().primaryKey(),
    expires_utc: text().notNull(),
  },
  t => [index('used_challenges_expiry').on(t.expires_utc)],
)

/** Random keys of this database, 256 bits in hexadecimal, by which it recognises tokens that it issued. */
export const keys = sqliteTable('keys', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/**
 * The log of changes: user, time, object, names of fields and, for a limited time, their values. It has no foreign keys
 * to users and objects, because both may be deleted later. Changes by the command line, imports and the cron have no
 * user.
 */
export const audit = sqliteTable(
  'audit',
  {
    // Entries are never deleted, so ids are unique even without AUTOINCREMENT, which would write one more row.
    id: integer().primaryKey(),
    at_utc: text().notNull(),
    user_id: integer(),
    request_id: text(),
    action: text({ enum: ACTIONS }).notNull(),
    kind: text().$type<AuditedKind>().notNull(),
    object_id: integer().notNull(),
    /** A JSON array of names. */
    fields: text().notNull().default('[]'),
    /** A JSON object of `[before, after]` by field; null if the values were never recorded, or were deleted. */
    changed: text(),
  },
  t => [
    index('audit_object').on(t.kind, t.object_id),
    // Most entries are about events, so the index leaves them out.
    index('audit_kind').on(t.kind).where(sql`kind <> 'event'`),
  ],
)

/** One row: the latest entry of the audit whose values have been deleted. */
export const auditState = sqliteTable('audit_state', {
  cleared_to: integer().notNull(),
})

/** Requests that undo changes made in the editor, by entry of the audit. They are kept for an hour. */
export const undoRequests = sqliteTable('undo_requests', {
  audit_id: integer().primaryKey(),
  at_utc: text().notNull(),
  /** A JSON object: the body of `POST /batch`; 'null' if it would be too large. */
  request: text().notNull(),
})

/**
 * Slugs and ids of venues, organizers and terms that were merged into others: their addresses now lead there. Also
 * further slugs of images that were uploaded as several files with the same bytes.
 */
export const formerSlugs = sqliteTable(
  'former_slugs',
  {
    kind: text({ enum: ['venue', 'organizer', 'category', 'tag', 'image'] }).notNull(),
    slug: text().notNull(),
    former_id: integer().notNull().default(0),
    target_id: integer().notNull(),
  },
  t => [
    primaryKey({ columns: [t.kind, t.slug] }),
    index('former_slugs_id').on(t.kind, t.former_id),
    index('former_slugs_target').on(t.kind, t.target_id),
  ],
)

/**
 * Notes that editors write to authors when they send content back from review, at most one for each event or series.
 * Triggers delete the note once the content is published or deleted. `user_id` is the editor, who may be deleted later.
 */
export const reviewNotes = sqliteTable(
  'review_notes',
  {
    kind: text({ enum: REVIEWED_KINDS }).notNull(),
    object_id: integer().notNull(),
    note: text().notNull(),
    user_id: integer().notNull(),
    at_utc: text().notNull(),
  },
  t => [primaryKey({ columns: [t.kind, t.object_id] })],
)

/**
 * External images, which content names by their address, and uploaded images, whose `url` is the path `/media/{file}`.
 * Only uploads have an author, a type, a size in bytes and a date. `search_text` has the folded title, alternative text
 * and so on.
 */
export const images = sqliteTable(
  'images',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    url: text().notNull(),
    width: integer(),
    height: integer(),
    version: integer().notNull().default(1),
    author_id: integer().references(() => users.id),
    date_utc: text(),
    /** Empty for images without a name, which are identified by their id. @see slugOf of calendar/media/queries.ts */
    slug: text().notNull().default(''),
    title: text().notNull().default(''),
    alt_text: text().notNull().default(''),
    caption: text().notNull().default(''),
    search_text: text().notNull().default(''),
    mime_type: text().notNull().default(''),
    filesize: integer(),
    /** True if the bucket has smaller sizes of the image, as it has of all uploads. */
    has_sizes: booleanColumn(),
    /** The uploaded copy of an external image, which imports use instead. */
    copied_id: integer(),
  },
  t => [
    uniqueIndex('images_url').on(t.url),
    uniqueIndex('images_slug').on(t.slug).where(sql`slug <> ''`),
    index('images_author').on(t.author_id),
  ],
)

/** All users who uploaded the same image, including its author. They may use it. */
export const imageUploaders = sqliteTable(
  'image_uploaders',
  {
    image_id: refersTo(() => images.id),
    user_id: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.image_id, t.user_id] })],
)

/** Uploaded images that are not in use, and when the cron noticed. */
export const unusedImages = sqliteTable('unused_images', {
  image_id: integer()
    .primaryKey()
    .references(() => images.id),
  since_utc: text().notNull(),
})

/**
 * Names of files that are being deleted from the bucket, or were deleted recently (`is_done`). No row of `images` may
 * have such a name: a deletion that began earlier could delete the file of a new upload of the same image.
 */
export const imageRemovals = sqliteTable('image_removals', {
  file: text().primaryKey(),
  at_utc: text().notNull(),
  is_done: booleanColumn(),
})

/**
 * Columns that events, venues and organizers have in common. `version` rises by one with every update. A trigger
 * refuses any other step, so that a batch computed from an older version fails as a whole. The folded text for search
 * is in the full-text tables `events_search`, `venues_search` and `organizers_search`.
 */
const content = () => ({
  id: integer().primaryKey({ autoIncrement: true }),
  version: integer().notNull().default(1),
  author_id: refersTo(() => users.id),
  status: text({ enum: STATUSES }).notNull(),
  slug: text().notNull(),
  date: text().notNull(),
  date_utc: text().notNull(),
  modified: text().notNull(),
  modified_utc: text().notNull(),
  description: text().notNull().default(''),
  image_id: integer().references(() => images.id),
  /** The id that the client chose; '' for none. Content in the trash keeps it. */
  external_id: text().notNull().default(''),
})

/** Columns that events and series share. Every occurrence of a series has its own values. */
const event = () => ({
  ...content(),
  title: text().notNull(),
  excerpt: text().notNull().default(''),
  all_day: booleanColumn(),
  /** In a series: the start and end of the first occurrence, according to its rule. */
  start_date: text().notNull(),
  end_date: text().notNull(),
  timezone: text().notNull(),
  cost: text().notNull().default(''),
  /** Null in imported rows without a website, which means the same as ''. */
  website: text(),
  show_map: booleanColumn(),
  show_map_link: booleanColumn(),
  hide_from_listings: booleanColumn(),
  sticky: booleanColumn(),
  featured: booleanColumn(),
  ticketed: booleanColumn(),
  post_parent: integer().references((): AnySQLiteColumn => events.id),
  /**
   * The id of the user who confirmed that the row belongs to its parent, so that the public sees it there: the user who set
   * `post_parent` while allowed to edit the parent, or an editor who confirmed it later. Null until somebody has
   * vouched. The user may be deleted by now.
   */
  parent_confirmed_by: integer(),
  event_status: text({ enum: EVENT_STATUSES }).notNull().default('scheduled'),
  event_status_reason: text().notNull().default(''),
  is_virtual: booleanColumn(),
  virtual_event_type: text({ enum: VIRTUAL_EVENT_TYPES }).notNull().default(''),
  virtual_url: text().notNull().default(''),
  virtual_video_source: text().notNull().default(''),
  ticket_availability: text({ enum: TICKET_AVAILABILITIES }).notNull().default(''),
  ...access(),
  /** Where in the venue: a hall, a stage. */
  room: text().notNull().default(''),
  /** A JSON object of `{label, value}` by key. */
  custom_fields: text().notNull().default('{}'),
  /**
   * The UID in subscribers' calendars, which never changes. It is the external id that the row was created with, unless
   * another row already had that UID; a series made from an event keeps the event's UID. A UID that ends with `@` gets
   * the host appended, and is never an external id; '' stands for `event-{id}@` or `series-{id}@`. A blank at the end
   * marks an external id that looks like another row's own UID; it is the UID only if its host is not this calendar's
   * host.
   */
  uid: text().notNull().default(''),
  /** The SEQUENCE in subscribers' calendars is `version` plus this number, and never decreases. */
  sequence: integer().notNull().default(0),
})

/**
 * Repeating events: their rule, and the fields that all occurrences share. Occurrences are rows of `events` with copies
 * of these fields, except for `description` and `excerpt`, which are empty in an occurrence while it shows the series'
 * texts. `slug` is the part of the occurrences' slugs before the date. `external_id` is the first occurrence's.
 */
export const series = sqliteTable(
  'series',
  {
    ...event(),
    /** The rule (RFC 5545) without DTSTART; '' for a series whose dates are all listed by name. */
    rrule: text().notNull().default(''),
    /** JSON arrays of additional starts, and of excluded starts, in the series' zone. */
    rdate: text().notNull().default('[]'),
    exdate: text().notNull().default('[]'),
    /** Occurrences from this start (UTC) on may still have to be created; null if none are left. */
    extend_from: text(),
  },
  t => [
    index('series_slug').on(t.slug),
    index('series_extend').on(t.extend_from).where(sql`extend_from IS NOT NULL`),
    index('series_image').on(t.image_id).where(sql`image_id IS NOT NULL`),
    index('series_uid').on(t.uid).where(sql`uid <> ''`),
    index('series_parent').on(t.post_parent).where(sql`post_parent IS NOT NULL`),
  ],
)

export const events = sqliteTable(
  'events',
  {
    ...event(),
    utc_start_date: text().notNull(),
    utc_end_date: text().notNull(),
    timezone_abbr: text().notNull(),
    series_id: integer().references((): AnySQLiteColumn => series.id),
    /** The start according to the series' rule, in the series' zone, even if the occurrence was moved; null for single events. */
    occurrence_date: text(),
    /** The start before its last change, UTC; '' if it never changed. @see previousStart of kit/lib/previous-start.ts */
    previous_utc_start_date: text().notNull().default(''),
    /** A JSON array of fields that changes to the series leave alone. */
    detached: text().notNull().default('[]'),
    /** The event that lists show instead, because this one is its duplicate; null for all others. @see duplicatePairs */
    duplicate_of: integer().references((): AnySQLiteColumn => events.id),
    /** True if public lists show the event. False for scheduled events until the cron has published them. */
    listed: integer({ mode: 'boolean' }).generatedAlwaysAs(
      sql`status = 'publish' AND hide_from_listings = 0 AND duplicate_of IS NULL`,
    ),
    /** True if the event's cost says that it is free. */
    is_free: integer({ mode: 'boolean' }).generatedAlwaysAs(sql.raw(freeSql)),
    /** The event's length as a class: 0 up to a day, or one of `SPANS` of kit/db/derived.ts. */
    span: integer().generatedAlwaysAs(sql.raw(spanSql)),
    /** The rowid in `events_search`, which sorts by start, then by id. */
    search_key: integer().generatedAlwaysAs(sql.raw(searchKeySql('utc_start_date', 'id'))),
    /** True if searches find the event by its series' text in `series_search`; it then has no text in `events_search`. */
    shares_text: integer({ mode: 'boolean' }).generatedAlwaysAs(sql.raw(sharesTextSql)),
  },
  t => [
    uniqueIndex('events_slug').on(t.slug),
    uniqueIndex('events_external_id').on(t.external_id).where(sql`external_id <> ''`),
    uniqueIndex('events_occurrence').on(t.series_id, t.occurrence_date).where(sql`series_id IS NOT NULL`),
    index('events_author').on(t.author_id),
    index('events_image').on(t.image_id).where(sql`image_id IS NOT NULL`),
    index('events_scheduled').on(t.date_utc).where(sql`status = 'future'`),
    index('events_unpublished').on(t.status, t.utc_start_date, t.id).where(sql`status <> 'publish'`),
    index('events_hidden').on(t.id).where(sql`hide_from_listings = 1`),
    index('events_trashed').on(t.modified_utc, t.id).where(sql`status = 'trash'`),
    index('events_uid').on(t.uid).where(sql`uid <> ''`),
    index('events_parent').on(t.post_parent).where(sql`post_parent IS NOT NULL`),
    index('events_programme')
      .on(t.post_parent, t.utc_start_date, t.id)
      .where(sql`parent_confirmed_by IS NOT NULL`),
    index('events_moved').on(t.series_id, t.utc_start_date, t.id).where(sql.raw(movedSql)),
    index('events_duplicates').on(t.duplicate_of).where(sql`duplicate_of IS NOT NULL`),
    index('events_long').on(t.span, t.utc_start_date, t.utc_end_date, t.id).where(sql`listed AND span > 0`),
    check('events_id', sql`${t.id} < ${sql.raw(String(EVENT_IDS))}`),
    check('events_order', sql`${t.utc_end_date} >= ${t.utc_start_date}`),
  ],
)

export const venues = sqliteTable(
  'venues',
  {
    ...content(),
    name: text().notNull(),
    address: text().notNull().default(''),
    city: text().notNull().default(''),
    country: text().notNull().default(''),
    province: text().notNull().default(''),
    state: text().notNull().default(''),
    stateprovince: text().notNull().default(''),
    zip: text().notNull().default(''),
    phone: text().notNull().default(''),
    website: text().notNull().default(''),
    show_map: booleanColumn().default(true),
    show_map_link: booleanColumn().default(true),
    geo_lat: real(),
    geo_lng: real(),
    ...access(),
  },
  t => [
    uniqueIndex('venues_slug').on(t.slug),
    uniqueIndex('venues_external_id').on(t.external_id).where(sql`external_id <> ''`),
    index('venues_name').on(t.name),
    index('venues_date').on(t.date_utc, t.id),
    index('venues_author').on(t.author_id),
    index('venues_image').on(t.image_id).where(sql`image_id IS NOT NULL`),
    index('venues_scheduled').on(t.date_utc).where(sql`status = 'future'`),
    index('venues_latitude')
      .on(t.geo_lat, t.geo_lng, t.status, t.date_utc, t.author_id)
      .where(sql`geo_lat IS NOT NULL`),
  ],
)

export const organizers = sqliteTable(
  'organizers',
  {
    ...content(),
    name: text().notNull(),
    phone: text().notNull().default(''),
    website: text().notNull().default(''),
    email: text().notNull().default(''),
    /** If true, `phone` and `email` are empty, and the next two columns have their values. */
    hide_contact: booleanColumn(),
    hidden_phone: text().notNull().default(''),
    hidden_email: text().notNull().default(''),
  },
  t => [
    uniqueIndex('organizers_slug').on(t.slug),
    uniqueIndex('organizers_external_id').on(t.external_id).where(sql`external_id <> ''`),
    index('organizers_name').on(t.name),
    index('organizers_date').on(t.date_utc, t.id),
    index('organizers_author').on(t.author_id),
    index('organizers_image').on(t.image_id).where(sql`image_id IS NOT NULL`),
    index('organizers_scheduled').on(t.date_utc).where(sql`status = 'future'`),
  ],
)

/**
 * Categories and tags. `name_key` is the name in lower case: names that differ only in case mean the same term. `path`
 * is the slugs from the root down, joined by slashes; `count` is the number of published events with the term. A term
 * that was created by naming it on an event is not `standalone`: only callers who may read an event with it see the
 * term.
 */
export const terms = sqliteTable(
  'terms',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    taxonomy: text({ enum: TAXONOMIES }).notNull(),
    parent: integer().notNull().default(0),
    name: text().notNull(),
    name_key: text().notNull(),
    sort_name: text().notNull(),
    slug: text().notNull(),
    path: text().notNull(),
    description: text().notNull().default(''),
    /** A category's colour: a name of the palette or `#rrggbb`; '' for a colour that follows from the id. */
    color: text().notNull().default(''),
    count: integer().notNull().default(0),
    standalone: booleanColumn().default(true),
    /**
     * The numbers of the term's latest change, and of the latest change that anonymous callers could see. @see changes
     * of kit/db/derived.ts
     */
    change_n: integer().notNull().default(0),
    public_n: integer(),
  },
  t => [
    uniqueIndex('terms_slug').on(t.taxonomy, t.slug),
    index('terms_name').on(t.taxonomy, t.name_key),
    index('terms_parent').on(t.taxonomy, t.parent),
    index('terms_order').on(t.taxonomy, t.sort_name, t.id),
  ],
)

/** Links of an event, in order. The view `events_of` finds the events of a target. */
const eventLinks = <N extends string>(name: N, target: () => AnySQLiteColumn) =>
  sqliteTable(
    name,
    { event_id: refersTo(() => events.id), target_id: refersTo(target), position: integer().notNull() },
    t => [primaryKey({ columns: [t.event_id, t.target_id] })],
  )

export const eventVenues = eventLinks('event_venues', () => venues.id)
export const eventOrganizers = eventLinks('event_organizers', () => organizers.id)

export const eventTerms = sqliteTable(
  'event_terms',
  {
    event_id: refersTo(() => events.id),
    target_id: refersTo(() => terms.id),
  },
  t => [primaryKey({ columns: [t.event_id, t.target_id] })],
)

/** Links of a series, in order. */
const seriesLinks = <N extends string>(name: N, target: () => AnySQLiteColumn) =>
  sqliteTable(
    name,
    { series_id: refersTo(() => series.id), target_id: refersTo(target), position: integer().notNull() },
    t => [primaryKey({ columns: [t.series_id, t.target_id] }), index(`${name}_target`).on(t.target_id)],
  )

export const seriesVenues = seriesLinks('series_venues', () => venues.id)
export const seriesOrganizers = seriesLinks('series_organizers', () => organizers.id)

export const seriesTerms = sqliteTable(
  'series_terms',
  {
    series_id: refersTo(() => series.id),
    target_id: refersTo(() => terms.id),
  },
  t => [primaryKey({ columns: [t.series_id, t.target_id] }), index('series_terms_target').on(t.target_id)],
)

/**
 * Requests with an `Idempotency-Key`, and their responses, kept for a day. The row is inserted in the transaction of
 * the request's first write, so that neither exists without the other; the response is added later. A request that
 * writes nothing gets a row once it has a response. `request` is the digest of address and body, `audit_id` the latest
 * entry of the audit before the request, and `total` the running sum of bytes that the user's rows take.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    user_id: integer().notNull(),
    key: text().notNull(),
    request: text().notNull(),
    request_id: text().notNull(),
    at_utc: text().notNull(),
    audit_id: integer().notNull(),
    total: integer().notNull(),
    /** Null until there is a response. */
    status: integer(),
    /** A JSON object. */
    headers: text(),
    /** Null if the response is too long to keep. */
    body: text(),
  },
  t => [
    primaryKey({ columns: [t.user_id, t.key] }),
    index('idempotency_keys_total').on(t.user_id, t.total),
    index('idempotency_keys_time').on(t.at_utc),
  ],
)

/**
 * Rows of other tables that the cron could not change, by task and `rowid`. The cron leaves them alone until
 * `until_utc`, so that they don't hold up the others (kit/http/waiting-work.ts). A row with the `rowid` 0 pauses the whole
 * task, such as look-ups at another server (calendar/venues/locate.ts).
 */
export const setbacks = sqliteTable(
  'setbacks',
  {
    task: text().notNull(),
    row_id: integer().notNull(),
    failures: integer().notNull(),
    until_utc: text().notNull(),
  },
  t => [primaryKey({ columns: [t.task, t.row_id] })],
)

/** A random key for each day (UTC); only the latest two are kept. Nobody can trace a digest whose key was deleted. */
export const submissionKeys = sqliteTable('submission_keys', {
  day: text().primaryKey(),
  /** Hexadecimal, 256 bits. */
  key: text().notNull(),
})

/** Visitors' remarks on events. Once an editor has dealt with a remark, it is deleted, along with its sender. */
export const remarks = sqliteTable(
  'remarks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The event that the remark is about, which may have been deleted. */
    event_id: integer().notNull(),
    text: text().notNull(),
    name: text().notNull().default(''),
    email: text().notNull().default(''),
    sender: text().notNull().default(''),
    /** The digest of the submitted form, so that sending it twice makes one remark only; null for programs. */
    form_digest: text(),
    created_utc: text().notNull(),
    /** The likelihood that the remark is spam, from 0 to 1. */
    likeness: real().notNull().default(0),
  },
  t => [uniqueIndex('remarks_form').on(t.form_digest), index('remarks_created').on(t.created_utc)],
)

/**
 * Data of visitors' submissions apart from the event itself. The sender knows the token of the submission's page; only
 * its digest is stored. `sender` is a keyed digest of the sender's network, which is cleared once the day's key is
 * gone; name and e-mail address are cleared 90 days after the decision.
 */
export const submissions = sqliteTable(
  'submissions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The event, or the first date of a series. It may have been deleted. */
    event_id: integer().notNull(),
    token_digest: text().notNull(),
    /** The digest of the submitted form, so that sending it twice makes one submission only; null for programs. */
    form_digest: text(),
    sender: text().notNull().default(''),
    name: text().notNull().default(''),
    email: text().notNull().default(''),
    /** The digest of the link by which the sender confirms the address; '' if there is no link, or it was used. */
    email_digest: text().notNull().default(''),
    is_confirmed: booleanColumn(),
    /** When the decision was sent to the confirmed address. */
    told_utc: text(),
    has_image: booleanColumn(),
    /** The digest that submissions of the same event have in common. */
    event_key: text().notNull(),
    created_utc: text().notNull(),
    /** When the decision was first noticed, or the submission withdrawn. */
    decided_utc: text(),
    is_withdrawn: booleanColumn(),
    /** The note of the editor who refused the submission. */
    note: text().notNull().default(''),
    /** The likelihood that the submission was spam when it was last sent, from 0 to 1. */
    likeness: real().notNull().default(0),
    /** True if an editor has marked it as spam. */
    is_spam: booleanColumn(),
    /** Unused since 2.0.0: a later migration may drop it, with its index. */
    is_learned: booleanColumn(),
    /** How it was sent: by e-mail, or else '' for forms and programs. */
    via: text({ enum: ['', 'email'] })
      .notNull()
      .default(''),
    /** The text of the e-mail that it was in, for 30 days at most, and no longer than the sender's address. */
    received: text().notNull().default(''),
  },
  t => [
    uniqueIndex('submissions_event').on(t.event_id),
    uniqueIndex('submissions_token').on(t.token_digest),
    uniqueIndex('submissions_form').on(t.form_digest),
    index('submissions_event_key').on(t.event_key),
    index('submissions_created').on(t.created_utc),
    index('submissions_sender').on(t.created_utc).where(sql`sender <> ''`),
    index('submissions_email').on(t.email).where(sql`email <> ''`),
    index('submissions_decided').on(t.decided_utc).where(sql`email <> ''`),
    index('submissions_undecided').on(t.id).where(sql`decided_utc IS NULL`),
    index('submissions_to_tell').on(t.id).where(sql`is_confirmed AND told_utc IS NULL`),
    index('submissions_to_learn').on(t.id).where(sql`decided_utc IS NOT NULL AND NOT is_learned`),
    index('submissions_received').on(t.created_utc).where(sql`received <> ''`),
    index('submissions_mails').on(t.created_utc).where(sql`via = 'email' AND form_digest IS NOT NULL`),
  ],
)

/** Unused since 2.0.0: a later migration may drop it. */
export const spamCounts = sqliteTable('spam_counts', {
  id: integer().primaryKey(),
  version: integer().notNull(),
  events: integer().notNull(),
  spam: integer().notNull(),
  counts: text().notNull(),
})

/** Resources whose lists others follow. */
export const FOLLOWED_KINDS = ['events', 'venues', 'organizers'] as const

/** The intervals at which sources are read; '' means only on request. */
export const SOURCE_INTERVALS = ['hour', '6 hours', 'day', 'week', ''] as const
export const SOURCE_KINDS = ['ical', 'site', 'jsonld'] as const
export const FILE_KINDS = ['csv', 'ical', 'html'] as const
export const SOURCE_STATES = ['new', 'ok', 'failing', 'asking', 'paused'] as const

/**
 * Other calendars that the cron reads on a schedule. `imports` has their records, under the source `source:{id}`.
 * `version` rises when users change settings, not when a run updates the row.
 */
export const sources = sqliteTable(
  'sources',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    name: text().notNull(),
    /** '' for an uploaded file. */
    url: text().notNull(),
    /** The name of an uploaded file, by which later uploads of it are recognised; '' for a calendar at an address. */
    file: text().notNull().default(''),
    /** JSON: the user's choices for reading the file (`FileReading` of calendar/sources/schema.ts). */
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
    /** The message's code, which pages translate; '' without a message, and in rows of 1.0.0. */
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
    /** Unused: a later migration may drop it. */
    held: text().notNull().default('[]'),
    /** The version of the Worker that began the last run. Another version may be able to read what this one could not. */
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
    is_ending: booleanColumn(),
    /** The run whose new events are being moved to the trash. */
    undoing: integer(),
    /** When the source last had its turn. */
    served_utc: text().notNull().default(''),
    /** The time until which a run may read the source, and a random text that identifies the run; '' if there is no run. */
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
    /** A JSON array of `{what, why, code}`; rows of 1.0.0 have no code. */
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
 * Records that current runs have read but not written yet (features/sources/schedule/staged-records.ts), and uploaded files
 * (features/sources/files.ts). They are deleted when the run ends.
 */
export const sourceDocuments = sqliteTable(
  'source_documents',
  {
    source_id: refersTo(() => sources.id),
    /**
     * The number of records before this row's; -1 for the row with the details of what was read, and from -2 down for
     * parts of a file.
     */
    place: integer().notNull(),
    /** JSON: records, or the details of what was read. For a file: its bytes in Base64. */
    content: text().notNull(),
  },
  t => [primaryKey({ columns: [t.source_id, t.place] })],
)

const IMPORT_KINDS = ['category', 'tag', 'venue', 'organizer', 'series', 'event'] as const

/**
 * Maps imported records to our rows, so that a second import updates them instead of creating them again. `source` is
 * the calendar, `external_id` an id or UID there, `target_id` the id of our row. `hash` is the imported record's hash,
 * `imported_version` our row's version after the import: a row with another version was edited here since. It is null
 * for a row that existed before the import and was linked to the record.
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
 * Pairs of events of different origin that are the same event, may be the same, or were declared to be different.
 * `first_id` is the lower id. `events.duplicate_of` tells which of the two lists show; a pair stays joined while that
 * event is in the trash. Databases and backups call the table `twins`.
 */
export const duplicatePairs = sqliteTable(
  'twins',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    first_id: refersTo(() => events.id),
    second_id: refersTo(() => events.id),
    state: text({ enum: DUPLICATE_STATES }).notNull(),
    /** 0 to 1. */
    likeness: real().notNull(),
    /**
     * The status that the hidden event had when a user who may edit both moved the shown event to the trash. The hidden
     * event then stays hidden, as if it were in the trash too. '' otherwise.
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
export const comparedEvents = sqliteTable('twins_place', {
  n: integer().notNull(),
  id: integer().notNull(),
  public_n: integer().notNull().default(0),
})

/**
 * Tables without a rowid: a new row counts as one row written, not two, since the key needs no index. Drizzle cannot
 * declare that, so `commands/migration.ts` adds it.
 */
export const WITHOUT_ROWID: readonly SQLiteTable[] = [
  eventVenues,
  eventOrganizers,
  eventTerms,
  seriesVenues,
  seriesOrganizers,
  seriesTerms,
  imports,
]
