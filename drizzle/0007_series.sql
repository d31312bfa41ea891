CREATE TABLE `series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`author_id` integer NOT NULL,
	`status` text NOT NULL,
	`slug` text NOT NULL,
	`date` text NOT NULL,
	`date_utc` text NOT NULL,
	`modified` text NOT NULL,
	`modified_utc` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`image_id` integer,
	`external_id` text DEFAULT '' NOT NULL,
	`title` text NOT NULL,
	`excerpt` text DEFAULT '' NOT NULL,
	`all_day` integer DEFAULT false NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`timezone` text NOT NULL,
	`cost` text DEFAULT '' NOT NULL,
	`website` text,
	`show_map` integer DEFAULT false NOT NULL,
	`show_map_link` integer DEFAULT false NOT NULL,
	`hide_from_listings` integer DEFAULT false NOT NULL,
	`sticky` integer DEFAULT false NOT NULL,
	`featured` integer DEFAULT false NOT NULL,
	`ticketed` integer DEFAULT false NOT NULL,
	`post_parent` integer,
	`event_status` text DEFAULT 'scheduled' NOT NULL,
	`event_status_reason` text DEFAULT '' NOT NULL,
	`is_virtual` integer DEFAULT false NOT NULL,
	`virtual_event_type` text DEFAULT '' NOT NULL,
	`virtual_url` text DEFAULT '' NOT NULL,
	`virtual_video_source` text DEFAULT '' NOT NULL,
	`custom_fields` text DEFAULT '{}' NOT NULL,
	`rrule` text DEFAULT '' NOT NULL,
	`rdate` text DEFAULT '[]' NOT NULL,
	`exdate` text DEFAULT '[]' NOT NULL,
	`extend_from` text,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`post_parent`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `series_slug` ON `series` (`slug`);--> statement-breakpoint
CREATE INDEX `series_extend` ON `series` (`extend_from`) WHERE extend_from IS NOT NULL;--> statement-breakpoint
CREATE INDEX `series_image` ON `series` (`image_id`) WHERE image_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `series_parent` ON `series` (`post_parent`) WHERE post_parent IS NOT NULL;--> statement-breakpoint
CREATE TABLE `series_organizers` (
	`series_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`series_id`, `target_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `organizers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `series_organizers_target` ON `series_organizers` (`target_id`);--> statement-breakpoint
CREATE TABLE `series_terms` (
	`series_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	PRIMARY KEY(`series_id`, `target_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `terms`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `series_terms_target` ON `series_terms` (`target_id`);--> statement-breakpoint
CREATE TABLE `series_venues` (
	`series_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`series_id`, `target_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `venues`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `series_venues_target` ON `series_venues` (`target_id`);--> statement-breakpoint
ALTER TABLE `events` ADD `series_id` integer REFERENCES series(id);--> statement-breakpoint
ALTER TABLE `events` ADD `occurrence_date` text;--> statement-breakpoint
ALTER TABLE `events` ADD `detached` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `shares_text` integer GENERATED ALWAYS AS (series_id IS NOT NULL AND instr(detached, '"title"') = 0 AND instr(detached, '"description"') = 0 AND instr(detached, '"excerpt"') = 0) VIRTUAL;--> statement-breakpoint
CREATE UNIQUE INDEX `events_occurrence` ON `events` (`series_id`,`occurrence_date`) WHERE series_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_shared_text` ON `events` (`series_id`,`utc_start_date`,`id`,`utc_end_date`) WHERE shares_text AND listed;--> statement-breakpoint
CREATE TRIGGER series_version BEFORE UPDATE OF version ON series WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
-- The text that occurrences share stands once, under the series' id. An event that begins to share it has none of its own.
CREATE VIRTUAL TABLE series_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER series_search_delete AFTER DELETE ON series BEGIN
  DELETE FROM series_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_search_share AFTER UPDATE OF series_id, detached ON events
WHEN NEW.shares_text AND NOT OLD.shares_text BEGIN
  DELETE FROM events_search WHERE rowid IN (OLD.search_key, NEW.search_key);
END;
--> statement-breakpoint
-- Responses of occurrences show their series.
CREATE TRIGGER series_revision_update AFTER UPDATE ON series BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER series_public_revision_update AFTER UPDATE ON series
WHEN EXISTS (SELECT 1 FROM events WHERE series_id = NEW.id AND status = 'publish') BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
-- A series' occurrences are listed by a facet of their own.
DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP VIEW event_detail_facets;
--> statement-breakpoint
CREATE VIEW event_detail_facets (event_id, facet, target_id) AS
SELECT id, 'event_status', CASE event_status WHEN 'canceled' THEN 1 WHEN 'postponed' THEN 2 ELSE 3 END
  FROM events WHERE event_status IN ('canceled', 'postponed', 'rescheduled')
UNION ALL SELECT id, 'virtual', 1 FROM events WHERE is_virtual = 1
UNION ALL SELECT id, 'series', series_id FROM events WHERE series_id IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, utc_start_date, utc_end_date, featured, ticketed, post_parent,
  event_status, is_virtual, series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.utc_start_date <> NEW.utc_start_date OR OLD.utc_end_date <> NEW.utc_end_date
  OR OLD.featured <> NEW.featured OR OLD.ticketed <> NEW.ticketed OR OLD.post_parent IS NOT NEW.post_parent
  OR OLD.event_status <> NEW.event_status OR OLD.is_virtual <> NEW.is_virtual OR OLD.series_id IS NOT NEW.series_id
)) BEGIN
  DELETE FROM listings WHERE event_id = NEW.id;
  INSERT INTO listings SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span FROM expected_listings WHERE event_id = NEW.id;
END;
