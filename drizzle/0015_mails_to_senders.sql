ALTER TABLE `submissions` ADD `email_digest` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `is_confirmed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `told_utc` text;--> statement-breakpoint
CREATE INDEX `submissions_to_tell` ON `submissions` (`id`) WHERE is_confirmed AND told_utc IS NULL;
