DROP TRIGGER event_venues_unlisted;
--> statement-breakpoint
DROP TRIGGER event_organizers_unlisted;
--> statement-breakpoint
DROP TRIGGER event_terms_unlisted;
--> statement-breakpoint
DROP TRIGGER events_term_count_update;
--> statement-breakpoint
DROP TRIGGER event_terms_count_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_count_insert;
--> statement-breakpoint
DROP TRIGGER events_twins_delete;
--> statement-breakpoint
DROP TRIGGER events_twins_release;
--> statement-breakpoint
DROP TRIGGER organizers_events_change;
--> statement-breakpoint
DROP TRIGGER venues_events_change;
--> statement-breakpoint
DROP TRIGGER term_ancestors_change_delete;
--> statement-breakpoint
DROP TRIGGER term_ancestors_change_insert;
--> statement-breakpoint
DROP TRIGGER event_terms_change_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_change_update;
--> statement-breakpoint
DROP TRIGGER event_terms_change_insert;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_delete;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_update;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_insert;
--> statement-breakpoint
DROP TRIGGER event_venues_change_delete;
--> statement-breakpoint
DROP TRIGGER event_venues_change_update;
--> statement-breakpoint
DROP TRIGGER event_venues_change_insert;
--> statement-breakpoint
DROP TRIGGER handed_over_insert;
--> statement-breakpoint
DROP TRIGGER event_organizers_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_organizers_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_venues_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_venues_listing_insert;
--> statement-breakpoint
DROP TRIGGER term_ancestors_listing_delete;
--> statement-breakpoint
DROP TRIGGER term_ancestors_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_terms_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_listing_insert;
--> statement-breakpoint
DROP TRIGGER events_listing_move;
--> statement-breakpoint
DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP TRIGGER events_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_sources_changed;
--> statement-breakpoint
DROP VIEW expected_listings;
--> statement-breakpoint
DROP VIEW event_facets;
--> statement-breakpoint
DROP VIEW event_link_facets;
--> statement-breakpoint
DROP INDEX changes_n;
--> statement-breakpoint
DROP INDEX changes_public;
--> statement-breakpoint
DROP INDEX `event_organizers_target`;--> statement-breakpoint
DROP INDEX `event_terms_target`;--> statement-breakpoint
DROP INDEX `event_venues_target`;--> statement-breakpoint
CREATE TABLE kept_audit AS SELECT id, at_utc, user_id, request_id, action, kind, object_id, fields, changed FROM audit;
--> statement-breakpoint
DROP TABLE audit;
--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY NOT NULL,
	`at_utc` text NOT NULL,
	`user_id` integer,
	`request_id` text,
	`action` text NOT NULL,
	`kind` text NOT NULL,
	`object_id` integer NOT NULL,
	`fields` text DEFAULT '[]' NOT NULL,
	`changed` text
);
--> statement-breakpoint
INSERT INTO audit (id, at_utc, user_id, request_id, action, kind, object_id, fields, changed) SELECT id, at_utc, user_id, request_id, action, kind, object_id, fields, changed FROM kept_audit;
--> statement-breakpoint
DROP TABLE kept_audit;
--> statement-breakpoint
CREATE INDEX `audit_object` ON `audit` (`kind`,`object_id`);--> statement-breakpoint
CREATE INDEX `audit_kind` ON `audit` (`kind`) WHERE kind <> 'event';
--> statement-breakpoint
CREATE TABLE kept_event_organizers AS SELECT event_id, target_id, position FROM event_organizers;
--> statement-breakpoint
DROP TABLE event_organizers;
--> statement-breakpoint
CREATE TABLE `event_organizers` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `organizers`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO event_organizers (event_id, target_id, position) SELECT event_id, target_id, position FROM kept_event_organizers;
--> statement-breakpoint
DROP TABLE kept_event_organizers;
--> statement-breakpoint
CREATE TABLE kept_event_terms AS SELECT event_id, target_id FROM event_terms;
--> statement-breakpoint
DROP TABLE event_terms;
--> statement-breakpoint
CREATE TABLE `event_terms` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `terms`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO event_terms (event_id, target_id) SELECT event_id, target_id FROM kept_event_terms;
--> statement-breakpoint
DROP TABLE kept_event_terms;
--> statement-breakpoint
CREATE TABLE kept_event_venues AS SELECT event_id, target_id, position FROM event_venues;
--> statement-breakpoint
DROP TABLE event_venues;
--> statement-breakpoint
CREATE TABLE `event_venues` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `venues`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO event_venues (event_id, target_id, position) SELECT event_id, target_id, position FROM kept_event_venues;
--> statement-breakpoint
DROP TABLE kept_event_venues;
--> statement-breakpoint
CREATE VIEW expected_listings AS
SELECT facet, target_id, utc_start_date, event_id, utc_end_date
FROM event_facets JOIN events ON events.id = event_facets.event_id
WHERE listed;
--> statement-breakpoint
CREATE VIEW events_of (facet, target_id, event_id) AS
SELECT facet, target_id, event_id FROM listings
UNION ALL SELECT 'venue', target_id, event_id FROM unlisted_events CROSS JOIN event_venues ON event_id = id
UNION ALL SELECT 'organizer', target_id, event_id FROM unlisted_events CROSS JOIN event_organizers ON event_id = id
UNION ALL SELECT 'term', target_id, event_id FROM unlisted_events CROSS JOIN event_terms ON event_id = id;
--> statement-breakpoint
CREATE VIEW unlisted_events (id) AS
SELECT id FROM events INDEXED BY events_unpublished WHERE status <> 'publish'
UNION SELECT id FROM events INDEXED BY events_hidden WHERE hide_from_listings = 1
UNION SELECT id FROM events INDEXED BY events_duplicates WHERE duplicate_of IS NOT NULL;
--> statement-breakpoint
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT event_id, facet, target_id FROM event_own_facets
UNION ALL SELECT id, 'parent', post_parent FROM events WHERE post_parent IS NOT NULL
UNION ALL SELECT event_id, facet, target_id FROM event_link_facets;
--> statement-breakpoint
CREATE VIEW event_link_facets (event_id, facet, target_id) AS
SELECT event_id, 'venue', target_id FROM event_venues
UNION ALL SELECT event_id, 'organizer', target_id FROM event_organizers
UNION ALL SELECT DISTINCT event_id, 'term', ancestor_id
  FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
