import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { type ContentContext, globalId, type SerializeContext } from '../../kit/context.ts'
import type { Query, Statement } from '../../kit/db/query.ts'
import { events, organizers, series, terms, venues } from '../../kit/db/tables.ts'
import { documented } from '../../kit/http/params.ts'
import type { Fields } from '../../kit/http/requested-fields.ts'
import type { FieldsSchema } from '../../kit/http/route.ts'
import type { UsedName } from '../../kit/http/shared-writes.ts'
import type { ErrorCode } from '../../kit/lib/error-codes.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { STATUSES, type Status, statusAt } from '../../kit/lib/statuses.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { typedEntries } from '../../kit/lib/values.ts'
import type { contentRows, paramsOf } from './fields.ts'

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

/** A table with a status, an author and a publication date: events, venues or organizers. */
export type ContentTable = SQLiteTable & {
  id: SQLiteColumn
  status: SQLiteColumn
  author_id: SQLiteColumn
  date_utc: SQLiteColumn
}

/** What the tables of events, venues, organizers and series have in common. */
export type VersionedTable = ContentTable & {
  slug: SQLiteColumn
  version: SQLiteColumn
  image_id: SQLiteColumn
  external_id: SQLiteColumn
}

export type UseSelects = {
  /**
   * A SELECT of the ids of events that refer to some rows, directly or through their series.
   *
   * @param ids a SELECT or a list, in parentheses
   */
  events: (ids: SQL) => SQL
  /** The error of a deletion that would remove the row from events. */
  code: 'venue-is-in-use' | 'organizer-is-in-use'
}

/**
 * A resource with an author and a status: the differences between events, venues and organizers. Shared code
 * does the rest.
 */
export type ContentResource<R extends ContentRow, Body> = {
  /** The name in permalinks and error codes. */
  singular: Singular
  /** The name in addresses and lists. */
  plural: 'events' | 'venues' | 'organizers'
  table: VersionedTable
  /**
   * Selects the rows that meet a condition on the table, with the relations that the caller may read.
   *
   * @param fields the fields that the response of a read needs; undefined for all
   */
  select: (context: SerializeContext, condition: SQL, fields?: Fields) => Query<R[]>
  /** True if a row lacks texts or relations because the response would be too large. */
  isShortened?: (row: R) => boolean | undefined
  response: z.ZodMiniType<Body>
  serialize: (row: R, context: SerializeContext) => Body
  /** Serializes a row with JSON-LD, for single reads. */
  serializeSingle: (row: R, context: SerializeContext) => Body
  /** The statements that delete a row and all references to it for good. */
  removalStatements: (id: number) => Statement[]
  /** The events that refer to a row; absent for events. */
  uses?: UseSelects
  /**
   * The id of the row that lists show instead of a row, or null. The address of the hidden row redirects
   * there, except for callers who may edit it.
   */
  shownBy?: (row: R) => number | null
}

export type WriteTypes = {
  fields: ContentValues
  /** The stored row that an update needs. */
  stored: ContentRow
  /** The rows that fields refer to. */
  referencedRows: unknown
  prepared: unknown
  /** The row that responses show. */
  row: ContentRow
}

/**
 * The writes of a resource: the differences between events, venues and organizers. `sharedWrites` (routes.ts)
 * does the rest.
 */
export type ContentWrites<T extends WriteTypes> = {
  /** Fields that updates and deletions take as parameters of the address as well. */
  options?: FieldsSchema<Partial<T['fields']>>
  /** The headers that responses to writes may have, with descriptions. */
  headers?: Readonly<Record<string, string>>
  /** True if an update with these values concerns more than one row, and is a write of its own. */
  isAlone?: (values: Partial<T['fields']>) => boolean
  /** The names that a write uses besides its row and external id. @see SharedWrites */
  usedNames?: (prepared: T['prepared']) => Iterable<UsedName>
  /** A query for the rows before updates with these values. */
  selectStored: (
    context: ContentContext,
    condition: SQL,
    values: readonly Partial<T['fields']>[],
  ) => Query<T['stored'][]>
  /** A query for the rows that the values of several requests refer to. */
  selectReferencedRows: (
    context: ContentContext,
    values: readonly Partial<T['fields']>[],
  ) => Query<T['referencedRows']>
  /**
   * Prepares a write.
   *
   * @param input.stored the row before an update
   * @param errors the errors of single fields; gets errors that depend on several fields or on rows
   * @throws ApiError `rest_forbidden` if the caller may not send these fields, and all errors at once
   */
  prepare: (
    context: ContentContext,
    input: {
      values: Partial<T['fields']>
      referencedRows: T['referencedRows']
      stored?: T['stored'] | undefined
    },
    errors: ValidationErrors,
  ) => T['prepared']
  /** Writes everything in one transaction. @returns the rows afterwards, in order */
  write: (context: ContentContext, prepared: readonly T['prepared'][]) => Promise<T['row'][]>
  prepareTrash: (context: ContentContext, input: Removal<T>) => T['prepared'] | Promise<T['prepared']>
  trashHeaders?: (prepared: T['prepared']) => Readonly<Record<string, string>>
  /**
   * Deletes a row for good.
   *
   * @param input.detach also removes the row from the events that refer to it
   * @returns the headers of the response
   */
  deleteForGood: (
    context: ContentContext,
    input: Removal<T> & { detach: boolean },
  ) => Promise<Readonly<Record<string, string>> | undefined>
}

