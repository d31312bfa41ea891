-- No plan may depend on statistics, which a database that has grown by its own writes doesn't have: a unary plus keeps
-- SQLite from looking for one event's listings by all those of their facet.
--
-- Lists hold published events only: scheduled ones, which are few or many but never seen before their time, no longer
-- count in them and are no longer taken off again with each read. Counts tell how many events end in a period as
-- well as how many start, from which any interval's total follows. What anonymous callers see has a revision of its own.
DROP TRIGGER events_search_update;
--> statement-breakpoint
DROP TRIGGER events_listing_insert;
--> statement-breakpoint
DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP TRIGGER events_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_venues_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_venues_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_organizers_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_organizers_listing_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_terms_listing_delete;
--> statement-breakpoint
DROP TRIGGER term_ancestors_listing_insert;
--> statement-breakpoint
DROP TRIGGER term_ancestors_listing_delete;
--> statement-breakpoint
DROP VIEW expected_listing_counts;
--> statement-breakpoint
DROP VIEW expected_listings;
--> statement-breakpoint
DROP VIEW event_facets;
--> statement-breakpoint
DROP TABLE listing_counts;
--> statement-breakpoint
DROP TABLE listings;
--> statement-breakpoint
ALTER TABLE events DROP COLUMN listed_from;
--> statement-breakpoint
ALTER TABLE events DROP COLUMN span;
--> statement-breakpoint
ALTER TABLE events ADD COLUMN listed INTEGER GENERATED ALWAYS AS (status = 'publish' AND hide_from_listings = 0) VIRTUAL;
--> statement-breakpoint
ALTER TABLE events ADD COLUMN span INTEGER GENERATED ALWAYS AS (CASE WHEN date(utc_end_date) = date(utc_start_date) THEN 0 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 1 THEN 1 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 2 THEN 2 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 4 THEN 4 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 8 THEN 8 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 16 THEN 16 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 32 THEN 32 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 64 THEN 64 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 128 THEN 128 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 256 THEN 256 WHEN CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) <= 512 THEN 512 ELSE 99999999 END) VIRTUAL;
--> statement-breakpoint
CREATE INDEX events_unpublished ON events (status, utc_start_date, id) WHERE status <> 'publish';
--> statement-breakpoint
CREATE INDEX events_hidden ON events (id) WHERE hide_from_listings = 1;
--> statement-breakpoint
CREATE INDEX venues_latitude ON venues (geo_lat, geo_lng, status, date_utc, author_id) WHERE geo_lat IS NOT NULL;
--> statement-breakpoint
ALTER TABLE imports RENAME COLUMN foreign_id TO external_id;
--> statement-breakpoint
ALTER TABLE imports RENAME COLUMN stamp TO imported_version;
--> statement-breakpoint
-- Listings: see src/db/derived.ts.
CREATE TABLE listings (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  utc_start_date TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  utc_end_date TEXT NOT NULL,
  span INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, utc_start_date, event_id)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE VIEW event_own_facets (event_id, facet, target_id) AS
SELECT id, 'event', 0 FROM events
UNION ALL SELECT id, 'featured', 1 FROM events WHERE featured = 1
UNION ALL SELECT id, 'ticketed', 1 FROM events WHERE ticketed = 1
UNION ALL SELECT id, 'parent', post_parent FROM events WHERE post_parent IS NOT NULL;
--> statement-breakpoint
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT event_id, facet, target_id FROM event_own_facets
UNION ALL SELECT event_id, 'venue', target_id FROM event_venues
UNION ALL SELECT event_id, 'organizer', target_id FROM event_organizers
UNION ALL SELECT DISTINCT event_id, 'term', ancestor_id
  FROM event_terms JOIN term_ancestors ON term_id = event_terms.target_id;
--> statement-breakpoint
CREATE VIEW expected_listings AS
SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span
FROM event_facets JOIN events ON events.id = event_facets.event_id
WHERE listed;
--> statement-breakpoint
INSERT INTO listings
SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span FROM expected_listings
ORDER BY facet, target_id, utc_start_date, event_id;
--> statement-breakpoint
CREATE INDEX listings_event ON listings (event_id, facet, target_id);
--> statement-breakpoint
CREATE INDEX listings_end ON listings (facet, target_id, utc_end_date);
--> statement-breakpoint
CREATE INDEX listings_span ON listings (facet, target_id, span, utc_start_date, utc_end_date) WHERE span > 0;
--> statement-breakpoint
CREATE TABLE listing_counts (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  grain TEXT NOT NULL,
  period TEXT NOT NULL,
  starts INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, grain, period)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE VIEW listing_edges (facet, target_id, day, starts, ends) AS
