ALTER TABLE `sources` ADD `file` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `reading` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `undoing` integer;
