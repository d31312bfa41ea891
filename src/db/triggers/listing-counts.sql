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

-- A listing within one day (span 0) has both edges there, and takes two rows instead of four.
CREATE TRIGGER listings_count_insert AFTER INSERT ON listings BEGIN
  INSERT INTO listing_counts (facet, target_id, grain, period, starts, ends) VALUES
    (NEW.facet, NEW.target_id, 'day', substr(NEW.utc_start_date, 1, 10), 1, NEW.span = 0),
    (NEW.facet, NEW.target_id, 'month', substr(NEW.utc_start_date, 1, 7), 1, NEW.span = 0)
  ON CONFLICT DO UPDATE SET starts = starts + excluded.starts, ends = ends + excluded.ends;
END;

CREATE TRIGGER listings_count_insert_end AFTER INSERT ON listings WHEN NEW.span > 0 BEGIN
  INSERT INTO listing_counts (facet, target_id, grain, period, starts, ends) VALUES
    (NEW.facet, NEW.target_id, 'day', substr(NEW.utc_end_date, 1, 10), 0, 1),
    (NEW.facet, NEW.target_id, 'month', substr(NEW.utc_end_date, 1, 7), 0, 1)
  ON CONFLICT DO UPDATE SET ends = ends + 1;
END;

CREATE TRIGGER listings_count_delete AFTER DELETE ON listings BEGIN
  UPDATE listing_counts SET starts = starts - 1, ends = ends - (OLD.span = 0)
  WHERE facet = OLD.facet AND target_id = OLD.target_id
    AND grain = 'day' AND period = substr(OLD.utc_start_date, 1, 10);
  UPDATE listing_counts SET starts = starts - 1, ends = ends - (OLD.span = 0)
  WHERE facet = OLD.facet AND target_id = OLD.target_id
    AND grain = 'month' AND period = substr(OLD.utc_start_date, 1, 7);
END;

CREATE TRIGGER listings_count_delete_end AFTER DELETE ON listings WHEN OLD.span > 0 BEGIN
  UPDATE listing_counts SET ends = ends - 1
  WHERE facet = OLD.facet AND target_id = OLD.target_id
    AND grain = 'day' AND period = substr(OLD.utc_end_date, 1, 10);
  UPDATE listing_counts SET ends = ends - 1
  WHERE facet = OLD.facet AND target_id = OLD.target_id
    AND grain = 'month' AND period = substr(OLD.utc_end_date, 1, 7);
END;
