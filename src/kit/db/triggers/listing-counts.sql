-- How many rows of listings start in each period. The total of any interval is the sum of some of these
-- counts and of the rows in two partial periods. Counts that come to zero stay. Listings of new events are
-- counted at the end of their write (revision.sql).
CREATE TABLE listing_counts (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  period INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, period)
) WITHOUT ROWID;

-- What listing_counts must hold; tests compare it.
CREATE VIEW expected_listing_counts AS
SELECT facet, target_id, period, count(*) AS count FROM listings GROUP BY 1, 2, 3;

-- The period of each listing of each event.
CREATE VIEW periods_of_events (event_id, facet, target_id, period) AS
SELECT facets.event_id, facets.facet, facets.target_id, period
FROM event_facets AS facets CROSS JOIN events ON events.id = facets.event_id
CROSS JOIN listings ON listings.facet = facets.facet AND listings.target_id = facets.target_id
  AND listings.utc_start_date = events.utc_start_date AND listings.event_id = events.id;

CREATE TRIGGER listings_count_insert AFTER INSERT ON listings
WHEN (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO listing_counts (facet, target_id, period, count) VALUES (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER listings_count_update AFTER UPDATE ON listings
WHEN OLD.period <> NEW.period AND (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO listing_counts (facet, target_id, period, count)
    VALUES (OLD.facet, OLD.target_id, OLD.period, -1), (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;

CREATE TRIGGER listings_count_delete AFTER DELETE ON listings
WHEN (SELECT first_new_id IS NULL OR OLD.event_id < first_new_id FROM revision) BEGIN
  UPDATE listing_counts SET count = count - 1 WHERE facet = OLD.facet AND target_id = OLD.target_id AND period = OLD.period;
END;
