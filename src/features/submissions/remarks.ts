import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { selectKnownAmong } from '../../calendar/content/known-references.ts'
import { readableSql } from '../../calendar/content/visibility.ts'
import { assertFewLinks, assertOpen, readSenderCounts, tooMany } from '../../calendar/intake/checks.ts'
import { contactFields } from '../../calendar/intake/schema.ts'
import { likenessToSpam, readableText } from '../../calendar/intake/spam.ts'
import type { RequestContext } from '../../kit/context.ts'
import { isConflict, isUniqueViolation } from '../../kit/db/failures.ts'
import { combineQueries, many } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, remarks } from '../../kit/db/tables.ts'
import * as p from '../../kit/http/params.ts'
import { assertHuman } from '../../kit/http/turnstile.ts'
import { SUBMISSION_LIMITS } from '../../kit/lib/budgets.ts'
import { invalidParams } from '../../kit/lib/errors.ts'
import { hexDigest } from '../../kit/lib/hash.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import { type Count, countStatements, selectUsedUp } from '../../kit/work/counts.ts'
import type { Ticket } from '../../kit/work/day-keys.ts'
import { isOwnMailbox, OWN_ADDRESS } from '../../kit/work/mail.ts'

// Messages from visitors to the editors about an event. They wait in the review, and change nothing by
// themselves.

export const remarkPath = (event: number): string => `/submit/about/${event}/`

/** Limit of a remark, in characters. */
export const MAX_REMARK_LENGTH = 2_000

export const remarkFields = p.lazyObject('RemarkFields', () => ({
  about: p.integer({ description: 'The event that the remark is about.', example: 12 }),
  text: p.name({
    description: 'The remark, plain text.',
    example: 'It begins at eight.',
    limit: MAX_REMARK_LENGTH,
  }),
  ...contactFields,
}))

export type RemarkValues = Partial<z.output<typeof remarkFields>>

/**
 * Accepts a remark, under the limits of submissions. Sending a form again with the same text has
 * no effect.
 *
 * @throws ApiError `rest_invalid_param`, `rest_submission_refused`, `rest_too_many_requests`
 */
export async function takeRemark(
  context: RequestContext,
  { values, turnstile, ticket }: { values: RemarkValues; turnstile: string | undefined; ticket?: Ticket },
): Promise<void> {
  assertOpen(context)
  const { about = 0, text = '', name = '', email = '' } = values
  if (isOwnMailbox(context.settings, email)) throw invalidParams(new Map([['email', OWN_ADDRESS]]))
  const counts: Count[] = [
    { key: 'remarks', limit: SUBMISSION_LIMITS.all, per: 'day' },
    ...(await readSenderCounts(context, 'remarks')),
  ]
  // Another text, as after going back, is another remark.
  const form_digest = ticket ? await hexDigest(`remark ${ticket.nonce} ${text}`) : null
  const visitor = { ...context, caller: ANONYMOUS }
  const { known, sent, usedUp } = await context.db.read(
    combineQueries({
      known: selectKnownAmong(events, [about], () => readableSql(events, visitor)),
      sent: many(
        sql`SELECT 1 AS n FROM ${remarks} WHERE ${eq(remarks.form_digest, form_digest ?? '')}`,
        Boolean,
      ),
      usedUp: selectUsedUp(context.clock, counts),
    }),
  )
  if (sent.length > 0) return
  if (!known.has(about))
    throw invalidParams(new Map([['about', codedReason('unknown', `there is no event ${about}`)]]))
  if (usedUp.length > 0) throw tooMany()
  assertFewLinks({ title: '', name, texts: [text] })
  await assertHuman(context, turnstile)
  const likeness = likenessToSpam(readableText({ title: '', description: text, otherTexts: [] }))
  const row = {
    event_id: about,
    text,
    name,
    email,
    form_digest,
    created_utc: context.clock.now(),
    likeness,
  }
  try {
    await context.db.write([...countStatements(context.clock, counts), build.insert(remarks).values(row)])
  } catch (error) {
    if (isConflict(error)) throw tooMany()
    // The same form came twice at the same time.
    if (!isUniqueViolation(error, remarks.form_digest)) throw error
  }
}
