import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { assertOpen } from '../../calendar/intake/checks.ts'
import { refuseStatement } from '../../calendar/intake/queries.ts'
import { takeSubmission } from '../../calendar/intake/receive.ts'
import { type SubmissionFields, submissionFields } from '../../calendar/intake/schema.ts'
import { senderPath } from '../../calendar/intake/sender-link.ts'
import { type BaseContext, type RequestContext, restUrl, type WriteRequest } from '../../kit/context.ts'
import { countOf, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, submissions } from '../../kit/db/tables.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { dispatch } from '../../kit/http/dispatch.ts'
import { errorIn } from '../../kit/http/error-replies.ts'
import { missingFields } from '../../kit/http/input.ts'
import { defineList } from '../../kit/http/lists.ts'
import { lazyObject } from '../../kit/http/params.ts'
import { createdReply, okVersioned } from '../../kit/http/reply.ts'
import { requireVersion } from '../../kit/http/revision.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { eventOrSeriesPath, ifVersion } from '../../site/forms/requests.ts'
import {
  requireSubmission,
  type SubmissionRow,
  selectSubmissionById,
  selectSubmissionPage,
} from './queries.ts'
import { type RemarkValues, remarkFields, remarkPath, takeRemark } from './remarks.ts'
import {
  type SubmissionResponse,
  sentSchema,
  submissionDecision,
  submissionList,
  submissionSchema,
} from './schema.ts'

/** An editor's decision about a submission. */
type Decision = { state: 'published' | 'refused' | 'spam'; note?: string | undefined }

/**
 * Publishes a submitted event with the venues and organizers that came with it, or moves it to the trash; for
 * a series, all of its dates. A submission that is already in that state stays as it is, except for the note.
 *
 * @throws ApiError `rest_submission_decided` if it was decided otherwise
 */
export async function decideSubmission(
  context: RequestContext,
  storedSubmission: SubmissionRow,
  decision: Decision,
): Promise<SubmissionRow> {
  if (storedSubmission.state === decision.state) {
    if (decision.note)
      await context.db.write([
        build.update(submissions).set({ note: decision.note }).where(eq(submissions.id, storedSubmission.id)),
      ])
    return storedSubmission
  }
  if (storedSubmission.version === 0) throw decidedError('The event of this submission has been deleted.')
  if (storedSubmission.state !== 'pending' && storedSubmission.state !== 'returned')
    throw decidedError(`This submission is ${storedSubmission.state}: change its event instead.`)
  await (decision.state === 'published'
    ? publish(context, storedSubmission)
    : refuse(context, storedSubmission, decision))
  return requireSubmission(await context.db.read(selectSubmissionById(storedSubmission.id)))
}

const decidedError = (message: string) => new ApiError('rest_submission_decided', message)

async function publish(context: RequestContext, submission: SubmissionRow): Promise<void> {
  const { version } = submission
  await write(context, {
    method: 'PATCH',
    path: eventOrSeriesPath(submission.event_id, submission.series_id),
    body: { status: 'publish' },
    // The sender may change the event until the decision.
    headers: ifVersion(version),
  })
}

async function refuse(
  context: RequestContext,
  submission: SubmissionRow,
  { state, note = '' }: Decision,
): Promise<void> {
  const { event_id: id, series_id, version } = submission
  const otherDateCount = await context.db.read(
    countOf(
      sql`${events} AS sent CROSS JOIN ${events} AS other INDEXED BY events_occurrence ON other.series_id = coalesce(sent.series_id, 0)
        WHERE sent.id = ${id} AND other.status NOT IN ('trash', sent.status)`,
    ),
  )
  // Moving the series to the trash would include dates that an editor has decided on.
  if (otherDateCount > 0)
    throw decidedError('Some dates of this series have another status: change its events instead.')
  const statements = [
    ...(state === 'spam' ? [refuseStatement([{ id, version }], { is_spam: true })] : []),
    refuseStatement([{ id, version }], { note }),
  ]
  // The version to which the statements apply.
  const headers = ifVersion(version)
  await write(context, { method: 'DELETE', path: eventOrSeriesPath(id, series_id), headers }, statements)
}

/**
 * Carries out the write of a decision, whose transaction begins with some statements. @throws ApiError the
 * write's error
 */
