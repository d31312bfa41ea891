DROP TRIGGER events_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_venues_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_organizers_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_listing_delete;
--> statement-breakpoint
DROP TRIGGER term_ancestors_listing_delete;
--> statement-breakpoint
DROP TRIGGER term_ancestors_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_terms_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_organizers_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_venues_listing_insert;
--> statement-breakpoint
DROP TRIGGER events_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_sources_changed;
--> statement-breakpoint
DROP TRIGGER events_listing_move;
--> statement-breakpoint
DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP TRIGGER listings_count_delete;
--> statement-breakpoint
DROP TRIGGER listings_count_update;
--> statement-breakpoint
DROP TRIGGER listings_count_insert;
--> statement-breakpoint
DROP TRIGGER counted_listings_insert;
--> statement-breakpoint
DROP VIEW event_facets;
--> statement-breakpoint
DROP VIEW listing_edges;
--> statement-breakpoint
DROP VIEW expected_listing_counts;
--> statement-breakpoint
DROP VIEW event_own_facets;
--> statement-breakpoint
DROP VIEW expected_listings;
--> statement-breakpoint
DROP VIEW event_detail_facets;
--> statement-breakpoint
DROP VIEW counted_listings;
--> statement-breakpoint
DROP INDEX listings_span;
--> statement-breakpoint
DROP INDEX listings_event;
--> statement-breakpoint
DROP INDEX listings_end;
--> statement-breakpoint
DROP INDEX `events_series_start`;--> statement-breakpoint
DROP INDEX `events_shared_text`;--> statement-breakpoint
ALTER TABLE `events` DROP COLUMN `span`;--> statement-breakpoint
ALTER TABLE `events` ADD `span` integer GENERATED ALWAYS AS (CASE WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 86400 THEN 0 WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 345600 THEN 4 WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 1382400 THEN 16 WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 5529600 THEN 64 WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 22118400 THEN 256 ELSE 99999999 END) VIRTUAL;--> statement-breakpoint
CREATE INDEX `events_long` ON `events` (`span`,`utc_start_date`,`utc_end_date`,`id`) WHERE listed AND span > 0;
--> statement-breakpoint
DROP TABLE listings;
--> statement-breakpoint
CREATE TABLE listings (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  utc_start_date TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  utc_end_date TEXT NOT NULL,
  -- What listing-counts.sql counts by: days since the beginning of the year 1, by weeks or, where fewer events are, by four weeks.
  period INTEGER GENERATED ALWAYS AS (
    CAST(julianday(substr(utc_start_date, 1, 10)) - 1721425.5 AS INTEGER) / iif(facet = 'event', 7, 28)),
  PRIMARY KEY (facet, target_id, utc_start_date, event_id)
) WITHOUT ROWID;
--> statement-breakpoint
DROP TABLE listing_counts;
--> statement-breakpoint
CREATE TABLE listing_counts (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  period INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, period)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE VIEW expected_listings AS
SELECT facet, target_id, utc_start_date, event_id, utc_end_date
FROM event_facets JOIN events ON events.id = event_facets.event_id
WHERE listed;
--> statement-breakpoint
CREATE VIEW expected_listing_counts AS
SELECT facet, target_id, period, count(*) AS n FROM listings GROUP BY 1, 2, 3;
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
CREATE VIEW possible_facets (facet, target_id) AS
SELECT value ->> 0, value ->> 1 FROM json_each('[["event",0],["featured",1],["ticketed",1],["virtual",1],
  ["event_status",1],["event_status",2],["event_status",3]]')
UNION ALL SELECT 'source', id FROM sources;
--> statement-breakpoint
CREATE VIEW event_own_facets (event_id, facet, target_id) AS
SELECT id, 'event', 0 FROM events
UNION ALL SELECT id, 'featured', 1 FROM events WHERE featured = 1
UNION ALL SELECT id, 'ticketed', 1 FROM events WHERE ticketed = 1
UNION ALL SELECT id, 'virtual', 1 FROM events WHERE is_virtual = 1
UNION ALL SELECT id, 'event_status', CASE event_status WHEN 'canceled' THEN 1 WHEN 'postponed' THEN 2 ELSE 3 END
  FROM events WHERE event_status IN ('canceled', 'postponed', 'rescheduled');
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
CREATE TRIGGER term_ancestors_listing_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  DELETE FROM listings WHERE facet = 'term' AND target_id = OLD.ancestor_id
  AND event_id IN (SELECT event_id FROM event_terms WHERE target_id = OLD.term_id)
  AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = listings.event_id AND ancestor_id = OLD.ancestor_id);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO listings
    SELECT 'term', NEW.ancestor_id, utc_start_date, events.id, utc_end_date
    FROM event_terms CROSS JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = NEW.term_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.facet = 'term' AND there.target_id = NEW.ancestor_id AND there.utc_start_date = events.utc_start_date
        AND there.event_id = events.id);
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
CREATE TRIGGER events_listing_delete AFTER DELETE ON events BEGIN
  DELETE FROM listings WHERE utc_start_date = OLD.utc_start_date AND event_id = OLD.id AND (facet, target_id) IN (SELECT facet, target_id FROM (
    SELECT facet, target_id FROM possible_facets
    UNION ALL SELECT 'parent', OLD.post_parent WHERE OLD.post_parent IS NOT NULL));
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
CREATE TRIGGER listings_count_delete AFTER DELETE ON listings BEGIN
  UPDATE listing_counts SET n = n - 1 WHERE facet = OLD.facet AND target_id = OLD.target_id AND period = OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_update AFTER UPDATE ON listings WHEN OLD.period <> NEW.period BEGIN
  INSERT INTO listing_counts (facet, target_id, period, n)
    VALUES (OLD.facet, OLD.target_id, OLD.period, -1), (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_insert AFTER INSERT ON listings BEGIN
  INSERT INTO listing_counts (facet, target_id, period, n) VALUES (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
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
-- A trigger counts them.
INSERT INTO listings SELECT * FROM expected_listings;
