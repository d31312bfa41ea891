DROP TRIGGER events_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_venues_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_organizers_listing_insert;
--> statement-breakpoint
DROP TRIGGER event_terms_listing_insert;
--> statement-breakpoint
DROP TRIGGER term_ancestors_listing_insert;
--> statement-breakpoint
DROP TRIGGER events_change_insert;
--> statement-breakpoint
DROP TRIGGER events_change_update;
--> statement-breakpoint
DROP TRIGGER events_change_delete;
--> statement-breakpoint
DROP TRIGGER event_venues_change_insert;
--> statement-breakpoint
DROP TRIGGER event_venues_change_update;
--> statement-breakpoint
DROP TRIGGER event_venues_change_delete;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_insert;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_update;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_change_insert;
--> statement-breakpoint
DROP TRIGGER event_terms_change_update;
--> statement-breakpoint
DROP TRIGGER event_terms_change_delete;
--> statement-breakpoint
DROP TRIGGER term_ancestors_change_insert;
--> statement-breakpoint
DROP TRIGGER term_ancestors_change_delete;
--> statement-breakpoint
DROP TRIGGER venues_events_change;
--> statement-breakpoint
DROP TRIGGER organizers_events_change;
--> statement-breakpoint
DROP TRIGGER series_change_update;
--> statement-breakpoint
DROP TRIGGER images_change_update;
--> statement-breakpoint
DROP TRIGGER events_unlisted;
--> statement-breakpoint
DROP TRIGGER events_listed_again;
--> statement-breakpoint
DROP TRIGGER events_twins_return;
--> statement-breakpoint
DROP TRIGGER events_twins_release;
--> statement-breakpoint
DROP TRIGGER events_search_update;
--> statement-breakpoint
DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP VIEW expected_listings;
--> statement-breakpoint
DROP INDEX events_shared_text;
--> statement-breakpoint
DROP INDEX events_month_id;
--> statement-breakpoint
DROP INDEX events_month_modified;
--> statement-breakpoint
DROP INDEX events_month_date;
--> statement-breakpoint
DROP INDEX events_month_title;
--> statement-breakpoint
ALTER TABLE `events` DROP COLUMN `listed`;--> statement-breakpoint
ALTER TABLE `events` ADD `listed` integer GENERATED ALWAYS AS (status = 'publish' AND hide_from_listings = 0 AND duplicate_of IS NULL) VIRTUAL;
--> statement-breakpoint
CREATE VIEW expected_listings AS
SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span
FROM event_facets JOIN events ON events.id = event_facets.event_id
WHERE listed;
--> statement-breakpoint
CREATE INDEX events_month_id ON events
  (substr(utc_start_date, 1, 7), id, utc_start_date, utc_end_date) WHERE listed;
--> statement-breakpoint
CREATE INDEX events_month_modified ON events
  (substr(utc_start_date, 1, 7), modified_utc, id, utc_start_date, utc_end_date) WHERE listed;
--> statement-breakpoint
CREATE INDEX events_month_date ON events
  (substr(utc_start_date, 1, 7), date_utc, id, utc_start_date, utc_end_date) WHERE listed;
--> statement-breakpoint
CREATE INDEX events_month_title ON events
  (substr(utc_start_date, 1, 7), title COLLATE NOCASE, id, utc_start_date, utc_end_date) WHERE listed;
