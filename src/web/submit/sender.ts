import { eq, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { first, together } from '../../db/query.ts'
import { events, reviewNotes, submissions } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { ANONYMOUS } from '../../lib/roles.ts'
import type { OrganizerRow, VenueRow } from '../../resources/content/related/resource.ts'
import { isRowReadable } from '../../resources/content/visibility.ts'
import { type Along, NOTHING_ALONG, selectAlong } from '../../resources/events/relations/along.ts'
import { EVENTS } from '../../resources/events/resource.ts'
import type { EventRow } from '../../resources/events/rows.ts'

/** A submission as its sender finds it. */
export type Submission = {
  id: number
  hasContact: boolean
  isWithdrawn: boolean
  /** What the editors wrote; '' for nothing. */
  note: string
  event: EventRow | undefined
}

/** What has become of a submission. One that was returned may be changed, as one that waits. */
export type SubmissionState =
  | 'pending'
  | 'working'
  | 'returned'
  | 'published'
  | 'planned'
  | 'refused'
  | 'withdrawn'

/** The rights with which a sender sees and changes an event: those of a contributor to whom it belongs. */
export const asSender = (context: RequestContext, authorId: number): RequestContext => ({
  ...context,
  caller: { id: authorId, role: 'contributor' },
  isVisitor: true,
})

/** The submission of a token, with its event, whoever may read that; undefined if there is none. */
export async function submissionByToken(
  context: RequestContext,
  digest: string,
): Promise<Submission | undefined> {
  const found = await context.db.get(
    first(
      build
        .select({
          id: submissions.id,
          eventId: submissions.event_id,
          authorId: events.author_id,
          email: submissions.email,
          isWithdrawn: submissions.is_withdrawn,
          note: sql<string>`coalesce(nullif(${submissions.note}, ''),
            (SELECT note FROM ${reviewNotes} WHERE kind = 'event' AND object_id = ${submissions.event_id}),
            (SELECT note FROM ${reviewNotes} WHERE kind = 'series' AND object_id = ${events.series_id}), '')`,
        })
        .from(submissions)
        .leftJoin(events, eq(events.id, submissions.event_id))
        .where(eq(submissions.token_digest, digest)),
    ),
  )
  if (!found) return undefined
  const { eventId, authorId: author, email, ...rest } = found
  const submission = { ...rest, hasContact: email !== '' }
  const authorId = author ?? 0
  const { rows, along } = await context.db.get(
    together({
      rows: EVENTS.select(asSender(context, authorId), eq(events.id, eventId)),
      along: selectAlong(sql`SELECT ${eventId}`),
    }),
  )
  const [event] = rows
  return { ...submission, event: event && asSent(context, event, along.get(eventId) ?? NOTHING_ALONG) }
}

/**
 * An event with the venues and organizers that its sender may know of: those that are public, and those that were described along
 * with it. The user to whom it belongs may have others, and editors link what they like.
 */
const asSent = (context: RequestContext, event: EventRow, along: Along): EventRow => ({
  ...event,
  venues: event.venues.filter(row => isPublic(context, row) || along.venue.has(row.id)),
  organizers: event.organizers.filter(row => isPublic(context, row) || along.organizer.has(row.id)),
})

const isPublic = (context: RequestContext, row: VenueRow | OrganizerRow): boolean =>
  isRowReadable(row, { ...context, caller: ANONYMOUS })

export function submissionState({ isWithdrawn, event, note }: Submission): SubmissionState {
  if (isWithdrawn) return 'withdrawn'
  if (!event || event.status === 'trash') return 'refused'
  if (event.status === 'pending') return 'pending'
  if (event.status === 'draft') return note === '' ? 'working' : 'returned'
  return event.status === 'publish' ? 'published' : 'planned'
}
