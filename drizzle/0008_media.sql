CREATE TABLE `image_removals` (
	`file` text PRIMARY KEY NOT NULL,
	`at_utc` text NOT NULL,
	`is_done` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `image_uploaders` (
	`image_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`image_id`, `user_id`),
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `unused_images` (
	`image_id` integer PRIMARY KEY NOT NULL,
	`since_utc` text NOT NULL,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `images` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `images` ADD `author_id` integer REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `images` ADD `date_utc` text;--> statement-breakpoint
ALTER TABLE `images` ADD `title` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `images` ADD `alt_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `images` ADD `caption` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `images` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `images` ADD `mime_type` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `images` ADD `filesize` integer;--> statement-breakpoint
ALTER TABLE `images` ADD `copied_id` integer;--> statement-breakpoint
CREATE INDEX `images_author` ON `images` (`author_id`);--> statement-breakpoint
CREATE INDEX `organizers_image` ON `organizers` (`image_id`) WHERE image_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `venues_image` ON `venues` (`image_id`) WHERE image_id IS NOT NULL;--> statement-breakpoint

-- By hand: what Drizzle has no words for.
CREATE TRIGGER images_version BEFORE UPDATE OF version ON images WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
-- Lists of pictures are for those who may edit; what everybody sees of one is beside the content that uses it.
CREATE TRIGGER images_revision_insert AFTER INSERT ON images BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER images_revision_delete AFTER DELETE ON images BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER images_revision_texts AFTER UPDATE ON images
WHEN (OLD.version, OLD.author_id, OLD.date_utc, OLD.title, OLD.alt_text, OLD.caption, OLD.search_text, OLD.mime_type, OLD.filesize, OLD.copied_id)
  IS NOT (NEW.version, NEW.author_id, NEW.date_utc, NEW.title, NEW.alt_text, NEW.caption, NEW.search_text, NEW.mime_type, NEW.filesize, NEW.copied_id) BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'),
    public_n = public_n + 1, public_modified_utc = datetime('now');
END;
