-- Duplicates (twins): lists leave out an event if they show another event that is the same. Whatever happens
-- to the shown event, and however it is written, only a public event hides another, unless both were moved to
-- the trash together.

-- An event that hides another must be public and not hidden itself, so that all duplicates of a group lead to
-- the same event. If two writes join events at the same time, the later one fails, as with versions.
CREATE TRIGGER events_twins_check BEFORE UPDATE OF duplicate_of ON events
WHEN NEW.duplicate_of IS NOT NULL AND NEW.duplicate_of IS NOT OLD.duplicate_of AND (
  NOT EXISTS (SELECT 1 FROM events WHERE id = NEW.duplicate_of AND id <> NEW.id AND status = 'publish'
    AND hide_from_listings = 0 AND (duplicate_of IS NULL OR duplicate_of = OLD.duplicate_of))
  OR EXISTS (SELECT 1 FROM events WHERE duplicate_of = NEW.id)
) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

-- Hidden events, and the events that hide them. The rank decides which hidden event is shown once one has to
-- be: our own events come first, then events of older sources.
CREATE VIEW hidden_twins (event_id, shown_id, stays_hidden, is_public, rank) AS
SELECT id, duplicate_of,
  EXISTS (SELECT 1 FROM twins WHERE first_id = min(events.id, duplicate_of) AND second_id = max(events.id, duplicate_of)
    AND trashed_from <> ''),
  status = 'publish' AND hide_from_listings = 0,
  coalesce((SELECT min(source_id) FROM event_sources WHERE event_id = events.id AND NOT is_other), 0)
FROM events
WHERE duplicate_of IS NOT NULL;

-- An event that no longer hides its duplicates inserts itself here. Lists show the next of them, which hides
-- the others; if none is public, none hides another.
CREATE VIEW released_twins (shown_id, at_utc) AS SELECT 0, '' WHERE false;

CREATE TRIGGER released_twins_insert INSTEAD OF INSERT ON released_twins BEGIN
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = NEW.shown_id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = NEW.shown_id AND events.id <> next.event_id;
  -- The next event is now the only one whose duplicate_of still has its former value.
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.id, events.id), max(next.id, events.id), 'joined', 1, NEW.at_utc
    FROM events AS next CROSS JOIN events ON events.duplicate_of = next.id WHERE next.duplicate_of = NEW.shown_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = NEW.shown_id;
END;

-- An event that is no longer public releases its duplicates. All stay hidden if somebody with the right to do
-- so moved all of them to the trash, which their pairs record. The audit attributes the change to the sources
-- (see DUPLICATES_REQUEST).
CREATE TRIGGER events_twins_release AFTER UPDATE OF status, hide_from_listings ON events
WHEN (NEW.status <> 'publish' OR NEW.hide_from_listings) AND EXISTS (
  SELECT 1 FROM hidden_twins WHERE shown_id = NEW.id AND NOT (stays_hidden AND NEW.status = 'trash')
) BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT NEW.modified_utc, 'import:sources', 'update', 'event', event_id, '["duplicate_of"]', json_object('duplicate_of', json_array(NEW.id, 0))
    FROM hidden_twins WHERE shown_id = NEW.id;
  INSERT INTO released_twins VALUES (NEW.id, NEW.modified_utc);
END;

-- When an event comes back from the trash, so do its duplicates, still hidden. A hidden event that comes back
-- alone is no longer hidden.
CREATE TRIGGER events_twins_return AFTER UPDATE OF status ON events
WHEN OLD.status = 'trash' AND NEW.status <> 'trash' BEGIN
  UPDATE twins SET trashed_from = '' WHERE trashed_from <> '' AND (first_id = NEW.id OR second_id = NEW.id);
  UPDATE events SET duplicate_of = NULL WHERE id = NEW.id AND duplicate_of IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM events AS shown WHERE shown.id = NEW.duplicate_of AND shown.listed);
END;

-- A deleted event releases its duplicates as well. Duplicates that were to stay hidden go to the trash. A
-- deletion brings no time, so the audit gets the time of the database.
CREATE TRIGGER events_twins_delete BEFORE DELETE ON events BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT datetime('now'), 'import:sources', iif(stays_hidden, 'trash', 'update'), 'event', event_id, '["duplicate_of"]',
      json_object('duplicate_of', json_array(OLD.id, 0))
    FROM hidden_twins WHERE shown_id = OLD.id;
  UPDATE events SET status = 'trash', version = version + 1, duplicate_of = NULL
    WHERE id IN (SELECT event_id FROM hidden_twins WHERE shown_id = OLD.id AND stays_hidden);
  INSERT INTO released_twins VALUES (OLD.id, datetime('now'));
  DELETE FROM twins WHERE first_id = OLD.id OR second_id = OLD.id;
END;
