import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod/mini'
import type { SerializeContext } from '../../context.ts'
import type { Query } from '../../db/query.ts'
import type { Fields } from '../../http/fields.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import type { Status } from '../../lib/statuses.ts'
import type { DateTime } from '../../lib/time.ts'
import type { ContentTable } from './visibility.ts'

export type Singular = 'event' | 'venue' | 'organizer'

/** The columns that events, venues and organizers share. */
export type ContentRow = {
  id: number
  version: number
  author_id: number
  status: Status
  slug: string
  date: DateTime
  date_utc: DateTime
  modified: DateTime
  modified_utc: DateTime
  external_id: string
}

/** A table of content, as far as it is alike for all kinds. */
export type NamedTable = ContentTable & {
  slug: SQLiteColumn
  version: SQLiteColumn
  image_id: SQLiteColumn
  external_id: SQLiteColumn
}

export type Uses = {
  /** A subquery of the ids of events that refer to a row, by themselves or through their series. */
  events: (id: SQL) => SQL
  /** The error of a deletion that would take it from them. */
  code: 'venue-is-in-use' | 'organizer-is-in-use'
}

/** A kind of content: the differences between events, venues and organizers. Everything else is shared code. */
export type ContentKind<R extends ContentRow, Body> = {
  /** The name in permalinks and error codes. */
  singular: Singular
  /** The name in addresses and lists. */
  plural: 'events' | 'venues' | 'organizers'
  table: NamedTable
  /**
   * Selects the rows that fulfil a condition on the table, with the relations that the caller may read.
   *
   * @param fields those that the response of a read needs; undefined for all
   */
  select: (context: SerializeContext, condition: SQL, fields?: Fields) => Query<R[]>
  /** Tells if something was left out of a row because the response would be too large. */
  isShortened?: (row: R) => boolean | undefined
  response: z.ZodMiniType<Body>
  serialize: (row: R, context: SerializeContext) => Body
  /** Serializes a row with JSON-LD, for single reads. */
  serializeSingle: (row: R, context: SerializeContext) => Body
  /** The statements that delete a row and all references to it for good. */
  removal: (id: number) => SQL[]
  /** Events that refer to rows of this kind. */
  uses?: Uses
  /** The id of what lists show in place of a row, to which its address leads those who may not edit it; null for none. */
  shownBy?: (row: R) => number | null
}

/** The error codes of a kind. */
export const codesOf = <const S extends Singular>(singular: S) =>
  ({
    notFound: `rest-${singular}-not-found`,
    notAccessible: `${singular}-not-accessible`,
    trashed: singular === 'event' ? 'event-no-longer-available' : `${singular}-not-accessible`,
    inTrash: `${singular}-is-in-trash`,
    noPage: `${singular}-archive-page-not-found`,
  }) as const satisfies Record<string, ErrorCode>
