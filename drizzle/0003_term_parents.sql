-- A category must not get a parent that another request has deleted since it was looked up. 0 stands for none,
-- which a foreign key could not say. The message is the one after which a write looks again.
CREATE TRIGGER terms_parent_insert BEFORE INSERT ON terms
WHEN NEW.parent > 0 AND NOT EXISTS (SELECT 1 FROM terms WHERE id = NEW.parent) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER terms_parent_update BEFORE UPDATE OF parent ON terms
WHEN NEW.parent > 0 AND NOT EXISTS (SELECT 1 FROM terms WHERE id = NEW.parent) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
