CREATE TABLE `sent_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`purpose` text NOT NULL,
	`user_id` integer NOT NULL,
	`email` text NOT NULL,
	`created_utc` text NOT NULL,
	`expires_utc` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sent_mails_expiry` ON `sent_mails` (`expires_utc`);
