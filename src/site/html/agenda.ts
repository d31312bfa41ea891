import { eventPath, type ListedEvent } from '../../calendar/events/listed-events.ts'
import { takesPlace } from '../../kit/lib/statuses.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { addDays, type Day, dayNumber, dayOf, daysLater } from '../../kit/lib/time.ts'
import { compareTexts } from '../../kit/lib/values.ts'
import { filled } from '../../words/words.ts'
import { featureCard, ongoingBlock } from './cards.ts'
import { type DatedEvent, eventItem, isOver, type RowOptions, withTimes } from './events.ts'
import { type Html, html } from './html.ts'
import { countedText, type PageContext } from './page-context.ts'
import { nameOf } from './text.ts'
import { dayText } from './when.ts'

// A list of events by day, with featured and ongoing events.

type Group = { key: Day; events: DatedEvent[] }

/**
 * The events of a list by day, and the ongoing ones, which began before its first day and run on for days.
 */
export type Agenda = { days: Group[]; ongoing: DatedEvent[]; since: Day | undefined }

/**
 * The length in days from which an event that has begun counts as ongoing. Shorter ones are on the list's
 * first day.
 */
const MIN_ONGOING_DAYS = 7

const daysBetween = (first: Day, last: Day): number => dayNumber(last) - dayNumber(first)

/** True if an event began before a day and lasts for a week or more, unless it has ended today. */
export const isOngoing = (
  site: PageContext,
  { event, times: { firstDay, lastDay } }: DatedEvent,
  since: Day,
): boolean =>
  firstDay < since &&
  lastDay >= since &&
  daysBetween(firstDay, lastDay) >= MIN_ONGOING_DAYS &&
  !(since === dayOf(site.today) && isOver(site, event))

/**
 * Groups events by day. Events that began before the list's first day belong to that day or, if they last for
 * a week or more, to the ongoing ones; lists of the past only use the day of the start. An all-day event
 * keeps its own days, even if they have ended here while it is still on in a zone further west, except in a
 * list that begins today: a day that is past would stand above what is on now.
 *
 * @param since the first day of the list; undefined for the past
 */
export function groupByDay(
  site: PageContext,
  events: readonly ListedEvent[],
  since: Day | undefined,
): Agenda {
  const today = dayOf(site.today)
  const groups = new Map<string, Group>()
  const ongoing: DatedEvent[] = []
  for (const event of events) {
    const datedEvent = withTimes(site, event)
    const { firstDay, lastDay } = datedEvent.times
    const hasBegunBefore = since !== undefined && firstDay < since && (lastDay >= since || since === today)
    if (hasBegunBefore && isOngoing(site, datedEvent, since)) {
      ongoing.push(datedEvent)
      continue
    }
    const key = hasBegunBefore ? since : firstDay
    const group = groups.get(key) ?? { key, events: [] }
    group.events.push(datedEvent)
    groups.set(key, group)
  }
  // All-day events in other zones start earlier or later than days of the site, so they may be out of order.
  const isPast = since === undefined
  const days = [...groups.values()].sort((a, b) =>
    isPast ? compareTexts(b.key, a.key) : compareTexts(a.key, b.key),
  )
  return { days, ongoing, since }
}

type GroupsOptions = Pick<RowOptions, 'isAtVenue' | 'marks'> & {
  /** The featured events that stand above the days as large cards. */
  features?: readonly DatedEvent[]
  /** True for a list that begins today. It says what comes next once nothing is left today. */
  isFromToday?: boolean
}

type Columns = {
  /** The rows before the ongoing events on narrow screens; empty if there are none. */
  first: Html | ''
  otherDays: Html | '' | readonly Html[]
  ongoing: readonly DatedEvent[]
  day: Day
  row: RowOptions
}

/**
 * Rows of events, with the ongoing events beside them. If there are no rows, the ongoing events take their
 * place.
 */
function agendaColumns(site: PageContext, { first, otherDays, ongoing, day, row }: Columns): Html {
  const isBeside = first !== '' && ongoing.length > 0
  return html`<div class="agenda${isBeside && ' has-ongoing'}">
<div class="agenda-first">${first || ongoingRows(site, ongoing, day, row)}</div>
${isBeside && ongoingBlock(site, ongoing, day, row.marks)}
<div class="agenda-rest">${otherDays}</div>
</div>`
}

