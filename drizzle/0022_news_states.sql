ALTER TABLE `subscribers` ADD `week_utc` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `state` text;--> statement-breakpoint
CREATE INDEX `news_choices_filters` ON `news_choices` (`filters`,`language`);
