DROP TRIGGER revised_insert;
--> statement-breakpoint
CREATE TABLE `setbacks` (
	`task` text NOT NULL,
	`row_id` integer NOT NULL,
	`failures` integer NOT NULL,
	`until_utc` text NOT NULL,
	PRIMARY KEY(`task`, `row_id`)
);
--> statement-breakpoint
CREATE INDEX `submissions_sender` ON `submissions` (`created_utc`) WHERE sender <> '';
--> statement-breakpoint
ALTER TABLE revision ADD COLUMN purges_left INTEGER NOT NULL DEFAULT 2;
--> statement-breakpoint
ALTER TABLE revision ADD COLUMN image_purges_left INTEGER NOT NULL DEFAULT 2;
--> statement-breakpoint
CREATE TRIGGER image_removals_purges AFTER UPDATE OF is_done ON image_removals
WHEN NEW.is_done BEGIN
  UPDATE revision SET image_purges_left = 2;
END;
--> statement-breakpoint
CREATE TRIGGER revised_insert INSTEAD OF INSERT ON revised BEGIN
  UPDATE revision SET n = n + (stage < 2), modified_utc = datetime('now'),
    public_n = public_n + NEW.is_public,
    public_modified_utc = iif(NEW.is_public, datetime('now'), public_modified_utc),
    purges_left = iif(NEW.is_public, 2, purges_left),
    stage = iif(stage = 0, 0, iif(NEW.is_public, 3, 2))
  WHERE stage < 2 OR (stage = 2 AND NEW.is_public);
END;
