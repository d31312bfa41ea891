DROP TRIGGER term_ancestors_insert;
--> statement-breakpoint
DROP TRIGGER term_ancestors_update;
--> statement-breakpoint
DROP TRIGGER event_terms_count_insert;
--> statement-breakpoint
DROP TRIGGER terms_public_revision_insert;
--> statement-breakpoint
DROP TRIGGER terms_public_revision_update;
--> statement-breakpoint
DROP TRIGGER terms_public_revision_delete;
--> statement-breakpoint
ALTER TABLE `terms` ADD `standalone` integer DEFAULT true NOT NULL;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_insert AFTER INSERT ON event_terms BEGIN
  UPDATE terms SET count = count + event.is_public
  FROM (SELECT status = 'publish' AS is_public FROM events WHERE id = NEW.event_id) AS event
  WHERE id = NEW.target_id AND (event.is_public OR (count = 0 AND NOT standalone));
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_update AFTER UPDATE OF parent ON terms WHEN NEW.parent <> OLD.parent BEGIN
  DELETE FROM term_ancestors
    WHERE term_id IN (SELECT term_id FROM term_ancestors WHERE ancestor_id = NEW.id)
    AND ancestor_id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = OLD.parent);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT below.term_id, above.ancestor_id FROM term_ancestors AS below, term_ancestors AS above
    WHERE below.ancestor_id = NEW.id AND above.term_id = NEW.parent;
  UPDATE terms SET standalone = 1 WHERE id = NEW.parent AND NOT standalone;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_insert AFTER INSERT ON terms BEGIN
  INSERT INTO term_ancestors (term_id, ancestor_id) VALUES (NEW.id, NEW.id);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT NEW.id, ancestor_id FROM term_ancestors WHERE term_id = NEW.parent;
  UPDATE terms SET standalone = 1 WHERE id = NEW.parent AND NOT standalone;
END;
--> statement-breakpoint
CREATE TRIGGER terms_public_revision_delete AFTER DELETE ON terms WHEN OLD.standalone OR OLD.count > 0 BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER terms_public_revision_update AFTER UPDATE ON terms
WHEN OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0 BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER terms_public_revision_insert AFTER INSERT ON terms WHEN NEW.standalone OR NEW.count > 0 BEGIN
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now');
END;
