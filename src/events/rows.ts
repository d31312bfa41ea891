import type { Image } from '../content/images.ts'
import type { OrganizerRow, VenueRow } from '../content/related/rows.ts'
import { columnsWithout, type RowOf } from '../db/columns.ts'
import { events } from '../db/schema.ts'
import type { TermRow } from '../terms/serialize.ts'

export const eventColumns = columnsWithout(events, 'listed', 'span', 'search_key')

/** An event by itself. */
export type PlainEventRow = RowOf<typeof eventColumns>

/** An event with all that its response shows: of venues and organizers, those that the caller may read. */
export type EventRow = PlainEventRow & {
  image: Image | null
  venues: VenueRow[]
  organizers: OrganizerRow[]
  terms: TermRow[]
  /** Texts or relations were left out, because the response would have become too large. */
  isShortened?: boolean
}

/** An event of a page, before it is put together with what it refers to. */
export type LinkedEventRow = PlainEventRow & {
  /** Its place on the page. */
  position: number
  image: Image | null
  isShortened: boolean
}
