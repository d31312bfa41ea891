DROP INDEX events_month_id;
--> statement-breakpoint
DROP INDEX events_month_modified;
--> statement-breakpoint
DROP INDEX events_month_date;
--> statement-breakpoint
DROP INDEX events_month_title;
--> statement-breakpoint
DROP INDEX `audit_user`;--> statement-breakpoint
DROP INDEX `events_image`;--> statement-breakpoint
CREATE INDEX `events_image` ON `events` (`image_id`) WHERE image_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX events_title ON events (title COLLATE NOCASE, id, utc_start_date, utc_end_date) WHERE listed;
