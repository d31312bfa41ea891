import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { columnList, decodeRow, type RowOf } from '../../db/columns.ts'
import { constant, first, many, mapped, type Query, together } from '../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  images,
  series,
  type Taxonomy,
  terms,
} from '../../db/schema.ts'
import { selectPlainEvents } from '../queries.ts'
import type { PlainEventRow } from '../rows.ts'
import type { EventFields } from '../schema.ts'
import type { Scope } from './fields.ts'
import type { Pattern } from './pattern.ts'
import { type LinkCounts, selectLinkCounts } from './sizes.ts'
import { textsOf } from './texts.ts'

const seriesColumns = getTableColumns(series)

/** A series, with its dates read from JSON. */
export type SeriesRow = Omit<RowOf<typeof seriesColumns>, 'rdate' | 'exdate'> &
  Pick<Pattern, 'rdate' | 'exdate'>

/** An occurrence, as far as the writes of its series need it. */
export type StoredOccurrence = Pick<
  PlainEventRow,
  'id' | 'version' | 'author_id' | 'status' | 'slug' | 'date_utc'
> & {
  occurrence_date: string
  detached: readonly string[]
}

/** The ids of an event's relations, in order, and the address of its image. */
export type StoredRelations = {
  venue: number[]
  organizer: number[]
  categories: number[]
  tags: number[]
  image: string | null
}

export type StoredSeries = SeriesRow & {
  relations: StoredRelations
  /** All occurrences, if the write may concern others than one. */
  occurrences: readonly StoredOccurrence[]
}

/** An event before an update. */
export type StoredEvent = PlainEventRow & {
  /** Null for single events. */
  series: StoredSeries | null
  /** The numbers of its links, or of those of its series, if the write may concern several occurrences. */
  links?: LinkCounts | undefined
}

/** The scope of a write: a change of the recurrence concerns all occurrences unless the client says otherwise. */
export const scopeOf = ({ scope, recurrence }: Pick<Partial<EventFields>, 'scope' | 'recurrence'>): Scope =>
  scope ?? (recurrence === undefined ? 'this' : 'all')

const seriesHead = constant(() => sql`SELECT ${columnList(seriesColumns)} FROM ${series}`)

/** Selects the series that fulfil a condition. */
export const selectSeries = (condition: SQL, tail: SQL = sql``): Query<SeriesRow[]> =>
  many(sql`${seriesHead()} WHERE ${condition} ${tail}`, raw => {
    const row = decodeRow(seriesColumns, raw)
    return { ...row, rdate: textsOf(row.rdate), exdate: textsOf(row.exdate) }
  })

const OCCURRENCE = {
  id: events.id,
  version: events.version,
  author_id: events.author_id,
  status: events.status,
  slug: events.slug,
  date_utc: events.date_utc,
  occurrence_date: events.occurrence_date,
  detached: events.detached,
}

/** Selects the occurrences of series, those in the trash included. @param ids a SELECT of ids of series */
export const selectOccurrences = (ids: SQL): Query<StoredOccurrence[]> =>
  many(
    sql`SELECT ${columnList(OCCURRENCE)} FROM ${events} WHERE ${events.series_id} IN (${ids})
      ORDER BY ${events.occurrence_date}`,
    raw => {
      const row = decodeRow(OCCURRENCE, raw)
      return { ...row, occurrence_date: row.occurrence_date ?? '', detached: textsOf(row.detached) }
    },
  )

/** Selects the relations of an event if it is an occurrence. @param event a SELECT of its id */
function selectRelations(event: SQL): Query<StoredRelations> {
  const targetsOf = (links: typeof eventVenues | typeof eventOrganizers) =>
    many(sql`SELECT target_id FROM ${links} WHERE event_id IN (${event}) ORDER BY position`, row =>
      Number(row.target_id),
    )
  const termsOf = (taxonomy: Taxonomy) =>
    many(
      sql`SELECT target_id FROM ${eventTerms} CROSS JOIN ${terms} ON ${terms.id} = target_id
        WHERE event_id IN (${event}) AND taxonomy = ${taxonomy}`,
      row => Number(row.target_id),
    )
  return together({
    venue: targetsOf(eventVenues),
    organizer: targetsOf(eventOrganizers),
    categories: termsOf('event_category'),
    tags: termsOf('event_tag'),
    image: mapped(
      first(
        sql`SELECT url FROM ${images} WHERE id IN (SELECT image_id FROM ${events} WHERE id IN (${event}))`,
        row => String(row.url),
      ),
      url => url ?? null,
    ),
  })
}

/** Selects an event for an update, with its series if it is an occurrence. */
export function selectStored(
  _: RequestContext,
  condition: SQL,
  values: Partial<EventFields>,
): Query<StoredEvent[]> {
  const seriesId = sql`SELECT ${events.series_id} FROM ${events} WHERE ${condition}`
  const occurrence = sql`SELECT ${events.id} FROM ${events} WHERE ${condition} AND ${events.series_id} IS NOT NULL`
  const isWide = scopeOf(values) !== 'this' || values.recurrence !== undefined
  return mapped(
    together({
      rows: selectPlainEvents(condition),
      series: selectSeries(sql`${series.id} IN (${seriesId})`),
      relations: selectRelations(occurrence),
      occurrences: isWide ? selectOccurrences(seriesId) : NONE,
      links: isWide ? selectLinkCounts(condition) : NO_COUNTS,
    }),
    ({ rows, series: [row], relations, occurrences, links }) =>
      rows.map(event => ({ ...event, series: row ? { ...row, relations, occurrences } : null, links })),
  )
}

const NO_COUNTS: Query<LinkCounts | undefined> = { statements: [], read: () => undefined }
const NONE: Query<StoredOccurrence[]> = { statements: [], read: () => [] }