async function write(
  context: RequestContext,
  request: WriteRequest,
  statements: readonly Statement[] = [],
): Promise<void> {
  const {
    replies: [reply],
  } = await dispatch(context, [request], { before: { statements } })
  if (reply && reply.status >= 400) throw errorIn(reply)
}

const requires = 'edit_others_content'
const NO_SUBMISSION = 'rest-submission-not-found'

const serialize = (
  context: BaseContext,
  { id, event_id, name, email, created_utc, state, via, likeness, isLikelySpam }: SubmissionRow,
): SubmissionResponse => ({
  id,
  rest_url: restUrl(context, 'submissions', id),
  event: event_id,
  name,
  email,
  sent: created_utc,
  state,
  ...(via !== '' && { via }),
  likely_spam: isLikelySpam === 1,
  likeness,
})

const shownReply = (context: BaseContext, row: SubmissionRow) =>
  okVersioned({ body: serialize(context, row), version: row.version })

/** The fields of an event, or a remark on one: which of them are required depends on `about`. */
const sentFields = lazyObject('SentFields', () => ({
  ...z.partial(remarkFields, { about: true, text: true, email: true }).shape,
  ...z.partial(submissionFields, { title: true, start_date: true, end_date: true, email: true }).shape,
}))

/** The fields of a body as the fields of an event or a remark, without absent fields. */
const givenFields = <T>(body: { readonly [K in keyof T]?: T[K] | undefined }): T => body as T

const send = defineWrite({
  methods: ['POST'],
  path: '/submissions',
  summary: 'Submit an event for editors to review, or a remark on one',
  requires: 'read',
  body: sentFields,
  complete: true,
  ignoresCaller: true,
  responses: { 201: sentSchema },
  headers: { Location: 'The page of the submission, as in `url`.' },
  errors: [
    'rest_no_route',
    'rest_submission_refused',
    'rest_submission_exists',
    'rest_submissions_misconfigured',
  ],
  prepare: (context, _, { body }, errors) => {
    assertOpen(context)
    const missing = missingFields(body.about === undefined ? submissionFields : remarkFields, body)
    // A field with an error isn't missing.
    if (missing && !errors.hasAny) throw missing
  },
  handle: async (context, { body }) => {
    const { about } = body
    if (about !== undefined) {
      await takeRemark(context, { values: givenFields<RemarkValues>(body), turnstile: body.turnstile })
      const url = context.site + remarkPath(about)
      return createdReply({ body: { state: 'pending' as const, url }, version: 1 }, url)
    }
    const { token } = await takeSubmission(context, { values: givenFields<Partial<SubmissionFields>>(body) })
    const url = context.site + senderPath(token)
    return createdReply({ body: { state: 'pending' as const, url }, version: 1 }, url)
  },
})

const list = defineList({
  id: 'SubmissionList',
  plural: 'submissions',
  item: submissionSchema,
  params: submissionList,
  requires,
  isUncached: true,
  noPage: 'submission-archive-page-not-found',
  errors: ['rest_no_route'],
  validate: context => assertOpen(context),
  select: (_, { values, page }) => selectSubmissionPage(values, page),
  serialize: (context, rows) => rows.map(row => serialize(context, row)),
})

const read = defineRead({
  path: '/submissions/{id}',
  summary: 'Read one submission',
  requires,
  isUncached: true,
  responses: { 200: submissionSchema },
  errors: ['rest_no_route', NO_SUBMISSION],
  load: (_, { id }) => selectSubmissionById(id),
  prepare: (context, row) => {
    assertOpen(context)
    return requireSubmission(row)
  },
  handle: async (context, { prepared }) => shownReply(context, prepared),
})

const decide = defineWrite({
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/submissions/{id}',
  summary: 'Publish or refuse one submission',
  requires,
  body: submissionDecision,
  complete: true,
  responses: { 200: submissionSchema },
  errors: ['rest_no_route', NO_SUBMISSION, 'rest_submission_decided'],
  load: (_, { id }) => selectSubmissionById(id),
  prepare: (context, row, { body: { state, note } }, errors) => {
    assertOpen(context)
    if (note && state !== 'refused') errors.add('note', 'must be left out, unless the state is refused')
    return requireVersion(context, requireSubmission(row))
  },
  handle: async (context, { prepared, body: { state = 'refused', note } }) =>
    shownReply(context, await decideSubmission(context, prepared, { state, note })),
})

export const submissionRoutes: Route[] = [send, list, read, decide]
