import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RowOf } from '../../kit/db/columns.ts'
import {
  first,
  inList,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { organizers, sources, terms, venues } from '../../kit/db/tables.ts'
import { lessPublic, type Status } from '../../kit/lib/statuses.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { type LinkedIds, NO_LINKS } from '../events/imported-events.ts'
import {
  type AnyRecord,
  type EventLike,
  isEventLike,
  isTerm,
  type RecordKind,
  recordKey,
  seriesOf,
} from './records.ts'

const sourceColumns = getTableColumns(sources)
export type SourceRow = RowOf<typeof sourceColumns>

/** A query for one source, unless it is being deleted. @param id a number or an expression */
export const selectSourceById = (id: number | SQL): Query<SourceRow | undefined> =>
  first(
    build
      .select()
      .from(sources)
      .where(and(eq(sources.id, id), eq(sources.is_being_deleted, false))),
  )

// The settings of a scheduled source that its records get: the status in which new ones wait, and links of
// events.

/** The settings of a source. Its links are ids. */
export type SourceSettings = Pick<SourceRow, 'status' | 'categories' | 'tags' | 'venue' | 'organizer'>

/** A query for the terms, venue and organizer that a source gives its events, as far as they still exist. */
export const selectSourceLinks = ({
  categories,
  tags,
  venue,
  organizer,
}: SourceSettings): Query<LinkedIds> => {
  const termIds = [categories, tags].flatMap(ids => storedJson<number[]>(ids))
  if (termIds.length === 0 && venue === null && organizer === null) return resolvedQuery(NO_LINKS)
  const presentIn = (table: typeof venues | typeof organizers, id: number | null) =>
    sql`FROM ${table} WHERE ${table.id} = ${id} AND ${table.status} <> 'trash'`
  const rows = many(
    sql`SELECT iif(${terms.taxonomy} = 'event_tag', 'tags', 'categories') AS field, ${terms.id} AS id
      FROM ${terms} WHERE ${terms.id} IN ${inList(termIds)}
      UNION ALL SELECT 'venue', ${venues.id} ${presentIn(venues, venue)}
      UNION ALL SELECT 'organizer', ${organizers.id} ${presentIn(organizers, organizer)}`,
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

/** The id that an event has both as a single event and as dates of a series. */
export const uidOf = (record: EventLike): string =>
  (record.kind === 'event' && record.occurrence?.series) || seriesOf(record.externalId) || record.externalId

/**
 * Gives new records the status in their source's settings, unless they say that they are not public. Imported
 * content keeps its status: a changed setting does not publish content that waits, only somebody who has seen
 * it does. Content that its source or an editor has made private counts as new. Terms have no status: if a
 * source's content waits, its terms become public with the events that name them.
 */
export function withStatuses(
  records: readonly AnyRecord[],
  { status }: SourceSettings,
  mappings: readonly { kind: RecordKind; external_id: string; status: Status | null }[],
): AnyRecord[] {
  const storedStatuses = new Map(
    mappings.flatMap(({ kind, external_id, status }): [string, Status][] =>
      status === null || status === 'trash' || status === 'private'
        ? []
        : [[recordKey(kind, external_id), status]],
    ),
  )
  const newStatus = (record: AnyRecord): Status => {
    const formStatuses = isEventLike(record)
      ? ['series', 'event'].map(kind => storedStatuses.get(recordKey(kind, uidOf(record))))
      : []
    return formStatuses.reduce<Status>(
      (least, storedStatus) => lessPublic(least, storedStatus ?? least),
      status,
    )
  }
  return records.map((record): AnyRecord => {
    const storedStatus = storedStatuses.get(recordKey(record.kind, record.externalId)) ?? newStatus(record)
    if (isTerm(record)) return storedStatus === 'publish' ? record : { ...record, standalone: false }
    if (record.status === 'publish') return { ...record, status: storedStatus }
    // Whether the record is public is in doubt, whatever the settings say: somebody has to look at it.
    if (record.status === 'pending') return { ...record, status: lessPublic(storedStatus, 'pending') }
    // A draft at its source is not a draft that waits here: it becomes public once its source publishes it.
    return { ...record, status: record.status === 'trash' ? 'trash' : 'private' }
  })
}
