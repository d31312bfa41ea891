import { icsItems } from '../../src/intake/readers/ics.ts'
import { readIcs } from '../../src/intake/readers/ics-file.ts'
import type { Window } from '../../src/intake/readers/ics-recurrence.ts'
import type { EventRecord, SeriesRecord, SourceItem } from '../../src/intake/records.ts'
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

export const itemsOf = (
  bytes: Uint8Array,
  window: Window = WINDOW,
  note: (text: string) => void = CONTEXT.note,
): SourceItem[] => [...icsItems(readIcs(bytes), 'ics:test', window, { ...CONTEXT, note })]

export const recordsOf = (bytes: Uint8Array, window?: Window, note?: (text: string) => void) =>
  itemsOf(bytes, window, note).flatMap(item => (item.type === 'record' ? [item.record] : []))

export const eventsOf = (bytes: Uint8Array, window?: Window, note?: (text: string) => void): EventRecord[] =>
  recordsOf(bytes, window, note).filter((record): record is EventRecord => record.kind === 'event')

export const seriesOf = (bytes: Uint8Array): SeriesRecord[] =>
  recordsOf(bytes).filter((record): record is SeriesRecord => record.kind === 'series')
