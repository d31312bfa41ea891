-- How many rows of listings start, and how many end, on each UTC day ("YYYY-MM-DD") and in each month
-- ("YYYY-MM"). The total of any interval follows from some of these, without reading the listings. Rows that
-- come to zero stay.

CREATE TABLE listing_counts (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  grain TEXT NOT NULL,
  period TEXT NOT NULL,
  starts INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, grain, period)
) WITHOUT ROWID;

-- Both edges of each listing, and what listing_counts must hold; tests compare it.
CREATE VIEW listing_edges (facet, target_id, day, starts, ends) AS
SELECT facet, target_id, substr(utc_start_date, 1, 10), 1, 0 FROM listings
UNION ALL SELECT facet, target_id, substr(utc_end_date, 1, 10), 0, 1 FROM listings;

CREATE VIEW expected_listing_counts AS
SELECT facet, target_id, 'day' AS grain, day AS period, sum(starts) AS starts, sum(ends) AS ends
FROM listing_edges GROUP BY 1, 2, 4
UNION ALL
SELECT facet, target_id, 'month', substr(day, 1, 7), sum(starts), sum(ends)
FROM listing_edges GROUP BY 1, 2, 4;

-- A listing is counted by an insert here, once or -1 times. Within one day (span 0) it has both edges there, and takes
-- two rows instead of four.
CREATE VIEW counted_listings AS SELECT facet, target_id, utc_start_date, utc_end_date, span, 0 AS times FROM listings WHERE false;

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

CREATE TRIGGER listings_count_insert AFTER INSERT ON listings BEGIN
  INSERT INTO counted_listings VALUES (NEW.facet, NEW.target_id, NEW.utc_start_date, NEW.utc_end_date, NEW.span, 1);
END;

CREATE TRIGGER listings_count_update AFTER UPDATE ON listings
WHEN (substr(OLD.utc_start_date, 1, 10), substr(OLD.utc_end_date, 1, 10))
  IS NOT (substr(NEW.utc_start_date, 1, 10), substr(NEW.utc_end_date, 1, 10)) BEGIN
  INSERT INTO counted_listings VALUES (OLD.facet, OLD.target_id, OLD.utc_start_date, OLD.utc_end_date, OLD.span, -1);
  INSERT INTO counted_listings VALUES (NEW.facet, NEW.target_id, NEW.utc_start_date, NEW.utc_end_date, NEW.span, 1);
END;

CREATE TRIGGER listings_count_delete AFTER DELETE ON listings BEGIN
  INSERT INTO counted_listings VALUES (OLD.facet, OLD.target_id, OLD.utc_start_date, OLD.utc_end_date, OLD.span, -1);
END;
