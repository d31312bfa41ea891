DROP TRIGGER events_revision_insert;
--> statement-breakpoint
DROP TRIGGER events_revision_update;
--> statement-breakpoint
DROP TRIGGER events_revision_delete;
--> statement-breakpoint
DROP TRIGGER events_scheduled_insert;
--> statement-breakpoint
DROP TRIGGER events_scheduled_update;
--> statement-breakpoint
DROP TRIGGER events_scheduled_delete;
--> statement-breakpoint
DROP TRIGGER venues_revision_insert;
--> statement-breakpoint
DROP TRIGGER venues_revision_update;
--> statement-breakpoint
DROP TRIGGER venues_revision_delete;
--> statement-breakpoint
DROP TRIGGER venues_scheduled_insert;
--> statement-breakpoint
DROP TRIGGER venues_scheduled_update;
--> statement-breakpoint
DROP TRIGGER venues_scheduled_delete;
--> statement-breakpoint
DROP TRIGGER organizers_revision_insert;
--> statement-breakpoint
DROP TRIGGER organizers_revision_update;
--> statement-breakpoint
DROP TRIGGER organizers_revision_delete;
--> statement-breakpoint
DROP TRIGGER organizers_scheduled_insert;
--> statement-breakpoint
DROP TRIGGER organizers_scheduled_update;
--> statement-breakpoint
DROP TRIGGER organizers_scheduled_delete;
--> statement-breakpoint
DROP TRIGGER terms_revision_insert;
--> statement-breakpoint
DROP TRIGGER terms_revision_update;
--> statement-breakpoint
DROP TRIGGER terms_revision_delete;
--> statement-breakpoint
DROP TRIGGER events_public_revision_insert;
--> statement-breakpoint
DROP TRIGGER events_public_revision_update;
--> statement-breakpoint
DROP TRIGGER events_public_revision_delete;
--> statement-breakpoint
DROP TRIGGER venues_public_revision_insert;
--> statement-breakpoint
DROP TRIGGER venues_public_revision_update;
--> statement-breakpoint
DROP TRIGGER venues_public_revision_delete;
--> statement-breakpoint
DROP TRIGGER organizers_public_revision_insert;
--> statement-breakpoint
DROP TRIGGER organizers_public_revision_update;
--> statement-breakpoint
DROP TRIGGER organizers_public_revision_delete;
--> statement-breakpoint
DROP TRIGGER event_venues_revision_insert;
--> statement-breakpoint
DROP TRIGGER event_venues_revision_update;
--> statement-breakpoint
DROP TRIGGER event_venues_revision_delete;
--> statement-breakpoint
DROP TRIGGER event_organizers_revision_insert;
--> statement-breakpoint
DROP TRIGGER event_organizers_revision_update;
--> statement-breakpoint
DROP TRIGGER event_organizers_revision_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_revision_insert;
--> statement-breakpoint
DROP TRIGGER event_terms_revision_update;
--> statement-breakpoint
DROP TRIGGER event_terms_revision_delete;
--> statement-breakpoint
DROP TRIGGER images_revision_update;
--> statement-breakpoint
DROP TRIGGER series_revision_update;
--> statement-breakpoint
DROP TRIGGER series_public_revision_update;
--> statement-breakpoint
DROP TRIGGER images_revision_insert;
--> statement-breakpoint
DROP TRIGGER images_revision_delete;
--> statement-breakpoint
DROP TRIGGER venues_change_insert;
--> statement-breakpoint
DROP TRIGGER venues_change_update;
--> statement-breakpoint
DROP TRIGGER venues_change_delete;
--> statement-breakpoint
DROP TRIGGER organizers_change_insert;
--> statement-breakpoint
DROP TRIGGER organizers_change_update;
--> statement-breakpoint
DROP TRIGGER organizers_change_delete;
--> statement-breakpoint
DROP TRIGGER terms_change_insert;
--> statement-breakpoint
DROP TRIGGER terms_change_update;
--> statement-breakpoint
DROP TRIGGER terms_change_delete;
--> statement-breakpoint
DROP TRIGGER events_removed_revision;
--> statement-breakpoint
DROP TRIGGER terms_public_revision_delete;
--> statement-breakpoint
DROP TRIGGER terms_public_revision_update;
--> statement-breakpoint
DROP TRIGGER terms_public_revision_insert;
--> statement-breakpoint
DROP TRIGGER images_revision_texts;
--> statement-breakpoint
DROP TRIGGER sources_revision_delete;
--> statement-breakpoint
DROP TRIGGER sources_revision_update;
--> statement-breakpoint
DROP TRIGGER events_change_delete;
--> statement-breakpoint
DROP TRIGGER events_change_update;
--> statement-breakpoint
DROP TRIGGER events_change_insert;
--> statement-breakpoint
DROP TRIGGER images_change_update;
--> statement-breakpoint
DROP TRIGGER series_change_update;
--> statement-breakpoint
DROP TRIGGER organizers_events_change;
--> statement-breakpoint
DROP TRIGGER venues_events_change;
--> statement-breakpoint
DROP TRIGGER term_ancestors_change_delete;
--> statement-breakpoint
DROP TRIGGER term_ancestors_change_insert;
--> statement-breakpoint
DROP TRIGGER event_terms_change_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_change_update;
--> statement-breakpoint
DROP TRIGGER event_terms_change_insert;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_delete;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_update;
--> statement-breakpoint
DROP TRIGGER event_organizers_change_insert;
--> statement-breakpoint
DROP TRIGGER event_venues_change_delete;
--> statement-breakpoint
DROP TRIGGER event_venues_change_update;
--> statement-breakpoint
DROP TRIGGER event_venues_change_insert;
--> statement-breakpoint
DROP TRIGGER event_sources_changed;
--> statement-breakpoint
ALTER TABLE revision ADD COLUMN stage INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Changes have the number of the revision that they make: it must be above those they have so far.
UPDATE revision SET n = max(revision.n, highest.n), public_n = max(revision.public_n, highest.public_n) FROM (
  SELECT
    max(ifnull((SELECT n FROM changes WHERE kind = kinds.value ORDER BY n DESC LIMIT 1), 0)) AS n,
    max(ifnull((SELECT public_n FROM changes WHERE kind = kinds.value AND public_n IS NOT NULL ORDER BY public_n DESC LIMIT 1), 0)) AS public_n
  FROM json_each('["events", "venues", "organizers", "event_category", "event_tag"]') AS kinds
) AS highest;
--> statement-breakpoint
CREATE VIEW revised (is_public) AS SELECT 0 WHERE false;
--> statement-breakpoint
CREATE VIEW changed (kind, id, author_id, is_listed, is_public) AS SELECT '', 0, 0, 0, 0 WHERE false;
--> statement-breakpoint
CREATE TRIGGER sources_revision_delete AFTER DELETE ON sources BEGIN
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER sources_revision_update AFTER UPDATE OF version ON sources BEGIN
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER events_removed_revision AFTER UPDATE OF status ON events
WHEN (OLD.status = 'trash') <> (NEW.status = 'trash') AND 'publish' NOT IN (OLD.status, NEW.status)
  AND EXISTS (SELECT 1 FROM unlisted WHERE event_id = NEW.id) BEGIN
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER images_revision_delete AFTER DELETE ON images BEGIN
  INSERT INTO revised VALUES (0);