SELECT facet, target_id, substr(utc_start_date, 1, 10), 1, 0 FROM listings
UNION ALL SELECT facet, target_id, substr(utc_end_date, 1, 10), 0, 1 FROM listings;
--> statement-breakpoint
CREATE VIEW expected_listing_counts AS
SELECT facet, target_id, 'day' AS grain, day AS period, sum(starts) AS starts, sum(ends) AS ends
FROM listing_edges GROUP BY 1, 2, 4
UNION ALL
SELECT facet, target_id, 'month', substr(day, 1, 7), sum(starts), sum(ends)
FROM listing_edges GROUP BY 1, 2, 4;
--> statement-breakpoint
INSERT INTO listing_counts SELECT facet, target_id, grain, period, starts, ends FROM expected_listing_counts;
--> statement-breakpoint
CREATE TRIGGER listings_count_insert AFTER INSERT ON listings BEGIN
  INSERT INTO listing_counts (facet, target_id, grain, period, starts, ends) VALUES
    (NEW.facet, NEW.target_id, 'day', substr(NEW.utc_start_date, 1, 10), 1, NEW.span = 0),
    (NEW.facet, NEW.target_id, 'month', substr(NEW.utc_start_date, 1, 7), 1, NEW.span = 0)
  ON CONFLICT DO UPDATE SET starts = starts + excluded.starts, ends = ends + excluded.ends;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_insert_end AFTER INSERT ON listings WHEN NEW.span > 0 BEGIN
  INSERT INTO listing_counts (facet, target_id, grain, period, starts, ends) VALUES
    (NEW.facet, NEW.target_id, 'day', substr(NEW.utc_end_date, 1, 10), 0, 1),
    (NEW.facet, NEW.target_id, 'month', substr(NEW.utc_end_date, 1, 7), 0, 1)
  ON CONFLICT DO UPDATE SET ends = ends + 1;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_delete AFTER DELETE ON listings BEGIN
  UPDATE listing_counts SET starts = starts - 1, ends = ends - (OLD.span = 0)
  WHERE facet = OLD.facet AND target_id = OLD.target_id AND grain = 'day' AND period = substr(OLD.utc_start_date, 1, 10);
  UPDATE listing_counts SET starts = starts - 1, ends = ends - (OLD.span = 0)
  WHERE facet = OLD.facet AND target_id = OLD.target_id AND grain = 'month' AND period = substr(OLD.utc_start_date, 1, 7);
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_delete_end AFTER DELETE ON listings WHEN OLD.span > 0 BEGIN
  UPDATE listing_counts SET ends = ends - 1
  WHERE facet = OLD.facet AND target_id = OLD.target_id AND grain = 'day' AND period = substr(OLD.utc_end_date, 1, 10);
  UPDATE listing_counts SET ends = ends - 1
  WHERE facet = OLD.facet AND target_id = OLD.target_id AND grain = 'month' AND period = substr(OLD.utc_end_date, 1, 7);
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_insert AFTER INSERT ON events WHEN NEW.listed BEGIN
  INSERT INTO listings SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span FROM event_own_facets JOIN events ON events.id = event_id WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, utc_start_date, utc_end_date, featured, ticketed, post_parent ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.utc_start_date <> NEW.utc_start_date OR OLD.utc_end_date <> NEW.utc_end_date
  OR OLD.featured <> NEW.featured OR OLD.ticketed <> NEW.ticketed OR OLD.post_parent IS NOT NEW.post_parent
)) BEGIN
  DELETE FROM listings WHERE event_id = NEW.id;
  INSERT INTO listings SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span FROM expected_listings WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_delete AFTER DELETE ON events BEGIN
  DELETE FROM listings WHERE event_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO listings
    SELECT 'venue', NEW.target_id, utc_start_date, id, utc_end_date, span
    FROM events WHERE id = NEW.event_id AND listed;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_delete AFTER DELETE ON event_venues BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND +facet = 'venue' AND +target_id = OLD.target_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_listing_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO listings
    SELECT 'organizer', NEW.target_id, utc_start_date, id, utc_end_date, span
    FROM events WHERE id = NEW.event_id AND listed;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_listing_delete AFTER DELETE ON event_organizers BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND +facet = 'organizer' AND +target_id = OLD.target_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_listing_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO listings
    SELECT 'term', ancestor_id, utc_start_date, events.id, utc_end_date, span
    FROM events JOIN term_ancestors ON term_id = NEW.target_id
    WHERE events.id = NEW.event_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = NEW.event_id AND there.facet = 'term' AND there.target_id = ancestor_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_listing_delete AFTER DELETE ON event_terms BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND +facet = 'term' AND target_id NOT IN (
    SELECT ancestor_id FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = OLD.event_id
  );
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_insert AFTER INSERT ON term_ancestors WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO listings
    SELECT 'term', NEW.ancestor_id, utc_start_date, events.id, utc_end_date, span
    FROM event_terms CROSS JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = NEW.term_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = events.id AND there.facet = 'term' AND there.target_id = NEW.ancestor_id);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_delete AFTER DELETE ON term_ancestors WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  DELETE FROM listings WHERE facet = 'term' AND target_id = OLD.ancestor_id
  AND event_id IN (SELECT event_id FROM event_terms WHERE target_id = OLD.term_id)
  AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = listings.event_id AND ancestor_id = OLD.ancestor_id);
