DROP TRIGGER events_listing_update;
--> statement-breakpoint
DROP VIEW event_visit_facets;
--> statement-breakpoint
DROP VIEW possible_facets;
--> statement-breakpoint
ALTER TABLE `events` ADD `is_free` integer GENERATED ALWAYS AS (cost <> '' AND cost NOT GLOB '*[1-9]*' AND (cost GLOB '*0*' OR lower(trim(cost)) || ' ' GLOB 'free[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entry free[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'admission free[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'gratis[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'kostenlos[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'kostenfrei[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'umsonst[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'frei[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'eintritt frei[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'freier eintritt[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'gratuit*' OR lower(trim(cost)) || ' ' GLOB 'entr[éÉ]e libre[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entr[éÉ]e gratuit*' OR lower(trim(cost)) || ' ' GLOB 'libre[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entrada libre[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entrada gratis[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entrada gratuit*')) VIRTUAL;
--> statement-breakpoint
CREATE VIEW event_visit_facets (event_id, facet, target_id) AS
SELECT id, 'ticket_availability', CASE ticket_availability WHEN 'available' THEN 1 WHEN 'few' THEN 2 WHEN 'sold_out' THEN 3 ELSE 4 END
  FROM events WHERE ticket_availability IN ('available', 'few', 'sold_out', 'waitlist')
UNION ALL SELECT event_id, 'access', kinds FROM event_access WHERE kinds > 0
UNION ALL SELECT id, 'free', 1 FROM events WHERE is_free = 1
-- Lists by several venues have these events once.
UNION ALL SELECT id, 'several_venues', 1 FROM events WHERE (SELECT count(*) FROM event_venues WHERE event_id = events.id) > 1;
--> statement-breakpoint
CREATE VIEW possible_facets (facet, target_id) AS
SELECT value ->> 0, value ->> 1 FROM json_each('[["event",0],["featured",1],["ticketed",1],["virtual",1],
  ["event_status",1],["event_status",2],["event_status",3],
  ["ticket_availability",1],["ticket_availability",2],["ticket_availability",3],["ticket_availability",4],
  ["access",1],["access",2],["access",3],["access",4],["access",5],["access",6],["access",7],["several_venues",1],["free",1]]')
UNION ALL SELECT 'source', id FROM sources;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, duplicate_of, featured, ticketed, post_parent, parent_confirmed_by,
  event_status, is_virtual, ticket_availability, wheelchair, cost, series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.featured <> NEW.featured OR OLD.ticketed <> NEW.ticketed OR OLD.post_parent IS NOT NEW.post_parent
  OR (OLD.parent_confirmed_by IS NULL) <> (NEW.parent_confirmed_by IS NULL)
  OR OLD.event_status <> NEW.event_status OR OLD.is_virtual <> NEW.is_virtual
  OR OLD.ticket_availability <> NEW.ticket_availability OR OLD.wheelchair <> NEW.wheelchair
  OR OLD.is_free <> NEW.is_free
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
SELECT 'free', 1, utc_start_date, id, utc_end_date FROM events WHERE is_free = 1 AND listed;
--> statement-breakpoint
INSERT INTO listing_counts (facet, target_id, period, n)
SELECT facet, target_id, period, count(*) FROM listings WHERE facet = 'free' GROUP BY 1, 2, 3;
--> statement-breakpoint
UPDATE revision SET first_new_id = NULL;
