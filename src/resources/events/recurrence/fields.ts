import * as z from 'zod/mini'
import { field, InvalidValue, oneOf } from '../../../http/params.ts'
import { InvalidRule, parseRule } from '../../../lib/recurrence/parse.ts'
import { asText, IgnoredValue, isEmpty, isObject, scalarText, toItems } from '../../../lib/values.ts'
import { dateTime } from '../../content/response.ts'
import { isPluginForm, translated } from './plugin-form.ts'

/** The occurrences of a series that an update or a deletion of one concerns. */
export const SCOPES = ['this', 'following', 'all'] as const
export type Scope = (typeof SCOPES)[number]

/** Limit of the starts in `rdate`, and of those in `exdate`. */
export const MOST_DATES = 1_000

/**
 * A recurrence as a client sends it: its rule and dates as texts, whose meaning depends on the zone of the event. Parts
 * that are absent stay as they are; '' ends the recurrence.
 */
export type RecurrenceChoice = { rrule?: string; rdate?: string[]; exdate?: string[] } | ''

/** Tells if a recurrence makes an event repeat: forms send its parts empty where they were left empty. */
export const repeats = (choice: RecurrenceChoice | undefined): boolean =>
  Object.values(choice || {}).some(part => part.length > 0)

const PARTS = ['rrule', 'rdate', 'exdate'] as const

/**
 * Reads a recurrence.
 *
 * @returns undefined for an object whose parts are all absent
 * @throws InvalidValue
 */
function recurrenceOf(given: unknown): RecurrenceChoice | undefined {
  const raw = typeof given === 'string' ? given.trim() : given
  if (isEmpty(raw) || raw === false) return ''
  if (typeof raw === 'string') return { rrule: checkedRule(raw) }
  if (!isObject(raw))
    throw new InvalidValue(
      'must be an object such as {"rrule": "FREQ=WEEKLY;COUNT=10"}, with rrule, rdate or exdate, or empty',
    )
  if (isPluginForm(raw)) return translatedChoice(raw)
  const unknown = Object.keys(raw).filter(name => !PARTS.some(part => part === name))
  if (unknown.length > 0)
    throw new InvalidValue(`knows rrule, rdate and exdate, but not ${unknown[0]?.slice(0, 64)}`)
  const choice: RecurrenceChoice = {}
  if (raw.rrule !== undefined && raw.rrule !== null) choice.rrule = checkedRule(asText(raw.rrule))
  for (const part of ['rdate', 'exdate'] as const)
    if (raw[part] !== undefined && raw[part] !== null) choice[part] = datesOf(raw[part])
  return Object.keys(choice).length === 0 ? undefined : choice
}

/** Reads a recurrence in the plugin's form. @throws IgnoredValue */
function translatedChoice(raw: Readonly<Record<string, unknown>>): RecurrenceChoice {
  try {
    const choice = translated(raw)
    if (choice !== '') checkedRule(choice.rrule)
    return choice
  } catch (error) {
    throw error instanceof InvalidValue ? new IgnoredValue(error.message) : error
  }
}

/** Checks the syntax of a rule, which does not depend on the zone. @throws InvalidValue */
function checkedRule(text: string): string {
  if (text.trim() === '') return ''
  try {
    parseRule(text)
  } catch (error) {
    if (error instanceof InvalidRule) throw new InvalidValue(error.message)
    throw error
  }
  return text
}

/** A comma between dates. Some dates have one before their year: `June 10, 2027 4pm`. */
const BETWEEN_DATES = /,(?!\s*\d{4}(?:\s|$))/

const datesOf = (raw: unknown): string[] =>
  toItems(isEmpty(raw) ? [] : raw, MOST_DATES, BETWEEN_DATES).map(item => {
    const text = scalarText(item)
    if (text === undefined) throw new InvalidValue('needs dates in rdate and exdate')
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
      "How the event repeats: a rule of RFC 5545 without DTSTART, further starts in `rdate` and starts left out in `exdate`, all in the event's time zone. `start_date` and `end_date` are those of the first occurrence. At most 1000 dates from there to two years from today; whole days take no rule with times. What The Events Calendar Pro stores (`type` or `rules`, with an end and `exclusions`) becomes such a rule if it means one; otherwise `X-Ignored-Fields` names the field. Empty ends the recurrence: this event stays as a single one, the other occurrences go to the trash.",
    anyOf: [
      {
        type: 'object',
        properties: { rrule: { type: 'string' }, rdate: DATES, exdate: DATES },
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { rules: { type: 'array', items: { type: 'object' } } },
        required: ['rules'],
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
      description: 'The start by the rule, also if this occurrence was moved.',
    }),
    detached: z
      .array(z.string())
      .register(z.globalRegistry, { description: 'Fields that changes of the series leave alone.' }),
  })
  .register(z.globalRegistry, { id: 'OccurrenceSeries' })
