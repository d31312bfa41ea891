import * as z from 'zod/mini'
import { date, documented, field, lazyObject, zone } from '../../kit/http/params.ts'
import { MISSING } from '../../kit/lib/reasons.ts'
import { dropControls } from '../../kit/lib/text.ts'
import { asText, refuse, requireLength } from '../../kit/lib/values.ts'
import { MAX_EVENTS } from '../../readers/texts/drafts.ts'

/** The most characters of a text. */
export const MAX_TEXT_LENGTH = 20_000

/** A text as it was sent: offsets refer to it, so nothing is trimmed. */
const announcementText = () =>
  field(
    raw => {
      const text = requireLength(asText(raw), MAX_TEXT_LENGTH)
      return dropControls(text).trim() === '' ? refuse(MISSING) : text
    },
    {
      type: 'string',
      minLength: 1,
      maxLength: MAX_TEXT_LENGTH,
      description: 'What a club or a theatre has sent: plain text, or the HTML of a mail.',
      example: 'Film night: Casablanca, Friday 19 February, 7 pm, Village Hall. Admission £5',
    },
  )

export const draftRequest = lazyObject('DraftRequest', () => ({
  text: announcementText(),
  timezone: z.optional(
    zone({ description: 'The zone in which the text was written.', example: 'Europe/Dublin' }),
  ),
  now: z.optional(
    date({ description: 'When it was written, for «tomorrow» and days without a year. By default, now.' }),
  ),
}))

/** Offsets in UTF-16 units: of the first character, and after the last. */
const spanSchema = z.array(z.int())

/** A function, so that the schema is made only when it is used. */
const draftSchema = () =>
  z.object({
    title: z.optional(z.string()),
    start_date: z.string(),
    end_date: z.optional(z.string()),
    all_day: z.boolean(),
    dates: z.optional(z.array(z.string())),
    venue: z.optional(z.object({ id: z.optional(z.int()), venue: z.string() })),
    organizer: z.optional(z.object({ id: z.int(), organizer: z.string() })),
    address: z.optional(z.string()),
    city: z.optional(z.string()),
    room: z.optional(z.string()),
    cost: z.optional(z.string()),
    website: z.optional(z.string()),
    event_status: z.optional(z.enum(['canceled', 'postponed'])),
    assumed: z.optional(z.array(z.enum(['evening', 'first_date']))),
    evidence: z.object({
      title: z.optional(spanSchema),
      start_date: z.optional(spanSchema),
      end_date: z.optional(spanSchema),
      venue: z.optional(spanSchema),
      organizer: z.optional(spanSchema),
      address: z.optional(spanSchema),
      city: z.optional(spanSchema),
      room: z.optional(spanSchema),
      cost: z.optional(spanSchema),
      website: z.optional(spanSchema),
    }),
  })

export const draftsSchema = lazyObject('EventDrafts', () => ({
  drafts: z.array(draftSchema()),
  ignored: documented(
    z.array(z.object({ field: z.string(), evidence: spanSchema, reason: z.enum(['weekday', 'no_day']) })),
    'What is not in the drafts as the text has it: a date whose weekday is another one (`weekday`), and a row of a table that has no day that can be read (`no_day`).',
  ),
  has_more: documented(
    z.boolean(),
    `True if the text announces more than ${MAX_EVENTS} events, of which only the first are in \`drafts\`. Send what is left of it in another request; if the text is a table, repeat its headings.`,
  ),
}))
