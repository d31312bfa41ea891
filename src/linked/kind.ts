import type * as z from 'zod'
import type { eventOrganizers, eventVenues, organizers, venues } from '../db/schema.ts'
import type { postFields } from '../posts/fields.ts'
import type { ImageRow } from '../posts/images.ts'
import type { PostKind, PostRow } from '../posts/kind.ts'
import type { SearchTable } from '../posts/search.ts'

/** What the rows of venues and organizers have in common. */
export type LinkedRow = PostRow & { name: string; description: string; image: ImageRow | null }

/**
 * What differs between venues and organizers, the two kinds of posts that events link to.
 * Everything that doesn't is written once, in this folder.
 */
export type LinkedKind<R extends LinkedRow, A> = PostKind<R, A> & {
  singular: 'venue' | 'organizer'
  plural: 'venues' | 'organizers'
  table: typeof venues | typeof organizers
  /** The join table with events. */
  links: typeof eventVenues | typeof eventOrganizers
  searchTable: SearchTable
  /** Request fields. The one called `singular` is the name, and the only required one; fields of one kind only have columns of their own names. */
  fields: z.ZodObject<z.ZodRawShape & typeof postFields>
  /** The columns that hold text to search, beside name and description. */
  searched: readonly string[]
  /** What an update changes beyond the columns that it names. */
  implied?: (
    changes: Readonly<Record<string, unknown>>,
    stored: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
}

/** A kind where rows are only written, not answered. */
export type AnyKind = Omit<LinkedKind<LinkedRow, unknown>, 'select' | 'serialize' | 'serializeSingle'>
