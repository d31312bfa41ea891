ALTER TABLE `events` ADD `uid` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `sequence` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `events_trashed` ON `events` (`modified_utc`,`id`) WHERE status = 'trash';--> statement-breakpoint
CREATE INDEX `events_uid` ON `events` (`uid`) WHERE uid <> '';--> statement-breakpoint
ALTER TABLE `series` ADD `uid` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `series` ADD `sequence` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- The UID in calendars of subscribers is that which an event or series was made with.
CREATE TRIGGER events_uid AFTER INSERT ON events
WHEN NEW.external_id <> '' AND NEW.uid = '' AND NEW.series_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = NEW.external_id) BEGIN
  UPDATE events SET uid = NEW.external_id WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER series_uid AFTER INSERT ON series WHEN NEW.external_id <> '' AND NEW.uid = '' BEGIN
  UPDATE series SET uid = NEW.external_id WHERE id = NEW.id;
END;
--> statement-breakpoint
UPDATE events SET uid = external_id WHERE external_id <> '' AND series_id IS NULL;
--> statement-breakpoint
UPDATE series SET uid = external_id WHERE external_id <> '';
--> statement-breakpoint
-- The latest change of each resource: see src/db/derived.ts. These triggers fire where those of the revision do.
CREATE TABLE changes (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  public_n INTEGER,
  authors TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO changes SELECT 'events', id, id, iif(listed, id, NULL), ',' || author_id || ',' FROM events;
--> statement-breakpoint
INSERT INTO changes SELECT 'venues', id, id, iif(status = 'publish', id, NULL), ',' || author_id || ',' FROM venues;
--> statement-breakpoint
INSERT INTO changes SELECT 'organizers', id, id, iif(status = 'publish', id, NULL), ',' || author_id || ',' FROM organizers;
--> statement-breakpoint
INSERT INTO changes SELECT taxonomy, id, id, id, ',' FROM terms;
--> statement-breakpoint
CREATE INDEX changes_n ON changes (kind, n);
--> statement-breakpoint
CREATE INDEX changes_public ON changes (kind, public_n) WHERE public_n IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER events_change_insert AFTER INSERT ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', NEW.id, next.n, iif(NEW.listed, next.public_n, NULL), ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER events_change_update AFTER UPDATE ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', NEW.id, next.n, iif(OLD.listed OR NEW.listed, next.public_n, NULL), ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER events_change_delete AFTER DELETE ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', OLD.id, next.n, iif(OLD.listed, next.public_n, NULL), ',' || OLD.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_insert AFTER INSERT ON venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', NEW.id, next.n, iif(NEW.status = 'publish', next.public_n, NULL), ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_update AFTER UPDATE ON venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', NEW.id, next.n, iif(OLD.status = 'publish' OR NEW.status = 'publish', next.public_n, NULL), ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_delete AFTER DELETE ON venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', OLD.id, next.n, iif(OLD.status = 'publish', next.public_n, NULL), ',' || OLD.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_insert AFTER INSERT ON organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', NEW.id, next.n, iif(NEW.status = 'publish', next.public_n, NULL), ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_update AFTER UPDATE ON organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', NEW.id, next.n, iif(OLD.status = 'publish' OR NEW.status = 'publish', next.public_n, NULL), ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_delete AFTER DELETE ON organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', OLD.id, next.n, iif(OLD.status = 'publish', next.public_n, NULL), ',' || OLD.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_insert AFTER INSERT ON terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT NEW.taxonomy, NEW.id, next.n, iif(1, next.public_n, NULL), ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = NEW.taxonomy ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = NEW.taxonomy AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_update AFTER UPDATE ON terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT NEW.taxonomy, NEW.id, next.n, iif(1, next.public_n, NULL), ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = NEW.taxonomy ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = NEW.taxonomy AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_delete AFTER DELETE ON terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT OLD.taxonomy, OLD.id, next.n, iif(1, next.public_n, NULL), ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = OLD.taxonomy ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = OLD.taxonomy AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
--> statement-breakpoint
-- Links are part of their event. New ones are written along with it: then its change is the latest already.
CREATE TRIGGER event_venues_change_insert AFTER INSERT ON event_venues
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1)
  IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_update AFTER UPDATE ON event_venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_delete AFTER DELETE ON event_venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_insert AFTER INSERT ON event_organizers
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1)
  IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_update AFTER UPDATE ON event_organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_delete AFTER DELETE ON event_organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_insert AFTER INSERT ON event_terms
WHEN (SELECT id FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1)
  IS NOT NEW.event_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_update AFTER UPDATE ON event_terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id IN (OLD.event_id, NEW.event_id)
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_delete AFTER DELETE ON event_terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = OLD.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
-- Events of a category that moves are of other categories then.
CREATE TRIGGER term_ancestors_change_insert AFTER INSERT ON term_ancestors WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_terms CROSS JOIN events ON events.id = event_terms.event_id WHERE event_terms.target_id = NEW.term_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_delete AFTER DELETE ON term_ancestors WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_terms CROSS JOIN events ON events.id = event_terms.event_id WHERE event_terms.target_id = OLD.term_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
-- Which venues an event shows, and where it is, is part of it.
CREATE TRIGGER venues_events_change AFTER UPDATE OF status, geo_lat, geo_lng ON venues
WHEN OLD.status <> NEW.status OR OLD.geo_lat IS NOT NEW.geo_lat OR OLD.geo_lng IS NOT NEW.geo_lng BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_venues AS links CROSS JOIN events ON events.id = links.event_id WHERE links.target_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
-- Which organizers an event shows is part of it.
CREATE TRIGGER organizers_events_change AFTER UPDATE OF status ON organizers
WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN event_organizers AS links CROSS JOIN events ON events.id = links.event_id WHERE links.target_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
-- Occurrences show the texts and the rule of their series.
CREATE TRIGGER series_change_update AFTER UPDATE ON series
WHEN (OLD.slug, OLD.description, OLD.excerpt, OLD.rrule, OLD.rdate, OLD.exdate)
  IS NOT (NEW.slug, NEW.description, NEW.excerpt, NEW.rrule, NEW.rdate, NEW.exdate) BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.series_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
--> statement-breakpoint
CREATE TRIGGER images_change_update AFTER UPDATE ON images
WHEN (OLD.url, OLD.width, OLD.height) IS NOT (NEW.url, NEW.width, NEW.height) BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL), ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', venues.id, next.n, iif(venues.status = 'publish', next.public_n, NULL), ',' || venues.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN venues WHERE venues.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', organizers.id, next.n, iif(organizers.status = 'publish', next.public_n, NULL), ',' || organizers.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN organizers WHERE organizers.image_id = NEW.id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
END;
