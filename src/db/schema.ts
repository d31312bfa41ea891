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
import { ROLES } from '../lib/roles.ts'
import { EVENT_STATUSES, STATUSES, VIRTUAL_EVENT_TYPES } from '../lib/statuses.ts'
import { EVENT_IDS, searchKeySql, sharesTextSql, spanSql } from './derived.ts'

// Columns have the names of the API's fields. Dates are text, "YYYY-MM-DD HH:MM:SS": they sort as text and are sent as
// they are stored. Nothing cascades: rebuilding a table in a migration drops it first, and a cascade would then delete its
// children.

const flag = () => integer({ mode: 'boolean' }).notNull().default(false)
const refersTo = (column: () => AnySQLiteColumn) => integer().notNull().references(column)

export const TAXONOMIES = ['event_category', 'event_tag'] as const
export type Taxonomy = (typeof TAXONOMIES)[number]

export const ACTIONS = ['create', 'update', 'publish', 'trash', 'delete', 'merge', 'revoke'] as const
export const AUDITED_KINDS = [
  'event',
  'series',
  'venue',
  'organizer',
  'category',
  'tag',
  'user',
  'image',
  'webhook',
  'source',
] as const

/** The kinds of things that wait for review, and may be sent back with a note. */
export const REVIEWED_KINDS = ['event', 'series'] as const

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    login: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    created_utc: text().notNull(),
  },
  t => [uniqueIndex('users_login').on(sql`${t.login} COLLATE NOCASE`)],
)

/** Application passwords, of which only the SHA-256 digest is stored, in hexadecimal. */
export const passwords = sqliteTable(
  'passwords',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: refersTo(() => users.id),
    digest: text().notNull(),
    created_utc: text().notNull(),
    expires_utc: text(),
    last_used_utc: text(),
    /** What it is for, in the user's words; '' for those that commands made. */
    name: text().notNull().default(''),
  },
  t => [uniqueIndex('passwords_digest').on(t.digest), index('passwords_user').on(t.user_id)],
)

// Of what signs somebody in, only the SHA-256 digest is stored, in hexadecimal: links, recovery codes and cookies are random.

export const SIGN_IN_METHODS = ['passkey', 'password', 'link', 'code', 'setup'] as const

/** Those who are signed in to the editor: a row for each browser. */
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
    /** At most an hour behind. */
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

/** Codes that sign a user in once, each, when a passkey is lost. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    digest: text().primaryKey(),
    user_id: refersTo(() => users.id),
  },
  t => [index('recovery_codes_user').on(t.user_id)],
)

/** Credentials of WebAuthn. Ids and public keys are base64url, as browsers send them. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: refersTo(() => users.id),
    credential_id: text().notNull(),
    public_key: text().notNull(),
    /** The number of signatures, for authenticators that count. */
    counter: integer().notNull(),
    /** A JSON array of the ways to the authenticator, as it names them. */
    transports: text().notNull(),
    name: text().notNull(),
    created_utc: text().notNull(),
    last_used_utc: text(),
  },
  t => [uniqueIndex('passkeys_credential').on(t.credential_id), index('passkeys_user').on(t.user_id)],
)

/** Challenges of passkeys that were responded to, kept until they would expire: no response is taken twice. */
export const usedChallenges = sqliteTable(
  'used_challenges',
  {
    digest: text().primaryKey(),
    expires_utc: text().notNull(),
  },
  t => [index('used_challenges_expiry').on(t.expires_utc)],
)

