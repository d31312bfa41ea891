-- The UID in calendars of subscribers is the external id that an event or series was made with, unless something else has it.
-- One that ends with @ would be completed by the host, to that of another event. One of the form of an own UID that is in use
-- gets a blank at its end, and counts if its host is another calendar's. Where it is not in use yet, the event whose own it
-- would have been gets another one.
CREATE TRIGGER events_uid AFTER INSERT ON events WHEN NEW.uid = '' AND NEW.series_id IS NULL BEGIN
  UPDATE events SET uid = NEW.external_id || iif(
      EXISTS (SELECT 1 FROM events WHERE id = CAST(substr(NEW.external_id, 7) AS INTEGER) AND uid = '' AND series_id IS NULL
        AND NEW.external_id GLOB 'event-[0-9]*@*' AND id <> NEW.id)
      OR EXISTS (SELECT 1 FROM series WHERE id = CAST(substr(NEW.external_id, 8) AS INTEGER) AND uid = ''
        AND NEW.external_id GLOB 'series-[0-9]*@*')
      OR EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@'))),
      ' ', '')
    WHERE id = NEW.id AND NEW.external_id <> '' AND NEW.external_id NOT GLOB '*@'
      AND NOT EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' '))
      AND NOT EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' '));
  UPDATE events SET uid = 'event-' || NEW.id || '.1@' WHERE id = NEW.id AND uid = '' AND (
    EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid >= 'event-' || NEW.id || '@' AND uid < 'event-' || NEW.id || 'A')
    OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid >= 'event-' || NEW.id || '@' AND uid < 'event-' || NEW.id || 'A'));
END;

CREATE TRIGGER series_uid AFTER INSERT ON series WHEN NEW.uid = '' BEGIN
  UPDATE series SET uid = NEW.external_id || iif(
      EXISTS (SELECT 1 FROM events WHERE id = CAST(substr(NEW.external_id, 7) AS INTEGER) AND uid = '' AND series_id IS NULL
        AND NEW.external_id GLOB 'event-[0-9]*@*')
      OR EXISTS (SELECT 1 FROM series WHERE id = CAST(substr(NEW.external_id, 8) AS INTEGER) AND uid = ''
        AND NEW.external_id GLOB 'series-[0-9]*@*' AND id <> NEW.id)
      OR EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@'))),
      ' ', '')
    WHERE id = NEW.id AND NEW.external_id <> '' AND NEW.external_id NOT GLOB '*@'
      AND NOT EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' '))
      AND NOT EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' '));
  UPDATE series SET uid = 'series-' || NEW.id || '.1@' WHERE id = NEW.id AND uid = '' AND (
    EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid >= 'series-' || NEW.id || '@' AND uid < 'series-' || NEW.id || 'A')
    OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid >= 'series-' || NEW.id || '@' AND uid < 'series-' || NEW.id || 'A'));
END;
