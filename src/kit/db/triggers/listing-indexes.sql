-- The facets under which events are listed: each facet with its target gets a row of listings.sql. FACETS in
-- src/kit/db/derived.ts names them.

-- Facets that follow from links. A category also lists the events of the categories below it.
CREATE VIEW event_link_facets (event_id, facet, target_id) AS
SELECT event_id, 'venue', target_id FROM event_venues
UNION ALL SELECT event_id, 'organizer', target_id FROM event_organizers
UNION ALL SELECT DISTINCT event_id, 'term', ancestor_id
  FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
UNION ALL SELECT DISTINCT event_id, 'source', source_id FROM event_sources;

-- All facets of all events. A part is listed as a part once its parent is confirmed.
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT id, 'event', 0 FROM events
UNION ALL SELECT id, 'parent', post_parent FROM events WHERE post_parent IS NOT NULL AND parent_confirmed_by IS NOT NULL
UNION ALL SELECT event_id, facet, target_id FROM event_link_facets;

-- Events that no list shows. They are few, and each of these indexes holds one kind of them.
CREATE VIEW unlisted_events (id) AS
SELECT id FROM events INDEXED BY events_unpublished WHERE status <> 'publish'
UNION SELECT id FROM events INDEXED BY events_hidden WHERE hide_from_listings = 1
UNION SELECT id FROM events INDEXED BY events_duplicates WHERE duplicate_of IS NOT NULL;

-- The events of a venue, organizer or term, listed or not. A category also has the listed events of the
-- categories below it. This view is needed because links have no index by target.
CREATE VIEW events_of (facet, target_id, event_id) AS
SELECT facet, target_id, event_id FROM listings
UNION ALL SELECT 'venue', target_id, event_id FROM unlisted_events CROSS JOIN event_venues ON event_id = id
UNION ALL SELECT 'organizer', target_id, event_id FROM unlisted_events CROSS JOIN event_organizers ON event_id = id
UNION ALL SELECT 'term', target_id, event_id FROM unlisted_events CROSS JOIN event_terms ON event_id = id;
