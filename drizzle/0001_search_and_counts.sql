-- What Drizzle's schema has no words for: full-text tables, which hold folded text by the id of its row;
-- refusals of writes that would lose one; and counts, which test/derived.test.ts recomputes.
CREATE VIRTUAL TABLE events_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER events_search_delete AFTER DELETE ON events BEGIN
  DELETE FROM events_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_version BEFORE UPDATE OF version ON events WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE venues_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER venues_search_delete AFTER DELETE ON venues BEGIN
  DELETE FROM venues_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER venues_version BEFORE UPDATE OF version ON venues WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE organizers_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER organizers_search_delete AFTER DELETE ON organizers BEGIN
  DELETE FROM organizers_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER organizers_version BEFORE UPDATE OF version ON organizers WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_insert AFTER INSERT ON event_terms BEGIN
  UPDATE terms SET count = count + 1
  WHERE id = NEW.target_id AND (SELECT status FROM events WHERE id = NEW.event_id) = 'publish';
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_delete AFTER DELETE ON event_terms BEGIN
  UPDATE terms SET count = count - 1
  WHERE id = OLD.target_id AND (SELECT status FROM events WHERE id = OLD.event_id) = 'publish';
END;
--> statement-breakpoint
CREATE TRIGGER events_terms_count_update AFTER UPDATE OF status ON events
WHEN (NEW.status = 'publish') <> (OLD.status = 'publish') BEGIN
  UPDATE terms SET count = count + CASE NEW.status WHEN 'publish' THEN 1 ELSE -1 END
  WHERE id IN (SELECT target_id FROM event_terms WHERE event_id = NEW.id);
END;
--> statement-breakpoint
-- Terms count from 2: on most servers of this interface 1 is a default category that calendars don't use,
-- and clients written for those take it for "none".
INSERT INTO terms (taxonomy, name, name_key, sort_name, slug, path) VALUES ('event_category', '', '', '', '', '');
--> statement-breakpoint
DELETE FROM terms;
