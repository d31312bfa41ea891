-- Twins: events that lists leave out, because they show another one that is the same. Whatever happens to that one, and
-- however it is written, nothing is hidden by what is not public itself.

-- What hides another event is public, and not hidden by another one, so that all twins of a group lead to the same event. Of
-- two writes that join at the same time, the later fails as with versions.
CREATE TRIGGER events_twins_check BEFORE UPDATE OF duplicate_of ON events
WHEN NEW.duplicate_of IS NOT NULL AND NEW.duplicate_of IS NOT OLD.duplicate_of AND (
  NOT EXISTS (SELECT 1 FROM events WHERE id = NEW.duplicate_of AND id <> NEW.id AND status = 'publish'
    AND hide_from_listings = 0 AND (duplicate_of IS NULL OR duplicate_of = OLD.duplicate_of))
  OR EXISTS (SELECT 1 FROM events WHERE duplicate_of = NEW.id)
) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

-- Published twins in the order in which they take the place of what showed them: own events, then those of older sources.
CREATE VIEW successors (event_id, duplicate_of, rank) AS
SELECT id, duplicate_of, coalesce((
    SELECT min(CAST(substr(source, 8) AS INTEGER)) FROM imports
    WHERE source GLOB 'source:*'
      AND ((kind = 'event' AND target_id = events.id) OR (kind = 'series' AND target_id = events.series_id))
  ), 0)
FROM events
WHERE duplicate_of IS NOT NULL AND status = 'publish' AND hide_from_listings = 0;

-- Where the event is not public any more, the next of its twins is, and shows the others. Those that went to the trash along
-- with it stay with it.
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

-- What comes back from the trash is not hidden by what stays there.
CREATE TRIGGER events_twins_return AFTER UPDATE OF status ON events
WHEN NEW.duplicate_of IS NOT NULL AND OLD.status = 'trash' AND NEW.status <> 'trash'
  AND NOT EXISTS (SELECT 1 FROM events WHERE id = NEW.duplicate_of AND listed) BEGIN
  UPDATE events SET duplicate_of = NULL WHERE id = NEW.id;
END;

-- The same where it is deleted.
CREATE TRIGGER events_twins_delete BEFORE DELETE ON events BEGIN
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.event_id, events.id), max(next.event_id, events.id), 'joined', 1, datetime('now')
    FROM (SELECT event_id FROM successors WHERE duplicate_of = OLD.id ORDER BY rank, event_id LIMIT 1) AS next
    CROSS JOIN events ON duplicate_of = OLD.id AND id <> next.event_id;
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM successors WHERE duplicate_of = OLD.id ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = OLD.id AND events.id <> next.event_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = OLD.id;
  DELETE FROM twins WHERE first_id = OLD.id OR second_id = OLD.id;
END;

-- What there was before the first source is compared with what comes of it, and not looked through.
CREATE TRIGGER sources_twins_place AFTER INSERT ON sources
WHEN NOT EXISTS (SELECT 1 FROM sources WHERE id <> NEW.id) BEGIN
  UPDATE twins_place SET id = 0, n = 1 + coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0);
END;
