import * as z from 'zod/mini'
import { assertOpen } from '../../calendar/submissions/limits.ts'
import { takeSubmission } from '../../calendar/submissions/receive.ts'
import { type SubmissionFields, submissionFields } from '../../calendar/submissions/schema.ts'
import { senderPath } from '../../calendar/submissions/sender-link.ts'
import { type RequestContext, restUrl } from '../../kit/context.ts'
import { idOf, missingFields } from '../../kit/http/input.ts'
import { defineList } from '../../kit/http/lists.ts'
import { lazyObject } from '../../kit/http/params.ts'
import { created, okVersioned } from '../../kit/http/reply.ts'
import { assertConditions } from '../../kit/http/revision.ts'
import { defineRoute, type Route } from '../../kit/http/route.ts'
import { decideSubmission } from './decide.ts'
import { assertSubmission, type SubmissionRow, selectSubmissionPage, submissionById } from './queries.ts'
import { type RemarkValues, remarkFields, remarkPath, takeRemark } from './remarks.ts'
import {
  type SubmissionResponse,
  sentSchema,
  submissionDecision,
  submissionList,
  submissionSchema,
} from './schema.ts'

const requires = 'edit_others_content'
const NO_SUBMISSION = 'rest-submission-not-found'

const serialize = (
  context: RequestContext,
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

const shown = (context: RequestContext, row: SubmissionRow) =>
  okVersioned({ body: serialize(context, row), version: row.version })

/** The fields of an event, or a remark on one: which of them are required depends on `about`. */
const sentFields = lazyObject('SentFields', () => ({
  ...z.partial(remarkFields, { about: true, text: true, email: true }).shape,
  ...z.partial(submissionFields, { title: true, start_date: true, end_date: true, email: true }).shape,
}))

/** The fields of a body as the fields of an event or a remark, without absent fields. */
const given = <T>(body: { readonly [K in keyof T]?: T[K] | undefined }): T => body as T

const send = defineRoute({
  methods: ['POST'],
  path: '/submissions',
  summary: 'Submit an event for editors to review, or a remark on one',
  requires: 'read',
  body: sentFields,
  complete: true,
  readsAsAnonymous: true,
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
    if (missing && !errors.any) throw missing
  },
  handle: async (context, { body }) => {
    const { about } = body
    if (about !== undefined) {
      await takeRemark(context, { values: given<RemarkValues>(body), turnstile: body.turnstile })
      const url = context.site + remarkPath(about)
      return created({ body: { state: 'pending' as const, url }, version: 1 }, url)
    }
    const { token } = await takeSubmission(context, { values: given<Partial<SubmissionFields>>(body) })
    const url = context.site + senderPath(token)
    return created({ body: { state: 'pending' as const, url }, version: 1 }, url)
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

const read = defineRoute({
  methods: ['GET'],
  path: '/submissions/{id}',
  summary: 'Read one submission',
  requires,
  isUncached: true,
  responses: { 200: submissionSchema },
  errors: ['rest_no_route', NO_SUBMISSION],
  load: (_, { key }) => submissionById(idOf(key)),
  prepare: (context, row) => {
    assertOpen(context)
    return assertSubmission(row)
  },
  handle: async (context, { prepared }) => shown(context, prepared),
})

const decide = defineRoute({
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/submissions/{id}',
  summary: 'Publish or refuse one submission',
  requires,
  body: submissionDecision,
  complete: true,
  responses: { 200: submissionSchema },
  errors: ['rest_no_route', NO_SUBMISSION, 'rest_submission_decided'],
  load: (_, { key }) => submissionById(idOf(key)),
  prepare: (context, row, { body: { state, note } }, errors) => {
    assertOpen(context)
    if (note && state !== 'refused') errors.add('note', 'goes with the state refused only')
    return assertConditions(context, assertSubmission(row))
  },
  handle: async (context, { prepared, body: { state = 'refused', note } }) =>
    shown(context, await decideSubmission(context, prepared, { state, note })),
})

export const submissionRoutes: Route[] = [send, list, read, decide]
