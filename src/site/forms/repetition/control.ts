import { SCOPES, type Scope } from '../../../calendar/events/recurrence-fields.ts'
import type { CalendarContext } from '../../../kit/context.ts'
import { WEEKDAYS } from '../../../kit/lib/recurrence/rule.ts'
import { type DateTime, dayOf, isDateTime } from '../../../kit/lib/time.ts'
import { compareTexts, isObject } from '../../../kit/lib/values.ts'
import { canonicalZone } from '../../../kit/lib/zones.ts'
import { filled, textsIn } from '../../../words/words.ts'
import { type Html, html, optionsOf } from '../../html/html.ts'
import { countedText, type PageContext } from '../../html/page-context.ts'
import { weekdayName } from '../../html/when.ts'
import {
  type Body,
  type Choices,
  type Control,
  type FieldView,
  inputsOf,
  type SeriesDate,
} from '../control.ts'
import { startMoment as startControl } from '../controls/moment.ts'
import { type Entries, entriesNamed, entry } from '../entries.ts'
import { choicePart, group } from '../field-html.ts'
import { ALL_DATES } from '../posted.ts'
import { reasonIn } from '../requests.ts'
import {
  type Controls,
  controlsOf,
  dayOfRule,
  EMPTY_DATES,
  entriesOfRepetition,
  excludedValue,
  hasUnclearBreak,
  INPUT_NAMES,
  KNOWN_INPUT,
  type KnownRecurrence,
  lacksEnd,
  NO_REPETITION,
  type Repetition,
  recurrenceOf,
  repetitionIn,
  withoutBreak,
} from './rule.ts'
import {
  INTERVAL_UNITS,
  namedDay,
  PRESETS,
  type Preset,
  presetsFrom,
  WAYS,
  type Way,
  waysOf,
} from './shapes.ts'
import { type FormTimes, upcomingDates } from './upcoming.ts'

/**
 * The values for the texts of rules: the second Tuesday, the 10th of June.
 *
 * @param nths the words for first to last, with spaces between them
 */
function dayWords(site: PageContext, from: DateTime, nths: string) {
  const { weekday, day, nth } = namedDay(from)
  return {
    day: weekdayName(site, weekday),
    nth: nths.split(' ')[nth - 1] ?? `${nth}.`,
    n: site.dates.monthDay(day),
    date: site.dates.format('dayOfYear', from),
  }
}

/**
 * A preset in words, for a start day: “Monthly, second Tuesday”. It is short enough for a list on the
 * narrowest phones.
 */
export function presetLabel(site: PageContext, preset: Preset, from: DateTime): string {
  const words = textsIn(site.language).repetition
  return filled(words[preset], dayWords(site, from, words.ordinals))
}

/** The way in which a monthly or yearly rule names its day, in words: “on the second Tuesday”. */
const wayLabel = (site: PageContext, way: Way, from: DateTime): string =>
  filled(textsIn(site.language).repetition[way], dayWords(site, from, site.words.nths))

/** The rule of a repetition in words, without its end. */
function ruleLabel(
  site: PageContext,
  { repeat, interval, unit, days, way }: Controls,
  from: DateTime,
): string {
  const words = textsIn(site.language).repetition
  const preset = PRESETS.find(name => name === repeat)
  if (preset) return presetLabel(site, preset, from)
  if (repeat === 'dates' || repeat === 'kept') return words[repeat]
  const knownUnit = INTERVAL_UNITS.find(name => name === unit)
  const knownWay = WAYS.find(name => name === way)
  const onDays = days.map(day => weekdayName(site, WEEKDAYS.indexOf(day)))
  return [
    `${words.every} ${interval} ${knownUnit ? words[knownUnit] : unit}`,
    ...(knownUnit === 'week' ? [site.dates.list(onDays)] : []),
    ...(knownWay && (knownUnit === 'month' || knownUnit === 'year') ? [wayLabel(site, knownWay, from)] : []),
  ].join(', ')
}

