-- Every published event that lists may show, once for each facet and target, in the order of lists: a list
-- reads the rows of its page and no others. A row costs one row written, since nothing else is indexed:
-- statements that delete or move rows name their whole key. No plan may depend on statistics, which a
-- database that has grown by its own writes doesn't have.
CREATE TABLE listings (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  utc_start_date TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  utc_end_date TEXT NOT NULL,
  -- The period by which listing-counts.sql counts: days since the beginning of the year 1, by weeks or, where
  -- there are fewer events, by four weeks.
  period INTEGER GENERATED ALWAYS AS (
    CAST(julianday(substr(utc_start_date, 1, 10)) - 1721425.5 AS INTEGER) / iif(facet = 'event', 7, 28)),
  PRIMARY KEY (facet, target_id, utc_start_date, event_id)
) WITHOUT ROWID;

-- What listings must hold. Rows are made from it, and tests compare the two.
CREATE VIEW expected_listings AS
SELECT facet, target_id, utc_start_date, event_id, utc_end_date
FROM event_facets JOIN events ON events.id = event_facets.event_id
WHERE listed;

CREATE TRIGGER events_listing_insert AFTER INSERT ON events WHEN NEW.listed BEGIN
  INSERT INTO listings SELECT * FROM expected_listings WHERE event_id = NEW.id;
END;

-- The lists of columns in this trigger have every column that a facet depends on. The former facets of the
-- event follow from its links, its former parent and all sources, because the sources that it had may have
-- changed already. An IN with a UNION inside another SELECT uses the key.
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, duplicate_of, post_parent, parent_confirmed_by, series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.post_parent IS NOT NEW.post_parent OR (OLD.parent_confirmed_by IS NULL) <> (NEW.parent_confirmed_by IS NULL)
  OR OLD.series_id IS NOT NEW.series_id
)) BEGIN
  DELETE FROM listings WHERE utc_start_date = OLD.utc_start_date AND event_id = OLD.id AND (facet, target_id) IN (SELECT facet, target_id FROM (
    SELECT 'event' AS facet, 0 AS target_id
    UNION ALL SELECT 'source', id FROM sources
    UNION ALL SELECT 'parent', OLD.post_parent WHERE OLD.post_parent IS NOT NULL
    UNION ALL SELECT facet, target_id FROM event_link_facets WHERE event_id = OLD.id
  )) AND NOT (NEW.listed AND (facet, target_id) IN (SELECT facet, target_id FROM event_facets WHERE event_id = NEW.id)
    AND utc_start_date = NEW.utc_start_date);
  INSERT OR IGNORE INTO listings SELECT * FROM expected_listings WHERE event_id = NEW.id;
END;

-- An event that moves keeps its rows.
CREATE TRIGGER events_listing_move AFTER UPDATE OF utc_start_date, utc_end_date ON events
WHEN OLD.listed AND NEW.listed AND (OLD.utc_start_date, OLD.utc_end_date) IS NOT (NEW.utc_start_date, NEW.utc_end_date) BEGIN
  UPDATE listings SET utc_start_date = NEW.utc_start_date, utc_end_date = NEW.utc_end_date
  WHERE utc_start_date = OLD.utc_start_date AND event_id = NEW.id
    AND (facet, target_id) IN (SELECT facet, target_id FROM event_facets WHERE event_id = NEW.id);
END;

-- An event's links are deleted before the event is.
CREATE TRIGGER events_listing_delete AFTER DELETE ON events BEGIN
  DELETE FROM listings WHERE utc_start_date = OLD.utc_start_date AND event_id = OLD.id AND (facet, target_id) IN (SELECT facet, target_id FROM (
    SELECT 'event' AS facet, 0 AS target_id
    UNION ALL SELECT 'source', id FROM sources
    UNION ALL SELECT 'parent', OLD.post_parent WHERE OLD.post_parent IS NOT NULL));
END;

-- An event can be in a category by several of its terms, but is listed there once, until the last of them
-- goes. Links to venues and organizers are in repeated.ts.
CREATE TRIGGER event_terms_listing_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO listings
    SELECT 'term', ancestor_id, utc_start_date, events.id, utc_end_date
    FROM events CROSS JOIN term_ancestors ON term_id = NEW.target_id
    WHERE events.id = NEW.event_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.facet = 'term' AND there.target_id = ancestor_id AND there.utc_start_date = events.utc_start_date
        AND there.event_id = events.id);
END;

CREATE TRIGGER event_terms_listing_delete AFTER DELETE ON event_terms BEGIN
  DELETE FROM listings WHERE facet = 'term'
    AND target_id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = OLD.target_id)
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id
    AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
      WHERE event_terms.event_id = OLD.event_id AND ancestor_id = listings.target_id);
END;

-- The same where a category moves.
CREATE TRIGGER term_ancestors_listing_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO listings
    SELECT 'term', NEW.ancestor_id, utc_start_date, event_id, utc_end_date
    FROM listings AS below WHERE facet = 'term' AND target_id = NEW.term_id
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.facet = 'term' AND there.target_id = NEW.ancestor_id AND there.utc_start_date = below.utc_start_date
        AND there.event_id = below.event_id);
END;

CREATE TRIGGER term_ancestors_listing_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  DELETE FROM listings WHERE facet = 'term' AND target_id = OLD.ancestor_id
  AND (utc_start_date, event_id) IN (
    SELECT utc_start_date, event_id FROM listings AS below WHERE facet = 'term' AND target_id = OLD.term_id)
  AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = listings.event_id AND ancestor_id = OLD.ancestor_id);
END;
