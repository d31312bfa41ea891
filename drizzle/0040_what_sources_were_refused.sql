ALTER TABLE `sources` ADD `build` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `refused_within` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `refused` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `refused_runs` integer DEFAULT 0 NOT NULL;
