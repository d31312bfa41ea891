-- How many rows of listings start in each period. The total of any interval follows from some of these and from the rows of
-- two parts of periods. Rows that come to zero stay.
CREATE TABLE listing_counts (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  period INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, period)
) WITHOUT ROWID;

-- What listing_counts must hold; tests compare it.
CREATE VIEW expected_listing_counts AS
SELECT facet, target_id, period, count(*) AS n FROM listings GROUP BY 1, 2, 3;

CREATE TRIGGER listings_count_insert AFTER INSERT ON listings BEGIN
  INSERT INTO listing_counts (facet, target_id, period, n) VALUES (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER listings_count_update AFTER UPDATE ON listings WHEN OLD.period <> NEW.period BEGIN
  INSERT INTO listing_counts (facet, target_id, period, n)
    VALUES (OLD.facet, OLD.target_id, OLD.period, -1), (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER listings_count_delete AFTER DELETE ON listings BEGIN
  UPDATE listing_counts SET n = n - 1 WHERE facet = OLD.facet AND target_id = OLD.target_id AND period = OLD.period;
END;
