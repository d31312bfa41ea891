import type { imports } from '../../kit/db/tables.ts'
import { messageOf } from '../../kit/lib/errors.ts'
import { utcValue } from '../../kit/lib/ical/lines.ts'
import type { Language } from '../../kit/lib/languages.ts'
import type { GuessCode, ReadingCode } from '../../kit/lib/reasons.ts'
import type { Recurrence } from '../../kit/lib/recurrence/pattern.ts'
import type { Status, VirtualEventType } from '../../kit/lib/statuses.ts'
import type { DateTime, ZonedTime } from '../../kit/lib/time.ts'
import { typedKeys } from '../../kit/lib/values.ts'
import type { CustomFields } from '../content/custom-fields.ts'
import type { FieldTable, StoredNames } from '../content/fields.ts'
import type { EVENT_FIELDS, EventFields, FieldName } from '../events/schema.ts'
import type { ORGANIZER_FIELDS, OrganizerFields } from '../organizers/resource.ts'
import type { VENUE_FIELDS, VenueFields } from '../venues/schema.ts'

// Records are the common form of all sources: texts are clean, dates are in our format, and references are
// ids of the source. `planBatch` (plan.ts) finds our ids for them.

export type RecordKind = (typeof imports.$inferSelect)['kind']

/**
 * The identity of a record in the calendar that it comes from. `id` is its number there, if it has one: it is
 * kept if free.
 */
type RecordOrigin = { source: string; externalId: string; id?: number | undefined }

export type TermRecord = RecordOrigin & {
  kind: TermRecordKind
  name: string
  slug: string
  description: string
  /** False for a term that only events name. @see terms of kit/db/tables.ts */
  standalone?: boolean
  /** The external id of the parent category. */
  parent?: string | undefined
}

export type ImageRecord = { url: string; id?: number; width?: number; height?: number; alt_text?: string }

/** The fields that events, venues and organizers have in common. */
type CommonFields = RecordOrigin & {
  status: Status
  /** If empty, it is made from the name. */
  slug: string
  /** If absent, the time of the import. */
  date?: ZonedTime | undefined
  modified?: ZonedTime | undefined
  description: string
  image?: ImageRecord | undefined
  /** The author's login. */
  author?: string | undefined
  /** The value of our column of that name; undefined if the source has no such field. */
  external_id?: string | undefined
}

/**
 * The values of those fields of a resource that are stored as they are given. Absent values are the values of
 * new rows.
 */
type PlainValues<T extends FieldTable, F> = {
  [K in Exclude<StoredNames<T> & keyof F, keyof CommonFields | 'website' | 'title' | 'excerpt'>]?:
    | Exclude<F[K], undefined>
    | undefined
}

export type VenueRecord = CommonFields &
  PlainValues<typeof VENUE_FIELDS, VenueFields> & {
    kind: 'venue'
    name: string
    website?: string
    /** True if it is private only because no public event has named it so far. */
    isHidden?: boolean
  }

export type OrganizerRecord = CommonFields &
  PlainValues<typeof ORGANIZER_FIELDS, OrganizerFields> & {
    kind: 'organizer'
    name: string
    website?: string
    isHidden?: boolean
  }

/**
 * A venue or organizer that an event of a status names. It waits if the event does, and is private if the
 * event is not public.
 */
export const withStatusOf = <R extends VenueRecord | OrganizerRecord>(status: Status, record: R): R =>
  status === 'publish' || record.status !== 'publish'
    ? record
    : { ...record, status: status === 'pending' ? status : 'private', isHidden: true }

const isHiddenRecord = (record: AnyRecord): boolean => 'isHidden' in record && record.isHidden === true

/** True if a record replaces an earlier one with the same id. Otherwise the first record counts. */
export const isShownAfter = (earlier: AnyRecord, record: AnyRecord): boolean =>
  isHiddenRecord(earlier) && !isHiddenRecord(record)

export type RecordTimes = { all_day: boolean; start: ZonedTime; end: ZonedTime; timezone: string }

/** The fields of events, and those that the occurrences of a series share. */
type EventDetails = CommonFields &
  PlainValues<typeof EVENT_FIELDS, EventFields> &
  RecordTimes & {
    title: string
    excerpt?: string
    cost: string
    website: string | null
    virtual_event_type?: VirtualEventType
    custom_fields?: CustomFields
    /** External ids, in order. */
    venues: string[]
    organizers: string[]
    categories: string[]
    tags: string[]
    /** The external id of the parent event. */
    parent?: string | undefined
    /** The addresses of calendars that its source has it from. */
    origins?: readonly string[]
  }

