import type { SerializeContext } from '../../context.ts'
import { plainTitle } from '../../lib/ical/text.ts'
import { capitalized } from '../../lib/text.ts'
import { type DateTime, isoWithOffset } from '../../lib/time.ts'
import { escapeXml } from '../../lib/xml.ts'
import type { FeedEvent } from '../../resources/events/calendar/rows.ts'
import { ownUid, placesText, type Texts } from '../../resources/events/calendar/vevent.ts'
import { eventLink } from '../../resources/events/recurrence/serialize.ts'
import { datesOf } from '../../words/dates.ts'
import { wordsOf } from '../../words/words.ts'

// What RSS and JSON Feed show of an event. There, every occurrence is an item of its own.

/** An event as an item of a feed. */
export type FeedItem = {
  row: FeedEvent
  /** Never changes. */
  id: string
  url: string
  /** Begins with a word for an event that does not take place as it was announced. */
  title: string
  /** The line `when` and the description as HTML; '' without a description. */
  content: string
  /** A line that tells when and where, in words of the site's language. */
  when: string
  /** ISO 8601 with an offset, or a date if it lasts whole days. */
  start: string
  end: string
  place: string
}

/** Names and lines of items in the shortest form of a feed. */
const SHORT = 100
const FEW = 3

/** The rows whose names an item shows. */
export const few = <R>(rows: readonly R[], texts: Texts): readonly R[] =>
  texts === 'none' ? rows.slice(0, FEW) : rows

/** A name as an item shows it. */
export function feedName(name: string, texts: Texts): string {
  const plain = plainTitle(name)
  return texts !== 'none' || plain.length <= SHORT ? plain : `${plain.slice(0, SHORT).toWellFormed()}…`
}

/** The items of a feed, those published last first. */
export function itemsOf(events: readonly FeedEvent[], texts: Texts, context: SerializeContext): FeedItem[] {
  return [...events]
    .sort((a, b) => (a.date_utc === b.date_utc ? b.id - a.id : a.date_utc < b.date_utc ? 1 : -1))
    .map(row => itemOf(row, texts, context))
}

function itemOf(row: FeedEvent, texts: Texts, context: SerializeContext): FeedItem {
  const { all_day } = row
  const place = placesText(row.venues)
  const { language } = context.settings.website
  const status = statusOf(row, language)
  const when = [status, period(row, language), place].filter(Boolean).join(' · ')
  // A description that was cut may end in a tag.
  const isWhole = texts === 'all' && !row.isCut
  return {
    row,
    id: ownUid(row, context),
    url: eventLink(row, context),
    title: [status, plainTitle(row.title)].filter(Boolean).join(': '),
    content: isWhole && row.description ? `<p>${escapeXml(when)}</p>${row.description}` : '',
    when,
    start: all_day ? row.start_date.slice(0, 10) : isoWithOffset(row.start_date, row.utc_start_date),
    end: all_day ? row.end_date.slice(0, 10) : isoWithOffset(row.end_date, row.utc_end_date),
    place,
  }
}

/** The time of an event in words. */
function period(row: FeedEvent, language: string): string {
  const { all_day, start_date: start, end_date: end, timezone, utc_start_date } = row
  const dates = datesOf(language)
  const isOneDay = start.slice(0, 10) === end.slice(0, 10)
  const day = (wall: DateTime): string => capitalized(dates.format('day', wall))
  if (all_day) return isOneDay ? day(start) : dates.range(start, end)
  const moment = (wall: DateTime): string => `${day(wall)}, ${dates.format('time', wall)}`
  const ofDay = end > start ? `${day(start)}, ${dates.times(start, end)}` : moment(start)
  const words = isOneDay ? ofDay : `${moment(start)} – ${moment(end)}`
  return `${words} (${dates.zone(timezone, utc_start_date)})`
}

/** The word for an event that does not take place as it was announced; '' for others. */
function statusOf({ event_status }: FeedEvent, language: string): string {
  if (event_status === 'scheduled') return ''
  const { cancelled, postponed, rescheduled } = wordsOf(language)
  return { canceled: cancelled, postponed, rescheduled }[event_status]
}