/** A repetition in words, for comparing two versions. */
function repetitionLabel(site: PageContext, controls: Controls, from: DateTime): string {
  const words = textsIn(site.language).repetition
  const { colon } = site.words
  const { repeat, end, until, count, also, not } = controls
  if (repeat === '') return words.none
  return [
    ruleLabel(site, controls, from),
    ...(end === 'on' ? [`${words.ends}${colon}${words.until} ${until}`] : []),
    ...(end === 'after' ? [`${words.ends}${colon}${words.after} ${count} ${words.countUnit}`] : []),
    ...(also.length > 0 ? [`${words.also}${colon}${also.join(', ')}`] : []),
    ...(not.length > 0 ? [`${words.not}${colon}${not.join(', ')}`] : []),
  ].join('; ')
}

type ShownRepetition = { repetition: Repetition; times: FormTimes | undefined }

/** The fields of a repetition. All of them are in the markup; styles hide those that do not apply. */
function repetitionFields(view: FieldView, shownRepetition: ShownRepetition): Html {
  const { site, id, error } = view
  const words = textsIn(site.language).repetition
  const { known } = shownRepetition.repetition
  const inputs = html`${known && html`<input type="hidden" name="${KNOWN_INPUT}" value="${JSON.stringify(known)}">`}
<div class="repeat"><label for="${id}">${words.repeats}</label>
<select id="${id}" name="${INPUT_NAMES.repeat}"${view.isFocused && html` autofocus`}${error && html` aria-invalid="true"`}>
${presetOptions(site, shownRepetition)}
</select>
${keptHelp(site, shownRepetition.repetition)}</div>
${ownRule(view, shownRepetition)}
${endFields(view, shownRepetition)}
${furtherDates(view, shownRepetition)}
${nextDates(view, shownRepetition)}
${seriesDates(view, shownRepetition)}`
  return group(view, inputs, 'repetition')
}

/** The day on which the texts are based; undefined in a form without a start. */
const shownRuleDay = ({ repetition: { known }, times }: ShownRepetition): DateTime | undefined =>
  times ? dayOfRule(known, times.start) : known?.first

/** The presets that are right for every start, in words that do not name its day. */
const WORDS_WITHOUT_DAY: Partial<
  Record<Preset, 'daily' | 'weekdays' | 'everyWeek' | 'everyMonth' | 'everyYear'>
> = {
  daily: 'daily',
  weekdays: 'weekdays',
  weekly: 'everyWeek',
  'month-date': 'everyMonth',
  yearly: 'everyYear',
}

function presetOptions(site: PageContext, shownRepetition: ShownRepetition): Html {
  const words = textsIn(site.language).repetition
  const { controls, known } = shownRepetition.repetition
  const from = shownRuleDay(shownRepetition)
  const offeredPresets =
    from === undefined ? PRESETS.filter(name => WORDS_WITHOUT_DAY[name]) : presetsFrom(from)
  const label = (name: Preset): string => {
    const wordKey = from === undefined ? WORDS_WITHOUT_DAY[name] : undefined
    return wordKey ? words[wordKey] : presetLabel(site, name, from ?? site.today)
  }
  // A preset for another day stays selected.
  const presets = PRESETS.filter(name => offeredPresets.includes(name) || name === controls.repeat)
  const allPresets: [value: string, label: string][] = [
    ['', words.none],
    ...presets.map((name): [string, string] => [name, label(name)]),
    ['own', words.own],
    ['dates', words.dates],
    ...(known && controlsOf(known).repeat === 'kept' ? [['kept', words.kept] as [string, string]] : []),
  ]
  return optionsOf(allPresets, controls.repeat)
}

const keptHelp = (site: PageContext, { known }: Repetition): Html | '' =>
  known && controlsOf(known).repeat === 'kept'
    ? html`<p class="field-help kept-rule">${filled(textsIn(site.language).repetition.keptHelp, { rule: known.rrule })}</p>`
    : ''

