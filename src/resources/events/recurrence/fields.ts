import * as z from 'zod/mini'
import { field, oneOf, texts } from '../../../http/params.ts'
import { coded } from '../../../lib/reasons.ts'
import { FREQUENCIES, InvalidRule, parseRule } from '../../../lib/recurrence/rule.ts'
import {
  asText,
  IgnoredValue,
  InvalidValue,
  isEmpty,
  isObject,
  scalarText,
  toItems,
} from '../../../lib/values.ts'
import { dateTime } from '../../content/resource.ts'

/** The occurrences of a series that an update or deletion of one of them affects. */
export const SCOPES = ['this', 'following', 'all'] as const
export type Scope = (typeof SCOPES)[number]

/** Limit on the starts in `rdate`, and on those in `exdate`. */
export const MOST_DATES = 1_000

/**
 * A recurrence as a client sends it: its rule and dates as texts, whose meaning depends on the zone of the event. Parts
 * that are absent stay as they are; '' ends the recurrence.
 */
export type RecurrenceChoice = { rrule?: string; rdate?: string[]; exdate?: string[] } | ''

/** Tells whether a recurrence makes an event repeat. Forms also send parts that were left empty. */
export const repeats = (choice: RecurrenceChoice | undefined): boolean =>
  Object.values(choice || {}).some(part => part.length > 0)

const PARTS = ['rrule', 'rdate', 'exdate'] as const

/** Tells whether a recurrence is in the form that The Events Calendar Pro stores, a WordPress plugin. */
const isPluginForm = (raw: Readonly<Record<string, unknown>>): boolean =>
  PARTS.every(part => raw[part] === undefined) &&
  Object.keys(raw).some(name => /^(?:rules|type|end[-_]?type|exclusions)$/i.test(name))

/**
 * Reads a recurrence.
 *
 * @returns undefined for an object whose parts are all absent
 * @throws InvalidValue
 * @throws IgnoredValue for one in the form of the plugin, which is ignored like an unknown field
 */
function recurrenceOf(given: unknown): RecurrenceChoice | undefined {
  const raw = typeof given === 'string' ? given.trim() : given
  if (isEmpty(raw) || raw === false) return ''
  if (typeof raw === 'string') return { rrule: checkedRule(raw) }
  if (!isObject(raw))
    throw new InvalidValue(`must be ${exampleFor('')}, with rrule, rdate or exdate, or empty`)
  if (isPluginForm(raw)) throw new IgnoredValue('is in the form that The Events Calendar Pro stores')
  const unknown = Object.keys(raw).filter(name => !PARTS.some(part => part === name))
  if (unknown.length > 0)
    throw new InvalidValue(`knows rrule, rdate and exdate, but not ${unknown[0]?.slice(0, 64)}`)
  const choice: RecurrenceChoice = {}
  if (raw.rrule !== undefined && raw.rrule !== null) choice.rrule = checkedRule(asText(raw.rrule))
  for (const part of ['rdate', 'exdate'] as const)
    if (raw[part] !== undefined && raw[part] !== null) choice[part] = datesOf(raw[part])
  return Object.keys(choice).length === 0 ? undefined : choice
}

/** A recurrence for people who write a word, such as `weekly`. */
function exampleFor(text: string): string {
  const freq = FREQUENCIES.find(name => text.trim().toUpperCase() === name) ?? 'WEEKLY'
  return `an object such as {"rrule": "FREQ=${freq};COUNT=10"}`
}

/** Checks the syntax of a rule, which does not depend on the zone. @throws InvalidValue */
function checkedRule(text: string): string {
  if (text.trim() === '') return ''
  if (!text.includes('=')) throw new InvalidValue(`must be a rule of RFC 5545, as in ${exampleFor(text)}`)
  try {
    parseRule(text)
  } catch (error) {
    if (error instanceof InvalidRule) throw new InvalidValue(error.reason)
    throw error
  }
  return text
}

/** A comma between dates. Some dates have one before their year: `June 10, 2027 4pm`. */
const BETWEEN_DATES = /,(?!\s*\d{4}(?:\s|$))/

const datesOf = (raw: unknown): string[] =>
  toItems(isEmpty(raw) ? [] : raw, MOST_DATES, BETWEEN_DATES).map(item => {
    const text = scalarText(item)
    if (text === undefined) throw new InvalidValue(coded('rule_bad_dates', 'needs dates in rdate and exdate'))
    return text
  })

const DATES = {
  type: 'array',
  items: { type: 'string' },
  maxItems: MOST_DATES,
}

/** The field of an event's recurrence. */
export const recurrence = z.optional(
  field(recurrenceOf, {
    description:
      "How the event repeats: a rule of RFC 5545 without DTSTART, further starts in `rdate` and starts left out in `exdate`, all in the event's time zone. `start_date` and `end_date` are those of the first occurrence. At most 1000 dates from there to two years from today; whole days take no rule with times. No rule repeats every minute or second, or names other minutes and seconds than those of its start. The form that The Events Calendar Pro stores is ignored, and `X-Ignored-Fields` names the field. Empty ends the recurrence: this event stays as a single one, the other occurrences go to the trash.",
    anyOf: [
      {
        type: 'object',
        properties: { rrule: { type: 'string' }, rdate: DATES, exdate: DATES },
        additionalProperties: false,
      },
      { type: 'string' },
    ],
    example: { rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=10', exdate: ['2027-06-22 20:00:00'] },
  }),
)

/** The parameter of updates and deletions of an occurrence. */
export const scope = z.optional(
  oneOf(SCOPES, {
    description:
      'What an update or a deletion of an occurrence concerns: `this` one, whose changed fields are detached from the series; this one and the `following`, which become a series of their own; or `all`. A change of `recurrence` concerns all unless it says otherwise.',
    default: 'this',
  }),
)

/** The parameter of updates that gives own values of an occurrence to others. */
export const spread = z.optional(
  texts({
    description:
      'Names of fields in this request whose values are for the other occurrences of its `scope` as well, although the named occurrence has them of its own already. Otherwise only what the request changes is for the others.',
    example: ['cost'],
  }),
)

/** {@link scope} as a parameter of addresses. */
export const scopeParam = z.object({ scope })

/** A recurrence in responses. */
export const recurrenceSchema = z
  .object({
    rrule: z.string().register(z.globalRegistry, {
      description: "RFC 5545, without DTSTART; UNTIL in the series' time zone.",
    }),
    rdate: z.array(dateTime),
    exdate: z.array(dateTime),
  })
  .register(z.globalRegistry, { id: 'Recurrence' })

/** The series of an occurrence, in responses. */
export const seriesHeadSchema = z
  .object({
    id: z.int(),
    rest_url: z.string(),
    recurrence: recurrenceSchema,
    occurrence_date: dateTime.clone().register(z.globalRegistry, {
      description: 'The start by the rule, even if this occurrence was moved.',
    }),
    detached: z.array(z.string()).register(z.globalRegistry, {
      description: 'Fields that this occurrence has of its own; changes of the series leave them alone.',
    }),
  })
  .register(z.globalRegistry, { id: 'OccurrenceSeries' })
