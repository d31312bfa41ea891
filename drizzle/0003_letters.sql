CREATE TABLE `email_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`letter_id` integer,
	`email` text NOT NULL,
	`digest` text NOT NULL,
	`created_utc` text NOT NULL,
	`expires_utc` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_links_digest` ON `email_links` (`digest`);--> statement-breakpoint
CREATE INDEX `email_links_user` ON `email_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `email_links_expiry` ON `email_links` (`expires_utc`);--> statement-breakpoint
CREATE TABLE `letter_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`letter_id` integer NOT NULL,
	`due_utc` text,
	`state` text NOT NULL,
	`tries` integer NOT NULL,
	`at_utc` text NOT NULL,
	`next_try_utc` text,
	`reason` text DEFAULT '' NOT NULL,
	`events` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`letter_id`) REFERENCES `letters`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `letter_deliveries_due` ON `letter_deliveries` (`letter_id`,`due_utc`);--> statement-breakpoint
CREATE INDEX `letter_deliveries_waiting` ON `letter_deliveries` (`next_try_utc`) WHERE next_try_utc IS NOT NULL;--> statement-breakpoint
CREATE TABLE `letters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`name` text NOT NULL,
	`filters` text DEFAULT '{}' NOT NULL,
	`days` integer NOT NULL,
	`weekday` text NOT NULL,
	`hour` integer NOT NULL,
	`language` text NOT NULL,
	`subject` text NOT NULL,
	`intro` text DEFAULT '' NOT NULL,
	`to_email` text NOT NULL,
	`confirmed_email` text DEFAULT '' NOT NULL,
	`empty` text DEFAULT 'skip' NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`api` text NOT NULL,
	`created_utc` text NOT NULL,
	`last_sent_utc` text,
	`next_utc` text,
	`zone` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
ALTER TABLE `sources` ADD `failing_since_utc` text;--> statement-breakpoint
ALTER TABLE `users` ADD `email` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `notices` text DEFAULT 'never' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `noticed_utc` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `users_notices` ON `users` (`notices`) WHERE notices <> 'never';
--> statement-breakpoint
CREATE TRIGGER letters_version BEFORE UPDATE OF version ON letters WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
