-- Full-text search. Writes store the folded text (src/kit/lib/text.ts), which SQL cannot compute; triggers
-- keep it under the right key and delete it along with its row.

-- The text of an event is stored under its search_key, which has the order of lists; its column says whether
-- lists may show the event. So matches come in the order of lists, and counting them needs no other table. An
-- occurrence with the texts of its series has no row here.
CREATE VIRTUAL TABLE events_search USING fts5(listed, unlisted, tokenize='trigram case_sensitive 1');

-- The text that occurrences share is stored once, under the id of their series.
CREATE VIRTUAL TABLE series_search USING fts5(search_text, tokenize='trigram case_sensitive 1');

-- Texts of venues and organizers mark where the name and the address end, because some searches read only these.
CREATE VIRTUAL TABLE venues_search USING fts5(search_text, tokenize='trigram case_sensitive 1');

CREATE VIRTUAL TABLE organizers_search USING fts5(search_text, tokenize='trigram case_sensitive 1');

-- An event that starts at another time gets another key; an event that is published or hidden moves to the
-- other column.
CREATE TRIGGER events_search_update AFTER UPDATE OF status, hide_from_listings, duplicate_of, utc_start_date ON events
WHEN OLD.search_key <> NEW.search_key OR OLD.listed <> NEW.listed BEGIN
  UPDATE events_search SET
    rowid = NEW.search_key,
    listed = iif(NEW.listed, coalesce(listed, unlisted), NULL),
    unlisted = iif(NEW.listed, NULL, coalesce(listed, unlisted))
  WHERE rowid = OLD.search_key;
END;

-- An event that begins to share the text of its series loses its own.
CREATE TRIGGER events_search_share AFTER UPDATE OF series_id, detached ON events
WHEN NEW.shares_text AND NOT OLD.shares_text BEGIN
  DELETE FROM events_search WHERE rowid IN (OLD.search_key, NEW.search_key);
END;

CREATE TRIGGER events_search_delete AFTER DELETE ON events BEGIN
  DELETE FROM events_search WHERE rowid = OLD.search_key;
END;

CREATE TRIGGER series_search_delete AFTER DELETE ON series BEGIN
  DELETE FROM series_search WHERE rowid = OLD.id;
END;

CREATE TRIGGER venues_search_delete AFTER DELETE ON venues BEGIN
  DELETE FROM venues_search WHERE rowid = OLD.id;
END;

CREATE TRIGGER organizers_search_delete AFTER DELETE ON organizers BEGIN
  DELETE FROM organizers_search WHERE rowid = OLD.id;
END;
