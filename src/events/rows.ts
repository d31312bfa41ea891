import type { Image } from '../content/images.ts'
import type { OrganizerRow, VenueRow } from '../content/related/rows.ts'
import { columnsWithout, type Row } from '../db/columns.ts'
import { events } from '../db/schema.ts'
import type { TermRow } from '../terms/serialize.ts'

export const eventColumns = columnsWithout(events, 'listed', 'span', 'search_key')

/** An event by itself. */
export type PlainEventRow = Row<typeof eventColumns>

/** An event with all that its response shows: of venues and organizers, those that the caller may read. */
export type EventRow = PlainEventRow & {
  image: Image | null
  venues: VenueRow[]
  organizers: OrganizerRow[]
  terms: TermRow[]
  /** Texts or relations were left out, because the response would have become too large. */
  isShortened?: boolean
}

/** An event with the ids of what it refers to. */
export type LinkedEventRow = PlainEventRow & {
  position: number
  /** Bytes of the texts of the page's events, up to this one; where they are too many, its texts were not read. */
  ownBytes: number
  image: Image | null
  venueIds: number[]
  organizerIds: number[]
  termIds: number[]
}
