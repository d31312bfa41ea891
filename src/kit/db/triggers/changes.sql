-- The latest change of each event, venue, organizer and deleted term, which outlives its row. Copies of lists
-- ask for changes with a higher number than they know. The number is the revision of the database
-- (revision.sql) that the change made: n and, if lists show the row to anonymous callers before or after the
-- change, public_n, which is null if there was no such change. is_hidden is true if the latest change was not
-- one of these.
CREATE TABLE changes (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  public_n INTEGER,
  is_hidden INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

-- A row is in one index, or in both after a public change and a hidden one. Both numbers rise in the same
-- order.
CREATE INDEX changes_public ON changes (kind, public_n) WHERE public_n IS NOT NULL;

CREATE INDEX changes_hidden ON changes (kind, n) WHERE is_hidden;

-- Terms have their numbers in their own rows, which every event that is counted changes anyway; deleted ones
-- have them in changes. Neither has an index, because terms are few.
CREATE VIEW term_changes (kind, id, n, public_n) AS
SELECT taxonomy, id, change_n, public_n FROM terms
UNION ALL SELECT kind, id, n, public_n FROM changes WHERE kind IN ('event_category', 'event_tag');

-- Everything that changes a response inserts a row here, which raises the revision and numbers the change.
-- is_listed says whether lists show the row to anonymous callers, is_public whether any response does.
CREATE VIEW changed (kind, id, is_listed, is_public) AS SELECT '', 0, 0, 0 WHERE false;

CREATE TRIGGER changed_insert INSTEAD OF INSERT ON changed BEGIN
  INSERT INTO revised (is_public) VALUES (NEW.is_public);
  INSERT INTO changes (kind, id, n, public_n, is_hidden)
    SELECT NEW.kind, NEW.id, n, iif(NEW.is_listed, public_n, NULL), NOT NEW.is_listed
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
      is_hidden = excluded.is_hidden AND (n <> excluded.n OR is_hidden)
    WHERE n <> excluded.n OR public_n IS NOT coalesce(excluded.public_n, public_n) OR is_hidden > excluded.is_hidden;
END;

-- The resource itself.
CREATE TRIGGER events_change_insert AFTER INSERT ON events BEGIN
  INSERT INTO changed VALUES ('events', NEW.id, NEW.listed, NEW.status = 'publish');
END;

CREATE TRIGGER events_change_update AFTER UPDATE ON events BEGIN
  INSERT INTO changed VALUES ('events', NEW.id, OLD.listed OR NEW.listed, 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER events_change_delete AFTER DELETE ON events BEGIN
  INSERT INTO changed VALUES ('events', OLD.id, OLD.listed, OLD.status = 'publish');
END;

CREATE TRIGGER venues_change_insert AFTER INSERT ON venues BEGIN
  INSERT INTO changed VALUES ('venues', NEW.id, NEW.status = 'publish', NEW.status = 'publish');
END;

CREATE TRIGGER venues_change_update AFTER UPDATE ON venues BEGIN
  INSERT INTO changed VALUES ('venues', NEW.id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER venues_change_delete AFTER DELETE ON venues BEGIN
  INSERT INTO changed VALUES ('venues', OLD.id, OLD.status = 'publish', OLD.status = 'publish');
END;

CREATE TRIGGER organizers_change_insert AFTER INSERT ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', NEW.id, NEW.status = 'publish', NEW.status = 'publish');
END;

CREATE TRIGGER organizers_change_update AFTER UPDATE ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', NEW.id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER organizers_change_delete AFTER DELETE ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', OLD.id, OLD.status = 'publish', OLD.status = 'publish');
END;

-- Terms are public, except for those that only unpublished events have.
CREATE TRIGGER terms_change_insert AFTER INSERT ON terms BEGIN
  DELETE FROM changes WHERE kind = NEW.taxonomy AND id = NEW.id;
  INSERT INTO revised VALUES (NEW.standalone OR NEW.count > 0);
  UPDATE terms SET change_n = n, public_n = iif(NEW.standalone OR NEW.count > 0, revision.public_n, NULL)
    FROM revision WHERE id = NEW.id;
END;

-- Counting a term sets its number at once (terms.sql).
CREATE TRIGGER terms_change_update AFTER UPDATE ON terms WHEN (NEW.change_n, NEW.public_n) IS (OLD.change_n, OLD.public_n) BEGIN
  INSERT INTO revised SELECT OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0;
  UPDATE terms SET change_n = n,
    public_n = iif(OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0, revision.public_n, terms.public_n)
    FROM revision WHERE id = NEW.id AND (change_n, terms.public_n) IS NOT (n,
      iif(OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0, revision.public_n, terms.public_n));
END;

CREATE TRIGGER terms_change_delete AFTER DELETE ON terms BEGIN
  INSERT INTO changed SELECT OLD.taxonomy, OLD.id, is_public, is_public
    FROM (SELECT OLD.standalone OR OLD.count > 0 AS is_public);
END;
