-- Texts of venues and organizers mark where the name and the address end. They were name, description, address
-- and the other texts, each after a blank; what has another length once it is folded is counted as such.
WITH stored(id, parts) AS (
  SELECT id, name || char(30) ||
    format('%s%s%s%s%s%s%s',
      iif(address = '', '', ' ' || address), iif(city = '', '', ' ' || city), iif(country = '', '', ' ' || country),
      iif(province = '', '', ' ' || province), iif(state = '', '', ' ' || state),
      iif(stateprovince = '', '', ' ' || stateprovince), iif(zip = '', '', ' ' || zip)) || char(31) ||
    format('%s%s%s',
      iif(phone = '', '', ' ' || phone), iif(website = '', '', ' ' || website), iif(accessibility = '', '', ' ' || accessibility))
  FROM venues
), folded(id, parts) AS (
  SELECT id, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    parts, '&lt;', '<'), '&amp;', '&'), 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'), '½', '1/2'), '…', '...')
  FROM stored
), ends(id, name_end, address_end, length) AS (
  SELECT id, instr(parts, char(30)), instr(parts, char(31)), length(parts) FROM folded
), lengths(id, name, address, contact) AS (
  SELECT id, name_end - 1, address_end - name_end - 1, length - address_end FROM ends
)
UPDATE venues_search SET search_text = (
  SELECT substr(search_text, 1, name) || char(30) ||
    trim(substr(search_text, -(address + contact), address)) || char(31) ||
    trim(substr(search_text, 1 + length(search_text) - contact) ||
      substr(search_text, 1 + name, length(search_text) - name - address - contact))
  FROM lengths WHERE lengths.id = venues_search.rowid
) WHERE rowid IN (SELECT id FROM venues);
--> statement-breakpoint
WITH lengths(id, name, contact) AS (
  SELECT id, length(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      name, '&lt;', '<'), '&amp;', '&'), 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'), '½', '1/2'), '…', '...')),
    length(format('%s%s%s',
      iif(phone = '', '', ' ' || phone), iif(website = '', '', ' ' || website), iif(email = '', '', ' ' || email)))
  FROM organizers
)
UPDATE organizers_search SET search_text = (
  SELECT substr(search_text, 1, name) || char(30) || char(31) ||
    trim(substr(search_text, 1 + length(search_text) - contact) ||
      substr(search_text, 1 + name, length(search_text) - name - contact))
  FROM lengths WHERE lengths.id = organizers_search.rowid
) WHERE rowid IN (SELECT id FROM organizers);
