import type { GuessedValue, ReaderContext, SourceItem } from '../../../src/calendar/imports/records.ts'
import type { Language } from '../../../src/kit/lib/languages.ts'
import { csvItems } from '../../../src/readers/csv/items.ts'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { savedItems } from '../../../src/readers/saved-page.ts'
import { WINDOW } from '../database.ts'

/**
 * A file in the form of another program, and the events that it must give, as {@link eventsIn} writes them.
 */
export type ProgramFile = {
  program: string
  zone: string
  language: Language
  text: string
  events: readonly string[]
  /** The fields and texts of guesses; none by default. */
  said?: readonly string[]
}

type Kind = 'csv' | 'page' | 'ics'

function itemsOf(
  kind: Kind,
  text: string,
  context: ReaderContext,
): Iterable<SourceItem> | AsyncIterable<SourceItem> {
  const bytes = new TextEncoder().encode(text)
  if (kind === 'csv') return csvItems(bytes, 'file.csv', context)
  return kind === 'page'
    ? savedItems(bytes, 'file.html', context)
    : icsItems(readIcs(bytes), 'file', WINDOW, context)
}

const minute = (wall: string): string => wall.slice(0, 16)

/**
 * The events of a file, `title | start - end | venue | cost | status`; failures; and the fields and texts of
 * guesses.
 */
export async function eventsIn(kind: Kind, { text, zone, language }: ProgramFile) {
  const said: string[] = []
  const guess = ({ code, field, text }: GuessedValue) => {
    if (!code.startsWith('guess_days')) said.push([field, text].filter(Boolean).join(' '))
  }
  const context = {
    timezone: zone,
    language,
    nowMs: Date.parse('2026-11-20T12:00:00Z'),
    note: () => {},
    guess,
  }
  const items = await Array.fromAsync(itemsOf(kind, text, context))
  const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
  const venues = new Map(
    records.flatMap(record => (record.kind === 'venue' ? [[record.externalId, record.name] as const] : [])),
  )
  const events = records.flatMap(record => {
    if (record.kind !== 'event') return []
    const { title, start, end, all_day: isWhole, cost, status, event_status: state } = record
    const first = start.wall.slice(0, 10)
    const last = end.wall.slice(0, 10)
    const until = first === last ? end.wall.slice(11, 16) : minute(end.wall)
    const timed = minute(start.wall) + (start.wall === end.wall ? '' : ` - ${until}`)
    const time = isWhole ? first + (first === last ? '' : ` to ${last}`) : timed
    const place = venues.get(record.venues[0] ?? '') ?? ''
    const more = [cost, status === 'publish' ? '' : status, state === 'scheduled' ? '' : state]
    return [[title, time, place, ...more.filter(Boolean)].join(' | ').trim()]
  })
  const failures = items.flatMap(item =>
    item.type === 'failed' || item.type === 'skipped' ? [item.reason] : [],
  )
  return { events: events.toSorted(), failures, said }
}
