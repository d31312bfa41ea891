// Values that the database works out of an event's columns, for indexes to be in a useful order. As texts of SQL.

/** Ids of events stay below this, so that one number can hold a start and an id; see {@link searchKeySql}. */
export const EVENT_IDS = 2 ** 25

/**
 * A number that orders events by start and id, for SQL: seconds since a moment that makes the years 1 to 9999
 * fit into 39 bits with sign, then 25 bits of id.
 */
export const searchKeySql = (start: string, id: string): string =>
  `((unixepoch(${start}) - 212742310144) * ${EVENT_IDS} + ${id})`

/** Each is at most half as long again as the one before; what takes longer than the last has the longest. */
export const SPANS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512] as const
export const LONGEST_SPAN = 99_999_999

/** By how many UTC dates an event ends later than it starts: 0, or one of the spans. */
export const spanSql = `CASE CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER) WHEN 0 THEN 0 ELSE CASE ${SPANS.map(
  days => `WHEN julianday(date(utc_end_date)) - julianday(date(utc_start_date)) <= ${days} THEN ${days}`,
).join(' ')} ELSE ${LONGEST_SPAN} END END`
