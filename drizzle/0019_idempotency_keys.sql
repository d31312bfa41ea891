CREATE TABLE `idempotency_keys` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`request` text NOT NULL,
	`request_id` text NOT NULL,
	`at_utc` text NOT NULL,
	`audit_id` integer NOT NULL,
	`total` integer NOT NULL,
	`status` integer,
	`headers` text,
	`body` text,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_total` ON `idempotency_keys` (`user_id`,`total`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_time` ON `idempotency_keys` (`at_utc`);
