import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { SerializeContext } from '../../../kit/context.ts'
import { type Columns, columnList, decodeRow, type RowOf } from '../../../kit/db/columns.ts'
import { eventLinkToSql } from '../../../kit/db/derived.ts'
import { many, orNull, type Query, readNumber } from '../../../kit/db/query.ts'
import { build, sqlText } from '../../../kit/db/statements.ts'
import {
  type eventOrganizers,
  events,
  type eventVenues,
  organizers,
  type seriesOrganizers,
  type seriesVenues,
  venues,
} from '../../../kit/db/tables.ts'
import { pageParams } from '../../../kit/http/lists.ts'
import { box, flag, integer, search } from '../../../kit/http/params.ts'
import type { FieldsSchema } from '../../../kit/http/route.ts'
import type { ValidationErrors } from '../../../kit/lib/errors.ts'
import type { StoredImage } from '../../../kit/lib/images/formats.ts'
import { jsonLd, type node } from '../../../kit/lib/json-ld.ts'
import { memoize } from '../../../kit/lib/memo.ts'
import { decodeEntities, htmlToText } from '../../../kit/lib/text.ts'
import { omit } from '../../../kit/lib/values.ts'
import { beforeDeletionStatements } from '../dependents.ts'
import { type CompleteTable, searchedNames, statusFilter } from '../fields.ts'
import { imageColumns, imageJoin, readImage, serializeImage } from '../images.ts'
import {
  type ContentResource,
  type ContentRow,
  type ContentValues,
  contentHead,
  globalIds,
  permalink,
} from '../resource.ts'
import { relatedSearchText, type SearchTable } from '../search.ts'
import { PRIVATE_COLUMNS, readableContact } from './hidden-contact.ts'

/** The list parameters that venues and organizers share. */
export const relatedList = z.object({
  ...pageParams,
  search: z.optional(
    search({
      description: 'Words that must occur in the name or any other text.',
      example: 'hall',
    }),
  ),
  event: z.optional(integer({ description: 'Only those of this event.', example: 12 })),
  has_events: z.optional(flag({ description: 'Linked to a published event, or not.' })),
  only_with_upcoming: z.optional(
    flag({
      description: 'Linked to a published event that has not ended.',
      default: false,
    }),
  ),
  status: statusFilter,
})

/** The list parameters of venues, which may have coordinates. */
export const venueList = z.extend(relatedList, {
  bbox: z.optional(box({ description: 'Only venues in this box.' })),
})

/** The list parameters of venues and organizers. */
export type RelatedListParams = z.output<typeof venueList>

/** A row of a venue or organizer: the columns that they share. */
export type RelatedRow = ContentRow & {
  name: string
  description: string
  image_id: number | null
  image: StoredImage | null
}

/** The values of a venue's or organizer's fields. Imported values include the time of the last change. */
export type RelatedValues = ContentValues & {
  modified?: string | undefined
  modified_utc?: string | undefined
  readonly [field: string]: unknown
}

/**
 * The columns that a write of a venue or organizer sets: the name, and columns that only one of the two kinds
 * has.
 */
type RelatedColumns = { name?: string | undefined; [column: string]: unknown }

/** The part of a resource that writes need. */
export type RelatedTables = {
  singular: 'venue' | 'organizer'
  plural: 'venues' | 'organizers'
  table: typeof venues | typeof organizers
  links: typeof eventVenues | typeof eventOrganizers
  seriesLinks: typeof seriesVenues | typeof seriesOrganizers
  searchTable: SearchTable
  /** Columns whose text is part of the search text, besides name and description. */
  searchColumns: readonly string[]
  /** The search columns that make up the address. */
  addressColumns: readonly string[]
  /** The fields of a new row; the field called `singular` is its name. */
  fields: z.ZodMiniObject
  declared: CompleteTable
  columnsOf: (values: RelatedValues) => RelatedColumns
  /** The values of a request, except for values that a read has computed: these are not stored. */
  valuesToStore?: (values: RelatedValues, stored: RelatedRow) => RelatedValues
  /** Adds errors that depend on several fields. @param stored the row before an update */
  validate?: (values: RelatedValues, stored: RelatedRow | undefined, errors: ValidationErrors) => void
}

/** A resource to which events refer: the differences between venues and organizers. */
export type RelatedResource<R extends RelatedRow, Body> = ContentResource<R, Body> &
  RelatedTables & {
    listParams: FieldsSchema<RelatedListParams>
    /** Selects the rows that meet a condition. @param tail ORDER BY and further clauses */
    selectRows: (condition: SQL, tail?: SQL) => Query<R[]>
  }

type Table = typeof venues | typeof organizers

