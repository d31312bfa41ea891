import { htmlToText } from '../lib/text.ts'
import { addDays, type DateTime } from '../lib/time.ts'
import { placeLine } from './calendar-links.ts'
import type { ShownEvent } from './events.ts'
import type { Site } from './site.ts'
import { plain } from './text.ts'

// One event as an iCalendar file (RFC 5545), to be added to a calendar once. Its times are in UTC, so that it needs no
// definitions of time zones.

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

const MOST_OCTETS = 75

/** Folds a line at 75 octets, never inside of a character. */
function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const char of line) {
    const size = Buffer.byteLength(char)
    if (octets + size > MOST_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += char
    octets += size
  }
  return text
}

const utc = (time: DateTime): string => `${time.replace(' ', 'T').replace(/[-:]/g, '')}Z`
const day = (wall: DateTime): string => wall.slice(0, 10).replaceAll('-', '')

const STATUS: Readonly<Record<string, string>> = { canceled: 'CANCELLED', postponed: 'TENTATIVE' }

/** An event as a file for calendar programs. */
export function calendarFile({ context }: Site, event: ShownEvent): string {
  const place = placeLine(event)
  const text = htmlToText(event.description)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//event-calendar//event//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:event-${event.id}@${context.host}`,
    `DTSTAMP:${utc(event.modified_utc)}`,
    `LAST-MODIFIED:${utc(event.modified_utc)}`,
    ...(event.all_day
      ? [`DTSTART;VALUE=DATE:${day(event.start_date)}`, `DTEND;VALUE=DATE:${day(addDays(event.end_date, 1))}`]
      : [`DTSTART:${utc(event.utc_start_date)}`, `DTEND:${utc(event.utc_end_date)}`]),
    `SUMMARY:${escaped(plain(event.title))}`,
    ...(text ? [`DESCRIPTION:${escaped(text)}`] : []),
    ...(place ? [`LOCATION:${escaped(place)}`] : []),
    `STATUS:${STATUS[event.event_status ?? ''] ?? 'CONFIRMED'}`,
    `URL:${event.url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map(line => `${folded(line)}\r\n`).join('')
}
