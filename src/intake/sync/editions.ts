import { shortDigest } from '../../lib/digest.ts'
import { EDITION_OF_SERIES, type Links, seriesEdition } from '../../resources/events/imported.ts'
import type { ContentRecordKind } from '../records.ts'
import type { StoredContent } from './state.ts'

/** A hash of a value's JSON. */
const digest = (value: unknown): Promise<string> => shortDigest(JSON.stringify(value), 27)

// What tells if a row was changed here since it was imported.

/** What a series refers to, in one text. */
export const linksText = ({ venue, organizer, categories, tags }: Links): string => {
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
export async function storedOf(
  kind: ContentRecordKind,
  row: Readonly<Record<string, unknown>>,
  links?: Links,
): Promise<StoredContent> {
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
