ALTER TABLE `organizers` ADD `hide_contact` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `organizers` ADD `hidden_phone` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizers` ADD `hidden_email` text DEFAULT '' NOT NULL;
