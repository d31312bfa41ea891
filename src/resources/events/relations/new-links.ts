import { type SQL, sql } from 'drizzle-orm'
import { many, mapped, type Query } from '../../../db/query.ts'
import {
  audit,
  eventOrganizers,
  events,
  eventVenues,
  imports,
  organizers,
  seriesOrganizers,
  seriesVenues,
  submissions,
  users,
  venues,
} from '../../../db/schema.ts'

/** The ids of the new venues and organizers of an event: unpublished ones that are published with it. */
export type NewLinks = Readonly<Record<'venue' | 'organizer', ReadonlySet<number>>>

export const NO_NEW_LINKS: NewLinks = { venue: new Set(), organizer: new Set() }

const KINDS = {
  venue: { table: venues, links: eventVenues, seriesLinks: seriesVenues },
  organizer: { table: organizers, links: eventOrganizers, seriesLinks: seriesOrganizers },
} as const

// In the SQL below, `event` is the event and `linked` the venue or organizer that it is linked to.

/**
 * True if the request of an entry of the audit wrote the event or its series, too. Clients may choose the id of a request, and
 * could choose that of an earlier one, but not its time.
 */
const wroteEvent = (entry: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${audit} AS own INDEXED BY audit_object
    WHERE own.request_id = ${entry}.request_id AND own.at_utc = ${entry}.at_utc
      AND (own.kind = 'event' AND own.object_id = event.id OR own.kind = 'series' AND own.object_id = event.series_id))`

/**
 * True for a venue or organizer that somebody who may not publish has created in the request for the event, if no later request
 * has set its status. An editor's venue is public at once unless the editor gives it a status, and hiding it later takes
 * another request.
 */
const cameWithIt = (kind: string): SQL =>
  sql`(EXISTS (SELECT 1 FROM ${audit} AS made INDEXED BY audit_object
      WHERE made.kind = ${kind} AND made.object_id = linked.id AND made.action = 'create'
        AND instr(made.fields, '"status"') = 0 AND ${wroteEvent(sql`made`)})
    AND NOT EXISTS (SELECT 1 FROM ${audit} AS decided INDEXED BY audit_object
      WHERE decided.kind = ${kind} AND decided.object_id = linked.id
        AND (decided.action <> 'update' OR instr(decided.fields, '"status"') > 0) AND NOT ${wroteEvent(sql`decided`)}))`

/** A condition for the submission of an event, which for a series names one of its dates. @param event the table or its alias */
export const isSubmissionOf = (event: SQL): SQL =>
  sql`(${submissions.event_id} = ${event}.id OR ${submissions.event_id} IN (
    SELECT sibling.id FROM ${events} AS sibling WHERE sibling.series_id = ${event}.series_id))`

/** True if a visitor has submitted the event. The author is then somebody else, who may have hidden venues. */
const isSubmitted = sql`EXISTS (SELECT 1 FROM ${submissions} WHERE ${isSubmissionOf(sql`event`)})`

/** True for a venue or organizer whose author is also the event's and may not publish it. */
const isAuthors = sql`(linked.author_id = event.author_id AND NOT ${isSubmitted} AND EXISTS (SELECT 1 FROM ${users}
    WHERE ${users.id} = linked.author_id AND role NOT IN ('administrator', 'editor')))`

/** True for a venue or organizer that a source has made, if the event is of the same source. */
const isOfSameSource = (kind: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${imports} AS theirs INDEXED BY imports_target
    WHERE theirs.kind = ${kind} AND theirs.target_id = linked.id AND theirs.imported_version IS NOT NULL
      AND substr(theirs.source, 1, 7) = 'source:' AND theirs.source IN (
        SELECT source FROM ${imports} WHERE kind = 'event' AND target_id = event.id
        UNION ALL SELECT source FROM ${imports} WHERE kind = 'series' AND target_id = event.series_id))`

/**
 * A query for the new venues and organizers of events: unpublished ones that were created with the event, that belong to its
 * author unless the author is an editor, or that come from the same source. All others stay as they are: those of an editor,
 * and those that were created with other events.
 *
 * @param ids a SELECT of the ids of events
 */
export const selectNewLinks = (ids: SQL): Query<ReadonlyMap<number, NewLinks>> =>
  mapped(
    many(
      sql`WITH asked(id) AS MATERIALIZED (${ids}) ${sql.join(
        (['venue', 'organizer'] as const).map(kind => {
          const { table, links, seriesLinks } = KINDS[kind]
          return sql`SELECT event.id AS event, ${kind} AS kind, linked.id AS id
            FROM asked CROSS JOIN ${events} AS event ON event.id = asked.id CROSS JOIN ${table} AS linked ON linked.id IN (
              SELECT target_id FROM ${links} WHERE event_id = event.id
              UNION ALL SELECT target_id FROM ${seriesLinks} WHERE series_id = event.series_id)
            WHERE linked.status IN ('draft', 'pending')
              AND (${cameWithIt(kind)} OR ${isAuthors} OR ${isOfSameSource(kind)})`
        }),
        sql` UNION ALL `,
      )}`,
      ({ event, kind, id }) => ({ event: Number(event), kind: String(kind), id: Number(id) }),
    ),
    found => {
      const named = (kind: string, rows: typeof found): Set<number> =>
        new Set(rows.flatMap(row => (row.kind === kind ? [row.id] : [])))
      return new Map(
        [...Map.groupBy(found, ({ event }) => event)].map(([event, rows]) => [
          event,
          { venue: named('venue', rows), organizer: named('organizer', rows) },
        ]),
      )
    },
  )
