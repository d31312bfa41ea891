import { sql } from 'drizzle-orm'
import type { CalendarContext } from '../../kit/context.ts'
import { inList, many, type Query, type RawRow, readText, type Value } from '../../kit/db/query.ts'
import { events, imports } from '../../kit/db/tables.ts'
import type { Pattern } from '../../kit/lib/recurrence/pattern.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import type { DateTime, ZonedTime } from '../../kit/lib/time.ts'
import { omit, textsOf } from '../../kit/lib/values.ts'
import { zoneAbbreviation } from '../../kit/lib/zones.ts'
import type { CustomFields } from '../content/custom-fields.ts'
import { differingColumns, importedColumns, isUnchangedBy } from '../content/imported-columns.ts'
import { importedPublication } from '../content/publication.ts'
import { CONTENT_TABLES } from '../content/resource.ts'
import type { ImageChoice } from '../content/uploads.ts'
import { readStatus } from '../content/visibility.ts'
import type { PreparedEventRow } from './prepare.ts'
import type { PreparedSeries } from './recurrence/statements.ts'
import { RELATIONS, type Relations } from './relations/fields.ts'
import { FIELD_NAMES } from './schema.ts'
import { eventText, occurrenceText } from './search.ts'

// Events and series that sources and imports bring.

/** The ids to which an event or series is linked, by field. */
export type LinkedIds = Record<(typeof RELATIONS)[number], number[]>

export const NO_LINKS: LinkedIds = { venue: [], organizer: [], categories: [], tags: [] }

/** True if two events have the same rows of a relation. Venues and organizers have an order. */
export function haveSameLinks(name: keyof LinkedIds, a: LinkedIds, b: LinkedIds): boolean {
  const idsOf = ({ [name]: ids }: LinkedIds) =>
    name === 'venue' || name === 'organizer' ? ids : ids.toSorted((x, y) => x - y)
  return idsOf(a).join() === idsOf(b).join()
}

/**
 * An event or series as a source describes it: values of fields, with times as instants and by the clocks of
 * its zone.
 */
type ImportedEvent = Readonly<Record<string, unknown>> & {
  kind: 'event' | 'series'
  start: ZonedTime
  end: ZonedTime
  timezone: string
  date?: ZonedTime | undefined
  modified?: ZonedTime | undefined
  title: string
  description: string
  excerpt?: string
  virtual_event_type?: string
  custom_fields?: CustomFields
  /**
   * The date that the rule of the series gives an occurrence, and the fields that it does not share with the
   * series.
   */
  occurrence?: { date: DateTime; detached: readonly string[] } | undefined
  recurrence?: Pick<Pattern, 'rrule' | 'rdate' | 'exdate'>
}

/**
 * The columns of an imported event or series that mean the same in every calendar. Dates that the source
 * doesn't have are null.
 */
export function importedEventColumns(event: ImportedEvent): RawRow {
  const { kind, start, end, timezone, date, modified, occurrence, recurrence } = event
  // An occurrence shares the texts of its series, unless they are detached.
  const textOf = (name: 'description' | 'excerpt') =>
    occurrence && !occurrence.detached.includes(name) ? '' : event[name]
  return importedColumns(kind, {
    ...event,
    date: date?.wall,
    date_utc: date?.utc,
    modified: modified?.wall,
    modified_utc: modified?.utc,
    start_date: start.wall,
    end_date: end.wall,
    is_virtual: (event.virtual_event_type ?? '') !== '',
    custom_fields: JSON.stringify(event.custom_fields ?? {}),
    ...(recurrence
      ? {
          rrule: recurrence.rrule,
          rdate: JSON.stringify(recurrence.rdate),
          exdate: JSON.stringify(recurrence.exdate),
        }
      : {
          utc_start_date: start.utc,
          utc_end_date: end.utc,
          timezone_abbr: zoneAbbreviation(start.utc, timezone),
          description: textOf('description'),
          excerpt: textOf('excerpt'),
          occurrence_date: occurrence?.date,
          detached: JSON.stringify(occurrence?.detached ?? []),
        }),
  })
}

type ImportedIds = { source: string; kind: 'venue' | 'organizer'; ids: readonly string[] }

/** A query for the statuses of a source's venues or organizers which public events from elsewhere use. */
export function selectUsedElsewhere({
  source,
  kind,
  ids,
}: ImportedIds): Query<[externalId: string, status: Status][]> {
  const table = CONTENT_TABLES[kind]
  const ofSourceSql = (kind: 'event' | 'series', id: typeof events.id | typeof events.series_id) =>
    sql`EXISTS (SELECT 1 FROM ${imports} AS own INDEXED BY imports_target
      WHERE own.kind = ${kind} AND own.target_id = ${id} AND own.source = ${source})`
  return many(
    sql`SELECT related.external_id, stored.status FROM ${imports} AS related
      CROSS JOIN ${table} AS stored ON stored.id = related.target_id
      WHERE related.source = ${source} AND related.kind = ${kind} AND related.external_id IN ${inList(ids)} AND EXISTS (
        SELECT 1 FROM events_of AS link CROSS JOIN ${events} ON ${events.id} = link.event_id
        WHERE link.facet = ${kind} AND link.target_id = stored.id AND ${events.status} = 'publish'
          AND NOT ${ofSourceSql('event', events.id)} AND NOT ${ofSourceSql('series', events.series_id)})`,
    row => [readText(row.external_id), readStatus(row.status)],
  )
}