/** Random keys of this database, 256 bits in hexadecimal, with which it knows again what it gave out. */
export const keys = sqliteTable('keys', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/**
 * The log of changes: user, time, object, names of fields and, for some time, their values. It has no foreign keys to users
 * and objects, because both may be deleted later. Changes by the command line, imports and the cron have no user.
 */
export const audit = sqliteTable(
  'audit',
  {
    // Entries are never deleted, so that no id comes twice even without a sequence, which would be a row more to write.
    id: integer().primaryKey(),
    at_utc: text().notNull(),
    user_id: integer(),
    request_id: text(),
    action: text({ enum: ACTIONS }).notNull(),
    kind: text({ enum: AUDITED_KINDS }).notNull(),
    object_id: integer().notNull(),
    /** A JSON array of names. */
    fields: text().notNull().default('[]'),
    /** A JSON object of `[before, after]` by field; null if nothing is known of them, or not any more. */
    changed: text(),
  },
  t => [
    index('audit_object').on(t.kind, t.object_id),
    // Events are most of it.
    index('audit_kind').on(t.kind).where(sql`kind <> 'event'`),
  ],
)

/** In one row: the entry of the audit up to which the values of changes have been deleted. */
export const auditState = sqliteTable('audit_state', {
  cleared_to: integer().notNull(),
})

/** Requests that undo changes which the editor has made, for an hour, by the entry of the audit. */
export const undoRequests = sqliteTable('undo_requests', {
  audit_id: integer().primaryKey(),
  at_utc: text().notNull(),
  /** A JSON object: what `POST /batch` takes as a request; 'null' if that would be too large. */
  request: text().notNull(),
})

/** Slugs and ids of venues, organizers and terms that were merged into others, whose addresses lead on to these. */
export const formerSlugs = sqliteTable(
  'former_slugs',
  {
    kind: text({ enum: ['venue', 'organizer', 'category', 'tag'] }).notNull(),
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
 * What editors wrote to the authors of what they sent back from review, one note for each thing. Triggers delete it when
 * the thing is published or deleted. `user_id` is the editor's, who may be deleted later.
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
 * Images: those that content names by their address, and uploaded ones, whose `url` is the path `/media/{file}`. Only
 * uploaded ones have an author, a type, a size in bytes and a date. `search_text` is the folded text of the others.
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
    /** Empty for images without a name, which are known by their id. @see slugOf of resources/media/queries.ts */
    slug: text().notNull().default(''),
    title: text().notNull().default(''),
    alt_text: text().notNull().default(''),
    caption: text().notNull().default(''),
    search_text: text().notNull().default(''),
    mime_type: text().notNull().default(''),
    filesize: integer(),
    /** True if the bucket has its smaller sizes. Uploads of earlier versions lack them. */
    has_sizes: flag(),
    /** The uploaded copy of an image that is elsewhere: imports use it instead. */
    copied_id: integer(),
  },
  t => [
    uniqueIndex('images_url').on(t.url),
    uniqueIndex('images_slug').on(t.slug).where(sql`slug <> ''`),
    index('images_author').on(t.author_id),
  ],
)

/** Users who uploaded the same image, and may use it: the author and others. */
export const imageUploaders = sqliteTable(
  'image_uploaders',
  {
    image_id: refersTo(() => images.id),
    user_id: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.image_id, t.user_id] })],
)

/** Uploaded images that nothing has used since some time, as the cron found them. */
export const unusedImages = sqliteTable('unused_images', {
  image_id: integer()
    .primaryKey()
    .references(() => images.id),
  since_utc: text().notNull(),
})

/**
 * Names of files that are being deleted from the bucket, or were not long ago (`is_done`). No row of `images` has one of
 * these: else an upload of the same image could lose its file to a deletion that began before it.
 */
export const imageRemovals = sqliteTable('image_removals', {
  file: text().primaryKey(),
  at_utc: text().notNull(),
  is_done: flag(),
})

/**
 * Columns that events, venues and organizers have in common.
 * `version` rises by one with every update. A trigger refuses any other step, so that a batch that was computed from an
 * older version fails as a whole. The folded text for search is in the full-text tables `events_search`, `venues_search`
 * and `organizers_search`.
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
  /** The id that a client gave, '' for none. It stays with what is in the trash. */
  external_id: text().notNull().default(''),
})

/** Columns that events and series have in common. Every occurrence of a series has them as well, as its own. */
const event = () => ({
  ...content(),
  title: text().notNull(),
  excerpt: text().notNull().default(''),
  all_day: flag(),
  /** Of a series: the start and end of the first occurrence, by its rule. */
  start_date: text().notNull(),
  end_date: text().notNull(),
  timezone: text().notNull(),
  cost: text().notNull().default(''),
  /** Null in rows of earlier versions, which means the same as ''. */
  website: text(),
  show_map: flag(),
  show_map_link: flag(),
  hide_from_listings: flag(),
  sticky: flag(),
  featured: flag(),
  ticketed: flag(),
  post_parent: integer().references((): AnySQLiteColumn => events.id),
  event_status: text({ enum: EVENT_STATUSES }).notNull().default('scheduled'),
  event_status_reason: text().notNull().default(''),
  is_virtual: flag(),
  virtual_event_type: text({ enum: VIRTUAL_EVENT_TYPES }).notNull().default(''),
  virtual_url: text().notNull().default(''),
  virtual_video_source: text().notNull().default(''),
  /** A JSON object of `{label, value}` by key. */
  custom_fields: text().notNull().default('{}'),
  /**
   * The UID in calendars of subscribers, which never changes: the external id that it was made with, if nothing else had it as
   * its UID, or the UID that it had before it was repeated. One that ends with `@` is completed by the host, and never an
   * external id; '' stands for `event-{id}@`, or `series-{id}@`. One with a blank at its end is that of something else here, but
   * for its host: it counts if that is another one.
   */
  uid: text().notNull().default(''),
  /** Added to `version`, this is the SEQUENCE in calendars of subscribers, which never decreases. */
  sequence: integer().notNull().default(0),
})

