ALTER TABLE `events` ADD `ticket_availability` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `wheelchair` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `accessibility` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `previous_utc_start_date` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `series` ADD `ticket_availability` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `series` ADD `wheelchair` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `series` ADD `accessibility` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `venues` ADD `wheelchair` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `venues` ADD `accessibility` text DEFAULT '' NOT NULL;
