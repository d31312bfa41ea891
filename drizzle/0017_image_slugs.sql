DROP TRIGGER images_revision_texts;
--> statement-breakpoint
ALTER TABLE `images` ADD `slug` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `images_slug` ON `images` (`slug`) WHERE slug <> '';
--> statement-breakpoint
CREATE TRIGGER images_revision_texts AFTER UPDATE ON images
WHEN (
  OLD.version, OLD.author_id, OLD.date_utc,
  OLD.slug, OLD.title, OLD.alt_text, OLD.caption, OLD.search_text, OLD.mime_type, OLD.filesize, OLD.has_sizes, OLD.copied_id
) IS NOT (
  NEW.version, NEW.author_id, NEW.date_utc,
  NEW.slug, NEW.title, NEW.alt_text, NEW.caption, NEW.search_text, NEW.mime_type, NEW.filesize, NEW.has_sizes, NEW.copied_id
) BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now'),
    public_n = public_n + 1, public_modified_utc = datetime('now');
END;