function ownRule({ site, id }: FieldView, shownRepetition: ShownRepetition): Html {
  const words = textsIn(site.language).repetition
  const { controls } = shownRepetition.repetition
  const ruleDay = shownRuleDay(shownRepetition)
  const from = ruleDay ?? site.today
  const offeredWays: readonly Way[] = ruleDay === undefined ? ['date'] : waysOf(namedDay(ruleDay))
  const firstDay = site.dates.firstWeekday - 1
  return html`<div class="own-rule">
<div class="in-line"><label for="${id}-interval">${words.every}</label>
<input id="${id}-interval" name="${INPUT_NAMES.interval}" type="number" min="1" max="999" inputmode="numeric" value="${controls.interval}">
<label class="hidden" for="${id}-unit">${words.unit}</label>
<select id="${id}-unit" name="${INPUT_NAMES.unit}">${optionsOf(
    INTERVAL_UNITS.map(unit => [unit, words[unit]]),
    controls.unit,
  )}</select></div>
<fieldset class="own-days"><legend>${words.on}</legend>
${WEEKDAYS.map((_, i) => (i + firstDay) % 7).map(
  day =>
    html`<span class="form-check">${choicePart({ id: `${id}-day-${day}`, type: 'checkbox', name: INPUT_NAMES.days, value: WEEKDAYS[day] ?? '', isChosen: controls.days.includes(WEEKDAYS[day] ?? ''), label: weekdayName(site, day) })}</span>\n`,
)}</fieldset>
<div class="own-way"><label for="${id}-way">${words.way}</label>
<select id="${id}-way" name="${INPUT_NAMES.way}">${optionsOf(
    WAYS.filter(way => offeredWays.includes(way) || way === controls.way).map(way => [
      way,
      wayLabel(site, way, from),
    ]),
    controls.way,
  )}</select></div>
</div>`
}

function endFields({ site, id }: FieldView, { repetition: { controls } }: ShownRepetition): Html {
  const words = textsIn(site.language).repetition
  const radio = (value: string, label: string, more: Html | '' = '') =>
    html`<div class="form-radio">${choicePart({ id: `${id}-end-${value}`, type: 'radio', name: INPUT_NAMES.end, value, label, isChosen: value === controls.end })}${more}</div>`
  return html`<fieldset class="repeat-end"><legend>${words.ends}</legend>
${radio('never', words.never)}
${radio(
  'on',
  words.until,
  html` <input type="date" name="${INPUT_NAMES.until}" value="${controls.until}" aria-label="${words.untilDate}">`,
)}
${radio(
  'after',
  words.after,
  html` <input type="number" name="${INPUT_NAMES.count}" min="1" max="1000" inputmode="numeric" value="${controls.count}" aria-label="${words.count}"> ${words.countUnit}`,
)}
</fieldset>`
}

function furtherDates(
  { site, id, choices }: FieldView,
  { repetition: { controls, known }, times }: ShownRepetition,
): Html {
  const words = textsIn(site.language).repetition
  const { also, not, repeat, from, to } = controls
  const listedValues = listedDates(choices, known).map(({ value }) => value)
  const otherValues = not.filter(value => !listedValues.includes(value))
  const isDay = (text: string) => text === '' || text.length === 10
  const inputs = (name: string, label: string, values: readonly string[], isDate: boolean) =>
    [...values, ...EMPTY_DATES].map(
      value =>
        html`<li><input type="${isDate && isDay(value) ? 'date' : 'datetime-local'}" name="${name}" value="${value}"${value.length > 16 && html` step="1"`} aria-label="${label}"></li>\n`,
    )
  const isOpen =
    also.length + otherValues.length > 0 || (!choices.dates && from + to !== '') || repeat === 'dates'
  return html`<details class="further-dates"${isOpen && html` open`}><summary>${words.further}</summary>
<fieldset class="also"><legend>${words.also}</legend><ul class="date-inputs">
${inputs(INPUT_NAMES.also, words.anotherDate, also, times?.all_day ?? false)}</ul></fieldset>
<fieldset class="not"><legend>${words.not}</legend><ul class="date-inputs">
${inputs(INPUT_NAMES.not, words.leftOut, otherValues, true)}</ul></fieldset>
${!choices.dates && breakFields({ site, id }, controls)}
</details>`
}

/** The inputs of a break, whose dates are left out. */
function breakFields({ site, id }: Pick<FieldView, 'site' | 'id'>, controls: Controls): Html {
  const words = textsIn(site.language).repetition
  const day = (name: 'from' | 'to', label: string) =>
    html`<label for="${id}-${name}">${label}</label> <input id="${id}-${name}" type="date" name="${INPUT_NAMES[name]}" value="${controls[name]}">`
  return html`<fieldset class="not"><legend>${words.break}</legend><div class="in-line">${day('from', words.breakFrom)} ${day('to', words.breakTo)}</div></fieldset>`
}

