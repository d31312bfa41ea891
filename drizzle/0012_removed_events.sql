CREATE TABLE unlisted (
  event_id INTEGER PRIMARY KEY NOT NULL,
  version INTEGER NOT NULL,
  date_utc TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  title TEXT NOT NULL,
  all_day INTEGER NOT NULL,
  start_date TEXT NOT NULL,
  utc_start_date TEXT NOT NULL,
  utc_end_date TEXT NOT NULL,
  timezone TEXT NOT NULL
);
--> statement-breakpoint
-- What is in the trash already keeps its times, and no title: it may have been changed while nobody could see it.
INSERT INTO unlisted
  SELECT events.id, version, date_utc, modified_utc, '', all_day, start_date, utc_start_date, utc_end_date, timezone
  FROM events CROSS JOIN changes ON changes.kind = 'events' AND changes.id = events.id
  WHERE status = 'trash' AND public_n IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER events_removed_revision AFTER UPDATE OF status ON events
WHEN (OLD.status = 'trash') <> (NEW.status = 'trash') AND 'publish' NOT IN (OLD.status, NEW.status)
  AND EXISTS (SELECT 1 FROM unlisted WHERE event_id = NEW.id) BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER events_unlisted AFTER UPDATE ON events WHEN OLD.listed AND NOT NEW.listed BEGIN
  INSERT INTO unlisted
    (event_id, version, date_utc, modified_utc, title, all_day, start_date, utc_start_date, utc_end_date, timezone)
    VALUES (
      OLD.id,
      iif(
        (OLD.title, OLD.description, OLD.excerpt, OLD.utc_start_date, OLD.utc_end_date, OLD.featured, OLD.ticketed,
          OLD.is_virtual, OLD.event_status, OLD.post_parent, OLD.series_id)
        IS (NEW.title, NEW.description, NEW.excerpt, NEW.utc_start_date, NEW.utc_end_date, NEW.featured, NEW.ticketed,
          NEW.is_virtual, NEW.event_status, NEW.post_parent, NEW.series_id),
        NEW.version, 0
      ),
      OLD.date_utc, NEW.modified_utc, OLD.title, OLD.all_day, OLD.start_date, OLD.utc_start_date, OLD.utc_end_date,
      OLD.timezone
    );
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_unlisted AFTER INSERT ON event_venues BEGIN
  UPDATE unlisted SET version = 0 WHERE event_id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_unlisted AFTER INSERT ON event_organizers BEGIN
  UPDATE unlisted SET version = 0 WHERE event_id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_unlisted AFTER INSERT ON event_terms BEGIN
  UPDATE unlisted SET version = 0 WHERE event_id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_listed_again AFTER UPDATE ON events WHEN NEW.listed AND NOT OLD.listed BEGIN
  DELETE FROM unlisted WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_unlisted_delete AFTER DELETE ON events BEGIN
  DELETE FROM unlisted WHERE event_id = OLD.id;
END;
