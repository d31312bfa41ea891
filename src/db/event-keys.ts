// SQL expressions of values that the database computes from an event's columns, for the order of indexes.

/** Limit of ids of events (exclusive), so that one number can hold a start and an id; see {@link searchKeySql}. */
export const EVENT_IDS = 2 ** 25

/**
 * An expression of a number that orders events by start and id: 39 bits, with sign, of seconds since an epoch in the
 * middle of the years 1 to 9999, then 25 bits of id.
 */
export const searchKeySql = (start: string, id: string): string =>
  `((unixepoch(${start}) - 212742310144) * ${EVENT_IDS} + ${id})`

/**
 * Classes of events by length, in days. A query for events that are on at a moment reads, of each class, those that began
 * at most so many days before. So a class must not be much longer than its shortest event.
 */
export const SPANS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const
/** The class of events that are longer than the last of {@link SPANS}. */
export const LONGEST_SPAN = 99_999_999

const DAYS = 'CAST(julianday(date(utc_end_date)) - julianday(date(utc_start_date)) AS INTEGER)'

/** An expression of the class of an event: the UTC dates from its start to its end, rounded up to one of {@link SPANS}; 0 within one date. */
export const spanSql = `CASE WHEN date(utc_end_date) = date(utc_start_date) THEN 0 ${SPANS.map(
  days => `WHEN ${DAYS} <= ${days} THEN ${days}`,
).join(' ')} ELSE ${LONGEST_SPAN} END`

/** The fields by whose text an event is found. */
const TEXT_FIELDS = ['title', 'description', 'excerpt']

/** An expression that is true for an occurrence none of whose {@link TEXT_FIELDS} is detached from its series. */
export const sharesTextSql = `series_id IS NOT NULL ${TEXT_FIELDS.map(
  name => `AND instr(detached, '"${name}"') = 0`,
).join(' ')}`
