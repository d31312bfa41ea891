-- Former authors of content, and when each last lost it: the last entry of the audit before. New authors can
-- read the history from there on, however they got the content. 0 stands for no author.
CREATE TABLE handovers (
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  author_id INTEGER NOT NULL,
  audit_id INTEGER NOT NULL,
  PRIMARY KEY (kind, object_id, author_id)
) WITHOUT ROWID;

CREATE VIEW handed_over (kind, object_id, author_id) AS SELECT '', 0, 0 WHERE false;

CREATE TRIGGER handed_over_insert INSTEAD OF INSERT ON handed_over BEGIN
  INSERT INTO handovers
    VALUES (NEW.kind, NEW.object_id, coalesce(NEW.author_id, 0), coalesce((SELECT max(id) FROM audit), 0))
  ON CONFLICT DO UPDATE SET audit_id = excluded.audit_id;
END;

CREATE TRIGGER events_handover BEFORE UPDATE OF author_id ON events WHEN NEW.author_id <> OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('event', OLD.id, OLD.author_id);
END;

CREATE TRIGGER series_handover BEFORE UPDATE OF author_id ON series WHEN NEW.author_id <> OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('series', OLD.id, OLD.author_id);
END;

CREATE TRIGGER venues_handover BEFORE UPDATE OF author_id ON venues WHEN NEW.author_id <> OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('venue', OLD.id, OLD.author_id);
END;

CREATE TRIGGER organizers_handover BEFORE UPDATE OF author_id ON organizers WHEN NEW.author_id <> OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('organizer', OLD.id, OLD.author_id);
END;

CREATE TRIGGER images_handover BEFORE UPDATE OF author_id ON images WHEN NEW.author_id IS NOT OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('image', OLD.id, OLD.author_id);
END;
