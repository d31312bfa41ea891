-- The rows of tables that have one row. secret and the key are secrets of this database.
INSERT INTO revision (secret, change_number, modified_utc, public_modified_utc)
  VALUES (lower(hex(randomblob(16))), 1, datetime('now'), datetime('now'));

INSERT INTO audit_state (cleared_to) VALUES (0);

INSERT INTO twins_place (n, id) VALUES (1, 0);

INSERT INTO keys (name, value) VALUES ('challenges', lower(hex(randomblob(32))));
