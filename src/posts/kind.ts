import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { Query } from '../db/client.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { Status } from '../lib/statuses.ts'
import type { View } from '../view.ts'
import type { PostTable } from './visibility.ts'

export type Singular = 'event' | 'venue' | 'organizer'

/** What every post's row has; events, venues and organizers add their own columns and relations. */
export type PostRow = {
  id: number
  version: number
  author_id: number
  status: Status
  slug: string
  date: string
  date_utc: string
  modified: string
  modified_utc: string
}

/** A table of posts, as far as it is alike for all kinds. */
export type Posts = PostTable & { slug: SQLiteColumn; version: SQLiteColumn }

/**
 * What differs between events, venues and organizers; the rest is written once, in this folder, as functions
 * of a kind.
 */
export type PostKind<R extends PostRow, A> = {
  /** As in permalinks and error codes. */
  singular: Singular
  /** As in addresses and lists. */
  plural: 'events' | 'venues' | 'organizers'
  table: Posts
  /** Rows with their relations, for a condition on the table; `tail` is ORDER BY and what follows. */
  select: (condition: SQL, tail?: SQL) => Query<R[]>
  answer: z.ZodType<A>
  serialize: (row: R, view: View) => A
  /** With JSON-LD, which only single reads carry. */
  serializeSingle: (row: R, view: View) => A
  /** The statements that delete a row and what refers to it, for good. */
  removal: (id: number) => SQL[]
}

/** The error codes that carry a kind's name. */
export const codesOf = (singular: Singular) =>
  ({
    notFound: `rest-${singular}-not-found`,
    notAccessible: `${singular}-not-accessible`,
    trashed: singular === 'event' ? 'event-no-longer-available' : `${singular}-not-accessible`,
    inTrash: `${singular}-is-in-trash`,
    noPage: `${singular}-archive-page-not-found`,
  }) as const satisfies Record<string, ErrorCode>
