import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import {
  EVENT_STATUSES,
  STATUSES,
  TICKET_AVAILABILITIES,
  VIRTUAL_EVENT_TYPES,
  WHEELCHAIR_ACCESS,
} from '../../lib/statuses.ts'
import {
  EVENT_ID_LIMIT,
  freeSql,
  movedSql,
  searchKeyOf,
  sharesTextSql,
  spanExpression,
} from '../event-expressions.ts'
import { booleanColumn, refersTo, utcColumn, wallColumn } from './column-types.ts'
import { users } from './people.ts'

/** Accessibility columns that events and venues share. */
const accessColumns = () => ({
  wheelchair: text({ enum: WHEELCHAIR_ACCESS }).notNull().default(''),
  accessibility: text().notNull().default(''),
})

export const TAXONOMIES = ['event_category', 'event_tag'] as const
export type Taxonomy = (typeof TAXONOMIES)[number]

/** Settings that administrators have changed. They override the vars of `wrangler.toml`. One row, or none. */
export const settings = sqliteTable('settings', {
  id: integer().primaryKey(),
  version: integer().notNull().default(1),
  /** A JSON object: the text of each var, by its name. */
  vars: text().notNull(),
  /** The logo. */
  logo_id: integer().references((): AnySQLiteColumn => images.id),
  /** The image above the lists of events. */
  header_image_id: integer().references((): AnySQLiteColumn => images.id),
  /** Texts of pages, as HTML. Requests read the other settings without them. */
  imprint_text: text().notNull().default(''),
  privacy_text: text().notNull().default(''),
})

/**
 * Links that show an event to people without an account before it is public. An event has one link at a time.
 */
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

/**
 * External images, which content names by their address, and uploaded images, whose `url` is the path
 * `/media/{file}`. Only uploads have an author, a type, a size in bytes and a date. `search_text` has the
 * folded title, alternative text and so on.
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
    date_utc: utcColumn(),
    /**
     * Empty for images without a name, which are identified by their id.
     * @see slugOf of calendar/media/queries.ts
     */
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
 * Names of files that are being deleted from the bucket, or were deleted recently (`is_done`). No row of
 * `images` may have such a name: a deletion that began earlier could delete the file of a new upload of the
 * same image.
 */
export const imageRemovals = sqliteTable('image_removals', {
  file: text().primaryKey(),
  at_utc: text().notNull(),
  is_done: booleanColumn(),
})

/**
 * Columns that events, venues and organizers have in common. `version` rises by one with every update. A
 * trigger refuses any other step, so that a batch computed from an older version fails as a whole. The folded
 * text for search is in the full-text tables `events_search`, `venues_search` and `organizers_search`.
 */
const contentColumns = () => ({
  id: integer().primaryKey({ autoIncrement: true }),
  version: integer().notNull().default(1),
  author_id: refersTo(() => users.id),
  status: text({ enum: STATUSES }).notNull(),
  slug: text().notNull(),
  date: wallColumn().notNull(),
  date_utc: utcColumn().notNull(),
  modified: wallColumn().notNull(),
  modified_utc: utcColumn().notNull(),
  description: text().notNull().default(''),
  image_id: integer().references(() => images.id),
  /** The id that the client chose; '' for none. Content in the trash keeps it. */
  external_id: text().notNull().default(''),
})

