CREATE TABLE `source_documents` (
	`source_id` integer NOT NULL,
	`place` integer NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`source_id`, `place`),
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE no action
);
