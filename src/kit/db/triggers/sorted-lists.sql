-- What lists show, by title: a page reads the rows from the first title on until it has those of its
-- interval. Other orders have no index (.github/mechanisms/lists.md).
CREATE INDEX events_title ON events (title COLLATE NOCASE, id, utc_start_date, utc_end_date) WHERE listed;
