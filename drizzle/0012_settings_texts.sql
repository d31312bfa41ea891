ALTER TABLE `settings` ADD `imprint_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `settings` ADD `privacy_text` text DEFAULT '' NOT NULL;
