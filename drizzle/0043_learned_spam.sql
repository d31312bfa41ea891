CREATE TABLE `spam_counts` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`events` integer NOT NULL,
	`spam` integer NOT NULL,
	`counts` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `submissions` ADD `likeness` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `is_spam` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `is_learned` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `submissions_to_learn` ON `submissions` (`id`) WHERE decided_utc IS NOT NULL AND NOT is_learned;
--> statement-breakpoint
CREATE TRIGGER spam_counts_version BEFORE UPDATE OF version ON spam_counts WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
