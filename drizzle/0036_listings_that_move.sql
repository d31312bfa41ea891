DROP TRIGGER listings_count_insert;
--> statement-breakpoint
DROP TRIGGER listings_count_insert_end;
--> statement-breakpoint
DROP TRIGGER listings_count_delete;
--> statement-breakpoint
DROP TRIGGER listings_count_delete_end;
--> statement-breakpoint
DROP TRIGGER events_listing_update;
--> statement-breakpoint
CREATE VIEW counted_listings AS SELECT facet, target_id, utc_start_date, utc_end_date, span, 0 AS times FROM listings WHERE false;
--> statement-breakpoint
CREATE TRIGGER events_listing_move AFTER UPDATE OF utc_start_date, utc_end_date ON events
WHEN OLD.listed AND NEW.listed AND (OLD.utc_start_date, OLD.utc_end_date) IS NOT (NEW.utc_start_date, NEW.utc_end_date) BEGIN
  UPDATE listings SET utc_start_date = NEW.utc_start_date, utc_end_date = NEW.utc_end_date, span = NEW.span
  WHERE event_id = NEW.id AND (utc_start_date, utc_end_date) IS NOT (NEW.utc_start_date, NEW.utc_end_date);
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, duplicate_of, featured, ticketed, post_parent, event_status, is_virtual,
  series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.featured <> NEW.featured OR OLD.ticketed <> NEW.ticketed OR OLD.post_parent IS NOT NEW.post_parent
  OR OLD.event_status <> NEW.event_status OR OLD.is_virtual <> NEW.is_virtual
  OR OLD.series_id IS NOT NEW.series_id
)) BEGIN
  DELETE FROM listings WHERE event_id = NEW.id;
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span
    FROM expected_listings
    WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_delete AFTER DELETE ON listings BEGIN
  INSERT INTO counted_listings VALUES (OLD.facet, OLD.target_id, OLD.utc_start_date, OLD.utc_end_date, OLD.span, -1);
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_update AFTER UPDATE ON listings
WHEN (substr(OLD.utc_start_date, 1, 10), substr(OLD.utc_end_date, 1, 10))
  IS NOT (substr(NEW.utc_start_date, 1, 10), substr(NEW.utc_end_date, 1, 10)) BEGIN
  INSERT INTO counted_listings VALUES (OLD.facet, OLD.target_id, OLD.utc_start_date, OLD.utc_end_date, OLD.span, -1);
  INSERT INTO counted_listings VALUES (NEW.facet, NEW.target_id, NEW.utc_start_date, NEW.utc_end_date, NEW.span, 1);
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_insert AFTER INSERT ON listings BEGIN
  INSERT INTO counted_listings VALUES (NEW.facet, NEW.target_id, NEW.utc_start_date, NEW.utc_end_date, NEW.span, 1);
END;
--> statement-breakpoint
CREATE TRIGGER counted_listings_insert INSTEAD OF INSERT ON counted_listings BEGIN
  INSERT INTO listing_counts (facet, target_id, grain, period, starts, ends) VALUES
    (NEW.facet, NEW.target_id, 'day', substr(NEW.utc_start_date, 1, 10), NEW.times, iif(NEW.span = 0, NEW.times, 0)),
    (NEW.facet, NEW.target_id, 'month', substr(NEW.utc_start_date, 1, 7), NEW.times, iif(NEW.span = 0, NEW.times, 0))
  ON CONFLICT DO UPDATE SET starts = starts + excluded.starts, ends = ends + excluded.ends;
  INSERT INTO listing_counts (facet, target_id, grain, period, starts, ends)
    SELECT NEW.facet, NEW.target_id, 'day', substr(NEW.utc_end_date, 1, 10), 0, NEW.times WHERE NEW.span > 0
    UNION ALL SELECT NEW.facet, NEW.target_id, 'month', substr(NEW.utc_end_date, 1, 7), 0, NEW.times WHERE NEW.span > 0
  ON CONFLICT DO UPDATE SET ends = ends + excluded.ends;
END;
