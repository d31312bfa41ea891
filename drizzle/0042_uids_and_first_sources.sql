DROP TRIGGER series_uid;
--> statement-breakpoint
DROP TRIGGER events_uid;
--> statement-breakpoint
DROP TRIGGER sources_twins_place;
--> statement-breakpoint
CREATE TRIGGER series_uid AFTER INSERT ON series WHEN NEW.uid = '' BEGIN
  UPDATE series SET uid = NEW.external_id || iif(
      EXISTS (SELECT 1 FROM events WHERE id = CAST(substr(NEW.external_id, 7) AS INTEGER) AND uid = '' AND series_id IS NULL
        AND NEW.external_id GLOB 'event-[0-9]*@*')
      OR EXISTS (SELECT 1 FROM series WHERE id = CAST(substr(NEW.external_id, 8) AS INTEGER) AND uid = ''
        AND NEW.external_id GLOB 'series-[0-9]*@*' AND id <> NEW.id)
      OR (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))), ' ', '')
    WHERE id = NEW.id AND NEW.external_id <> '' AND NEW.external_id NOT GLOB '*@'
      AND NOT (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' '))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' ')));
  UPDATE series SET uid = 'series-' || NEW.id || '.1@' WHERE id = NEW.id AND (
    (uid = '' AND (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid >= 'series-' || NEW.id || '@' AND uid < 'series-' || NEW.id || 'A')
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid >= 'series-' || NEW.id || '@' AND uid < 'series-' || NEW.id || 'A')))
    OR (uid = NEW.external_id || ' '
      AND (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = 'series-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = 'series-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@'))))));
END;
--> statement-breakpoint
CREATE TRIGGER events_uid AFTER INSERT ON events WHEN NEW.uid = '' AND NEW.series_id IS NULL BEGIN
  UPDATE events SET uid = NEW.external_id || iif(
      EXISTS (SELECT 1 FROM events WHERE id = CAST(substr(NEW.external_id, 7) AS INTEGER) AND uid = '' AND series_id IS NULL
        AND NEW.external_id GLOB 'event-[0-9]*@*' AND id <> NEW.id)
      OR EXISTS (SELECT 1 FROM series WHERE id = CAST(substr(NEW.external_id, 8) AS INTEGER) AND uid = ''
        AND NEW.external_id GLOB 'series-[0-9]*@*')
      OR (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))), ' ', '')
    WHERE id = NEW.id AND NEW.external_id <> '' AND NEW.external_id NOT GLOB '*@'
      AND NOT (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' '))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' ')));
  UPDATE events SET uid = 'event-' || NEW.id || '.1@' WHERE id = NEW.id AND (
    (uid = '' AND (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid >= 'event-' || NEW.id || '@' AND uid < 'event-' || NEW.id || 'A')
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid >= 'event-' || NEW.id || '@' AND uid < 'event-' || NEW.id || 'A')))
    OR (uid = NEW.external_id || ' '
      AND (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = 'event-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = 'event-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@'))))));
END;
