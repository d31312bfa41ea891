CREATE INDEX `events_waiting` ON `events` (`series_id`,`modified_utc`,`id`) WHERE status = 'pending' AND duplicate_of IS NULL;
