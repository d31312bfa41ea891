CREATE TABLE `event_organizers` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `organizers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `event_organizers_target` ON `event_organizers` (`target_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `event_terms` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `terms`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `event_terms_target` ON `event_terms` (`target_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `event_venues` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `venues`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `event_venues_target` ON `event_venues` (`target_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`author_id` integer NOT NULL,
	`status` text NOT NULL,
	`slug` text NOT NULL,
	`date` text NOT NULL,
	`date_utc` text NOT NULL,
	`modified` text NOT NULL,
	`modified_utc` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`image_id` integer,
	`title` text NOT NULL,
	`excerpt` text DEFAULT '' NOT NULL,
	`all_day` integer DEFAULT false NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`utc_start_date` text NOT NULL,
	`utc_end_date` text NOT NULL,
	`timezone` text NOT NULL,
	`timezone_abbr` text NOT NULL,
	`cost` text DEFAULT '' NOT NULL,
	`website` text,
	`show_map` integer DEFAULT false NOT NULL,
	`show_map_link` integer DEFAULT false NOT NULL,
	`hide_from_listings` integer DEFAULT false NOT NULL,
	`sticky` integer DEFAULT false NOT NULL,
	`featured` integer DEFAULT false NOT NULL,
	`ticketed` integer DEFAULT false NOT NULL,
	`post_parent` integer,
	`listed_from` text GENERATED ALWAYS AS (CASE WHEN status IN ('publish', 'future') AND hide_from_listings = 0 THEN date_utc END) VIRTUAL,
	`span` integer GENERATED ALWAYS AS (CASE CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) WHEN 0 THEN 0 ELSE CASE WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 1 THEN 1 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 2 THEN 2 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 3 THEN 3 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 4 THEN 4 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 6 THEN 6 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 8 THEN 8 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 12 THEN 12 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 16 THEN 16 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 24 THEN 24 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 32 THEN 32 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 48 THEN 48 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 64 THEN 64 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 96 THEN 96 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 128 THEN 128 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 192 THEN 192 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 256 THEN 256 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 384 THEN 384 WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= 512 THEN 512 ELSE 99999999 END END) VIRTUAL,
	`search_key` integer GENERATED ALWAYS AS (((unixepoch(utc_start_date) - 212742310144) * 33554432 + id)) VIRTUAL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`post_parent`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "events_id" CHECK("events"."id" < 33554432),
	CONSTRAINT "events_order" CHECK("events"."utc_end_date" >= "events"."utc_start_date")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_slug` ON `events` (`slug`);--> statement-breakpoint
CREATE INDEX `events_start` ON `events` (`utc_start_date`,`id`);--> statement-breakpoint
CREATE INDEX `events_author` ON `events` (`author_id`);--> statement-breakpoint
CREATE INDEX `events_image` ON `events` (`image_id`);--> statement-breakpoint
CREATE INDEX `events_scheduled` ON `events` (`date_utc`) WHERE status = 'future';--> statement-breakpoint
CREATE INDEX `events_parent` ON `events` (`post_parent`) WHERE post_parent IS NOT NULL;--> statement-breakpoint
CREATE TABLE `images` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`url` text NOT NULL,
	`width` integer,
	`height` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `images_url` ON `images` (`url`);--> statement-breakpoint
CREATE TABLE `organizers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`author_id` integer NOT NULL,
	`status` text NOT NULL,
	`slug` text NOT NULL,
	`date` text NOT NULL,
	`date_utc` text NOT NULL,
	`modified` text NOT NULL,
	`modified_utc` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`image_id` integer,
	`name` text NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`website` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizers_slug` ON `organizers` (`slug`);--> statement-breakpoint
CREATE INDEX `organizers_name` ON `organizers` (`name`);--> statement-breakpoint
CREATE INDEX `organizers_date` ON `organizers` (`date_utc`,`id`);--> statement-breakpoint
CREATE INDEX `organizers_author` ON `organizers` (`author_id`);--> statement-breakpoint
CREATE INDEX `organizers_scheduled` ON `organizers` (`date_utc`) WHERE status = 'future';--> statement-breakpoint
CREATE TABLE `passwords` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`digest` text NOT NULL,
	`created_utc` text NOT NULL,
	`expires_utc` text,
	`last_used_utc` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passwords_digest` ON `passwords` (`digest`);--> statement-breakpoint
CREATE INDEX `passwords_user` ON `passwords` (`user_id`);--> statement-breakpoint
CREATE TABLE `terms` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`taxonomy` text NOT NULL,
	`parent` integer DEFAULT 0 NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`sort_name` text NOT NULL,
	`slug` text NOT NULL,
	`path` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`count` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `terms_slug` ON `terms` (`taxonomy`,`slug`);--> statement-breakpoint
CREATE INDEX `terms_name` ON `terms` (`taxonomy`,`name_key`);--> statement-breakpoint
CREATE INDEX `terms_parent` ON `terms` (`taxonomy`,`parent`);--> statement-breakpoint
CREATE INDEX `terms_order` ON `terms` (`taxonomy`,`sort_name`,`id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`login` text NOT NULL,
	`role` text NOT NULL,
	`created_utc` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_login` ON `users` ("login" COLLATE NOCASE);--> statement-breakpoint
CREATE TABLE `venues` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`author_id` integer NOT NULL,
	`status` text NOT NULL,
	`slug` text NOT NULL,
	`date` text NOT NULL,
	`date_utc` text NOT NULL,
	`modified` text NOT NULL,
	`modified_utc` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`image_id` integer,
	`name` text NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`city` text DEFAULT '' NOT NULL,
	`country` text DEFAULT '' NOT NULL,
	`province` text DEFAULT '' NOT NULL,
	`state` text DEFAULT '' NOT NULL,
	`stateprovince` text DEFAULT '' NOT NULL,
	`zip` text DEFAULT '' NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`website` text DEFAULT '' NOT NULL,
	`show_map` integer DEFAULT true NOT NULL,
	`show_map_link` integer DEFAULT true NOT NULL,
	`geo_lat` real,
	`geo_lng` real,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `venues_slug` ON `venues` (`slug`);--> statement-breakpoint
CREATE INDEX `venues_name` ON `venues` (`name`);--> statement-breakpoint
CREATE INDEX `venues_date` ON `venues` (`date_utc`,`id`);--> statement-breakpoint
CREATE INDEX `venues_author` ON `venues` (`author_id`);--> statement-breakpoint
CREATE INDEX `venues_scheduled` ON `venues` (`date_utc`) WHERE status = 'future';