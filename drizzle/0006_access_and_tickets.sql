DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP VIEW possible_facets;
--> statement-breakpoint
DROP VIEW event_facets;
--> statement-breakpoint
CREATE VIEW access_at_venues (venue_id, event_id, target_id, period) AS
SELECT listings.target_id, listings.event_id, access.target_id, access.period
FROM listings CROSS JOIN listings AS access ON access.facet = 'access' AND access.target_id IN (1, 2, 3, 4, 5, 6, 7)
  AND access.utc_start_date = listings.utc_start_date AND access.event_id = listings.event_id
WHERE listings.facet = 'venue';
--> statement-breakpoint
CREATE VIEW event_access (event_id, kinds) AS
SELECT id, CASE wheelchair WHEN 'yes' THEN 1 WHEN 'limited' THEN 2 WHEN 'no' THEN 4 WHEN '' THEN (
  SELECT coalesce(sum(DISTINCT CASE venues.wheelchair WHEN 'yes' THEN 1 WHEN 'limited' THEN 2 WHEN 'no' THEN 4 ELSE 0 END), 0)
  FROM event_venues CROSS JOIN venues ON venues.id = event_venues.target_id
  WHERE event_venues.event_id = events.id AND venues.status = 'publish') ELSE 0 END
FROM events;
--> statement-breakpoint
CREATE VIEW event_visit_facets (event_id, facet, target_id) AS
SELECT id, 'ticket_availability', CASE ticket_availability WHEN 'available' THEN 1 WHEN 'few' THEN 2 WHEN 'sold_out' THEN 3 ELSE 4 END
  FROM events WHERE ticket_availability IN ('available', 'few', 'sold_out', 'waitlist')
UNION ALL SELECT event_id, 'access', kinds FROM event_access WHERE kinds > 0;
--> statement-breakpoint
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT event_id, facet, target_id FROM event_own_facets
UNION ALL SELECT event_id, facet, target_id FROM event_visit_facets
UNION ALL SELECT id, 'parent', post_parent FROM events WHERE post_parent IS NOT NULL AND parent_confirmed_by IS NOT NULL
UNION ALL SELECT event_id, facet, target_id FROM event_link_facets;
--> statement-breakpoint
CREATE VIEW possible_facets (facet, target_id) AS
SELECT value ->> 0, value ->> 1 FROM json_each('[["event",0],["featured",1],["ticketed",1],["virtual",1],
  ["event_status",1],["event_status",2],["event_status",3],
  ["ticket_availability",1],["ticket_availability",2],["ticket_availability",3],["ticket_availability",4],
  ["access",1],["access",2],["access",3],["access",4],["access",5],["access",6],["access",7]]')
UNION ALL SELECT 'source', id FROM sources;
--> statement-breakpoint
CREATE TRIGGER event_access_changed INSTEAD OF INSERT ON event_access BEGIN
  DELETE FROM listings WHERE facet = 'access' AND target_id IN (1, 2, 3, 4, 5, 6, 7)
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = NEW.event_id) AND event_id = NEW.event_id
    AND target_id <> (SELECT kinds FROM event_access WHERE event_id = NEW.event_id);
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date FROM expected_listings AS wanted
    WHERE event_id = NEW.event_id AND facet = 'access'
    AND NOT EXISTS (SELECT 1 FROM listings AS there WHERE there.facet = 'access' AND there.target_id = wanted.target_id
      AND there.utc_start_date = wanted.utc_start_date AND there.event_id = wanted.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_access_insert AFTER INSERT ON event_venues
WHEN EXISTS (SELECT 1 FROM venues WHERE id = NEW.target_id AND wheelchair <> '' AND status = 'publish') BEGIN
  INSERT INTO event_access (event_id) VALUES (NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_access_delete AFTER DELETE ON event_venues BEGIN
  INSERT INTO event_access (event_id) VALUES (OLD.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER venues_access_update AFTER UPDATE OF wheelchair, status ON venues
WHEN iif(OLD.status = 'publish', OLD.wheelchair, '') <> iif(NEW.status = 'publish', NEW.wheelchair, '') BEGIN
  UPDATE revision SET first_new_id = -coalesce(first_new_id, 33554432);
  INSERT INTO listing_counts (facet, target_id, period, n)
    SELECT 'access', target_id, period, -count(*) FROM access_at_venues
    WHERE venue_id = NEW.id AND event_id < (SELECT -first_new_id FROM revision) GROUP BY 2, 3
  ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO event_access (event_id) SELECT event_id FROM listings WHERE facet = 'venue' AND target_id = NEW.id;
  INSERT INTO listing_counts (facet, target_id, period, n)
    SELECT 'access', target_id, period, count(*) FROM access_at_venues
    WHERE venue_id = NEW.id AND event_id < (SELECT -first_new_id FROM revision) GROUP BY 2, 3
  ON CONFLICT DO UPDATE SET n = n + excluded.n;
  UPDATE revision SET first_new_id = nullif(-first_new_id, 33554432);
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, duplicate_of, featured, ticketed, post_parent, parent_confirmed_by,
  event_status, is_virtual, ticket_availability, wheelchair, series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.featured <> NEW.featured OR OLD.ticketed <> NEW.ticketed OR OLD.post_parent IS NOT NEW.post_parent
  OR (OLD.parent_confirmed_by IS NULL) <> (NEW.parent_confirmed_by IS NULL)
  OR OLD.event_status <> NEW.event_status OR OLD.is_virtual <> NEW.is_virtual
  OR OLD.ticket_availability <> NEW.ticket_availability OR OLD.wheelchair <> NEW.wheelchair
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
-- Existing events, which are counted together, not one by one.
UPDATE revision SET first_new_id = -33554432;
--> statement-breakpoint
INSERT INTO listings (facet, target_id, utc_start_date, event_id, utc_end_date)
SELECT facet, target_id, utc_start_date, event_id, utc_end_date
FROM event_visit_facets CROSS JOIN events ON events.id = event_id WHERE listed;
--> statement-breakpoint
INSERT INTO listing_counts (facet, target_id, period, n)
SELECT facet, target_id, period, count(*) FROM listings WHERE facet IN ('ticket_availability', 'access') GROUP BY 1, 2, 3;
--> statement-breakpoint
UPDATE revision SET first_new_id = NULL;
