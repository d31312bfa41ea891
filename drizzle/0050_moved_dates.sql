CREATE INDEX `events_moved` ON `events` (`series_id`,`utc_start_date`,`id`) WHERE series_id IS NOT NULL AND (occurrence_date <> start_date OR instr(detached, '"timezone"') > 0);
