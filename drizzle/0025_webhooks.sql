CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` integer NOT NULL,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`object_id` integer NOT NULL,
	`body` text NOT NULL,
	`state` text NOT NULL,
	`tries` integer NOT NULL,
	`at_utc` text NOT NULL,
	`next_try_utc` text,
	`status` integer,
	`response` text NOT NULL,
	`message` text NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_message` ON `webhook_deliveries` (`webhook_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`webhook_id`,`object_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE TABLE `webhook_places` (
	`webhook_id` integer NOT NULL,
	`kind` text NOT NULL,
	`n` integer NOT NULL,
	`id` integer NOT NULL,
	PRIMARY KEY(`webhook_id`, `kind`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `webhook_resources` (
	`webhook_id` integer NOT NULL,
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`is_listed` integer DEFAULT false NOT NULL,
	`is_public` integer DEFAULT false NOT NULL,
	`is_canceled` integer DEFAULT false NOT NULL,
	`n` integer DEFAULT 0 NOT NULL,
	`audit_id` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_try_utc` text,
	PRIMARY KEY(`webhook_id`, `kind`, `id`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_resources_waiting` ON `webhook_resources` (`webhook_id`,`next_try_utc`) WHERE next_try_utc IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`filters` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`secret` text NOT NULL,
	`old_secret` text DEFAULT '' NOT NULL,
	`old_secret_until_utc` text DEFAULT '' NOT NULL,
	`api` text NOT NULL,
	`created_utc` text NOT NULL,
	`audit_id` integer NOT NULL,
	`stopped` text DEFAULT '' NOT NULL,
	`failing_since_utc` text,
	`served_utc` text DEFAULT '' NOT NULL,
	`lease` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER webhooks_version BEFORE UPDATE OF version ON webhooks WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'version conflict');
END;
