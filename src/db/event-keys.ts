// Values that the database works out of an event's columns, for indexes to be in a useful order. As texts of SQL.

/** Ids of events stay below this, so that one number can hold a start and an id; see {@link searchKeySql}. */
export const EVENT_IDS = 2 ** 25

/**
 * A number that orders events by start and id, for SQL: seconds since a moment that makes the years 1 to 9999
 * fit into 39 bits with sign, then 25 bits of id.
 */
export const searchKeySql = (start: string, id: string): string =>
  `((unixepoch(${start}) - 212742310144) * ${EVENT_IDS} + ${id})`

/**
 * Classes of events by length, in days. Whoever looks for events that are still on at a moment reads those of a class
 * that began at most so long before, so a class should not be much longer than its shortest event.
 */
export const SPANS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const
/** The class of whatever takes longer than the last of {@link SPANS}. */
export const LONGEST_SPAN = 99_999_999

const DAYS = 'CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER)'

/** By how many UTC dates an event ends later than it starts: 0, or the next of the {@link SPANS}. */
export const spanSql = `CASE WHEN date(utc_end_date) = date(utc_start_date) THEN 0 ${SPANS.map(
  days => `WHEN ${DAYS} <= ${days} THEN ${days}`,
).join(' ')} ELSE ${LONGEST_SPAN} END`
