-- The date of the next publication, in revision.next_due_utc: the earliest date of what is scheduled, or null.
-- Once it has passed, and until the cron has published what is due, no response is cached (src/http/revision.ts).

CREATE VIEW scheduled (date_utc) AS
SELECT date_utc FROM events WHERE status = 'future'
UNION ALL SELECT date_utc FROM venues WHERE status = 'future'
UNION ALL SELECT date_utc FROM organizers WHERE status = 'future';

CREATE TRIGGER events_scheduled_insert AFTER INSERT ON events WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;

CREATE TRIGGER events_scheduled_update AFTER UPDATE OF status, date_utc ON events
WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;

CREATE TRIGGER events_scheduled_delete AFTER DELETE ON events WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;

CREATE TRIGGER venues_scheduled_insert AFTER INSERT ON venues WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;

CREATE TRIGGER venues_scheduled_update AFTER UPDATE OF status, date_utc ON venues
WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;

CREATE TRIGGER venues_scheduled_delete AFTER DELETE ON venues WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;

CREATE TRIGGER organizers_scheduled_insert AFTER INSERT ON organizers WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;

CREATE TRIGGER organizers_scheduled_update AFTER UPDATE OF status, date_utc ON organizers
WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;

CREATE TRIGGER organizers_scheduled_delete AFTER DELETE ON organizers WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
