import type { Row } from '../../lib/connection.ts'
import { shortDigest } from '../../lib/digest.ts'
import { EDITION_OF_SERIES, seriesEdition } from '../../resources/events/imported.ts'
import type { ContentRecordKind } from '../records.ts'
import type { Links, StoredContent } from './state.ts'

/** A hash of a value's JSON. */
export const digest = (value: unknown): Promise<string> => shortDigest(JSON.stringify(value), 27)

/** The columns that the hashes of all databases cover, in their order. */
const HASHED: ReadonlySet<string> = new Set(
  (
    'status date date_utc modified modified_utc description title excerpt all_day start_date end_date timezone cost ' +
    'name address city country province state stateprovince zip phone website email show_map show_map_link ' +
    'geo_lat geo_lng hide_from_listings sticky featured ticketed event_status event_status_reason is_virtual ' +
    'virtual_event_type virtual_url virtual_video_source custom_fields uid sequence ' +
    'utc_start_date utc_end_date timezone_abbr occurrence_date detached rrule rdate exdate extend_from'
  ).split(' '),
)

/**
 * The columns of a record for its hash. Hashes are in databases, and stay as they are: columns that came later count where they
 * differ from those of a record that says nothing.
 */
export function hashed(own: Row, unknown: Row): Row {
  const first = [...HASHED].filter(name => name in own)
  const later = Object.keys(own)
    .filter(name => !HASHED.has(name) && own[name] !== unknown[name])
    .sort()
  return Object.fromEntries([...first, ...later].map(name => [name, own[name] ?? null]))
}

// What tells if a row was changed here since it was imported.

const linksText = ({ venue, organizer, categories, tags }: Links): string => {
  const terms = [...new Set([...categories, ...tags])].sort((a, b) => a - b)
  return [venue, organizer, terms].map(list => list.join(',')).join(';')
}

/** The columns that only some tables have. */
const MORE = {
  event: ['utc_start_date', 'series_id', 'occurrence_date', 'detached'],
  // The first two are those of all kinds.
  series: EDITION_OF_SERIES.slice(2),
  venue: [],
  organizer: [],
} as const

/** The columns of a kind of content that {@link storedOf} reads. */
export const editionColumns = (kind: ContentRecordKind): string =>
  ['id', 'slug', 'version', 'status', 'external_id', ...MORE[kind]].join(', ')

/** The part of a row that planning needs. */
export async function storedOf(kind: ContentRecordKind, row: Row, links?: Links): Promise<StoredContent> {
  const { slug, version, status, external_id, series_id, occurrence_date } = row
  const linked = links ? linksText(links) : row.links
  const edition = kind === 'series' ? await digest(seriesEdition(row, linked)) : String(version)
  return {
    ...{ slug: String(slug), version: Number(version), status: String(status), edition },
    ...(kind === 'series' && linked != null && { linked: String(linked) }),
    start: kind === 'event' ? String(row.utc_start_date) : '',
    externalId: String(external_id ?? ''),
    ...(series_id != null && {
      occurrence: {
        series: Number(series_id),
        date: String(occurrence_date),
        isDetached: row.detached !== '[]',
      },
    }),
  }
}
