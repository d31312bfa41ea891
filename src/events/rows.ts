import type { Image } from '../content/images.ts'
import type { OrganizerRow, VenueRow } from '../content/related/rows.ts'
import { columnsWithout, type RowOf } from '../db/columns.ts'
import { events } from '../db/schema.ts'
import type { TermRow } from '../terms/serialize.ts'

export const eventColumns = columnsWithout(events, 'listed', 'span', 'search_key')

/** An event without its relations. */
export type PlainEventRow = RowOf<typeof eventColumns>

/** An event with its relations: all terms, and the venues and organizers that the caller may read. */
export type EventRow = PlainEventRow & {
  image: Image | null
  venues: VenueRow[]
  organizers: OrganizerRow[]
  terms: TermRow[]
  /** True if texts or relations were left out because the response would be too large. */
  isShortened?: boolean
}

/** An event of a page, before it is joined with its relations. */
export type PageEventRow = PlainEventRow & {
  /** Its position on the page, from 0. */
  position: number
  image: Image | null
  isShortened: boolean
}
