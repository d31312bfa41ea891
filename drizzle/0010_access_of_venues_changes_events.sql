DROP TRIGGER venues_events_change;
--> statement-breakpoint
CREATE TRIGGER venues_events_change AFTER UPDATE OF status, geo_lat, geo_lng, wheelchair ON venues
WHEN (OLD.status, OLD.geo_lat, OLD.geo_lng, OLD.wheelchair) IS NOT (NEW.status, NEW.geo_lat, NEW.geo_lng, NEW.wheelchair) BEGIN
  INSERT INTO changed
    SELECT 'events', id, author_id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN events_of CROSS JOIN events ON id = event_id WHERE facet = 'venue' AND target_id = NEW.id
    AND (events.wheelchair = '' OR (OLD.status, OLD.geo_lat, OLD.geo_lng) IS NOT (NEW.status, NEW.geo_lat, NEW.geo_lng));
END;