/** Columns that events and series share. Every occurrence of a series has its own values. */
const eventAndSeriesColumns = () => ({
  ...contentColumns(),
  title: text().notNull(),
  excerpt: text().notNull().default(''),
  all_day: booleanColumn(),
  /** In a series: the start and end of the first occurrence, according to its rule. */
  start_date: wallColumn().notNull(),
  end_date: wallColumn().notNull(),
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
   * The id of the user who confirmed that the row belongs to its parent, so that the public sees it there:
   * the user who set `post_parent` while allowed to edit the parent, or an editor who confirmed it later.
   * Null until somebody has vouched. The user may be deleted by now.
   */
  parent_confirmed_by: integer(),
  event_status: text({ enum: EVENT_STATUSES }).notNull().default('scheduled'),
  event_status_reason: text().notNull().default(''),
  is_virtual: booleanColumn(),
  virtual_event_type: text({ enum: VIRTUAL_EVENT_TYPES }).notNull().default(''),
  virtual_url: text().notNull().default(''),
  virtual_video_source: text().notNull().default(''),
  ticket_availability: text({ enum: TICKET_AVAILABILITIES }).notNull().default(''),
  ...accessColumns(),
  /** Where in the venue: a hall, a stage. */
  room: text().notNull().default(''),
  /** A JSON object of `{label, value}` by key. */
  custom_fields: text().notNull().default('{}'),
  /**
   * The UID in subscribers' calendars, which never changes. It is the external id that the row was created
   * with, unless another row already had that UID; a series made from an event keeps the event's UID. A UID
   * that ends with `@` gets the host appended, and is never an external id; '' stands for `event-{id}@` or
   * `series-{id}@`. A space at the end marks an external id that looks like another row's own UID; it is the
   * UID only if its host is not this calendar's host.
   */
  uid: text().notNull().default(''),
  /** The SEQUENCE in subscribers' calendars is `version` plus this number, and never decreases. */
  sequence_offset: integer().notNull().default(0),
})

/**
 * The series that a series or a single event was a part of, until a change of “this and following” dates or
 * the end of its recurrence divided it; the first one if there were several. Whoever has subscribed to one of
 * the parts gets all of them. It has no reference, because the series may be deleted.
 */
const formerSeries = () => integer()

/**
 * Repeating events: their rule, and the fields that all occurrences share. Occurrences are rows of `events`
 * with copies of these fields, except for `description` and `excerpt`, which are empty in an occurrence while
 * it shows the series' texts. `slug` is the part of the occurrences' slugs before the date. `external_id` is
 * the first occurrence's.
 */
