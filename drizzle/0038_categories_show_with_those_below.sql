DROP TRIGGER term_ancestors_update;
--> statement-breakpoint
DROP TRIGGER term_ancestors_insert;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_shown AFTER UPDATE OF standalone, count ON terms
WHEN NEW.parent > 0 AND (NEW.standalone OR NEW.count > 0) AND NOT (OLD.standalone OR OLD.count > 0) BEGIN
  UPDATE terms SET standalone = 1 WHERE NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_update AFTER UPDATE OF parent ON terms WHEN NEW.parent <> OLD.parent BEGIN
  DELETE FROM term_ancestors
    WHERE term_id IN (SELECT term_id FROM term_ancestors WHERE ancestor_id = NEW.id)
    AND ancestor_id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = OLD.parent);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT below.term_id, above.ancestor_id FROM term_ancestors AS below, term_ancestors AS above
    WHERE below.ancestor_id = NEW.id AND above.term_id = NEW.parent;
  UPDATE terms SET standalone = 1 WHERE (NEW.standalone OR NEW.count > 0) AND NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_insert AFTER INSERT ON terms BEGIN
  INSERT INTO term_ancestors (term_id, ancestor_id) VALUES (NEW.id, NEW.id);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT NEW.id, ancestor_id FROM term_ancestors WHERE term_id = NEW.parent;
  UPDATE terms SET standalone = 1 WHERE (NEW.standalone OR NEW.count > 0) AND NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;
