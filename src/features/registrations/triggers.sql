-- Sums of places, so that confirming reads one row however many people there are. A registration is gone
-- before its people when an event is deleted, and then there is nothing to count.
CREATE TRIGGER registrants_sums_insert AFTER INSERT ON registrants WHEN NEW.state <> 'unconfirmed' BEGIN
  UPDATE registrations SET taken = taken + iif(NEW.state = 'confirmed', NEW.places, 0), waiting = waiting + iif(NEW.state = 'waiting', NEW.places, 0)
  WHERE id = NEW.registration_id;
END;

CREATE TRIGGER registrants_sums_update AFTER UPDATE OF state, places ON registrants WHEN NEW.state <> 'unconfirmed' BEGIN
  UPDATE registrations SET
    taken = taken + iif(NEW.state = 'confirmed', NEW.places, 0) - iif(OLD.state = 'confirmed', OLD.places, 0),
    waiting = waiting + iif(NEW.state = 'waiting', NEW.places, 0) - iif(OLD.state = 'waiting', OLD.places, 0)
  WHERE id = NEW.registration_id;
END;

CREATE TRIGGER registrants_sums_delete AFTER DELETE ON registrants WHEN OLD.state <> 'unconfirmed' BEGIN
  UPDATE registrations SET taken = taken - iif(OLD.state = 'confirmed', OLD.places, 0), waiting = waiting - iif(OLD.state = 'waiting', OLD.places, 0)
  WHERE id = OLD.registration_id;
END;

-- People are told of a new state, whoever gave it to them.
CREATE TRIGGER registrants_mail_update AFTER UPDATE OF state ON registrants
WHEN NEW.email <> '' AND NEW.state <> OLD.state AND NEW.state <> 'unconfirmed' BEGIN
  INSERT INTO registration_mails (kind, registration_id, registrant_id, email, language, api)
  SELECT iif(NEW.state = 'confirmed' AND OLD.state = 'waiting', 'moved_up', NEW.state), id, NEW.id, NEW.email, NEW.language, api
  FROM registrations WHERE id = NEW.registration_id;
END;

-- The page of an event shows whether people can register. What `ticket_availability` says is a change of the
-- event.
CREATE TRIGGER registrations_revision_insert AFTER INSERT ON registrations BEGIN
  INSERT INTO new_revisions VALUES (1);
END;

CREATE TRIGGER registrations_revision_update AFTER UPDATE OF version ON registrations BEGIN
  INSERT INTO new_revisions VALUES (1);
END;

CREATE TRIGGER registrations_revision_delete AFTER DELETE ON registrations BEGIN
  INSERT INTO new_revisions VALUES (1);
END;
