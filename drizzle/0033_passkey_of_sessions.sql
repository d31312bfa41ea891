ALTER TABLE `sessions` ADD `passkey_id` integer;
