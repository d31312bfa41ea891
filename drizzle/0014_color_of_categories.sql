ALTER TABLE `terms` ADD `color` text DEFAULT '' NOT NULL;
