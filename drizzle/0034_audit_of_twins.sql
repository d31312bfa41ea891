DROP TRIGGER events_twins_delete;
--> statement-breakpoint
DROP TRIGGER events_twins_release;
--> statement-breakpoint
CREATE TRIGGER events_twins_delete BEFORE DELETE ON events BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT datetime('now'), 'import:sources', iif(stays_hidden, 'trash', 'update'), 'event', event_id, '["duplicate_of"]',
      json_object('duplicate_of', json_array(OLD.id, 0))
    FROM hidden_twins WHERE shown_id = OLD.id;
  UPDATE events SET status = 'trash', version = version + 1, duplicate_of = NULL
    WHERE id IN (SELECT event_id FROM hidden_twins WHERE shown_id = OLD.id AND stays_hidden);
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.event_id, events.id), max(next.event_id, events.id), 'joined', 1, datetime('now')
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = OLD.id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    CROSS JOIN events ON duplicate_of = OLD.id AND id <> next.event_id;
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = OLD.id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = OLD.id AND events.id <> next.event_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = OLD.id;
  DELETE FROM twins WHERE first_id = OLD.id OR second_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_release AFTER UPDATE OF status, hide_from_listings ON events
WHEN (NEW.status <> 'publish' OR NEW.hide_from_listings) AND EXISTS (
  SELECT 1 FROM hidden_twins WHERE shown_id = NEW.id AND NOT (stays_hidden AND NEW.status = 'trash')
) BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT NEW.modified_utc, 'import:sources', 'update', 'event', event_id, '["duplicate_of"]', json_object('duplicate_of', json_array(NEW.id, 0))
    FROM hidden_twins WHERE shown_id = NEW.id;
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.event_id, events.id), max(next.event_id, events.id), 'joined', 1, NEW.modified_utc
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = NEW.id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    CROSS JOIN events ON duplicate_of = NEW.id AND id <> next.event_id;
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = NEW.id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = NEW.id AND events.id <> next.event_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = NEW.id;
END;
