import { capitalized } from '../lib/text.ts'
import type { DateTime } from '../lib/time.ts'
import { filled } from '../lib/words.ts'
import { siteTimes } from './days.ts'
import type { ShownEvent } from './events.ts'
import type { Site } from './site.ts'

/** The words that say when an event is: in its own zone, and in that of the site if it is another one. */
export type When = { day: string; time: string; zone?: string; here?: string }

type Times = { start: DateTime; end: DateTime; firstDay: string; lastDay: string }

function spanOf({ dates, words }: Site, { start, end, firstDay, lastDay }: Times, allDay: boolean): When {
  const day = (wall: DateTime): string => capitalized(dates.format('day', wall))
  const time = (wall: DateTime): string => dates.format('time', wall)
  if (firstDay === lastDay) {
    if (allDay) return { day: day(start), time: words.allDay }
    return { day: day(start), time: end > start ? dates.times(start, end) : time(start) }
  }
  if (allDay) return { day: dates.range(start, end), time: words.allDay }
  const short = (wall: DateTime): string => `${dates.format('shortDay', wall)}, ${time(wall)}`
  return { day: dates.range(start, end), time: `${short(start)} – ${short(end)}` }
}

/** The words that say when an event is. */
export function whenOf(site: Site, event: ShownEvent): When {
  const { timezone } = site.context.settings
  const own = spanOf(site, siteTimes(event, event.timezone), event.all_day)
  if (event.timezone === timezone || event.all_day) return own
  const zone = site.dates.zone(event.timezone, event.utc_start_date)
  const times = siteTimes(event, timezone)
  // Clocks may show the same in both zones.
  if (times.start === event.start_date && times.end === event.end_date) return { ...own, zone }
  const here = spanOf(site, times, false)
  return {
    ...own,
    zone,
    here: filled(site.words.zoneThere, {
      time: `${here.day}, ${here.time}`,
      zone: site.dates.zone(timezone, event.utc_start_date),
    }),
  }
}