export const series = sqliteTable(
  'series',
  {
    ...eventAndSeriesColumns(),
    /** The rule (RFC 5545) without DTSTART; '' for a series whose dates are all listed by name. */
    rrule: text().notNull().default(''),
    /** JSON arrays of additional starts, and of excluded starts, in the series' zone. */
    rdate: text().notNull().default('[]'),
    exdate: text().notNull().default('[]'),
    /** Occurrences from this start (UTC) on may still have to be created; null if none are left. */
    extend_from: utcColumn(),
    former_series_id: formerSeries(),
  },
  t => [
    index('series_former').on(t.former_series_id).where(sql`former_series_id IS NOT NULL`),
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
    ...eventAndSeriesColumns(),
    utc_start_date: utcColumn().notNull(),
    utc_end_date: utcColumn().notNull(),
    timezone_abbr: text().notNull(),
    series_id: integer().references((): AnySQLiteColumn => series.id),
    /**
     * The start according to the series' rule, in the series' zone, even if the occurrence was moved; null
     * for single events.
     */
    occurrence_date: wallColumn(),
    /**
     * The start before its last change, UTC; '' if it never changed. For a moved date of a series, the start
     * before the first change to that date alone.
     * @see previousStart of kit/lib/statuses.ts
     */
    previous_utc_start_date: utcColumn().notNull().default(''),
    /** A JSON array of fields that changes to the series leave alone. */
    detached: text().notNull().default('[]'),
    former_series_id: formerSeries(),
    /**
     * The event that lists show instead, because this one is its duplicate; null for all others.
     * @see twins
     */
    duplicate_of: integer().references((): AnySQLiteColumn => events.id),
    /** True if public lists show the event. False for scheduled events until the cron has published them. */
    listed: integer({ mode: 'boolean' }).generatedAlwaysAs(
      sql`status = 'publish' AND hide_from_listings = 0 AND duplicate_of IS NULL`,
    ),
    /** True if the event's cost says that it is free. */
    is_free: integer({ mode: 'boolean' }).generatedAlwaysAs(sql.raw(freeSql)),
    /** The event's length as a class: 0 up to a day, or one of `SPANS` of kit/db/event-expressions.ts. */
    span: integer().generatedAlwaysAs(sql.raw(spanExpression)),
    /** The rowid in `events_search`, which sorts by start, then by id. */
    search_key: integer().generatedAlwaysAs(sql.raw(searchKeyOf('utc_start_date', 'id'))),
    /**
     * True if searches find the event by its series' text in `series_search`; it then has no text in
     * `events_search`.
     */
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
    // What waits for review: the dates of a series lie together, so that one look takes all of them.
    index('events_waiting')
      .on(t.series_id, t.modified_utc, t.id)
      .where(sql`status = 'pending' AND duplicate_of IS NULL`),
    index('events_hidden').on(t.id).where(sql`hide_from_listings = 1`),
    index('events_trashed').on(t.modified_utc, t.id).where(sql`status = 'trash'`),
    index('events_uid').on(t.uid).where(sql`uid <> ''`),
    index('events_parent').on(t.post_parent).where(sql`post_parent IS NOT NULL`),
    index('events_programme')
      .on(t.post_parent, t.utc_start_date, t.id)
      .where(sql`parent_confirmed_by IS NOT NULL`),
    index('events_moved').on(t.series_id, t.utc_start_date, t.id).where(sql.raw(movedSql)),
    index('events_former_series').on(t.former_series_id).where(sql`former_series_id IS NOT NULL`),
    index('events_duplicates').on(t.duplicate_of).where(sql`duplicate_of IS NOT NULL`),
    index('events_featured').on(t.utc_start_date, t.id).where(sql`listed AND featured = 1`),
    index('events_free').on(t.utc_start_date, t.id).where(sql`listed AND is_free = 1`),
    index('events_accessible').on(t.utc_start_date, t.id).where(sql`listed AND wheelchair = 'yes'`),
    index('events_long').on(t.span, t.utc_start_date, t.utc_end_date, t.id).where(sql`listed AND span > 0`),
    check('events_id', sql`${t.id} < ${sql.raw(String(EVENT_ID_LIMIT))}`),
    check('events_order', sql`${t.utc_end_date} >= ${t.utc_start_date}`),
  ],
)

export const venues = sqliteTable(
  'venues',
  {
    ...contentColumns(),
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
    ...accessColumns(),
  },
  t => [
    uniqueIndex('venues_slug').on(t.slug),
    uniqueIndex('venues_external_id').on(t.external_id).where(sql`external_id <> ''`),
    index('venues_name').on(t.name),
    index('venues_date').on(t.date_utc, t.id),
    index('venues_author').on(t.author_id),
    index('venues_image').on(t.image_id).where(sql`image_id IS NOT NULL`),
    index('venues_accessible').on(t.id).where(sql`status = 'publish' AND wheelchair = 'yes'`),
    index('venues_scheduled').on(t.date_utc).where(sql`status = 'future'`),
    index('venues_latitude')
      .on(t.geo_lat, t.geo_lng, t.status, t.date_utc, t.author_id)
      .where(sql`geo_lat IS NOT NULL`),
  ],
)

export const organizers = sqliteTable(
  'organizers',
  {
    ...contentColumns(),
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
 * Categories and tags. `name_key` is the name in lower case: names that differ only in case mean the same
 * term. `path` is the slugs from the root down, joined by slashes; `count` is the number of published events
 * with the term. A term that was created by naming it on an event is not `standalone`: only callers who may
 * read an event with it see the term.
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
     * The numbers of the term's latest change, and of the latest change that anonymous callers could see.
     * @see changes of kit/db/derived.ts
     */
    change_number: integer().notNull().default(0),
    public_change_number: integer(),
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

/** Resources whose lists others follow. */
export const FOLLOWED_KINDS = ['events', 'venues', 'organizers'] as const
