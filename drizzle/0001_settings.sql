CREATE TABLE `settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`vars` text NOT NULL,
	`image_id` integer,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `users` ADD `name` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE revision ADD COLUMN settings TEXT;
--> statement-breakpoint
CREATE VIEW settings_text (settings) AS
SELECT (SELECT json_object('version', version, 'vars', vars, 'image', image_id,
  'logo', (SELECT url FROM images WHERE id = image_id)) FROM settings);
--> statement-breakpoint
CREATE TRIGGER settings_version BEFORE UPDATE OF version ON settings WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER settings_logo_update AFTER UPDATE OF url ON images
WHEN NEW.id = (SELECT image_id FROM settings) BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
END;
--> statement-breakpoint
CREATE TRIGGER settings_revision_delete AFTER DELETE ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER settings_revision_update AFTER UPDATE ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO revised VALUES (1);
END;
--> statement-breakpoint
CREATE TRIGGER settings_revision_insert AFTER INSERT ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO revised VALUES (1);
END;
