CREATE TABLE `imports` (
	`source` text NOT NULL,
	`kind` text NOT NULL,
	`foreign_id` text NOT NULL,
	`target_id` integer NOT NULL,
	`hash` text NOT NULL,
	`stamp` text,
	PRIMARY KEY(`source`, `kind`, `foreign_id`)
);
--> statement-breakpoint
CREATE INDEX `imports_target` ON `imports` (`kind`,`target_id`);