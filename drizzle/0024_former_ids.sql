ALTER TABLE `former_slugs` ADD `former_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `former_slugs_id` ON `former_slugs` (`kind`,`former_id`);
