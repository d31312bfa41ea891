-- Triggers that refuse writes computed from rows which somebody else has changed since. A request reads
-- first, and then writes everything in one batch; if the batch fails with "version conflict", the route
-- starts again with the current rows (src/kit/db/failures.ts). Each table with a version has a trigger that
-- does the same (repeated.ts).

-- A category must not get a parent that another request has deleted since it was looked up. 0 stands for no
-- parent, which a foreign key could not express.
CREATE TRIGGER terms_parent_insert BEFORE INSERT ON terms
WHEN NEW.parent > 0 AND NOT EXISTS (SELECT 1 FROM terms WHERE id = NEW.parent) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

CREATE TRIGGER terms_parent_update BEFORE UPDATE OF parent ON terms
WHEN NEW.parent > 0 AND NOT EXISTS (SELECT 1 FROM terms WHERE id = NEW.parent) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;

-- Statements of a write that find that somebody else was faster insert 1 here (`conflictIf` in
-- src/kit/db/failures.ts).
CREATE VIEW conflicts AS SELECT 0 AS is_conflict WHERE false;

CREATE TRIGGER conflicts_insert INSTEAD OF INSERT ON conflicts WHEN NEW.is_conflict BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
