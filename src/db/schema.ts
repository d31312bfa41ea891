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
import { ROLES } from '../lib/roles.ts'
import { STATUSES } from '../lib/statuses.ts'
import { EVENT_IDS, searchKeySql, spanSql } from './event-keys.ts'

// Columns carry the names that the API uses for the same thing, so that a row reads like its answer.
// Dates are text, "YYYY-MM-DD HH:MM:SS": they sort as text and leave the database as they are answered.
// Nothing cascades: rebuilding a table in a migration drops it first, and a cascade would then empty its children.

const flag = () => integer({ mode: 'boolean' }).notNull().default(false)

export const TAXONOMIES = ['event_category', 'event_tag'] as const
export type Taxonomy = (typeof TAXONOMIES)[number]

export const ACTIONS = ['create', 'update', 'publish', 'trash', 'delete', 'revoke'] as const
export const AUDITED_KINDS = ['event', 'venue', 'organizer', 'category', 'tag', 'user'] as const

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

/** Application passwords, of which only the SHA-256 digest is kept, in hexadecimal. */
export const passwords = sqliteTable(
  'passwords',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    digest: text().notNull(),
    created_utc: text().notNull(),
    expires_utc: text(),
    last_used_utc: text(),
  },
  t => [uniqueIndex('passwords_digest').on(t.digest), index('passwords_user').on(t.user_id)],
)

/**
 * Who changed what and when: names of fields, never their contents. Neither users nor objects are referenced,
 * for both may be gone when somebody asks; no user means the command line or the clock.
 */
export const audit = sqliteTable('audit', {
  id: integer().primaryKey({ autoIncrement: true }),
  at_utc: text().notNull(),
  user_id: integer(),
  request_id: text(),
  action: text({ enum: ACTIONS }).notNull(),
  kind: text({ enum: AUDITED_KINDS }).notNull(),
  object_id: integer().notNull(),
  /** A JSON list. */
  fields: text().notNull().default('[]'),
})

export const images = sqliteTable(
  'images',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    url: text().notNull(),
    width: integer(),
    height: integer(),
  },
  t => [uniqueIndex('images_url').on(t.url)],
)

/**
 * Columns that events, venues and organizers have in common.
 * `version` rises by one with every update; a trigger refuses any other step, which makes a batch that
 * was computed from an older version fail as a whole. Folded text to search stands in the full-text tables
 * `events_search`, `venues_search` and `organizers_search`, by the same ids.
 */
const content = () => ({
  id: integer().primaryKey({ autoIncrement: true }),
  version: integer().notNull().default(1),
  author_id: integer()
    .notNull()
    .references(() => users.id),
  status: text({ enum: STATUSES }).notNull(),
  slug: text().notNull(),
  date: text().notNull(),
  date_utc: text().notNull(),
  modified: text().notNull(),
  modified_utc: text().notNull(),
  description: text().notNull().default(''),
  image_id: integer().references(() => images.id),
})

export const events = sqliteTable(
  'events',
  {
    ...content(),
    title: text().notNull(),
    excerpt: text().notNull().default(''),
    all_day: flag(),
    start_date: text().notNull(),
    end_date: text().notNull(),
    utc_start_date: text().notNull(),
    utc_end_date: text().notNull(),
    timezone: text().notNull(),
    timezone_abbr: text().notNull(),
    cost: text().notNull().default(''),
    /** Null in rows of earlier versions; the same as an empty text. */
    website: text(),
    show_map: flag(),
    show_map_link: flag(),
    hide_from_listings: flag(),
    sticky: flag(),
    featured: flag(),
    ticketed: flag(),
    post_parent: integer().references((): AnySQLiteColumn => events.id),
    /** Shown by lists to everybody. Scheduled events are not yet, though their date may have come a moment ago. */
    listed: integer({ mode: 'boolean' }).generatedAlwaysAs(
      sql`status = 'publish' AND hide_from_listings = 0`,
    ),
    /** By how many UTC dates it ends later than it starts: 0, or the next longer span of db/keys.ts. */
    span: integer().generatedAlwaysAs(sql.raw(spanSql)),
    /** Its row in `events_search`: ordered by start, then id. */
    search_key: integer().generatedAlwaysAs(sql.raw(searchKeySql('utc_start_date', 'id'))),
  },
  t => [
    uniqueIndex('events_slug').on(t.slug),
    index('events_start').on(t.utc_start_date, t.id),
    index('events_author').on(t.author_id),
    index('events_image').on(t.image_id),
    index('events_scheduled').on(t.date_utc).where(sql`status = 'future'`),
    index('events_unpublished').on(t.status, t.utc_start_date, t.id).where(sql`status <> 'publish'`),
    index('events_hidden').on(t.id).where(sql`hide_from_listings = 1`),
    index('events_parent').on(t.post_parent).where(sql`post_parent IS NOT NULL`),
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
    index('venues_name').on(t.name),
    index('venues_date').on(t.date_utc, t.id),
    index('venues_author').on(t.author_id),
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
    index('organizers_name').on(t.name),
    index('organizers_date').on(t.date_utc, t.id),
    index('organizers_author').on(t.author_id),
    index('organizers_scheduled').on(t.date_utc).where(sql`status = 'future'`),
  ],
)

/**
 * Categories and tags. `name_key` is the name in lower case: names that differ only in case are one term.
 * `path` holds the slugs from the root down, joined by slashes; `count` the published events that carry it.
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
  },
  t => [
    uniqueIndex('terms_slug').on(t.taxonomy, t.slug),
    index('terms_name').on(t.taxonomy, t.name_key),
    index('terms_parent').on(t.taxonomy, t.parent),
    index('terms_order').on(t.taxonomy, t.sort_name, t.id),
  ],
)

const eventId = () =>
  integer()
    .notNull()
    .references(() => events.id)

export const eventVenues = sqliteTable(
  'event_venues',
  {
    event_id: eventId(),
    target_id: integer()
      .notNull()
      .references(() => venues.id),
    position: integer().notNull(),
  },
  t => [
    primaryKey({ columns: [t.event_id, t.target_id] }),
    index('event_venues_target').on(t.target_id, t.event_id),
  ],
)

export const eventOrganizers = sqliteTable(
  'event_organizers',
  {
    event_id: eventId(),
    target_id: integer()
      .notNull()
      .references(() => organizers.id),
    position: integer().notNull(),
  },
  t => [
    primaryKey({ columns: [t.event_id, t.target_id] }),
    index('event_organizers_target').on(t.target_id, t.event_id),
  ],
)

export const eventTerms = sqliteTable(
  'event_terms',
  {
    event_id: eventId(),
    target_id: integer()
      .notNull()
      .references(() => terms.id),
  },
  t => [
    primaryKey({ columns: [t.event_id, t.target_id] }),
    index('event_terms_target').on(t.target_id, t.event_id),
  ],
)

export const IMPORT_KINDS = ['category', 'tag', 'venue', 'organizer', 'event'] as const

/**
 * Where imported rows came from, so that a second import updates instead of making twins.
 * `source` is the calendar, `external_id` an id or UID there, `target_id` our row. `hash` stands for what was
 * imported, `imported_version` is the version of our row that the import left: a row that has another one by
 * now was edited here. Where it is null, the row was here before and is only linked.
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
