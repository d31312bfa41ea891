ALTER TABLE `submissions` ADD `via` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `received` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `submissions_received` ON `submissions` (`created_utc`) WHERE received <> '';--> statement-breakpoint
CREATE INDEX `submissions_mails` ON `submissions` (`created_utc`) WHERE via = 'email' AND form_digest IS NOT NULL;
