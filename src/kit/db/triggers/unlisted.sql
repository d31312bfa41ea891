-- The last state that lists showed of events that they no longer show: see src/kit/db/derived.ts. repeated.ts
-- handles links that such an event gets afterwards.
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
  timezone TEXT NOT NULL,
  series_sequence INTEGER NOT NULL DEFAULT 0
);

CREATE TRIGGER events_unlisted AFTER UPDATE ON events WHEN OLD.listed AND NOT NEW.listed BEGIN
  INSERT INTO unlisted
    (event_id, version, date_utc, modified_utc, title, all_day, start_date, utc_start_date, utc_end_date, timezone, series_sequence)
    VALUES (
      OLD.id,
      iif(
        (OLD.title, OLD.description, OLD.excerpt, OLD.utc_start_date, OLD.utc_end_date, OLD.featured, OLD.ticketed,
          OLD.is_virtual, OLD.event_status, OLD.post_parent, OLD.series_id)
        IS (NEW.title, NEW.description, NEW.excerpt, NEW.utc_start_date, NEW.utc_end_date, NEW.featured, NEW.ticketed,
          NEW.is_virtual, NEW.event_status, NEW.post_parent, NEW.series_id),
        NEW.version, -NEW.version
      ),
      OLD.date_utc, NEW.modified_utc, OLD.title, OLD.all_day, OLD.start_date, OLD.utc_start_date, OLD.utc_end_date,
      OLD.timezone,
      ifnull((SELECT sequence_offset + version + 1 FROM series WHERE id = OLD.series_id), 0)
    );
END;

CREATE TRIGGER events_listed_again AFTER UPDATE ON events WHEN NEW.listed AND NOT OLD.listed BEGIN
  DELETE FROM unlisted WHERE event_id = NEW.id;
END;

CREATE TRIGGER events_unlisted_delete AFTER DELETE ON events BEGIN
  DELETE FROM unlisted WHERE event_id = OLD.id;
END;