END;
--> statement-breakpoint
-- The text index tells, by the column, whether lists may show an event.
CREATE TRIGGER events_search_update AFTER UPDATE OF status, hide_from_listings, utc_start_date ON events
WHEN OLD.search_key <> NEW.search_key OR OLD.listed <> NEW.listed BEGIN
  UPDATE events_search SET
    rowid = NEW.search_key,
    listed = iif(NEW.listed, coalesce(listed, unlisted), NULL),
    unlisted = iif(NEW.listed, NULL, coalesce(listed, unlisted))
  WHERE rowid = OLD.search_key;
END;
--> statement-breakpoint
UPDATE events_search SET unlisted = coalesce(listed, unlisted), listed = NULL
WHERE rowid IN (SELECT search_key FROM events WHERE status = 'future');
--> statement-breakpoint
-- Longer chains of categories make addresses that nobody can use, and moves that take for ever.
CREATE TRIGGER term_ancestors_depth BEFORE INSERT ON term_ancestors
WHEN (SELECT count(*) FROM term_ancestors WHERE term_id = NEW.term_id) >= 10 BEGIN
  SELECT RAISE(ABORT, 'category too deep');
END;
--> statement-breakpoint
-- The revision that anonymous callers see.
ALTER TABLE revision ADD COLUMN public_n INTEGER NOT NULL DEFAULT 1;
--> statement-breakpoint
ALTER TABLE revision ADD COLUMN public_modified_utc TEXT NOT NULL DEFAULT '0001-01-01 00:00:00';
--> statement-breakpoint
UPDATE revision SET epoch = lower(hex(randomblob(16))), public_modified_utc = modified_utc;
--> statement-breakpoint
CREATE TRIGGER events_public_revision_insert AFTER INSERT ON events WHEN NEW.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER events_public_revision_update AFTER UPDATE ON events WHEN 'publish' IN (OLD.status, NEW.status) BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER events_public_revision_delete AFTER DELETE ON events WHEN OLD.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER venues_public_revision_insert AFTER INSERT ON venues WHEN NEW.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER venues_public_revision_update AFTER UPDATE ON venues WHEN 'publish' IN (OLD.status, NEW.status) BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER venues_public_revision_delete AFTER DELETE ON venues WHEN OLD.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_public_revision_insert AFTER INSERT ON organizers WHEN NEW.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_public_revision_update AFTER UPDATE ON organizers WHEN 'publish' IN (OLD.status, NEW.status) BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_public_revision_delete AFTER DELETE ON organizers WHEN OLD.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER terms_public_revision_insert AFTER INSERT ON terms BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER terms_public_revision_update AFTER UPDATE ON terms BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER terms_public_revision_delete AFTER DELETE ON terms BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
-- As with content: a write that was worked out from an older version is refused, and worked out again.
CREATE TRIGGER terms_version BEFORE UPDATE OF version ON terms WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
-- Links are part of their event, whoever writes them, and in whichever batch.
CREATE TRIGGER event_venues_revision_insert AFTER INSERT ON event_venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id = NEW.event_id) AS seen);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_revision_update AFTER UPDATE ON event_venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id IN (OLD.event_id, NEW.event_id)) AS seen);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_revision_delete AFTER DELETE ON event_venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id = OLD.event_id) AS seen);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_revision_insert AFTER INSERT ON event_organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id = NEW.event_id) AS seen);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_revision_update AFTER UPDATE ON event_organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id IN (OLD.event_id, NEW.event_id)) AS seen);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_revision_delete AFTER DELETE ON event_organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id = OLD.event_id) AS seen);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_revision_insert AFTER INSERT ON event_terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id = NEW.event_id) AS seen);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_revision_update AFTER UPDATE ON event_terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id IN (OLD.event_id, NEW.event_id)) AS seen);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_revision_delete AFTER DELETE ON event_terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (SELECT 1 FROM events WHERE status = 'publish' AND id = OLD.event_id) AS seen);
END;
--> statement-breakpoint
-- Nothing shows an image that was just recorded, but many rows may share one whose size becomes known.
CREATE TRIGGER images_revision_update AFTER UPDATE ON images
WHEN (OLD.url, OLD.width, OLD.height) IS NOT (NEW.url, NEW.width, NEW.height) BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'),
    public_n = public_n + 1, public_modified_utc = datetime('now');
END;
