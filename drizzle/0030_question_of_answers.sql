ALTER TABLE `registrants` ADD `question` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- Nobody knows any more what an answer was to if the question has changed since. From now on it stays.
UPDATE registrants SET question = coalesce((SELECT r.question FROM registrations AS r WHERE r.id = registration_id), '')
WHERE answer <> '';
