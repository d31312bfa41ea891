-- Changes of other tables that are changes of events, numbered as in changes.sql.

-- Links are part of their event. New ones are written along with it: then its change is the latest already.
CREATE TRIGGER event_venues_change_insert AFTER INSERT ON event_venues
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1) IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER event_venues_change_update AFTER UPDATE ON event_venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER event_venues_change_delete AFTER DELETE ON event_venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER event_organizers_change_insert AFTER INSERT ON event_organizers
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1) IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER event_organizers_change_update AFTER UPDATE ON event_organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER event_organizers_change_delete AFTER DELETE ON event_organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER event_terms_change_insert AFTER INSERT ON event_terms
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1) IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER event_terms_change_update AFTER UPDATE ON event_terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER event_terms_change_delete AFTER DELETE ON event_terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

-- Events of a category that moves are of other categories then.
CREATE TRIGGER term_ancestors_change_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_terms CROSS JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = NEW.term_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

CREATE TRIGGER term_ancestors_change_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_terms CROSS JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = OLD.term_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

-- Which venues an event shows, and where it is, is part of it. What a venue says of itself is not.
CREATE TRIGGER venues_events_change AFTER UPDATE OF status, geo_lat, geo_lng ON venues
WHEN OLD.status <> NEW.status OR OLD.geo_lat IS NOT NEW.geo_lat OR OLD.geo_lng IS NOT NEW.geo_lng BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_venues AS links CROSS JOIN events ON events.id = links.event_id
    WHERE links.target_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

-- Which organizers an event shows is part of it.
CREATE TRIGGER organizers_events_change AFTER UPDATE OF status ON organizers
WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_organizers AS links CROSS JOIN events ON events.id = links.event_id
    WHERE links.target_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

-- Occurrences show the texts and the rule of their series. Everything else is copied into their own rows.
CREATE TRIGGER series_change_update AFTER UPDATE ON series
WHEN (OLD.slug, OLD.description, OLD.excerpt, OLD.rrule, OLD.rdate, OLD.exdate)
  IS NOT (NEW.slug, NEW.description, NEW.excerpt, NEW.rrule, NEW.rdate, NEW.exdate) BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.series_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;

-- The address and size of an image are shown with everything that has it.
CREATE TRIGGER images_change_update AFTER UPDATE ON images
WHEN (OLD.url, OLD.width, OLD.height) IS NOT (NEW.url, NEW.width, NEW.height) BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', venues.id, next.n, iif(venues.status = 'publish', next.public_n, NULL),
      ',' || venues.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN venues WHERE venues.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', organizers.id, next.n, iif(organizers.status = 'publish', next.public_n, NULL),
      ',' || organizers.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN organizers WHERE organizers.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
