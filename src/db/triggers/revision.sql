-- The revision of the database, in one row: entity tags and responses in memory are good while it stands
-- (src/http/caching.ts). Every change that a response shows raises n; every change that anonymous callers can
-- see raises public_n as well, so that their responses don't depend on hidden content. It may rise more often
-- than needed, and by more than one, but never too little: test/db/revision.test.ts changes every column of
-- every table.

-- The row was made by a migration. epoch is a secret of this database, from which entity tags are made;
-- next_due_utc is kept in publication.sql.
CREATE TABLE revision (
  epoch TEXT NOT NULL,
  n INTEGER NOT NULL,
  modified_utc TEXT NOT NULL,
  next_due_utc TEXT,
  public_n INTEGER NOT NULL DEFAULT 1,
  public_modified_utc TEXT NOT NULL DEFAULT '0001-01-01 00:00:00'
);

-- Content, for everybody who may see hidden content.
CREATE TRIGGER events_revision_insert AFTER INSERT ON events BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER events_revision_update AFTER UPDATE ON events BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER events_revision_delete AFTER DELETE ON events BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER venues_revision_insert AFTER INSERT ON venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER venues_revision_update AFTER UPDATE ON venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER venues_revision_delete AFTER DELETE ON venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER organizers_revision_insert AFTER INSERT ON organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER organizers_revision_update AFTER UPDATE ON organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER organizers_revision_delete AFTER DELETE ON organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

-- Content, for anonymous callers: published before the change or after it.
CREATE TRIGGER events_public_revision_insert AFTER INSERT ON events WHEN NEW.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER events_public_revision_update AFTER UPDATE ON events
WHEN 'publish' IN (OLD.status, NEW.status) BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER events_public_revision_delete AFTER DELETE ON events WHEN OLD.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER venues_public_revision_insert AFTER INSERT ON venues WHEN NEW.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER venues_public_revision_update AFTER UPDATE ON venues
WHEN 'publish' IN (OLD.status, NEW.status) BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER venues_public_revision_delete AFTER DELETE ON venues WHEN OLD.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER organizers_public_revision_insert AFTER INSERT ON organizers WHEN NEW.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER organizers_public_revision_update AFTER UPDATE ON organizers
WHEN 'publish' IN (OLD.status, NEW.status) BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER organizers_public_revision_delete AFTER DELETE ON organizers WHEN OLD.status = 'publish' BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

-- Terms are for everybody, but for those that only unpublished events have.
CREATE TRIGGER terms_revision_insert AFTER INSERT ON terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER terms_revision_update AFTER UPDATE ON terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER terms_revision_delete AFTER DELETE ON terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER terms_public_revision_insert AFTER INSERT ON terms WHEN NEW.standalone OR NEW.count > 0 BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER terms_public_revision_update AFTER UPDATE ON terms
WHEN OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0 BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER terms_public_revision_delete AFTER DELETE ON terms WHEN OLD.standalone OR OLD.count > 0 BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

-- Links are part of their event, whoever writes them, and in whichever batch.
CREATE TRIGGER event_venues_revision_insert AFTER INSERT ON event_venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id = NEW.event_id
  ) AS seen);
END;

CREATE TRIGGER event_venues_revision_update AFTER UPDATE ON event_venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id IN (OLD.event_id, NEW.event_id)
  ) AS seen);
END;

CREATE TRIGGER event_venues_revision_delete AFTER DELETE ON event_venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id = OLD.event_id
  ) AS seen);
END;

CREATE TRIGGER event_organizers_revision_insert AFTER INSERT ON event_organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id = NEW.event_id
  ) AS seen);
END;

CREATE TRIGGER event_organizers_revision_update AFTER UPDATE ON event_organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id IN (OLD.event_id, NEW.event_id)
  ) AS seen);
END;

CREATE TRIGGER event_organizers_revision_delete AFTER DELETE ON event_organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id = OLD.event_id
  ) AS seen);
END;

CREATE TRIGGER event_terms_revision_insert AFTER INSERT ON event_terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id = NEW.event_id
  ) AS seen);
END;

CREATE TRIGGER event_terms_revision_update AFTER UPDATE ON event_terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id IN (OLD.event_id, NEW.event_id)
  ) AS seen);
END;

CREATE TRIGGER event_terms_revision_delete AFTER DELETE ON event_terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + seen,
    public_modified_utc = iif(seen, datetime('now'), public_modified_utc)
  FROM (SELECT EXISTS (
    SELECT 1 FROM events WHERE status = 'publish' AND id = OLD.event_id
  ) AS seen);
END;

-- Responses of occurrences show their series. It is new or deleted along with them.
CREATE TRIGGER series_revision_update AFTER UPDATE ON series BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER series_public_revision_update AFTER UPDATE ON series
WHEN EXISTS (SELECT 1 FROM events WHERE series_id = NEW.id AND status = 'publish') BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

-- Lists of images are for those who may edit, and show new ones; everybody sees an image beside the content that
-- uses it, which nothing does when it is new or deleted. Many rows may share one whose address or size changes.
CREATE TRIGGER images_revision_insert AFTER INSERT ON images BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

CREATE TRIGGER images_revision_update AFTER UPDATE ON images
WHEN (OLD.url, OLD.width, OLD.height) IS NOT (NEW.url, NEW.width, NEW.height) BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'),
    public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER images_revision_texts AFTER UPDATE ON images
WHEN (
  OLD.version, OLD.author_id, OLD.date_utc,
  OLD.slug, OLD.title, OLD.alt_text, OLD.caption, OLD.search_text, OLD.mime_type, OLD.filesize, OLD.has_sizes, OLD.copied_id
) IS NOT (
  NEW.version, NEW.author_id, NEW.date_utc,
  NEW.slug, NEW.title, NEW.alt_text, NEW.caption, NEW.search_text, NEW.mime_type, NEW.filesize, NEW.has_sizes, NEW.copied_id
) BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'),
    public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER images_revision_delete AFTER DELETE ON images BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;

-- Feeds show as cancelled what is in the trash and was listed before it was hidden.
CREATE TRIGGER events_removed_revision AFTER UPDATE OF status ON events
WHEN (OLD.status = 'trash') <> (NEW.status = 'trash') AND 'publish' NOT IN (OLD.status, NEW.status)
  AND EXISTS (SELECT 1 FROM unlisted WHERE event_id = NEW.id) BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;

-- Events show what users set of their source. Reading it changes no version.
CREATE TRIGGER sources_revision_update AFTER UPDATE OF version ON sources BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + 1, public_modified_utc = datetime('now');
END;

CREATE TRIGGER sources_revision_delete AFTER DELETE ON sources BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + 1, public_modified_utc = datetime('now');
END;
