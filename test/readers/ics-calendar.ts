import type { EventRecord, SeriesRecord, SourceItem } from '../../src/calendar/imports/records.ts'
import { readIcs } from '../../src/readers/ics/file.ts'
import { icsItems } from '../../src/readers/ics/items.ts'
import type { ImportPeriod } from '../../src/readers/ics/recurrence.ts'
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

type Reading = [bytes: Uint8Array, window?: ImportPeriod, note?: (text: string) => void]

export const itemsOf = (...[bytes, window = WINDOW, note = CONTEXT.note]: Reading): Promise<SourceItem[]> =>
  Array.fromAsync(icsItems(readIcs(bytes), 'ics:test', window, { ...CONTEXT, note }))

export const recordsOf = async (...reading: Reading) =>
  (await itemsOf(...reading)).flatMap(item => (item.type === 'record' ? [item.record] : []))

export const eventsOf = async (...reading: Reading): Promise<EventRecord[]> =>
  (await recordsOf(...reading)).filter((record): record is EventRecord => record.kind === 'event')

export const seriesOf = async (bytes: Uint8Array): Promise<SeriesRecord[]> =>
  (await recordsOf(bytes)).filter((record): record is SeriesRecord => record.kind === 'series')