/** Ongoing events as rows like others. */
const ongoingRows = (
  site: PageContext,
  ongoing: readonly DatedEvent[],
  day: Day,
  row: RowOptions,
): Html | '' =>
  ongoing.length === 0
    ? ''
    : html`<section class="day" aria-labelledby="ongoing"><h2 class="day-heading" id="ongoing">${site.words.ongoing}</h2>${dayList(site, ongoing, day, row)}</section>`

/**
 * The days of a list with their events, the ongoing events and, if there are any, cards of featured events.
 */
export function eventGroups(
  site: PageContext,
  { days: [first, ...days], ongoing, since = '' }: Agenda,
  { features = [], isFromToday = false, ...row }: GroupsOptions = {},
): Html {
  const today = isFromToday && first?.key === dayOf(site.today) ? first : undefined
  const section = (shownGroup: Group, i: number): Html => daySection(site, shownGroup, i, row)
  const hasMoreToday = today?.events.some(
    ({ event }) => takesPlace(event.event_status) && !isOver(site, event),
  )
  const [group] = today ? days : [first]
  const next = group?.events.find(({ event }) => takesPlace(event.event_status))
  const nextUp =
    isFromToday &&
    !hasMoreToday &&
    next &&
    nextLine(site, next, { day: group?.key ?? '', hadSome: today !== undefined, ongoing })
  const begin = first && html`${!today && nextUp}${section(first, 0)}${today && nextUp}`
  // Events that are over are folded, and do not count as rows.
  const hasRows = days.length > 0 || first?.events.some(shown => !isFolded(site, first.key, shown))
  const sections = days.map((day, i) => section(day, i + 1))
  // Ongoing events come before a later day, by which they may have closed.
  const isLater = first !== undefined && first.key > since && ongoing.length > 0
  return html`${features.length > 0 && html`<div class="features">${features.map(shown => featureCard(site, shown))}</div>`}
${agendaColumns(site, {
  first: isLater ? html`${nextUp}` : (hasRows && begin) || '',
  otherDays: isLater ? [section(first, 0), ...sections] : hasRows ? sections : html`${begin}`,
  ongoing,
  day: since,
  row,
})}`
}

/** A day or an evening with nothing left: whether anything took place, and the ongoing events. */
type QuietDay = { hadSome: boolean; ongoing: readonly DatedEvent[]; isEvening?: boolean }

/** Says that there is nothing today, or tonight. */
function quietText(site: PageContext, { hadSome, ongoing, isEvening = false }: QuietDay): string {
  const { words } = site
  // What began in the afternoon may still be on.
  if (isEvening) return hadSome ? words.nothingMoreTonight : words.nothingTonight
  const openCount = ongoing.filter(({ event }) => takesPlace(event.event_status)).length
  if (openCount > 0) return countedText({ site }, words, hadSome ? 'nothingMore' : 'nothingNew', openCount)
  return hadSome ? words.nothingLeft : words.nothingToday
}

/** What comes next if there is nothing today. */
function nextLine(site: PageContext, next: DatedEvent, { day, ...quiet }: QuietDay & { day: Day }): Html {
  const { title, slug } = next.event
  const nextUpText = filled(site.words.nextUp, { when: nextWhen(site, next, day) })
  return html`<p class="next-up">${quietText(site, quiet)} ${nextUpText} <a href="${eventPath(site, next.event)}">${nameOf(title, slug)}</a></p>`
}

/** The day and the time of an event to come: only the weekday within a week. */
function nextWhen(site: PageContext, { event, times }: DatedEvent, day: Day): string {
  const { dates, today } = site
  const wall = `${day} ${times.firstDay === day ? times.start.slice(11) : '00:00:00'}`
  const date =
    wall < addDays(today, 7) ? dates.format('longWeekday', wall) : dayText(site, 'dayInMonth', wall)
  return event.all_day || times.firstDay < day ? date : `${date}, ${dates.clock(wall)}`
}

/** The events of today: what is on or next, what is cancelled or postponed, and what is over. */
export function todayFirst(site: PageContext, events: readonly DatedEvent[]) {
  const pastEvents = events.filter(({ event }) => isOver(site, event))
  const otherEvents = events.filter(shown => !pastEvents.includes(shown))
  const offEvents = otherEvents.filter(({ event }) => !takesPlace(event.event_status))
  return {
    coming: otherEvents.filter(shown => !offEvents.includes(shown)),
    off: offEvents,
    over: pastEvents,
  }
}

export const dayList = (
  site: PageContext,
  events: readonly DatedEvent[],
  day: Day,
  options: RowOptions,
): Html | '' =>
  events.length === 0
    ? ''
    : html`<ol class="events">${events.map(shown => eventItem(site, shown, day, options))}</ol>`

