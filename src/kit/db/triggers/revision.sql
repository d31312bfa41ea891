-- The revision of the database, in one row: entity tags and cached responses are valid as long as it stays
-- the same (src/kit/http/caching.ts). Every change that a response shows raises change_number; every change
-- that anonymous callers can see raises public_change_number as well, so that their responses don't depend on
-- hidden content. It may rise more often than needed, and by more than one, but never too little:
-- test/kit/db/revision.test.ts changes every column of every table.

-- The row was made by a migration. secret is this database's, from which entity tags are made;
-- triggers of repeated.ts maintain next_due_utc. A write may have one number for all its changes: it sets
-- write_state to 1 at its beginning and to 0 at its end (asOneChange in src/kit/db/statements.ts). 2 means
-- that change_number was raised since, 3 that public_change_number was as well. first_new_id says which
-- events triggers count at once: all while it is null; in such a write those with lower ids, since its new
-- events are counted together at its end. purges_left is the number of times that shared caches still have to
-- be purged of responses, and image_purges_left of images (src/kit/http/shared-caches.ts): twice, since a read
-- that began before the change may fill them again.
-- restoring is how far the restore of a backup has got, null in a complete calendar
-- (src/kit/db/readiness.ts). settings is what administrators have set, as JSON, or null: reads of the
-- revision also return it (src/kit/http/stored-settings.ts).
CREATE TABLE revision (
  secret TEXT NOT NULL,
  change_number INTEGER NOT NULL,
  modified_utc TEXT NOT NULL,
  next_due_utc TEXT,
  public_change_number INTEGER NOT NULL DEFAULT 1,
  public_modified_utc TEXT NOT NULL DEFAULT '0001-01-01 00:00:00',
  write_state INTEGER NOT NULL DEFAULT 0,
  purges_left INTEGER NOT NULL DEFAULT 2,
  image_purges_left INTEGER NOT NULL DEFAULT 2,
  restoring TEXT,
  first_new_id INTEGER,
  settings TEXT
);

-- Changes that raise the revision insert a row here. is_public says whether anonymous callers can see the
-- change.
CREATE VIEW new_revisions (is_public) AS SELECT 0 WHERE false;

CREATE TRIGGER new_revisions_insert INSTEAD OF INSERT ON new_revisions BEGIN
  UPDATE revision SET change_number = change_number + (write_state < 2), modified_utc = datetime('now'),
    public_change_number = public_change_number + NEW.is_public,
    public_modified_utc = iif(NEW.is_public, datetime('now'), public_modified_utc),
    purges_left = iif(NEW.is_public, 2, purges_left),
    write_state = iif(write_state = 0, 0, iif(NEW.is_public, 3, 2))
  WHERE write_state < 2 OR (write_state = 2 AND NEW.is_public);
END;

-- The end of a write that has one number. Its new events are counted now, all at once: the dates of a series,
-- or a hundred events, raise few counts. Other writes count each row at once.
CREATE VIEW write_ends (first_new_id) AS SELECT first_new_id FROM revision;

CREATE TRIGGER write_ends_insert INSTEAD OF INSERT ON write_ends BEGIN
  INSERT INTO listing_counts (facet, target_id, period, count)
    SELECT facet, target_id, period, count(*) FROM periods_of_events WHERE event_id >= NEW.first_new_id GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET count = count + excluded.count;
  INSERT INTO counted_terms (term_id, difference)
    SELECT target_id, sum(status = 'publish' AND duplicate_of IS NULL)
    FROM event_terms CROSS JOIN events ON id = event_id WHERE event_id >= NEW.first_new_id GROUP BY 1;
  UPDATE revision SET write_state = 0, first_new_id = NULL;
END;

-- Only editors see lists of images, which show new ones. Everybody sees an image in the content that uses it,
-- which no content does when it is new or deleted. Many rows may share an image whose address or size
-- changes.
CREATE TRIGGER images_revision_insert AFTER INSERT ON images BEGIN
  INSERT INTO new_revisions VALUES (0);
END;

CREATE TRIGGER images_revision_update AFTER UPDATE ON images
WHEN (
  OLD.url, OLD.width, OLD.height, OLD.version, OLD.author_id, OLD.date_utc,
  OLD.slug, OLD.title, OLD.alt_text, OLD.caption, OLD.search_text, OLD.mime_type, OLD.filesize, OLD.has_sizes, OLD.copied_id
) IS NOT (
  NEW.url, NEW.width, NEW.height, NEW.version, NEW.author_id, NEW.date_utc,
  NEW.slug, NEW.title, NEW.alt_text, NEW.caption, NEW.search_text, NEW.mime_type, NEW.filesize, NEW.has_sizes, NEW.copied_id
) BEGIN
  INSERT INTO new_revisions VALUES (1);
END;

CREATE TRIGGER images_revision_delete AFTER DELETE ON images BEGIN
  INSERT INTO new_revisions VALUES (0);
END;

CREATE TRIGGER image_removals_purges AFTER UPDATE OF is_done ON image_removals
WHEN NEW.is_done BEGIN
  UPDATE revision SET image_purges_left = 2;
END;

-- Events show settings of their source. Reading the source does not change its version.
CREATE TRIGGER sources_revision_update AFTER UPDATE OF version ON sources BEGIN
  INSERT INTO new_revisions VALUES (1);
END;

CREATE TRIGGER sources_revision_delete AFTER DELETE ON sources BEGIN
  INSERT INTO new_revisions VALUES (1);
END;

-- Whatever is shown depends on the settings. The text contains the address of the logo, which changes when it
-- is copied, and the address, the size and the alternative text of the header's image.
CREATE VIEW settings_text (settings) AS
SELECT (SELECT json_object('version', version, 'vars', vars, 'image', logo_id,
  'logo', (SELECT url FROM images WHERE id = logo_id),
  'header', json((SELECT json_object('id', id, 'url', url, 'width', width, 'height', height, 'alt_text', alt_text,
    'has_sizes', json(iif(has_sizes, 'true', 'false')), 'version', version) FROM images WHERE id = header_image_id))) FROM settings);

CREATE TRIGGER settings_revision_insert AFTER INSERT ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO new_revisions VALUES (1);
END;

CREATE TRIGGER settings_revision_update AFTER UPDATE ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO new_revisions VALUES (1);
END;

CREATE TRIGGER settings_revision_delete AFTER DELETE ON settings BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
  INSERT INTO new_revisions VALUES (1);
END;

CREATE TRIGGER settings_logo_update AFTER UPDATE OF url, width, height, alt_text, has_sizes, version ON images
WHEN NEW.id IN (SELECT logo_id FROM settings UNION ALL SELECT header_image_id FROM settings) BEGIN
  UPDATE revision SET settings = (SELECT settings FROM settings_text);
END;
