CREATE TABLE `news_choices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`filters` text NOT NULL,
	`language` text NOT NULL,
	`api` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `news_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_utc` text NOT NULL,
	`address` text NOT NULL,
	`network` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `news_mails_at` ON `news_mails` (`at_utc`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`email` text NOT NULL,
	`choice_id` integer NOT NULL,
	`weekday` text NOT NULL,
	`asked_utc` text NOT NULL,
	`consented_utc` text,
	`consent` integer,
	`next_utc` text,
	`refusals` integer DEFAULT 0 NOT NULL,
	`refused_day` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`choice_id`) REFERENCES `news_choices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email` ON `subscribers` ("email" COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `subscribers_choice` ON `subscribers` (`choice_id`);--> statement-breakpoint
CREATE INDEX `subscribers_due` ON `subscribers` (`next_utc`,`choice_id`) WHERE next_utc IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_unconfirmed` ON `subscribers` (`asked_utc`) WHERE consented_utc IS NULL;
--> statement-breakpoint
CREATE TRIGGER news_choices_version BEFORE UPDATE OF version ON news_choices WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER subscribers_version BEFORE UPDATE OF version ON subscribers WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
