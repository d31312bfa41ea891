import type { EventStatus } from './statuses.ts'
import { atWall, type DateTime, startOfDay, toWall, type ZonedTime } from './time.ts'

/** The columns of an event that show an earlier start. */
export type Movable = {
  event_status: EventStatus
  all_day: boolean
  start_date: DateTime
  timezone: string
  /** The start by the rule of its series; null for single events. */
  occurrence_date: DateTime | null
  /** The start before it was last changed, UTC; '' if unknown. */
  previous_utc_start_date: DateTime
}

/**
 * The start of an event before it was moved. For a date of a series at another time, this is the start by the rule; for an event whose
 * status says that it was moved, the previous start. Undefined for other events, and if it is unknown.
 */
export function previousStart(event: Movable): ZonedTime | undefined {
  const { occurrence_date: planned, previous_utc_start_date: utc, timezone } = event
  // A time that a clock change skips moves forward.
  const byRule =
    planned === null ? undefined : atWall(event.all_day ? startOfDay(planned) : planned, timezone)
  if (byRule && byRule.wall !== event.start_date) return byRule
  if (event.event_status !== 'rescheduled' || utc === '') return undefined
  return { wall: toWall(utc, timezone), utc }
}
