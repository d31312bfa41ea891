CREATE TABLE `registrants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`registration_id` integer NOT NULL,
	`state` text DEFAULT 'asked' NOT NULL,
	`name` text NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`places` integer DEFAULT 1 NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	`language` text NOT NULL,
	`position` integer,
	`came` integer DEFAULT false NOT NULL,
	`counted` text DEFAULT '[]' NOT NULL,
	`created_utc` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `registrants_email` ON `registrants` (`registration_id`,"email" COLLATE NOCASE) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `registrants_address` ON `registrants` ("email" COLLATE NOCASE) WHERE email <> '';--> statement-breakpoint
CREATE INDEX `registrants_order` ON `registrants` (`registration_id`,`state`,`position`);--> statement-breakpoint
CREATE INDEX `registrants_created` ON `registrants` (`created_utc`);--> statement-breakpoint
CREATE INDEX `registrants_asked` ON `registrants` (`created_utc`) WHERE state = 'asked';--> statement-breakpoint
CREATE TABLE `registration_counts` (
	`key` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`until_utc` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registration_counts_until` ON `registration_counts` (`until_utc`);--> statement-breakpoint
CREATE TABLE `registration_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`registration_id` integer NOT NULL,
	`registrant_id` integer NOT NULL,
	`email` text NOT NULL,
	`language` text NOT NULL,
	`about` text DEFAULT '[]' NOT NULL,
	`api` text NOT NULL,
	`claimed_utc` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `registration_mails_due` ON `registration_mails` (`id`) WHERE claimed_utc = '';--> statement-breakpoint
CREATE TABLE `registrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`event_id` integer,
	`series_id` integer,
	`places` integer,
	`per_person` integer DEFAULT 1 NOT NULL,
	`opens_days` integer,
	`opens_time` text DEFAULT '' NOT NULL,
	`closes_days` integer,
	`closes_time` text DEFAULT '' NOT NULL,
	`waiting_list` integer DEFAULT true NOT NULL,
	`question` text DEFAULT '' NOT NULL,
	`closed` integer DEFAULT false NOT NULL,
	`taken` integer DEFAULT 0 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`former` text DEFAULT '{}' NOT NULL,
	`tickets` text DEFAULT '' NOT NULL,
	`tickets_utc` text DEFAULT '' NOT NULL,
	`told` text DEFAULT '[]' NOT NULL,
	`api` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `registrations_event` ON `registrations` (`event_id`) WHERE event_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `registrations_series` ON `registrations` (`series_id`) WHERE series_id IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER registrants_sums_insert AFTER INSERT ON registrants WHEN NEW.state <> 'asked' BEGIN
  UPDATE registrations SET taken = taken + iif(NEW.state = 'confirmed', NEW.places, 0), waiting = waiting + iif(NEW.state = 'waiting', NEW.places, 0)
  WHERE id = NEW.registration_id;
END;
--> statement-breakpoint
CREATE TRIGGER registrants_sums_update AFTER UPDATE OF state, places ON registrants WHEN NEW.state <> 'asked' BEGIN
  UPDATE registrations SET
    taken = taken + iif(NEW.state = 'confirmed', NEW.places, 0) - iif(OLD.state = 'confirmed', OLD.places, 0),
    waiting = waiting + iif(NEW.state = 'waiting', NEW.places, 0) - iif(OLD.state = 'waiting', OLD.places, 0)
  WHERE id = NEW.registration_id;
END;
--> statement-breakpoint
CREATE TRIGGER registrants_sums_delete AFTER DELETE ON registrants WHEN OLD.state <> 'asked' BEGIN
  UPDATE registrations SET taken = taken - iif(OLD.state = 'confirmed', OLD.places, 0), waiting = waiting - iif(OLD.state = 'waiting', OLD.places, 0)
  WHERE id = OLD.registration_id;
END;
--> statement-breakpoint
CREATE TRIGGER registrants_mail_update AFTER UPDATE OF state ON registrants
WHEN NEW.email <> '' AND NEW.state <> OLD.state AND NEW.state <> 'asked' BEGIN
  INSERT INTO registration_mails (kind, registration_id, registrant_id, email, language, api)
  SELECT iif(NEW.state = 'confirmed' AND OLD.state = 'waiting', 'moved_up', NEW.state), id, NEW.id, NEW.email, NEW.language, api
  FROM registrations WHERE id = NEW.registration_id;
END;
--> statement-breakpoint
CREATE TRIGGER registrations_revision_insert AFTER INSERT ON registrations BEGIN
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER registrations_revision_update AFTER UPDATE OF version ON registrations BEGIN
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER registrations_revision_delete AFTER DELETE ON registrations BEGIN
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER registrants_version BEFORE UPDATE OF version ON registrants WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER registrations_version BEFORE UPDATE OF version ON registrations WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
