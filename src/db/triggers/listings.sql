-- Every published event that lists may show, once for each facet and target, in the order of lists: a list reads
-- the rows of its page and no others. No plan may depend on statistics, which a database that has grown by its
-- own writes doesn't have: a unary plus keeps SQLite from looking for the listings of one event among all those
-- of a facet, and CROSS JOIN says which table to begin with.

-- By facet, in the order of lists.
CREATE TABLE listings (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  utc_start_date TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  utc_end_date TEXT NOT NULL,
  span INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, utc_start_date, event_id)
) WITHOUT ROWID;

-- By event, for the triggers below; by end, for totals of intervals; by length, for events that began earlier.
CREATE INDEX listings_event ON listings (event_id, facet, target_id);

CREATE INDEX listings_end ON listings (facet, target_id, utc_end_date);

CREATE INDEX listings_span ON listings (facet, target_id, span, utc_start_date, utc_end_date) WHERE span > 0;

-- What listings must hold. The rows of an event that changes are made anew from it, and tests compare the two.
CREATE VIEW expected_listings AS
SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span
FROM event_facets JOIN events ON events.id = event_facets.event_id
WHERE listed;

-- A new event has no links yet: their triggers add what they are listed by.
CREATE TRIGGER events_listing_insert AFTER INSERT ON events WHEN NEW.listed BEGIN
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date, span
    FROM event_own_facets JOIN events ON events.id = event_id
    WHERE event_id = NEW.id;
END;

-- Every column that a facet shows stands in both lists here.
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

-- An event that moves keeps its rows: within a day, its counts stay as well.
CREATE TRIGGER events_listing_move AFTER UPDATE OF utc_start_date, utc_end_date ON events
WHEN OLD.listed AND NEW.listed AND (OLD.utc_start_date, OLD.utc_end_date) IS NOT (NEW.utc_start_date, NEW.utc_end_date) BEGIN
  UPDATE listings SET utc_start_date = NEW.utc_start_date, utc_end_date = NEW.utc_end_date, span = NEW.span
  WHERE event_id = NEW.id AND (utc_start_date, utc_end_date) IS NOT (NEW.utc_start_date, NEW.utc_end_date);
END;

CREATE TRIGGER events_listing_delete AFTER DELETE ON events BEGIN
  DELETE FROM listings WHERE event_id = OLD.id;
END;

-- Links.
CREATE TRIGGER event_venues_listing_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO listings
    SELECT 'venue', NEW.target_id, utc_start_date, id, utc_end_date, span
    FROM events WHERE id = NEW.event_id AND listed;
END;

CREATE TRIGGER event_venues_listing_delete AFTER DELETE ON event_venues BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND +facet = 'venue' AND +target_id = OLD.target_id;
END;

CREATE TRIGGER event_organizers_listing_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO listings
    SELECT 'organizer', NEW.target_id, utc_start_date, id, utc_end_date, span
    FROM events WHERE id = NEW.event_id AND listed;
END;

CREATE TRIGGER event_organizers_listing_delete AFTER DELETE ON event_organizers BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND +facet = 'organizer' AND +target_id = OLD.target_id;
END;

-- An event can be in a category by several of its terms, but is listed there once, until the last of them goes.
CREATE TRIGGER event_terms_listing_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO listings
    SELECT 'term', ancestor_id, utc_start_date, events.id, utc_end_date, span
    FROM events JOIN term_ancestors ON term_id = NEW.target_id
    WHERE events.id = NEW.event_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = NEW.event_id AND there.facet = 'term' AND there.target_id = ancestor_id);
END;

CREATE TRIGGER event_terms_listing_delete AFTER DELETE ON event_terms BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND +facet = 'term' AND target_id NOT IN (
    SELECT ancestor_id FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = OLD.event_id
  );
END;

-- The same where a category moves.
CREATE TRIGGER term_ancestors_listing_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO listings
    SELECT 'term', NEW.ancestor_id, utc_start_date, events.id, utc_end_date, span
    FROM event_terms CROSS JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = NEW.term_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = events.id AND there.facet = 'term' AND there.target_id = NEW.ancestor_id);
END;

CREATE TRIGGER term_ancestors_listing_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  DELETE FROM listings WHERE facet = 'term' AND target_id = OLD.ancestor_id
  AND event_id IN (SELECT event_id FROM event_terms WHERE target_id = OLD.term_id)
  AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = listings.event_id AND ancestor_id = OLD.ancestor_id);
END;
