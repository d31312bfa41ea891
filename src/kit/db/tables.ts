import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  eventOrganizers,
  eventTerms,
  eventVenues,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
} from './tables/content.ts'
import { imports } from './tables/imports.ts'

// Columns are named like the API's fields. Dates are text, "YYYY-MM-DD HH:MM:SS", which sorts correctly and
// goes into responses unchanged. No foreign key cascades: a migration that rebuilds a table drops it first,
// and a cascade would then delete the rows that refer to it.
//
// Where the code has a better word than the database:
//
// - `email_links.letter_id` is the row that a link is about (`row_id`): a letter, a subscriber, a
//   registration.
// - `used_challenges.digest` is the challenge itself (`challenge`).
// - `setbacks` are rows on which work has failed, and the time of the next try (`kit/work/leases.ts`).
// - `twins` are pairs of events that may be duplicates, and what was decided about each.
// - `registrations.told` are the dates as people know them (`known_dates`), so that they get an e-mail about
//   changes; `former` is what the event said of its tickets before, and `tickets` what was last written into
//   it (`written_tickets`). `asked` is what sources propose for the dates (`proposals`).
// - `registration_counts` are the counts of all limits (`limitCounts`).
// - `registrants.counted` are the counts of a network (`network_counts`).

export * from './tables/audit.ts'
export * from './tables/column-types.ts'
export * from './tables/content.ts'
export * from './tables/imports.ts'
export * from './tables/people.ts'
export * from './tables/submissions.ts'

/**
 * Tables without a rowid: a new row counts as one row written, not two, since the key needs no index. Drizzle
 * cannot declare that, so migrations say it by hand.
 */
export const WITHOUT_ROWID: readonly SQLiteTable[] = [
  eventVenues,
  eventOrganizers,
  eventTerms,
  seriesVenues,
  seriesOrganizers,
  seriesTerms,
  imports,
]
