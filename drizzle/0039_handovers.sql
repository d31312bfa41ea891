DROP TRIGGER changed_insert;
--> statement-breakpoint
CREATE VIEW handed_over (kind, object_id, author_id) AS SELECT '', 0, 0 WHERE false;
--> statement-breakpoint
CREATE TABLE handovers (
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  author_id INTEGER NOT NULL,
  audit_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (kind, object_id, author_id)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER images_handover BEFORE UPDATE OF author_id ON images WHEN NEW.author_id IS NOT OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('image', OLD.id, OLD.author_id);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_handover BEFORE UPDATE OF author_id ON organizers WHEN NEW.author_id <> OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('organizer', OLD.id, OLD.author_id);
END;
--> statement-breakpoint
CREATE TRIGGER venues_handover BEFORE UPDATE OF author_id ON venues WHEN NEW.author_id <> OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('venue', OLD.id, OLD.author_id);
END;
--> statement-breakpoint
CREATE TRIGGER series_handover BEFORE UPDATE OF author_id ON series WHEN NEW.author_id <> OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('series', OLD.id, OLD.author_id);
END;
--> statement-breakpoint
CREATE TRIGGER events_handover BEFORE UPDATE OF author_id ON events WHEN NEW.author_id <> OLD.author_id BEGIN
  INSERT INTO handed_over VALUES ('event', OLD.id, OLD.author_id);
END;
--> statement-breakpoint
CREATE TRIGGER handed_over_insert INSTEAD OF INSERT ON handed_over BEGIN
  INSERT INTO handovers
    SELECT NEW.kind, NEW.object_id, coalesce(NEW.author_id, 0), coalesce((SELECT max(id) FROM audit), 0), n + (stage < 2)
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET audit_id = excluded.audit_id, n = excluded.n;
END;
--> statement-breakpoint
CREATE TRIGGER changed_insert INSTEAD OF INSERT ON changed BEGIN
  INSERT INTO revised (is_public) VALUES (NEW.is_public);
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT NEW.kind, NEW.id, n, iif(NEW.is_listed, public_n, NULL), coalesce(',' || NEW.author_id, '') || ','
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
      authors = excluded.authors
    WHERE n <> excluded.n OR public_n IS NOT coalesce(excluded.public_n, public_n) OR authors <> excluded.authors;
END;
--> statement-breakpoint
-- What the audit knows of earlier ones. Whoever had it is not told any more: those who keep copies start again.
INSERT INTO handovers
  SELECT kind, object_id, coalesce(json_extract(changed, '$.author[0]'), 0), max(id) - 1, 0 FROM audit
  WHERE kind IN ('event', 'series', 'venue', 'organizer') AND json_type(changed, '$.author') IS NOT NULL
  GROUP BY 1, 2, 3;
--> statement-breakpoint
-- The dates of a series that was given to somebody else.
INSERT INTO handovers
  SELECT 'event', events.id, given.author_id, max(given.audit_id), 0 FROM handovers AS given
  CROSS JOIN events ON events.series_id = given.object_id WHERE given.kind = 'series'
  GROUP BY 2, 3
  ON CONFLICT DO UPDATE SET audit_id = max(audit_id, excluded.audit_id);
--> statement-breakpoint
-- What removed users had made went to others when they were removed.
INSERT INTO handovers
  SELECT made.kind, made.object_id, made.user_id, max(removed.id), 0 FROM audit AS removed
  CROSS JOIN audit AS made ON made.user_id = removed.object_id AND made.action = 'create'
    AND made.kind IN ('event', 'series', 'venue', 'organizer', 'image')
  WHERE removed.kind = 'user' AND removed.action = 'delete' AND removed.fields = '["content"]'
  GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET audit_id = max(audit_id, excluded.audit_id);
--> statement-breakpoint
-- Of several authors, the one that it has.
UPDATE changes SET authors = ',' || author_id || ',' FROM (
  SELECT 'events' AS of, id AS object_id, author_id FROM events UNION ALL
  SELECT 'venues', id, author_id FROM venues UNION ALL SELECT 'organizers', id, author_id FROM organizers
) WHERE kind = of AND id = object_id AND authors <> ',' || author_id || ',';
