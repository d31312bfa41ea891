import type { Row } from '../../lib/connection.ts'
import { slugify } from '../../lib/slug.ts'
import { zoneAbbreviation } from '../../lib/zones.ts'
import { importedColumns } from '../../resources/content/imported.ts'
import {
  type AnyRecord,
  type ContentRecord,
  type ContentRecordKind,
  type EventRecord,
  type ImageRecord,
  isTerm,
  type RecordOrigin,
  type SeriesRecord,
  type TermRecord,
  type TermRecordKind,
} from '../records.ts'
import { type EventTexts, textsIn } from './state.ts'

// Records of all sources in one form: columns of their tables, and references by external ids.

/** What an event or series refers to, by external ids. */
export type References = {
  venue: readonly string[]
  organizer: readonly string[]
  categories: readonly string[]
  tags: readonly string[]
  parent: string | undefined
  /** The UID of events that belong together without a series; the first is the parent of the others. */
  chain: string | undefined
  /** Undefined for single events. */
  series: string | undefined
}

/** A venue, organizer, event or series. */
export type ContentDraft = RecordOrigin & {
  kind: ContentRecordKind
  record: ContentRecord
  /** The columns that mean the same in every calendar. Dates that the source doesn't have are null. */
  own: Row
  /** The slug that the source names, '' for none, and the one to take if it is free. */
  named: string
  slug: string
  /** The column; undefined if the source has no such ids. */
  external_id: string | undefined
  author: string | undefined
  image: ImageRecord | undefined
  references: References | undefined
  /** The texts of an event, those of its series included. */
  texts: EventTexts | undefined
}

/** A category or tag. */
export type TermDraft = RecordOrigin & {
  kind: TermRecordKind
  record: TermRecord
  own: { name: string; description: string; standalone: boolean }
  /** '' if the source names none. */
  slug: string
  parent: string | undefined
}

export type Draft = ContentDraft | TermDraft

export const draftOf = (record: AnyRecord): Draft =>
  isTerm(record) ? termDraft(record) : contentDraft(record)

export const isTermDraft = (draft: Draft): draft is TermDraft => isTerm(draft.record)

const originOf = ({ source, externalId, id }: RecordOrigin): RecordOrigin => ({ source, externalId, id })

function termDraft(record: TermRecord): TermDraft {
  const { kind, name, description, slug, standalone = true, parent } = record
  return { ...originOf(record), kind, record, own: { name, description, standalone }, slug, parent }
}

function contentDraft(record: ContentRecord): ContentDraft {
  const { kind, author, image, slug: named, external_id } = record
  // What a record doesn't tell is as in new rows, but for dates.
  const own = importedColumns(kind, { ...record, ...convertedColumns(record) })
  const references = referencesOf(record)
  return {
    ...{ ...originOf(record), kind, record, own, author, image, references, named, external_id },
    slug:
      named ||
      slugify('title' in record ? record.title : record.name) ||
      (kind === 'series' ? 'event' : kind),
    texts: 'title' in record ? textsIn(record) : undefined,
  }
}

/** The columns that records give in another form. */
const convertedColumns = (record: ContentRecord) => ({
  date: record.date?.wall,
  date_utc: record.date?.utc,
  modified: record.modified?.wall,
  modified_utc: record.modified?.utc,
  ...('start' in record && {
    start_date: record.start.wall,
    end_date: record.end.wall,
    is_virtual: (record.virtual_event_type ?? '') !== '',
    custom_fields: JSON.stringify(record.custom_fields ?? {}),
    ...(record.kind === 'event' ? eventColumns(record) : seriesColumns(record)),
  }),
})

const eventColumns = ({ start, end, timezone, occurrence, ...texts }: EventRecord) => {
  // The texts of an occurrence are those of its series, unless they are detached.
  const textOf = (name: 'description' | 'excerpt') =>
    occurrence && !occurrence.detached.includes(name) ? '' : texts[name]
  return {
    utc_start_date: start.utc,
    utc_end_date: end.utc,
    timezone_abbr: zoneAbbreviation(start.utc, timezone),
    description: textOf('description'),
    excerpt: textOf('excerpt'),
    occurrence_date: occurrence?.date,
    detached: JSON.stringify(occurrence?.detached ?? []),
  }
}

const seriesColumns = ({ recurrence: { rrule, rdate, exdate } }: SeriesRecord) => ({
  rrule,
  rdate: JSON.stringify(rdate),
  exdate: JSON.stringify(exdate),
})

function referencesOf(record: ContentRecord): References | undefined {
  if (record.kind === 'venue' || record.kind === 'organizer') return undefined
  const { venues: venue, organizers: organizer, categories, tags, parent } = record
  const { occurrence, chain }: Partial<EventRecord> = record.kind === 'event' ? record : {}
  return { venue, organizer, categories, tags, parent, chain, series: occurrence?.series }
}
