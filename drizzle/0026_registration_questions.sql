ALTER TABLE `registrations` ADD `asked` text DEFAULT '{}' NOT NULL;
