DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP VIEW event_facets;
--> statement-breakpoint
ALTER TABLE `events` ADD `parent_confirmed_by` integer;--> statement-breakpoint
CREATE INDEX `events_programme` ON `events` (`post_parent`,`utc_start_date`,`id`) WHERE parent_confirmed_by IS NOT NULL;--> statement-breakpoint
ALTER TABLE `series` ADD `parent_confirmed_by` integer;
--> statement-breakpoint
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT event_id, facet, target_id FROM event_own_facets
UNION ALL SELECT id, 'parent', post_parent FROM events WHERE post_parent IS NOT NULL AND parent_confirmed_by IS NOT NULL
UNION ALL SELECT event_id, facet, target_id FROM event_link_facets;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, duplicate_of, featured, ticketed, post_parent, parent_confirmed_by,
  event_status, is_virtual, series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.featured <> NEW.featured OR OLD.ticketed <> NEW.ticketed OR OLD.post_parent IS NOT NEW.post_parent
  OR (OLD.parent_confirmed_by IS NULL) <> (NEW.parent_confirmed_by IS NULL)
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
-- Parts that are public count as confirmed, and so do those whose author may edit the parent.
UPDATE series SET parent_confirmed_by = author_id WHERE post_parent IS NOT NULL AND (
  status = 'publish' OR (status = 'future' AND date_utc <= datetime('now'))
  OR (SELECT role FROM users WHERE users.id = series.author_id) IN ('administrator', 'editor')
  OR author_id = (SELECT parent.author_id FROM events AS parent WHERE parent.id = series.post_parent));
--> statement-breakpoint
UPDATE events SET parent_confirmed_by = author_id WHERE post_parent IS NOT NULL AND (
  status = 'publish' OR (status = 'future' AND date_utc <= datetime('now'))
  OR (SELECT role FROM users WHERE users.id = events.author_id) IN ('administrator', 'editor')
  OR author_id = (SELECT parent.author_id FROM events AS parent WHERE parent.id = events.post_parent));
