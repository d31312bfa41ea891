DROP TRIGGER terms_change_update;
--> statement-breakpoint
DROP TRIGGER terms_change_insert;
--> statement-breakpoint
DROP TRIGGER changed_insert;
--> statement-breakpoint
DROP TRIGGER listings_count_delete;
--> statement-breakpoint
DROP TRIGGER listings_count_update;
--> statement-breakpoint
DROP TRIGGER listings_count_insert;
--> statement-breakpoint
DROP TRIGGER events_term_count_update;
--> statement-breakpoint
DROP TRIGGER event_terms_count_delete;
--> statement-breakpoint
DROP TRIGGER event_terms_count_insert;
--> statement-breakpoint
DROP INDEX changes_public;
--> statement-breakpoint
DROP INDEX changes_n;
--> statement-breakpoint
ALTER TABLE `terms` ADD `change_n` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `terms` ADD `public_n` integer;
--> statement-breakpoint
ALTER TABLE `twins_place` ADD `public_n` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_places` ADD `public_n` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE revision ADD first_new_id INTEGER;
--> statement-breakpoint
ALTER TABLE changes ADD is_hidden INTEGER NOT NULL DEFAULT 1;
--> statement-breakpoint
UPDATE terms SET change_n = changes.n, public_n = changes.public_n FROM changes WHERE kind = taxonomy AND changes.id = terms.id;
--> statement-breakpoint
DELETE FROM changes WHERE (kind, id) IN (SELECT taxonomy, id FROM terms);
--> statement-breakpoint
CREATE VIEW counted_terms (term_id, n, was_public) AS SELECT 0, 0, 0 WHERE false;
--> statement-breakpoint
CREATE VIEW write_ends (first_new_id) AS SELECT first_new_id FROM revision;
--> statement-breakpoint
CREATE VIEW periods_of_events (event_id, facet, target_id, period) AS
SELECT facets.event_id, facets.facet, facets.target_id, period
FROM event_facets AS facets CROSS JOIN events ON events.id = facets.event_id
CROSS JOIN listings ON listings.facet = facets.facet AND listings.target_id = facets.target_id
  AND listings.utc_start_date = events.utc_start_date AND listings.event_id = events.id;
--> statement-breakpoint
CREATE VIEW term_changes (kind, id, n, public_n) AS
SELECT taxonomy, id, change_n, public_n FROM terms
UNION ALL SELECT kind, id, n, public_n FROM changes WHERE kind IN ('event_category', 'event_tag');
--> statement-breakpoint
CREATE INDEX changes_hidden ON changes (kind, n) WHERE is_hidden;
--> statement-breakpoint
CREATE INDEX changes_public ON changes (kind, public_n) WHERE public_n IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER events_term_count_update AFTER UPDATE OF status, duplicate_of ON events
WHEN (NEW.status = 'publish' AND NEW.duplicate_of IS NULL) <> (OLD.status = 'publish' AND OLD.duplicate_of IS NULL)
  AND (SELECT first_new_id IS NULL OR NEW.id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, n, was_public)
    SELECT target_id, iif(NEW.status = 'publish' AND NEW.duplicate_of IS NULL, 1, -1), OLD.status = 'publish'
    FROM event_terms WHERE event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_delete AFTER DELETE ON event_terms
WHEN (SELECT first_new_id IS NULL OR OLD.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, n, was_public)
    SELECT OLD.target_id, -1, 1 FROM events WHERE id = OLD.event_id AND status = 'publish' AND duplicate_of IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER event_terms_count_insert AFTER INSERT ON event_terms
WHEN (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO counted_terms (term_id, n)
    SELECT NEW.target_id, status = 'publish' AND duplicate_of IS NULL FROM events WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER counted_terms_insert INSTEAD OF INSERT ON counted_terms
WHEN NEW.n <> 0 OR EXISTS (SELECT 1 FROM terms WHERE id = NEW.term_id AND count = 0 AND NOT standalone) BEGIN
  INSERT INTO revised SELECT standalone OR count > 0 OR NEW.n > 0 FROM terms WHERE id = NEW.term_id;
  UPDATE terms SET count = count + NEW.n, standalone = standalone OR coalesce(NEW.was_public, 0), change_n = n,
    public_n = iif(standalone OR count > 0 OR NEW.n > 0, revision.public_n, terms.public_n)
    FROM revision WHERE id = NEW.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER write_ends_insert INSTEAD OF INSERT ON write_ends BEGIN
  INSERT INTO listing_counts (facet, target_id, period, n)
    SELECT facet, target_id, period, count(*) FROM periods_of_events WHERE event_id >= NEW.first_new_id GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO counted_terms (term_id, n)
    SELECT target_id, sum(status = 'publish' AND duplicate_of IS NULL)
    FROM event_terms CROSS JOIN events ON id = event_id WHERE event_id >= NEW.first_new_id GROUP BY 1;
  UPDATE revision SET stage = 0, first_new_id = NULL;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_delete AFTER DELETE ON listings
WHEN (SELECT first_new_id IS NULL OR OLD.event_id < first_new_id FROM revision) BEGIN
  UPDATE listing_counts SET n = n - 1 WHERE facet = OLD.facet AND target_id = OLD.target_id AND period = OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_update AFTER UPDATE ON listings
WHEN OLD.period <> NEW.period AND (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO listing_counts (facet, target_id, period, n)
    VALUES (OLD.facet, OLD.target_id, OLD.period, -1), (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;
--> statement-breakpoint
CREATE TRIGGER listings_count_insert AFTER INSERT ON listings
WHEN (SELECT first_new_id IS NULL OR NEW.event_id < first_new_id FROM revision) BEGIN
  INSERT INTO listing_counts (facet, target_id, period, n) VALUES (NEW.facet, NEW.target_id, NEW.period, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_update AFTER UPDATE ON terms WHEN (NEW.change_n, NEW.public_n) IS (OLD.change_n, OLD.public_n) BEGIN
  INSERT INTO revised SELECT OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0;
  UPDATE terms SET change_n = n,
    public_n = iif(OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0, revision.public_n, terms.public_n)
    FROM revision WHERE id = NEW.id AND (change_n, terms.public_n) IS NOT (n,
      iif(OLD.standalone OR NEW.standalone OR OLD.count > 0 OR NEW.count > 0, revision.public_n, terms.public_n));
END;
--> statement-breakpoint
CREATE TRIGGER terms_change_insert AFTER INSERT ON terms BEGIN
  DELETE FROM changes WHERE kind = NEW.taxonomy AND id = NEW.id;
  INSERT INTO revised VALUES (NEW.standalone OR NEW.count > 0);
  UPDATE terms SET change_n = n, public_n = iif(NEW.standalone OR NEW.count > 0, revision.public_n, NULL)
    FROM revision WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER changed_insert INSTEAD OF INSERT ON changed BEGIN
  INSERT INTO revised (is_public) VALUES (NEW.is_public);
  INSERT INTO changes (kind, id, n, public_n, authors, is_hidden)
    SELECT NEW.kind, NEW.id, n, iif(NEW.is_listed, public_n, NULL), coalesce(',' || NEW.author_id, '') || ',', NOT NEW.is_listed
    FROM revision WHERE true
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n), authors = excluded.authors,
      is_hidden = excluded.is_hidden AND (n <> excluded.n OR is_hidden)
    WHERE n <> excluded.n OR public_n IS NOT coalesce(excluded.public_n, public_n) OR authors <> excluded.authors
      OR is_hidden > excluded.is_hidden;
END;