UNION ALL SELECT DISTINCT event_id, 'source', source_id FROM event_sources;
--> statement-breakpoint
CREATE INDEX changes_public ON changes (kind, public_n)
  WHERE public_n IS NOT NULL AND kind NOT IN ('event_category', 'event_tag');
--> statement-breakpoint
CREATE INDEX changes_n ON changes (kind, n) WHERE kind NOT IN ('event_category', 'event_tag');
--> statement-breakpoint
CREATE TRIGGER event_organizers_listing_delete AFTER DELETE ON event_organizers BEGIN
  DELETE FROM listings WHERE facet = 'organizer' AND target_id = OLD.target_id
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_listing_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO listings
    SELECT 'organizer', NEW.target_id, utc_start_date, id, utc_end_date FROM events WHERE id = NEW.event_id AND listed;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_delete AFTER DELETE ON event_venues BEGIN
  DELETE FROM listings WHERE facet = 'venue' AND target_id = OLD.target_id
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO listings
    SELECT 'venue', NEW.target_id, utc_start_date, id, utc_end_date FROM events WHERE id = NEW.event_id AND listed;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_unlisted AFTER INSERT ON event_terms BEGIN
  UPDATE unlisted SET version = 0 WHERE event_id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_delete AFTER DELETE ON event_terms BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_update AFTER UPDATE ON event_terms BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_unlisted AFTER INSERT ON event_organizers BEGIN
  UPDATE unlisted SET version = 0 WHERE event_id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_delete AFTER DELETE ON event_organizers BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_update AFTER UPDATE ON event_organizers BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_unlisted AFTER INSERT ON event_venues BEGIN
  UPDATE unlisted SET version = 0 WHERE event_id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_delete AFTER DELETE ON event_venues BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_update AFTER UPDATE ON event_venues BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_delete BEFORE DELETE ON events BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT datetime('now'), 'import:sources', iif(stays_hidden, 'trash', 'update'), 'event', event_id, '["duplicate_of"]',
      json_object('duplicate_of', json_array(OLD.id, 0))
    FROM hidden_twins WHERE shown_id = OLD.id;
  UPDATE events SET status = 'trash', version = version + 1, duplicate_of = NULL
    WHERE id IN (SELECT event_id FROM hidden_twins WHERE shown_id = OLD.id AND stays_hidden);
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.event_id, events.id), max(next.event_id, events.id), 'joined', 1, datetime('now')
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = OLD.id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    CROSS JOIN events ON duplicate_of = OLD.id AND id <> next.event_id;
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = OLD.id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = OLD.id AND events.id <> next.event_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = OLD.id;
  DELETE FROM twins WHERE first_id = OLD.id OR second_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_release AFTER UPDATE OF status, hide_from_listings ON events
