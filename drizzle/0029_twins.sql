DROP TRIGGER events_search_update;
--> statement-breakpoint
DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP TRIGGER event_terms_count_insert;
--> statement-breakpoint
DROP TRIGGER events_term_count_update;
--> statement-breakpoint
DROP TRIGGER event_terms_count_delete;
--> statement-breakpoint
CREATE TABLE `twins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`first_id` integer NOT NULL,
	`second_id` integer NOT NULL,
	`state` text NOT NULL,
	`likeness` real NOT NULL,
	`filled` text DEFAULT '{}' NOT NULL,
	`trashed_from` text DEFAULT '' NOT NULL,
	`user_id` integer,
	`at_utc` text NOT NULL,
	FOREIGN KEY (`first_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`second_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `twins_pair` ON `twins` (`first_id`,`second_id`);--> statement-breakpoint
CREATE INDEX `twins_second` ON `twins` (`second_id`);--> statement-breakpoint
CREATE INDEX `twins_state` ON `twins` (`state`,`at_utc`,`id`);--> statement-breakpoint
CREATE TABLE `twins_place` (
	`n` integer NOT NULL,
	`id` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `events` ADD `duplicate_of` integer REFERENCES events(id);--> statement-breakpoint
CREATE INDEX `events_duplicates` ON `events` (`duplicate_of`) WHERE duplicate_of IS NOT NULL;
--> statement-breakpoint
CREATE VIEW successors (event_id, duplicate_of, rank) AS
SELECT id, duplicate_of, coalesce((
    SELECT min(CAST(substr(source, 8) AS INTEGER)) FROM imports
    WHERE source GLOB 'source:*'
      AND ((kind = 'event' AND target_id = events.id) OR (kind = 'series' AND target_id = events.series_id))
  ), 0)
FROM events
WHERE duplicate_of IS NOT NULL AND status = 'publish' AND hide_from_listings = 0;
--> statement-breakpoint
CREATE TRIGGER sources_twins_place AFTER INSERT ON sources
WHEN NOT EXISTS (SELECT 1 FROM sources WHERE id <> NEW.id) BEGIN
  UPDATE twins_place SET id = 0, n = 1 + coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0);
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_delete BEFORE DELETE ON events BEGIN
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.event_id, events.id), max(next.event_id, events.id), 'joined', 1, datetime('now')
    FROM (SELECT event_id FROM successors WHERE duplicate_of = OLD.id ORDER BY rank, event_id LIMIT 1) AS next
    CROSS JOIN events ON duplicate_of = OLD.id AND id <> next.event_id;
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM successors WHERE duplicate_of = OLD.id ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = OLD.id AND events.id <> next.event_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = OLD.id;
  DELETE FROM twins WHERE first_id = OLD.id OR second_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_return AFTER UPDATE OF status ON events
WHEN NEW.duplicate_of IS NOT NULL AND OLD.status = 'trash' AND NEW.status <> 'trash'
  AND NOT EXISTS (SELECT 1 FROM events WHERE id = NEW.duplicate_of AND listed) BEGIN
  UPDATE events SET duplicate_of = NULL WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_release AFTER UPDATE OF status, hide_from_listings ON events
WHEN OLD.listed AND NOT NEW.listed AND EXISTS (SELECT 1 FROM events WHERE duplicate_of = NEW.id) BEGIN
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.event_id, events.id), max(next.event_id, events.id), 'joined', 1, datetime('now')
    FROM (SELECT event_id FROM successors WHERE duplicate_of = NEW.id ORDER BY rank, event_id LIMIT 1) AS next
    CROSS JOIN events ON duplicate_of = NEW.id AND status <> 'trash' AND id <> next.event_id;
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM successors WHERE duplicate_of = NEW.id ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = NEW.id AND status <> 'trash' AND events.id <> next.event_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = NEW.id AND status <> 'trash';
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_check BEFORE UPDATE OF duplicate_of ON events
WHEN NEW.duplicate_of IS NOT NULL AND NEW.duplicate_of IS NOT OLD.duplicate_of AND (
  NOT EXISTS (SELECT 1 FROM events WHERE id = NEW.duplicate_of AND id <> NEW.id AND status = 'publish'
    AND hide_from_listings = 0 AND (duplicate_of IS NULL OR duplicate_of = OLD.duplicate_of))
  OR EXISTS (SELECT 1 FROM events WHERE duplicate_of = NEW.id)
) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER events_search_update AFTER UPDATE OF status, hide_from_listings, duplicate_of, utc_start_date ON events
WHEN OLD.search_key <> NEW.search_key OR OLD.listed <> NEW.listed BEGIN
  UPDATE events_search SET
    rowid = NEW.search_key,
    listed = iif(NEW.listed, coalesce(listed, unlisted), NULL),
    unlisted = iif(NEW.listed, NULL, coalesce(listed, unlisted))
  WHERE rowid = OLD.search_key;
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
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, duplicate_of, utc_start_date, utc_end_date, featured, ticketed, post_parent,
  event_status, is_virtual, series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.utc_start_date <> NEW.utc_start_date OR OLD.utc_end_date <> NEW.utc_end_date
  OR OLD.featured <> NEW.featured OR OLD.ticketed <> NEW.ticketed OR OLD.post_parent IS NOT NEW.post_parent
  OR OLD.event_status <> NEW.event_status OR OLD.is_virtual <> NEW.is_virtual
  OR OLD.series_id IS NOT NEW.series_id
)) BEGIN
  DELETE FROM listings WHERE event_id = NEW.id;
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span
    FROM expected_listings
    WHERE event_id = NEW.id;
END;
--> statement-breakpoint
-- Where there are sources already, all that came of them is looked through.
INSERT INTO twins_place (n, id)
SELECT iif(EXISTS (SELECT 1 FROM sources), 0, 1 + coalesce(max(n), 0)), 0 FROM changes WHERE kind = 'events';
