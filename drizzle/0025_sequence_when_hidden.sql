DROP TRIGGER events_removed_revision;
--> statement-breakpoint
DROP TRIGGER events_search_update;
--> statement-breakpoint
DROP TRIGGER events_unlisted;
--> statement-breakpoint
DROP TRIGGER events_listed_again;
--> statement-breakpoint
DROP TRIGGER events_unlisted_delete;
--> statement-breakpoint
DROP TRIGGER event_venues_unlisted;
--> statement-breakpoint
DROP TRIGGER event_organizers_unlisted;
--> statement-breakpoint
DROP TRIGGER event_terms_unlisted;
--> statement-breakpoint
ALTER TABLE unlisted ADD COLUMN series_sequence INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE TRIGGER events_removed_revision AFTER UPDATE OF status ON events
WHEN (OLD.status = 'trash') <> (NEW.status = 'trash') AND 'publish' NOT IN (OLD.status, NEW.status)
  AND EXISTS (SELECT 1 FROM unlisted WHERE event_id = NEW.id) BEGIN
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER events_search_update AFTER UPDATE OF status, hide_from_listings, duplicate_of, utc_start_date ON events
WHEN OLD.search_key <> NEW.search_key OR OLD.listed <> NEW.listed BEGIN
  UPDATE events_search SET
    rowid = NEW.search_key,
    listed = iif(NEW.listed, coalesce(listed, unlisted), NULL),
    unlisted = iif(NEW.listed, NULL, coalesce(listed, unlisted))
  WHERE rowid = OLD.search_key;
END;
--> statement-breakpoint
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
      ifnull((SELECT sequence + version + 1 FROM series WHERE id = OLD.series_id), 0)
    );
END;
--> statement-breakpoint
CREATE TRIGGER events_listed_again AFTER UPDATE ON events WHEN NEW.listed AND NOT OLD.listed BEGIN
  DELETE FROM unlisted WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_unlisted_delete AFTER DELETE ON events BEGIN
  DELETE FROM unlisted WHERE event_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_unlisted AFTER INSERT ON event_venues BEGIN
  UPDATE unlisted SET version = -abs(version) WHERE event_id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_unlisted AFTER INSERT ON event_organizers BEGIN
  UPDATE unlisted SET version = -abs(version) WHERE event_id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_unlisted AFTER INSERT ON event_terms BEGIN
  UPDATE unlisted SET version = -abs(version) WHERE event_id = NEW.event_id;
END;
