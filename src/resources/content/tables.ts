import { events, organizers, series, venues } from '../../db/schema.ts'
import type { NamedTable, Singular } from './kind.ts'

/**
 * The table of each kind of content. Whatever concerns all content goes through this list: publishing what is due, and
 * the rows that an image may be seen by.
 */
export const CONTENT_TABLES = {
  event: events,
  venue: venues,
  organizer: organizers,
} as const satisfies Record<Singular, NamedTable>

/** Each kind of content with its table. */
// Object.entries forgets the keys' type.
export const contentTables = Object.entries(CONTENT_TABLES) as [Singular, (typeof CONTENT_TABLES)[Singular]][]

/** The tables whose rows show an image: all content, and series, from which new occurrences have theirs. */
export const illustratedTables = [...Object.values(CONTENT_TABLES), series]
