import { sql } from 'drizzle-orm'
import { NO_NEW_LINKS, selectNewLinks } from '../../calendar/events/relations/links.ts'
import { refuseStatement } from '../../calendar/submissions/queries.ts'
import type { RequestContext, WriteRequest } from '../../kit/context.ts'
import { countOf } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { dispatch } from '../../kit/http/dispatch.ts'
import { errorIn } from '../../kit/http/error-replies.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { assertSubmission, type SubmissionRow, submissionById } from './queries.ts'

/** An editor's decision about a submission. */
type Decision = { state: 'published' | 'refused' | 'spam'; note?: string | undefined }

/**
 * Publishes a submitted event with the venues and organizers that came with it, or moves it to the trash; for a series,
 * all of its dates. A submission that is already in that state stays as it is.
 *
 * @throws ApiError `rest_submission_decided` if it was decided otherwise
 */
export async function decideSubmission(
  context: RequestContext,
  stored: SubmissionRow,
  decision: Decision,
): Promise<SubmissionRow> {
  if (stored.state === decision.state) return stored
  if (stored.version === 0) throw decided('The event of this submission has been deleted.')
  if (stored.state !== 'pending' && stored.state !== 'returned')
    throw decided(`This submission is ${stored.state}: change its event instead.`)
  await (decision.state === 'published' ? publish(context, stored) : refuse(context, stored, decision))
  return assertSubmission(await context.db.read(submissionById(stored.id)))
}

const decided = (message: string) => new ApiError('rest_submission_decided', message)

async function publish(context: RequestContext, submission: SubmissionRow): Promise<void> {
  const { event_id, version } = submission
  const newLinks = await context.db.read(selectNewLinks(sql`SELECT ${event_id}`))
  const { venue, organizer } = newLinks.get(event_id) ?? NO_NEW_LINKS
  const along = [
    ...Array.from(venue, id => `/venues/${id}`),
    ...Array.from(organizer, id => `/organizers/${id}`),
  ]
  const published = (path: string) => ({ method: 'PATCH', path, body: { status: 'publish' } })
  await write(context, [
    // The sender may change the event until the decision.
    { ...published(submissionPath(submission)), headers: ifEventVersion(version) },
    ...along.map(published),
  ])
}

/** The header of a write that fails if the event has another version. */
const ifEventVersion = (version: number) => ({ 'if-match': `"-v${version}"` })

async function refuse(
  context: RequestContext,
  submission: SubmissionRow,
  { state, note = '' }: Decision,
): Promise<void> {
  const { event_id: id, version } = submission
  const others = await context.db.read(
    countOf(
      sql`${events} AS other CROSS JOIN ${events} AS sent ON sent.id = ${id} AND sent.series_id = other.series_id
        WHERE other.status NOT IN ('trash', sent.status)`,
    ),
  )
  // Moving the series to the trash would include dates that an editor has decided on.
  if (others > 0) throw decided('Some dates of this series have another status: change its events instead.')
  const statements = [
    ...(state === 'spam' ? [refuseStatement([{ id, version }], { is_spam: true })] : []),
    ...(note === '' ? [] : [refuseStatement([{ id, version }], { note })]),
  ]
  // The version to which the statements apply.
  const headers = ifEventVersion(version)
  await context.db.withPrepended(statements, () =>
    write(context, [{ method: 'DELETE', path: submissionPath(submission), headers }]),
  )
}

/** The path of an event, or of all dates of its series. */
const submissionPath = ({ event_id, series_id }: SubmissionRow): string =>
  `/events/${event_id}${series_id === null ? '' : '?scope=all'}`

/** Does all writes of a decision, or none. @throws ApiError the first error */
async function write(context: RequestContext, requests: readonly WriteRequest[]): Promise<void> {
  const { replies } = await dispatch(context, requests, { isWhole: requests.length > 1 })
  const refused = replies.find(reply => reply && reply.status >= 400)
  if (refused) throw errorIn(refused)
}
