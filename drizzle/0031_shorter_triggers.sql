DROP TRIGGER events_twins_release;
--> statement-breakpoint
DROP TRIGGER events_twins_delete;
--> statement-breakpoint
DROP TRIGGER venues_access_update;
--> statement-breakpoint
DROP VIEW hidden_twins;
--> statement-breakpoint
CREATE VIEW hidden_twins (event_id, shown_id, stays_hidden, is_public, rank) AS
SELECT id, duplicate_of,
  EXISTS (SELECT 1 FROM twins WHERE first_id = min(events.id, duplicate_of) AND second_id = max(events.id, duplicate_of)
    AND trashed_from <> ''),
  status = 'publish' AND hide_from_listings = 0,
  coalesce((SELECT min(source_id) FROM event_sources WHERE event_id = events.id AND NOT is_other), 0)
FROM events
WHERE duplicate_of IS NOT NULL;
--> statement-breakpoint
CREATE VIEW released_twins (shown_id, at_utc) AS SELECT 0, '' WHERE false;
--> statement-breakpoint
CREATE TRIGGER venues_access_update AFTER UPDATE OF wheelchair, status ON venues
WHEN iif(OLD.status = 'publish', OLD.wheelchair, '') <> iif(NEW.status = 'publish', NEW.wheelchair, '') BEGIN
  UPDATE revision SET first_new_id = -first_new_id;
  INSERT INTO listing_counts (facet, target_id, period, n)
    SELECT 'access', target_id, period, -count(*) FROM access_at_venues
    WHERE venue_id = NEW.id AND event_id < (SELECT -first_new_id FROM revision) GROUP BY 2, 3
  ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO event_access (event_id) SELECT event_id FROM listings WHERE facet = 'venue' AND target_id = NEW.id;
  INSERT INTO listing_counts (facet, target_id, period, n)
    SELECT 'access', target_id, period, count(*) FROM access_at_venues
    WHERE venue_id = NEW.id AND event_id < (SELECT -first_new_id FROM revision) GROUP BY 2, 3
  ON CONFLICT DO UPDATE SET n = n + excluded.n;
  UPDATE revision SET first_new_id = -first_new_id;
END;
--> statement-breakpoint
CREATE TRIGGER released_twins_insert INSTEAD OF INSERT ON released_twins BEGIN
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = NEW.shown_id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = NEW.shown_id AND events.id <> next.event_id;
  -- The next event is now the only one with its former value.
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.id, events.id), max(next.id, events.id), 'joined', 1, NEW.at_utc
    FROM events AS next CROSS JOIN events ON events.duplicate_of = next.id WHERE next.duplicate_of = NEW.shown_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = NEW.shown_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_release AFTER UPDATE OF status, hide_from_listings ON events
WHEN (NEW.status <> 'publish' OR NEW.hide_from_listings) AND EXISTS (
  SELECT 1 FROM hidden_twins WHERE shown_id = NEW.id AND NOT (stays_hidden AND NEW.status = 'trash')
) BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT NEW.modified_utc, 'import:sources', 'update', 'event', event_id, '["duplicate_of"]', json_object('duplicate_of', json_array(NEW.id, 0))
    FROM hidden_twins WHERE shown_id = NEW.id;
  INSERT INTO released_twins VALUES (NEW.id, NEW.modified_utc);
END;
--> statement-breakpoint
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
