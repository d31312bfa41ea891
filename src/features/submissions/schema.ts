import * as z from 'zod/mini'
import { pageParams } from '../../kit/http/lists.ts'
import * as p from '../../kit/http/params.ts'
import { cleanPlain } from '../../kit/lib/text.ts'
import { asText, requireLength } from '../../kit/lib/values.ts'

export const sentSchema = p.lazyObject('SentSubmission', () => ({
  state: z.literal('pending'),
  url: p.documented(
    z.string(),
    'The page of the submission, where it can be seen, changed and withdrawn. It is shown only here, and anybody who has it counts as the sender.',
  ),
}))

/** The states of a submission; a `returned` submission waits for its sender to change it. */
const SUBMISSION_STATES = ['pending', 'returned', 'published', 'refused', 'spam', 'withdrawn'] as const
export type SubmissionState = (typeof SUBMISSION_STATES)[number]

export const submissionList = p.lazyObject('SubmissionParams', () => ({
  ...pageParams,
  state: z.optional(
    p.oneOf(SUBMISSION_STATES, { description: 'Only submissions in this state.', example: 'pending' }),
  ),
  likely_spam: z.optional(
    p.flag({
      description: 'Only submissions that look like spam, or only those that do not.',
      example: false,
    }),
  ),
}))

const MAX_NOTE_LENGTH = 2_000

export const submissionDecision = p.lazyObject('SubmissionDecision', () => ({
  state: p.oneOf(['published', 'refused', 'spam'], {
    description:
      'The decision: `published` also publishes the venues and organizers that came along, the others move the event to the trash.',
    example: 'published',
  }),
  note: z.optional(
    // A note is stored as the editor stores it: the sender of the submission reads plain text.
    p.field(raw => requireLength(cleanPlain(asText(raw).replaceAll('\r\n', '\n')).trim(), MAX_NOTE_LENGTH), {
      type: 'string',
      maxLength: MAX_NOTE_LENGTH,
      description: 'A note to the sender, plain text; only with `refused`.',
      example: 'Too far away.',
    }),
  ),
}))

export const submissionSchema = p.lazyObject('Submission', () => ({
  id: z.int(),
  rest_url: z.string(),
  event: p.documented(z.int(), 'Id of its event: of a series, of the first date that is not in the trash.'),
  name: z.string(),
  email: p.documented(z.string(), 'Empty 90 days after the decision.'),
  sent: p.documented(z.string(), 'UTC.'),
  state: z.enum(SUBMISSION_STATES),
  via: z.optional(
    p.documented(z.literal('email'), 'How it was sent: `email`; absent for forms and programs.'),
  ),
  likely_spam: z.boolean(),
  likeness: p.documented(z.number(), 'How much it looks like spam, from 0 to 1.'),
}))

export type SubmissionResponse = z.output<typeof submissionSchema>
