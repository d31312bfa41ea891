-- Texts for searches have titles and names as people read them, no longer as HTML.
UPDATE events_search SET listed = replace(replace(listed, '&lt;', '<'), '&amp;', '&'), unlisted = replace(replace(unlisted, '&lt;', '<'), '&amp;', '&')
WHERE rowid IN (SELECT search_key FROM events WHERE title LIKE '%&lt;%' OR title LIKE '%&amp;%');
--> statement-breakpoint
UPDATE series_search SET search_text = replace(replace(search_text, '&lt;', '<'), '&amp;', '&')
WHERE rowid IN (SELECT id FROM series WHERE title LIKE '%&lt;%' OR title LIKE '%&amp;%');
--> statement-breakpoint
UPDATE venues_search SET search_text = replace(replace(search_text, '&lt;', '<'), '&amp;', '&')
WHERE rowid IN (SELECT id FROM venues WHERE name LIKE '%&lt;%' OR name LIKE '%&amp;%');
--> statement-breakpoint
UPDATE organizers_search SET search_text = replace(replace(search_text, '&lt;', '<'), '&amp;', '&')
WHERE rowid IN (SELECT id FROM organizers WHERE name LIKE '%&lt;%' OR name LIKE '%&amp;%');
--> statement-breakpoint
UPDATE terms SET sort_name = replace(replace(sort_name, '&lt;', '<'), '&amp;', '&') WHERE name LIKE '%&lt;%' OR name LIKE '%&amp;%';
--> statement-breakpoint
UPDATE images SET search_text = replace(replace(search_text, '&lt;', '<'), '&amp;', '&') WHERE search_text LIKE '%&lt;%' OR search_text LIKE '%&amp;%';
