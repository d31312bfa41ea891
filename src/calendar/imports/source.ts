import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RowOf } from '../../kit/db/columns.ts'
import {
  first,
  inList,
  many,
  mapQuery,
  type Query,
  type RawRow,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { sources } from '../../kit/db/tables.ts'
import { lessPublic, type Status } from '../../kit/lib/statuses.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { type LinkedIds, NO_LINKS } from '../events/imported-events.ts'
import { type AnyRecord, type EventLike, isEventLike, isTerm, recordKey, seriesOf } from './records.ts'

const sourceColumns = getTableColumns(sources)
export type SourceRow = RowOf<typeof sourceColumns>

/** A query for one source, unless it is being deleted. @param id a number or an expression */
export const sourceById = (id: number | SQL): Query<SourceRow | undefined> =>
  first(
    build
      .select()
      .from(sources)
      .where(and(eq(sources.id, id), eq(sources.is_ending, false))),
  )

// The settings of a scheduled source that its records get: the status in which new ones wait, and links of
// events.

/** The settings of a source. Its links are ids. */
export type SourceSettings = Pick<SourceRow, 'status' | 'categories' | 'tags' | 'venue' | 'organizer'>

/** A query for the terms, venue and organizer that a source gives its events, as far as they still exist. */
export const selectOwn = ({ categories, tags, venue, organizer }: SourceSettings): Query<LinkedIds> => {
  const terms = [categories, tags].flatMap(ids => storedJson<number[]>(ids))
  if (terms.length === 0 && venue === null && organizer === null) return resolvedQuery(NO_LINKS)
  const presentSql = (id: number | null) => sql`id = ${id} AND status <> 'trash'`
  const rows = many(
    sql`SELECT iif(taxonomy = 'event_tag', 'tags', 'categories') AS field, id FROM terms WHERE id IN ${inList(terms)}
      UNION ALL SELECT 'venue', id FROM venues WHERE ${presentSql(venue)}
      UNION ALL SELECT 'organizer', id FROM organizers WHERE ${presentSql(organizer)}`,
    { field: readText, id: readNumber },
  )
  return mapQuery(rows, linkRows => {
    const idsOf = (name: keyof LinkedIds) => linkRows.flatMap(({ field, id }) => (field === name ? [id] : []))
    return {
      venue: idsOf('venue'),
      organizer: idsOf('organizer'),
      categories: idsOf('categories'),
      tags: idsOf('tags'),
    }
  })
}

/**
 * An expression for the status of a mapping's row. A category that is only public along with its events waits
 * with them. A venue or organizer that a public event names stops waiting once its source publishes.
 */
export function statusOfRow({ status }: SourceSettings): SQL {
  const statusOf = (kind: 'venue' | 'organizer') =>
    sql.raw(`(SELECT status FROM ${kind}s WHERE id = target_id
      AND NOT (${Number(status === 'publish')} AND status IN ('pending', 'draft') AND EXISTS (
        SELECT 1 FROM events_of AS link CROSS JOIN events ON events.id = link.event_id
        WHERE link.facet = '${kind}' AND link.target_id = ${kind}s.id AND events.status = 'publish')))`)
  return sql`CASE imports.kind
    WHEN 'event' THEN (SELECT status FROM events WHERE id = target_id)
    WHEN 'series' THEN (SELECT status FROM series WHERE id = target_id)
    WHEN 'venue' THEN ${statusOf('venue')}
    WHEN 'organizer' THEN ${statusOf('organizer')}
    ELSE (SELECT iif(standalone, 'publish', 'pending') FROM terms WHERE id = target_id) END`
}

/** The id that an event has both as a single event and as dates of a series. */
export const uidOf = (record: EventLike): string =>
  (record.kind === 'event' && record.occurrence?.series) || seriesOf(record.externalId) || record.externalId

/**
 * Gives new records the status in their source's settings, unless they say that they are not public. Imported
 * content keeps its status: a changed setting does not publish content that waits, only somebody who has seen
 * it does. Content that its source or an editor has made private counts as new. Terms have no status: if a
 * source's content waits, its terms become public with the events that name them.
 *
 * @param mappings with the status of each row
 */
export function withStatuses(
  records: readonly AnyRecord[],
  { status }: SourceSettings,
  mappings: readonly RawRow[],
): AnyRecord[] {
  const storedStatuses = new Map(
    mappings.flatMap(({ kind, external_id, status }): [string, Status][] =>
      // Columns of statuses have no other values.
      status === null || status === 'trash' || status === 'private'
        ? []
        : [[recordKey(kind, external_id), status as Status]],
    ),
  )
  const newStatus = (record: AnyRecord): Status => {
    const forms = isEventLike(record)
      ? ['series', 'event'].map(kind => storedStatuses.get(recordKey(kind, uidOf(record))))
      : []
    return forms.reduce<Status>((least, storedStatus) => lessPublic(least, storedStatus ?? least), status)
  }
  return records.map((record): AnyRecord => {
    const storedStatus = storedStatuses.get(recordKey(record.kind, record.externalId)) ?? newStatus(record)
    if (isTerm(record)) return storedStatus === 'publish' ? record : { ...record, standalone: false }
    if (record.status === 'publish') return { ...record, status: storedStatus }
    // Whether it is public is in doubt, whatever the settings say: somebody has to look at it.
    if (record.status === 'pending') return { ...record, status: lessPublic(storedStatus, 'pending') }
    // A draft at its source is not one that waits here: it becomes public once its source publishes it.
    return { ...record, status: record.status === 'trash' ? 'trash' : 'private' }
  })
}
