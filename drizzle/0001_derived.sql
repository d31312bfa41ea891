-- What Drizzle's schema has no words for: refusals of writes that would lose one, full-text tables, and all that
-- is derived from the base tables so that reads needn't be. Triggers keep it right, whoever writes; for each
-- table a view `expected_…` says what must be in it, from which it is filled here and checked in tests.
CREATE TRIGGER events_version BEFORE UPDATE OF version ON events WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER venues_version BEFORE UPDATE OF version ON venues WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_version BEFORE UPDATE OF version ON organizers WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
--> statement-breakpoint

-- Full text. Writers store folded text. That of an event stands under its search_key, in a column that tells
-- whether lists may show it: the order of matches is then the order of lists, and counting them needs no more.
CREATE VIRTUAL TABLE events_search USING fts5(listed, unlisted, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE venues_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE organizers_search USING fts5(search_text, tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER events_search_update AFTER UPDATE OF status, hide_from_listings, date_utc, utc_start_date ON events
WHEN OLD.search_key <> NEW.search_key OR (OLD.listed_from IS NULL) <> (NEW.listed_from IS NULL) BEGIN
  UPDATE events_search SET
    rowid = NEW.search_key,
    listed = iif(NEW.listed_from IS NULL, NULL, coalesce(listed, unlisted)),
    unlisted = iif(NEW.listed_from IS NULL, coalesce(listed, unlisted), NULL)
  WHERE rowid = OLD.search_key;
END;
--> statement-breakpoint
CREATE TRIGGER events_search_delete AFTER DELETE ON events BEGIN
  DELETE FROM events_search WHERE rowid = OLD.search_key;
END;
--> statement-breakpoint
CREATE TRIGGER venues_search_delete AFTER DELETE ON venues BEGIN
  DELETE FROM venues_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER organizers_search_delete AFTER DELETE ON organizers BEGIN
  DELETE FROM organizers_search WHERE rowid = OLD.id;
END;
--> statement-breakpoint

-- Ancestors of terms.
CREATE TABLE term_ancestors (
  term_id INTEGER NOT NULL,
  ancestor_id INTEGER NOT NULL,
  PRIMARY KEY (term_id, ancestor_id)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX term_ancestors_ancestor ON term_ancestors (ancestor_id);
--> statement-breakpoint
CREATE VIEW expected_term_ancestors AS
WITH RECURSIVE line(term_id, ancestor_id) AS (
  SELECT id, id FROM terms
  UNION
  SELECT line.term_id, terms.parent FROM line JOIN terms ON terms.id = line.ancestor_id WHERE terms.parent > 0
) SELECT term_id, ancestor_id FROM line;
--> statement-breakpoint
INSERT INTO term_ancestors SELECT term_id, ancestor_id FROM expected_term_ancestors;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_insert AFTER INSERT ON terms BEGIN
  INSERT INTO term_ancestors (term_id, ancestor_id) VALUES (NEW.id, NEW.id);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT NEW.id, ancestor_id FROM term_ancestors WHERE term_id = NEW.parent;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_update AFTER UPDATE OF parent ON terms WHEN NEW.parent <> OLD.parent BEGIN
  DELETE FROM term_ancestors
    WHERE term_id IN (SELECT term_id FROM term_ancestors WHERE ancestor_id = NEW.id)
    AND ancestor_id IN (SELECT ancestor_id FROM term_ancestors WHERE term_id = OLD.parent);
  INSERT INTO term_ancestors (term_id, ancestor_id)
    SELECT below.term_id, above.ancestor_id FROM term_ancestors AS below, term_ancestors AS above
    WHERE below.ancestor_id = NEW.id AND above.term_id = NEW.parent;
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_delete AFTER DELETE ON terms BEGIN
  DELETE FROM term_ancestors WHERE term_id = OLD.id OR ancestor_id = OLD.id;
END;
--> statement-breakpoint

-- Counts of published events of terms.
CREATE VIEW expected_term_counts AS
SELECT terms.id, count(events.id) AS count FROM terms
LEFT JOIN event_terms ON event_terms.target_id = terms.id
LEFT JOIN events ON events.id = event_terms.event_id AND events.status = 'publish'
GROUP BY terms.id;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_insert AFTER INSERT ON event_terms BEGIN
  UPDATE terms SET count = count + 1
  WHERE id = NEW.target_id AND (SELECT status FROM events WHERE id = NEW.event_id) = 'publish';
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_delete AFTER DELETE ON event_terms BEGIN
  UPDATE terms SET count = count - 1
  WHERE id = OLD.target_id AND (SELECT status FROM events WHERE id = OLD.event_id) = 'publish';
END;
--> statement-breakpoint
CREATE TRIGGER events_term_count_update AFTER UPDATE OF status ON events
WHEN (NEW.status = 'publish') <> (OLD.status = 'publish') BEGIN
  UPDATE terms SET count = count + iif(NEW.status = 'publish', 1, -1)
  WHERE id IN (SELECT target_id FROM event_terms WHERE event_id = NEW.id);
END;
--> statement-breakpoint

-- Listings: see src/db/derived.ts.
CREATE TABLE listings (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  utc_start_date TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  utc_end_date TEXT NOT NULL,
  listed_from TEXT NOT NULL,
  span INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, utc_start_date, event_id)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE VIEW event_facets (event_id, facet, target_id) AS
SELECT id, 'event', 0 FROM events
UNION ALL SELECT event_id, 'venue', target_id FROM event_venues
UNION ALL SELECT event_id, 'organizer', target_id FROM event_organizers
UNION ALL SELECT DISTINCT event_id, 'term', ancestor_id
  FROM event_terms JOIN term_ancestors ON term_id = event_terms.target_id;
--> statement-breakpoint
CREATE VIEW expected_listings AS
SELECT facet, target_id, utc_start_date, event_id, utc_end_date, listed_from, span
FROM event_facets JOIN events ON events.id = event_facets.event_id
WHERE listed_from IS NOT NULL;
--> statement-breakpoint
INSERT INTO listings
SELECT facet, target_id, utc_start_date, event_id, utc_end_date, listed_from, span FROM expected_listings
ORDER BY facet, target_id, utc_start_date, event_id;
--> statement-breakpoint
CREATE INDEX listings_event ON listings (event_id, facet, target_id);
--> statement-breakpoint
CREATE INDEX listings_span ON listings (facet, target_id, span, utc_start_date, utc_end_date) WHERE span > 0;
--> statement-breakpoint
CREATE TABLE listing_counts (
  facet TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  grain TEXT NOT NULL,
  period TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (facet, target_id, grain, period)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE VIEW expected_listing_counts AS
SELECT facet, target_id, 'day' AS grain, substr(utc_start_date, 1, 10) AS period, count(*) AS n
FROM listings GROUP BY 1, 2, 4
UNION ALL
SELECT facet, target_id, 'month', substr(utc_start_date, 1, 7), count(*)
FROM listings GROUP BY 1, 2, 4;
--> statement-breakpoint
INSERT INTO listing_counts SELECT facet, target_id, grain, period, n FROM expected_listing_counts;
--> statement-breakpoint
CREATE TRIGGER listings_count_insert AFTER INSERT ON listings BEGIN
  INSERT INTO listing_counts (facet, target_id, grain, period, n) VALUES
    (NEW.facet, NEW.target_id, 'day', substr(NEW.utc_start_date, 1, 10), 1),
    (NEW.facet, NEW.target_id, 'month', substr(NEW.utc_start_date, 1, 7), 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_delete AFTER DELETE ON listings BEGIN
  UPDATE listing_counts SET n = n - 1
  WHERE facet = OLD.facet AND target_id = OLD.target_id AND (
    (grain = 'day' AND period = substr(OLD.utc_start_date, 1, 10))
    OR (grain = 'month' AND period = substr(OLD.utc_start_date, 1, 7))
  );
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_insert AFTER INSERT ON events WHEN NEW.listed_from IS NOT NULL BEGIN
  INSERT INTO listings (facet, target_id, utc_start_date, event_id, utc_end_date, listed_from, span)
  VALUES ('event', 0, NEW.utc_start_date, NEW.id, NEW.utc_end_date, NEW.listed_from, NEW.span);
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_update
AFTER UPDATE OF status, hide_from_listings, date_utc, utc_start_date, utc_end_date ON events
WHEN OLD.listed_from IS NOT NEW.listed_from
  OR OLD.utc_start_date <> NEW.utc_start_date OR OLD.utc_end_date <> NEW.utc_end_date BEGIN
  DELETE FROM listings WHERE event_id = NEW.id;
  INSERT INTO listings
    SELECT facet, target_id, utc_start_date, event_id, utc_end_date, listed_from, span
    FROM expected_listings WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_listing_delete AFTER DELETE ON events BEGIN
  DELETE FROM listings WHERE event_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_insert AFTER INSERT ON event_venues BEGIN
  INSERT INTO listings
    SELECT 'venue', NEW.target_id, utc_start_date, id, utc_end_date, listed_from, span
    FROM events WHERE id = NEW.event_id AND listed_from IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER event_venues_listing_delete AFTER DELETE ON event_venues BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND facet = 'venue' AND target_id = OLD.target_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_listing_insert AFTER INSERT ON event_organizers BEGIN
  INSERT INTO listings
    SELECT 'organizer', NEW.target_id, utc_start_date, id, utc_end_date, listed_from, span
    FROM events WHERE id = NEW.event_id AND listed_from IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER event_organizers_listing_delete AFTER DELETE ON event_organizers BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND facet = 'organizer' AND target_id = OLD.target_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_listing_insert AFTER INSERT ON event_terms BEGIN
  INSERT INTO listings
    SELECT 'term', ancestor_id, utc_start_date, events.id, utc_end_date, listed_from, span
    FROM events JOIN term_ancestors ON term_id = NEW.target_id
    WHERE events.id = NEW.event_id AND listed_from IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = NEW.event_id AND there.facet = 'term' AND there.target_id = ancestor_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_listing_delete AFTER DELETE ON event_terms BEGIN
  DELETE FROM listings WHERE event_id = OLD.event_id AND facet = 'term' AND target_id NOT IN (
    SELECT ancestor_id FROM event_terms JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = OLD.event_id
  );
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_insert AFTER INSERT ON term_ancestors WHEN NEW.term_id <> NEW.ancestor_id BEGIN
  INSERT INTO listings
    SELECT 'term', NEW.ancestor_id, utc_start_date, events.id, utc_end_date, listed_from, span
    FROM event_terms JOIN events ON events.id = event_terms.event_id
    WHERE event_terms.target_id = NEW.term_id AND listed_from IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = events.id AND there.facet = 'term' AND there.target_id = NEW.ancestor_id);
END;
--> statement-breakpoint
CREATE TRIGGER term_ancestors_listing_delete AFTER DELETE ON term_ancestors WHEN OLD.term_id <> OLD.ancestor_id BEGIN
  DELETE FROM listings WHERE facet = 'term' AND target_id = OLD.ancestor_id
  AND event_id IN (SELECT event_id FROM event_terms WHERE target_id = OLD.term_id)
  AND NOT EXISTS (SELECT 1 FROM event_terms JOIN term_ancestors ON term_id = event_terms.target_id
    WHERE event_terms.event_id = listings.event_id AND ancestor_id = OLD.ancestor_id);
END;
--> statement-breakpoint

-- The revision.
CREATE VIEW scheduled (date_utc) AS
SELECT date_utc FROM events WHERE status = 'future'
UNION ALL SELECT date_utc FROM venues WHERE status = 'future'
UNION ALL SELECT date_utc FROM organizers WHERE status = 'future';
--> statement-breakpoint
CREATE TABLE revision (epoch TEXT NOT NULL, n INTEGER NOT NULL, modified_utc TEXT NOT NULL, next_due_utc TEXT);
--> statement-breakpoint
INSERT INTO revision SELECT lower(hex(randomblob(4))), 1, datetime('now'), (SELECT min(date_utc) FROM scheduled);
--> statement-breakpoint
CREATE TRIGGER events_revision_insert AFTER INSERT ON events BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER events_revision_update AFTER UPDATE ON events BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER events_revision_delete AFTER DELETE ON events BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_insert AFTER INSERT ON events WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_update AFTER UPDATE OF status, date_utc ON events WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER events_scheduled_delete AFTER DELETE ON events WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_revision_insert AFTER INSERT ON venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER venues_revision_update AFTER UPDATE ON venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER venues_revision_delete AFTER DELETE ON venues BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_insert AFTER INSERT ON venues WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_update AFTER UPDATE OF status, date_utc ON venues WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER venues_scheduled_delete AFTER DELETE ON venues WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_revision_insert AFTER INSERT ON organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_revision_update AFTER UPDATE ON organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_revision_delete AFTER DELETE ON organizers BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_insert AFTER INSERT ON organizers WHEN NEW.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_update AFTER UPDATE OF status, date_utc ON organizers WHEN NEW.status = 'future' OR OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER organizers_scheduled_delete AFTER DELETE ON organizers WHEN OLD.status = 'future' BEGIN
  UPDATE revision SET next_due_utc = (SELECT min(date_utc) FROM scheduled);
END;
--> statement-breakpoint
CREATE TRIGGER terms_revision_insert AFTER INSERT ON terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER terms_revision_update AFTER UPDATE ON terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
--> statement-breakpoint
CREATE TRIGGER terms_revision_delete AFTER DELETE ON terms BEGIN
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
END;
