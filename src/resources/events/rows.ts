import { type SQL, sql } from 'drizzle-orm'
import { columnsWithout, type RowOf } from '../../db/columns.ts'
import { events, series } from '../../db/schema.ts'
import type { Image } from '../content/images.ts'
import type { OrganizerRow, VenueRow } from '../content/related/rows.ts'
import type { TermRow } from '../terms/serialize.ts'
import type { EventOrigin } from './relations/sources.ts'

export const eventColumns = columnsWithout(events, 'listed', 'span', 'search_key', 'shares_text')

/** The columns of its series that an occurrence shows. */
export const seriesColumns = {
  slug: series.slug,
  rrule: series.rrule,
  rdate: series.rdate,
  exdate: series.exdate,
}

/** Joins the series of an event. */
export const seriesJoin = sql`LEFT JOIN ${series} ON ${series.id} = ${events.series_id}`

/** An expression that is true if a field of an occurrence is detached from its series. */
export const isDetached = (field: string): SQL =>
  sql`instr(${events.detached}, ${sql.raw(`'"${field}"'`)}) > 0`

const ownOrShared = (field: 'description' | 'excerpt'): SQL =>
  sql`iif(${events.series_id} IS NULL OR ${isDetached(field)}, ${events[field]}, ${series[field]})`

/** Expressions of the texts that occurrences share with their series, for a SELECT with {@link seriesJoin}. */
export const sharedTexts: Readonly<Record<string, SQL>> = {
  description: ownOrShared('description'),
  excerpt: ownOrShared('excerpt'),
}

/** An event without its relations. */
export type PlainEventRow = RowOf<typeof eventColumns>

/** The part of a series that its occurrences show. */
type SeriesHead = RowOf<typeof seriesColumns>

/** An event with its relations: all terms, and the venues and organizers that the caller may read. */
export type EventRow = PlainEventRow & {
  image: Image | null
  /** Null for single events. */
  series: SeriesHead | null
  venues: VenueRow[]
  organizers: OrganizerRow[]
  terms: TermRow[]
  origin: EventOrigin
  /** True if texts or relations were left out because the response would be too large. */
  isShortened?: boolean
}

/** An event of a page, before it is joined with its relations. */
export type PageEventRow = PlainEventRow & {
  /** Its position on the page, from 0. */
  position: number
  image: Image | null
  series: SeriesHead | null
  isShortened: boolean
}
