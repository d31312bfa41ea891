-- The facets by which events are listed: what listings.sql makes rows of. FACETS in src/db/derived.ts names
-- them. There are several views, because D1 takes five terms in a compound SELECT.

-- Facets that are in the event's own row.
CREATE VIEW event_own_facets (event_id, facet, target_id) AS
SELECT id, 'event', 0 FROM events
UNION ALL SELECT id, 'featured', 1 FROM events WHERE featured = 1
UNION ALL SELECT id, 'ticketed', 1 FROM events WHERE ticketed = 1
UNION ALL SELECT id, 'virtual', 1 FROM events WHERE is_virtual = 1
UNION ALL SELECT id, 'event_status', CASE event_status WHEN 'canceled' THEN 1 WHEN 'postponed' THEN 2 ELSE 3 END
  FROM events WHERE event_status IN ('canceled', 'postponed', 'rescheduled');

-- Facets that lead elsewhere. A category also lists the events of the categories below it.
CREATE VIEW event_link_facets (event_id, facet, target_id) AS
SELECT event_id, 'venue', target_id FROM event_venues
UNION ALL SELECT event_id, 'organizer', target_id FROM event_organizers
UNION ALL SELECT DISTINCT event_id, 'term', ancestor_id
  FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
UNION ALL SELECT DISTINCT event_id, 'source', source_id FROM event_sources;

-- All facets of all events. A part is listed as one once its parent is confirmed.
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT event_id, facet, target_id FROM event_own_facets
UNION ALL SELECT id, 'parent', post_parent FROM events WHERE post_parent IS NOT NULL AND parent_confirmed_by IS NOT NULL
UNION ALL SELECT event_id, facet, target_id FROM event_link_facets;

-- Events that no list shows. They are few, and each of these indexes holds one kind of them.
CREATE VIEW unlisted_events (id) AS
SELECT id FROM events INDEXED BY events_unpublished WHERE status <> 'publish'
UNION SELECT id FROM events INDEXED BY events_hidden WHERE hide_from_listings = 1
UNION SELECT id FROM events INDEXED BY events_duplicates WHERE duplicate_of IS NOT NULL;

-- The events of a venue, organizer or term, listed or not. A category also has the listed events of the categories
-- below it. This view is needed because links have no index by target.
CREATE VIEW events_of (facet, target_id, event_id) AS
SELECT facet, target_id, event_id FROM listings
UNION ALL SELECT 'venue', target_id, event_id FROM unlisted_events CROSS JOIN event_venues ON event_id = id
UNION ALL SELECT 'organizer', target_id, event_id FROM unlisted_events CROSS JOIN event_organizers ON event_id = id
UNION ALL SELECT 'term', target_id, event_id FROM unlisted_events CROSS JOIN event_terms ON event_id = id;

-- Facets that any event may have had, whatever has changed since. Parents, venues, organizers and terms are too many
-- for this list.
CREATE VIEW possible_facets (facet, target_id) AS
SELECT value ->> 0, value ->> 1 FROM json_each('[["event",0],["featured",1],["ticketed",1],["virtual",1],
  ["event_status",1],["event_status",2],["event_status",3]]')
UNION ALL SELECT 'source', id FROM sources;
