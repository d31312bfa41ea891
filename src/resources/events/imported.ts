import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { defaultValues } from '../../db/bulk.ts'
import { inList, many, type Query } from '../../db/query.ts'
import { events, imports, organizers, series, venues } from '../../db/schema.ts'
import type { Row, Value } from '../../lib/connection.ts'
import type { Status } from '../../lib/statuses.ts'

// The rows that sources and imports have made, as the next import needs them.

/** The columns of a series that people can change here, in the order of the stored editions. */
const EDITION = (
  'status slug title description excerpt image_id all_day start_date end_date timezone cost website show_map ' +
  'show_map_link hide_from_listings sticky featured ticketed post_parent event_status event_status_reason ' +
  'virtual_event_type virtual_url virtual_video_source custom_fields rrule rdate'
).split(' ')

/**
 * The columns of a series that don't belong to its edition: those that the cron changes too, exceptions, each of which
 * belongs to an occurrence, and dates and authors, which stay when an import changes a series.
 */
const NO_EDITION =
  'id version author_id date date_utc modified modified_utc external_id uid sequence is_virtual exdate extend_from'.split(
    ' ',
  )

/**
 * All other columns. They count only if they differ from their defaults, so that a new column leaves the stored
 * editions as they are.
 */
const LATER = Object.entries(defaultValues(getTableColumns<SQLiteTable>(series))).filter(
  ([name]) => ![...EDITION, ...NO_EDITION].includes(name),
)

/** The relations of a series in one text, which is part of its edition as well. */
const LINKS = (['venues', 'organizers', 'terms'] as const)
  .map(
    name => `coalesce((SELECT group_concat(target_id) FROM (SELECT target_id FROM series_${name}
      WHERE series_id = series.id ORDER BY ${name === 'terms' ? 'target_id' : 'position'})), '')`,
  )
  .join(" || ';' || ")

/** The columns of a series that show whether people have changed it here, in SQL. */
export const EDITION_OF_SERIES = [...EDITION, ...LATER.map(([name]) => name), `${LINKS} AS links`]

/** The values of a series that show whether people have changed it here. @param links its relations in one text */
export const seriesEdition = (row: Row, links: Value | undefined): unknown[] => [
  ...EDITION.map(name => row[name] ?? null),
  links,
  ...LATER.flatMap(([name, fallback]) => {
    const value = row[name] ?? fallback
    return value === fallback ? [] : [[name, value]]
  }),
]

const RELATED = { venue: venues, organizer: organizers } as const

type Named = { source: string; kind: keyof typeof RELATED; ids: readonly string[] }

/** A query for the statuses of a source's venues or organizers, if public events of another origin use them. */
export function selectUsedElsewhere({
  source,
  kind,
  ids,
}: Named): Query<[externalId: string, status: Status][]> {
  const table = RELATED[kind]
  const isOfSource = (of: 'event' | 'series', id: typeof events.id | typeof events.series_id) =>
    sql`EXISTS (SELECT 1 FROM ${imports} AS own INDEXED BY imports_target
      WHERE own.kind = ${of} AND own.target_id = ${id} AND own.source = ${source})`
  return many(
    sql`SELECT related.external_id, stored.status FROM ${imports} AS related
      CROSS JOIN ${table} AS stored ON stored.id = related.target_id
      WHERE related.source = ${source} AND related.kind = ${kind} AND related.external_id IN ${inList(ids)} AND EXISTS (
        SELECT 1 FROM events_of AS link CROSS JOIN ${events} ON ${events.id} = link.event_id
        WHERE link.facet = ${kind} AND link.target_id = stored.id AND ${events.status} = 'publish'
          AND NOT ${isOfSource('event', events.id)} AND NOT ${isOfSource('series', events.series_id)})`,
    // The column `status` has no other values.
    row => [String(row.external_id), row.status as Status],
  )
}