/** The part of an event in a series of the same source. */
export type OccurrenceOf = {
  /** The external id of the series. */
  series: string
  /** The start by the series' rule, and the part of the slug after the slug of the series. */
  date: DateTime
  suffix: string
  /** The fields that differ from the series. */
  detached: readonly FieldName[]
}

export type EventRecord = EventDetails & {
  kind: 'event'
  occurrence?: OccurrenceOf | undefined
  /** The UID of events that belong together without a rule here; the first is the parent of the others. */
  chain?: string | undefined
}

/** A series, with the fields that its occurrences share, at the times of the first one by its rule. */
export type SeriesRecord = EventDetails & {
  kind: 'series'
  recurrence: Recurrence
  /** The starts that the rule has given so far, with external ids where these follow from the starts. */
  dates: readonly { date: DateTime; externalId?: string }[]
  /** The last of these, if the source may have fewer than the rule gives: later ones are still to be made. */
  madeUpTo?: DateTime | undefined
}

/** True for events and series. */
export const isEventLike = (record: AnyRecord): record is EventLike => 'venues' in record

export type EventLike = SeriesRecord | EventRecord

export type ContentRecord = VenueRecord | OrganizerRecord | SeriesRecord | EventRecord

export type TermRecordKind = 'category' | 'tag'
export type ContentRecordKind = Exclude<RecordKind, TermRecordKind>

export type AnyRecord = TermRecord | ContentRecord

/**
 * Items of a source: records and messages about them. Records come after those that they refer to, as far as
 * possible.
 */
export type SourceItem =
  | { type: 'record'; record: AnyRecord }
  | {
      type: 'skipped' | 'failed'
      kind: RecordKind | 'page'
      source?: string
      what: string
      /** The title, unless `what` has it already, and the line of the file on which the record begins. */
      title?: string
      line?: number | undefined
      reason: string
      /** Absent where only commands, which print the reason, may come across the item. */
      code?: ReadingCode | undefined
    }
  | { type: 'note'; text: string; code?: ReadingCode }
  /**
   * A list that was not read to its end: none of its records counts as vanished. `reason` says what is wrong
   * with it.
   */
  | { type: 'incomplete'; source: string; kind: RecordKind; reason: string }
  /** A record that is there and was not read: it does not count as vanished. */
  | { type: 'unread'; source: string; kind: RecordKind; what: string }
  /** The number of items of a list that were read, and the list's own total. */
  | { type: 'total'; kind: RecordKind; read: number; listed: number }
  /** The number of further records to expect, of any kind. */
  | { type: 'expect'; count: number }
  /** All records of a kind were read; of events, those that start between these instants (UTC, inclusive). */
  | { type: 'complete'; source: string; kind: RecordKind; from?: DateTime; to?: DateTime }

export const recordItems = (records: readonly AnyRecord[]): SourceItem[] =>
  records.map(record => ({ type: 'record', record }))

/**
 * The limits for one iCalendar file: its lines, the dates of its repeating events, and the days about which
 * their rules are asked.
 */
export type CalendarLimits = { lines: number; dates: number; days: number }

/** The order of the numbers of a day: day, month, year, or month, day, year. */
export type DayOrder = 'dmy' | 'mdy'

/** A value that a reader took from the calendar instead of the file, or left out. */
export type GuessedValue = {
  code: GuessCode
  /** The name of the property or column, in the words of the file. */
  field?: string | undefined
  /** The text of the file that could not be understood. */
  text: string
  /** The value that was taken instead; absent if it was left out. */
  as?: string | undefined
  /** The line of the file, from 1. */
  line?: number | undefined
  /** The record or document that has the text. */
  what?: string | undefined
}

/** Settings and callbacks of readers. */
export type ReaderContext = {
  /** The site's zone, in which dates without a zone are local. */
  timezone: string
  nowMs: number
  /** The id of this calendar. Copies of its own events are not read. */
  ownId?: string | undefined
  /** The host of this calendar, whose events are not read from CSV files. */
  host?: string | undefined
  /** The language of the calendar. Files with headings in it may follow its customs. */
  language?: Language | undefined
  /** The order of days such as 05/06/2027 in CSV files; undefined if nobody has named it. */
  dayOrder?: DayOrder | undefined
  /** The limits for an iCalendar file; by default, the limits of commands. */
  limits?: CalendarLimits | undefined
  /** Takes remarks on values that could not be kept. */
  note: (text: string) => void
  /** Takes a guess of a reader, which `reportGuess` reports. By default, {@link note} takes it. */
  guess?: ((guess: GuessedValue) => void) | undefined
}