END;
--> statement-breakpoint
CREATE TRIGGER images_revision_update AFTER UPDATE ON images
WHEN (
  OLD.url, OLD.width, OLD.height, OLD.version, OLD.author_id, OLD.date_utc,
  OLD.slug, OLD.title, OLD.alt_text, OLD.caption, OLD.search_text, OLD.mime_type, OLD.filesize, OLD.has_sizes, OLD.copied_id
) IS NOT (
  NEW.url, NEW.width, NEW.height, NEW.version, NEW.author_id, NEW.date_utc,
  NEW.slug, NEW.title, NEW.alt_text, NEW.caption, NEW.search_text, NEW.mime_type, NEW.filesize, NEW.has_sizes, NEW.copied_id
) BEGIN
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER images_revision_insert AFTER INSERT ON images BEGIN
  INSERT INTO revised VALUES (0);
END;
--> statement-breakpoint
CREATE TRIGGER revised_insert INSTEAD OF INSERT ON revised BEGIN
  UPDATE revision SET n = n + (stage < 2), modified_utc = datetime('now'),
    public_n = public_n + NEW.is_public,
    public_modified_utc = iif(NEW.is_public, datetime('now'), public_modified_utc),
    stage = iif(stage = 0, 0, iif(NEW.is_public, 3, 2))
  WHERE stage < 2 OR (stage = 2 AND NEW.is_public);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_delete AFTER DELETE ON organizers WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_update AFTER UPDATE OF status, date_utc ON organizers
WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_insert AFTER INSERT ON organizers WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_delete AFTER DELETE ON venues WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_update AFTER UPDATE OF status, date_utc ON venues
WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_insert AFTER INSERT ON venues WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_delete AFTER DELETE ON events WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_update AFTER UPDATE OF status, date_utc ON events
WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_insert AFTER INSERT ON events WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER event_sources_changed INSTEAD OF INSERT ON event_sources BEGIN
  DELETE FROM listings WHERE event_id = NEW.event_id AND +facet = 'source'
    AND +target_id NOT IN (SELECT source_id FROM event_sources WHERE event_id = NEW.event_id);
  INSERT INTO listings
    SELECT DISTINCT 'source', source_id, utc_start_date, id, utc_end_date, span
    FROM event_sources CROSS JOIN events ON id = event_id
    WHERE event_id = NEW.event_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = NEW.event_id AND there.facet = 'source' AND there.target_id = source_id);
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_delete AFTER DELETE ON terms BEGIN
  INSERT INTO changed SELECT OLD.taxonomy, OLD.id, NULL, is_public, is_public
    FROM (SELECT OLD.standalone OR OLD.count > 0 AS is_public);
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_update AFTER UPDATE ON terms BEGIN
  INSERT INTO changed SELECT NEW.taxonomy, NEW.id, NULL, is_public, is_public
    FROM (SELECT OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0 AS is_public);
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_insert AFTER INSERT ON terms BEGIN
  INSERT INTO changed SELECT NEW.taxonomy, NEW.id, NULL, is_public, is_public
    FROM (SELECT NEW.standalone OR NEW.count > 0 AS is_public);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_delete AFTER DELETE ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', OLD.id, OLD.author_id, OLD.status = 'publish', OLD.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_update AFTER UPDATE ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', NEW.id, NEW.author_id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_insert AFTER INSERT ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', NEW.id, NEW.author_id, NEW.status = 'publish', NEW.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_delete AFTER DELETE ON venues BEGIN
  INSERT INTO changed VALUES ('venues', OLD.id, OLD.author_id, OLD.status = 'publish', OLD.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_update AFTER UPDATE ON venues BEGIN
  INSERT INTO changed VALUES ('venues', NEW.id, NEW.author_id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_insert AFTER INSERT ON venues BEGIN
  INSERT INTO changed VALUES ('venues', NEW.id, NEW.author_id, NEW.status = 'publish', NEW.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER events_change_delete AFTER DELETE ON events BEGIN
  INSERT INTO changed VALUES ('events', OLD.id, OLD.author_id, OLD.listed, OLD.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER events_change_update AFTER UPDATE ON events BEGIN
  INSERT INTO changed VALUES ('events', NEW.id, NEW.author_id, OLD.listed OR NEW.listed, 'publish' IN (OLD.status, NEW.status));
END;
--> statement-breakpoint
CREATE TRIGGER events_change_insert AFTER INSERT ON events BEGIN
  INSERT INTO changed VALUES ('events', NEW.id, NEW.author_id, NEW.listed, NEW.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER changed_insert INSTEAD OF INSERT ON changed BEGIN
  INSERT INTO revised (is_public) VALUES (NEW.is_public);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT NEW.kind, NEW.id, n, iif(NEW.is_listed, public_n, NULL), coalesce(',' || NEW.author_id, '') || ','
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
      authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2))
    WHERE n <> excluded.n OR public_n IS NOT coalesce(excluded.public_n, public_n) OR NOT instr(authors, excluded.authors);
END;
--> statement-breakpoint
CREATE TRIGGER images_change_update AFTER UPDATE ON images
WHEN (OLD.url, OLD.width, OLD.height) IS NOT (NEW.url, NEW.width, NEW.height) BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE image_id = NEW.id;
  INSERT INTO changed SELECT 'venues', id, author_id, status = 'publish', status = 'publish' FROM venues WHERE image_id = NEW.id;
  INSERT INTO changed SELECT 'organizers', id, author_id, status = 'publish', status = 'publish' FROM organizers WHERE image_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER series_change_update AFTER UPDATE ON series
WHEN (OLD.slug, OLD.description, OLD.excerpt, OLD.rrule, OLD.rdate, OLD.exdate)
  IS NOT (NEW.slug, NEW.description, NEW.excerpt, NEW.rrule, NEW.rdate, NEW.exdate) BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE series_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER series_revision_update AFTER UPDATE ON series BEGIN
  INSERT INTO revised SELECT EXISTS (SELECT 1 FROM events WHERE series_id = NEW.id AND status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_events_change AFTER UPDATE OF status ON organizers
WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO changed
    SELECT 'events', id, author_id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN event_organizers CROSS JOIN events ON id = event_id WHERE target_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER venues_events_change AFTER UPDATE OF status, geo_lat, geo_lng ON venues
WHEN OLD.status <> NEW.status OR OLD.geo_lat IS NOT NEW.geo_lat OR OLD.geo_lng IS NOT NEW.geo_lng BEGIN
  INSERT INTO changed
    SELECT 'events', id, author_id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN event_venues CROSS JOIN events ON id = event_id WHERE target_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish'
    FROM event_terms CROSS JOIN events ON id = event_id WHERE target_id = OLD.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish'
    FROM event_terms CROSS JOIN events ON id = event_id WHERE target_id = NEW.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_delete AFTER DELETE ON event_terms BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_update AFTER UPDATE ON event_terms BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_delete AFTER DELETE ON event_organizers BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_update AFTER UPDATE ON event_organizers BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_delete AFTER DELETE ON event_venues BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_update AFTER UPDATE ON event_venues BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO changed SELECT 'events', id, author_id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