--> statement-breakpoint
CREATE INDEX `events_shared_text` ON `events` (`series_id`,`utc_start_date`,`id`,`utc_end_date`) WHERE shares_text AND listed;
--> statement-breakpoint
CREATE TRIGGER events_listed_again AFTER UPDATE ON events WHEN NEW.listed AND NOT OLD.listed BEGIN
  DELETE FROM unlisted WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_unlisted AFTER UPDATE ON events WHEN OLD.listed AND NOT NEW.listed BEGIN
  INSERT INTO unlisted
    (event_id, version, date_utc, modified_utc, title, all_day, start_date, utc_start_date, utc_end_date, timezone)
    VALUES (
      OLD.id,
      iif(
        (OLD.title, OLD.description, OLD.excerpt, OLD.utc_start_date, OLD.utc_end_date, OLD.featured, OLD.ticketed,
          OLD.is_virtual, OLD.event_status, OLD.post_parent, OLD.series_id)
        IS (NEW.title, NEW.description, NEW.excerpt, NEW.utc_start_date, NEW.utc_end_date, NEW.featured, NEW.ticketed,
          NEW.is_virtual, NEW.event_status, NEW.post_parent, NEW.series_id),
        NEW.version, 0
      ),
      OLD.date_utc, NEW.modified_utc, OLD.title, OLD.all_day, OLD.start_date, OLD.utc_start_date, OLD.utc_end_date,
      OLD.timezone
    );
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
CREATE TRIGGER events_search_update AFTER UPDATE OF status, hide_from_listings, duplicate_of, utc_start_date ON events
WHEN OLD.search_key <> NEW.search_key OR OLD.listed <> NEW.listed BEGIN
  UPDATE events_search SET
    rowid = NEW.search_key,
    listed = iif(NEW.listed, coalesce(listed, unlisted), NULL),
    unlisted = iif(NEW.listed, NULL, coalesce(listed, unlisted))
  WHERE rowid = OLD.search_key;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO listings
    SELECT 'term', NEW.ancestor_id, utc_start_date, events.id, utc_end_date, span
    FROM event_terms CROSS JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = NEW.term_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = events.id AND there.facet = 'term' AND there.target_id = NEW.ancestor_id);
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
CREATE TRIGGER event_organizers_listing_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO listings
    SELECT 'organizer', NEW.target_id, utc_start_date, id, utc_end_date, span
    FROM events WHERE id = NEW.event_id AND listed;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO listings
    SELECT 'venue', NEW.target_id, utc_start_date, id, utc_end_date, span
    FROM events WHERE id = NEW.event_id AND listed;
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
CREATE TRIGGER events_listing_insert AFTER INSERT ON events WHEN NEW.listed BEGIN
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span
    FROM event_own_facets JOIN events ON events.id = event_id
    WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_change_delete AFTER DELETE ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', OLD.id, next.n, iif(OLD.listed, next.public_n, NULL),
      ',' || OLD.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER events_change_update AFTER UPDATE ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', NEW.id, next.n, iif(OLD.listed OR NEW.listed, next.public_n, NULL),
      ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER events_change_insert AFTER INSERT ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', NEW.id, next.n, iif(NEW.listed, next.public_n, NULL),
      ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER images_change_update AFTER UPDATE ON images
WHEN (OLD.url, OLD.width, OLD.height) IS NOT (NEW.url, NEW.width, NEW.height) BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', venues.id, next.n, iif(venues.status = 'publish', next.public_n, NULL),
      ',' || venues.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN venues WHERE venues.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', organizers.id, next.n, iif(organizers.status = 'publish', next.public_n, NULL),
      ',' || organizers.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN organizers WHERE organizers.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER series_change_update AFTER UPDATE ON series
WHEN (OLD.slug, OLD.description, OLD.excerpt, OLD.rrule, OLD.rdate, OLD.exdate)
  IS NOT (NEW.slug, NEW.description, NEW.excerpt, NEW.rrule, NEW.rdate, NEW.exdate) BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.series_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_events_change AFTER UPDATE OF status ON organizers
WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_organizers AS links CROSS JOIN events ON events.id = links.event_id
    WHERE links.target_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER venues_events_change AFTER UPDATE OF status, geo_lat, geo_lng ON venues
WHEN OLD.status <> NEW.status OR OLD.geo_lat IS NOT NEW.geo_lat OR OLD.geo_lng IS NOT NEW.geo_lng BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_venues AS links CROSS JOIN events ON events.id = links.event_id
    WHERE links.target_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_terms CROSS JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = OLD.term_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_terms CROSS JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = NEW.term_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_delete AFTER DELETE ON event_terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_update AFTER UPDATE ON event_terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_insert AFTER INSERT ON event_terms
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1) IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_delete AFTER DELETE ON event_organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_update AFTER UPDATE ON event_organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_insert AFTER INSERT ON event_organizers
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1) IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_delete AFTER DELETE ON event_venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_update AFTER UPDATE ON event_venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_insert AFTER INSERT ON event_venues
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1) IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
