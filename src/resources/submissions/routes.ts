import { created } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { submissionFields, submissionSchema } from './schema.ts'
import { assertOpen, takeSubmission } from './take.ts'

/** The address of the page of a submission. */
export const senderPath = (token: string): string => `/submit/${token}/`

export const submissionRoutes: Route[] = [
  defineRoute({
    methods: ['POST'],
    path: '/submissions',
    summary: 'Submit an event for editors to review',
    requires: 'read',
    body: submissionFields,
    complete: true,
    readsAsAnonymous: true,
    responses: { 201: submissionSchema },
    headers: { Location: 'The page of the submission, as in `url`.' },
    errors: ['rest_no_route', 'rest_submission_refused', 'rest_submission_exists'],
    prepare: context => assertOpen(context),
    handle: async (context, { body }) => {
      const url = context.site + senderPath(await takeSubmission(context, { values: body }))
      return created({ body: { state: 'pending' as const, url }, version: 1, headers: { Location: url } })
    },
  }),
]