/** Events that are over, folded into a line. */
const overFold = (
  site: PageContext,
  pastEvents: readonly DatedEvent[],
  day: Day,
  options: RowOptions,
): Html | '' =>
  pastEvents.length === 0
    ? ''
    : html`<details class="earlier"><summary>${countedText({ site }, site.words, 'earlierToday', pastEvents.length)}</summary>${dayList(site, pastEvents, day, options)}</details>`

/** The events of a day on a page of its own, and what comes next if there is nothing today. */
type DayPage = {
  events: readonly DatedEvent[]
  day: Day
  marks: readonly string[]
  later: readonly ListedEvent[]
}

/**
 * The events of a day on a page of its own, beside the ongoing events. On the page of today, what is over is
 * folded.
 */
export function dayAgenda(site: PageContext, { events, day, marks, later }: DayPage): Html {
  const { words, context } = site
  const isToday = day === dayOf(site.today)
  const ongoing = events.filter(shown => isOngoing(site, shown, day))
  const shortEvents = events.filter(shown => !ongoing.includes(shown))
  const row = { marks }
  if (!isToday)
    return agendaColumns(site, {
      first: dayList(site, shortEvents, day, { level: 'h2', marks }),
      otherDays: '',
      ongoing,
      day,
      row,
    })
  const { coming, off, over } = todayFirst(site, shortEvents)
  const hasBegun = ({ event }: DatedEvent): boolean => context.clock.hasPassed(event.utc_start_date)
  const now = coming.filter(hasBegun)
  const still = coming.filter(shown => !hasBegun(shown))
  const part = (name: 'now' | 'still' | 'off', datedEvents: readonly DatedEvent[] = []): Html | '' =>
    datedEvents.length === 0
      ? ''
      : html`<section class="${name}" aria-labelledby="${name}"><h2 class="today-part" id="${name}">${words[name]}</h2>${dayList(site, datedEvents, day, row)}</section>`
  const otherParts = html`${part('off', off)}${overFold(site, over, day, row)}`
  if (coming.length > 0 || later.length === 0)
    return agendaColumns(site, {
      first: coming.length > 0 ? html`${part('now', now)}${part('still', still)}` : '',
      otherDays: otherParts,
      ongoing,
      day,
      row,
    })
  const { days } = groupByDay(site, later, day)
  const afterwards = html`<h2 class="today-part">${words.afterwards}</h2>${eventGroups(site, { days, ongoing: [], since: day })}`
  return agendaColumns(site, { first: otherParts, otherDays: afterwards, ongoing, day, row })
}

/** The next event after a day with nothing left: a sentence, and a large card. */
export const nextCard = (site: PageContext, next: DatedEvent, quiet: QuietDay): Html =>
  html`${nextLine(site, next, { day: next.times.firstDay, ...quiet })}<div class="features">${featureCard(site, next)}</div>`

/** True if an event of today's section is over, so that it is folded. */
const isFolded = (site: PageContext, key: Day, { event }: DatedEvent): boolean =>
  key === dayOf(site.today) && isOver(site, event)

/** A day with its events, in the order of their times. */
function daySection(site: PageContext, { key, events }: Group, i: number, row: RowOptions): Html {
  const isToday = key === dayOf(site.today)
  const foldedEvents = events.filter(shown => isFolded(site, key, shown))
  const otherEvents = events.filter(shown => !foldedEvents.includes(shown))
  return html`<section class="day" aria-labelledby="day-${i}">
<h2 class="day-heading${isToday && ' is-today'}" id="day-${i}">${dayHeading(site, key)}</h2>
<div>${dayList(site, otherEvents, key, row)}${overFold(site, foldedEvents, key, row)}</div>
</section>`
}

/**
 * The heading of a day, with weekday and date on two lines if there is room. It says “today” and “tomorrow”.
 */
function dayHeading(site: PageContext, key: Day): Html {
  const { words, dates, today } = site
  const nearName =
    key === dayOf(today) ? words.today : key === daysLater(today, 1) ? words.tomorrow : undefined
  const [name, date] = nearName
    ? [nearName, capitalized(dates.format('shortDay', key))]
    : [capitalized(dates.format('longWeekday', key)), dayText(site, 'dayOfYear', key)]
  return html`<time datetime="${key}"><span class="weekday">${name}<span class="hidden">,</span></span> <span class="date">${date}</span></time>`
}
