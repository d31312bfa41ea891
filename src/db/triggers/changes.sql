-- The latest change of each event, venue, organizer and term, which outlives its row: copies of lists ask for
-- what has a higher number than they know. Changes of a kind are numbered by n, and those that lists show to
-- anonymous callers, before or after, by public_n as well, which is null if there was none. authors are those it
-- has had, ",3,7,": they may know of it although it is unpublished. Whatever changes a response raises its
-- number, as with revision.sql.
--
-- All triggers do the same: they take the next number of the kind, and write it for the rows that their FROM
-- names.
CREATE TABLE changes (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  public_n INTEGER,
  authors TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

CREATE INDEX changes_n ON changes (kind, n);

CREATE INDEX changes_public ON changes (kind, public_n) WHERE public_n IS NOT NULL;

-- The resource itself.
CREATE TRIGGER events_change_insert AFTER INSERT ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', NEW.id, next.n, iif(NEW.listed, next.public_n, NULL),
      ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER events_change_update AFTER UPDATE ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', NEW.id, next.n, iif(OLD.listed OR NEW.listed, next.public_n, NULL),
      ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER events_change_delete AFTER DELETE ON events BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', OLD.id, next.n, iif(OLD.listed, next.public_n, NULL),
      ',' || OLD.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER venues_change_insert AFTER INSERT ON venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', NEW.id, next.n, iif(NEW.status = 'publish', next.public_n, NULL),
      ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER venues_change_update AFTER UPDATE ON venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', NEW.id, next.n,
      iif(OLD.status = 'publish' OR NEW.status = 'publish', next.public_n, NULL),
      ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER venues_change_delete AFTER DELETE ON venues BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'venues', OLD.id, next.n, iif(OLD.status = 'publish', next.public_n, NULL),
      ',' || OLD.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'venues' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'venues' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER organizers_change_insert AFTER INSERT ON organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', NEW.id, next.n, iif(NEW.status = 'publish', next.public_n, NULL),
      ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER organizers_change_update AFTER UPDATE ON organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', NEW.id, next.n,
      iif(OLD.status = 'publish' OR NEW.status = 'publish', next.public_n, NULL),
      ',' || NEW.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER organizers_change_delete AFTER DELETE ON organizers BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'organizers', OLD.id, next.n, iif(OLD.status = 'publish', next.public_n, NULL),
      ',' || OLD.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'organizers' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'organizers' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER terms_change_insert AFTER INSERT ON terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT NEW.taxonomy, NEW.id, next.n, iif(1, next.public_n, NULL), ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = NEW.taxonomy ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = NEW.taxonomy AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER terms_change_update AFTER UPDATE ON terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT NEW.taxonomy, NEW.id, next.n, iif(1, next.public_n, NULL), ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = NEW.taxonomy ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = NEW.taxonomy AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;

CREATE TRIGGER terms_change_delete AFTER DELETE ON terms BEGIN
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT OLD.taxonomy, OLD.id, next.n, iif(1, next.public_n, NULL), ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = OLD.taxonomy ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = OLD.taxonomy AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n),
    authors = iif(instr(authors, excluded.authors), authors, authors || substr(excluded.authors, 2));
END;
