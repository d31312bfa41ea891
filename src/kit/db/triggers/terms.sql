-- Ancestors of categories and tags, and how many events each has.

-- Every term with itself and all terms above it.
CREATE TABLE term_ancestors (
  term_id INTEGER NOT NULL,
  ancestor_id INTEGER NOT NULL,
  PRIMARY KEY (term_id, ancestor_id)
) WITHOUT ROWID;

CREATE INDEX term_ancestors_ancestor ON term_ancestors (ancestor_id);

-- What term_ancestors must hold; tests compare the two. UNION, not UNION ALL, so that a cycle ends.
CREATE VIEW expected_term_ancestors AS
WITH RECURSIVE line(term_id, ancestor_id) AS (
  SELECT id, id FROM terms
  UNION
  SELECT line.term_id, terms.parent FROM line JOIN terms ON terms.id = line.ancestor_id WHERE terms.parent > 0
) SELECT term_id, ancestor_id FROM line;

CREATE TRIGGER term_ancestors_insert AFTER INSERT ON terms BEGIN
  INSERT INTO term_ancestors (term_id, ancestor_id) VALUES (NEW.id, NEW.id);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT NEW.id, ancestor_id FROM term_ancestors WHERE term_id = NEW.parent;
  UPDATE terms SET standalone = 1 WHERE (NEW.standalone OR NEW.count > 0) AND NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;

-- All categories below a category move with it: each loses its former ancestors above that category, and
-- gains the new ones.
CREATE TRIGGER term_ancestors_update AFTER UPDATE OF parent ON terms WHEN NEW.parent <> OLD.parent BEGIN
  DELETE FROM term_ancestors
    WHERE term_id IN (SELECT term_id FROM term_ancestors WHERE ancestor_id = NEW.id)
    AND ancestor_id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = OLD.parent);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT below.term_id, above.ancestor_id FROM term_ancestors AS below, term_ancestors AS above
    WHERE below.ancestor_id = NEW.id AND above.term_id = NEW.parent;
  UPDATE terms SET standalone = 1 WHERE (NEW.standalone OR NEW.count > 0) AND NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;

-- A category becomes public along with a category below it, whose address contains the slugs of both.
CREATE TRIGGER term_ancestors_shown AFTER UPDATE OF standalone, count ON terms
WHEN NEW.parent > 0 AND (NEW.standalone OR NEW.count > 0) AND NOT (OLD.standalone OR OLD.count > 0) BEGIN
  UPDATE terms SET standalone = 1 WHERE NOT standalone
    AND id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = NEW.parent);
END;

CREATE TRIGGER term_ancestors_delete AFTER DELETE ON terms BEGIN
  DELETE FROM term_ancestors WHERE term_id = OLD.id OR ancestor_id = OLD.id;
END;

-- Longer chains of categories would make addresses that nobody can use, and moves that take for ever.
CREATE TRIGGER term_ancestors_depth BEFORE INSERT ON term_ancestors
WHEN (SELECT count(*) FROM term_ancestors WHERE term_id = NEW.term_id) >= 10 BEGIN
  SELECT RAISE(ABORT, 'category too deep');
END;

-- terms.count is the number of published events that have the term itself, without hidden duplicates. It
-- changes with links and with the status of events. A link to a term that is not public is a change of the
-- term as well, because everybody who may read the event may read the term from then on. A term that was
-- public stays public, because bookmarks and subscriptions name it. One update of the row sets the count and
-- the number of the change (changes.sql).
CREATE VIEW counted_terms (term_id, difference, was_public) AS SELECT 0, 0, 0 WHERE false;

CREATE TRIGGER counted_terms_insert INSTEAD OF INSERT ON counted_terms
WHEN NEW.difference <> 0 OR EXISTS (SELECT 1 FROM terms WHERE id = NEW.term_id AND count = 0 AND NOT standalone) BEGIN
  INSERT INTO new_revisions SELECT standalone OR count > 0 OR NEW.difference > 0 FROM terms WHERE id = NEW.term_id;
  UPDATE terms SET count = count + NEW.difference, standalone = standalone OR coalesce(NEW.was_public, 0),
    change_number = revision.change_number,
    public_change_number = iif(standalone OR count > 0 OR NEW.difference > 0,
      revision.public_change_number, terms.public_change_number)
    FROM revision WHERE id = NEW.term_id;
END;

-- Links of new events are counted at the end of their write (revision.sql).
CREATE TRIGGER event_terms_count_insert AFTER INSERT ON event_terms
WHEN (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, difference)
    SELECT NEW.target_id, status = 'publish' AND duplicate_of IS NULL FROM events WHERE id = NEW.event_id;
END;

CREATE TRIGGER event_terms_count_delete AFTER DELETE ON event_terms
WHEN (SELECT first_new_id IS NULL OR OLD.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, difference, was_public)
    SELECT OLD.target_id, -1, 1 FROM events WHERE id = OLD.event_id AND status = 'publish' AND duplicate_of IS NULL;
END;

CREATE TRIGGER events_term_count_update AFTER UPDATE OF status, duplicate_of ON events
WHEN (NEW.status = 'publish' AND NEW.duplicate_of IS NULL) <> (OLD.status = 'publish' AND OLD.duplicate_of IS NULL)
  AND (SELECT first_new_id IS NULL OR NEW.id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, difference, was_public)
    SELECT target_id, iif(NEW.status = 'publish' AND NEW.duplicate_of IS NULL, 1, -1), OLD.status = 'publish'
    FROM event_terms WHERE event_id = NEW.id;
END;
