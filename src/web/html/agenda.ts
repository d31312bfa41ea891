import { hasPassed } from '../../lib/clock.ts'
import { capitalized } from '../../lib/text.ts'
import { addDays, dayNumber } from '../../lib/time.ts'
import { eventPath, type ListedEvent } from '../../resources/events/listed.ts'
import { isOff } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { isOver } from './badges.ts'
import { featureCard, ongoingBlock } from './cards.ts'
import { type DatedEvent, dated, eventItem, type RowOptions } from './events.ts'
import { type Html, html } from './html.ts'
import { counted, type Site } from './site.ts'
import { nameOf } from './text.ts'
import { dayText } from './when.ts'

// A list of events by day, with featured and ongoing events.

type Group = { key: string; events: DatedEvent[] }

/** The events of a list by day, and the ongoing ones, which began earlier and run on for days. */
type Agenda = { days: Group[]; ongoing: DatedEvent[] }

/** The length in days from which on a running event is an ongoing one. Shorter ones stand on the list's first day. */
const ONGOING_DAYS = 7

const daysBetween = (first: string, last: string): number =>
  dayNumber(`${last} 00:00:00`) - dayNumber(`${first} 00:00:00`)

/** Tells if an event began before a day and lasts for a week or more. */
export const isOngoing = ({ times: { firstDay, lastDay } }: DatedEvent, since: string): boolean =>
  firstDay < since && lastDay >= since && daysBetween(firstDay, lastDay) >= ONGOING_DAYS

/**
 * Groups events by day. Events that began before the list's first day belong to that day or, if they last for a week or
 * more, to the ongoing ones; lists of the past only use the day of the start.
 *
 * @param since the first day of the list; undefined for the past
 */
export function grouped(site: Site, events: readonly ListedEvent[], since: string | undefined): Agenda {
  const groups = new Map<string, Group>()
  const ongoing: DatedEvent[] = []
  for (const event of events) {
    const shown = dated(site, event)
    const { firstDay, lastDay } = shown.times
    // An all-day event belongs to its own days, even if they have ended in the site's zone.
    const isOn = since !== undefined && firstDay < since && lastDay >= since
    if (isOn && isOngoing(shown, since)) {
      ongoing.push(shown)
      continue
    }
    const key = isOn ? since : firstDay
    const group = groups.get(key) ?? { key, events: [] }
    group.events.push(shown)
    groups.set(key, group)
  }
  // All-day events in other zones start earlier or later than days of the site, so they may be out of order.
  const isPast = since === undefined
  return { days: [...groups.values()].sort((a, b) => (a.key < b.key !== isPast ? -1 : 1)), ongoing }
}

type GroupsOptions = Pick<RowOptions, 'isAtVenue' | 'marks'> & {
  /** The featured events that stand above the days as large cards. */
  features?: readonly DatedEvent[]
  /** True for a list that begins today: if nothing is left of today, it says what comes next. */
  isFromToday?: boolean
}

/** The days of a list with their events, the ongoing events and, if there are any, cards of featured events. */
export function eventGroups(
  site: Site,
  { days: [first, ...days], ongoing }: Agenda,
  { features = [], isFromToday = false, ...row }: GroupsOptions = {},
): Html {
  const today = isFromToday && first?.key === site.today.slice(0, 10) ? first : undefined
  const section = (group: Group, i: number): Html => daySection(site, group, i, row)
  const isLeft = today?.events.some(({ event }) => !isOff(event.event_status) && !isOver(site, event))
  const [group] = today ? days : [first]
  const next = group?.events.find(({ event }) => !isOff(event.event_status))
  const nextUp =
    isFromToday &&
    !isLeft &&
    next &&
    nextLine(site, next, { day: group?.key ?? '', hadSome: today !== undefined, ongoing })
  return html`${features.length > 0 && html`<div class="features">${features.map(shown => featureCard(site, shown))}</div>`}
<div class="agenda${ongoing.length > 0 && ' has-ongoing'}">
<div class="agenda-first">${!today && nextUp}${first && section(first, 0)}${today && nextUp}</div>
${ongoing.length > 0 && ongoingBlock(site, ongoing, row.marks)}
<div class="agenda-rest">${days.map((group, i) => section(group, i + 1))}</div>
</div>`
}

/** A day on which nothing comes any more: whether something was, and what began earlier and runs on for days. */
type QuietDay = { hadSome: boolean; ongoing: readonly DatedEvent[] }

/** What comes next after an empty today. */
function nextLine(site: Site, next: DatedEvent, { day, hadSome, ongoing }: QuietDay & { day: string }): Html {
  const { words } = site
  const open = ongoing.filter(({ event }) => !isOff(event.event_status) && !isOver(site, event)).length
  const quiet =
    open > 0
      ? counted({ site }, words, hadSome ? 'nothingMore' : 'nothingNew', open)
      : hadSome
        ? words.nothingLeft
        : words.nothingToday
  const { title, slug } = next.event
  const when = filled(words.nextUp, { when: nextWhen(site, next, day) })
  return html`<p class="next-up">${quiet} ${when} <a href="${eventPath(site, next.event)}">${nameOf(title, slug)}</a></p>`
}

