import * as z from 'zod/mini'
import { field, oneOf, texts } from '../../../http/params.ts'
import { isRelativeDate, parseDate } from '../../../lib/parse-date.ts'
import { FREQUENCIES, InvalidRule, parseRule, WEEKDAYS } from '../../../lib/recurrence/rule.ts'
import {
  asText,
  IgnoredValue,
  InvalidValue,
  isEmpty,
  isObject,
  parseBoolean,
  scalarText,
  toItems,
} from '../../../lib/values.ts'
import { dateTime } from '../../content/resource.ts'

// The Events Calendar Pro, a WordPress plugin, has a recurrence format of its own, and clients send what it stores:
// rules with a type and an end, each in parts, and exclusions in the same form. A recurrence that RFC 5545 can express
// becomes such a rule.

/** The most rules, and the most exclusions. */
const MOST = 1_000

/** The parts of an object by name, in lower case and without hyphens and underscores, since clients write names in all styles. */
type Parts = ReadonlyMap<string, unknown>

const partsOf = (raw: unknown): Parts =>
  new Map(
    Object.entries(isObject(raw) ? raw : {}).map(([name, value]) => [
      name.toLowerCase().replace(/[^a-z]/g, ''),
      value,
    ]),
  )

/** The first of the named parts that exists, as text in lower case; '' if there is none. */
const wordIn = (parts: Parts, ...names: string[]): string =>
  names
    .map(name => scalarText(parts.get(name))?.trim().toLowerCase())
    .find(text => text !== undefined && text !== '') ?? ''

/** @throws IgnoredValue always */
function ignore(what: string): never {
  throw new IgnoredValue(`knows no ${what}`)
}

/** The items of a list, even if PHP has written it as an object because its indexes have gaps. */
const listOf = (raw: unknown): unknown[] => toItems(isObject(raw) ? Object.values(raw) : raw, MOST)

/** Tells whether a recurrence is in the plugin's format. */
function isPluginForm(raw: Readonly<Record<string, unknown>>): boolean {
  const parts = partsOf(raw)
  return !parts.has('rrule') && ['rules', 'type', 'endtype', 'exclusions'].some(name => parts.has(name))
}

type Translated = { rrule: string; rdate: string[]; exdate: string[] }

/**
 * Translates a recurrence from the plugin's format. Parts next to the rules apply to each of them.
 *
 * @returns '' for a recurrence without rules
 * @throws IgnoredValue for a recurrence that no rule can express
 */
function translated(raw: Readonly<Record<string, unknown>>): Translated | '' {
  const { rules, exclusions, ...shared } = Object.fromEntries(partsOf(raw))
  const all = (rules === undefined ? [{}] : listOf(rules)).map(
    rule => new Map([...Object.entries(shared), ...partsOf(rule)]),
  )
  const own = all.filter(rule => !['', 'none'].includes(wordIn(rule, 'type')))
  const rdate = own.filter(isDate).map(dateIn)
  const [rule, ...others] = own.filter(parts => !isDate(parts)).map(ruleIn)
  if (others.length > 0) ignore('two rules')
  if (rule === undefined && rdate.length === 0) return ''
  const exdate = listOf(exclusions).map(exclusion => dateIn(partsOf(exclusion), exclusion))
  return { rrule: rule ?? '', rdate, exdate }
}

const customOf = (rule: Parts): Parts => partsOf(rule.get('custom'))

/** The type of a rule. A custom rule has its type inside. */
const typeOf = (rule: Parts): string => {
  const type = wordIn(rule, 'type')
  return type === 'custom' ? wordIn(customOf(rule), 'type') : type
}

const isDate = (rule: Parts): boolean => typeOf(rule) === 'date'

/** The date of a rule or an exclusion of type date. @param raw the original value, which may be the date itself */
function dateIn(rule: Parts, raw?: unknown): string {
  const inner = partsOf(customOf(rule).get('date'))
  const text = typeof raw === 'string' ? raw : wordIn(inner, 'date') || wordIn(rule, 'date')
  if (typeof raw === 'object' && !isDate(rule) && wordIn(rule, 'type') !== '') ignore('exclusion by a rule')
  return dayIn(text) === undefined ? ignore('date in it') : text
}

/** The day of a date, `YYYY-MM-DD`; undefined if it is not a date, or depends on the present. */
const dayIn = (text: string): string | undefined =>
  isRelativeDate(text) ? undefined : parseDate(text, 'UTC', 0)?.wall.slice(0, 10)

/**
 * The types, with their frequencies and the parts that their sections may have. Whatever else is there may change what
 * the others mean.
 */
const TYPES: Readonly<Record<string, { freq: string; parts: readonly string[] }>> = {
  day: { freq: 'DAILY', parts: ['sametime'] },
  week: { freq: 'WEEKLY', parts: ['day', 'days', 'byday', 'sametime'] },
  month: { freq: 'MONTHLY', parts: ['sameday', 'number', 'monthnumber', 'day', 'monthday', 'sametime'] },
  year: {
    freq: 'YEARLY',
    parts: ['month', 'filter', 'sameday', 'number', 'monthnumber', 'day', 'monthday', 'sametime'],
  },
}