type ImportedRow = {
  kind: 'event' | 'series'
  /** {@link importedEventColumns}. Users may have changed some of them. */
  ownColumns: RawRow
  /** The texts of an event, including texts that it shares with its series. */
  texts: Readonly<Record<(typeof TEXTS)[number], string>>
  author: number
  external_id: string
  /** The slug that the row gets if it is free; undefined if the stored slug stays. */
  slug: string | undefined
  /** The id of the image, and the choice that stores it; undefined if the row has the image. */
  image: { id: number | null; choice: ImageChoice | undefined }
  parent: number | null
  series: number | null
  links: LinkedIds
  stored: { id: number; version: number } | undefined
  /** All columns of the stored row and its links, if they are known: only changes are written. */
  before: RawRow | undefined
  linksBefore: LinkedIds | undefined
  /** The id of the row that has the external id. */
  holder: number | undefined
}

type PreparedImportedEvent = Omit<PreparedEventRow, 'type' | 'series' | 'stored'> &
  Pick<PreparedSeries, 'texts' | 'follows' | 'stored'> & {
    /** All columns of the row afterwards, but for its slug. */
    row: RawRow
    isUnchanged: boolean
    /** The id of another row that has the external id, which this row therefore does not get. */
    holder: number | undefined
  }

/**
 * Prepares the write of an imported event or series. It refuses nothing, because nobody can correct a source,
 * and the reader has checked the values.
 */
export function prepareImportedEvent(
  context: CalendarContext,
  { kind, ownColumns, texts, stored, before, image, slug, links, linksBefore, ...others }: ImportedRow,
): PreparedImportedEvent {
  // Parents are of the same source, which is trusted with its own events.
  const confirmed = before?.post_parent === others.parent ? before.parent_confirmed_by : undefined
  const holder = others.holder === stored?.id ? undefined : others.holder
  const row: RawRow = {
    image_id: image.id,
    ...ownColumns,
    ...importedPublication(context, publicationIn(ownColumns), !stored),
    author_id: others.author,
    post_parent: others.parent,
    parent_confirmed_by: others.parent === null ? null : (confirmed ?? others.author),
    external_id: holder === undefined ? others.external_id : '',
    ...(kind === 'event' && { series_id: others.series }),
  }
  const wantedColumns = stored ? updatedColumns(row) : row
  const columns = before ? differingColumns(kind, before, wantedColumns) : wantedColumns
  const relations = choicesOf(links, linksBefore)
  const hasChangedLinks = Object.keys(relations).length > 0
  // Occurrences share the texts of their series, which may have changed.
  const isSingle = row.series_id == null && before?.series_id == null
  const hasSameTexts = before !== undefined && isSingle && !TEXTS.some(name => name in columns)
  const commonParts = {
    row,
    stored,
    // Sources give no other status.
    columns: { ...columns, status: textIn(columns.status) as Status | undefined, slug },
    image: image.choice,
    fields: [],
    relations,
    holder,
    isUnchanged:
      before !== undefined &&
      image.choice === undefined &&
      slug === undefined &&
      !hasChangedLinks &&
      isUnchangedBy(columns, ownColumns.modified),
  }
  const textOf = () => (row.series_id === null ? eventText(row) : occurrenceTexts(ownColumns, texts))
  if (kind === 'event') return { ...commonParts, text: hasSameTexts ? undefined : textOf() }
  return {
    ...commonParts,
    keepsSlug: true,
    text: undefined,
    texts: hasSameTexts ? undefined : texts,
    // Dates have the links of their series, and get them again only if they change, because that takes ten of
    // the fifty statements that an invocation may make.
    follows: hasChangedLinks
      ? FIELD_NAMES
      : FIELD_NAMES.filter(name => !RELATIONS.some(other => other === name)),
  }
}

const TEXTS = ['title', 'description', 'excerpt'] as const

/** The text for searches of an occurrence; undefined if it shares all texts with its series. */
export function occurrenceTexts(ownRow: RawRow, sharedRow: RawRow): string | undefined {
  const detachedFields = textsOf(String(ownRow.detached))
  if (!TEXTS.some(name => detachedFields.includes(name))) return undefined
  const [title, description, excerpt] = TEXTS.map(name =>
    String((detachedFields.includes(name) ? ownRow[name] : sharedRow[name]) ?? ''),
  )
  return occurrenceText({ title, description, excerpt })
}

const textIn = (value: Value | undefined): string | undefined => (value == null ? undefined : String(value))

const publicationIn = ({ status, date, date_utc, modified, modified_utc }: RawRow) => ({
  // Sources give no other status.
  status: status as Status,
  date: textIn(date),
  date_utc: textIn(date_utc),
  modified: textIn(modified),
  modified_utc: textIn(modified_utc),
})

/**
 * The columns that an update sets. UIDs stay, because subscribers recognise events by UID. Dates that the
 * source lacks stay as well.
 */
function updatedColumns({ date, date_utc, ...row }: RawRow): RawRow {
  const columns = omit(row, 'image_id', 'author_id', 'uid', 'sequence_offset')
  return date == null ? columns : { ...columns, date, date_utc: date_utc ?? null }
}

/**
 * The relations that a write changes.
 * @param storedLinks the links of the row; undefined if they are unknown
 */
export function choicesOf(links: LinkedIds, storedLinks: LinkedIds | undefined): Relations {
  const choices: Relations = {
    venue: links.venue.map(same => ({ same })),
    organizer: links.organizer.map(same => ({ same })),
    categories: { ids: links.categories, names: [], hasNew: false },
    tags: { ids: links.tags, names: [], hasNew: false },
  }
  for (const name of RELATIONS)
    if (storedLinks && haveSameLinks(name, storedLinks, links)) delete choices[name]
  return choices
}
