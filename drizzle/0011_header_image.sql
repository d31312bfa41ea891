DROP TRIGGER settings_logo_update;
--> statement-breakpoint
DROP VIEW settings_text;
--> statement-breakpoint
ALTER TABLE `settings` ADD `header_id` integer REFERENCES images(id);
--> statement-breakpoint
CREATE VIEW settings_text (settings) AS
SELECT (SELECT json_object('version', version, 'vars', vars, 'image', image_id,
  'logo', (SELECT url FROM images WHERE id = image_id),
  'header', json((SELECT json_object('id', id, 'url', url, 'width', width, 'height', height, 'alt_text', alt_text,
    'has_sizes', json(iif(has_sizes, 'true', 'false')), 'version', version) FROM images WHERE id = header_id))) FROM settings);
--> statement-breakpoint
CREATE TRIGGER settings_logo_update AFTER UPDATE OF url, width, height, alt_text, has_sizes, version ON images
WHEN NEW.id IN (SELECT image_id FROM settings UNION ALL SELECT header_id FROM settings) BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
END;
