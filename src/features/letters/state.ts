import {
  type DateTime,
  daysLater,
  formatInstant,
  HOUR_MS,
  isoWeekday,
  MINUTE_MS,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
} from '../../kit/lib/time.ts'
import type { LetterDeliveryRow, LetterRow } from './queries.ts'
import type { LetterResponse } from './schema.ts'
import { LETTER_WEEKDAYS } from './tables.ts'

// What a letter and its deliveries are at a time, and when a letter is sent next.

export const isConfirmed = ({ to_email, confirmed_email }: LetterRow): boolean => to_email === confirmed_email

export const letterState = (row: LetterRow): LetterResponse['state'] =>
  isConfirmed(row) ? (row.active ? 'active' : 'paused') : 'unconfirmed'

/**
 * The time after which a run that is still sending a letter must have been killed, in milliseconds: a run
 * waits for less than that.
 */
const MAX_SENDING_MS = 5 * MINUTE_MS

/** A run that has been sending a letter since before this time was killed. @param now UTC */
export const killedBefore = (now: DateTime): DateTime => formatInstant(toEpoch(now) - MAX_SENDING_MS)

export const deliveryState = ({ state, at_utc }: LetterDeliveryRow, now: DateTime) =>
  state === 'sending' && at_utc < killedBefore(now) ? 'unknown' : state

/**
 * The least time between two letters, so that nobody gets one every hour because somebody keeps changing its
 * hour.
 */
const PAUSE_MS = 20 * HOUR_MS

/**
 * The first time after a moment at which a letter is to be sent, UTC. For an hour that clocks skip, it is an
 * hour later; for an hour that they show twice, it is the first.
 *
 * @param now UTC
 * @param zone of the calendar
 */
export function nextSending(
  {
    weekday,
    hour,
    last_sent_utc: last = null,
  }: Pick<LetterRow, 'weekday' | 'hour'> & Partial<Pick<LetterRow, 'last_sent_utc'>>,
  now: DateTime,
  zone: string,
): DateTime {
  const restedUntil = last === null ? now : formatInstant(toEpoch(last) + PAUSE_MS)
  const after = restedUntil > now ? restedUntil : now
  const today = startOfDay(toWall(after, zone))
  const daysAhead = (LETTER_WEEKDAYS.indexOf(weekday) + 1 - isoWeekday(today) + 7) % 7
  const sendingTime = (days: number): DateTime =>
    toUtc(`${daysLater(today, days)} ${String(hour).padStart(2, '0')}:00:00`, zone)
  const first = sendingTime(daysAhead)
  return first > after ? first : sendingTime(daysAhead + 7)
}
