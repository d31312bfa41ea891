-- The latest change of each event, venue, organizer and deleted term, which outlives its row. Copies of lists
-- ask for changes with a higher number than they know. The number is the revision of the database
-- (revision.sql) that the change made: change_number and, if lists show the row to anonymous callers before
-- or after the change, public_change_number, which is null if there was no such change. is_hidden is true if
-- the latest change was not one of these.
CREATE TABLE changes (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  change_number INTEGER NOT NULL,
  public_change_number INTEGER,
  is_hidden INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

-- A row is in one index, or in both after a public change and a hidden one. Both numbers rise in the same
-- order.
CREATE INDEX changes_public ON changes (kind, public_change_number) WHERE public_change_number IS NOT NULL;

CREATE INDEX changes_hidden ON changes (kind, change_number) WHERE is_hidden;

-- Terms have their numbers in their own rows, which every event that is counted changes anyway; deleted ones
-- have them in changes. Neither has an index, because terms are few.
CREATE VIEW term_changes (kind, id, change_number, public_change_number) AS
SELECT taxonomy, id, change_number, public_change_number FROM terms
UNION ALL SELECT kind, id, change_number, public_change_number FROM changes WHERE kind IN ('event_category', 'event_tag');

-- Everything that changes a response inserts a row here, which raises the revision and numbers the change.
-- is_listed says whether lists show the row to anonymous callers, is_public whether any response does.
CREATE VIEW new_changes (kind, id, is_listed, is_public) AS SELECT '', 0, 0, 0 WHERE false;

CREATE TRIGGER new_changes_insert INSTEAD OF INSERT ON new_changes BEGIN
  INSERT INTO new_revisions (is_public) VALUES (NEW.is_public);
  INSERT INTO changes (kind, id, change_number, public_change_number, is_hidden)
    SELECT NEW.kind, NEW.id, change_number, iif(NEW.is_listed, public_change_number, NULL), NOT NEW.is_listed
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET change_number = excluded.change_number,
      public_change_number = coalesce(excluded.public_change_number, public_change_number),
      is_hidden = excluded.is_hidden AND (change_number <> excluded.change_number OR is_hidden)
    WHERE change_number <> excluded.change_number
      OR public_change_number IS NOT coalesce(excluded.public_change_number, public_change_number)
      OR is_hidden > excluded.is_hidden;
END;

-- The resource itself.
CREATE TRIGGER events_change_insert AFTER INSERT ON events BEGIN
  INSERT INTO new_changes VALUES ('events', NEW.id, NEW.listed, NEW.status = 'publish');
END;

CREATE TRIGGER events_change_update AFTER UPDATE ON events BEGIN
  INSERT INTO new_changes VALUES ('events', NEW.id, OLD.listed OR NEW.listed, 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER events_change_delete AFTER DELETE ON events BEGIN
  INSERT INTO new_changes VALUES ('events', OLD.id, OLD.listed, OLD.status = 'publish');
END;

CREATE TRIGGER venues_change_insert AFTER INSERT ON venues BEGIN
  INSERT INTO new_changes VALUES ('venues', NEW.id, NEW.status = 'publish', NEW.status = 'publish');
END;

CREATE TRIGGER venues_change_update AFTER UPDATE ON venues BEGIN
  INSERT INTO new_changes VALUES ('venues', NEW.id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER venues_change_delete AFTER DELETE ON venues BEGIN
  INSERT INTO new_changes VALUES ('venues', OLD.id, OLD.status = 'publish', OLD.status = 'publish');
END;

CREATE TRIGGER organizers_change_insert AFTER INSERT ON organizers BEGIN
  INSERT INTO new_changes VALUES ('organizers', NEW.id, NEW.status = 'publish', NEW.status = 'publish');
END;

CREATE TRIGGER organizers_change_update AFTER UPDATE ON organizers BEGIN
  INSERT INTO new_changes VALUES ('organizers', NEW.id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER organizers_change_delete AFTER DELETE ON organizers BEGIN
  INSERT INTO new_changes VALUES ('organizers', OLD.id, OLD.status = 'publish', OLD.status = 'publish');
END;

-- Terms are public, except for those that only unpublished events have.
CREATE TRIGGER terms_change_insert AFTER INSERT ON terms BEGIN
  DELETE FROM changes WHERE kind = NEW.taxonomy AND id = NEW.id;
  INSERT INTO new_revisions VALUES (NEW.standalone OR NEW.count > 0);
  UPDATE terms SET change_number = revision.change_number,
    public_change_number = iif(NEW.standalone OR NEW.count > 0, revision.public_change_number, NULL)
    FROM revision WHERE id = NEW.id;
END;

-- Counting a term sets its number at once (terms.sql).
CREATE TRIGGER terms_change_update AFTER UPDATE ON terms
WHEN (NEW.change_number, NEW.public_change_number) IS (OLD.change_number, OLD.public_change_number) BEGIN
  INSERT INTO new_revisions SELECT OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0;
  UPDATE terms SET change_number = revision.change_number,
    public_change_number = iif(OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0,
      revision.public_change_number, terms.public_change_number)
    FROM revision WHERE id = NEW.id AND (terms.change_number, terms.public_change_number) IS NOT (revision.change_number,
      iif(OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0,
        revision.public_change_number, terms.public_change_number));
END;

CREATE TRIGGER terms_change_delete AFTER DELETE ON terms BEGIN
  INSERT INTO new_changes SELECT OLD.taxonomy, OLD.id, is_public, is_public
    FROM (SELECT OLD.standalone OR OLD.count > 0 AS is_public);
END;
