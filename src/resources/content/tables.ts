import type * as z from 'zod/mini'
import { events, organizers, series, venues } from '../../db/schema.ts'
import type { paramsOf } from './field-table.ts'
import type { contentRows } from './fields.ts'
import type { NamedTable, Singular } from './kind.ts'

type ContentParams = ReturnType<typeof paramsOf<ReturnType<typeof contentRows<z.ZodMiniString>>>>

/** Checked values of the fields that events, venues and organizers share. */
export type ContentValues = Partial<z.output<z.ZodMiniObject<ContentParams>>>

/**
 * The type of the rest of a destructuring that names all fields. A new field of a schema that is not stored does not
 * compile.
 */
export type NothingLeft = { readonly [name: string]: never }

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
