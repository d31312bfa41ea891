import type * as z from 'zod'
import type { eventOrganizers, eventVenues, organizers, venues } from '../../db/schema.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import type { ContentValues } from '../columns.ts'
import type { contentFields } from '../fields.ts'
import type { Image } from '../images.ts'
import type { ContentKind, ContentRow } from '../kind.ts'
import type { SearchTable } from '../search.ts'

/** The columns that venues and organizers share. */
export type RelatedRow = ContentRow & { name: string; description: string; image: Image | null }

/** Values of the fields of a venue or organizer: the shared ones, and those of its kind. */
export type RelatedValues = ContentValues & { readonly [field: string]: unknown }

/** A venue or organizer as a row to be written: name and the columns of its kind. */
export type RelatedColumns = { name?: string | undefined; [column: string]: unknown }

/** The parts of a kind that writing needs. */
export type RelatedTables = {
  singular: 'venue' | 'organizer'
  table: typeof venues | typeof organizers
  /** The join table with events. */
  links: typeof eventVenues | typeof eventOrganizers
  searchTable: SearchTable
  /** Columns with text to search, beside name and description. */
  searchColumns: readonly string[]
  /** The fields that a new one takes; the one called `singular` is its name. */
  fields: z.ZodObject<z.ZodRawShape & ReturnType<typeof contentFields>>
  /** The columns that the fields of this kind are stored in. */
  columnsOf: (values: RelatedValues) => RelatedColumns
  /** Adds errors of several fields together. @param stored the row before an update */
  validate?: (values: RelatedValues, stored: RelatedRow | undefined, errors: ValidationErrors) => void
}

/** Venues or organizers, the two kinds of content that events refer to. Their differences; all else is in this folder. */
export type RelatedKind<R extends RelatedRow, Body> = ContentKind<R, Body> &
  RelatedTables & { plural: 'venues' | 'organizers' }
