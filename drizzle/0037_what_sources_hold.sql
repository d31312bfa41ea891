ALTER TABLE `sources` ADD `held` text DEFAULT '[]' NOT NULL;
