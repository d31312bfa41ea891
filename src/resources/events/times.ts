import type { RequestContext } from '../../context.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { parseDate } from '../../lib/parse-date.ts'
import { atWall, type DateTime, endOfDay, startOfDay, toEpoch, type ZonedTime } from '../../lib/time.ts'
import { zoneAbbreviation } from '../../lib/zones.ts'
import type { EventFields } from './schema.ts'

/** The stored times of an event. */
export type Times = {
  all_day: boolean
  timezone: string
  timezone_abbr: string
  start_date: DateTime
  end_date: DateTime
  utc_start_date: DateTime
  utc_end_date: DateTime
}

/**
 * The times of an event after a request, which may name some of them: dates without an offset are local to the event's
 * zone, a new zone alone keeps local times, and `all_day` extends them to whole days.
 *
 * @param stored the event before an update
 * @param errors gets an error if the end is before the start
 */
export function timesOf(
  { now, settings }: RequestContext,
  { values, stored }: { values: Partial<EventFields>; stored?: Times | undefined },
  errors: ValidationErrors,
): Times {
  const zone = values.timezone ?? stored?.timezone ?? settings.timezone
  const all_day = values.all_day ?? stored?.all_day ?? false
  const read = (
    text: string | undefined,
    wall: DateTime | undefined,
    utc: DateTime | undefined,
  ): ZonedTime => {
    // A local time may occur twice. If it is sent back unchanged, the stored instant stays.
    const isSentBack = text === wall && zone === stored?.timezone
    const parsed = text === undefined || isSentBack ? undefined : parseDate(text, zone, toEpoch(now))
    if (parsed) return parsed
    // A date that is missing or bad has its own error, so any value does here.
    if (wall === undefined || utc === undefined) return { wall: now, utc: now }
    return zone === stored?.timezone ? { wall, utc } : atWall(wall, zone)
  }
  let start = read(values.start_date, stored?.start_date, stored?.utc_start_date)
  let end = read(values.end_date, stored?.end_date, stored?.utc_end_date)
  if (all_day) {
    start = atWall(startOfDay(start.wall), zone)
    end = atWall(endOfDay(end.wall), zone)
  }
  if (end.utc < start.utc && !errors.has('start_date') && !errors.has('end_date')) {
    const named = values.end_date === undefined && values.start_date !== undefined ? 'start_date' : 'end_date'
    errors.add(named, `the end, ${end.wall}, must not be before the start, ${start.wall}`)
  }
  return {
    all_day,
    timezone: zone,
    timezone_abbr: zoneAbbreviation(start.utc, zone),
    start_date: start.wall,
    end_date: end.wall,
    utc_start_date: start.utc,
    utc_end_date: end.utc,
  }
}