/**
 * A date in the list of a series, with the value by which it is left out. Dates that are left out already
 * have no event.
 */
type ListedDate = Pick<SeriesDate, 'date' | 'notes'> & { value: string; event?: SeriesDate }

/** The dates of a stored series, and those among them that are left out, in order. */
function listedDates({ dates }: Choices, known: KnownRecurrence | undefined): ListedDate[] {
  if (!dates || !known) return []
  const existingDates = dates.dates.map(event => ({
    ...event,
    value: excludedValue(event.date, known.first),
    event,
  }))
  const from = existingDates[0]?.date ?? ''
  const to = existingDates.at(-1)?.date ?? ''
  const isBetween = (date: string) => !dates.hasMore || (date >= from && date <= to)
  const excludedDates = known.exdate
    .filter(date => isBetween(date) && !existingDates.some(other => other.date === date))
    .map(date => ({ date, value: excludedValue(date, known.first), notes: [] }))
  return [...existingDates, ...excludedDates].sort((a, b) => compareTexts(a.date, b.date))
}

/** The dates of a stored series with their changes: each leads to its form, and is left out by its box. */
function seriesDates(
  { site, id, choices }: FieldView,
  { repetition: { controls, known }, times }: ShownRepetition,
): Html | '' {
  if (!choices.dates || !known) return ''
  const words = textsIn(site.language).repetition
  const isLeftOut = (value: string) => controls.not.includes(value)
  const day = (date: DateTime) => site.dates.moment('day', date, times?.all_day)
  const item = ({ date, value, notes, event }: ListedDate, i: number) => {
    const name =
      event && !event.isOwn
        ? html`<a href="${event.href}">${day(date)}</a>`
        : html`<strong>${day(date)}</strong>`
    return html`<li>${name}${notes.length > 0 && html` <span class="small">${notes.join(' · ')}</span>`}
<span class="form-check">${choicePart({ id: `${id}-left-${i}`, type: 'checkbox', name: INPUT_NAMES.not, value, isChosen: isLeftOut(value), label: html`${words.leaveOut}<span class="hidden">${site.words.colon}${day(date)}</span>` })}</span></li>\n`
  }
  return html`<fieldset class="series-dates"><legend>${words.datesOfSeries}</legend><p class="field-help">${words.leaveOutHelp}</p><ol>${listedDates(choices, known).map(item)}</ol>
${
  choices.dates.hasMore
    ? html`<p><button class="button button-quiet" type="submit" name="do" value="${ALL_DATES}" formnovalidate>${words.allDates}</button></p>`
    : html`<input type="hidden" name="${ALL_DATES}" value="1">`
}
${breakFields({ site, id }, controls)}</fieldset>`
}

/**
 * The next dates, and the button that updates them without scripts. Their number depends on an end, which
 * must be chosen first.
 */
function nextDates({ site, choices }: FieldView, { repetition, times }: ShownRepetition): Html {
  const words = textsIn(site.language).repetition
  const isSingleEvent = repetition.controls.repeat === ''
  const upcoming = times && upcomingDates(site.context, repetition, times)
  const hasKnownEnd = !lacksEnd(repetition)
  const { error } = upcoming ?? {}
  const isTooMany = typeof error === 'object' && error.code === 'rule_too_large'
  return html`<div class="next-dates" aria-live="polite">
${
  isSingleEvent
    ? ''
    : !times
      ? html`<p class="field-help">${words.noStart}</p>`
      : error
        ? (hasKnownEnd || !isTooMany) &&
          html`<p class="field-error">${reasonIn(textsIn(site.language), error)}</p>`
        : html`${!choices.dates && html`<p class="next-title">${upcoming?.arePast ? words.first : words.next}</p>`}
${
  !choices.dates &&
  html`<ul>${upcoming?.dates.map(
    date =>
      html`<li><time datetime="${times.all_day ? dayOf(date) : date.replace(' ', 'T')}">${site.dates.moment('day', date, times.all_day)}</time></li>\n`,
  )}</ul>`
}
${hasKnownEnd && html`<p class="field-help">${filled(countedText({ site }, words, upcoming?.goesOn ? 'soFar' : 'total', upcoming?.total ?? 0), { date: upcoming?.last ? site.dates.format('date', upcoming.last) : '' })}</p>`}`
}
</div>
<button class="button button-quiet show-dates" type="submit" name="do" value="edit" formnovalidate>${words.show}</button>`
}

