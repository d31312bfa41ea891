ALTER TABLE revision ADD COLUMN restoring TEXT;