/** Makes a function that selects venues or organizers with their images. */
function selectorOf<T extends Table, C extends Columns & { image_id: Columns[string] }>(
  table: T,
  columns: C,
) {
  const head = memoize(() =>
    sqlText(
      sql`SELECT ${columnList(columns)}, ${imageColumnList()} FROM ${table} ${imageJoin(table.image_id)}`,
    ),
  )
  return (condition: SQL, tail: SQL = sql``): Query<(RowOf<C> & { image: StoredImage | null })[]> =>
    many(sql`${head()} WHERE ${condition} ${tail}`, raw => ({
      ...decodeRow(columns, raw),
      image: readImage(
        orNull(readNumber)(raw.image_id),
        Object.keys(imageColumns).map(name => raw[name]),
      ),
    }))
}

const imageColumnList = (): SQL =>
  sql.join(
    Object.entries(imageColumns).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`),
    sql`, `,
  )

/** Selects the venues that meet a condition. @param tail ORDER BY and further clauses */
export const selectVenues = selectorOf(venues, getTableColumns(venues))
export type VenueRow = RowOf<ReturnType<typeof getTableColumns<typeof venues>>> & {
  image: StoredImage | null
}

/** Selects the organizers that meet a condition. @param tail ORDER BY and further clauses */
export const selectOrganizers = selectorOf(organizers, getTableColumns(organizers))

/** The columns of organizers that events show. */
export const publicOrganizerColumns = omit(getTableColumns(organizers), ...PRIVATE_COLUMNS)

/** A row of an organizer. Organizers that events show lack the private columns. */
export type OrganizerRow = RowOf<typeof publicOrganizerColumns> &
  Partial<
    RowOf<Pick<ReturnType<typeof getTableColumns<typeof organizers>>, (typeof PRIVATE_COLUMNS)[number]>>
  > & {
    image: StoredImage | null
  }

/** The differences between venues and organizers. */
type RelatedParts<R extends RelatedRow, Body> = Omit<
  RelatedTables,
  'plural' | 'searchTable' | 'searchColumns'
> &
  Pick<RelatedResource<R, Body>, 'response' | 'listParams' | 'selectRows'> & {
    /** Serializes the fields that responses show as stored. */
    serializeShown: (row: R) => object
    /** The JSON-LD of the row itself. */
    node: (row: R, context: SerializeContext) => ReturnType<typeof node>
  }

/** Makes the resource of venues or of organizers. */
export function defineRelated<R extends RelatedRow, Body>({
  serializeShown,
  node,
  ...parts
}: RelatedParts<R, Body>): RelatedResource<R, Body> {
  const { singular, table, links, seriesLinks, declared, selectRows } = parts
  const serialize = (row: R, context: SerializeContext, json_ld?: object): Body =>
    // These are the fields of its schema: test/calendar/content/fields.test.ts reads each field.
    ({
      id: row.id,
      ...contentHead(row, context),
      url: permalink(row, singular, context),
      [singular]: row.name,
      ...serializeShown(readableContact(row, context)),
      slug: row.slug,
      ...(row.image && { image: serializeImage(row.image, context) }),
      ...(json_ld && { json_ld }),
      ...globalIds(context, row.id),
    }) as Body
  return {
    ...parts,
    plural: `${singular}s`,
    searchTable: `${singular}s_search`,
    searchColumns: searchedNames(declared),
    select: (_, condition) => selectRows(condition),
    serialize: (row, context) => serialize(row, context),
    serializeSingle: (row, context) => serialize(row, context, jsonLd(node(row, context))),
    removalStatements: id => [
      ...beforeDeletionStatements(singular, sql`(SELECT ${id})`),
      build.delete(links).where(eventLinkToSql(singular, sql`(${id})`)),
      build.delete(seriesLinks).where(eq(seriesLinks.target_id, id)),
      build.delete(table).where(eq(table.id, id)),
    ],
    uses: {
      // Events refer to the row directly, or through their series.
      events:
        ids => sql`SELECT event_id FROM events_of WHERE facet = ${singular} AND target_id IN ${ids} UNION
        SELECT ${events.id} FROM ${seriesLinks} CROSS JOIN ${events} ON ${events.series_id} = ${seriesLinks.series_id}
          WHERE ${seriesLinks.target_id} IN ${ids}`,
      code: `${singular}-is-in-use`,
    },
  }
}

/** The name that values of a venue or organizer give. */
export const nameInValues = ({ singular }: RelatedTables, values: RelatedValues): string =>
  String(values[singular] ?? '')

/** The search text of a venue or organizer: its name, address, other texts and description. */
export function relatedText(
  { searchColumns, addressColumns }: RelatedTables,
  row: Readonly<Record<string, unknown>>,
): string {
  const textOf = (columns: readonly string[]): string =>
    columns.map(column => decodeEntities(String(row[column] ?? ''))).join('\n')
  return relatedSearchText({
    name: textOf(['name']),
    address: textOf(addressColumns),
    others: `${textOf(searchColumns.filter(column => !addressColumns.includes(column)))}\n${htmlToText(String(row.description ?? ''))}`,
  })
}