/** The start in a form, as a wall time; undefined if there is none yet. */
function startIn(entries: Entries, context: CalendarContext): DateTime | undefined {
  const text = String(startControl.value(entries, 'start_date', context) ?? '')
  const wall = `${text}${text.length === 16 ? ':00' : ''}`
  return isDateTime(wall) ? wall : undefined
}

/** The times of an event in a form; undefined without a start. */
export function formTimesIn(entries: Entries, context: CalendarContext): FormTimes | undefined {
  const start = startIn(entries, context)
  if (start === undefined) return undefined
  return {
    start,
    all_day: entriesNamed(entries, 'all_day').length > 0,
    timezone: canonicalZone(entry(entries, 'timezone').trim()) ?? context.settings.timezone,
  }
}

const isWall = (value: unknown): value is DateTime => typeof value === 'string' && value.length === 19

const textsAmong = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/**
 * The recurrence of an occurrence in a response of the API. Responses do not contain the first date of the
 * series, `series.first_date`; without it, the date of the occurrence is used.
 */
function knownOf({ series, start_date }: Body): KnownRecurrence | undefined {
  if (!isObject(series) || !isObject(series.recurrence) || !isWall(start_date)) return undefined
  const { recurrence, occurrence_date, first_date } = series
  const first = [first_date, occurrence_date].find(isWall)
  if (first === undefined) return undefined
  return {
    rrule: String(recurrence.rrule ?? ''),
    rdate: textsAmong(recurrence.rdate),
    exdate: textsAmong(recurrence.exdate),
    first,
    date: isWall(occurrence_date) ? occurrence_date : start_date,
    shown: start_date,
  }
}

/** The dates of a series that a form is for, once the user has said so. */
export const scopeIn = (entries: Entries): Scope | undefined =>
  SCOPES.find(name => name === entry(entries, 'scope'))

/** True if a request only leaves out dates of a series, which needs no question about its scope. */
export const isOnlyExclusion = ({ recurrence, ...others }: Body): boolean =>
  Object.keys(others).length === 0 && isObject(recurrence) && Object.keys(recurrence).join() === 'exdate'

export const repetition: Control = {
  isSet: true,
  inputs: () => [
    ...Object.values(INPUT_NAMES),
    KNOWN_INPUT,
    ...inputsOf({ name: 'start_date', control: startControl }),
  ],
  show: body => {
    const known = knownOf(body)
    return entriesOfRepetition({ controls: known ? controlsOf(known) : NO_REPETITION, known })
  },
  unclear: entries => {
    const typedRepetition = repetitionIn(entries)
    if (!typedRepetition) return undefined
    return lacksEnd(typedRepetition)
      ? 'missingEnd'
      : hasUnclearBreak(typedRepetition)
        ? 'unclearBreak'
        : undefined
  },
  value: (entries, _, context) => {
    const typedRepetition = repetitionIn(entries)
    const start = startIn(entries, context)
    return typedRepetition && start && recurrenceOf(typedRepetition, start, scopeIn(entries))
  },
  read: (entries, _, { site }) => {
    const typedRepetition = repetitionIn(entries)
    const start = startIn(entries, site.context)
    if (!typedRepetition) return ''
    const { controls } = start ? withoutBreak(typedRepetition, start).repetition : typedRepetition
    return repetitionLabel(site, controls, dayOfRule(typedRepetition.known, start ?? site.today))
  },
  render: view => {
    const { site, entries } = view
    const typedRepetition = repetitionIn(entries) ?? { controls: NO_REPETITION }
    return repetitionFields(view, { repetition: typedRepetition, times: formTimesIn(entries, site.context) })
  },
}