/**
 * Events that repeat: their rule, and the fields that all occurrences share. Occurrences are rows of `events`, which hold
 * copies of these fields, but for `description` and `excerpt`: those of an occurrence are empty while they are the series'.
 * `slug` is the part of the occurrences' slugs before the date. `external_id` is that of the first occurrence.
 */
export const series = sqliteTable(
  'series',
  {
    ...event(),
    /** RFC 5545, without DTSTART; '' for a series of named dates only. */
    rrule: text().notNull().default(''),
    /** JSON arrays of further starts, and of starts left out, in the series' zone. */
    rdate: text().notNull().default('[]'),
    exdate: text().notNull().default('[]'),
    /** The start, UTC, from which on occurrences may still have to be made; null if there are no more. */
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
    /** The start by the series' rule, in the series' zone, even if this occurrence was moved; null for single events. */
    occurrence_date: text(),
    /** A JSON array of the names of fields that changes of the series leave alone. */
    detached: text().notNull().default('[]'),
    /** The event that lists show in its place, since both are the same; null for all others. @see twins */
    duplicate_of: integer().references((): AnySQLiteColumn => events.id),
    /** True if lists show the event to everybody. False for scheduled events until the cron has published them. */
    listed: integer({ mode: 'boolean' }).generatedAlwaysAs(
      sql`status = 'publish' AND hide_from_listings = 0 AND duplicate_of IS NULL`,
    ),
    /** The class by length: 0 up to a day, or one of `SPANS` of db/derived.ts. */
    span: integer().generatedAlwaysAs(sql.raw(spanSql)),
    /** The rowid in `events_search`, in the order of start, then id. */
    search_key: integer().generatedAlwaysAs(sql.raw(searchKeySql('utc_start_date', 'id'))),
    /** True if the event is found by the text of its series, in `series_search`, and has none in `events_search`. */
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
    show_map: flag().default(true),
    show_map_link: flag().default(true),
    geo_lat: real(),
    geo_lng: real(),
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
 * Categories and tags. `name_key` is the name in lower case: names that differ only in case mean one term. `path` holds
 * the slugs from the root down, joined by slashes; `count` is the number of published events with the term. One that was
 * made by naming it on an event is not `standalone`: it shows to those only who may read such an event.
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
    count: integer().notNull().default(0),
    standalone: flag().default(true),
  },
  t => [
    uniqueIndex('terms_slug').on(t.taxonomy, t.slug),
    index('terms_name').on(t.taxonomy, t.name_key),
    index('terms_parent').on(t.taxonomy, t.parent),
    index('terms_order').on(t.taxonomy, t.sort_name, t.id),
  ],
)

/** Links of events in their order. The view `events_of` leads from a target to its events. */
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

/**
 * Tables without a rowid: a row is one row written, and not another one for the index of its key. Drizzle has no word for
 * that; `cli/migration.ts` knows it.
 */
export const WITHOUT_ROWID: readonly SQLiteTable[] = [eventVenues, eventOrganizers, eventTerms]

/** Links of series in their order. */
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
 * Requests that came with an `Idempotency-Key`, with their responses, for a day. The row is inserted in the transaction of the
 * request's first write, so that there is no write without it, and none of it without a write; the response comes after. A
 * response without a write is a row of its own. `request` is the digest of address and body, `audit_id` that of the latest
 * entry before it, and `total` the running sum of bytes that the user's rows take.
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
    /** Null if the response is too long to be kept. */
    body: text(),
  },
  t => [
    primaryKey({ columns: [t.user_id, t.key] }),
    index('idempotency_keys_total').on(t.user_id, t.total),
    index('idempotency_keys_time').on(t.at_utc),
  ],
)

