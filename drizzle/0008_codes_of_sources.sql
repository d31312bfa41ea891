ALTER TABLE `source_runs` ADD `code` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `code` text DEFAULT '' NOT NULL;
