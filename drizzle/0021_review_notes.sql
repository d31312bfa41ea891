CREATE TABLE `review_notes` (
	`kind` text NOT NULL,
	`object_id` integer NOT NULL,
	`note` text NOT NULL,
	`user_id` integer NOT NULL,
	`at_utc` text NOT NULL,
	PRIMARY KEY(`kind`, `object_id`)
);
--> statement-breakpoint
CREATE TRIGGER series_review_note_delete AFTER DELETE ON series BEGIN
  DELETE FROM review_notes WHERE kind = 'series' AND object_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER series_review_note AFTER UPDATE OF status ON series
WHEN OLD.status NOT IN ('publish', 'future', 'private') AND NEW.status IN ('publish', 'future', 'private') BEGIN
  DELETE FROM review_notes WHERE kind = 'series' AND object_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_review_note_delete AFTER DELETE ON events BEGIN
  DELETE FROM review_notes WHERE kind = 'event' AND object_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_review_note AFTER UPDATE OF status ON events
WHEN OLD.status NOT IN ('publish', 'future', 'private') AND NEW.status IN ('publish', 'future', 'private') BEGIN
  DELETE FROM review_notes WHERE kind = 'event' AND object_id = NEW.id;
END;