/**
 * Rows of other tables that the cron could not change, by the name of the task and their `rowid`, and until when it leaves them
 * alone, so that they are not in the way of others (http/due-rows.ts).
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

/** Random keys by day (UTC), of which only the latest two are kept. What was made with one that is gone leads back to nobody. */
export const submissionKeys = sqliteTable('submission_keys', {
  day: text().primaryKey(),
  /** Hexadecimal, 256 bits. */
  key: text().notNull(),
})

/**
 * What visitors have sent in, beside the event that was made of it. Whoever sent it knows the token of its page, of which the
 * digest is here. `sender` is a keyed digest of the network that it came from, and empty once the day's key is gone; name and
 * address are emptied 90 days after the decision.
 */
export const submissions = sqliteTable(
  'submissions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The event, or the first date of a series. It may have been deleted. */
    event_id: integer().notNull(),
    token_digest: text().notNull(),
    /** The digest of the form by which it came, so that one form makes one submission; null for programs. */
    form_digest: text(),
    sender: text().notNull().default(''),
    name: text().notNull().default(''),
    email: text().notNull().default(''),
    has_image: flag(),
    /** The digest by which the same event is known. */
    event_key: text().notNull(),
    /** Not used any more, and dropped when the migrations become one. */
    text_key: text().notNull().default(''),
    created_utc: text().notNull(),
    /** When it was first seen to be decided, or was withdrawn. */
    decided_utc: text(),
    is_withdrawn: flag(),
    /** What the editor who refused it wrote. */
    note: text().notNull().default(''),
    /** How likely it was spam when it was last sent, from 0 to 1. */
    likeness: real().notNull().default(0),
    /** True if an editor has called it spam. */
    is_spam: flag(),
    /** True if the decision has taught the classifier. */
    is_learned: flag(),
  },
  t => [
    uniqueIndex('submissions_event').on(t.event_id),
    uniqueIndex('submissions_token').on(t.token_digest),
    uniqueIndex('submissions_form').on(t.form_digest),
    index('submissions_event_key').on(t.event_key),
    index('submissions_text_key').on(t.text_key).where(sql`text_key <> ''`),
    index('submissions_created').on(t.created_utc),
    index('submissions_sender').on(t.created_utc).where(sql`sender <> ''`),
    index('submissions_email').on(t.email).where(sql`email <> ''`),
    index('submissions_decided').on(t.decided_utc).where(sql`email <> ''`),
    index('submissions_undecided').on(t.id).where(sql`decided_utc IS NULL`),
    index('submissions_to_learn').on(t.id).where(sql`decided_utc IS NOT NULL AND NOT is_learned`),
  ],
)

/** In one row: how many submitted texts of each kind have which feature. @see resources/submissions/spam.ts */
export const spamCounts = sqliteTable('spam_counts', {
  id: integer().primaryKey(),
  version: integer().notNull(),
  /** The numbers of texts that were no spam, and that were. */
  events: integer().notNull(),
  spam: integer().notNull(),
  /** A character a count. */
  counts: text().notNull(),
})

export const WEBHOOK_KINDS = ['events', 'venues', 'organizers'] as const

/** Reasons for which the service itself has switched a webhook off. */
export const WEBHOOK_STOPS = ['', 'gone', 'failing'] as const

/**
 * Addresses elsewhere that are told of changes. Secrets are stored as they are, for messages are signed with them. `version`
 * rises with changes of what users set, not with what sending writes.
 */
export const webhooks = sqliteTable('webhooks', {
  id: integer().primaryKey({ autoIncrement: true }),
  version: integer().notNull().default(1),
  url: text().notNull(),
  /** A JSON array of the types of messages that it is sent. */
  events: text().notNull(),
  /** A JSON object of parameters of lists, as they were given. */
  filters: text().notNull(),
  active: flag().default(true),
  secret: text().notNull(),
  /** The secret before, with which messages are signed as well until then; '' for none. Writes name all times. */
  old_secret: text().notNull().default(''),
  old_secret_until_utc: text().notNull().default(''),
  /** The start of addresses in messages: that by which it was set up. */
  api: text().notNull(),
  created_utc: text().notNull(),
  /** The last entry of the audit when it was set up: what has changed before is not told. */
  audit_id: integer().notNull(),
  stopped: text({ enum: WEBHOOK_STOPS }).notNull().default(''),
  /** The time of the first failure after the last success; null if the last message was taken. */
  failing_since_utc: text(),
  /** The time at which it was last its turn; that of its making before the first. */
  served_utc: text().notNull().default(''),
  /** The time until which a run may send to it, and a random text that names the run; '' for none. */
  lease: text().notNull().default(''),
})

