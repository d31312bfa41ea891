import { icsItems } from '../../src/sources/readers/ics.ts'
import { readIcs } from '../../src/sources/readers/ics-file.ts'
import type { Window } from '../../src/sources/readers/ics-recurrence.ts'
import type { EventRecord, SeriesRecord, SourceItem } from '../../src/sources/records.ts'
import { CONTEXT, WINDOW } from './database.ts'

export const bytesOf = (text: string): Uint8Array => Buffer.from(text)

/** A calendar of events, each given by its lines. */
export const calendar = (events: string[][], head: string[] = []): Uint8Array =>
  bytesOf(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...head,
      ...events.flatMap(lines => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
      'END:VCALENDAR',
    ].join('\r\n'),
  )

export const itemsOf = (bytes: Uint8Array, window: Window = WINDOW): SourceItem[] => [
  ...icsItems(readIcs(bytes), 'ics:test', window, CONTEXT),
]

export const recordsOf = (bytes: Uint8Array, window?: Window) =>
  itemsOf(bytes, window).flatMap(item => (item.type === 'record' ? [item.record] : []))

export const eventsOf = (bytes: Uint8Array, window?: Window): EventRecord[] =>
  recordsOf(bytes, window).filter((record): record is EventRecord => record.kind === 'event')

export const seriesOf = (bytes: Uint8Array): SeriesRecord[] =>
  recordsOf(bytes).filter((record): record is SeriesRecord => record.kind === 'series')
