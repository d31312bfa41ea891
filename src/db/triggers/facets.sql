-- The facets by which events are listed: what listings.sql makes rows of. FACETS in src/db/derived.ts names
-- them. There are three views, because D1 takes five terms in a compound SELECT.

-- Few events have these.
CREATE VIEW event_detail_facets (event_id, facet, target_id) AS
SELECT id, 'event_status', CASE event_status WHEN 'canceled' THEN 1 WHEN 'postponed' THEN 2 ELSE 3 END
  FROM events WHERE event_status IN ('canceled', 'postponed', 'rescheduled')
UNION ALL SELECT id, 'virtual', 1 FROM events WHERE is_virtual = 1
UNION ALL SELECT id, 'series', series_id FROM events WHERE series_id IS NOT NULL
UNION ALL SELECT DISTINCT event_id, 'source', source_id FROM event_sources;

-- Facets that are in the event's own row.
CREATE VIEW event_own_facets (event_id, facet, target_id) AS
SELECT id, 'event', 0 FROM events
UNION ALL SELECT id, 'featured', 1 FROM events WHERE featured = 1
UNION ALL SELECT id, 'ticketed', 1 FROM events WHERE ticketed = 1
UNION ALL SELECT id, 'parent', post_parent FROM events WHERE post_parent IS NOT NULL
UNION ALL SELECT event_id, facet, target_id FROM event_detail_facets;

-- All facets of all events. A category also lists the events of the categories below it.
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT event_id, facet, target_id FROM event_own_facets
UNION ALL SELECT event_id, 'venue', target_id FROM event_venues
UNION ALL SELECT event_id, 'organizer', target_id FROM event_organizers
UNION ALL SELECT DISTINCT event_id, 'term', ancestor_id
  FROM event_terms JOIN term_ancestors ON term_id = event_terms.target_id;
