import * as z from 'zod/mini'
import { type CheckStored, checkedBy, checkedJson } from '../../calendar/content/backup-tables.ts'
import { EVENT_FIELDS } from '../../calendar/events/schema.ts'
import * as p from '../../kit/http/params.ts'
import { humanFields } from '../../kit/http/turnstile.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { codedReason, MISSING } from '../../kit/lib/reasons.ts'
import { TICKET_AVAILABILITIES } from '../../kit/lib/statuses.ts'
import { toPlain } from '../../kit/lib/text.ts'
import { asObject, asText, isEmpty, refuse, requireLength, toInteger } from '../../kit/lib/values.ts'
import { REGISTRANT_STATES } from './tables.ts'

export const MAX_PLACES = 10_000
export const MAX_PER_PERSON = 20

/**
 * A scheme, `www.`, markup, or a host with a path: names and answers are shown to organizers, who must not be
 * led anywhere. A `<` that begins no tag is allowed: “7 < 12”, “I <3 bread”.
 */
const LINK_OR_MARKUP = /[a-z][a-z\d+.-]*:\/\/|\bwww\.|<[a-z/!?]|[\w-]\.[a-z]{2,}\/\S/i
const CONTROL_CHARACTERS = lazyPattern(
  String.raw`(?!\n)\p{Cc}|[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]`,
  'u',
)

const visitorText = (limit: number, words: { description: string; example?: string }, isRequired = false) =>
  p.field(
    raw => {
      // What is pasted from a table has tabs, which nobody sees.
      const text = requireLength(asText(raw).replaceAll('\r\n', '\n').replaceAll('\t', ' ').trim(), limit)
      // Only an answer may have several lines, and only a name is required.
      if (
        LINK_OR_MARKUP.test(text) ||
        CONTROL_CHARACTERS().test(isRequired ? text.replaceAll('\n', '\0') : text)
      )
        refuse(codedReason('no_link', 'must not contain links, markup or control characters'))
      if (isRequired && toPlain(text) === '') refuse(MISSING)
      return text
    },
    { type: 'string', maxLength: limit, ...words },
  )

const languageTag = (description: string) => p.line({ description, example: 'de', limit: 35 })

const placesField = p.integer({
  description: 'The number of people.',
  default: 1,
  maximum: MAX_PLACES,
  example: 2,
})

export const registrationFields = p.lazyObject('RegistrationFields', () => ({
  name: visitorText(
    100,
    { description: 'The name, which only the organizer sees.', example: 'Maeve Byrne' },
    true,
  ),
  email: p.mailAddress({
    description: 'The address to which the link for confirming is sent.',
    example: 'maeve@mail.example',
  }),
  places: z.optional(placesField),
  answer: z.optional(visitorText(500, { description: 'The answer to the question, if there is one.' })),
  language: z.optional(languageTag("The language of e-mails; defaults to the calendar's.")),
  consent: p.flag({
    description: 'Must be true: the person agrees that this is stored, as the privacy page explains.',
  }),
  ...humanFields,
}))

export type RegistrationFields = z.output<typeof registrationFields>

const momentField = (description: string, example: string) =>
  p.field(
    (raw): string | null => {
      if (raw === null || isEmpty(raw)) return null
      const text = asText(raw).trim()
      // The time stays text, because it is in the zone of the event. A date in UTC is a date in every zone.
      return parseDate(text, 'UTC', Date.now())
        ? text
        : refuse(codedReason('no_date', 'must be a date such as 2027-06-10 15:00:00'))
    },
    { type: ['string', 'null'], description, example },
  )

const SCOPES = ['event', 'series'] as const

const settingsShape = {
  places: z.optional(
    p.field((raw): number | null => (raw === null || isEmpty(raw) ? null : toInteger(raw, 1, MAX_PLACES)), {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_PLACES,
      description: 'The number of places; null for no limit.',
      example: 12,
    }),
  ),
  per_person: z.optional(
    p.integer({
      description: 'The most places that one person can take.',
      maximum: MAX_PER_PERSON,
      default: 1,
      example: 2,
    }),
  ),
  opens: z.optional(
    momentField(
      "When registration opens, in the event's time zone; null for at once.",
      '2027-06-01 09:00:00',
    ),
  ),
  closes: z.optional(momentField('When it closes; null for the start of the event.', '2027-06-09 18:00:00')),
  waiting_list: z.optional(
    p.flag({
      description: 'True if people can join a waiting list when all places are taken.',
      default: true,
    }),
  ),
  question: z.optional(
    p.line({
      description: 'A question to everybody who registers, never about health; empty for none.',
      limit: 200,
      example: 'Do you eat meat?',
    }),
  ),
  closed: z.optional(p.flag({ description: 'True to close registration at once.', default: false })),
  scope: z.optional(
    p.oneOf(SCOPES, {
      description: '`series`: people register for all dates together.',
      default: 'event',
      example: 'event',
    }),
  ),
}

export const settingFields = p.lazyObject('RegistrationSettingFields', () => settingsShape)

export type SettingFields = z.output<typeof settingFields>

const checkDays: CheckStored = stored => toInteger(stored, -3_660, 3_660)
const checkTimeOfDay: CheckStored = stored =>
  /^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/.test(String(stored)) ? stored : refuse('must be a time of day')
