-- The facets under which events are listed: each facet with its target gets a row of listings.sql. FACETS in
-- src/kit/db/derived.ts names them. There are several views, because D1 takes five terms in a compound
-- SELECT.

-- Facets that follow from the event's own row.
CREATE VIEW event_own_facets (event_id, facet, target_id) AS
SELECT id, 'event', 0 FROM events
UNION ALL SELECT id, 'featured', 1 FROM events WHERE featured = 1
UNION ALL SELECT id, 'ticketed', 1 FROM events WHERE ticketed = 1
UNION ALL SELECT id, 'virtual', 1 FROM events WHERE is_virtual = 1
UNION ALL SELECT id, 'event_status', CASE event_status WHEN 'canceled' THEN 1 WHEN 'postponed' THEN 2 ELSE 3 END
  FROM events WHERE event_status IN ('canceled', 'postponed', 'rescheduled');

-- Facets that follow from links. A category also lists the events of the categories below it.
CREATE VIEW event_link_facets (event_id, facet, target_id) AS
SELECT event_id, 'venue', target_id FROM event_venues
UNION ALL SELECT event_id, 'organizer', target_id FROM event_organizers
UNION ALL SELECT DISTINCT event_id, 'term', ancestor_id
  FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
UNION ALL SELECT DISTINCT event_id, 'source', source_id FROM event_sources;

-- Access by wheelchair, as a set: 1 for yes, 2 for limited, 4 for no. What the event says counts, or else
-- what its published venues say, which may differ from one venue to the next. So an event has one row at
-- most, and no event is listed by two sets.
CREATE VIEW event_access (event_id, kinds) AS
SELECT id, CASE wheelchair WHEN 'yes' THEN 1 WHEN 'limited' THEN 2 WHEN 'no' THEN 4 WHEN '' THEN (
  SELECT coalesce(sum(DISTINCT CASE venues.wheelchair WHEN 'yes' THEN 1 WHEN 'limited' THEN 2 WHEN 'no' THEN 4 ELSE 0 END), 0)
  FROM event_venues CROSS JOIN venues ON venues.id = event_venues.target_id
  WHERE event_venues.event_id = events.id AND venues.status = 'publish') ELSE 0 END
FROM events;

-- Facets for the choices of visitors, and for totals.
CREATE VIEW event_visit_facets (event_id, facet, target_id) AS
SELECT id, 'ticket_availability', CASE ticket_availability WHEN 'available' THEN 1 WHEN 'few' THEN 2 WHEN 'sold_out' THEN 3 ELSE 4 END
  FROM events WHERE ticket_availability IN ('available', 'few', 'sold_out', 'waitlist')
UNION ALL SELECT event_id, 'access', kinds FROM event_access WHERE kinds > 0
UNION ALL SELECT id, 'free', 1 FROM events WHERE is_free = 1
-- Lists by several venues show each of these events only once.
UNION ALL SELECT id, 'several_venues', 1 FROM events WHERE (SELECT count(*) FROM event_venues WHERE event_id = events.id) > 1;

-- All facets of all events. A part is listed as a part once its parent is confirmed.
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT event_id, facet, target_id FROM event_own_facets
UNION ALL SELECT event_id, facet, target_id FROM event_visit_facets
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

-- Facets that any event may have been listed under, whatever has changed since. Parents, venues, organizers
-- and terms are too many for this list.
CREATE VIEW possible_facets (facet, target_id) AS
SELECT value ->> 0, value ->> 1 FROM json_each('[["event",0],["featured",1],["ticketed",1],["virtual",1],
  ["event_status",1],["event_status",2],["event_status",3],
  ["ticket_availability",1],["ticket_availability",2],["ticket_availability",3],["ticket_availability",4],
  ["access",1],["access",2],["access",3],["access",4],["access",5],["access",6],["access",7],["several_venues",1],["free",1]]')
UNION ALL SELECT 'source', id FROM sources;
