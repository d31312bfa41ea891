import * as z from 'zod/mini'
import type {
  eventOrganizers,
  eventVenues,
  organizers,
  seriesOrganizers,
  seriesVenues,
  venues,
} from '../../../db/schema.ts'
import { pageParams } from '../../../http/lists.ts'
import { box, flag, integer, search } from '../../../http/params.ts'
import type { FieldsSchema } from '../../../http/route.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { parseBoolean } from '../../../lib/values.ts'
import type { CompleteTable } from '../field-table.ts'
import { statusFilter } from '../fields.ts'
import type { Image } from '../images.ts'
import type { ContentKind, ContentRow } from '../kind.ts'
import type { SearchTable } from '../search.ts'
import type { ContentValues } from '../tables.ts'

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
      dependsOnClock: value => parseBoolean(value) === true,
    }),
  ),
  status: statusFilter,
})

/** The list parameters of venues, which have a place. */
export const venueList = z.extend(relatedList, {
  bbox: z.optional(box({ description: 'Only venues in this box.' })),
})

/** The list parameters of either. */
export type RelatedListParams = z.output<typeof venueList>

/** A row of a venue or organizer: the columns that they share. */
export type RelatedRow = ContentRow & {
  name: string
  description: string
  image_id: number | null
  image: Image | null
}

/** The values of a venue's or organizer's fields. */
export type RelatedValues = ContentValues & { readonly [field: string]: unknown }

/** The name that values of a venue or organizer give. */
export const nameIn = ({ singular }: Pick<RelatedTables, 'singular'>, values: RelatedValues): string =>
  String(values[singular] ?? '')

/** The columns of a venue or organizer to be written: the name and those of its kind. */
type RelatedColumns = { name?: string | undefined; [column: string]: unknown }

/** The parts of a kind that writes need. */
export type RelatedTables = {
  singular: 'venue' | 'organizer'
  table: typeof venues | typeof organizers
  /** The join table with events. */
  links: typeof eventVenues | typeof eventOrganizers
  /** The join table with series. */
  seriesLinks: typeof seriesVenues | typeof seriesOrganizers
  searchTable: SearchTable
  /** Columns whose text is part of the search text, beside name and description. */
  searchColumns: readonly string[]
  /** The fields of a new one; the field called `singular` is its name. */
  fields: z.ZodMiniObject
  /** The same as they are declared. */
  declared: CompleteTable
  /** Converts fields to the columns of this kind. */
  columnsOf: (values: RelatedValues) => RelatedColumns
  /** Adds errors that depend on several fields. @param stored the row before an update */
  validate?: (values: RelatedValues, stored: RelatedRow | undefined, errors: ValidationErrors) => void
}

/** A kind of content that events refer to: the differences between venues and organizers. */
export type RelatedKind<R extends RelatedRow, Body> = ContentKind<R, Body> &
  RelatedTables & { plural: 'venues' | 'organizers'; listParams: FieldsSchema<RelatedListParams> }
