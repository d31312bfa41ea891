import type { Clock } from '../../kit/lib/clock.ts'
import { type EventStatus, takesPlace } from '../../kit/lib/statuses.ts'
import { type DateTime, daysLater, toUtc, toWall } from '../../kit/lib/time.ts'
import { compareTexts, storedJson } from '../../kit/lib/values.ts'
import type { RegistrantRow } from './links.ts'
import type {
  DatedRegistration,
  DateOfCourse,
  OccasionWithRegistration,
  RegistrationRow,
} from './occasion.ts'

// When people can register and for how many places, and which changes they are told about: rules without the
// database.

/** A time of day on a day before the first one, in the zone of the event; null without one. */
const timeBefore = (firstStart: DateTime, days: number | null, time: string): DateTime | null =>
  days === null ? null : `${daysLater(firstStart, -days)} ${time}`

/**
 * The local times between which people register. Without a time of its own, registration closes when the
 * event starts, and in any case when it ends: an event that has been moved may be over before the time of day
 * that was set for the former date.
 */
export function registrationTimes({ registration: r, event, firstStart, lastEnd }: DatedRegistration) {
  const closes = timeBefore(firstStart, r.closes_days, r.closes_time)
  const end = toWall(lastEnd, event.timezone)
  return {
    opens: timeBefore(firstStart, r.opens_days, r.opens_time),
    closes: closes !== null && closes > end ? end : closes,
  }
}

/** Whether registration has opened and is still open, no matter how many places are taken. */
export function phaseOf(occasion: DatedRegistration, clock: Clock): 'soon' | 'on' | 'closed' {
  const { registration, event, firstStart, lastEnd, status } = occasion
  const { opens, closes } = registrationTimes(occasion)
  const end = toUtc(closes ?? firstStart, event.timezone)
  if (registration.closed || event.status === 'trash' || !takesPlace(status)) return 'closed'
  if (clock.hasPassed(end) || clock.hasPassed(lastEnd)) return 'closed'
  // As long as an event is hidden, nobody gets on its list or moves up.
  if (event.status !== 'publish') return 'soon'
  return opens !== null && !clock.hasPassed(toUtc(opens, event.timezone)) ? 'soon' : 'on'
}

/** The free places; null without a limit. Nobody overtakes the line. */
export const placesLeft = ({
  registration: { places, taken },
  hasLine,
}: OccasionWithRegistration): number | null =>
  places === null ? null : hasLine ? 0 : Math.max(0, places - taken)

/** True if fewer than `count` places are left. */
export function isLessLeft(occasion: OccasionWithRegistration, count: number): boolean {
  const left = placesLeft(occasion)
  return left !== null && left < count
}

/**
 * The most places that one person can ask for: no more than the event has, since more would never become
 * free.
 */
export const maxPlacesOf = ({ places, per_person }: RegistrationRow): number =>
  Math.min(per_person, places ?? per_person)

/**
 * The most places that a newcomer can ask for: without a waiting list, no more than are left. If none are
 * left, any number is refused (`assertOpenFor`).
 */
export function maxPlacesOfNewcomer(occasion: OccasionWithRegistration): number {
  const maxPlaces = maxPlacesOf(occasion.registration)
  return occasion.registration.waiting_list
    ? maxPlaces
    : Math.min(maxPlaces, placesLeft(occasion) || maxPlaces)
}

/** The question that an answer belongs to. Versions without the column `question` stored answers alone. */
export const questionOf = ({ question }: RegistrantRow, registration: RegistrationRow): string =>
  question || registration.question

type RegistrationState = 'soon' | 'open' | 'waiting' | 'full' | 'closed'

export function registrationState(occasion: OccasionWithRegistration, clock: Clock): RegistrationState {
  const phase = phaseOf(occasion, clock)
  if (phase !== 'on') return phase
  if (placesLeft(occasion) !== 0 && !occasion.hasLine) return 'open'
  return occasion.registration.waiting_list ? 'waiting' : 'full'
}

// What people have been told about the dates, and how these have changed since.

