-- Listings of events that follow from their venues: by access (event_access in listing-indexes.sql), and of
-- events with several venues.

-- Renews the listing of an event. The triggers below insert the ids of events whose venues, or their access,
-- have changed.
CREATE TRIGGER event_access_changed INSTEAD OF INSERT ON event_access BEGIN
  DELETE FROM listings WHERE facet = 'access' AND target_id IN (1, 2, 3, 4, 5, 6, 7)
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = NEW.event_id) AND event_id = NEW.event_id
    AND target_id <> (SELECT kinds FROM event_access WHERE event_id = NEW.event_id);
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date FROM expected_listings AS wanted
    WHERE event_id = NEW.event_id AND facet = 'access'
    AND NOT EXISTS (SELECT 1 FROM listings AS there WHERE there.facet = 'access' AND there.target_id = wanted.target_id
      AND there.utc_start_date = wanted.utc_start_date AND there.event_id = wanted.event_id);
END;

CREATE TRIGGER event_venues_access_insert AFTER INSERT ON event_venues
WHEN EXISTS (SELECT 1 FROM venues WHERE id = NEW.target_id AND wheelchair <> '' AND status = 'publish') BEGIN
  INSERT INTO event_access (event_id) VALUES (NEW.event_id);
END;

CREATE TRIGGER event_venues_access_delete AFTER DELETE ON event_venues BEGIN
  INSERT INTO event_access (event_id) VALUES (OLD.event_id);
END;

-- Events with several venues, which are few.
CREATE TRIGGER event_venues_several_insert AFTER INSERT ON event_venues
WHEN (SELECT count(*) FROM event_venues WHERE event_id = NEW.event_id) = 2 BEGIN
  INSERT INTO listings SELECT 'several_venues', 1, utc_start_date, id, utc_end_date FROM events WHERE id = NEW.event_id AND listed;
END;

CREATE TRIGGER event_venues_several_delete AFTER DELETE ON event_venues
WHEN (SELECT count(*) FROM event_venues WHERE event_id = OLD.event_id) = 1 BEGIN
  DELETE FROM listings WHERE facet = 'several_venues' AND target_id = 1
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id;
END;

-- The listings by access of the events of a venue.
CREATE VIEW access_at_venues (venue_id, event_id, target_id, period) AS
SELECT listings.target_id, listings.event_id, access.target_id, access.period
FROM listings CROSS JOIN listings AS access ON access.facet = 'access' AND access.target_id IN (1, 2, 3, 4, 5, 6, 7)
  AND access.utc_start_date = listings.utc_start_date AND access.event_id = listings.event_id
WHERE listings.facet = 'venue';

-- A venue may have thousands of events, so a write that has one number counts their listings together: it
-- takes the old counts away, renews the listings while first_new_id is negative, so that no trigger counts
-- (revision.sql), and adds the new counts. In other writes first_new_id stays null, and each listing is
-- counted at once.
CREATE TRIGGER venues_access_update AFTER UPDATE OF wheelchair, status ON venues
WHEN iif(OLD.status = 'publish', OLD.wheelchair, '') <> iif(NEW.status = 'publish', NEW.wheelchair, '') BEGIN
  UPDATE revision SET first_new_id = -first_new_id;
  INSERT INTO listing_counts (facet, target_id, period, count)
    SELECT 'access', target_id, period, -count(*) FROM access_at_venues
    WHERE venue_id = NEW.id AND event_id < (SELECT -first_new_id FROM revision) GROUP BY 2, 3
  ON CONFLICT DO UPDATE SET count = count + excluded.count;
  INSERT INTO event_access (event_id) SELECT event_id FROM listings WHERE facet = 'venue' AND target_id = NEW.id;
  INSERT INTO listing_counts (facet, target_id, period, count)
    SELECT 'access', target_id, period, count(*) FROM access_at_venues
    WHERE venue_id = NEW.id AND event_id < (SELECT -first_new_id FROM revision) GROUP BY 2, 3
  ON CONFLICT DO UPDATE SET count = count + excluded.count;
  UPDATE revision SET first_new_id = -first_new_id;
END;
