ALTER TABLE `registrations` ADD `told_utc` text DEFAULT '' NOT NULL;