/** A row to be deleted, and the fields that the request names. */
type Removal<T extends WriteTypes> = { row: T['row']; options: Partial<T['fields']> }

export const codesOf = <const S extends Singular>(singular: S) =>
  ({
    notFound: `rest-${singular}-not-found`,
    notAccessible: `${singular}-not-accessible`,
    trashed: singular === 'event' ? 'event-no-longer-available' : `${singular}-not-accessible`,
    inTrash: `${singular}-is-in-trash`,
    noPage: `${singular}-archive-page-not-found`,
  }) as const satisfies Record<string, ErrorCode>

type ContentParams = ReturnType<typeof paramsOf<ReturnType<typeof contentRows<z.ZodMiniString>>>>

/** Checked values of the fields that events, venues and organizers share. */
export type ContentValues = Partial<z.output<z.ZodMiniObject<ContentParams>>>

/**
 * The type of the rest of a destructuring that names all fields: code that forgets to store a new field of a
 * schema doesn't compile.
 */
export type NothingLeft = { readonly [name: string]: never }

/**
 * The table of each resource of content. Code that concerns all content goes through this list, for example
 * to publish rows that are due and to check who may see an image.
 */
export const CONTENT_TABLES = {
  event: events,
  venue: venues,
  organizer: organizers,
} as const satisfies Record<Singular, VersionedTable>

export const contentTables = typedEntries(CONTENT_TABLES)

/** The tables whose rows show an image: all content, and series, whose image new occurrences copy. */
export const ILLUSTRATED_TABLES = { ...CONTENT_TABLES, series } as const

/** The table of each kind of row that sources and imports bring. */
export const RECORD_TABLES = { ...ILLUSTRATED_TABLES, category: terms, tag: terms } as const

/** A date and time, "YYYY-MM-DD HH:MM:SS". */
export const dateTime = documented(z.string(), { example: '2027-06-10 15:00:00' })

export const imageSchema = documented(
  z.object({
    url: z.string(),
    id: z.int(),
    extension: z.string(),
    width: z.optional(z.int()),
    height: z.optional(z.int()),
    alt_text: documented(z.optional(z.string()), 'What the image shows, in words.'),
    sizes: documented(
      z.record(
        z.string(),
        z.object({
          width: z.int(),
          height: z.optional(z.int()),
          'mime-type': z.optional(z.string()),
          url: z.string(),
        }),
      ),
      'Smaller versions of an uploaded image: `thumbnail` (150 × 150, cropped), `medium` (300) and `large` (1,024), where it is larger.',
    ),
  }),
  { id: 'Image' },
)

export type ImageResponse = z.output<typeof imageSchema>

/** Fields that the responses for events, venues and organizers share. */
export const contentResponse = {
  id: z.int(),
  global_id: z.string(),
  global_id_lineage: z.array(z.string()),
  author: documented(z.string(), "The author's id, as text."),
  status: z.enum(STATUSES),
  date: documented(dateTime.clone(), "Publication date, in the site's time zone."),
  date_utc: dateTime,
  modified: dateTime,
  modified_utc: dateTime,
  url: documented(z.string(), 'Permalink.'),
  slug: z.string(),
}

export const jsonLdSchema = documented(
  z.looseObject({ '@context': z.literal('https://schema.org'), '@type': z.string() }),
  'Schema.org data; single reads only.',
)

/** The global id of a resource, `host?id=N`, and its lineage, which has only this id. */
export const globalIds = (context: SerializeContext, id: number) => ({
  global_id: globalId(context, id),
  global_id_lineage: [globalId(context, id)],
})

/** The first fields of events, venues and organizers. `author` is a string, as clients expect. */
export const contentHead = (row: ContentRow, context: SerializeContext) => ({
  author: String(row.author_id),
  status: statusAt(row, context.clock.untrackedTime),
  date: row.date,
  date_utc: row.date_utc,
  modified: row.modified,
  modified_utc: row.modified_utc,
})

/** Statuses with a permanent address. */
const ADDRESSED: readonly Status[] = ['publish', 'private']

/**
 * The address of content on the site: `{site}/venue/{slug}/`, or by id while the slug may still change.
 *
 * @param slugs the parts of the path after the kind
 */
export const permalink = (
  row: Pick<ContentRow, 'id' | 'status' | 'date_utc' | 'slug'>,
  kind: Singular,
  context: SerializeContext,
  slugs: readonly string[] = [row.slug],
): string =>
  ADDRESSED.includes(statusAt(row, context.clock.untrackedTime))
    ? `${context.site}/${[kind, ...slugs.map(encodeURIComponent)].join('/')}/`
    : `${context.site}/?post_type=${kind}&p=${row.id}`
