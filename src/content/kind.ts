import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { SerializeContext } from '../context.ts'
import type { Query } from '../db/query.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { Status } from '../lib/statuses.ts'
import type { DateTime } from '../lib/time.ts'
import type { ContentTable } from './visibility.ts'

export type Singular = 'event' | 'venue' | 'organizer'

/** The columns that every row of content has; events, venues and organizers add their own and their relations. */
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
}

/** A table of content, as far as it is alike for all kinds. */
export type NamedTable = ContentTable & {
  slug: SQLiteColumn
  version: SQLiteColumn
  image_id: SQLiteColumn
}

/** Differences between events, venues and organizers; everything else is written once, in this folder. */
export type ContentKind<R extends ContentRow, Body> = {
  /** As in permalinks and error codes. */
  singular: Singular
  /** As in addresses and lists. */
  plural: 'events' | 'venues' | 'organizers'
  table: NamedTable
  /** Rows that fulfil a condition on the table, with those of their relations that the caller may read. */
  select: (context: SerializeContext, condition: SQL) => Query<R[]>
  /** Tells whether something was left out of a row, because the response would have become too large. */
  isShortened?: (row: R) => boolean | undefined
  response: z.ZodType<Body>
  serialize: (row: R, context: SerializeContext) => Body
  /** With JSON-LD, which only single reads carry. */
  serializeSingle: (row: R, context: SerializeContext) => Body
  /** The statements that delete a row and whatever refers to it, for good. */
  removal: (id: number) => SQL[]
}

/** The error codes that carry a kind's name. */
export const codesOf = <const S extends Singular>(singular: S) =>
  ({
    notFound: `rest-${singular}-not-found`,
    notAccessible: `${singular}-not-accessible`,
    trashed: singular === 'event' ? 'event-no-longer-available' : `${singular}-not-accessible`,
    inTrash: `${singular}-is-in-trash`,
    noPage: `${singular}-archive-page-not-found`,
  }) as const satisfies Record<string, ErrorCode>
