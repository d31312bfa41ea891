CREATE TABLE `event_previews` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`expires_utc` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_previews_digest` ON `event_previews` (`digest`);