/** The last change that a webhook has come to in the table `changes`, for each kind of resource that it is told of. */
export const webhookPlaces = sqliteTable(
  'webhook_places',
  {
    webhook_id: refersTo(() => webhooks.id),
    kind: text({ enum: WEBHOOK_KINDS }).notNull(),
    n: integer().notNull(),
    /** One write gives many changes one number. */
    id: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.webhook_id, t.kind] })],
)

/**
 * What a webhook was told of a resource: whether that is in its list, public, cancelled, and by which change. What the resource
 * is now, compared with this, gives the messages that are to be sent. Where the last message failed, the row waits: its `tries`
 * are not 0, and newer changes of the resource wait with it.
 */
export const webhookResources = sqliteTable(
  'webhook_resources',
  {
    webhook_id: refersTo(() => webhooks.id),
    kind: text({ enum: WEBHOOK_KINDS }).notNull(),
    id: integer().notNull(),
    is_listed: flag(),
    is_public: flag(),
    is_canceled: flag(),
    n: integer().notNull().default(0),
    /** The last entry of the audit whose fields were told. */
    audit_id: integer().notNull().default(0),
    tries: integer().notNull().default(0),
    /** Null if nothing waits, or there were so many tries that there is no other one. */
    next_try_utc: text(),
  },
  t => [
    primaryKey({ columns: [t.webhook_id, t.kind, t.id] }),
    index('webhook_resources_waiting').on(t.webhook_id, t.next_try_utc).where(sql`next_try_utc IS NOT NULL`),
  ],
)

export const DELIVERY_STATES = ['delivered', 'waiting', 'failed', 'replaced'] as const

/** Messages to webhooks, for some time, each with the outcome of its last try. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    webhook_id: refersTo(() => webhooks.id),
    message_id: text().notNull(),
    type: text().notNull(),
    /** The resource that it is about; 0 for tests. */
    object_id: integer().notNull(),
    /** JSON, as it was sent. */
    body: text().notNull(),
    state: text({ enum: DELIVERY_STATES }).notNull(),
    tries: integer().notNull(),
    /** The time of the last try. */
    at_utc: text().notNull(),
    next_try_utc: text(),
    /** The status of the response; null if there was none. */
    status: integer(),
    /** The first 1,000 characters of the response. */
    response: text().notNull(),
    /** Why there was no response; '' if there was one. @see Reason of resources/webhooks/send.ts */
    message: text().notNull(),
  },
  t => [
    uniqueIndex('webhook_deliveries_message').on(t.webhook_id, t.message_id),
    index('webhook_deliveries_webhook').on(t.webhook_id),
    index('webhook_deliveries_waiting').on(t.webhook_id, t.object_id).where(sql`state = 'waiting'`),
  ],
)

/** How often a source is read; '' for by hand. */
export const SOURCE_INTERVALS = ['hour', '6 hours', 'day', 'week', ''] as const
export const SOURCE_KINDS = ['ical', 'site', 'jsonld'] as const
export const SOURCE_STATES = ['new', 'ok', 'failing', 'asking', 'paused'] as const

/**
 * Calendars elsewhere that are read on a schedule. What came of them is in `imports`, by the source `source:{id}`. `version`
 * rises with changes of what users set, not with what reading writes.
 */
