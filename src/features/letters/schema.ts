import * as z from 'zod/mini'
import { toFilters } from '../../calendar/changes/followed-lists.ts'
import {
  computedField,
  fieldTable,
  paramsOf,
  plainField,
  responsesOf,
} from '../../calendar/content/fields.ts'
import { DIGEST_DAYS, MAX_DIGEST_DAYS } from '../../calendar/digest/digest.ts'
import type { DocsContext } from '../../kit/context.ts'
import { documented, field, flag, integer, lazyObject, mailAddress, oneOf } from '../../kit/http/params.ts'
import { languageOf } from '../../kit/lib/languages.ts'
import { MISSING } from '../../kit/lib/reasons.ts'
import { cleanPlain, inOneLine } from '../../kit/lib/text.ts'
import { asText, refuse, requireLength } from '../../kit/lib/values.ts'
import { EMPTY_LETTERS, LETTER_DELIVERY_STATES, LETTER_WEEKDAYS } from './tables.ts'

/** The language of letters and news, by default the calendar's. */
export const languageField = (description: string) =>
  field(
    raw => {
      const tag = asText(raw).trim()
      return languageOf(tag) ? tag : refuse('must be a language of the calendar, such as en or en-IE')
    },
    {
      type: 'string',
      description,
      default: ({ settings }: Pick<DocsContext, 'settings'>) => settings.website.language,
      example: 'en',
    },
  )

const MAX_LENGTHS = { name: 100, subject: 200, intro: 5_000 } as const

/** A line that may hold any character, since it is never read as HTML. */
const plainLine = (raw: unknown, limit: number): string =>
  requireLength(inOneLine(cleanPlain(asText(raw))), limit)

/** The fields of letters. A new plain field needs a row here, a column and a migration. */
export const LETTER_FIELDS = fieldTable({
  name: plainField(
    field(raw => plainLine(raw, MAX_LENGTHS.name) || refuse(MISSING), {
      type: 'string',
      minLength: 1,
      maxLength: MAX_LENGTHS.name,
      description: 'What it is called in the editor.',
      example: 'The week',
    }),
    z.string(),
  ),
  to: computedField(
    mailAddress({
      description:
        'One address, ideally that of a mailing list. It gets a link, and letters only once somebody has confirmed it there. Setting it again before that sends another link.',
      example: 'the-week@lists.example.org',
    }),
    ['to_email'],
  ),
  weekday: plainField(
    oneOf(LETTER_WEEKDAYS, { description: 'The day on which it is sent.', example: 'thursday' }),
    z.enum(LETTER_WEEKDAYS),
  ),
  hour: plainField(
    integer({
      minimum: 0,
      maximum: 23,
      description:
        'The hour at which it is sent, in the zone of the calendar. If clocks skip it, an hour later; if they show it twice, the first time.',
      example: 7,
    }),
    z.int(),
  ),
  days: plainField(
    z.optional(
      integer({
        maximum: MAX_DIGEST_DAYS,
        description:
          'Number of days that it announces. If it is sent after noon, it also has the rest of that day.',
        default: DIGEST_DAYS,
        example: 10,
      }),
    ),
    z.int(),
  ),
  filters: computedField(
    z.optional(
      field(toFilters, {
        type: 'object',
        additionalProperties: true,
        description:
          'Parameters of the list of events, apart from dates, order and status; also as a query. Public events only, in any case.',
        example: { categories: ['music'] },
      }),
    ),
    ['filters'],
  ),
  language: plainField(z.optional(languageField('The language of its words and dates.')), z.string()),
  subject: plainField(
    z.optional(
      field(raw => plainLine(raw, MAX_LENGTHS.subject), {
        type: 'string',
        maxLength: MAX_LENGTHS.subject,
        description: 'Its subject; without one, its name.',
        example: 'This week in Kilkenny',
      }),
    ),
    z.string(),
  ),
  intro: plainField(
    z.optional(
      field(raw => requireLength(cleanPlain(asText(raw)).trim(), MAX_LENGTHS.intro), {
        type: 'string',
        maxLength: MAX_LENGTHS.intro,
        description: 'Plain text before the events, with its line breaks.',
        example: 'Good morning!',
      }),
    ),
    z.string(),
  ),
  empty: plainField(
    z.optional(
      oneOf(EMPTY_LETTERS, {
        description: 'What happens if there are no events: nothing is sent, or a letter that says so.',
        default: 'skip',
        example: 'say',
      }),
    ),
    z.enum(EMPTY_LETTERS),
  ),
  active: plainField(
    z.optional(flag({ description: 'False to send nothing.', default: true, example: true })),
    z.boolean(),
  ),
})

export const letterFields = lazyObject('LetterFields', () => paramsOf(LETTER_FIELDS))

export type LetterFields = z.output<typeof letterFields>

const LETTER_MODES = ['active', 'paused', 'unconfirmed'] as const

export const letterSchema = lazyObject('Letter', () => ({
  id: z.int(),
  rest_url: z.string(),
  ...responsesOf(LETTER_FIELDS),
  to: z.string(),
  filters: z.record(z.string(), z.unknown()),
  state: documented(
    z.enum(LETTER_MODES),
    '`unconfirmed`: nobody has confirmed `to` yet, so nothing is sent.',
  ),
  last_sent: documented(z.exactOptional(z.string()), 'UTC.'),
  next: documented(
    z.exactOptional(z.string()),
    'When it is next sent, UTC; absent if nothing is to be sent.',
  ),
  date_utc: documented(z.string(), 'When it was made.'),
  link_sent: documented(
    z.exactOptional(z.boolean()),
    'Whether the link that confirms `to` was sent; only in the response to the request that set it.',
  ),
}))

export type LetterResponse = z.output<typeof letterSchema>

export const letterPreviewSchema = lazyObject('LetterPreview', () => ({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  events: documented(z.int(), 'The number of events in it.'),
}))

export const letterDeliverySchema = lazyObject('LetterDelivery', () => ({
  id: z.int(),
  letter_id: z.int(),
  is_test: documented(z.boolean(), 'True if only a user got it.'),
  due: documented(z.exactOptional(z.string()), 'The time for which it was planned, UTC; absent for tests.'),
  state: documented(
    z.enum(LETTER_DELIVERY_STATES),
    '`unknown`: nobody knows whether it was sent, and it is not sent again automatically; `waiting` for its next attempt; `failed`: not sent; `empty`: not sent, because there was no event; `late`: not sent, because half a day had passed.',
  ),
  tries: z.int(),
  date_utc: documented(z.string(), 'When it was last attempted.'),
  next_try_utc: z.exactOptional(z.string()),
  reason: documented(
    z.string(),
    'The code of the platform for a refusal, `timeout`, `error`, `filters` if visitors cannot see what one of the filters names, or `text` if the letter could not be composed otherwise; empty if there was none.',
  ),
  events: z.int(),
}))

export type LetterDeliveryResponse = z.output<typeof letterDeliverySchema>