/** A date as people were told it (`knownDates` of occasion.ts). Dates in the trash are `gone`. */
export type KnownDate = {
  id: number
  title: string
  start: DateTime
  end: DateTime
  utc: readonly [start: DateTime, end: DateTime]
  /** 1 if it lasts whole days. */
  day: 0 | 1
  zone: string
  status: EventStatus | 'gone'
  /** 1 if the page says why it does not take place. */
  why?: 0 | 1
  venue: number | null
  /** 1 if it takes place online only. */
  online: 0 | 1
  place: string
  /** The place's address: a corrected name is not another place. */
  address: string
}

export const datesIn = (json: string): KnownDate[] => storedJson<KnownDate[]>(json)

/**
 * The dates of a course in the order of time, as people on its list may know them now. `knownDates` of
 * occasion.ts makes them in SQL, with their places, for what is told by e-mail.
 */
export function datesKnown(
  dates: readonly DateOfCourse[],
  told: readonly KnownDate[],
): Pick<KnownDate, 'start' | 'end' | 'utc' | 'day' | 'zone' | 'status'>[] {
  const toldById = new Map(told.map(date => [date.id, date]))
  const known = dates.flatMap(date => {
    const was = toldById.get(date.id)
    if (date.status === 'publish' && (takesPlace(date.event_status) || !was))
      return {
        start: date.start_date,
        end: date.end_date,
        utc: [date.utc_start_date, date.utc_end_date] as const,
        day: date.all_day ? (1 as const) : (0 as const),
        zone: date.timezone,
        status: date.event_status,
      }
    if (!was) return []
    if (date.status === 'trash') return { ...was, status: 'gone' as const }
    return date.status === 'publish' ? { ...was, status: date.event_status } : was
  })
  return inOrder(known)
}

export type DateChange = {
  kind: 'moved' | 'place' | 'canceled' | 'postponed' | 'back' | 'added'
  date: KnownDate
  was: KnownDate
}

/** Dates in the order of time: their ids are in the order in which they were made. */
export const inOrder = <D extends Pick<KnownDate, 'utc'>>(dates: readonly D[]): D[] =>
  dates.toSorted((a, b) => compareTexts(a.utc[0], b.utc[0]))

export const isOff = ({ status }: KnownDate): boolean => status === 'gone' || !takesPlace(status)

/**
 * How the dates that people know have changed, and which dates are new, which happens only if people register
 * for a whole series.
 *
 * @param until the moment, UTC, after which new dates don't concern anybody yet
 */
export function changesBetween(
  known: readonly KnownDate[],
  now: readonly KnownDate[],
  until: DateTime,
): DateChange[] {
  const changes = known.flatMap((was): DateChange[] => {
    const date = now.find(({ id }) => id === was.id) ?? { ...was, status: 'gone' as const }
    if (isOff(date)) {
      const kind = date.status === 'postponed' ? 'postponed' : 'canceled'
      const isSame = isOff(was) && (was.status === 'postponed') === (kind === 'postponed')
      return isSame ? [] : [{ kind, date, was }]
    }
    const hasMoved = date.utc.join() !== was.utc.join() || date.day !== was.day
    const isElsewhere =
      was.online !== date.online ||
      (date.online !== 1 && (date.venue !== was.venue || date.address !== was.address))
    // A postponed date with a new time counts as moved, not as taking place after all.
    const isBack = isOff(was) && !(was.status === 'postponed' && hasMoved)
    return [
      ...(isBack ? [{ kind: 'back' as const, date, was }] : []),
      ...(hasMoved ? [{ kind: 'moved' as const, date, was }] : []),
      ...(isElsewhere ? [{ kind: 'place' as const, date, was }] : []),
    ]
  })
  const isNew = (date: KnownDate) =>
    !isOff(date) && date.utc[0] < until && !known.some(({ id }) => id === date.id)
  // If people have been told of no date so far, no date counts as added.
  const added = known.length === 0 ? [] : now.filter(isNew)
  return [...changes, ...added.map(date => ({ kind: 'added' as const, date, was: date }))]
}