/** The name of a type in {@link TYPES}. Before version 4.4, types were called `Every Week` and so on. */
const sectionOf = (type: string): string =>
  type
    .replace(/^every\s+/, '')
    .replace(/^daily$/, 'day')
    .replace(/^(week|month|year)ly$/, '$1')

const NATURAL = /^0*[1-9]\d{0,8}$/

/** The rule of RFC 5545. @throws IgnoredValue */
function ruleIn(rule: Parts): string {
  const section = sectionOf(typeOf(rule))
  const { freq, parts: known } =
    (Object.hasOwn(TYPES, section) ? TYPES[section] : undefined) ?? ignore('such type')
  const custom = customOf(rule)
  // Parts next to a custom rule's own section may belong to other types.
  const parts = partsOf(custom.get(section) ?? rule.get(section))
  if ([...parts.keys()].some(part => !known.includes(part))) ignore(`such part of ${section}`)
  const own: Parts = new Map([...rule, ...parts])
  if ([custom, own].some(parts => parseBoolean(wordIn(parts, 'sametime')) === false))
    ignore('other time than that of the event')
  const interval = wordIn(custom, 'interval') || wordIn(rule, 'interval') || '1'
  if (!NATURAL.test(interval)) ignore('such interval')
  const days = freq === 'DAILY' || freq === 'WEEKLY' ? weekdaysIn(own) : daysOfMonthIn(own, freq)
  return [`FREQ=${freq}`, `INTERVAL=${interval}`, ...days, ...endOf(rule)].join(';')
}

/** The English names of {@link WEEKDAYS}. */
const WEEKDAY_NAMES = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

/** A day of the week by its number, 1 for Monday and 7 or 0 for Sunday, or by its English name or the first letters of it. */
function weekdayOf(raw: unknown): string {
  const text = scalarText(raw)?.trim().toUpperCase() ?? ''
  const index = /^[0-7]$/.test(text)
    ? (Number(text) + 6) % 7
    : WEEKDAY_NAMES.findIndex(name => text.length > 1 && name.startsWith(text))
  return WEEKDAYS[index] ?? ignore('such day')
}

function weekdaysIn(own: Parts): string[] {
  const days = listOf(own.get('days') ?? own.get('day') ?? own.get('byday')).map(weekdayOf)
  return days.length === 0 ? [] : [`BYDAY=${days.join()}`]
}

const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  last: -1,
}

/** The number that stands for any day, while others are days of the week. */
const ANY_DAY = '8'

/** The days of a month, or of some months of a year. By default it is the day of the event. */
function daysOfMonthIn(own: Parts, freq: string): string[] {
  const months = freq === 'YEARLY' ? listOf(own.get('month')).map(month => String(scalarText(month))) : []
  // Before version 4.4, the number counted only where a box beside it was ticked.
  const isSame =
    parseBoolean(wordIn(own, 'sameday')) === true || parseBoolean(wordIn(own, 'filter')) === false
  const number = isSame ? '' : wordIn(own, 'number', 'monthnumber')
  const day = wordIn(own, 'day', 'monthday')
  const byMonth = months.length === 0 ? [] : [`BYMONTH=${months.join()}`]
  // A weekday by its name is meant. By its number it may be left over from the plugin's form, which hides it.
  const isNamed = !isSame && /^[a-z]/.test(day)
  if (number === '') return isNamed ? ignore('weekday without a number') : byMonth
  if (NATURAL.test(number) && !isNamed) return [...byMonth, `BYMONTHDAY=${number}`]
  const nth =
    (Object.hasOwn(ORDINALS, number) ? ORDINALS[number] : undefined) ??
    (/^(?:0*[1-5]|-1)$/.test(number) ? Number(number) : ignore('such day'))
  if (day === ANY_DAY) return [...byMonth, `BYMONTHDAY=${nth}`]
  // Without a month, the number would count within the year.
  if (freq === 'YEARLY' && months.length === 0) ignore('such day')
  return [...byMonth, `BYDAY=${nth}${weekdayOf(day)}`]
}

/** The end of a rule: on a day, inclusive, after a number of dates, or never. */
function endOf(rule: Parts): string[] {
  const day = wordIn(rule, 'end', 'enddate', 'until')
  const count = wordIn(rule, 'endcount', 'count')
  const type = wordIn(rule, 'endtype') || (day ? 'on' : count ? 'after' : 'never')
  if (type === 'never') return []
  if (type === 'after') return NATURAL.test(count) ? [`COUNT=${count}`] : ignore('end after no number')
  if (type !== 'on') ignore('such end')
  return [`UNTIL=${(dayIn(day) ?? ignore('end on no day')).replaceAll('-', '')}`]
}

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
    throw new InvalidValue(`must be ${exampleFor('')}, with rrule, rdate or exdate, or empty`)
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

/** Reads a recurrence in the plugin's format. @throws IgnoredValue */
function translatedChoice(raw: Readonly<Record<string, unknown>>): RecurrenceChoice {
  try {
    const choice = translated(raw)
    if (choice !== '') checkedRule(choice.rrule)
    return choice
  } catch (error) {
    throw error instanceof InvalidValue ? new IgnoredValue(error.message) : error
  }
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
