import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { documented, field, oneOf, texts } from '../../kit/http/params.ts'
import { SERIES_SIZE, SUBMISSION_LIMITS } from '../../kit/lib/budgets.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { codedReason, type Reason } from '../../kit/lib/reasons.ts'
import { firstDate } from '../../kit/lib/recurrence/dates.ts'
import {
  horizonOf,
  type Pattern,
  type PatternTimes,
  type Recurrence,
  ruleOf,
  startsOf,
} from '../../kit/lib/recurrence/pattern.ts'
import {
  FREQUENCIES,
  formatRule,
  InvalidRule,
  parseRule,
  type Rule,
  UnsupportedRule,
} from '../../kit/lib/recurrence/rule.ts'
import { addMonths, type DateTime, startOfDay, toEpoch, toWall } from '../../kit/lib/time.ts'
import {
  asText,
  IgnoredValue,
  InvalidValue,
  isEmpty,
  isObject,
  scalarText,
  toItems,
} from '../../kit/lib/values.ts'
import { dateTime } from '../content/resource.ts'
import { RELATIONS, type RelationName } from './relations/fields.ts'

/** The occurrences of a series that an update or deletion of one occurrence affects. */
export const SCOPES = ['this', 'following', 'all'] as const
export type Scope = (typeof SCOPES)[number]

/** Limit on the starts in `rdate`, and on the starts in `exdate`. */
export const MAX_DATES = 1_000

/** Limit on the occurrences of a series, from the first to the horizon, when the series is written. */
export const MAX_OCCURRENCES = 1_000

/**
 * A recurrence as a client sends it: its rule and dates as texts, whose meaning depends on the zone of the
 * event. Parts that are absent stay as they are; '' ends the recurrence.
 */
export type RecurrenceChoice = { rrule?: string; rdate?: string[]; exdate?: string[] } | ''

/** True if a recurrence makes an event repeat. Forms also send parts that were left empty. */
export const repeats = (choice: RecurrenceChoice | undefined): boolean =>
  Object.values(choice || {}).some(part => part.length > 0)

const RECURRENCE_PARTS = ['rrule', 'rdate', 'exdate'] as const

/** True if a recurrence is in the form that The Events Calendar Pro, a WordPress plugin, stores. */
const isPluginForm = (raw: Readonly<Record<string, unknown>>): boolean =>
  RECURRENCE_PARTS.every(part => raw[part] === undefined) &&
  Object.keys(raw).some(name => /^(?:rules|type|end[-_]?type|exclusions)$/i.test(name))

/**
 * Reads a recurrence.
 *
 * @returns undefined for an object whose parts are all absent
 * @throws InvalidValue
 * @throws IgnoredValue for a recurrence in the form of the plugin, which is ignored like an unknown field
 */
function recurrenceOf(given: unknown): RecurrenceChoice | undefined {
  const raw = typeof given === 'string' ? given.trim() : given
  if (isEmpty(raw) || raw === false) return ''
  if (typeof raw === 'string') return { rrule: checkedRule(raw) }
  if (!isObject(raw))
    throw new InvalidValue(`must be ${exampleFor('')}, with rrule, rdate or exdate, or empty`)
  if (isPluginForm(raw)) throw new IgnoredValue('is in the form that The Events Calendar Pro stores')
  const unknownNames = Object.keys(raw).filter(name => !RECURRENCE_PARTS.some(part => part === name))
  if (unknownNames.length > 0)
    throw new InvalidValue(`must have rrule, rdate and exdate only, and no ${unknownNames[0]?.slice(0, 64)}`)
  const choice: RecurrenceChoice = {}
  if (raw.rrule !== undefined && raw.rrule !== null) choice.rrule = checkedRule(asText(raw.rrule))
  for (const part of ['rdate', 'exdate'] as const)
    if (raw[part] !== undefined && raw[part] !== null) choice[part] = listedDates(raw[part])
  return Object.keys(choice).length === 0 ? undefined : choice
}

/** An example of a recurrence, for people who write a word such as `weekly`. */
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
    // Its times of day are compared with the start, which may be that of a stored event.
    if (error instanceof UnsupportedRule && error.isAboutTime) return text
    if (error instanceof InvalidRule) throw new InvalidValue(error.reason)
    throw error
  }
  return text
}

/** A comma between dates. Some dates have one before their year: `June 10, 2027 4pm`. */
const BETWEEN_DATES = /,(?!\s*\d{4}(?:\s|$))/

const listedDates = (raw: unknown): string[] =>
  toItems(isEmpty(raw) ? [] : raw, MAX_DATES, BETWEEN_DATES).map(item => {
    const text = scalarText(item)
    if (text === undefined)
      throw new InvalidValue(codedReason('rule_bad_dates', 'needs dates in rdate and exdate'))
    return text
  })

