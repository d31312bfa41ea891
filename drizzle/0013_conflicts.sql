CREATE VIEW conflicts AS SELECT 0 AS is_conflict WHERE false;
--> statement-breakpoint
CREATE TRIGGER conflicts_insert INSTEAD OF INSERT ON conflicts WHEN NEW.is_conflict BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
