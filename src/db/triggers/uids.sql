-- The UID in calendars of subscribers never changes: it is the external id that an event or series was made
-- with, if no other event has it. Occurrences have that of their series.
CREATE TRIGGER events_uid AFTER INSERT ON events
WHEN NEW.external_id <> '' AND NEW.uid = '' AND NEW.series_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = NEW.external_id) BEGIN
  UPDATE events SET uid = NEW.external_id WHERE id = NEW.id;
END;

CREATE TRIGGER series_uid AFTER INSERT ON series WHEN NEW.external_id <> '' AND NEW.uid = '' BEGIN
  UPDATE series SET uid = NEW.external_id WHERE id = NEW.id;
END;
