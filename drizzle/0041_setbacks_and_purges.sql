CREATE TABLE `setbacks` (
	`task` text NOT NULL,
	`row_id` integer NOT NULL,
	`failures` integer NOT NULL,
	`until_utc` text NOT NULL,
	PRIMARY KEY(`task`, `row_id`)
);
--> statement-breakpoint
ALTER TABLE `image_removals` ADD `purges` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `submissions_sender` ON `submissions` (`created_utc`) WHERE sender <> '';
--> statement-breakpoint
ALTER TABLE revision ADD COLUMN purged_n INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE revision ADD COLUMN purges INTEGER NOT NULL DEFAULT 0;
