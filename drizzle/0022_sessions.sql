CREATE TABLE `keys` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_utc` text NOT NULL,
	`last_used_utc` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`digest` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`digest` text NOT NULL,
	`method` text NOT NULL,
	`device` text NOT NULL,
	`created_utc` text NOT NULL,
	`expires_utc` text NOT NULL,
	`last_used_utc` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_digest` ON `sessions` (`digest`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_utc`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`digest` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_utc` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_user` ON `sign_in_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `sign_in_links_expiry` ON `sign_in_links` (`expires_utc`);--> statement-breakpoint
CREATE TABLE `used_challenges` (
	`digest` text PRIMARY KEY NOT NULL,
	`expires_utc` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_challenges_expiry` ON `used_challenges` (`expires_utc`);--> statement-breakpoint
ALTER TABLE `passwords` ADD `name` text DEFAULT '' NOT NULL;
--> statement-breakpoint
INSERT INTO keys (name, value) VALUES ('challenges', lower(hex(randomblob(32))));
