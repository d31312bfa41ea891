import { capitalized } from '../../lib/text.ts'
import type { DateTime } from '../../lib/time.ts'
import type { EventResponse } from '../../resources/events/schema.ts'
import { filled } from '../../words/words.ts'
import { type SiteTimes, siteTimes } from './days.ts'
import type { Site } from './site.ts'

/** The words that say when an event is: at the site, and where it is if clocks show another time there. */
type ShownWhen = { day: string; time: string; zone?: string; there?: string }

function spanOf(
  { dates, words }: Site,
  { start, end, firstDay, lastDay }: SiteTimes,
  allDay: boolean,
): ShownWhen {
  const day = (wall: DateTime): string => capitalized(dates.format('day', wall))
  if (firstDay === lastDay) {
    if (allDay) return { day: day(start), time: words.allDay }
    return { day: day(start), time: end > start ? dates.times(start, end) : dates.clock(start) }
  }
  if (allDay) return { day: dates.range(start, end), time: words.allDay }
  const short = (wall: DateTime): string => `${dates.format('shortDay', wall)}, ${dates.clock(wall)}`
  return { day: dates.range(start, end), time: `${short(start)} – ${short(end)}` }
}

type Zoned = Pick<EventResponse, 'all_day' | 'start_date' | 'end_date' | 'timezone'>

/** Tells if clocks where an event is show another time than those at the site. */
export const isElsewhere = (event: Zoned, { start, end }: SiteTimes): boolean =>
  !event.all_day && (start !== event.start_date || end !== event.end_date)

/** The words that say when an event is. */
export function whenOf(site: Site, event: EventResponse): ShownWhen {
  const { timezone } = site.context.settings
  const times = siteTimes(event, timezone)
  const here = spanOf(site, times, event.all_day)
  if (!isElsewhere(event, times)) return here
  const zone = (name: string): string => site.dates.zone(name, event.utc_start_date)
  const own = spanOf(site, siteTimes(event, event.timezone), false)
  const time = `${own.day}, ${own.time}`
  return {
    ...here,
    zone: zone(timezone),
    there: filled(site.words.zoneThere, { time, zone: zone(event.timezone) }),
  }
}