export const sources = sqliteTable(
  'sources',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    name: text().notNull(),
    url: text().notNull(),
    /** '' until it is known. */
    kind: text({ enum: ['', ...SOURCE_KINDS] }).notNull(),
    every: text({ enum: SOURCE_INTERVALS }).notNull(),
    /** What new events get. Categories and tags are JSON arrays of ids. */
    status: text({ enum: ['publish', 'pending', 'draft'] }).notNull(),
    categories: text().notNull().default('[]'),
    tags: text().notNull().default('[]'),
    organizer: integer(),
    venue: integer(),
    search: text().notNull().default(''),
    mirror: flag(),
    rights_text: text().notNull().default(''),
    rights_url: text().notNull().default(''),
    /** The owner, with whose rights it writes, and who may have been deleted. */
    author_id: integer().notNull(),
    created_utc: text().notNull(),
    state: text({ enum: SOURCE_STATES }).notNull().default('new'),
    message: text().notNull().default(''),
    last_run_utc: text(),
    /** Null if nothing is due. */
    next_run_utc: text(),
    /** Failures since the last success. */
    failures: integer().notNull().default(0),
    /** What the document said of itself that was read last to its end, or is being read. */
    etag: text().notNull().default(''),
    last_modified: text().notNull().default(''),
    /** Content that was edited here, so that what it said of that was left out: a JSON array of kinds and ids. */
    held: text().notNull().default('[]'),
    /** The version of the Worker that began the last run: another one may read what this one could not. */
    build: text().notNull().default(''),
    /** The number of records that the run under way has done. */
    place: integer().notNull().default(0),
    /** The number of records after these among which the database refuses one; 0 if it refuses none, as far as is known. */
    refused_within: integer().notNull().default(0),
    /** The number of records that the database has refused in the run under way. */
    refused: integer().notNull().default(0),
    /** The number of runs in a row of which the database has refused something. */
    refused_runs: integer().notNull().default(0),
    /** The number of events that the source had when it was last read to its end. */
    events: integer().notNull().default(0),
    /** True if it is deleted, and its events are on their way to the trash. */
    is_ending: flag(),
    /** The time at which it was last its turn. */
    served_utc: text().notNull().default(''),
    /** The time until which a run may read it, and a random text that names the run; '' for none. */
    lease: text().notNull().default(''),
  },
  t => [index('sources_due').on(t.next_run_utc).where(sql`next_run_utc IS NOT NULL`)],
)

/** The runs of sources, the newest of each for some time. */
export const sourceRuns = sqliteTable(
  'source_runs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    source_id: refersTo(() => sources.id),
    started_utc: text().notNull(),
    /** Null while it is under way. */
    ended_utc: text(),
    state: text({ enum: ['running', 'done', 'failed'] }).notNull(),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    trashed: integer().notNull().default(0),
    joined: integer().notNull().default(0),
    asked: integer().notNull().default(0),
    /** A JSON array of `{what, why}`. */
    skipped: text().notNull().default('[]'),
    message: text().notNull().default(''),
  },
  t => [index('source_runs_source').on(t.source_id)],
)

/** What is known of the pages of a source that consists of some: one row each, of bounded size. */
export const sourcePages = sqliteTable('source_pages', {
  source_id: integer()
    .primaryKey()
    .references(() => sources.id),
  /** JSON: what each page said of itself when it was read, and its events. */
  pages: text().notNull(),
  /** JSON: how far the run under way has come; '' if none is. */
  crawl: text().notNull(),
})

export const IMPORT_KINDS = ['category', 'tag', 'venue', 'organizer', 'series', 'event'] as const

/**
 * Mappings of imported records to our rows, so that a second import updates them instead of creating them again. `source`
 * is the calendar, `external_id` an id or UID there, `target_id` the id of our row. `hash` is that of the imported record,
 * `imported_version` the version of our row that the import left: a row with another version was edited here since. It is
 * null for a row that was here before the import and was adopted.
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

export const TWIN_STATES = ['asked', 'joined', 'different'] as const

/**
 * Pairs of events of different origin that are the same, may be, or were said not to be. `first_id` is the lower id. Which of
 * them lists show is in `events.duplicate_of`; a pair stays joined, as far as anybody knows, while that is in the trash.
 */
export const twins = sqliteTable(
  'twins',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    first_id: refersTo(() => events.id),
    second_id: refersTo(() => events.id),
    state: text({ enum: TWIN_STATES }).notNull(),
    /** 0 to 1. */
    likeness: real().notNull(),
    /** Not used any more, and dropped when the migrations become one. */
    filled: text().notNull().default('{}'),
    /**
     * The status of the hidden one when somebody who may do that to both moved the one that is shown to the trash: it stays
     * hidden, as if it was there. '' otherwise.
     */
    trashed_from: text().notNull().default(''),
    /** Who said so; null if it was found to be so. */
    user_id: integer(),
    at_utc: text().notNull(),
  },
  t => [
    uniqueIndex('twins_pair').on(t.first_id, t.second_id),
    index('twins_second').on(t.second_id),
    index('twins_state').on(t.state, t.at_utc, t.id),
  ],
)

/** In one row: the change of events up to which twins have been looked for. @see webhookPlaces */
export const twinsPlace = sqliteTable('twins_place', {
  n: integer().notNull(),
  id: integer().notNull(),
})
