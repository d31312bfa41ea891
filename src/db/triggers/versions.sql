-- Writes that were worked out from rows which somebody else has changed meanwhile are refused. A write reads
-- first and then writes all it has in one batch; if the batch fails with "version conflict", the route begins
-- again from what there is now (src/db/conflicts.ts).

-- A version rises by one. Of two writes that began with version 4, both set 5: the second one meets 5, and fails.
CREATE TRIGGER events_version BEFORE UPDATE OF version ON events WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

CREATE TRIGGER series_version BEFORE UPDATE OF version ON series WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

CREATE TRIGGER venues_version BEFORE UPDATE OF version ON venues WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

CREATE TRIGGER organizers_version BEFORE UPDATE OF version ON organizers
WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

CREATE TRIGGER terms_version BEFORE UPDATE OF version ON terms WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

CREATE TRIGGER images_version BEFORE UPDATE OF version ON images WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

CREATE TRIGGER webhooks_version BEFORE UPDATE OF version ON webhooks WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
CREATE TRIGGER sources_version BEFORE UPDATE OF version ON sources WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

-- A category must not get a parent that another request has deleted since it was looked up. 0 stands for none,
-- which a foreign key could not say.
CREATE TRIGGER terms_parent_insert BEFORE INSERT ON terms
WHEN NEW.parent > 0 AND NOT EXISTS (SELECT 1 FROM terms WHERE id = NEW.parent) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

CREATE TRIGGER terms_parent_update BEFORE UPDATE OF parent ON terms
WHEN NEW.parent > 0 AND NOT EXISTS (SELECT 1 FROM terms WHERE id = NEW.parent) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

-- Statements of a write that find out that somebody else came first insert 1 here (`conflictIf` in src/db/conflicts.ts).
CREATE VIEW conflicts AS SELECT 0 AS is_conflict WHERE false;

CREATE TRIGGER conflicts_insert INSTEAD OF INSERT ON conflicts WHEN NEW.is_conflict BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
