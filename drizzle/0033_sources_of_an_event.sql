DROP TRIGGER event_sources_changed;
--> statement-breakpoint
CREATE TRIGGER event_sources_changed INSTEAD OF INSERT ON event_sources BEGIN
  DELETE FROM listings WHERE event_id = NEW.event_id AND +facet = 'source'
    AND +target_id NOT IN (SELECT source_id FROM event_sources WHERE event_id = NEW.event_id);
  INSERT INTO listings
    SELECT DISTINCT 'source', source_id, utc_start_date, id, utc_end_date, span
    FROM event_sources CROSS JOIN events ON id = event_id
    WHERE event_id = NEW.event_id AND listed
    AND NOT EXISTS (SELECT 1 FROM listings AS there
      WHERE there.event_id = NEW.event_id AND there.facet = 'source' AND there.target_id = source_id);
  -- As in changes.sql.
  INSERT INTO changes (kind, id, n, public_n, authors)
    SELECT 'events', events.id, next.n, iif(events.listed, next.public_n, NULL),
      ',' || events.author_id || ','
    FROM (SELECT
      coalesce((SELECT n FROM changes WHERE kind = 'events' ORDER BY n DESC LIMIT 1), 0) + 1 AS n,
      coalesce((SELECT public_n FROM changes WHERE kind = 'events' AND public_n IS NOT NULL
        ORDER BY public_n DESC LIMIT 1), 0) + 1 AS public_n
    ) AS next
    CROSS JOIN events WHERE events.id = NEW.event_id
  ON CONFLICT DO UPDATE SET n = excluded.n, public_n = coalesce(excluded.public_n, public_n);
  UPDATE revision SET n = n + 1, modified_utc = datetime('now');
  UPDATE revision SET public_n = public_n + 1, public_modified_utc = datetime('now')
    WHERE (SELECT status FROM events WHERE id = NEW.event_id) = 'publish';
END;
