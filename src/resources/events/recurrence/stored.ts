import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { columnList, decodeRow, type RowOf } from '../../../db/columns.ts'
import { many, mapped, type Query, type RawRow, settled, together } from '../../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  images,
  series,
  terms,
} from '../../../db/schema.ts'
import { shaped } from '../../../db/shapes.ts'
import type { Image } from '../../content/images.ts'
import { selectPlainEvents } from '../queries.ts'
import type { PlainEventRow } from '../rows.ts'
import type { EventValues } from '../schema.ts'
import type { Scope } from './fields.ts'
import type { Pattern } from './pattern.ts'
import { type LinkCounts, RELATIONS, selectLinkCounts, textsOf } from './shared.ts'

export const seriesColumns = getTableColumns(series)

/** A series, with its dates read from JSON. */
export type SeriesRow = Omit<RowOf<typeof seriesColumns>, 'rdate' | 'exdate'> &
  Pick<Pattern, 'rdate' | 'exdate'>

/** The part of an occurrence that writes of its series need. */
export type StoredOccurrence = Pick<
  PlainEventRow,
  'id' | 'version' | 'sequence' | 'author_id' | 'status' | 'slug' | 'date_utc'
> & {
  occurrence_date: string
  detached: readonly string[]
}

/** The ids of an event's relations, in order, and its image. */
type StoredRelations = {
  venue: number[]
  organizer: number[]
  categories: number[]
  tags: number[]
  image: Pick<Image, 'url' | 'width' | 'height'> | null
}

export type StoredSeries = SeriesRow & {
  relations: StoredRelations
  /** All occurrences, if the write may affect several. */
  occurrences: readonly StoredOccurrence[]
}

/** An event before an update. */
export type StoredEvent = PlainEventRow & {
  /** Null for single events. */
  series: StoredSeries | null
  /** The relations of an occurrence, or of an event whose relations or image the write names. */
  relations?: StoredRelations | undefined
  /** The number of its links, or of its series' links, if the write may affect several occurrences. */
  links?: LinkCounts | undefined
}

/** An occurrence with its series. */
export type EventOfSeries = StoredEvent & { series: StoredSeries }

/** The scope of a write. A change of the recurrence affects all occurrences unless the client says otherwise. */
export const scopeOf = ({ scope, recurrence }: Pick<EventValues, 'scope' | 'recurrence'>): Scope =>
  scope ?? (recurrence === undefined ? 'this' : 'all')

const seriesHead = shaped(() => sql`SELECT ${columnList(seriesColumns)} FROM ${series}`)

/** Selects the series that meet a condition. */
export const selectSeries = (condition: SQL): Query<SeriesRow[]> =>
  many(sql`${seriesHead()} WHERE ${condition}`, readSeries)

export function readSeries(raw: RawRow): SeriesRow {
  const row = decodeRow(seriesColumns, raw)
  return { ...row, rdate: textsOf(row.rdate), exdate: textsOf(row.exdate) }
}

const OCCURRENCE = {
  id: events.id,
  version: events.version,
  sequence: events.sequence,
  author_id: events.author_id,
  status: events.status,
  slug: events.slug,
  date_utc: events.date_utc,
  occurrence_date: events.occurrence_date,
  detached: events.detached,
}

/** Selects the occurrences of series, including those in the trash. @param ids a SELECT of ids of series */
export const selectOccurrences = (ids: SQL): Query<StoredOccurrence[]> =>
  many(
    sql`SELECT ${columnList(OCCURRENCE)} FROM ${events} WHERE ${events.series_id} IN (${ids})
      ORDER BY ${events.occurrence_date}`,
    raw => {
      const row = decodeRow(OCCURRENCE, raw)
      return { ...row, occurrence_date: row.occurrence_date ?? '', detached: textsOf(row.detached) }
    },
  )

export const NO_RELATIONS: StoredRelations = {
  venue: [],
  organizer: [],
  categories: [],
  tags: [],
  image: null,
}

/** Selects the relations of occurrences, by id. @param ids a SELECT of ids of events */
export function selectRelations(ids: SQL): Query<ReadonlyMap<number, StoredRelations>> {
  const linked = (name: 'venue' | 'organizer', links: typeof eventVenues | typeof eventOrganizers) =>
    sql`SELECT ${sql.raw(`'${name}'`)} AS name, event_id, target_id, position, NULL AS url FROM ${links}
      WHERE event_id IN (${ids})`
  // One statement for all, because a separate one takes 30 µs (measured with five, in updates that took 7 ms of CPU).
  const found = sql`${linked('venue', eventVenues)} UNION ALL ${linked('organizer', eventOrganizers)}
    UNION ALL SELECT iif(taxonomy = 'event_tag', 'tags', 'categories'), event_id, target_id, 0, NULL
      FROM ${eventTerms} CROSS JOIN ${terms} ON ${terms.id} = target_id WHERE event_id IN (${ids})
    UNION ALL SELECT 'image', ${events.id}, ${images.width}, ${images.height}, ${images.url}
      FROM ${events} CROSS JOIN ${images} ON ${images.id} = ${events.image_id} WHERE ${events.id} IN (${ids})
    ORDER BY event_id, position, target_id`
  return mapped(many(found, readLink), links => {
    const relations = new Map<number, StoredRelations>()
    for (const { event, name, target, image } of links) {
      const of = relations.get(event) ?? { venue: [], organizer: [], categories: [], tags: [], image: null }
      relations.set(event, of)
      if (name === 'image') of.image = image
      else of[name].push(target)
    }
    return relations
  })
}

const readLink = (row: RawRow) => ({
  event: Number(row.event_id),
  // One of the names in the statement.
  name: row.name as (typeof RELATIONS)[number] | 'image',
  target: Number(row.target_id),
  // The columns are named after those of links, because one SELECT returns both.
  image: { url: String(row.url), width: numberOf(row.target_id), height: numberOf(row.position) },
})

const numberOf = (value: unknown): number | null => (value === null ? null : Number(value))

/** Selects events for updates, with their series if they are occurrences. */
export function selectStored(
  _: RequestContext,
  condition: SQL,
  values: readonly EventValues[],
): Query<StoredEvent[]> {
  const ofSeries = sql`SELECT ${events.series_id} FROM ${events} WHERE ${condition}`
  const namesRelations = values.some(one =>
    [...RELATIONS, 'image' as const].some(name => one[name] !== undefined),
  )
  const related = sql`SELECT ${events.id} FROM ${events}
    WHERE ${condition} AND ${namesRelations ? sql`1` : sql`${events.series_id} IS NOT NULL`}`
  // A write that may affect several occurrences names one event.
  const isSeriesWide = values.some(one => scopeOf(one) !== 'this' || one.recurrence !== undefined)
  const found = together({
    rows: selectPlainEvents(condition),
    series: selectSeries(sql`${series.id} IN (${ofSeries})`),
    relations: selectRelations(related),
    occurrences: isSeriesWide ? selectOccurrences(ofSeries) : settled<StoredOccurrence[]>([]),
    links: isSeriesWide ? selectLinkCounts(condition) : settled(undefined),
  })
  return mapped(found, ({ rows, series: all, relations, occurrences, links }) => {
    const byId = new Map(all.map(row => [row.id, row]))
    return rows.map(event => {
      const row = event.series_id === null ? undefined : byId.get(event.series_id)
      const ownRelations = relations.get(event.id) ?? NO_RELATIONS
      return {
        ...event,
        series: row ? { ...row, relations: ownRelations, occurrences } : null,
        relations: ownRelations,
        links,
      }
    })
  })
}
