DROP TRIGGER event_terms_count_delete;
--> statement-breakpoint
DROP TRIGGER events_term_count_update;
--> statement-breakpoint
CREATE TRIGGER events_term_count_update AFTER UPDATE OF status ON events
WHEN (NEW.status = 'publish') <> (OLD.status = 'publish') BEGIN
  UPDATE terms SET count = count + iif(NEW.status = 'publish', 1, -1), standalone = standalone OR OLD.status = 'publish'
  WHERE id IN (SELECT target_id FROM event_terms WHERE event_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_delete AFTER DELETE ON event_terms BEGIN
  UPDATE terms SET count = count - 1, standalone = 1
  WHERE id = OLD.target_id AND (SELECT status FROM events WHERE id = OLD.event_id) = 'publish';
END;
