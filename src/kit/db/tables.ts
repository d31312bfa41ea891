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
