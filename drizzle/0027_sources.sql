CREATE TABLE `source_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` integer NOT NULL,
	`started_utc` text NOT NULL,
	`ended_utc` text,
	`state` text NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`trashed` integer DEFAULT 0 NOT NULL,
	`joined` integer DEFAULT 0 NOT NULL,
	`asked` integer DEFAULT 0 NOT NULL,
	`skipped` text DEFAULT '[]' NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `source_runs_source` ON `source_runs` (`source_id`);--> statement-breakpoint
CREATE TABLE `sources` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`kind` text NOT NULL,
	`every` text NOT NULL,
	`status` text NOT NULL,
	`categories` text DEFAULT '[]' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`organizer` integer,
	`venue` integer,
	`search` text DEFAULT '' NOT NULL,
	`mirror` integer DEFAULT false NOT NULL,
	`rights_text` text DEFAULT '' NOT NULL,
	`rights_url` text DEFAULT '' NOT NULL,
	`author_id` integer NOT NULL,
	`created_utc` text NOT NULL,
	`state` text DEFAULT 'new' NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`last_run_utc` text,
	`next_run_utc` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`etag` text DEFAULT '' NOT NULL,
	`last_modified` text DEFAULT '' NOT NULL,
	`place` integer DEFAULT 0 NOT NULL,
	`events` integer DEFAULT 0 NOT NULL,
	`is_ending` integer DEFAULT false NOT NULL,
	`served_utc` text DEFAULT '' NOT NULL,
	`lease` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sources_due` ON `sources` (`next_run_utc`) WHERE next_run_utc IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER sources_version BEFORE UPDATE OF version ON sources WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER sources_revision_delete AFTER DELETE ON sources BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + 1, public_modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER sources_revision_update AFTER UPDATE OF version ON sources BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + 1, public_modified_utc = datetime('now');
END;
