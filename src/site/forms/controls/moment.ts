import {
  daysLater,
  formatInstant,
  HOUR_MS,
  isDateTime,
  isDay,
  toWall,
  wallMs,
} from '../../../kit/lib/time.ts'
import { type Html, html } from '../../html/html.ts'
import type { Control, FieldView } from '../control.ts'
import { type Entries, entriesNamed, entry, withEntries } from '../entries.ts'
import { describedByAttribute, group, helpOf, requiredMark } from '../field-html.ts'

// A date and a time are separate inputs, so that an all-day event needs no time, and the date of a one-day
// event is entered once.

const timeInput = (name: string): string => `${name}_time`

const dayOf = (wall: unknown): string => String(wall ?? '').slice(0, 10)
/** The time of day; seconds only if there are any. */
const clockOf = (wall: unknown): string =>
  String(wall ?? '')
    .slice(11)
    .replace(/:00$/, '')

/**
 * The years that a date may have: browsers read 27 as the year 0027, and take six digits if there is no
 * maximum. A stored date of such a year stays.
 */
const yearsFor = (day: string): Html =>
  html` ${(day === '' || day >= '1000') && html`min="1000-01-01" `}max="9999-12-31"`

/**
 * The input of a date, and the one of a time.
 *
 * @param lacksTime true if all that is wrong is that there is no time
 */
function momentInputs(
  view: FieldView,
  labels: { day: Html | string; clock: Html | string },
  lacksTime = false,
): { day: Html; clock: Html } {
  const { id, name, words, entries, error, isRequired, isFocused } = view
  const described = describedByAttribute(view)
  const invalid = error && html` aria-invalid="true"`
  // The cursor goes to what is missing.
  const isClockFocused = isFocused && lacksTime
  return {
    day: html`<div class="date"><label for="${id}">${labels.day}${isRequired && requiredMark(words)}</label>
<input id="${id}" name="${name}" type="date"${yearsFor(entry(entries, name))} value="${entry(entries, name)}"${isRequired && html` required`}${isFocused && !isClockFocused && html` autofocus`}${described}${!lacksTime && invalid}></div>`,
    clock: html`<div class="clock"><label for="${id}-time">${labels.clock}</label>
<input id="${id}-time" name="${timeInput(name)}" type="time" value="${entry(entries, timeInput(name))}"${isClockFocused && html` autofocus`}${described}${invalid}></div>`,
  }
}

/** A day and a time as pages write them; as they were typed if they are neither, or have seconds. */
function spokenMoment(entries: Entries, name: string, { site }: FieldView): string {
  const day = entry(entries, name)
  const clock = entry(entries, timeInput(name))
  const wall = `${day || '2000-01-01'} ${clock || '00:00'}:00`
  if (!isDateTime(wall)) return [day, clock].filter(Boolean).join(' ')
  if (day === '') return clock && site.dates.clock(wall)
  return site.dates.moment('date', wall, clock === '')
}

const isAllDay = (entries: FieldView['entries']): boolean => entriesNamed(entries, 'all_day').length > 0

/** Returns the error for a missing time: an empty time does not mean midnight. */
const timeError = (entries: FieldView['entries'], name: string): 'missingTime' | undefined =>
  entry(entries, name) !== '' && entry(entries, timeInput(name)) === '' && !isAllDay(entries)
    ? 'missingTime'
    : undefined

function startOf(entries: FieldView['entries']): string {
  const day = entry(entries, 'start_date')
  const clock = isAllDay(entries) ? '' : entry(entries, timeInput('start_date'))
  return day && `${day} ${clock || '00:00'}`
}

/** The start of an event, in its zone. */
export const startMoment: Control = {
  inputs: name => [name, timeInput(name), 'all_day'],
  show: (body, name) => [
    [name, [dayOf(body[name])]],
    [timeInput(name), [body.all_day ? '' : clockOf(body[name])]],
  ],
  unclear: timeError,
  value: startOf,
  read: spokenMoment,
  render: view => {
    const { words, entries, name, isRequired } = view
    const clockLabel = html`${words.from}${isRequired && requiredMark(words)}`
    const labels = { day: words.day, clock: clockLabel }
    const { day, clock } = momentInputs(view, labels, timeError(entries, name) !== undefined)
    return group({ ...view, isRequired: false }, html`<div class="moment">${day}${clock}</div>`, 'is-moment')
  },
}

/**
 * Hidden inputs of the end: the start and the end that the form was made for, and those that the user was
 * asked about.
 */
const END_WAS_INPUT = 'end_date_was'
const CONFIRMED_INPUT = 'end_date_confirmed'

const spanText = (entries: Entries): string => `${startOf(entries)}/${endOf(entries, 'end_date')}`

/** {@link wallMs} of a time with or without seconds; NaN for an incomplete one. */
const wallMsOf = (wall = ''): number => wallMs(/:\d\d:/.test(wall) ? wall : `${wall}:00`)

type Span = { from: number; to: number }

function spanIn(text: string): Span | undefined {
  const [from, to] = text.split('/').map(wallMsOf)
  return from !== undefined && to !== undefined && from <= to ? { from, to } : undefined
}

/**
 * The entries with an end that has moved with the start, so that the event is as long as it was; undefined if
 * the start has not been changed, or the end has as well.
 */
