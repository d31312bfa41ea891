import { eq, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { countOf, inList, together } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { ApiError, ValidationErrors } from '../../lib/errors.ts'
import type { RelatedResource, RelatedRow, RelatedValues } from '../content/related/resource.ts'
import { relatedWrites } from '../content/related/writes.ts'
import { assertNotInTrash } from '../content/trash.ts'
import { NOTHING_ALONG, selectAlong } from '../events/relations/along.ts'
import { EVENTS } from '../events/resource.ts'
import { eventWrites } from '../events/writes.ts'
import { ORGANIZERS } from '../organizers/resource.ts'
import { VENUES } from '../venues/resource.ts'
import { assertSubmission, refuseStatement, type SubmissionRow, submissionById } from './queries.ts'

/** What an editor decides about a submission. */
export type Decision = { state: 'published' | 'refused' | 'spam'; note?: string | undefined }

/**
 * Publishes a submitted event with the venues and organizers that came with it, or moves it to the trash; for a series,
 * all of its dates. A submission that is already in that state stays as it is. The classifier learns from the decision
 * later.
 *
 * @throws ApiError `rest_submission_decided` if it was decided otherwise
 */
export async function decideSubmission(
  context: RequestContext,
  stored: SubmissionRow,
  decision: Decision,
): Promise<SubmissionRow> {
  if (stored.state === decision.state) return stored
  if (stored.state !== 'pending' && stored.state !== 'returned')
    throw decided(`This submission is ${stored.state}: change its event instead.`)
  await (decision.state === 'published' ? publish(context, stored) : refuse(context, stored, decision))
  return assertSubmission(await context.db.get(submissionById(stored.id)))
}

const decided = (message: string) => new ApiError('rest_submission_decided', message)

/** The decision on a series covers all of its dates. */
const VALUES = { status: 'publish', scope: 'all' } as const

async function publish(context: RequestContext, { event_id }: SubmissionRow): Promise<void> {
  const found = await context.db.get(
    together({
      stored: eventWrites.selectStored(context, eq(events.id, event_id), [VALUES]),
      found: eventWrites.lookUp(context, [VALUES]),
      along: selectAlong(sql`SELECT ${event_id}`),
    }),
  )
  const [stored] = found.stored
  if (!stored) throw decided('The event of this submission has been deleted.')
  const values = stored.series_id === null ? { status: VALUES.status } : VALUES
  const errors = new ValidationErrors()
  const prepared = eventWrites.prepare(context, { values, stored, found: found.found }, errors)
  errors.throwIfAny()
  const { venue, organizer } = found.along.get(event_id) ?? NOTHING_ALONG
  const db = context.db.joined()
  const joined = { ...context, db }
  await db.run<unknown>([
    () => eventWrites.write(joined, [prepared]),
    ...(venue.size > 0 ? [await publishing(joined, VENUES, [...venue])] : []),
    ...(organizer.size > 0 ? [await publishing(joined, ORGANIZERS, [...organizer])] : []),
  ])
}

/** The write that publishes some venues or organizers. */
async function publishing<R extends RelatedRow, Body>(
  context: RequestContext,
  resource: RelatedResource<R, Body>,
  ids: readonly number[],
): Promise<() => Promise<unknown>> {
  const writes = relatedWrites<R, Body, RelatedValues>(resource)
  const values = { status: 'publish' } as const
  const { rows, found } = await context.db.get(
    together({
      rows: writes.selectStored(context, sql`${resource.table.id} IN ${inList(ids)}`, [values]),
      found: writes.lookUp(context, [values]),
    }),
  )
  const errors = new ValidationErrors()
  const prepared = rows.map(stored => writes.prepare(context, { values, stored, found }, errors))
  errors.throwIfAny()
  return () => writes.write(context, prepared)
}

async function refuse(
  context: RequestContext,
  { event_id }: SubmissionRow,
  { state, note = '' }: Decision,
): Promise<void> {
  const { rows, others } = await context.db.get(
    together({
      rows: EVENTS.select(context, eq(events.id, event_id)),
      others: countOf(
        sql`${events} AS other CROSS JOIN ${events} AS sent ON sent.id = ${event_id} AND sent.series_id = other.series_id
          WHERE other.status NOT IN ('trash', sent.status)`,
      ),
    }),
  )
  const [row] = rows
  if (!row) throw decided('The event of this submission has been deleted.')
  // Moving the series to the trash would include dates that an editor has decided on.
  if (others > 0) throw decided('Some dates of this series have another status: change its events instead.')
  context.db.precede([
    ...(state === 'spam' ? [refuseStatement([row], { is_spam: true })] : []),
    ...(note === '' ? [] : [refuseStatement([row], { note })]),
  ])
  const scope = row.series_id === null ? 'this' : 'all'
  const trashed = await eventWrites.prepareTrash(context, { row, options: { scope } })
  assertNotInTrash(EVENTS, row)
  await eventWrites.write(context, [trashed])
}
