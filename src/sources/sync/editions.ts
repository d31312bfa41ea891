import { getTableColumns } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { series } from '../../db/schema.ts'
import type { Row, Value } from '../../lib/connection.ts'
import { shortDigest } from '../../lib/digest.ts'
import type { ColumnName } from '../columns.ts'
import type { ContentRecordKind } from '../records.ts'
import type { Links, StoredContent } from './state.ts'

// What tells if a row was changed here since it was imported.

/** A hash of a value's JSON. */
export const digest = (value: unknown): Promise<string> => shortDigest(JSON.stringify(value), 27)

/** The columns of a series that people change here, in the order of the editions that databases hold. */
const EDITION = [
  'status',
  'slug',
  'title',
  'description',
  'excerpt',
  'image_id',
  'all_day',
  'start_date',
  'end_date',
  'timezone',
  'cost',
  'website',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'ticketed',
  'post_parent',
  'event_status',
  'event_status_reason',
  'virtual_event_type',
  'virtual_url',
  'virtual_video_source',
  'custom_fields',
  'rrule',
  'rdate',
] as const satisfies readonly ColumnName<typeof series>[]

/**
 * The columns of a series that are no part of its edition: those that the cron changes too, exceptions, each of which belongs to
 * an occurrence, and dates and authors, which stay when an import changes a series.
 */
const NO_EDITION = [
  'id',
  'version',
  'author_id',
  'date',
  'date_utc',
  'modified',
  'modified_utc',
  'external_id',
  'uid',
  'sequence',
  'is_virtual',
  'exdate',
  'extend_from',
] as const satisfies readonly ColumnName<typeof series>[]

/** All other columns. They count where they differ from their defaults, so that editions of before there were such columns stay. */
const LATER = Object.entries(getTableColumns<SQLiteTable>(series)).filter(
  ([name]) => ![...EDITION, ...NO_EDITION].some(other => other === name),
)

const defaultOf = ({ default: value }: SQLiteColumn): unknown =>
  typeof value === 'boolean' ? Number(value) : (value ?? null)

/** The values of a row that make its edition. */
const editionOf = (row: Row, links: Value | undefined): unknown[] => [
  ...EDITION.map(name => row[name] ?? null),
  links,
  ...LATER.flatMap(([name, column]) => {
    const value = row[name] ?? defaultOf(column)
    return value === defaultOf(column) ? [] : [[name, value]]
  }),
]

/** The relations of a series in one text, which is part of its edition as well. */
const seriesLinks = (['venues', 'organizers', 'terms'] as const)
  .map(
    name => `coalesce((SELECT group_concat(target_id) FROM (SELECT target_id FROM series_${name}
      WHERE series_id = series.id ORDER BY ${name === 'terms' ? 'target_id' : 'position'})), '')`,
  )
  .join(" || ';' || ")

const linksText = ({ venue, organizer, categories, tags }: Links): string => {
  const terms = [...new Set([...categories, ...tags])].sort((a, b) => a - b)
  return [venue, organizer, terms].map(list => list.join(',')).join(';')
}

/** The columns that only some tables have. */
const MORE = {
  event: ['utc_start_date', 'series_id', 'occurrence_date', 'detached'],
  series: [
    ...EDITION.filter(name => !['status', 'slug'].includes(name)),
    ...LATER.map(([name]) => name),
    `${seriesLinks} AS links`,
  ],
  venue: [],
  organizer: [],
} as const

/** The columns of a kind of content that {@link storedOf} reads. */
export const editionColumns = (kind: ContentRecordKind): string =>
  ['id', 'slug', 'version', 'status', 'external_id', ...MORE[kind]].join(', ')

/** The part of a row that planning needs. */
export async function storedOf(kind: ContentRecordKind, row: Row, links?: Links): Promise<StoredContent> {
  const { slug, version, status, external_id, series_id, occurrence_date } = row
  const isEvent = kind === 'event'
  return {
    slug: String(slug),
    version: Number(version),
    edition:
      kind === 'series'
        ? await digest(editionOf(row, links ? linksText(links) : row.links))
        : String(version),
    status: String(status),
    start: isEvent ? String(row.utc_start_date) : '',
    externalId: String(external_id ?? ''),
    ...(isEvent &&
      series_id != null && {
        occurrence: {
          series: Number(series_id),
          date: String(occurrence_date),
          isDetached: row.detached !== '[]',
        },
      }),
  }
}
