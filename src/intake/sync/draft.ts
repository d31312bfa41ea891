import { storedValues } from '../../db/bulk.ts'
import type { Row } from '../../lib/connection.ts'
import { slugify } from '../../lib/slug.ts'
import { zoneAbbreviation } from '../../lib/zones.ts'
import { backupTable, newRow, ownColumns, TABLE_OF } from '../columns.ts'
import {
  type AnyRecord,
  type ContentRecord,
  type ContentRecordKind,
  type EventRecord,
  type ImageRecord,
  isTerm,
  type LinkName,
  type RecordOrigin,
  type SeriesRecord,
  type StoredContentRecord,
  type StoredTermRecord,
  type TermRecord,
  type TermRecordKind,
} from '../records.ts'
import { hashed } from './editions.ts'
import { type EventTexts, textsIn } from './state.ts'

// Records of all sources in one form: columns of their tables, and references by external ids.

/** What an event or series refers to, by external ids. */
export type References = {
  venue: readonly string[]
  organizer: readonly string[]
  /** In the order of the source. Backups do not tell categories from tags. */
  terms: readonly { kinds: readonly TermRecordKind[]; externalId: string }[]
  parent: string | undefined
  /** The UID of events that belong together without a series; the first is the parent of the others. */
  chain: string | undefined
  /** Undefined for single events. */
  series: string | undefined
}

/** A venue, organizer, event or series. */
export type ContentDraft = RecordOrigin & {
  kind: ContentRecordKind
  record: ContentRecord | StoredContentRecord
  /** The columns that mean the same in every calendar. Dates that the source doesn't have are null. */
  own: Row
  /** Those that its hash covers. */
  hashed: Row
  version: number | undefined
  /** The slug that the source names, '' for none, and the one to take if it is free. */
  named: string
  slug: string
  /** The column; undefined if the source has no such ids. */
  external_id: string | undefined
  author: string | undefined
  image: ImageRecord | undefined
  references: References | undefined
  /** The texts of an event, those of its series included; a backup has these with the series. */
  texts: EventTexts | undefined
}

/** A category or tag. */
export type TermDraft = RecordOrigin & {
  kind: TermRecordKind
  record: TermRecord | StoredTermRecord
  own: { name: string; description: string; standalone: boolean }
  /** '' if the source names none. */
  slug: string
  version: number
  parent: string | undefined
}

export type Draft = ContentDraft | TermDraft

export const draftOf = (record: AnyRecord): Draft =>
  isTerm(record) ? termDraft(record) : contentDraft(record)

export const isTermDraft = (draft: Draft): draft is TermDraft => isTerm(draft.record)

const originOf = ({ source, externalId, id }: RecordOrigin): RecordOrigin => ({ source, externalId, id })

function termDraft(record: TermRecord | StoredTermRecord): TermDraft {
  const {
    name,
    description,
    slug,
    standalone = true,
    version = 1,
  } = 'columns' in record ? record.columns : { ...record, version: 1 }
  return {
    ...originOf(record),
    kind: record.kind,
    record,
    own: { name: String(name), description: String(description), standalone: Boolean(standalone) },
    slug: String(slug),
    version: Number(version),
    parent: record.parent,
  }
}

function contentDraft(record: ContentRecord | StoredContentRecord): ContentDraft {
  const { kind, author, image } = record
  const table = TABLE_OF[kind]
  const isRow = 'columns' in record
  const { version, ...own } = ownColumns(table, isRow ? record.columns : columnsOf(record))
  const { slug, external_id } = isRow ? record.columns : record
  const references = referencesOf(record)
  // Single events have the same hash as before there were series.
  const { occurrence_date: _, detached: _detached, ...single } = own
  const covered = references?.series === undefined ? single : own
  const named = String(slug)
  return {
    ...{ ...originOf(record), kind, record, own, author, image, references, named },
    hashed: hashed(isRow ? { ...covered, version: version ?? 1 } : covered, backupTable(table), isRow),
    version: isRow ? Number(version) : undefined,
    slug: named || slugify(String(own.title ?? own.name ?? '')) || (kind === 'series' ? 'event' : kind),
    external_id: isRow ? String(external_id ?? '') : record.external_id,
    texts: 'title' in record ? textsIn(record) : undefined,
  }
}

/** The columns of a record of a reader. What it doesn't tell is as in new rows, but for dates. */
function columnsOf(record: ContentRecord): Row {
  const table = TABLE_OF[record.kind]
  const values = storedValues(backupTable(table), { ...record, ...convertedColumns(record) })
  // Values of fields and of the functions below become texts, numbers and nulls.
  return { ...newRow(table), ...values } as Row
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

function referencesOf(record: ContentRecord | StoredContentRecord): References | undefined {
  if (record.kind === 'venue' || record.kind === 'organizer') return undefined
  if (!('columns' in record)) {
    const { venues, organizers, categories, tags, parent } = record
    const { occurrence, chain }: Partial<EventRecord> = record.kind === 'event' ? record : {}
    const termsOf = (kind: TermRecordKind, ids: readonly string[]) =>
      ids.map(externalId => ({ kinds: [kind], externalId }))
    const terms = [...termsOf('category', categories), ...termsOf('tag', tags)]
    return { venue: venues, organizer: organizers, terms, parent, chain, series: occurrence?.series }
  }
  const { links, parent, series } = record
  const idsIn = (name: LinkName) => (links?.[name] ?? []).map(row => String(row.target_id))
  return {
    venue: idsIn('venues'),
    organizer: idsIn('organizers'),
    terms: idsIn('terms').map(externalId => ({ kinds: ['tag', 'category'], externalId })),
    ...{ parent, series, chain: undefined },
  }
}
