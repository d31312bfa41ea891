ALTER TABLE `events` ADD `former_series_id` integer;--> statement-breakpoint
CREATE INDEX `events_former_series` ON `events` (`former_series_id`) WHERE former_series_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `series` ADD `former_series_id` integer;--> statement-breakpoint
CREATE INDEX `series_former` ON `series` (`former_series_id`) WHERE former_series_id IS NOT NULL;
--> statement-breakpoint
-- Until now, the parts of a divided series had nothing but their slug in common.
UPDATE series SET former_series_id = (SELECT min(first.id) FROM series AS first WHERE first.slug = series.slug)
  WHERE id > (SELECT min(first.id) FROM series AS first WHERE first.slug = series.slug);