/** The reason for not reading something: in words for programs and logs, and as a code for people. */
export type ReadingReason = { reason: string; code: ReadingCode | undefined }

/**
 * Thrown for content that is not read: the message has the reason, and the code is the reason for people in
 * their language.
 */
export class ReadingError extends Error {
  override readonly name: string = 'ReadingError'
  readonly code: ReadingCode
  constructor(message: string, code: ReadingCode, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Thrown for a record or document that cannot be read. */
export class Unreadable extends ReadingError {
  override readonly name = 'Unreadable'
}

/** The code of an error. @param otherwise the code for errors that have none, such as those of libraries */
export const codeOf = (error: unknown, otherwise: ReadingCode): ReadingCode =>
  error instanceof ReadingError ? error.code : otherwise

export const itemReason = (error: unknown): ReadingReason => ({
  reason: messageOf(error),
  code: codeOf(error, 'record_unreadable'),
})

/** The code for a response whose status is not a success. */
export function codeOfStatus(status: number): ReadingCode {
  if (status === 404 || status === 410) return 'source_gone'
  if ([401, 402, 403, 407, 451].includes(status)) return 'source_refuses'
  return status === 408 || status === 429 || status >= 500 ? 'source_in_trouble' : 'source_no_calendar'
}

export const recordName = (record: AnyRecord): string =>
  ('title' in record ? record.title : record.name) || record.externalId

/** The status of content that is not public, in brackets, for reports; '' for public content. */
export const hiddenText = (record: AnyRecord): string =>
  isTerm(record) || record.status === 'publish' ? '' : ` (${record.status})`

/** The length of a record's longest text, in characters. */
export const recordLength = (record: AnyRecord): number => {
  const isShared = record.kind === 'event' && record.occurrence?.detached.includes('description') === false
  return isShared ? 0 : record.description.length
}

/** An event's start in UTC; undefined for other records. */
export const recordStart = (record: AnyRecord): DateTime | undefined =>
  record.kind === 'event' ? record.start.utc : undefined

/**
 * The names of the API's collections, in an order in which each record comes after those that it refers to.
 */
export const COLLECTIONS = {
  category: 'categories',
  tag: 'tags',
  venue: 'venues',
  organizer: 'organizers',
  series: 'series',
  event: 'events',
} as const satisfies Record<RecordKind, string>

/** True for a kind of record; false for any other subject of a report. */
export const isRecordKind = (kind: string): kind is RecordKind => kind in COLLECTIONS

/** All kinds in an order in which each record comes after those that it refers to. */
export const RECORD_KINDS = typedKeys(COLLECTIONS)

export const isTermRecordKind = (kind: RecordKind): kind is TermRecordKind =>
  kind === 'category' || kind === 'tag'

export const isTerm = (record: AnyRecord): record is TermRecord => isTermRecordKind(record.kind)

/** A record's kind, and its id in its source. */
export type RecordName = readonly [kind: RecordKind, externalId: string]

/** The venues, organizers and terms that an event or series names. */
export const recordsNamedBy = ({ venues, organizers, categories, tags }: EventLike): RecordName[] => [
  ...venues.map(id => ['venue', id] as const),
  ...organizers.map(id => ['organizer', id] as const),
  ...categories.map(id => ['category', id] as const),
  ...tags.map(id => ['tag', id] as const),
]

/** A record's kind and external id in one text: its key among the records of its source. */
export const recordKey = (kind: unknown, externalId: unknown): string => `${kind}\n${externalId}`

/** The key of a record of any source in maps. */
export const importKey = (source: string, kind: RecordKind, externalId: string): string =>
  `${source}\n${recordKey(kind, externalId)}`

export const keyOfRecord = ({ source, kind, externalId }: AnyRecord): string =>
  importKey(source, kind, externalId)

// The UID, then the occurrence's original start in UTC, which sorts as text.
const OCCURRENCE_ID = /^(.*)#(\d{8}T\d{6}Z)$/s

/** The external id of one occurrence of a recurring event. @param utc its original start */
export const occurrenceId = (uid: string, utc: string): string => `${uid}#${utcValue(utc)}`

/** The UID that an occurrence's external id begins with. */
export const seriesOf = (externalId: string): string | undefined => OCCURRENCE_ID.exec(externalId)?.[1]

/** True if an external id is of an occurrence whose original start is in a period. @param period in UTC */
export function isOccurrenceIn(externalId: string, { from, to }: { from: string; to: string }): boolean {
  const start = OCCURRENCE_ID.exec(externalId)?.[2]
  return start !== undefined && start >= utcValue(from) && start <= utcValue(to)
}
