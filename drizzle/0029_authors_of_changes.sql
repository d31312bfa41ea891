DROP TRIGGER changed_insert;
--> statement-breakpoint
CREATE TRIGGER changed_insert INSTEAD OF INSERT ON changed BEGIN
  INSERT INTO revised (is_public) VALUES (NEW.is_public);
  INSERT INTO changes (kind, id, n, public_n, authors, is_hidden)
    SELECT NEW.kind, NEW.id, n, iif(NEW.is_listed, public_n, NULL), coalesce(',' || NEW.author_id, '') || ',', NOT NEW.is_listed
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n), authors = excluded.authors,
      is_hidden = excluded.is_hidden AND (n <> excluded.n OR is_hidden)
    WHERE n <> excluded.n OR public_n IS NOT coalesce(excluded.public_n, public_n) OR is_hidden > excluded.is_hidden;
END;
