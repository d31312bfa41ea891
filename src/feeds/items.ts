import type { SerializeContext } from '../context.ts'
import { eventLink } from '../events/recurrence/serialize.ts'
import { plainTitle } from '../lib/ical/text.ts'
import { localValue } from '../lib/ical/times.ts'
import { isoWithOffset } from '../lib/time.ts'
import type { FeedEvent } from './rows.ts'
import { eventUid, placesOf, seriesUid, type Texts } from './vevent.ts'

// What RSS and JSON Feed show of an event. There, every occurrence is an item of its own.

/** An event as an item of a feed. */
export type Item = {
  row: FeedEvent
  /** Never changes. That of an occurrence is the UID of its series with its date. */
  id: string
  url: string
  title: string
  /** HTML. */
  content: string
  /** A line that tells when and where. */
  when: string
  /** ISO 8601 with an offset, or a date if it lasts whole days. */
  start: string
  end: string
  place: string
}

/** The items of a feed, those published last first. */
export function itemsOf(events: readonly FeedEvent[], texts: Texts, context: SerializeContext): Item[] {
  return [...events]
    .sort((a, b) => (a.date_utc === b.date_utc ? b.id - a.id : a.date_utc < b.date_utc ? 1 : -1))
    .map(row => itemOf(row, texts, context))
}

function itemOf(row: FeedEvent, texts: Texts, context: SerializeContext): Item {
  const { series, all_day } = row
  const id = series
    ? `${seriesUid(series, context)}#${localValue(row.occurrence_date ?? row.start_date)}`
    : eventUid(row, context)
  const place = placesOf(row)
  const when = [period(row), place].filter(Boolean).join(' · ')
  // A description that was cut may end in a tag.
  const isWhole = texts === 'all' && !row.isCut
  return {
    row,
    id,
    url: eventLink(row, context),
    title: plainTitle(row.title),
    content: isWhole ? row.description : '',
    when,
    start: all_day ? row.start_date.slice(0, 10) : isoWithOffset(row.start_date, row.utc_start_date),
    end: all_day ? row.end_date.slice(0, 10) : isoWithOffset(row.end_date, row.utc_end_date),
    place,
  }
}

/** The time of an event in words that need no language. */
function period({ all_day, start_date, end_date, timezone }: FeedEvent): string {
  const [startDay, endDay] = [start_date.slice(0, 10), end_date.slice(0, 10)]
  if (all_day) return startDay === endDay ? startDay : `${startDay} – ${endDay}`
  const end = startDay === endDay ? end_date.slice(11, 16) : end_date.slice(0, 16)
  const isMoment = start_date === end_date
  return `${start_date.slice(0, 16)}${isMoment ? '' : ` – ${end}`} (${timezone})`
}
