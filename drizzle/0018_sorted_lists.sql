DROP INDEX `events_start`;
--> statement-breakpoint
CREATE INDEX events_month_id ON events
  (substr(utc_start_date, 1, 7), id, utc_start_date, utc_end_date) WHERE listed;
--> statement-breakpoint
CREATE INDEX events_month_modified ON events
  (substr(utc_start_date, 1, 7), modified_utc, id, utc_start_date, utc_end_date) WHERE listed;
--> statement-breakpoint
CREATE INDEX events_month_date ON events
  (substr(utc_start_date, 1, 7), date_utc, id, utc_start_date, utc_end_date) WHERE listed;
--> statement-breakpoint
CREATE INDEX events_month_title ON events
  (substr(utc_start_date, 1, 7), title COLLATE NOCASE, id, utc_start_date, utc_end_date) WHERE listed;