/** The day and the time of an event to come: only the weekday within a week. */
function nextWhen(site: Site, { event, times }: DatedEvent, day: string): string {
  const { dates, today } = site
  const wall = `${day} ${times.firstDay === day ? times.start.slice(11) : '00:00:00'}`
  const date =
    wall < addDays(today, 7) ? dates.format('longWeekday', wall) : dayText(site, 'dayInMonth', wall)
  return event.all_day || times.firstDay < day ? date : `${date}, ${dates.clock(wall)}`
}

/** The events of today in the order in which they matter: what is on or next, what is cancelled, and what is over. */
export function todayFirst(site: Site, events: readonly DatedEvent[]) {
  const over = events.filter(({ event }) => isOver(site, event))
  const left = events.filter(shown => !over.includes(shown))
  const off = left.filter(({ event }) => isOff(event.event_status))
  return { coming: left.filter(shown => !off.includes(shown)), off, over }
}

/** Events as a list. */
export const dayList = (
  site: Site,
  events: readonly DatedEvent[],
  day: string,
  options?: RowOptions,
): Html | '' =>
  events.length === 0
    ? ''
    : html`<ol class="events">${events.map(shown => eventItem(site, shown, day, options))}</ol>`

/** Events that are over, folded into a line. */
export const overFold = (
  site: Site,
  over: readonly DatedEvent[],
  day: string,
  options?: RowOptions,
): Html | '' =>
  over.length === 0
    ? ''
    : html`<details class="earlier"><summary>${counted({ site }, site.words, 'earlierToday', over.length)}</summary>${dayList(site, over, day, options)}</details>`

/** The events of today on a page of their own: what is on now and what comes, beside what runs on for days; what is over is folded. */
export function todayList(
  site: Site,
  events: readonly DatedEvent[],
  day: string,
  marks: readonly string[] = [],
): Html {
  const { words, context } = site
  const { coming, off, over } = todayFirst(site, events)
  const [ongoing, others] = [true, false].map(is => coming.filter(shown => isOngoing(shown, day) === is))
  const [now, later] = [true, false].map(is =>
    others?.filter(({ event }) => hasPassed(context, event.utc_start_date) === is),
  )
  const part = (name: 'now' | 'still', shown: readonly DatedEvent[] = []): Html | '' =>
    shown.length === 0
      ? ''
      : html`<section class="${name}" aria-labelledby="${name}"><h2 class="today-part" id="${name}">${words[name]}</h2>${dayList(site, shown, day, { marks })}</section>`
  return html`<div class="agenda${ongoing?.length && ' has-ongoing'}">
<div class="agenda-first">${part('now', now)}${part('still', later)}</div>
${ongoing?.length ? ongoingBlock(site, ongoing, marks) : ''}
<div class="agenda-rest">${overFold(site, over, day, { marks })}${dayList(site, off, day, { level: 'h2', marks })}</div>
</div>`
}

/** The next event after a day on which nothing comes any more: a sentence, and a large card. */
export const nextCard = (site: Site, next: DatedEvent, quiet: QuietDay): Html =>
  html`${nextLine(site, next, { day: next.times.firstDay, ...quiet })}<div class="features">${featureCard(site, next)}</div>`

/** A day with its events. */
function daySection(site: Site, { key, events }: Group, i: number, row: RowOptions): Html {
  const isToday = key === site.today.slice(0, 10)
  const { coming, off, over } = isToday ? todayFirst(site, events) : { coming: events, off: [], over: [] }
  return html`<section class="day" aria-labelledby="day-${i}">
<h2 class="day-heading${isToday && ' is-today'}" id="day-${i}">${dayHeading(site, key)}</h2>
<div>${dayList(site, [...coming, ...off], key, row)}${overFold(site, over, key, row)}</div>
</section>`
}

/** The heading of a day, with weekday and date on two lines if there is room. Today and tomorrow are called so. */
function dayHeading(site: Site, key: string): Html {
  const { words, dates, today } = site
  const wall = `${key} 00:00:00`
  const near = wall === today ? words.today : wall === addDays(today, 1) ? words.tomorrow : undefined
  const [name, date] = near
    ? [near, capitalized(dates.format('shortDay', wall))]
    : [capitalized(dates.format('longWeekday', wall)), dayText(site, 'dayOfYear', wall)]
  return html`<time datetime="${key}"><span class="weekday">${name}<span class="hidden">,</span></span> <span class="date">${date}</span></time>`
}
