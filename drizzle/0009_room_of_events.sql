ALTER TABLE `events` ADD `room` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `series` ADD `room` text DEFAULT '' NOT NULL;
