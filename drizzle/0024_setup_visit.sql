ALTER TABLE `users` ADD `setup_visit` text DEFAULT '' NOT NULL;
