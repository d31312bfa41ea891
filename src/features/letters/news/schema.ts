import * as z from 'zod/mini'
import { documented, field, lazyObject, mailAddress, oneOf } from '../../../kit/http/params.ts'
import { humanFields } from '../../../kit/http/turnstile.ts'
import { isObject, refuse, toInteger, toItems } from '../../../kit/lib/values.ts'
import { languageField } from '../schema.ts'
import { LETTER_WEEKDAYS } from '../tables.ts'
import { CHOICE_KINDS, MAX_CHOSEN, type NewsChoice } from './choices.ts'

const address = (description: string) => mailAddress({ description, example: 'ann@example.org' })

/** @throws InvalidValue */
function toChoice(raw: unknown): NewsChoice {
  if (!isObject(raw)) return refuse('must be an object')
  const unknownName = Object.keys(raw).find(name => !CHOICE_KINDS.some(kind => kind === name))
  if (unknownName !== undefined) refuse(`must not have ${unknownName}, only ${CHOICE_KINDS.join(', ')}`)
  return Object.fromEntries(
    CHOICE_KINDS.map(kind => [kind, toItems(raw[kind] ?? [], MAX_CHOSEN).map(id => toInteger(id, 1))]),
  )
}

const ids = {
  type: 'array',
  items: { type: 'integer', minimum: 1 },
  maxItems: MAX_CHOSEN,
}

export const subscriberFields = lazyObject('SubscriberFields', () => ({
  email: address(
    'The address. It gets an e-mail with a link, and news only once somebody has confirmed it there.',
  ),
  choice: z.optional(
    field(toChoice, {
      type: 'object',
      properties: Object.fromEntries(CHOICE_KINDS.map(kind => [kind, ids])),
      additionalProperties: false,
      description:
        'Events in any of these categories, at any of these venues, by any of these organizers, each by its id; all events without it.',
      example: { categories: [3], venues: [12] },
    }),
  ),
  weekday: oneOf(LETTER_WEEKDAYS, { description: 'The weekday on which news is sent.', example: 'thursday' }),
  language: z.optional(languageField('The language of words and dates.')),
  ...humanFields,
}))

export type SubscriberFields = z.output<typeof subscriberFields>

/** The fields by which administrators look somebody up. */
export const lookUpFields = lazyObject('SubscriberAddress', () => ({
  email: address('The address to look up.'),
}))

/** The response to a sign-up, the same for all addresses. */
export const subscriberAskedSchema = lazyObject('SubscriberAsked', () => ({
  state: documented(z.literal('asked'), 'The same for every address, whether it is known here or not.'),
}))

export const numbersSchema = lazyObject('SubscriberNumbers', () => ({
  confirmed: documented(z.int(), 'People who get news.'),
  unconfirmed: documented(z.int(), 'Addresses that nobody has confirmed yet, for three days.'),
  choices: documented(z.int(), 'Different choices, for each of which an e-mail is composed.'),
  first_mails: documented(z.int(), 'Sign-ups that count towards the limit of a day.'),
  waiting: documented(z.int(), 'People whose news is due, and has not been sent yet.'),
  left_out: documented(
    z.int(),
    'People whose news could not be delivered in the last seven days, or may not have been.',
  ),
}))

export type NewsNumbers = z.output<typeof numbersSchema>

export const subscriberFoundSchema = lazyObject('SubscriberFound', () => ({
  state: z.enum(['none', 'unconfirmed', 'confirmed']),
  weekday: z.exactOptional(z.enum(LETTER_WEEKDAYS)),
  asked: documented(z.exactOptional(z.string()), 'When the first e-mail was asked for, UTC.'),
  confirmed: documented(z.exactOptional(z.string()), 'When the address was confirmed, UTC.'),
  consent: documented(z.exactOptional(z.int()), 'The version of the consent text.'),
}))

export type FoundSubscriber = z.output<typeof subscriberFoundSchema>

export const subscriberErasedSchema = lazyObject('SubscriberErased', () => ({
  erased: documented(z.boolean(), 'False if there was none.'),
}))