export function movedEnd(entries: Entries): Entries | undefined {
  const was = spanIn(entry(entries, END_WAS_INPUT))
  const from = wallMsOf(startOf(entries))
  if (!was || Number.isNaN(from) || from === was.from || was.from === was.to) return undefined
  const [day, clock] = shownSpan(was, isAllDay(entries))
  if (entry(entries, 'end_date') !== day || entry(entries, timeInput('end_date')) !== clock) return undefined
  const [newDay, newClock] = shownSpan({ from, to: from + was.to - was.from }, isAllDay(entries))
  if (newDay === day && newClock === clock) return undefined
  const movedEntries = withEntries(entries, [
    ['end_date', [newDay]],
    [timeInput('end_date'), [newClock]],
  ])
  return withEntries(movedEntries, [[END_WAS_INPUT, [spanText(movedEntries)]]])
}

/** What the inputs of the end show: no day if it is the day of the start, and no time for whole days. */
function shownSpan({ from, to }: Span, isWholeDay: boolean): [day: string, clock: string] {
  const start = formatInstant(from)
  const end = formatInstant(to)
  return [dayOf(start) === dayOf(end) ? '' : dayOf(end), isWholeDay ? '' : clockOf(end)]
}

const HALF_A_DAY = 12 * HOUR_MS

/**
 * Returns `longEvent` if an event without a last day would be very long, or now lasts until the next day.
 * Most likely its start or end was mistyped. Saving the form once more confirms it.
 */
function unlikelySpan(entries: Entries): 'longEvent' | undefined {
  const current = spanIn(spanText(entries))
  if (!current || isAllDay(entries) || entry(entries, 'end_date') !== '') return undefined
  const original = spanIn(entry(entries, END_WAS_INPUT))
  const isOvernight = ({ from, to }: Span) => dayOf(formatInstant(from)) !== dayOf(formatInstant(to))
  const isLong =
    current.to - current.from > HALF_A_DAY && !(original && original.to - original.from > HALF_A_DAY)
  const isNewlyOvernight = original !== undefined && isOvernight(current) && !isOvernight(original)
  return (isLong || isNewlyOvernight) && entry(entries, CONFIRMED_INPUT) !== spanText(entries)
    ? 'longEvent'
    : undefined
}

function endOf(entries: Entries, name: string): string {
  const from = startOf(entries)
  const startDay = entry(entries, 'start_date')
  const clock = isAllDay(entries) ? '' : entry(entries, timeInput(name))
  const day = entry(entries, name) || startDay
  if (!day) return ''
  if (!clock) return isAllDay(entries) || day !== startDay ? `${day} 00:00` : from
  const isNextDay = entry(entries, name) === '' && `${startDay} ${clock}` < from
  return isNextDay ? `${dayAfter(day)} ${clock}` : `${day} ${clock}`
}

/** The error for a last day without a time. The day of the start needs none. */
const endTimeError = (entries: Entries, name: string): 'missingTime' | undefined =>
  entry(entries, name) === entry(entries, 'start_date') ? undefined : timeError(entries, name)

/**
 * The end of an event, in its zone. Without a date, the date is the start's, or the next day if the time is
 * earlier; without a time as well, the event has no duration.
 */
export const endMoment: Control = {
  inputs: name => [name, timeInput(name), 'start_date', timeInput('start_date'), 'all_day'],
  show: (body, name) => {
    const startDay = dayOf(body.start_date)
    const endDay = dayOf(body[name])
    const hasNoLength = body.start_date === body[name]
    return [
      [name, [startDay === endDay ? '' : endDay]],
      [timeInput(name), [body.all_day || hasNoLength ? '' : clockOf(body[name])]],
      [END_WAS_INPUT, [startDay && `${String(body.start_date)}/${String(body[name])}`]],
    ]
  },
  unclear: (entries, name) => endTimeError(entries, name) ?? unlikelySpan(entries),
  value: endOf,
  read: spokenMoment,
  render: view => {
    const { name, words, entries, error } = view
    const labels = { day: words.lastDay, clock: words.until }
    const { day, clock } = momentInputs(view, labels, endTimeError(entries, name) !== undefined)
    const isOpen = error !== undefined || entry(entries, name) !== ''
    return group(
      { ...view, help: undefined },
      html`<div class="moment">${clock}
<details class="other-day"${isOpen && html` open`}><summary>${words.otherDay}</summary>${day}${helpOf(view)}</details></div>
<input type="hidden" name="${END_WAS_INPUT}" value="${entry(entries, END_WAS_INPUT)}">${error && html`<input type="hidden" name="${CONFIRMED_INPUT}" value="${spanText(entries)}">`}`,
      'is-moment',
    )
  },
}

/** The next day. @param day from a browser's date input */
export const dayAfter = (day: string): string => (isDay(day) ? daysLater(day, 1) : day)

/** The statuses that make the form show a date of publication. */
const STATUSES_WITH_DATE: readonly unknown[] = ['publish', 'future']

/**
 * The time of publication, in the site's zone: a future one for scheduled content. If a scheduled time is
 * given up, it becomes the present.
 */
export const publication: Control = {
  inputs: name => ['status', name, timeInput(name)],
  show: (body, name) => [
    [name, [STATUSES_WITH_DATE.includes(body.status) ? dayOf(body[name]) : '']],
    [timeInput(name), [STATUSES_WITH_DATE.includes(body.status) ? clockOf(body[name]) : '']],
  ],
  value: (entries, name, { clock, settings }) => {
    const day = entry(entries, name)
    const wall = day && `${day} ${entry(entries, timeInput(name)) || '00:00'}`
    const status = entry(entries, 'status')
    if (status === 'future') return wall
    if (!wall || status !== 'publish') return undefined
    return wall > toWall(clock.now(), settings.timezone) ? 'now' : wall
  },
  read: spokenMoment,
  render: view => {
    const { day, clock } = momentInputs(view, { day: view.words.day, clock: view.words.clock })
    return group(view, html`<div class="moment">${day}${clock}</div>`, 'is-moment is-publication')
  },
}
