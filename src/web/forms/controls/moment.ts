import { type DateTime, toWall } from '../../../lib/time.ts'
import { html } from '../../html/html.ts'
import { type Control, described, type FieldView, group } from '../control.ts'
import { entriesNamed, entry } from '../entries.ts'

// A date and a time are separate inputs, so that an all-day event needs no time, and the date of a one-day event is entered
// once.

const time = (name: string): string => `${name}_time`

const dayOf = (wall: unknown): string => String(wall ?? '').slice(0, 10)
/** The time of day; seconds only if there are any. */
const clockOf = (wall: unknown): string =>
  String(wall ?? '')
    .slice(11)
    .replace(/:00$/, '')

/** The two inputs of a date and a time. */
function inputs(view: FieldView, words: { day: string; clock: string }) {
  const { id, name, entries, error, isRequired, isFocused } = view
  const state = html`${described(view)}${error && html` aria-invalid="true"`}`
  return html`<div class="moment"><div><label for="${id}">${words.day}</label>
<input id="${id}" name="${name}" type="date" value="${entry(entries, name)}"${isRequired && html` required`}${isFocused && html` autofocus`}${state}></div>
<div class="clock"><label for="${id}-time">${words.clock}</label>
<input id="${id}-time" name="${time(name)}" type="time" value="${entry(entries, time(name))}"${state}></div></div>`
}

const spoken = (entries: FieldView['entries'], name: string): string =>
  [entry(entries, name), entry(entries, time(name))].filter(Boolean).join(' ')

const isAllDay = (entries: FieldView['entries']): boolean => entriesNamed(entries, 'all_day').length > 0

/** Tells that a time is missing: leaving it empty does not mean midnight. */
const withoutTime = (entries: FieldView['entries'], name: string): 'missingTime' | undefined =>
  entry(entries, name) !== '' && entry(entries, time(name)) === '' && !isAllDay(entries)
    ? 'missingTime'
    : undefined

function startOf(entries: FieldView['entries']): string {
  const day = entry(entries, 'start_date')
  const clock = isAllDay(entries) ? '' : entry(entries, time('start_date'))
  return day && `${day} ${clock || '00:00'}`
}

/** The start of an event, in its zone. */
export const start: Control = {
  inputs: name => [name, time(name), 'all_day'],
  show: (body, name) => [
    [name, [dayOf(body[name])]],
    [time(name), [body.all_day ? '' : clockOf(body[name])]],
  ],
  unclear: withoutTime,
  value: startOf,
  read: spoken,
  render: view => group(view, inputs(view, { day: view.words.day, clock: view.words.clock }), 'is-moment'),
}

/**
 * The end of an event, in its zone. Without a date it is that of the start, or the next one if the time is earlier; without a
 * time as well, the event has no duration.
 */
export const end: Control = {
  inputs: name => [name, time(name), 'start_date', time('start_date'), 'all_day'],
  show: (body, name) => {
    const [startDay, endDay] = [dayOf(body.start_date), dayOf(body[name])]
    const isMoment = body.start_date === body[name]
    return [
      [name, [startDay === endDay ? '' : endDay]],
      [time(name), [body.all_day || isMoment ? '' : clockOf(body[name])]],
    ]
  },
  unclear: (entries, name) =>
    entry(entries, name) === entry(entries, 'start_date') ? undefined : withoutTime(entries, name),
  value: (entries, name) => {
    const from = startOf(entries)
    const startDay = entry(entries, 'start_date')
    const clock = isAllDay(entries) ? '' : entry(entries, time(name))
    const day = entry(entries, name) || startDay
    if (!day) return ''
    if (!clock) return isAllDay(entries) || day !== startDay ? `${day} 00:00` : from
    const isNext = entry(entries, name) === '' && `${startDay} ${clock}` < from
    return isNext ? `${dayAfter(day)} ${clock}` : `${day} ${clock}`
  },
  read: spoken,
  render: view =>
    group(view, inputs(view, { day: view.words.lastDay, clock: view.words.clock }), 'is-moment'),
}

/** The next day. @param day from a browser's date input */
function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}

/** Statuses for which the form shows a date of publication. */
const DATED: readonly unknown[] = ['publish', 'future']

/**
 * The time of publication, in the site's zone: a future one for scheduled content. If a scheduled time is given up, it becomes
 * the present.
 */
export const publication: Control = {
  inputs: name => ['status', name, time(name)],
  show: (body, name) => [
    [name, [DATED.includes(body.status) ? dayOf(body[name]) : '']],
    [time(name), [DATED.includes(body.status) ? clockOf(body[name]) : '']],
  ],
  value: (entries, name, { now, settings }) => {
    const day = entry(entries, name)
    const wall = day && `${day} ${entry(entries, time(name)) || '00:00'}`
    const status = entry(entries, 'status')
    if (status === 'future') return wall
    if (!wall || status !== 'publish') return undefined
    return isLater(wall, toWall(now, settings.timezone)) ? 'now' : wall
  },
  read: spoken,
  render: view =>
    group(view, inputs(view, { day: view.words.day, clock: view.words.clock }), 'is-moment is-publication'),
}

const isLater = (wall: string, now: DateTime): boolean => wall > now
