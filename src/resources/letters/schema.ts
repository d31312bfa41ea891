import * as z from 'zod/mini'
import { EMPTY_LETTERS, LETTER_STATES, LETTER_WEEKDAYS } from '../../db/schema.ts'
import { pageParams } from '../../http/lists.ts'
import { field, flag, integer, oneOf } from '../../http/params.ts'
import { dropControls, inOneLine } from '../../lib/text.ts'
import { asText, isMailAddress, limited, refuse } from '../../lib/values.ts'
import { languageOf } from '../../words/languages.ts'
import { toFilters } from '../webhooks/filters.ts'
import { DIGEST_DAYS, MOST_DIGEST_DAYS } from './digest.ts'

const LONGEST = { name: 100, subject: 200, intro: 5_000 } as const

/** A line that may hold any character, since it is never read as HTML. */
const plainLine = (raw: unknown, limit: number): string =>
  limited(inOneLine(dropControls(asText(raw))), limit)

export const letterFields = z
  .object({
    name: field(raw => plainLine(raw, LONGEST.name) || refuse('must not be empty'), {
      type: 'string',
      minLength: 1,
      maxLength: LONGEST.name,
      description: 'How it is called in the editor.',
      example: 'The week',
    }),
    to: field(
      raw => {
        // Of several values, others take the last one.
        const text = typeof raw === 'string' ? raw.trim() : ''
        return isMailAddress(text) ? text : refuse('must be one e-mail address such as list@example.org')
      },
      {
        type: 'string',
        format: 'email',
        maxLength: 254,
        description:
          'One address, best that of a mailing list. It gets a link, and letters only once somebody has confirmed it there. Naming it again before that sends another link.',
        example: 'the-week@lists.example.org',
      },
    ),
    weekday: oneOf(LETTER_WEEKDAYS, { description: 'The day on which it is sent.', example: 'thursday' }),
    hour: integer({
      minimum: 0,
      maximum: 23,
      description:
        'The hour at which it is sent, in the zone of the calendar. Where clocks skip it, an hour later; where they show it twice, at the first.',
      example: 7,
    }),
    days: z.optional(
      integer({
        maximum: MOST_DIGEST_DAYS,
        description: 'Days that it announces. One that is sent after noon has the rest of its day as well.',
        default: DIGEST_DAYS,
        example: 10,
      }),
    ),
    filters: z.optional(
      field(toFilters, {
        type: 'object',
        additionalProperties: true,
        description:
          'Parameters of the list of events, apart from dates, order and status; also as a query. Public events only, in any case.',
        example: { categories: ['music'] },
      }),
    ),
    language: z.optional(
      field(
        raw => {
          const tag = asText(raw).trim()
          return languageOf(tag) ? tag : refuse('must be a language of the calendar, such as en or en-IE')
        },
        {
          type: 'string',
          description: 'The language of its words and dates.',
          default: ({ settings }) => settings.website.language,
          example: 'en',
        },
      ),
    ),
    subject: z.optional(
      field(raw => plainLine(raw, LONGEST.subject), {
        type: 'string',
        maxLength: LONGEST.subject,
        description: 'Its subject; without one, its name.',
        example: 'This week in Kilkenny',
      }),
    ),
    intro: z.optional(
      field(raw => limited(dropControls(asText(raw)).trim(), LONGEST.intro), {
        type: 'string',
        maxLength: LONGEST.intro,
        description: 'Plain text before the events, with its line breaks.',
        example: 'Good morning!',
      }),
    ),
    empty: z.optional(
      oneOf(EMPTY_LETTERS, {
        description: 'What happens without an event: nothing is sent, or a letter that says so.',
        default: 'skip',
        example: 'say',
      }),
    ),
    active: z.optional(flag({ description: 'False to send nothing.', default: true, example: true })),
  })
  .register(z.globalRegistry, { id: 'LetterFields' })

export type LetterFields = z.output<typeof letterFields>

/** What becomes of a letter at its time. */
const LETTER_MODES = ['active', 'paused', 'unconfirmed'] as const

export const letterSchema = z.lazy(() =>
  z
    .object({
      id: z.int(),
      rest_url: z.string(),
      name: z.string(),
      to: z.string(),
      weekday: z.enum(LETTER_WEEKDAYS),
      hour: z.int(),
      days: z.int(),
      filters: z.record(z.string(), z.unknown()),
      language: z.string(),
      subject: z.string(),
      intro: z.string(),
      empty: z.enum(EMPTY_LETTERS),
      active: z.boolean(),
      state: z.enum(LETTER_MODES).register(z.globalRegistry, {
        description: '`unconfirmed`: nobody has confirmed `to` yet, so nothing is sent.',
      }),
      last_sent: z.exactOptional(z.string()).register(z.globalRegistry, { description: 'UTC.' }),
      next: z
        .exactOptional(z.string())
        .register(z.globalRegistry, { description: 'The next time, UTC; absent if nothing is to be sent.' }),
      date_utc: z.string().register(z.globalRegistry, { description: 'When it was made.' }),
      link_sent: z.exactOptional(z.boolean()).register(z.globalRegistry, {
        description:
          'Whether the link that confirms `to` was sent, in the response to the request that named it, and nowhere else.',
      }),
    })
    .register(z.globalRegistry, { id: 'Letter' }),
)

export type LetterResponse = z.output<typeof letterSchema>

export const letterPreviewSchema = z.lazy(() =>
  z
    .object({
      subject: z.string(),
      html: z.string(),
      text: z.string(),
      events: z.int().register(z.globalRegistry, { description: 'The number of events in it.' }),
    })
    .register(z.globalRegistry, { id: 'LetterPreview' }),
)

export const letterDeliverySchema = z.lazy(() =>
  z
    .object({
      id: z.int(),
      letter_id: z.int(),
      is_test: z.boolean().register(z.globalRegistry, { description: 'True if only a user got it.' }),
      due: z.exactOptional(z.string()).register(z.globalRegistry, {
        description: 'The time for which it was planned, UTC; absent for tests.',
      }),
      state: z.enum(LETTER_STATES).register(z.globalRegistry, {
        description:
          '`unknown`: nobody knows whether it was sent, and it is not sent again by itself; `waiting` for its next try; `failed`: not sent; `empty`: not sent, because there was no event; `late`: not sent, because half a day had passed.',
      }),
      tries: z.int(),
      date_utc: z.string().register(z.globalRegistry, { description: 'When it was last tried.' }),
      next_try_utc: z.exactOptional(z.string()),
      reason: z.string().register(z.globalRegistry, {
        description: 'The code of the platform for a refusal, `timeout` or `error`; empty if there was none.',
      }),
      events: z.int(),
    })
    .register(z.globalRegistry, { id: 'LetterDelivery' }),
)

export type LetterDeliveryResponse = z.output<typeof letterDeliverySchema>

export const letterList = z.object(pageParams)
