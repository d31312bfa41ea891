CREATE TABLE `audit_state` (
	`cleared_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `former_slugs` (
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`target_id` integer NOT NULL,
	PRIMARY KEY(`kind`, `slug`)
);
--> statement-breakpoint
CREATE INDEX `former_slugs_target` ON `former_slugs` (`kind`,`target_id`);--> statement-breakpoint
CREATE TABLE `undo_requests` (
	`audit_id` integer PRIMARY KEY NOT NULL,
	`at_utc` text NOT NULL,
	`request` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `audit` ADD `changed` text;--> statement-breakpoint
CREATE INDEX `audit_object` ON `audit` (`kind`,`object_id`);--> statement-breakpoint
CREATE INDEX `audit_user` ON `audit` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_kind` ON `audit` (`kind`) WHERE kind <> 'event';

--> statement-breakpoint
INSERT INTO `audit_state` (`cleared_to`) VALUES (0);
