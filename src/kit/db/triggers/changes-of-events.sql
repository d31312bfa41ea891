-- Changes of other tables that count as changes of events: see changes.sql. Links are in repeated.ts.

-- If a category moves, its events are in other categories from then on.
CREATE TRIGGER term_ancestors_change_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish'
    FROM events_of CROSS JOIN events ON id = event_id WHERE facet = 'term' AND target_id = NEW.term_id;
END;

CREATE TRIGGER term_ancestors_change_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish'
    FROM events_of CROSS JOIN events ON id = event_id WHERE facet = 'term' AND target_id = OLD.term_id;
END;

-- The venues that an event shows, their positions and, if the event says nothing of its own, their access are
-- part of the event. The other fields of a venue are not.
CREATE TRIGGER venues_events_change AFTER UPDATE OF status, geo_lat, geo_lng, wheelchair ON venues
WHEN (OLD.status, OLD.geo_lat, OLD.geo_lng, OLD.wheelchair) IS NOT (NEW.status, NEW.geo_lat, NEW.geo_lng, NEW.wheelchair) BEGIN
  INSERT INTO new_changes
    SELECT 'events', id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN events_of CROSS JOIN events ON id = event_id WHERE facet = 'venue' AND target_id = NEW.id
    AND (events.wheelchair = '' OR (OLD.status, OLD.geo_lat, OLD.geo_lng) IS NOT (NEW.status, NEW.geo_lat, NEW.geo_lng));
END;

-- The organizers that an event shows are part of the event.
CREATE TRIGGER organizers_events_change AFTER UPDATE OF status ON organizers
WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO new_changes
    SELECT 'events', id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN events_of CROSS JOIN events ON id = event_id WHERE facet = 'organizer' AND target_id = NEW.id;
END;

-- Responses for occurrences show the texts and the rule of their series, so these raise the revision. All
-- other fields are copied into the occurrences' own rows, and a series is created and deleted along with its
-- occurrences.
CREATE TRIGGER series_revision_update AFTER UPDATE ON series BEGIN
  INSERT INTO new_revisions SELECT EXISTS (SELECT 1 FROM events WHERE series_id = NEW.id AND status = 'publish');
END;

CREATE TRIGGER series_change_update AFTER UPDATE ON series
WHEN (OLD.slug, OLD.description, OLD.excerpt, OLD.rrule, OLD.rdate, OLD.exdate)
  IS NOT (NEW.slug, NEW.description, NEW.excerpt, NEW.rrule, NEW.rdate, NEW.exdate) BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE series_id = NEW.id;
END;

-- All content that has an image shows its address and size.
CREATE TRIGGER images_change_update AFTER UPDATE ON images
WHEN (OLD.url, OLD.width, OLD.height) IS NOT (NEW.url, NEW.width, NEW.height) BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE image_id = NEW.id;
  INSERT INTO new_changes SELECT 'venues', id, status = 'publish', status = 'publish' FROM venues WHERE image_id = NEW.id;
  INSERT INTO new_changes SELECT 'organizers', id, status = 'publish', status = 'publish' FROM organizers WHERE image_id = NEW.id;
END;
