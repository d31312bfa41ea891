ALTER TABLE `registration_mails` ADD `held_utc` text DEFAULT '' NOT NULL;
