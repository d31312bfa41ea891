import { type Guesses, guessText } from '../../../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type EventLike,
  isEventLike,
  isTerm,
  recordKey,
  recordName,
  recordsNamedBy,
  seriesOf,
} from '../../../calendar/imports/records.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { isOwnUid } from '../../../kit/lib/ical/lines.ts'
import { Turns } from '../../../kit/lib/pause.ts'
import type { GuessCode, ReadingCode } from '../../../kit/lib/reasons.ts'
import { fold, htmlToText, searchWords } from '../../../kit/lib/text.ts'
import { type CalendarPlace, isOwnUrl } from '../writes.ts'

// The records of a source that are imported: no events of this calendar itself, and only those that pass the
// source's filter.

/**
 * A record that was left out, or a value that was guessed: the reason, its code if there is a text for it in
 * all languages, and values of that text.
 */
export type SkippedItem = {
  what: string
  why: string
  code?: ReadingCode | GuessCode | 'half_vanished' | 'edited_there' | undefined
  values?: Readonly<Record<string, string | number>> | undefined
}

/** What a reader has guessed. @param name the source's name */
export const skippedGuesses = ({ all }: Guesses, name: string): SkippedItem[] =>
  all.map(guess => {
    const { code, field = '', text, as = '', line, times, what } = guess
    const values = { field, text, as, times, ...(line !== undefined && { line }) }
    return { what: what ?? name, why: guessText(guess), code, values }
  })

const withoutScheme = (address: string | null): string => (address ?? '').replace(/^https?:/, '')

/**
 * True if a record is an event of this calendar, or was taken from it. Such an event is recognised by its
 * UID, by the address of its page, or by its origins: calendars that read this one name it there. A website
 * that is this calendar's home page proves nothing, since a club may have the calendar there.
 */
function isOwnEvent(ownCalendar: CalendarPlace & Pick<BaseContext, 'host'>, record: AnyRecord): boolean {
  if (!isEventLike(record)) return false
  const { site, host } = ownCalendar
  const { externalId, website, origins = [] } = record
  if (origins.some(origin => isOwnUrl(ownCalendar, origin))) return true
  const page = seriesOf(externalId) ?? externalId
  const pages = withoutScheme(`${site}/event/`)
  return isOwnUid(page, host) || [website, page].some(address => withoutScheme(address).startsWith(pages))
}

/**
 * Leaves out events that the other calendar has read from this one.
 * @returns false if all of its events were read from this one
 */
export function leaveOutOwnEvents(
  context: BaseContext,
  batch: { records: AnyRecord[]; skipped: SkippedItem[] },
): boolean {
  const { own = [], others = [] } = Object.groupBy(batch.records, record =>
    isOwnEvent(context, record) ? 'own' : 'others',
  )
  batch.records = others
  for (const record of own)
    batch.skipped.push({
      what: recordName(record),
      why: 'it is an event of this calendar',
      code: 'record_here',
    })
  return own.length === 0 || others.some(isEventLike)
}

/**
 * The records that pass a source's filter: events with any of its words, and the records that they refer to.
 */
export async function wantedRecords(
  records: readonly AnyRecord[],
  search: string,
): Promise<readonly AnyRecord[]> {
  const words = searchWords(search)
  if (words.length === 0) return records
  let lastTexts = { title: '', description: '', isIn: false }
  const hasWord = ({ title, description }: EventLike): boolean => {
    // The dates of an event share their texts, which may be long.
    if (title !== lastTexts.title || description !== lastTexts.description) {
      const text = fold(`${title} ${htmlToText(description)}`)
      lastTexts = { title, description, isIn: words.some(word => text.includes(word)) }
    }
    return lastTexts.isIn
  }
  const turns = new Turns()
  const matchingSeries = new Set<string>()
  const matchingRecords = new Set<AnyRecord>()
  for (const record of records.filter(isEventLike)) {
    await turns.take(record)
    if (!hasWord(record)) continue
    matchingRecords.add(record)
    if (record.kind === 'series') matchingSeries.add(record.externalId)
  }
  // The dates of a series pass along with it.
  const events = records.filter(
    (record): record is EventLike =>
      isEventLike(record) &&
      (matchingRecords.has(record) ||
        (record.kind === 'event' &&
          record.occurrence !== undefined &&
          matchingSeries.has(record.occurrence.series))),
  )
  const keptRecords = new Set<AnyRecord>(events)
  const usedKeys = new Set(
    events.flatMap(event => [
      ...recordsNamedBy(event).map(([kind, id]) => recordKey(kind, id)),
      ...(event.kind === 'event' && event.occurrence ? [recordKey('series', event.occurrence.series)] : []),
    ]),
  )
  // Parents come before their children.
  for (const record of records.toReversed()) {
    if (!usedKeys.has(recordKey(record.kind, record.externalId))) continue
    keptRecords.add(record)
    if (isTerm(record) && record.parent !== undefined) usedKeys.add(recordKey(record.kind, record.parent))
  }
  return records.filter(record => keptRecords.has(record))
}
