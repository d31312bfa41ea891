import { FREE_BEGINNINGS } from '../lib/cost.ts'

// SQL expressions for values that the database computes from an event's columns, for the order of indexes.

/**
 * The limit of events' ids (exclusive), so that one number can hold a start and an id; see
 * {@link searchKeyOf}.
 */
export const EVENT_ID_LIMIT = 2 ** 25

/**
 * An expression for a number that orders events by start and id: 39 bits, signed, of seconds since an epoch
 * in the middle of the years 1 to 9999, then 25 bits of id.
 */
export const searchKeyOf = (start: string, id: string): string =>
  `((unixepoch(${start}) - 212742310144) * ${EVENT_ID_LIMIT} + ${id})`

/**
 * Classes of events by length, in days. A query for events that are on at a moment reads, in each class, the
 * events that began at most so many days before. The longer the class, the more of those are over.
 */
export const SPANS = [4, 16, 64, 256] as const
/** The class of events that are longer than the last of {@link SPANS}. */
export const LONGEST_SPAN = 99_999_999

const DURATION_SECONDS = '(unixepoch(utc_end_date) - unixepoch(utc_start_date))'

/** An expression for the class of an event: 0 up to a day, as nearly all are. */
export const spanExpression = `CASE WHEN ${DURATION_SECONDS} <= 86400 THEN 0 ${SPANS.map(
  days => `WHEN ${DURATION_SECONDS} <= ${86_400 * days} THEN ${days}`,
).join(' ')} ELSE ${LONGEST_SPAN} END`

/**
 * The position of a name in a column with a JSON array of names; 0 if it is not among them. Names have no
 * quotation marks.
 */
export const positionOfName = (column: string, name: string): string => `instr(${column}, '"${name}"')`

/**
 * An expression that is true for an occurrence that may not start when its series' rule says. All other
 * occurrences are in the order of their dates.
 */
export const movedSql = `series_id IS NOT NULL AND (occurrence_date <> start_date OR ${positionOfName('detached', 'timezone')} > 0)`

/** The fields whose text a search finds. */
export const TEXT_FIELDS: readonly string[] = ['title', 'description', 'excerpt']

/**
 * An expression that is true for an occurrence that shares all of its {@link TEXT_FIELDS} with its series.
 */
export const sharesTextSql = `series_id IS NOT NULL ${TEXT_FIELDS.map(
  name => `AND ${positionOfName('detached', name)} = 0`,
).join(' ')}`

/**
 * A condition for events that cost nothing: their cost contains no digit but 0, and it contains a 0 or begins
 * with words for “free”. An event with one free and one paid ticket does not match, because its cost has
 * other digits.
 */
export const freeSql = `cost <> '' AND cost NOT GLOB '*[1-9]*' AND (cost GLOB '*0*' OR ${FREE_BEGINNINGS.map(
  words => {
    const pattern = words.endsWith('*') ? words : `${words}[^a-z]*`
    // lower() leaves letters with accents as they are.
    return `lower(trim(cost)) || ' ' GLOB '${pattern.replaceAll('é', '[éÉ]')}'`
  },
).join(' OR ')})`