const DATES_SCHEMA = {
  type: 'array',
  items: { type: 'string' },
  maxItems: MAX_DATES,
}

export const recurrence = z.optional(
  field(recurrenceOf, {
    description: `How the event repeats: a rule in the form of RFC 5545 without DTSTART, further starts in \`rdate\` and starts left out in \`exdate\`, all in the event's time zone. \`start_date\` and \`end_date\` are those of the first occurrence. At most ${MAX_OCCURRENCES} dates from there to two years from today. Rules are those of calendars: \`FREQ\` DAILY, WEEKLY, MONTHLY or YEARLY with \`INTERVAL\`, \`COUNT\` or \`UNTIL\`, \`BYDAY\` (numbered, as in \`2TU\` and \`-1FR\`, in MONTHLY, and in YEARLY with \`BYMONTH\`), \`BYMONTHDAY\`, \`BYMONTH\`, \`BYSETPOS\` and \`WKST\`. \`BYHOUR\`, \`BYMINUTE\` and \`BYSECOND\` may have the start's own value; dates at other times go into \`rdate\`. The form that The Events Calendar Pro stores is ignored, and \`X-Ignored-Fields\` names the field. Empty ends the recurrence: this event stays as a single one, the other occurrences go to the trash.`,
    anyOf: [
      {
        type: 'object',
        properties: { rrule: { type: 'string' }, rdate: DATES_SCHEMA, exdate: DATES_SCHEMA },
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
      'What an update or a deletion of an occurrence applies to: `this` one, whose changed fields are detached from the series; this one and the `following`, which become a series of their own; or `all`. A change of `recurrence` applies to all unless it says otherwise.',
    default: 'this',
  }),
)

/** The parameter of updates that gives an occurrence's own values to the other occurrences. */
export const spread = z.optional(
  texts({
    description:
      'Names of fields in this request whose values also apply to the other occurrences in its `scope`, even though the named occurrence already has its own. Otherwise, only what the request changes applies to the others.',
    example: ['cost'],
  }),
)

/** {@link scope} as a parameter of addresses. */
export const scopeParam = z.object({ scope })

export const recurrenceSchema = documented(
  z.object({
    rrule: documented(
      z.string(),
      "In the form of RFC 5545, without DTSTART; UNTIL in the series' time zone.",
    ),
    rdate: z.array(dateTime),
    exdate: z.array(dateTime),
  }),
  { id: 'Recurrence' },
)

/** The series of an occurrence, in responses. */
export const seriesHeadSchema = documented(
  z.object({
    id: z.int(),
    rest_url: z.string(),
    recurrence: recurrenceSchema,
    occurrence_date: documented(
      dateTime.clone(),
      'The start according to the rule, even if this occurrence was moved.',
    ),
    detached: documented(
      z.array(z.string()),
      'Fields for which this occurrence has its own values; changes to the series leave them alone.',
    ),
  }),
  { id: 'OccurrenceSeries' },
)

// The pattern that a request asks for, and its limits.

const maxOccurrences = ({ isVisitor }: BaseContext): number =>
  isVisitor ? SUBMISSION_LIMITS.dates : MAX_OCCURRENCES

const NO_RECURRENCE: Recurrence = { rrule: '', rdate: [], exdate: [] }

/** The time in which a rule must give at least one date: the cycle of the calendar. */
const CYCLE_MONTHS = 4_800

type Choice = Exclude<RecurrenceChoice, ''>

/**
 * The recurrence that a request asks for, for an event with these times. Parts that the request doesn't name
 * come from `before`.
 *
 * @param errors gets an error for invalid rules and dates
 */
export function patternOf(
  context: BaseContext,
  { choice, times, before = NO_RECURRENCE }: { choice: Choice; times: PatternTimes; before?: Recurrence },
  errors: ValidationErrors,
): Pattern {
  const { start_date, end_date, timezone, all_day } = times
  const refuse = (reason: Reason) => errors.add('recurrence', reason)
  const rule = readRule(choice, times, refuse)
  const dates = (given: readonly string[] | undefined, known: readonly DateTime[]) =>
    given === undefined ? known : readDates(context, { given, times }, refuse)
  return {
    rrule: choice.rrule === undefined ? before.rrule : rule ? formatRule(rule) : '',
    rdate: dates(choice.rdate, before.rdate),
    exdate: dates(choice.exdate, before.exdate),
    start_date,
    end_date,
    timezone,
    all_day,
  }
}

type RefuseRule = (reason: Reason) => void

function readRule(
  { rrule }: Choice,
  { start_date, timezone }: PatternTimes,
  refuse: RefuseRule,
): Rule | undefined {
  if (!rrule) return undefined
  try {
    return parseRule(rrule, { start: start_date, toWall: utc => toWall(utc, timezone) })
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error
    refuse(error.reason)
    return undefined
  }
}

const DAY_ALONE = /^\s*\d{4}-?\d{2}-?\d{2}\s*$/

/**
 * Starts in the event's zone, in order, each once. A date without a time gets the time of the event's start.
 */
function readDates(
  context: BaseContext,
  { given, times }: { given: readonly string[]; times: PatternTimes },
  refuse: RefuseRule,
): DateTime[] {
  const { start_date, timezone, all_day } = times
  const limit = maxOccurrences(context)
  const now = toEpoch(context.clock.now())
  if (given.length > limit) {
    refuse(
      codedReason('rule_too_large', `must not have more than ${limit} dates in rdate or exdate`, {
        n: limit,
      }),
    )
    return []
  }
  const read = (text: string): DateTime[] => {
    const time = DAY_ALONE.test(text) ? `${text.trim()} ${start_date.slice(11)}` : text
    const parsed = parseDate(time, timezone, now) ?? parseDate(text, timezone, now)
    if (parsed) return [all_day ? startOfDay(parsed.wall) : parsed.wall]
    refuse(
      codedReason('rule_bad_dates', `needs dates in rdate and exdate, and ${text.slice(0, 64)} is not one`),
    )
    return []
  }
  return [...new Set(given.flatMap(read))].sort()
}

/**
 * Computes the starts of a series up to the horizon, and checks that there are any, and not too many.
 *
 * @param refuse gets the reasons for refusing the recurrence; the first counts
 */
export function checkedStarts(context: BaseContext, pattern: Pattern, refuse: RefuseRule): DateTime[] {
  const { start_date: from, rdate, exdate } = pattern
  const rule = ruleOf(pattern)
  // Deleted dates are excluded as well, and count.
  if (exdate.length > MAX_DATES)
    refuse(
      `must not leave out more than ${MAX_DATES} dates: send the recurrence with fewer of them in exdate`,
    )
  const bounds = { now: context.clock.now(), limit: maxOccurrences(context) }
  const starts = startsWithinLimit(pattern, bounds, refuse)
  const isRuled = starts.some(start => start !== from && !rdate.includes(start))
  if (rule && !isRuled && firstDate(rule, from, { to: addMonths(from, CYCLE_MONTHS) }) === undefined)
    refuse(codedReason('rule_without_dates', 'its rule never gives a date'))
  if (starts.length === 0) refuse(codedReason('rule_excludes_all', 'must not leave out every date'))
  return starts
}

/** The number of links, by relation, of a series or of a single event. */
export type LinkCounts = Record<RelationName, number>

const NO_LINK_COUNTS: LinkCounts = { venue: 0, organizer: 0, categories: 0, tags: 0 }

type RelationLists = { readonly [name in RelationName]?: readonly unknown[] | undefined }

/**
 * Checks that a write does not make too many links.
 *
 * @param occurrenceCount the number of occurrences that it writes
 * @param stored the number of links before
 */
export function checkLinks(
  {
    values,
    occurrenceCount,
    stored = NO_LINK_COUNTS,
  }: { values: RelationLists; occurrenceCount: number; stored: LinkCounts | undefined },
  refuse: RefuseRule,
): void {
  const linksOfDate = RELATIONS.reduce((sum, name) => sum + (values[name]?.length ?? stored[name]), 0)
  const maxLinks = Math.min(SERIES_SIZE.links, Math.floor(SERIES_SIZE.pairs / linksOfDate))
  if (occurrenceCount * linksOfDate > maxLinks)
    refuse(
      `must not make ${occurrenceCount} occurrences, those in the trash included, with ${linksOfDate} venues, organizers, categories and tags each: with so many each, a series has at most ${maxLinks} of them in all`,
    )
}

/**
 * Computes the starts of a stored series up to the horizon, which may be more than when the rule was checked.
 */
export const storedStarts = (pattern: Pattern, now: DateTime, refuse: RefuseRule): DateTime[] =>
  startsWithinLimit(pattern, { now, limit: SERIES_SIZE.rows }, refuse)

function startsWithinLimit(
  pattern: Pattern,
  { now, limit }: { now: DateTime; limit: number },
  refuse: RefuseRule,
): DateTime[] {
  const { dates, hasMore } = startsOf(pattern, { to: horizonOf(pattern, now), limit })
  if (hasMore)
    refuse(
      codedReason(
        'rule_too_large',
        `must not give more than ${limit} dates from its start to two years from today`,
        {
          n: limit,
        },
      ),
    )
  return dates
}
