import {
  type AnyRecord,
  type EventLike,
  type EventRecord,
  isEventLike,
  recordKey,
  recordsNamedBy,
  type VenueRecord,
} from '../../../calendar/imports/records.ts'
import type { PreviewedEvent } from '../../../calendar/imports/source-schema.ts'
import { summary } from '../../../kit/lib/text.ts'
import type { DateTime } from '../../../kit/lib/time.ts'
import { compareTexts } from '../../../kit/lib/values.ts'

// The next events of a calendar: a preview shows them, and a new source brings them first.

/** The most events that a preview of what is next shows. */
export const MAX_COMING = 12

/** The characters of a text that a preview shows. */
const PREVIEW_LENGTH = 200

export const previewText = (text: string): string => text.slice(0, PREVIEW_LENGTH).toWellFormed()

/** The records that records refer to, by their kinds and external ids. */
type RecordsByKey = ReadonlyMap<string, AnyRecord>

export const recordsByKey = (records: readonly AnyRecord[]): RecordsByKey =>
  new Map(records.map(record => [recordKey(record.kind, record.externalId), record]))

/** The next events among records, in the order of time. */
export const comingEvents = (records: readonly AnyRecord[], now: DateTime): EventRecord[] =>
  records
    .filter(record => record.kind === 'event')
    .filter(({ end }) => end.utc >= now)
    .sort((a, b) => compareTexts(a.start.utc, b.start.utc))
    .slice(0, MAX_COMING)

/** The first venue of an event. @param known the records of its source */
export function firstVenue({ venues: [id = ''] }: EventLike, known: RecordsByKey): VenueRecord | undefined {
  const record = known.get(recordKey('venue', id))
  return record?.kind === 'venue' ? record : undefined
}

/** An event as a preview shows it. @param knownRecords the records of its source */
export function previewedEvent(event: EventLike, knownRecords: RecordsByKey): PreviewedEvent {
  const { title, start, end, timezone, all_day, status, categories, cost, image } = event
  const venue = firstVenue(event, knownRecords)
  const category = knownRecords.get(recordKey('category', categories[0] ?? ''))
  return {
    title: previewText(title),
    start_date: start.wall,
    end_date: end.wall,
    timezone,
    all_day,
    status: status === 'publish' || status === 'pending' ? status : 'private',
    venue: previewText(venue?.name ?? ''),
    city: previewText(venue?.city ?? ''),
    category: category?.kind === 'category' ? previewText(category.name) : '',
    cost: previewText(cost),
    text: previewText(summary(event.excerpt || event.description, PREVIEW_LENGTH)),
    image: image?.url ?? '',
  }
}

function referredBy(record: AnyRecord): string[] {
  if (record.kind === 'category' && record.parent !== undefined) return [recordKey('category', record.parent)]
  if (!isEventLike(record)) return []
  const { parent } = record
  const series = record.kind === 'event' ? record.occurrence?.series : undefined
  return [
    ...recordsNamedBy(record).map(([kind, id]) => recordKey(kind, id)),
    ...(series === undefined ? [] : [recordKey('series', series)]),
    ...(parent === undefined ? [] : [recordKey('event', parent)]),
  ]
}

/**
 * The same records, the next events first, each after the records that it refers to: somebody who has just
 * added a calendar is waiting for these.
 */
export function comingFirst(records: readonly AnyRecord[], now: DateTime): AnyRecord[] {
  const knownRecords = recordsByKey(records)
  const firstRecords = new Set<AnyRecord>()
  const visitedRecords = new Set<AnyRecord>()
  const add = (record: AnyRecord | undefined): void => {
    if (!record || visitedRecords.has(record)) return
    visitedRecords.add(record)
    for (const key of referredBy(record)) add(knownRecords.get(key))
    firstRecords.add(record)
  }
  for (const event of comingEvents(records, now)) add(event)
  return [...firstRecords, ...records.filter(record => !firstRecords.has(record))]
}