WHEN (NEW.status <> 'publish' OR NEW.hide_from_listings) AND EXISTS (
  SELECT 1 FROM hidden_twins WHERE shown_id = NEW.id AND NOT (stays_hidden AND NEW.status = 'trash')
) BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT NEW.modified_utc, 'import:sources', 'update', 'event', event_id, '["duplicate_of"]', json_object('duplicate_of', json_array(NEW.id, 0))
    FROM hidden_twins WHERE shown_id = NEW.id;
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.event_id, events.id), max(next.event_id, events.id), 'joined', 1, NEW.modified_utc
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = NEW.id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    CROSS JOIN events ON duplicate_of = NEW.id AND id <> next.event_id;
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = NEW.id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = NEW.id AND events.id <> next.event_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_term_count_update AFTER UPDATE OF status, duplicate_of ON events
WHEN (NEW.status = 'publish' AND NEW.duplicate_of IS NULL) <> (OLD.status = 'publish' AND OLD.duplicate_of IS NULL) BEGIN
  UPDATE terms SET count = count + iif(NEW.status = 'publish' AND NEW.duplicate_of IS NULL, 1, -1),
    standalone = standalone OR OLD.status = 'publish'
  WHERE id IN (SELECT target_id FROM event_terms WHERE event_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_delete AFTER DELETE ON event_terms BEGIN
  UPDATE terms SET count = count - 1, standalone = 1
  WHERE id = OLD.target_id
    AND EXISTS (SELECT 1 FROM events WHERE id = OLD.event_id AND status = 'publish' AND duplicate_of IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_insert AFTER INSERT ON event_terms BEGIN
  UPDATE terms SET count = count + event.is_public
  FROM (SELECT status = 'publish' AND duplicate_of IS NULL AS is_public FROM events WHERE id = NEW.event_id) AS event
  WHERE id = NEW.target_id AND (event.is_public OR (count = 0 AND NOT standalone));
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  DELETE FROM listings WHERE facet = 'term' AND target_id = OLD.ancestor_id
  AND (utc_start_date, event_id) IN (
    SELECT utc_start_date, event_id FROM listings AS below WHERE facet = 'term' AND target_id = OLD.term_id)
  AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = listings.event_id AND ancestor_id = OLD.ancestor_id);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO listings
    SELECT 'term', NEW.ancestor_id, utc_start_date, event_id, utc_end_date
    FROM listings AS below WHERE facet = 'term' AND target_id = NEW.term_id
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.facet = 'term' AND there.target_id = NEW.ancestor_id AND there.utc_start_date = below.utc_start_date
        AND there.event_id = below.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_listing_delete AFTER DELETE ON event_terms BEGIN
  DELETE FROM listings WHERE facet = 'term'
    AND target_id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = OLD.target_id)
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id
    AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
      WHERE event_terms.event_id = OLD.event_id AND ancestor_id = listings.target_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_listing_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO listings
    SELECT 'term', ancestor_id, utc_start_date, events.id, utc_end_date
    FROM events CROSS JOIN term_ancestors ON term_id = NEW.target_id
    WHERE events.id = NEW.event_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.facet = 'term' AND there.target_id = ancestor_id AND there.utc_start_date = events.utc_start_date
        AND there.event_id = events.id);
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_move AFTER UPDATE OF utc_start_date, utc_end_date ON events
WHEN OLD.listed AND NEW.listed AND (OLD.utc_start_date, OLD.utc_end_date) IS NOT (NEW.utc_start_date, NEW.utc_end_date) BEGIN
  UPDATE listings SET utc_start_date = NEW.utc_start_date, utc_end_date = NEW.utc_end_date
  WHERE utc_start_date = OLD.utc_start_date AND event_id = NEW.id
    AND (facet, target_id) IN (SELECT facet, target_id FROM event_facets WHERE event_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, duplicate_of, featured, ticketed, post_parent, event_status, is_virtual,
  series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.featured <> NEW.featured OR OLD.ticketed <> NEW.ticketed OR OLD.post_parent IS NOT NEW.post_parent
  OR OLD.event_status <> NEW.event_status OR OLD.is_virtual <> NEW.is_virtual
  OR OLD.series_id IS NOT NEW.series_id
)) BEGIN
  DELETE FROM listings WHERE utc_start_date = OLD.utc_start_date AND event_id = OLD.id AND (facet, target_id) IN (SELECT facet, target_id FROM (
    SELECT facet, target_id FROM possible_facets
    UNION ALL SELECT 'parent', OLD.post_parent WHERE OLD.post_parent IS NOT NULL
    UNION ALL SELECT facet, target_id FROM event_link_facets WHERE event_id = OLD.id
  )) AND NOT (NEW.listed AND (facet, target_id) IN (SELECT facet, target_id FROM event_facets WHERE event_id = NEW.id)
    AND utc_start_date = NEW.utc_start_date);
  INSERT OR IGNORE INTO listings SELECT * FROM expected_listings WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_insert AFTER INSERT ON events WHEN NEW.listed BEGIN
  INSERT INTO listings SELECT * FROM expected_listings WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER handed_over_insert INSTEAD OF INSERT ON handed_over BEGIN
  INSERT INTO handovers
    SELECT NEW.kind, NEW.object_id, coalesce(NEW.author_id, 0), coalesce((SELECT max(id) FROM audit), 0), n + (stage < 2)
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET audit_id = excluded.audit_id, n = excluded.n;
END;
--> statement-breakpoint
CREATE TRIGGER event_sources_changed INSTEAD OF INSERT ON event_sources BEGIN
  DELETE FROM listings WHERE facet = 'source' AND target_id IN (SELECT id FROM sources)
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = NEW.event_id) AND event_id = NEW.event_id
    AND target_id NOT IN (SELECT source_id FROM event_sources WHERE event_id = NEW.event_id);
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date FROM expected_listings AS wanted
    WHERE event_id = NEW.event_id AND facet = 'source'
    AND NOT EXISTS (SELECT 1 FROM listings AS there WHERE there.facet = 'source' AND there.target_id = wanted.target_id
      AND there.utc_start_date = wanted.utc_start_date AND there.event_id = wanted.event_id);
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER organizers_events_change AFTER UPDATE OF status ON organizers
WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO changed
    SELECT 'events', id, author_id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN events_of CROSS JOIN events ON id = event_id WHERE facet = 'organizer' AND target_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER venues_events_change AFTER UPDATE OF status, geo_lat, geo_lng ON venues
WHEN OLD.status <> NEW.status OR OLD.geo_lat IS NOT NEW.geo_lat OR OLD.geo_lng IS NOT NEW.geo_lng BEGIN
  INSERT INTO changed
    SELECT 'events', id, author_id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN events_of CROSS JOIN events ON id = event_id WHERE facet = 'venue' AND target_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish'
    FROM events_of CROSS JOIN events ON id = event_id WHERE facet = 'term' AND target_id = OLD.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish'
    FROM events_of CROSS JOIN events ON id = event_id WHERE facet = 'term' AND target_id = NEW.term_id;
END;
