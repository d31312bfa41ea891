CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_utc` text NOT NULL,
	`user_id` integer,
	`request_id` text,
	`action` text NOT NULL,
	`kind` text NOT NULL,
	`object_id` integer NOT NULL,
	`fields` text DEFAULT '[]' NOT NULL
);
