-- The latest change of each event, venue, organizer and term, which outlives its row. Copies of lists ask for changes
-- with a higher number than they know. The number is the revision of the database (revision.sql) that the change made:
-- n and, if lists show the row to anonymous callers before or after the change, public_n, which is null otherwise.
-- authors is the author of the row, ",7,", who may know of it although it is unpublished; handovers.sql has the former
-- ones. Terms have no author.
CREATE TABLE changes (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  public_n INTEGER,
  authors TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

-- Terms have no index: they are few, and every event changes its own.
CREATE INDEX changes_n ON changes (kind, n) WHERE kind NOT IN ('event_category', 'event_tag');

CREATE INDEX changes_public ON changes (kind, public_n)
  WHERE public_n IS NOT NULL AND kind NOT IN ('event_category', 'event_tag');

-- Everything that changes a response inserts a row here, which raises the revision and numbers the change. is_listed
-- tells whether lists show the row to anonymous callers, is_public whether any response does.
CREATE VIEW changed (kind, id, author_id, is_listed, is_public) AS SELECT '', 0, 0, 0, 0 WHERE false;

CREATE TRIGGER changed_insert INSTEAD OF INSERT ON changed BEGIN
  INSERT INTO revised (is_public) VALUES (NEW.is_public);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT NEW.kind, NEW.id, n, iif(NEW.is_listed, public_n, NULL), coalesce(',' || NEW.author_id, '') || ','
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
      authors = excluded.authors
    WHERE n <> excluded.n OR public_n IS NOT coalesce(excluded.public_n, public_n) OR authors <> excluded.authors;
END;

-- The resource itself.
CREATE TRIGGER events_change_insert AFTER INSERT ON events BEGIN
  INSERT INTO changed VALUES ('events', NEW.id, NEW.author_id, NEW.listed, NEW.status = 'publish');
END;

CREATE TRIGGER events_change_update AFTER UPDATE ON events BEGIN
  INSERT INTO changed VALUES ('events', NEW.id, NEW.author_id, OLD.listed OR NEW.listed, 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER events_change_delete AFTER DELETE ON events BEGIN
  INSERT INTO changed VALUES ('events', OLD.id, OLD.author_id, OLD.listed, OLD.status = 'publish');
END;

CREATE TRIGGER venues_change_insert AFTER INSERT ON venues BEGIN
  INSERT INTO changed VALUES ('venues', NEW.id, NEW.author_id, NEW.status = 'publish', NEW.status = 'publish');
END;

CREATE TRIGGER venues_change_update AFTER UPDATE ON venues BEGIN
  INSERT INTO changed VALUES ('venues', NEW.id, NEW.author_id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER venues_change_delete AFTER DELETE ON venues BEGIN
  INSERT INTO changed VALUES ('venues', OLD.id, OLD.author_id, OLD.status = 'publish', OLD.status = 'publish');
END;

CREATE TRIGGER organizers_change_insert AFTER INSERT ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', NEW.id, NEW.author_id, NEW.status = 'publish', NEW.status = 'publish');
END;

CREATE TRIGGER organizers_change_update AFTER UPDATE ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', NEW.id, NEW.author_id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;

CREATE TRIGGER organizers_change_delete AFTER DELETE ON organizers BEGIN
  INSERT INTO changed VALUES ('organizers', OLD.id, OLD.author_id, OLD.status = 'publish', OLD.status = 'publish');
END;

-- Terms are public, except for those that only unpublished events have.
CREATE TRIGGER terms_change_insert AFTER INSERT ON terms BEGIN
  INSERT INTO changed SELECT NEW.taxonomy, NEW.id, NULL, is_public, is_public
    FROM (SELECT NEW.standalone OR NEW.count > 0 AS is_public);
END;

CREATE TRIGGER terms_change_update AFTER UPDATE ON terms BEGIN
  INSERT INTO changed SELECT NEW.taxonomy, NEW.id, NULL, is_public, is_public
    FROM (SELECT OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0 AS is_public);
END;

CREATE TRIGGER terms_change_delete AFTER DELETE ON terms BEGIN
  INSERT INTO changed SELECT OLD.taxonomy, OLD.id, NULL, is_public, is_public
    FROM (SELECT OLD.standalone OR OLD.count > 0 AS is_public);
END;
