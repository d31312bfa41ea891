CREATE TABLE `pick_lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`token_digest` text NOT NULL,
	`key_digest` text NOT NULL,
	`ids` text NOT NULL,
	`series` text NOT NULL,
	`network` text DEFAULT '' NOT NULL,
	`created_utc` text NOT NULL,
	`read_utc` text NOT NULL,
	`changed_hour` text DEFAULT '' NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pick_lists_token_digest_unique` ON `pick_lists` (`token_digest`);--> statement-breakpoint
CREATE UNIQUE INDEX `pick_lists_key_digest_unique` ON `pick_lists` (`key_digest`);--> statement-breakpoint
CREATE INDEX `pick_lists_read` ON `pick_lists` (`read_utc`);--> statement-breakpoint
CREATE INDEX `pick_lists_network` ON `pick_lists` (`network`,`created_utc`) WHERE network <> '';
--> statement-breakpoint
CREATE TRIGGER pick_lists_version BEFORE UPDATE OF version ON pick_lists WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
