CREATE TABLE `remarks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`text` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`sender` text DEFAULT '' NOT NULL,
	`form_digest` text,
	`created_utc` text NOT NULL,
	`likeness` real DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `remarks_form` ON `remarks` (`form_digest`);--> statement-breakpoint
CREATE INDEX `remarks_created` ON `remarks` (`created_utc`);
