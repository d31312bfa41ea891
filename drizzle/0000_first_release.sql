CREATE TABLE `audit` (
	`id` integer PRIMARY KEY NOT NULL,
	`at_utc` text NOT NULL,
	`user_id` integer,
	`request_id` text,
	`action` text NOT NULL,
	`kind` text NOT NULL,
	`object_id` integer NOT NULL,
	`fields` text DEFAULT '[]' NOT NULL,
	`changed` text
);
--> statement-breakpoint
CREATE INDEX `audit_object` ON `audit` (`kind`,`object_id`);--> statement-breakpoint
CREATE INDEX `audit_kind` ON `audit` (`kind`) WHERE kind <> 'event';--> statement-breakpoint
CREATE TABLE `audit_state` (
	`cleared_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `former_slugs` (
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`former_id` integer DEFAULT 0 NOT NULL,
	`target_id` integer NOT NULL,
	PRIMARY KEY(`kind`, `slug`)
);
--> statement-breakpoint
CREATE INDEX `former_slugs_id` ON `former_slugs` (`kind`,`former_id`);--> statement-breakpoint
CREATE INDEX `former_slugs_target` ON `former_slugs` (`kind`,`target_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`request_digest` text NOT NULL,
	`request_id` text NOT NULL,
	`at_utc` text NOT NULL,
	`audit_id` integer NOT NULL,
	`total_bytes` integer NOT NULL,
	`status` integer,
	`headers` text,
	`body` text,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_total` ON `idempotency_keys` (`user_id`,`total_bytes`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_time` ON `idempotency_keys` (`at_utc`);--> statement-breakpoint
CREATE TABLE `review_notes` (
	`kind` text NOT NULL,
	`object_id` integer NOT NULL,
	`note` text NOT NULL,
	`author_id` integer DEFAULT 0 NOT NULL,
	`user_id` integer NOT NULL,
	`at_utc` text NOT NULL,
	PRIMARY KEY(`kind`, `object_id`)
);
--> statement-breakpoint
CREATE TABLE `setbacks` (
	`task` text NOT NULL,
	`row_id` integer NOT NULL,
	`failures` integer NOT NULL,
	`until_utc` text NOT NULL,
	PRIMARY KEY(`task`, `row_id`)
);
--> statement-breakpoint
CREATE TABLE `undo_requests` (
	`audit_id` integer PRIMARY KEY NOT NULL,
	`at_utc` text NOT NULL,
	`request` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event_organizers` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `organizers`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_previews` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`expires_utc` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_previews_digest` ON `event_previews` (`digest`);--> statement-breakpoint
CREATE TABLE `event_terms` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `terms`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_venues` (
	`event_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`event_id`, `target_id`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `venues`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
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
	`external_id` text DEFAULT '' NOT NULL,
	`title` text NOT NULL,
	`excerpt` text DEFAULT '' NOT NULL,
	`all_day` integer DEFAULT false NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`timezone` text NOT NULL,
	`cost` text DEFAULT '' NOT NULL,
	`website` text,
	`show_map` integer DEFAULT false NOT NULL,
	`show_map_link` integer DEFAULT false NOT NULL,
	`hide_from_listings` integer DEFAULT false NOT NULL,
	`sticky` integer DEFAULT false NOT NULL,
	`featured` integer DEFAULT false NOT NULL,
	`ticketed` integer DEFAULT false NOT NULL,
	`post_parent` integer,
	`parent_confirmed_by` integer,
	`event_status` text DEFAULT 'scheduled' NOT NULL,
	`event_status_reason` text DEFAULT '' NOT NULL,
	`is_virtual` integer DEFAULT false NOT NULL,
	`virtual_event_type` text DEFAULT '' NOT NULL,
	`virtual_url` text DEFAULT '' NOT NULL,
	`virtual_video_source` text DEFAULT '' NOT NULL,
	`ticket_availability` text DEFAULT '' NOT NULL,
	`wheelchair` text DEFAULT '' NOT NULL,
	`accessibility` text DEFAULT '' NOT NULL,
	`room` text DEFAULT '' NOT NULL,
	`custom_fields` text DEFAULT '{}' NOT NULL,
	`uid` text DEFAULT '' NOT NULL,
	`sequence_offset` integer DEFAULT 0 NOT NULL,
	`utc_start_date` text NOT NULL,
	`utc_end_date` text NOT NULL,
	`timezone_abbr` text NOT NULL,
	`series_id` integer,
	`occurrence_date` text,
	`previous_utc_start_date` text DEFAULT '' NOT NULL,
	`detached` text DEFAULT '[]' NOT NULL,
	`former_series_id` integer,
	`duplicate_of` integer,
	`listed` integer GENERATED ALWAYS AS (status = 'publish' AND hide_from_listings = 0 AND duplicate_of IS NULL) VIRTUAL,
	`is_free` integer GENERATED ALWAYS AS (cost <> '' AND cost NOT GLOB '*[1-9]*' AND (cost GLOB '*0*' OR lower(trim(cost)) || ' ' GLOB 'free[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entry free[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'admission free[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'gratis[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'kostenlos[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'kostenfrei[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'umsonst[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'frei[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'eintritt frei[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'freier eintritt[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'gratuit*' OR lower(trim(cost)) || ' ' GLOB 'entr[éÉ]e libre[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entr[éÉ]e gratuit*' OR lower(trim(cost)) || ' ' GLOB 'libre[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entrada libre[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entrada gratis[^a-z]*' OR lower(trim(cost)) || ' ' GLOB 'entrada gratuit*')) VIRTUAL,
	`span` integer GENERATED ALWAYS AS (CASE WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 86400 THEN 0 WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 345600 THEN 4 WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 1382400 THEN 16 WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 5529600 THEN 64 WHEN (unixepoch(utc_end_date) - unixepoch(utc_start_date)) <= 22118400 THEN 256 ELSE 99999999 END) VIRTUAL,
	`search_key` integer GENERATED ALWAYS AS (((unixepoch(utc_start_date) - 212742310144) * 33554432 + id)) VIRTUAL,
	`shares_text` integer GENERATED ALWAYS AS (series_id IS NOT NULL AND instr(detached, '"title"') = 0 AND instr(detached, '"description"') = 0 AND instr(detached, '"excerpt"') = 0) VIRTUAL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`post_parent`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`duplicate_of`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "events_id" CHECK("events"."id" < 33554432),
	CONSTRAINT "events_order" CHECK("events"."utc_end_date" >= "events"."utc_start_date")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_slug` ON `events` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_external_id` ON `events` (`external_id`) WHERE external_id <> '';--> statement-breakpoint
CREATE UNIQUE INDEX `events_occurrence` ON `events` (`series_id`,`occurrence_date`) WHERE series_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_author` ON `events` (`author_id`);--> statement-breakpoint
CREATE INDEX `events_image` ON `events` (`image_id`) WHERE image_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_scheduled` ON `events` (`date_utc`) WHERE status = 'future';--> statement-breakpoint
CREATE INDEX `events_unpublished` ON `events` (`status`,`utc_start_date`,`id`) WHERE status <> 'publish';--> statement-breakpoint
CREATE INDEX `events_waiting` ON `events` (`series_id`,`modified_utc`,`id`) WHERE status = 'pending' AND duplicate_of IS NULL;--> statement-breakpoint
CREATE INDEX `events_hidden` ON `events` (`id`) WHERE hide_from_listings = 1;--> statement-breakpoint
CREATE INDEX `events_trashed` ON `events` (`modified_utc`,`id`) WHERE status = 'trash';--> statement-breakpoint
CREATE INDEX `events_uid` ON `events` (`uid`) WHERE uid <> '';--> statement-breakpoint
CREATE INDEX `events_parent` ON `events` (`post_parent`) WHERE post_parent IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_programme` ON `events` (`post_parent`,`utc_start_date`,`id`) WHERE parent_confirmed_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_moved` ON `events` (`series_id`,`utc_start_date`,`id`) WHERE series_id IS NOT NULL AND (occurrence_date <> start_date OR instr(detached, '"timezone"') > 0);--> statement-breakpoint
CREATE INDEX `events_former_series` ON `events` (`former_series_id`) WHERE former_series_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_duplicates` ON `events` (`duplicate_of`) WHERE duplicate_of IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_featured` ON `events` (`utc_start_date`,`id`) WHERE listed AND featured = 1;--> statement-breakpoint
CREATE INDEX `events_free` ON `events` (`utc_start_date`,`id`) WHERE listed AND is_free = 1;--> statement-breakpoint
CREATE INDEX `events_accessible` ON `events` (`utc_start_date`,`id`) WHERE listed AND wheelchair = 'yes';--> statement-breakpoint
CREATE INDEX `events_long` ON `events` (`span`,`utc_start_date`,`utc_end_date`,`id`) WHERE listed AND span > 0;--> statement-breakpoint
CREATE TABLE `image_removals` (
	`file` text PRIMARY KEY NOT NULL,
	`at_utc` text NOT NULL,
	`is_done` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `image_uploaders` (
	`image_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`image_id`, `user_id`),
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `images` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`url` text NOT NULL,
	`width` integer,
	`height` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`author_id` integer,
	`date_utc` text,
	`slug` text DEFAULT '' NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`alt_text` text DEFAULT '' NOT NULL,
	`caption` text DEFAULT '' NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`mime_type` text DEFAULT '' NOT NULL,
	`filesize` integer,
	`has_sizes` integer DEFAULT false NOT NULL,
	`copied_id` integer,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `images_url` ON `images` (`url`);--> statement-breakpoint
CREATE UNIQUE INDEX `images_slug` ON `images` (`slug`) WHERE slug <> '';--> statement-breakpoint
CREATE INDEX `images_author` ON `images` (`author_id`);--> statement-breakpoint
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
	`external_id` text DEFAULT '' NOT NULL,
	`name` text NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`website` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`hide_contact` integer DEFAULT false NOT NULL,
	`hidden_phone` text DEFAULT '' NOT NULL,
	`hidden_email` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizers_slug` ON `organizers` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `organizers_external_id` ON `organizers` (`external_id`) WHERE external_id <> '';--> statement-breakpoint
CREATE INDEX `organizers_name` ON `organizers` (`name`);--> statement-breakpoint
CREATE INDEX `organizers_date` ON `organizers` (`date_utc`,`id`);--> statement-breakpoint
CREATE INDEX `organizers_author` ON `organizers` (`author_id`);--> statement-breakpoint
CREATE INDEX `organizers_image` ON `organizers` (`image_id`) WHERE image_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `organizers_scheduled` ON `organizers` (`date_utc`) WHERE status = 'future';--> statement-breakpoint
CREATE TABLE `series` (
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
	`external_id` text DEFAULT '' NOT NULL,
	`title` text NOT NULL,
	`excerpt` text DEFAULT '' NOT NULL,
	`all_day` integer DEFAULT false NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`timezone` text NOT NULL,
	`cost` text DEFAULT '' NOT NULL,
	`website` text,
	`show_map` integer DEFAULT false NOT NULL,
	`show_map_link` integer DEFAULT false NOT NULL,
	`hide_from_listings` integer DEFAULT false NOT NULL,
	`sticky` integer DEFAULT false NOT NULL,
	`featured` integer DEFAULT false NOT NULL,
	`ticketed` integer DEFAULT false NOT NULL,
	`post_parent` integer,
	`parent_confirmed_by` integer,
	`event_status` text DEFAULT 'scheduled' NOT NULL,
	`event_status_reason` text DEFAULT '' NOT NULL,
	`is_virtual` integer DEFAULT false NOT NULL,
	`virtual_event_type` text DEFAULT '' NOT NULL,
	`virtual_url` text DEFAULT '' NOT NULL,
	`virtual_video_source` text DEFAULT '' NOT NULL,
	`ticket_availability` text DEFAULT '' NOT NULL,
	`wheelchair` text DEFAULT '' NOT NULL,
	`accessibility` text DEFAULT '' NOT NULL,
	`room` text DEFAULT '' NOT NULL,
	`custom_fields` text DEFAULT '{}' NOT NULL,
	`uid` text DEFAULT '' NOT NULL,
	`sequence_offset` integer DEFAULT 0 NOT NULL,
	`rrule` text DEFAULT '' NOT NULL,
	`rdate` text DEFAULT '[]' NOT NULL,
	`exdate` text DEFAULT '[]' NOT NULL,
	`extend_from` text,
	`former_series_id` integer,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`post_parent`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `series_former` ON `series` (`former_series_id`) WHERE former_series_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `series_slug` ON `series` (`slug`);--> statement-breakpoint
CREATE INDEX `series_extend` ON `series` (`extend_from`) WHERE extend_from IS NOT NULL;--> statement-breakpoint
CREATE INDEX `series_image` ON `series` (`image_id`) WHERE image_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `series_uid` ON `series` (`uid`) WHERE uid <> '';--> statement-breakpoint
CREATE INDEX `series_parent` ON `series` (`post_parent`) WHERE post_parent IS NOT NULL;--> statement-breakpoint
CREATE TABLE `series_organizers` (
	`series_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`series_id`, `target_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `organizers`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `series_organizers_target` ON `series_organizers` (`target_id`);--> statement-breakpoint
CREATE TABLE `series_terms` (
	`series_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	PRIMARY KEY(`series_id`, `target_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `terms`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `series_terms_target` ON `series_terms` (`target_id`);--> statement-breakpoint
CREATE TABLE `series_venues` (
	`series_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`series_id`, `target_id`),
	FOREIGN KEY (`series_id`) REFERENCES `series`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `venues`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `series_venues_target` ON `series_venues` (`target_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`vars` text NOT NULL,
	`logo_id` integer,
	`header_image_id` integer,
	`imprint_text` text DEFAULT '' NOT NULL,
	`privacy_text` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`logo_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`header_image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
	`color` text DEFAULT '' NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	`standalone` integer DEFAULT true NOT NULL,
	`change_number` integer DEFAULT 0 NOT NULL,
	`public_change_number` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `terms_slug` ON `terms` (`taxonomy`,`slug`);--> statement-breakpoint
CREATE INDEX `terms_name` ON `terms` (`taxonomy`,`name_key`);--> statement-breakpoint
CREATE INDEX `terms_parent` ON `terms` (`taxonomy`,`parent`);--> statement-breakpoint
CREATE INDEX `terms_order` ON `terms` (`taxonomy`,`sort_name`,`id`);--> statement-breakpoint
CREATE TABLE `unused_images` (
	`image_id` integer PRIMARY KEY NOT NULL,
	`since_utc` text NOT NULL,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
	`external_id` text DEFAULT '' NOT NULL,
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
	`wheelchair` text DEFAULT '' NOT NULL,
	`accessibility` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `venues_slug` ON `venues` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `venues_external_id` ON `venues` (`external_id`) WHERE external_id <> '';--> statement-breakpoint
CREATE INDEX `venues_name` ON `venues` (`name`);--> statement-breakpoint
CREATE INDEX `venues_date` ON `venues` (`date_utc`,`id`);--> statement-breakpoint
CREATE INDEX `venues_author` ON `venues` (`author_id`);--> statement-breakpoint
CREATE INDEX `venues_image` ON `venues` (`image_id`) WHERE image_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `venues_accessible` ON `venues` (`id`) WHERE status = 'publish' AND wheelchair = 'yes';--> statement-breakpoint
CREATE INDEX `venues_scheduled` ON `venues` (`date_utc`) WHERE status = 'future';--> statement-breakpoint
CREATE INDEX `venues_latitude` ON `venues` (`geo_lat`,`geo_lng`,`status`,`date_utc`,`author_id`) WHERE geo_lat IS NOT NULL;--> statement-breakpoint
CREATE TABLE `imports` (
	`source` text NOT NULL,
	`kind` text NOT NULL,
	`external_id` text NOT NULL,
	`target_id` integer NOT NULL,
	`hash` text NOT NULL,
	`imported_version` text,
	PRIMARY KEY(`source`, `kind`, `external_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `imports_target` ON `imports` (`kind`,`target_id`);--> statement-breakpoint
CREATE TABLE `source_documents` (
	`source_id` integer NOT NULL,
	`place` integer NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`source_id`, `place`),
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `source_pages` (
	`source_id` integer PRIMARY KEY NOT NULL,
	`pages` text NOT NULL,
	`crawl` text NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `source_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` integer NOT NULL,
	`started_utc` text NOT NULL,
	`ended_utc` text,
	`state` text NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`trashed` integer DEFAULT 0 NOT NULL,
	`joined` integer DEFAULT 0 NOT NULL,
	`asked` integer DEFAULT 0 NOT NULL,
	`skipped` text DEFAULT '[]' NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`code` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`source_id`) REFERENCES `sources`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `source_runs_source` ON `source_runs` (`source_id`);--> statement-breakpoint
CREATE TABLE `sources` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`file` text DEFAULT '' NOT NULL,
	`reading` text DEFAULT '{}' NOT NULL,
	`kind` text NOT NULL,
	`every` text NOT NULL,
	`status` text NOT NULL,
	`categories` text DEFAULT '[]' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`organizer` integer,
	`venue` integer,
	`search` text DEFAULT '' NOT NULL,
	`mirror` integer DEFAULT false NOT NULL,
	`rights_text` text DEFAULT '' NOT NULL,
	`rights_url` text DEFAULT '' NOT NULL,
	`author_id` integer NOT NULL,
	`created_utc` text NOT NULL,
	`state` text DEFAULT 'new' NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`code` text DEFAULT '' NOT NULL,
	`last_run_utc` text,
	`next_run_utc` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since_utc` text,
	`etag` text DEFAULT '' NOT NULL,
	`last_modified` text DEFAULT '' NOT NULL,
	`build` text DEFAULT '' NOT NULL,
	`place` integer DEFAULT 0 NOT NULL,
	`refused_within` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`refused_runs` integer DEFAULT 0 NOT NULL,
	`events` integer DEFAULT 0 NOT NULL,
	`is_being_deleted` integer DEFAULT false NOT NULL,
	`undoing` integer,
	`served_utc` text DEFAULT '' NOT NULL,
	`lease` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sources_due` ON `sources` (`next_run_utc`) WHERE next_run_utc IS NOT NULL;--> statement-breakpoint
CREATE TABLE `twins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`first_id` integer NOT NULL,
	`second_id` integer NOT NULL,
	`state` text NOT NULL,
	`likeness` real NOT NULL,
	`trashed_from` text DEFAULT '' NOT NULL,
	`user_id` integer,
	`at_utc` text NOT NULL,
	FOREIGN KEY (`first_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`second_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `twins_pair` ON `twins` (`first_id`,`second_id`);--> statement-breakpoint
CREATE INDEX `twins_second` ON `twins` (`second_id`);--> statement-breakpoint
CREATE INDEX `twins_state` ON `twins` (`state`,`at_utc`,`id`);--> statement-breakpoint
CREATE TABLE `twins_place` (
	`n` integer NOT NULL,
	`id` integer NOT NULL,
	`public_n` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `email_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text DEFAULT '' NOT NULL,
	`row_id` integer,
	`email` text NOT NULL,
	`digest` text NOT NULL,
	`expires_utc` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_links_digest` ON `email_links` (`digest`);--> statement-breakpoint
CREATE INDEX `email_links_user` ON `email_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `email_links_expiry` ON `email_links` (`expires_utc`);--> statement-breakpoint
CREATE TABLE `keys` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_utc` text NOT NULL,
	`last_used_utc` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `passwords` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`digest` text NOT NULL,
	`created_utc` text NOT NULL,
	`expires_utc` text,
	`last_used_utc` text,
	`name` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passwords_digest` ON `passwords` (`digest`);--> statement-breakpoint
CREATE INDEX `passwords_user` ON `passwords` (`user_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`digest` text NOT NULL,
	`method` text NOT NULL,
	`passkey_id` integer,
	`device` text NOT NULL,
	`created_utc` text NOT NULL,
	`expires_utc` text NOT NULL,
	`last_used_utc` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_digest` ON `sessions` (`digest`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_utc`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`digest` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_utc` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_user` ON `sign_in_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `sign_in_links_expiry` ON `sign_in_links` (`expires_utc`);--> statement-breakpoint
CREATE TABLE `used_challenges` (
	`challenge` text PRIMARY KEY NOT NULL,
	`expires_utc` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_challenges_expiry` ON `used_challenges` (`expires_utc`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`login` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`role` text NOT NULL,
	`created_utc` text NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`notices` text DEFAULT 'never' NOT NULL,
	`noticed_utc` text DEFAULT '' NOT NULL,
	`setup_code` text,
	`is_setup_code_used` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_login` ON `users` ("login" COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `users_notices` ON `users` (`notices`) WHERE notices <> 'never';--> statement-breakpoint
CREATE TABLE `day_keys` (
	`day` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `limit_counts` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`until_utc` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `limit_counts_until` ON `limit_counts` (`until_utc`);--> statement-breakpoint
CREATE TABLE `remarks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`text` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`form_digest` text,
	`created_utc` text NOT NULL,
	`likeness` real DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `remarks_form` ON `remarks` (`form_digest`);--> statement-breakpoint
CREATE INDEX `remarks_created` ON `remarks` (`created_utc`);--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`token_digest` text NOT NULL,
	`form_digest` text,
	`sender` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`email_digest` text DEFAULT '' NOT NULL,
	`is_confirmed` integer DEFAULT false NOT NULL,
	`told_utc` text,
	`has_image` integer DEFAULT false NOT NULL,
	`event_key` text NOT NULL,
	`created_utc` text NOT NULL,
	`decided_utc` text,
	`is_withdrawn` integer DEFAULT false NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`likeness` real DEFAULT 0 NOT NULL,
	`is_spam` integer DEFAULT false NOT NULL,
	`via` text DEFAULT '' NOT NULL,
	`mail_text` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_event` ON `submissions` (`event_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_token` ON `submissions` (`token_digest`);--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_form` ON `submissions` (`form_digest`);--> statement-breakpoint
CREATE INDEX `submissions_event_key` ON `submissions` (`event_key`);--> statement-breakpoint
CREATE INDEX `submissions_created` ON `submissions` (`created_utc`);--> statement-breakpoint
CREATE INDEX `submissions_sender` ON `submissions` (`created_utc`) WHERE sender <> '';--> statement-breakpoint
CREATE INDEX `submissions_email` ON `submissions` (`email`) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `submissions_decided` ON `submissions` (`decided_utc`) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `submissions_undecided` ON `submissions` (`id`) WHERE decided_utc IS NULL;--> statement-breakpoint
CREATE INDEX `submissions_to_tell` ON `submissions` (`id`) WHERE is_confirmed AND told_utc IS NULL;--> statement-breakpoint
CREATE INDEX `submissions_mail_text` ON `submissions` (`created_utc`) WHERE mail_text <> '';--> statement-breakpoint
CREATE INDEX `submissions_mails` ON `submissions` (`created_utc`) WHERE via = 'email' AND form_digest IS NOT NULL;--> statement-breakpoint
CREATE TABLE `letter_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`letter_id` integer NOT NULL,
	`due_utc` text,
	`state` text NOT NULL,
	`tries` integer NOT NULL,
	`at_utc` text NOT NULL,
	`next_try_utc` text,
	`reason` text DEFAULT '' NOT NULL,
	`events` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`letter_id`) REFERENCES `letters`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `letter_deliveries_due` ON `letter_deliveries` (`letter_id`,`due_utc`);--> statement-breakpoint
CREATE INDEX `letter_deliveries_waiting` ON `letter_deliveries` (`next_try_utc`) WHERE next_try_utc IS NOT NULL;--> statement-breakpoint
CREATE TABLE `letters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`name` text NOT NULL,
	`filters` text DEFAULT '{}' NOT NULL,
	`days` integer NOT NULL,
	`weekday` text NOT NULL,
	`hour` integer NOT NULL,
	`language` text NOT NULL,
	`subject` text NOT NULL,
	`intro` text DEFAULT '' NOT NULL,
	`to_email` text NOT NULL,
	`confirmed_email` text DEFAULT '' NOT NULL,
	`empty` text DEFAULT 'skip' NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`api` text NOT NULL,
	`created_utc` text NOT NULL,
	`last_sent_utc` text,
	`next_utc` text,
	`zone` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `news_choices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`filters` text NOT NULL,
	`language` text NOT NULL,
	`api` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `news_choices_filters` ON `news_choices` (`filters`,`language`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`email` text NOT NULL,
	`choice_id` integer NOT NULL,
	`weekday` text NOT NULL,
	`asked_utc` text NOT NULL,
	`consented_utc` text,
	`consent` integer,
	`next_utc` text,
	`week_utc` text,
	`state` text,
	`refusals` integer DEFAULT 0 NOT NULL,
	`refused_day` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`choice_id`) REFERENCES `news_choices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email` ON `subscribers` ("email" COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `subscribers_choice` ON `subscribers` (`choice_id`);--> statement-breakpoint
CREATE INDEX `subscribers_due` ON `subscribers` (`next_utc`,`choice_id`) WHERE next_utc IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_unconfirmed` ON `subscribers` (`asked_utc`) WHERE consented_utc IS NULL;--> statement-breakpoint
CREATE TABLE `pick_lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`token_digest` text NOT NULL,
	`key_digest` text NOT NULL,
	`ids` text NOT NULL,
	`series` text NOT NULL,
	`read_utc` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pick_lists_token_digest_unique` ON `pick_lists` (`token_digest`);--> statement-breakpoint
CREATE UNIQUE INDEX `pick_lists_key_digest_unique` ON `pick_lists` (`key_digest`);--> statement-breakpoint
CREATE INDEX `pick_lists_read` ON `pick_lists` (`read_utc`);--> statement-breakpoint
CREATE TABLE `registrants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`registration_id` integer NOT NULL,
	`state` text DEFAULT 'unconfirmed' NOT NULL,
	`name` text NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`places` integer DEFAULT 1 NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	`question` text DEFAULT '' NOT NULL,
	`language` text NOT NULL,
	`position` integer,
	`came` integer DEFAULT false NOT NULL,
	`network_counts` text DEFAULT '[]' NOT NULL,
	`created_utc` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `registrants_email` ON `registrants` (`registration_id`,"email" COLLATE NOCASE) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `registrants_address` ON `registrants` ("email" COLLATE NOCASE) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `registrants_order` ON `registrants` (`registration_id`,`state`,`position`);--> statement-breakpoint
CREATE INDEX `registrants_created` ON `registrants` (`created_utc`);--> statement-breakpoint
CREATE INDEX `registrants_unconfirmed` ON `registrants` (`created_utc`) WHERE state = 'unconfirmed';--> statement-breakpoint
CREATE TABLE `registration_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`registration_id` integer NOT NULL,
	`registrant_id` integer NOT NULL,
	`email` text NOT NULL,
	`language` text NOT NULL,
	`about` text DEFAULT '[]' NOT NULL,
	`api` text NOT NULL,
	`claimed_utc` text DEFAULT '' NOT NULL,
	`held_utc` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registration_mails_due` ON `registration_mails` (`id`) WHERE claimed_utc = '';--> statement-breakpoint
CREATE TABLE `registrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`event_id` integer,
	`series_id` integer,
	`places` integer,
	`per_person` integer DEFAULT 1 NOT NULL,
	`opens_days` integer,
	`opens_time` text DEFAULT '' NOT NULL,
	`closes_days` integer,
	`closes_time` text DEFAULT '' NOT NULL,
	`waiting_list` integer DEFAULT true NOT NULL,
	`question` text DEFAULT '' NOT NULL,
	`closed` integer DEFAULT false NOT NULL,
	`taken` integer DEFAULT 0 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`former` text DEFAULT '{}' NOT NULL,
	`tickets` text DEFAULT '' NOT NULL,
	`tickets_utc` text DEFAULT '' NOT NULL,
	`told` text DEFAULT '[]' NOT NULL,
	`told_utc` text DEFAULT '' NOT NULL,
	`asked` text DEFAULT '{}' NOT NULL,
	`api` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `registrations_event` ON `registrations` (`event_id`) WHERE event_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `registrations_series` ON `registrations` (`series_id`) WHERE series_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` integer NOT NULL,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`object_id` integer NOT NULL,
	`body` text NOT NULL,
	`state` text NOT NULL,
	`tries` integer NOT NULL,
	`at_utc` text NOT NULL,
	`next_try_utc` text,
	`status` integer,
	`response` text NOT NULL,
	`message` text NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_message` ON `webhook_deliveries` (`webhook_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`webhook_id`,`object_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE TABLE `webhook_places` (
	`webhook_id` integer NOT NULL,
	`kind` text NOT NULL,
	`n` integer NOT NULL,
	`id` integer NOT NULL,
	`public_n` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`webhook_id`, `kind`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `webhook_resources` (
	`webhook_id` integer NOT NULL,
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`is_listed` integer DEFAULT false NOT NULL,
	`is_public` integer DEFAULT false NOT NULL,
	`is_canceled` integer DEFAULT false NOT NULL,
	`n` integer DEFAULT 0 NOT NULL,
	`audit_id` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_try_utc` text,
	PRIMARY KEY(`webhook_id`, `kind`, `id`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_resources_waiting` ON `webhook_resources` (`webhook_id`,`next_try_utc`) WHERE next_try_utc IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`filters` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`secret` text NOT NULL,
	`old_secret` text DEFAULT '' NOT NULL,
	`old_secret_until_utc` text DEFAULT '' NOT NULL,
	`api` text NOT NULL,
	`created_utc` text NOT NULL,
	`audit_id` integer NOT NULL,
	`stopped` text DEFAULT '' NOT NULL,
	`failing_since_utc` text,
	`served_utc` text DEFAULT '' NOT NULL,
	`lease` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE changes (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  change_number INTEGER NOT NULL,
  public_change_number INTEGER,
  is_hidden INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE listing_counts (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  period INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, period)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE listings (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  utc_start_date TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  utc_end_date TEXT NOT NULL,
  -- The period by which listing-counts.sql counts: days since the beginning of the year 1, by weeks or, where
  -- there are fewer events, by four weeks.
  period INTEGER GENERATED ALWAYS AS (
    CAST(julianday(substr(utc_start_date, 1, 10)) - 1721425.5 AS INTEGER) / iif(facet = 'event', 7, 28)),
  PRIMARY KEY (facet, target_id, utc_start_date, event_id)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE revision (
  secret TEXT NOT NULL,
  change_number INTEGER NOT NULL,
  modified_utc TEXT NOT NULL,
  next_due_utc TEXT,
  public_change_number INTEGER NOT NULL DEFAULT 1,
  public_modified_utc TEXT NOT NULL DEFAULT '0001-01-01 00:00:00',
  write_state INTEGER NOT NULL DEFAULT 0,
  purges_left INTEGER NOT NULL DEFAULT 2,
  image_purges_left INTEGER NOT NULL DEFAULT 2,
  restoring TEXT,
  first_new_id INTEGER,
  settings TEXT
);
--> statement-breakpoint
CREATE TABLE term_ancestors (
  term_id INTEGER NOT NULL,
  ancestor_id INTEGER NOT NULL,
  PRIMARY KEY (term_id, ancestor_id)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE VIRTUAL TABLE events_search USING fts5(listed, unlisted, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE series_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE venues_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE organizers_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE INDEX changes_public ON changes (kind, public_change_number) WHERE public_change_number IS NOT NULL;
--> statement-breakpoint
CREATE INDEX changes_hidden ON changes (kind, change_number) WHERE is_hidden;
--> statement-breakpoint
CREATE INDEX events_title ON events (title COLLATE NOCASE, id, utc_start_date, utc_end_date) WHERE listed;
--> statement-breakpoint
CREATE INDEX term_ancestors_ancestor ON term_ancestors (ancestor_id);
--> statement-breakpoint
CREATE VIEW term_changes (kind, id, change_number, public_change_number) AS
SELECT taxonomy, id, change_number, public_change_number FROM terms
UNION ALL SELECT kind, id, change_number, public_change_number FROM changes WHERE kind IN ('event_category', 'event_tag');
--> statement-breakpoint
CREATE VIEW new_changes (kind, id, is_listed, is_public) AS SELECT '', 0, 0, 0 WHERE false;
--> statement-breakpoint
CREATE VIEW conflicts AS SELECT 0 AS is_conflict WHERE false;
--> statement-breakpoint
CREATE VIEW hidden_twins (event_id, shown_id, stays_hidden, is_public, rank) AS
SELECT id, duplicate_of,
  EXISTS (SELECT 1 FROM twins WHERE first_id = min(events.id, duplicate_of) AND second_id = max(events.id, duplicate_of)
    AND trashed_from <> ''),
  status = 'publish' AND hide_from_listings = 0,
  coalesce((SELECT min(source_id) FROM event_sources WHERE event_id = events.id AND NOT is_other), 0)
FROM events
WHERE duplicate_of IS NOT NULL;
--> statement-breakpoint
CREATE VIEW released_twins (shown_id, at_utc) AS SELECT 0, '' WHERE false;
--> statement-breakpoint
CREATE VIEW event_sources (event_id, source_id, is_other) AS
SELECT shown.id, CAST(substr(imports.source, 8) AS INTEGER), own.id <> shown.id
FROM events AS shown
CROSS JOIN events AS own ON own.id = shown.id OR own.duplicate_of = shown.id
CROSS JOIN imports ON (imports.kind = 'event' AND imports.target_id = own.id)
  OR (imports.kind = 'series' AND imports.target_id = own.series_id)
WHERE imports.source GLOB 'source:*' AND (own.id = shown.id OR own.status = 'publish');
--> statement-breakpoint
CREATE VIEW expected_listing_counts AS
SELECT facet, target_id, period, count(*) AS count FROM listings GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE VIEW periods_of_events (event_id, facet, target_id, period) AS
SELECT facets.event_id, facets.facet, facets.target_id, period
FROM event_facets AS facets CROSS JOIN events ON events.id = facets.event_id
CROSS JOIN listings ON listings.facet = facets.facet AND listings.target_id = facets.target_id
  AND listings.utc_start_date = events.utc_start_date AND listings.event_id = events.id;
--> statement-breakpoint
CREATE VIEW event_link_facets (event_id, facet, target_id) AS
SELECT event_id, 'venue', target_id FROM event_venues
UNION ALL SELECT event_id, 'organizer', target_id FROM event_organizers
UNION ALL SELECT DISTINCT event_id, 'term', ancestor_id
  FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
UNION ALL SELECT DISTINCT event_id, 'source', source_id FROM event_sources;
--> statement-breakpoint
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT id, 'event', 0 FROM events
UNION ALL SELECT id, 'parent', post_parent FROM events WHERE post_parent IS NOT NULL AND parent_confirmed_by IS NOT NULL
UNION ALL SELECT event_id, facet, target_id FROM event_link_facets;
--> statement-breakpoint
CREATE VIEW unlisted_events (id) AS
SELECT id FROM events INDEXED BY events_unpublished WHERE status <> 'publish'
UNION SELECT id FROM events INDEXED BY events_hidden WHERE hide_from_listings = 1
UNION SELECT id FROM events INDEXED BY events_duplicates WHERE duplicate_of IS NOT NULL;
--> statement-breakpoint
CREATE VIEW events_of (facet, target_id, event_id) AS
SELECT facet, target_id, event_id FROM listings
UNION ALL SELECT 'venue', target_id, event_id FROM unlisted_events CROSS JOIN event_venues ON event_id = id
UNION ALL SELECT 'organizer', target_id, event_id FROM unlisted_events CROSS JOIN event_organizers ON event_id = id
UNION ALL SELECT 'term', target_id, event_id FROM unlisted_events CROSS JOIN event_terms ON event_id = id;
--> statement-breakpoint
CREATE VIEW expected_listings AS
SELECT facet, target_id, utc_start_date, event_id, utc_end_date
FROM event_facets JOIN events ON events.id = event_facets.event_id
WHERE listed;
--> statement-breakpoint
CREATE VIEW new_revisions (is_public) AS SELECT 0 WHERE false;
--> statement-breakpoint
CREATE VIEW write_ends (first_new_id) AS SELECT first_new_id FROM revision;
--> statement-breakpoint
CREATE VIEW settings_text (settings) AS
SELECT (SELECT json_object('version', version, 'vars', vars, 'image', logo_id,
  'logo', (SELECT url FROM images WHERE id = logo_id),
  'header', json((SELECT json_object('id', id, 'url', url, 'width', width, 'height', height, 'alt_text', alt_text,
    'has_sizes', json(iif(has_sizes, 'true', 'false')), 'version', version) FROM images WHERE id = header_image_id))) FROM settings);
--> statement-breakpoint
CREATE VIEW expected_term_ancestors AS
WITH RECURSIVE line(term_id, ancestor_id) AS (
  SELECT id, id FROM terms
  UNION
  SELECT line.term_id, terms.parent FROM line JOIN terms ON terms.id = line.ancestor_id WHERE terms.parent > 0
) SELECT term_id, ancestor_id FROM line;
--> statement-breakpoint
CREATE VIEW counted_terms (term_id, difference, was_public) AS SELECT 0, 0, 0 WHERE false;
--> statement-breakpoint
CREATE VIEW scheduled (date_utc) AS
SELECT date_utc FROM events WHERE status = 'future'
UNION ALL SELECT date_utc FROM venues WHERE status = 'future'
UNION ALL SELECT date_utc FROM organizers WHERE status = 'future';
--> statement-breakpoint
CREATE TRIGGER registrants_sums_insert AFTER INSERT ON registrants WHEN NEW.state <> 'unconfirmed' BEGIN
  UPDATE registrations SET taken = taken + iif(NEW.state = 'confirmed', NEW.places, 0), waiting = waiting + iif(NEW.state = 'waiting', NEW.places, 0)
  WHERE id = NEW.registration_id;
END;
--> statement-breakpoint
CREATE TRIGGER registrants_sums_update AFTER UPDATE OF state, places ON registrants WHEN NEW.state <> 'unconfirmed' BEGIN
  UPDATE registrations SET
    taken = taken + iif(NEW.state = 'confirmed', NEW.places, 0) - iif(OLD.state = 'confirmed', OLD.places, 0),
    waiting = waiting + iif(NEW.state = 'waiting', NEW.places, 0) - iif(OLD.state = 'waiting', OLD.places, 0)
  WHERE id = NEW.registration_id;
END;
--> statement-breakpoint
CREATE TRIGGER registrants_sums_delete AFTER DELETE ON registrants WHEN OLD.state <> 'unconfirmed' BEGIN
  UPDATE registrations SET taken = taken - iif(OLD.state = 'confirmed', OLD.places, 0), waiting = waiting - iif(OLD.state = 'waiting', OLD.places, 0)
  WHERE id = OLD.registration_id;
END;
--> statement-breakpoint
CREATE TRIGGER registrants_mail_update AFTER UPDATE OF state ON registrants
WHEN NEW.email <> '' AND NEW.state <> OLD.state AND NEW.state <> 'unconfirmed' BEGIN
  INSERT INTO registration_mails (kind, registration_id, registrant_id, email, language, api)
  SELECT iif(NEW.state = 'confirmed' AND OLD.state = 'waiting', 'moved_up', NEW.state), id, NEW.id, NEW.email, NEW.language, api
  FROM registrations WHERE id = NEW.registration_id;
END;
--> statement-breakpoint
CREATE TRIGGER registrations_revision_insert AFTER INSERT ON registrations BEGIN
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER registrations_revision_update AFTER UPDATE OF version ON registrations BEGIN
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER registrations_revision_delete AFTER DELETE ON registrations BEGIN
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish'
    FROM events_of CROSS JOIN events ON id = event_id WHERE facet = 'term' AND target_id = NEW.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_change_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish'
    FROM events_of CROSS JOIN events ON id = event_id WHERE facet = 'term' AND target_id = OLD.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER venues_events_change AFTER UPDATE OF status, geo_lat, geo_lng, wheelchair ON venues
WHEN (OLD.status, OLD.geo_lat, OLD.geo_lng, OLD.wheelchair) IS NOT (NEW.status, NEW.geo_lat, NEW.geo_lng, NEW.wheelchair) BEGIN
  INSERT INTO new_changes
    SELECT 'events', id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN events_of CROSS JOIN events ON id = event_id WHERE facet = 'venue' AND target_id = NEW.id
    AND (events.wheelchair = '' OR (OLD.status, OLD.geo_lat, OLD.geo_lng) IS NOT (NEW.status, NEW.geo_lat, NEW.geo_lng));
END;
--> statement-breakpoint
CREATE TRIGGER organizers_events_change AFTER UPDATE OF status ON organizers
WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO new_changes
    SELECT 'events', id, listed AND is_public, events.status = 'publish' AND is_public
    FROM (SELECT 'publish' IN (OLD.status, NEW.status) AS is_public)
    CROSS JOIN events_of CROSS JOIN events ON id = event_id WHERE facet = 'organizer' AND target_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER series_revision_update AFTER UPDATE ON series BEGIN
  INSERT INTO new_revisions SELECT EXISTS (SELECT 1 FROM events WHERE series_id = NEW.id AND status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER series_change_update AFTER UPDATE ON series
WHEN (OLD.slug, OLD.description, OLD.excerpt, OLD.rrule, OLD.rdate, OLD.exdate)
  IS NOT (NEW.slug, NEW.description, NEW.excerpt, NEW.rrule, NEW.rdate, NEW.exdate) BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE series_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER images_change_update AFTER UPDATE ON images
WHEN (OLD.url, OLD.width, OLD.height) IS NOT (NEW.url, NEW.width, NEW.height) BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE image_id = NEW.id;
  INSERT INTO new_changes SELECT 'venues', id, status = 'publish', status = 'publish' FROM venues WHERE image_id = NEW.id;
  INSERT INTO new_changes SELECT 'organizers', id, status = 'publish', status = 'publish' FROM organizers WHERE image_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER new_changes_insert INSTEAD OF INSERT ON new_changes BEGIN
  INSERT INTO new_revisions (is_public) VALUES (NEW.is_public);
  INSERT INTO changes (kind, id, change_number, public_change_number, is_hidden)
    SELECT NEW.kind, NEW.id, change_number, iif(NEW.is_listed, public_change_number, NULL), NOT NEW.is_listed
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET change_number = excluded.change_number,
      public_change_number = coalesce(excluded.public_change_number, public_change_number),
      is_hidden = excluded.is_hidden AND (change_number <> excluded.change_number OR is_hidden)
    WHERE change_number <> excluded.change_number
      OR public_change_number IS NOT coalesce(excluded.public_change_number, public_change_number)
      OR is_hidden > excluded.is_hidden;
END;
--> statement-breakpoint
CREATE TRIGGER events_change_insert AFTER INSERT ON events BEGIN
  INSERT INTO new_changes VALUES ('events', NEW.id, NEW.listed, NEW.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER events_change_update AFTER UPDATE ON events BEGIN
  INSERT INTO new_changes VALUES ('events', NEW.id, OLD.listed OR NEW.listed, 'publish' IN (OLD.status, NEW.status));
END;
--> statement-breakpoint
CREATE TRIGGER events_change_delete AFTER DELETE ON events BEGIN
  INSERT INTO new_changes VALUES ('events', OLD.id, OLD.listed, OLD.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_insert AFTER INSERT ON venues BEGIN
  INSERT INTO new_changes VALUES ('venues', NEW.id, NEW.status = 'publish', NEW.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_update AFTER UPDATE ON venues BEGIN
  INSERT INTO new_changes VALUES ('venues', NEW.id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;
--> statement-breakpoint
CREATE TRIGGER venues_change_delete AFTER DELETE ON venues BEGIN
  INSERT INTO new_changes VALUES ('venues', OLD.id, OLD.status = 'publish', OLD.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_insert AFTER INSERT ON organizers BEGIN
  INSERT INTO new_changes VALUES ('organizers', NEW.id, NEW.status = 'publish', NEW.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_update AFTER UPDATE ON organizers BEGIN
  INSERT INTO new_changes VALUES ('organizers', NEW.id, 'publish' IN (OLD.status, NEW.status), 'publish' IN (OLD.status, NEW.status));
END;
--> statement-breakpoint
CREATE TRIGGER organizers_change_delete AFTER DELETE ON organizers BEGIN
  INSERT INTO new_changes VALUES ('organizers', OLD.id, OLD.status = 'publish', OLD.status = 'publish');
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_insert AFTER INSERT ON terms BEGIN
  DELETE FROM changes WHERE kind = NEW.taxonomy AND id = NEW.id;
  INSERT INTO new_revisions VALUES (NEW.standalone OR NEW.count > 0);
  UPDATE terms SET change_number = revision.change_number,
    public_change_number = iif(NEW.standalone OR NEW.count > 0, revision.public_change_number, NULL)
    FROM revision WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_update AFTER UPDATE ON terms
WHEN (NEW.change_number, NEW.public_change_number) IS (OLD.change_number, OLD.public_change_number) BEGIN
  INSERT INTO new_revisions SELECT OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0;
  UPDATE terms SET change_number = revision.change_number,
    public_change_number = iif(OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0,
      revision.public_change_number, terms.public_change_number)
    FROM revision WHERE id = NEW.id AND (terms.change_number, terms.public_change_number) IS NOT (revision.change_number,
      iif(OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0,
        revision.public_change_number, terms.public_change_number));
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_delete AFTER DELETE ON terms BEGIN
  INSERT INTO new_changes SELECT OLD.taxonomy, OLD.id, is_public, is_public
    FROM (SELECT OLD.standalone OR OLD.count > 0 AS is_public);
END;
--> statement-breakpoint
CREATE TRIGGER terms_parent_insert BEFORE INSERT ON terms
WHEN NEW.parent > 0 AND NOT EXISTS (SELECT 1 FROM terms WHERE id = NEW.parent) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER terms_parent_update BEFORE UPDATE OF parent ON terms
WHEN NEW.parent > 0 AND NOT EXISTS (SELECT 1 FROM terms WHERE id = NEW.parent) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER conflicts_insert INSTEAD OF INSERT ON conflicts WHEN NEW.is_conflict BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_check BEFORE UPDATE OF duplicate_of ON events
WHEN NEW.duplicate_of IS NOT NULL AND NEW.duplicate_of IS NOT OLD.duplicate_of AND (
  NOT EXISTS (SELECT 1 FROM events WHERE id = NEW.duplicate_of AND id <> NEW.id AND status = 'publish'
    AND hide_from_listings = 0 AND (duplicate_of IS NULL OR duplicate_of = OLD.duplicate_of))
  OR EXISTS (SELECT 1 FROM events WHERE duplicate_of = NEW.id)
) BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER released_twins_insert INSTEAD OF INSERT ON released_twins BEGIN
  UPDATE events SET duplicate_of = next.event_id
    FROM (SELECT event_id FROM hidden_twins WHERE shown_id = NEW.shown_id AND is_public ORDER BY rank, event_id LIMIT 1) AS next
    WHERE duplicate_of = NEW.shown_id AND events.id <> next.event_id;
  -- The next event is now the only one whose duplicate_of still has its former value.
  INSERT OR IGNORE INTO twins (first_id, second_id, state, likeness, at_utc)
    SELECT min(next.id, events.id), max(next.id, events.id), 'joined', 1, NEW.at_utc
    FROM events AS next CROSS JOIN events ON events.duplicate_of = next.id WHERE next.duplicate_of = NEW.shown_id;
  UPDATE events SET duplicate_of = NULL WHERE duplicate_of = NEW.shown_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_release AFTER UPDATE OF status, hide_from_listings ON events
WHEN (NEW.status <> 'publish' OR NEW.hide_from_listings) AND EXISTS (
  SELECT 1 FROM hidden_twins WHERE shown_id = NEW.id AND NOT (stays_hidden AND NEW.status = 'trash')
) BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT NEW.modified_utc, 'import:sources', 'update', 'event', event_id, '["duplicate_of"]', json_object('duplicate_of', json_array(NEW.id, 0))
    FROM hidden_twins WHERE shown_id = NEW.id;
  INSERT INTO released_twins VALUES (NEW.id, NEW.modified_utc);
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_return AFTER UPDATE OF status ON events
WHEN OLD.status = 'trash' AND NEW.status <> 'trash' BEGIN
  UPDATE twins SET trashed_from = '' WHERE trashed_from <> '' AND (first_id = NEW.id OR second_id = NEW.id);
  UPDATE events SET duplicate_of = NULL WHERE id = NEW.id AND duplicate_of IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM events AS shown WHERE shown.id = NEW.duplicate_of AND shown.listed);
END;
--> statement-breakpoint
CREATE TRIGGER events_twins_delete BEFORE DELETE ON events BEGIN
  INSERT INTO audit (at_utc, request_id, action, kind, object_id, fields, changed)
    SELECT datetime('now'), 'import:sources', iif(stays_hidden, 'trash', 'update'), 'event', event_id, '["duplicate_of"]',
      json_object('duplicate_of', json_array(OLD.id, 0))
    FROM hidden_twins WHERE shown_id = OLD.id;
  UPDATE events SET status = 'trash', version = version + 1, duplicate_of = NULL
    WHERE id IN (SELECT event_id FROM hidden_twins WHERE shown_id = OLD.id AND stays_hidden);
  INSERT INTO released_twins VALUES (OLD.id, datetime('now'));
  DELETE FROM twins WHERE first_id = OLD.id OR second_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER event_sources_changed INSTEAD OF INSERT ON event_sources BEGIN
  DELETE FROM listings WHERE facet = 'source' AND target_id IN (SELECT id FROM sources)
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = NEW.event_id) AND event_id = NEW.event_id
    AND target_id NOT IN (SELECT source_id FROM event_sources WHERE event_id = NEW.event_id);
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date FROM expected_listings AS wanted
    WHERE event_id = NEW.event_id AND facet = 'source'
    AND NOT EXISTS (SELECT 1 FROM listings AS there WHERE there.facet = 'source' AND there.target_id = wanted.target_id
      AND there.utc_start_date = wanted.utc_start_date AND there.event_id = wanted.event_id);
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER imports_event_sources_insert AFTER INSERT ON imports WHEN NEW.source GLOB 'source:*' BEGIN
  INSERT INTO event_sources (event_id)
    SELECT DISTINCT shown.id FROM events AS own CROSS JOIN events AS shown ON shown.id IN (own.id, iif(own.status = 'publish', own.duplicate_of, NULL))
    WHERE (NEW.kind = 'event' AND own.id = NEW.target_id) OR (NEW.kind = 'series' AND own.series_id = NEW.target_id);
END;
--> statement-breakpoint
CREATE TRIGGER imports_event_sources_update AFTER UPDATE OF source, kind, target_id ON imports
WHEN (OLD.source, OLD.kind, OLD.target_id) IS NOT (NEW.source, NEW.kind, NEW.target_id)
  AND 'source:' IN (substr(OLD.source, 1, 7), substr(NEW.source, 1, 7)) BEGIN
  INSERT INTO event_sources (event_id)
    SELECT DISTINCT shown.id FROM events AS own CROSS JOIN events AS shown ON shown.id IN (own.id, iif(own.status = 'publish', own.duplicate_of, NULL))
    WHERE (OLD.kind = 'event' AND own.id = OLD.target_id) OR (OLD.kind = 'series' AND own.series_id = OLD.target_id)
      OR (NEW.kind = 'event' AND own.id = NEW.target_id) OR (NEW.kind = 'series' AND own.series_id = NEW.target_id);
END;
--> statement-breakpoint
CREATE TRIGGER imports_event_sources_delete AFTER DELETE ON imports WHEN OLD.source GLOB 'source:*' BEGIN
  INSERT INTO event_sources (event_id)
    SELECT DISTINCT shown.id FROM events AS own CROSS JOIN events AS shown ON shown.id IN (own.id, iif(own.status = 'publish', own.duplicate_of, NULL))
    WHERE (OLD.kind = 'event' AND own.id = OLD.target_id) OR (OLD.kind = 'series' AND own.series_id = OLD.target_id);
END;
--> statement-breakpoint
CREATE TRIGGER events_event_sources_insert AFTER INSERT ON events
WHEN NEW.duplicate_of IS NOT NULL AND NEW.status = 'publish' BEGIN
  INSERT INTO event_sources (event_id) VALUES (NEW.duplicate_of);
END;
--> statement-breakpoint
CREATE TRIGGER events_event_sources_update AFTER UPDATE OF duplicate_of, status, series_id ON events
WHEN (OLD.duplicate_of, OLD.status = 'publish', OLD.series_id) IS NOT (NEW.duplicate_of, NEW.status = 'publish', NEW.series_id) BEGIN
  INSERT INTO event_sources (event_id) SELECT OLD.duplicate_of WHERE OLD.duplicate_of IS NOT NULL AND OLD.status = 'publish'
    UNION SELECT NEW.duplicate_of WHERE NEW.duplicate_of IS NOT NULL AND NEW.status = 'publish';
END;
--> statement-breakpoint
CREATE TRIGGER events_event_sources_delete AFTER DELETE ON events
WHEN OLD.duplicate_of IS NOT NULL AND OLD.status = 'publish' BEGIN
  INSERT INTO event_sources (event_id) VALUES (OLD.duplicate_of);
END;
--> statement-breakpoint
CREATE TRIGGER sources_events_change AFTER UPDATE ON sources
WHEN (OLD.name, OLD.url, OLD.rights_text, OLD.rights_url, OLD.is_being_deleted)
  IS NOT (NEW.name, NEW.url, NEW.rights_text, NEW.rights_url, NEW.is_being_deleted) BEGIN
  INSERT INTO event_sources (event_id)
    SELECT DISTINCT shown.id FROM imports
    CROSS JOIN events AS own ON (imports.kind = 'event' AND own.id = imports.target_id)
      OR (imports.kind = 'series' AND own.series_id = imports.target_id)
    CROSS JOIN events AS shown ON shown.id IN (own.id, iif(own.status = 'publish', own.duplicate_of, NULL))
    WHERE imports.source = 'source:' || NEW.id AND imports.kind IN ('event', 'series');
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_insert AFTER INSERT ON listings
WHEN (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO listing_counts (facet, target_id, period, count) VALUES (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_update AFTER UPDATE ON listings
WHEN OLD.period <> NEW.period AND (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO listing_counts (facet, target_id, period, count)
    VALUES (OLD.facet, OLD.target_id, OLD.period, -1), (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_delete AFTER DELETE ON listings
WHEN (SELECT first_new_id IS NULL OR OLD.event_id < first_new_id FROM revision) BEGIN
  UPDATE listing_counts SET count = count - 1 WHERE facet = OLD.facet AND target_id = OLD.target_id AND period = OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_insert AFTER INSERT ON events WHEN NEW.listed BEGIN
  INSERT INTO listings SELECT * FROM expected_listings WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, duplicate_of, post_parent, parent_confirmed_by, series_id ON events
WHEN OLD.listed <> NEW.listed OR (NEW.listed AND (
  OLD.post_parent IS NOT NEW.post_parent OR (OLD.parent_confirmed_by IS NULL) <> (NEW.parent_confirmed_by IS NULL)
  OR OLD.series_id IS NOT NEW.series_id
)) BEGIN
  DELETE FROM listings WHERE utc_start_date = OLD.utc_start_date AND event_id = OLD.id AND (facet, target_id) IN (SELECT facet, target_id FROM (
    SELECT 'event' AS facet, 0 AS target_id
    UNION ALL SELECT 'source', id FROM sources
    UNION ALL SELECT 'parent', OLD.post_parent WHERE OLD.post_parent IS NOT NULL
    UNION ALL SELECT facet, target_id FROM event_link_facets WHERE event_id = OLD.id
  )) AND NOT (NEW.listed AND (facet, target_id) IN (SELECT facet, target_id FROM event_facets WHERE event_id = NEW.id)
    AND utc_start_date = NEW.utc_start_date);
  INSERT OR IGNORE INTO listings SELECT * FROM expected_listings WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_move AFTER UPDATE OF utc_start_date, utc_end_date ON events
WHEN OLD.listed AND NEW.listed AND (OLD.utc_start_date, OLD.utc_end_date) IS NOT (NEW.utc_start_date, NEW.utc_end_date) BEGIN
  UPDATE listings SET utc_start_date = NEW.utc_start_date, utc_end_date = NEW.utc_end_date
  WHERE utc_start_date = OLD.utc_start_date AND event_id = NEW.id
    AND (facet, target_id) IN (SELECT facet, target_id FROM event_facets WHERE event_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_delete AFTER DELETE ON events BEGIN
  DELETE FROM listings WHERE utc_start_date = OLD.utc_start_date AND event_id = OLD.id AND (facet, target_id) IN (SELECT facet, target_id FROM (
    SELECT 'event' AS facet, 0 AS target_id
    UNION ALL SELECT 'source', id FROM sources
    UNION ALL SELECT 'parent', OLD.post_parent WHERE OLD.post_parent IS NOT NULL));
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_listing_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO listings
    SELECT 'term', ancestor_id, utc_start_date, events.id, utc_end_date
    FROM events CROSS JOIN term_ancestors ON term_id = NEW.target_id
    WHERE events.id = NEW.event_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.facet = 'term' AND there.target_id = ancestor_id AND there.utc_start_date = events.utc_start_date
        AND there.event_id = events.id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_listing_delete AFTER DELETE ON event_terms BEGIN
  DELETE FROM listings WHERE facet = 'term'
    AND target_id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = OLD.target_id)
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id
    AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
      WHERE event_terms.event_id = OLD.event_id AND ancestor_id = listings.target_id);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_insert AFTER INSERT ON term_ancestors
WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO listings
    SELECT 'term', NEW.ancestor_id, utc_start_date, event_id, utc_end_date
    FROM listings AS below WHERE facet = 'term' AND target_id = NEW.term_id
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.facet = 'term' AND there.target_id = NEW.ancestor_id AND there.utc_start_date = below.utc_start_date
        AND there.event_id = below.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_delete AFTER DELETE ON term_ancestors
WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  DELETE FROM listings WHERE facet = 'term' AND target_id = OLD.ancestor_id
  AND (utc_start_date, event_id) IN (
    SELECT utc_start_date, event_id FROM listings AS below WHERE facet = 'term' AND target_id = OLD.term_id)
  AND NOT EXISTS (SELECT 1 FROM event_terms CROSS JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = listings.event_id AND ancestor_id = OLD.ancestor_id);
END;
--> statement-breakpoint
CREATE TRIGGER events_review_note AFTER UPDATE OF status ON events
WHEN OLD.status NOT IN ('publish', 'future', 'private') AND NEW.status IN ('publish', 'future', 'private') BEGIN
  DELETE FROM review_notes WHERE kind = 'event' AND object_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_review_note_delete AFTER DELETE ON events BEGIN
  DELETE FROM review_notes WHERE kind = 'event' AND object_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER series_review_note AFTER UPDATE OF status ON series
WHEN OLD.status NOT IN ('publish', 'future', 'private') AND NEW.status IN ('publish', 'future', 'private') BEGIN
  DELETE FROM review_notes WHERE kind = 'series' AND object_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER series_review_note_delete AFTER DELETE ON series BEGIN
  DELETE FROM review_notes WHERE kind = 'series' AND object_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER new_revisions_insert INSTEAD OF INSERT ON new_revisions BEGIN
  UPDATE revision SET change_number = change_number + (write_state < 2), modified_utc = datetime('now'),
    public_change_number = public_change_number + NEW.is_public,
    public_modified_utc = iif(NEW.is_public, datetime('now'), public_modified_utc),
    purges_left = iif(NEW.is_public, 2, purges_left),
    write_state = iif(write_state = 0, 0, iif(NEW.is_public, 3, 2))
  WHERE write_state < 2 OR (write_state = 2 AND NEW.is_public);
END;
--> statement-breakpoint
CREATE TRIGGER write_ends_insert INSTEAD OF INSERT ON write_ends BEGIN
  INSERT INTO listing_counts (facet, target_id, period, count)
    SELECT facet, target_id, period, count(*) FROM periods_of_events WHERE event_id >= NEW.first_new_id GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET count = count + excluded.count;
  INSERT INTO counted_terms (term_id, difference)
    SELECT target_id, sum(status = 'publish' AND duplicate_of IS NULL)
    FROM event_terms CROSS JOIN events ON id = event_id WHERE event_id >= NEW.first_new_id GROUP BY 1;
  UPDATE revision SET write_state = 0, first_new_id = NULL;
END;
--> statement-breakpoint
CREATE TRIGGER images_revision_insert AFTER INSERT ON images BEGIN
  INSERT INTO new_revisions VALUES (0);
END;
--> statement-breakpoint
CREATE TRIGGER images_revision_update AFTER UPDATE ON images
WHEN (
  OLD.url, OLD.width, OLD.height, OLD.version, OLD.author_id, OLD.date_utc,
  OLD.slug, OLD.title, OLD.alt_text, OLD.caption, OLD.search_text, OLD.mime_type, OLD.filesize, OLD.has_sizes, OLD.copied_id
) IS NOT (
  NEW.url, NEW.width, NEW.height, NEW.version, NEW.author_id, NEW.date_utc,
  NEW.slug, NEW.title, NEW.alt_text, NEW.caption, NEW.search_text, NEW.mime_type, NEW.filesize, NEW.has_sizes, NEW.copied_id
) BEGIN
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER images_revision_delete AFTER DELETE ON images BEGIN
  INSERT INTO new_revisions VALUES (0);
END;
--> statement-breakpoint
CREATE TRIGGER image_removals_purges AFTER UPDATE OF is_done ON image_removals
WHEN NEW.is_done BEGIN
  UPDATE revision SET image_purges_left = 2;
END;
--> statement-breakpoint
CREATE TRIGGER sources_revision_update AFTER UPDATE OF version ON sources BEGIN
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER sources_revision_delete AFTER DELETE ON sources BEGIN
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER settings_revision_insert AFTER INSERT ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER settings_revision_update AFTER UPDATE ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER settings_revision_delete AFTER DELETE ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO new_revisions VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER settings_logo_update AFTER UPDATE OF url, width, height, alt_text, has_sizes, version ON images
WHEN NEW.id IN (SELECT logo_id FROM settings UNION ALL SELECT header_image_id FROM settings) BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_insert AFTER INSERT ON terms BEGIN
  INSERT INTO term_ancestors (term_id, ancestor_id) VALUES (NEW.id, NEW.id);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT NEW.id, ancestor_id FROM term_ancestors WHERE term_id = NEW.parent;
  UPDATE terms SET standalone = 1 WHERE (NEW.standalone OR NEW.count > 0) AND NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_update AFTER UPDATE OF parent ON terms WHEN NEW.parent <> OLD.parent BEGIN
  DELETE FROM term_ancestors
    WHERE term_id IN (SELECT term_id FROM term_ancestors WHERE ancestor_id = NEW.id)
    AND ancestor_id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = OLD.parent);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT below.term_id, above.ancestor_id FROM term_ancestors AS below, term_ancestors AS above
    WHERE below.ancestor_id = NEW.id AND above.term_id = NEW.parent;
  UPDATE terms SET standalone = 1 WHERE (NEW.standalone OR NEW.count > 0) AND NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_shown AFTER UPDATE OF standalone, count ON terms
WHEN NEW.parent > 0 AND (NEW.standalone OR NEW.count > 0) AND NOT (OLD.standalone OR OLD.count > 0) BEGIN
  UPDATE terms SET standalone = 1 WHERE NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_delete AFTER DELETE ON terms BEGIN
  DELETE FROM term_ancestors WHERE term_id = OLD.id OR ancestor_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_depth BEFORE INSERT ON term_ancestors
WHEN (SELECT count(*) FROM term_ancestors WHERE term_id = NEW.term_id) >= 10 BEGIN
  SELECT RAISE(ABORT, 'category too deep');
END;
--> statement-breakpoint
CREATE TRIGGER counted_terms_insert INSTEAD OF INSERT ON counted_terms
WHEN NEW.difference <> 0 OR EXISTS (SELECT 1 FROM terms WHERE id = NEW.term_id AND count = 0 AND NOT standalone) BEGIN
  INSERT INTO new_revisions SELECT standalone OR count > 0 OR NEW.difference > 0 FROM terms WHERE id = NEW.term_id;
  UPDATE terms SET count = count + NEW.difference, standalone = standalone OR coalesce(NEW.was_public, 0),
    change_number = revision.change_number,
    public_change_number = iif(standalone OR count > 0 OR NEW.difference > 0,
      revision.public_change_number, terms.public_change_number)
    FROM revision WHERE id = NEW.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_insert AFTER INSERT ON event_terms
WHEN (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, difference)
    SELECT NEW.target_id, status = 'publish' AND duplicate_of IS NULL FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_delete AFTER DELETE ON event_terms
WHEN (SELECT first_new_id IS NULL OR OLD.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, difference, was_public)
    SELECT OLD.target_id, -1, 1 FROM events WHERE id = OLD.event_id AND status = 'publish' AND duplicate_of IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER events_term_count_update AFTER UPDATE OF status, duplicate_of ON events
WHEN (NEW.status = 'publish' AND NEW.duplicate_of IS NULL) <> (OLD.status = 'publish' AND OLD.duplicate_of IS NULL)
  AND (SELECT first_new_id IS NULL OR NEW.id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, difference, was_public)
    SELECT target_id, iif(NEW.status = 'publish' AND NEW.duplicate_of IS NULL, 1, -1), OLD.status = 'publish'
    FROM event_terms WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_search_update AFTER UPDATE OF status, hide_from_listings, duplicate_of, utc_start_date ON events
WHEN OLD.search_key <> NEW.search_key OR OLD.listed <> NEW.listed BEGIN
  UPDATE events_search SET
    rowid = NEW.search_key,
    listed = iif(NEW.listed, coalesce(listed, unlisted), NULL),
    unlisted = iif(NEW.listed, NULL, coalesce(listed, unlisted))
  WHERE rowid = OLD.search_key;
END;
--> statement-breakpoint
CREATE TRIGGER events_search_share AFTER UPDATE OF series_id, detached ON events
WHEN NEW.shares_text AND NOT OLD.shares_text BEGIN
  DELETE FROM events_search WHERE rowid IN (OLD.search_key, NEW.search_key);
END;
--> statement-breakpoint
CREATE TRIGGER events_search_delete AFTER DELETE ON events BEGIN
  DELETE FROM events_search WHERE rowid = OLD.search_key;
END;
--> statement-breakpoint
CREATE TRIGGER series_search_delete AFTER DELETE ON series BEGIN
  DELETE FROM series_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER venues_search_delete AFTER DELETE ON venues BEGIN
  DELETE FROM venues_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER organizers_search_delete AFTER DELETE ON organizers BEGIN
  DELETE FROM organizers_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER letters_version BEFORE UPDATE OF version ON letters WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER news_choices_version BEFORE UPDATE OF version ON news_choices WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER subscribers_version BEFORE UPDATE OF version ON subscribers WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER pick_lists_version BEFORE UPDATE OF version ON pick_lists WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER registrants_version BEFORE UPDATE OF version ON registrants WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER registrations_version BEFORE UPDATE OF version ON registrations WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_version BEFORE UPDATE OF version ON webhooks WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER events_version BEFORE UPDATE OF version ON events WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER images_version BEFORE UPDATE OF version ON images WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_version BEFORE UPDATE OF version ON organizers WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER series_version BEFORE UPDATE OF version ON series WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER settings_version BEFORE UPDATE OF version ON settings WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER sources_version BEFORE UPDATE OF version ON sources WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER terms_version BEFORE UPDATE OF version ON terms WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER venues_version BEFORE UPDATE OF version ON venues WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_insert AFTER INSERT ON events WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_update AFTER UPDATE OF status, date_utc ON events WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_delete AFTER DELETE ON events WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_insert AFTER INSERT ON venues WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_update AFTER UPDATE OF status, date_utc ON venues WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_delete AFTER DELETE ON venues WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_insert AFTER INSERT ON organizers WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_update AFTER UPDATE OF status, date_utc ON organizers WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_delete AFTER DELETE ON organizers WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_update AFTER UPDATE ON event_venues BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_change_delete AFTER DELETE ON event_venues BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_update AFTER UPDATE ON event_organizers BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_change_delete AFTER DELETE ON event_organizers BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_update AFTER UPDATE ON event_terms BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_change_delete AFTER DELETE ON event_terms BEGIN
  INSERT INTO new_changes SELECT 'events', id, listed, status = 'publish' FROM events WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO listings
    SELECT 'venue', NEW.target_id, utc_start_date, id, utc_end_date FROM events WHERE id = NEW.event_id AND listed;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_delete AFTER DELETE ON event_venues BEGIN
  DELETE FROM listings WHERE facet = 'venue' AND target_id = OLD.target_id
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_listing_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO listings
    SELECT 'organizer', NEW.target_id, utc_start_date, id, utc_end_date FROM events WHERE id = NEW.event_id AND listed;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_listing_delete AFTER DELETE ON event_organizers BEGIN
  DELETE FROM listings WHERE facet = 'organizer' AND target_id = OLD.target_id
    AND utc_start_date = (SELECT utc_start_date FROM events WHERE id = OLD.event_id) AND event_id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_uid AFTER INSERT ON events WHEN NEW.uid = '' AND NEW.series_id IS NULL BEGIN
  UPDATE events SET uid = NEW.external_id || iif(
      EXISTS (SELECT 1 FROM events WHERE id = CAST(substr(NEW.external_id, 7) AS INTEGER) AND uid = '' AND series_id IS NULL
        AND NEW.external_id GLOB 'event-[0-9]*@*' AND id <> NEW.id)
      OR EXISTS (SELECT 1 FROM series WHERE id = CAST(substr(NEW.external_id, 8) AS INTEGER) AND uid = ''
        AND NEW.external_id GLOB 'series-[0-9]*@*')
      OR (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))), ' ', '')
    WHERE id = NEW.id AND NEW.external_id <> '' AND NEW.external_id NOT GLOB '*@'
      AND NOT (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' '))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' ')));
  UPDATE events SET uid = 'event-' || NEW.id || '.1@' WHERE id = NEW.id AND (
    (uid = '' AND (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid >= 'event-' || NEW.id || '@' AND uid < 'event-' || NEW.id || 'A')
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid >= 'event-' || NEW.id || '@' AND uid < 'event-' || NEW.id || 'A')))
    OR (uid = NEW.external_id || ' '
      AND (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = 'event-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = 'event-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@'))))));
END;
--> statement-breakpoint
CREATE TRIGGER series_uid AFTER INSERT ON series WHEN NEW.uid = '' BEGIN
  UPDATE series SET uid = NEW.external_id || iif(
      EXISTS (SELECT 1 FROM events WHERE id = CAST(substr(NEW.external_id, 7) AS INTEGER) AND uid = '' AND series_id IS NULL
        AND NEW.external_id GLOB 'event-[0-9]*@*')
      OR EXISTS (SELECT 1 FROM series WHERE id = CAST(substr(NEW.external_id, 8) AS INTEGER) AND uid = ''
        AND NEW.external_id GLOB 'series-[0-9]*@*' AND id <> NEW.id)
      OR (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = substr(NEW.external_id, 1, instr(NEW.external_id, '@')))), ' ', '')
    WHERE id = NEW.id AND NEW.external_id <> '' AND NEW.external_id NOT GLOB '*@'
      AND NOT (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' '))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid IN (NEW.external_id, NEW.external_id || ' ')));
  UPDATE series SET uid = 'series-' || NEW.id || '.1@' WHERE id = NEW.id AND (
    (uid = '' AND (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid >= 'series-' || NEW.id || '@' AND uid < 'series-' || NEW.id || 'A')
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid >= 'series-' || NEW.id || '@' AND uid < 'series-' || NEW.id || 'A')))
    OR (uid = NEW.external_id || ' '
      AND (
      EXISTS (SELECT 1 FROM events WHERE uid <> '' AND uid = 'series-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@')))
      OR EXISTS (SELECT 1 FROM series WHERE uid <> '' AND uid = 'series-' || NEW.id || substr(NEW.external_id, instr(NEW.external_id, '@'))))));
END;
--> statement-breakpoint
INSERT INTO revision (secret, change_number, modified_utc, public_modified_utc)
  VALUES (lower(hex(randomblob(16))), 1, datetime('now'), datetime('now'));
--> statement-breakpoint
INSERT INTO audit_state (cleared_to) VALUES (0);
--> statement-breakpoint
INSERT INTO twins_place (n, id) VALUES (1, 0);
--> statement-breakpoint
INSERT INTO keys (name, value) VALUES ('challenges', lower(hex(randomblob(32))));
