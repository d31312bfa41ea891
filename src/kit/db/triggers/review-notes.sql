-- A review note is about content that is not published yet. It goes once the content is published, scheduled
-- or deleted, no matter how.
CREATE TRIGGER events_review_note AFTER UPDATE OF status ON events
WHEN OLD.status NOT IN ('publish', 'future', 'private') AND NEW.status IN ('publish', 'future', 'private') BEGIN
  DELETE FROM review_notes WHERE kind = 'event' AND object_id = NEW.id;
END;

CREATE TRIGGER events_review_note_delete AFTER DELETE ON events BEGIN
  DELETE FROM review_notes WHERE kind = 'event' AND object_id = OLD.id;
END;

CREATE TRIGGER series_review_note AFTER UPDATE OF status ON series
WHEN OLD.status NOT IN ('publish', 'future', 'private') AND NEW.status IN ('publish', 'future', 'private') BEGIN
  DELETE FROM review_notes WHERE kind = 'series' AND object_id = NEW.id;
END;

CREATE TRIGGER series_review_note_delete AFTER DELETE ON series BEGIN
  DELETE FROM review_notes WHERE kind = 'series' AND object_id = OLD.id;
END;