const checkTickets: CheckStored = stored => {
  const { ticketed, ticket_availability } = asObject(stored)
  const availability = TICKET_AVAILABILITIES.find(name => name === ticket_availability)
  return {
    ...(typeof ticketed === 'boolean' && { ticketed }),
    ...(availability !== undefined && { ticket_availability: availability }),
  }
}

/** The checks of restored settings. */
export const registrationChecks: Readonly<Record<string, CheckStored>> = {
  places: stored => toInteger(stored, 1, MAX_PLACES),
  per_person: stored => toInteger(stored, 1, MAX_PER_PERSON),
  opens_days: checkDays,
  closes_days: checkDays,
  opens_time: checkTimeOfDay,
  closes_time: checkTimeOfDay,
  question: stored => checkedBy(settingsShape.question)(stored),
  former: checkedJson(checkTickets),
  api: checkedBy(EVENT_FIELDS.website.param),
}

const publicShape = {
  state: z.enum(['soon', 'open', 'waiting', 'full', 'closed']),
  left: z.nullable(z.int()),
  opens: z.nullable(z.string()),
  closes: z.nullable(z.string()),
  per_person: z.int(),
  question: z.string(),
  url: z.string(),
}

export const questionSchema = z.object({
  event: z.int(),
  what: z.enum(['move', 'hide', 'trash']),
  start_date: z.exactOptional(z.string()),
  end_date: z.exactOptional(z.string()),
  timezone: z.exactOptional(z.string()),
  all_day: z.exactOptional(z.boolean()),
})
const questionsSchema = z.array(questionSchema)

export const registrationSchema = p.lazyObject('Registration', () => ({
  ...publicShape,
  places: z.exactOptional(z.nullable(z.int())),
  waiting_list: z.exactOptional(z.boolean()),
  closed: z.exactOptional(z.boolean()),
  scope: z.exactOptional(z.enum(SCOPES)),
  taken: z.exactOptional(z.int()),
  waiting: z.exactOptional(z.int()),
  unconfirmed: z.exactOptional(z.int()),
  asked: z.exactOptional(
    p.documented(
      questionsSchema,
      'What the source has done to the event (moved, hidden or removed it); this calendar does the same only once `registration/answer` says so.',
    ),
  ),
}))

export const sourceAnswerFields = p.lazyObject('RegistrationAnswerFields', () => ({
  follow: p.flag({
    description:
      'True to do what the source has done, and tell everybody on the list; false to leave the event as it is.',
  }),
  asked: z.optional(
    p.field(
      raw => {
        const { success, data } = z.safeParse(questionsSchema, raw)
        return success ? data : refuse('must be `asked` as it was read from the registration')
      },
      {
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        description:
          '`asked` as it was read from the registration: if the source asks something else by now, nothing is done.',
        example: [{ event: 7, what: 'hide' }],
      },
    ),
  ),
}))

export const askedSchema = p.lazyObject('RegistrationAsked', () => ({ state: z.literal('asked') }))

export const removedSchema = p.lazyObject('RegistrationRemoved', () => ({ removed: z.int() }))

export const confirmParam = p.lazyObject('RegistrationConfirmParam', () => ({
  confirm: z.optional(
    p.integer({ description: 'The number of people who will be told and erased.', minimum: 0, example: 12 }),
  ),
}))

export const registrantSchema = p.lazyObject('Registrant', () => ({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  places: z.int(),
  answer: z.string(),
  question: p.documented(z.string(), 'The question as it was when this person answered it.'),
  state: z.enum(REGISTRANT_STATES),
  came: z.boolean(),
  created: z.string(),
}))

export const sheetParams = p.lazyObject('RegistrationSheetParams', () => ({
  language: z.optional(languageTag("The language of the sheet; defaults to the calendar's.")),
}))

export const byHandFields = p.lazyObject('RegistrantByHandFields', () => ({
  name: visitorText(100, { description: 'The name.', example: 'Maeve Byrne' }, true),
  places: z.optional(placesField),
  over: z.optional(p.flag({ description: 'True to give out more places than there are.', default: false })),
}))

/** A response that an `Idempotency-Key` may keep, because it names nobody. */
export const enteredSchema = p.lazyObject('RegistrantEntered', () => ({ id: z.int(), places: z.int() }))

export const registrantFields = p.lazyObject('RegistrantFields', () => ({
  places: z.optional(placesField),
  came: z.optional(p.flag({ description: 'True once the person has arrived.' })),
  state: z.optional(
    p.oneOf(['confirmed'], {
      description: 'Gives somebody on the waiting list a place, ahead of all others.',
      example: 'confirmed',
    }),
  ),
  over: z.optional(p.flag({ description: 'True to give out more places than there are.', default: false })),
}))

export const emailFields = p.lazyObject('RegistrantAddress', () => ({
  email: p.mailAddress({ description: 'An e-mail address.', example: 'maeve@mail.example' }),
}))

export const foundSchema = p.lazyObject('RegistrantFound', () => ({
  events: z.array(
    z.object({
      event: z.nullable(z.int()),
      series: z.nullable(z.int()),
      state: z.enum(REGISTRANT_STATES),
      created: z.string(),
    }),
  ),
}))

export const erasedSchema = p.lazyObject('RegistrantErased', () => ({ erased: z.int() }))
