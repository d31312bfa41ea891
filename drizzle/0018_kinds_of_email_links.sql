ALTER TABLE `email_links` ADD `kind` text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE email_links SET kind = 'letter' WHERE letter_id IS NOT NULL;
