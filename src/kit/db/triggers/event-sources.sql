-- The calendars that events come from: imports has an event or its series under the source "source:{id}". An
-- event that is shown instead of its duplicates is in their calendars as well (is_other).
CREATE VIEW event_sources (event_id, source_id, is_other) AS
SELECT shown.id, CAST(substr(imports.source, 8) AS INTEGER), own.id <> shown.id
FROM events AS shown
CROSS JOIN events AS own ON own.id = shown.id OR own.duplicate_of = shown.id
CROSS JOIN imports ON (imports.kind = 'event' AND imports.target_id = own.id)
  OR (imports.kind = 'series' AND imports.target_id = own.series_id)
WHERE imports.source GLOB 'source:*' AND (own.id = shown.id OR own.status = 'publish');

-- Renews the listings of an event whose calendars may have changed. The triggers below insert the ids of such
-- events.
CREATE TRIGGER event_sources_changed INSTEAD OF INSERT ON event_sources BEGIN
  DELETE FROM listings WHERE facet = 'source' AND target_id IN (SELECT id FROM sources)
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = NEW.event_id) AND event_id = NEW.event_id
    AND target_id NOT IN (SELECT source_id FROM event_sources WHERE event_id = NEW.event_id);
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date FROM expected_listings AS wanted
    WHERE event_id = NEW.event_id AND facet = 'source'
    AND NOT EXISTS (SELECT 1 FROM listings AS there WHERE there.facet = 'source' AND there.target_id = wanted.target_id
      AND there.utc_start_date = wanted.utc_start_date AND there.event_id = wanted.event_id);
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;

-- The events of a row of imports, and the events that are shown instead of them.
CREATE TRIGGER imports_event_sources_insert AFTER INSERT ON imports WHEN NEW.source GLOB 'source:*' BEGIN
  INSERT INTO event_sources (event_id)
    SELECT DISTINCT shown.id FROM events AS own CROSS JOIN events AS shown ON shown.id IN (own.id, iif(own.status = 'publish', own.duplicate_of, NULL))
    WHERE (NEW.kind = 'event' AND own.id = NEW.target_id) OR (NEW.kind = 'series' AND own.series_id = NEW.target_id);
END;

CREATE TRIGGER imports_event_sources_update AFTER UPDATE OF source, kind, target_id ON imports
WHEN (OLD.source, OLD.kind, OLD.target_id) IS NOT (NEW.source, NEW.kind, NEW.target_id)
  AND 'source:' IN (substr(OLD.source, 1, 7), substr(NEW.source, 1, 7)) BEGIN
  INSERT INTO event_sources (event_id)
    SELECT DISTINCT shown.id FROM events AS own CROSS JOIN events AS shown ON shown.id IN (own.id, iif(own.status = 'publish', own.duplicate_of, NULL))
    WHERE (OLD.kind = 'event' AND own.id = OLD.target_id) OR (OLD.kind = 'series' AND own.series_id = OLD.target_id)
      OR (NEW.kind = 'event' AND own.id = NEW.target_id) OR (NEW.kind = 'series' AND own.series_id = NEW.target_id);
END;

CREATE TRIGGER imports_event_sources_delete AFTER DELETE ON imports WHEN OLD.source GLOB 'source:*' BEGIN
  INSERT INTO event_sources (event_id)
    SELECT DISTINCT shown.id FROM events AS own CROSS JOIN events AS shown ON shown.id IN (own.id, iif(own.status = 'publish', own.duplicate_of, NULL))
    WHERE (OLD.kind = 'event' AND own.id = OLD.target_id) OR (OLD.kind = 'series' AND own.series_id = OLD.target_id);
END;

-- An event that is hidden, shown again or deleted gives its calendars to another event, or takes them away
-- from it.
CREATE TRIGGER events_event_sources_insert AFTER INSERT ON events
WHEN NEW.duplicate_of IS NOT NULL AND NEW.status = 'publish' BEGIN
  INSERT INTO event_sources (event_id) VALUES (NEW.duplicate_of);
END;

CREATE TRIGGER events_event_sources_update AFTER UPDATE OF duplicate_of, status, series_id ON events
WHEN (OLD.duplicate_of, OLD.status = 'publish', OLD.series_id) IS NOT (NEW.duplicate_of, NEW.status = 'publish', NEW.series_id) BEGIN
  INSERT INTO event_sources (event_id) SELECT OLD.duplicate_of WHERE OLD.duplicate_of IS NOT NULL AND OLD.status = 'publish'
    UNION SELECT NEW.duplicate_of WHERE NEW.duplicate_of IS NOT NULL AND NEW.status = 'publish';
END;

CREATE TRIGGER events_event_sources_delete AFTER DELETE ON events
WHEN OLD.duplicate_of IS NOT NULL AND OLD.status = 'publish' BEGIN
  INSERT INTO event_sources (event_id) VALUES (OLD.duplicate_of);
END;

-- Events show the name, the address and the rights of their source.
CREATE TRIGGER sources_events_change AFTER UPDATE ON sources
WHEN (OLD.name, OLD.url, OLD.rights_text, OLD.rights_url, OLD.is_being_deleted)
  IS NOT (NEW.name, NEW.url, NEW.rights_text, NEW.rights_url, NEW.is_being_deleted) BEGIN
  INSERT INTO event_sources (event_id)
    SELECT DISTINCT shown.id FROM imports
    CROSS JOIN events AS own ON (imports.kind = 'event' AND own.id = imports.target_id)
      OR (imports.kind = 'series' AND own.series_id = imports.target_id)
    CROSS JOIN events AS shown ON shown.id IN (own.id, iif(own.status = 'publish', own.duplicate_of, NULL))
    WHERE imports.source = 'source:' || NEW.id AND imports.kind IN ('event', 'series');
END;
