import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { DOUBTED_UID_END } from '../../lib/ical/lines.ts'
import { CONFLICT_MESSAGE } from '../failures.ts'
import * as schema from '../tables.ts'

// Triggers that are the same for several tables, generated from their names. The migrations have them as SQL.

const triggerSql = (head: string, body: string): string => `CREATE TRIGGER ${head} BEGIN\n  ${body}\nEND;\n`

const namesOf = (tables: readonly SQLiteTable[]): string[] => tables.map(getTableName)

/** The tables whose rows have a version. */
const versionedTables = (values: readonly unknown[]): SQLiteTable[] =>
  values.filter((value): value is SQLiteTable => is(value, SQLiteTable) && 'version' in value)

/**
 * A version rises by one. If two writes begin with version 4, both set 5; the second one finds 5 already, and
 * fails.
 */
const versionTrigger = (table: string): string =>
  triggerSql(
    `${table}_version BEFORE UPDATE OF version ON ${table} WHEN NEW.version <> OLD.version + 1`,
    `SELECT RAISE(ABORT, '${CONFLICT_MESSAGE}');`,
  )

/** Tables of content that can be published at a later date. */
const SCHEDULED_TABLES = [schema.events, schema.venues, schema.organizers]

/**
 * The date of the next publication, in revision.next_due_utc: the earliest date of scheduled content, or
 * null. Once it has passed, no response is cached until the cron has published everything that is due
 * (src/kit/http/revision.ts).
 */
const scheduledView = (tables: readonly string[]): string =>
  `CREATE VIEW scheduled (date_utc) AS
${tables.map(table => `SELECT date_utc FROM ${table} WHERE status = 'future'`).join('\nUNION ALL ')};
`

const publicationTriggers = (table: string): string[] =>
  [
    `insert AFTER INSERT ON ${table} WHEN NEW.status = 'future'`,
    `update AFTER UPDATE OF status, date_utc ON ${table} WHEN NEW.status = 'future' OR OLD.status = 'future'`,
    `delete AFTER DELETE ON ${table} WHEN OLD.status = 'future'`,
  ].map(when =>
    triggerSql(
      `${table}_scheduled_${when}`,
      'UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);',
    ),
  )

/** Tables that link events to other content. */
const LINK_TABLES = [schema.eventVenues, schema.eventOrganizers, schema.eventTerms]

/**
 * Links are part of their event, so writing one changes the event (changes.sql). New links may be written
 * before their event.
 */
const linkTriggers = (table: string): string[] => {
  const changed = (event: string) =>
    `INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id ${event};`
  return [
    triggerSql(`${table}_change_insert AFTER INSERT ON ${table}`, changed('= NEW.event_id')),
    triggerSql(`${table}_change_update AFTER UPDATE ON ${table}`, changed('IN (OLD.event_id, NEW.event_id)')),
    triggerSql(`${table}_change_delete AFTER DELETE ON ${table}`, changed('= OLD.event_id')),
  ]
}

/**
 * The listings of an event by its venues or organizers. Rows that are listed by a link have the start of the
 * event (listings.sql).
 */
const relatedListingTriggers = (table: string, facet: 'venue' | 'organizer'): string[] => [
  triggerSql(
    `${table}_listing_insert AFTER INSERT ON ${table}`,
    `INSERT INTO listings
    SELECT '${facet}', NEW.target_id, utc_start_date, id, utc_end_date FROM events WHERE id = NEW.event_id AND listed;`,
  ),
  triggerSql(
    `${table}_listing_delete AFTER DELETE ON ${table}`,
    `DELETE FROM listings WHERE facet = '${facet}' AND target_id = OLD.target_id
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id;`,
  ),
]

/** Tables whose rows have UIDs in subscribers' calendars, and the word that their own UIDs begin with. */
const UID_WORDS = { events: 'event', series: 'series' } as const

/** An expression that is true if any stored UID meets the given condition. */
const usedSql = (condition: string): string => `(
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND ${condition})
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND ${condition}))`

/**
 * The UID of an event or a series is the external id that it was created with, unless another row has that
 * UID, or the external id ends with @, since with the host appended it would be the UID of another event. An
 * external id that looks like another row's own UID gets {@link DOUBTED_UID_END}, and counts only if its
 * host, which no trigger knows, is not that of this calendar (`eventUid` in calendar/events/ical/vevent.ts).
 * A row whose own UID is already in use, as the external id of an earlier row, gets a different one.
 *
 * A trigger sets the UID because a row's own UID contains its id, which no writer knows beforehand.
 */
const uidTrigger = (table: keyof typeof UID_WORDS): string => {
  const kind = UID_WORDS[table]
  const doubted = `'${DOUBTED_UID_END}'`
  const exceptOwnSql = (other: string) => (other === table ? ' AND id <> NEW.id' : '')
  return triggerSql(
    `${table}_uid AFTER INSERT ON ${table} WHEN NEW.uid = ''${table === 'events' ? ' AND NEW.series_id IS NULL' : ''}`,
    `UPDATE ${table} SET uid = NEW.external_id || iif(
      EXISTS (SELECT 1 FROM events WHERE id = CAST(substr(NEW.external_id, 7) AS INTEGER) AND uid = '' AND series_id IS NULL
        AND NEW.external_id GLOB 'event-[0-9]*@*'${exceptOwnSql('events')})
      OR EXISTS (SELECT 1 FROM series WHERE id = CAST(substr(NEW.external_id, 8) AS INTEGER) AND uid = ''
        AND NEW.external_id GLOB 'series-[0-9]*@*'${exceptOwnSql('series')})
      OR ${usedSql("uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@'))")}, ${doubted}, '')
    WHERE id = NEW.id AND NEW.external_id <> '' AND NEW.external_id NOT GLOB '*@'
      AND NOT ${usedSql(`uid IN (NEW.external_id, NEW.external_id || ${doubted})`)};
  UPDATE ${table} SET uid = '${kind}-' || NEW.id || '.1@' WHERE id = NEW.id AND (
    (uid = '' AND ${usedSql(`uid >= '${kind}-' || NEW.id || '@' AND uid < '${kind}-' || NEW.id || 'A'`)})
    OR (uid = NEW.external_id || ${doubted}
      AND ${usedSql(`uid = '${kind}-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@'))`)}));`,
  )
}

/**
 * The statements of all these triggers, in the form of the SQL files in this folder.
 * @param tables values that include all tables
 */
export const repeatedTriggers = (tables: readonly unknown[]): string =>
  [
    ...namesOf(versionedTables(tables)).map(versionTrigger),
    scheduledView(namesOf(SCHEDULED_TABLES)),
    ...namesOf(SCHEDULED_TABLES).flatMap(publicationTriggers),
    ...namesOf(LINK_TABLES).flatMap(linkTriggers),
    ...relatedListingTriggers('event_venues', 'venue'),
    ...relatedListingTriggers('event_organizers', 'organizer'),
    uidTrigger('events'),
    uidTrigger('series'),
  ].join('\n')
