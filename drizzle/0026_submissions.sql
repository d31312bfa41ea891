CREATE TABLE `submission_keys` (
	`day` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`token_digest` text NOT NULL,
	`form_digest` text,
	`sender` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`has_image` integer DEFAULT false NOT NULL,
	`event_key` text NOT NULL,
	`text_key` text DEFAULT '' NOT NULL,
	`created_utc` text NOT NULL,
	`decided_utc` text,
	`is_withdrawn` integer DEFAULT false NOT NULL,
	`note` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_event` ON `submissions` (`event_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_token` ON `submissions` (`token_digest`);--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_form` ON `submissions` (`form_digest`);--> statement-breakpoint
CREATE INDEX `submissions_event_key` ON `submissions` (`event_key`);--> statement-breakpoint
CREATE INDEX `submissions_text_key` ON `submissions` (`text_key`) WHERE text_key <> '';--> statement-breakpoint
CREATE INDEX `submissions_created` ON `submissions` (`created_utc`);--> statement-breakpoint
CREATE INDEX `submissions_email` ON `submissions` (`email`) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `submissions_decided` ON `submissions` (`decided_utc`) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `submissions_undecided` ON `submissions` (`id`) WHERE decided_utc IS NULL;
