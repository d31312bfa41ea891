DROP VIEW event_visit_facets;
--> statement-breakpoint
DROP VIEW possible_facets;
--> statement-breakpoint
CREATE VIEW event_visit_facets (event_id, facet, target_id) AS
SELECT id, 'ticket_availability', CASE ticket_availability WHEN 'available' THEN 1 WHEN 'few' THEN 2 WHEN 'sold_out' THEN 3 ELSE 4 END
  FROM events WHERE ticket_availability IN ('available', 'few', 'sold_out', 'waitlist')
UNION ALL SELECT event_id, 'access', kinds FROM event_access WHERE kinds > 0
-- Lists by several venues have these events once.
UNION ALL SELECT id, 'several_venues', 1 FROM events WHERE (SELECT count(*) FROM event_venues WHERE event_id = events.id) > 1;
--> statement-breakpoint
CREATE VIEW possible_facets (facet, target_id) AS
SELECT value ->> 0, value ->> 1 FROM json_each('[["event",0],["featured",1],["ticketed",1],["virtual",1],
  ["event_status",1],["event_status",2],["event_status",3],
  ["ticket_availability",1],["ticket_availability",2],["ticket_availability",3],["ticket_availability",4],
  ["access",1],["access",2],["access",3],["access",4],["access",5],["access",6],["access",7],["several_venues",1]]')
UNION ALL SELECT 'source', id FROM sources;
--> statement-breakpoint
CREATE TRIGGER event_venues_several_insert AFTER INSERT ON event_venues
WHEN (SELECT count(*) FROM event_venues WHERE event_id = NEW.event_id) = 2 BEGIN
  INSERT INTO listings SELECT 'several_venues', 1, utc_start_date, id, utc_end_date FROM events WHERE id = NEW.event_id AND listed;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_several_delete AFTER DELETE ON event_venues
WHEN (SELECT count(*) FROM event_venues WHERE event_id = OLD.event_id) = 1 BEGIN
  DELETE FROM listings WHERE facet = 'several_venues' AND target_id = 1
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id;
END;

--> statement-breakpoint
-- Existing events, which are counted together, not one by one.
UPDATE revision SET first_new_id = -33554432;
--> statement-breakpoint
INSERT INTO listings (facet, target_id, utc_start_date, event_id, utc_end_date)
SELECT 'several_venues', 1, utc_start_date, id, utc_end_date
FROM (SELECT event_id FROM event_venues GROUP BY event_id HAVING count(*) > 1) AS several CROSS JOIN events ON events.id = several.event_id
WHERE listed;
--> statement-breakpoint
INSERT INTO listing_counts (facet, target_id, period, n)
SELECT facet, target_id, period, count(*) FROM listings WHERE facet = 'several_venues' GROUP BY 1, 2, 3;
--> statement-breakpoint
UPDATE revision SET first_new_id = NULL;
