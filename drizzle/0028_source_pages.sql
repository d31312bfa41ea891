CREATE TABLE `source_pages` (
	`source_id` integer PRIMARY KEY NOT NULL,
	`pages` text NOT NULL,
	`crawl` text NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE no action
);
