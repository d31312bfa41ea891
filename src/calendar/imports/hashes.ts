import { type RawRow, readNumber, readText } from '../../kit/db/query.ts'
import { shortDigest } from '../../kit/lib/hash.ts'
import type { LinkedIds } from '../events/imported-events.ts'
import { editableValues } from '../events/series-values.ts'
import type { StoredContent } from './batch.ts'
import { protectionOf } from './protection.ts'
import { type AnyRecord, type ContentRecordKind, isEventLike, isTerm, type RecordKind } from './records.ts'

// The hash that shows if a record has changed at its source. It is made of the record's values with the
// source's own ids, so that an unchanged record is recognised before any row is read.

const digest = (value: unknown): Promise<string> => shortDigest(JSON.stringify(value), 27)

/** The start of every hash. */
const HASH_PREFIX = '2.'

/**
 * The parts of a record that are not values of its row, or that are hashed in another form. The present dates
 * follow from the rule.
 */
const NOT_HASHED: ReadonlySet<string> = new Set(
  `source kind externalId id author standalone isHidden origins chain dates madeUpTo occurrence image
  venues organizers categories tags parent`.split(/\s+/),
)

/**
 * Fields that count even if they are empty. Others, such as a new one, count once they have a value, so that
 * stored hashes stay valid.
 */
const EARLIEST: ReadonlySet<string> = new Set(
  `name title slug description excerpt website external_id status timezone all_day date modified cost featured sticky hide_from_listings
  show_map show_map_link ticketed ticket_availability event_status event_status_reason wheelchair accessibility is_virtual
  virtual_event_type virtual_url virtual_video_source address city country province state stateprovince zip phone geo_lat geo_lng
  email hide_contact`.split(/\s+/),
)

/** The values of columns of texts, numbers and flags if nothing is known. */
const NO_VALUES: readonly unknown[] = ['', null, false]

const isHashed = ([name, value]: [string, unknown]): boolean =>
  !NOT_HASHED.has(name) && (EARLIEST.has(name) || !NO_VALUES.includes(value))

type HashInput = {
  /** True if the calendar has what the record refers to. */
  isKnown: (kind: RecordKind, externalId: string) => boolean
  /** The external id of the parent, if the record does not name it. */
  parent?: string | undefined
  /** Our series of an occurrence: if it changes, its occurrences follow. */
  series?: number | undefined
  /** The links that the source's settings give its events. */
  sourceLinks: LinkedIds
}

/**
 * A hash of a record's values, equal for equal records of one source. Records that it refers to count once
 * the calendar has them.
 */
export async function hashOf(
  record: AnyRecord,
  { isKnown, parent, series, sourceLinks }: HashInput,
): Promise<string> {
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(record).filter(isHashed))
  const knownOf = (kind: RecordKind, ids: readonly string[]) => ids.filter(id => isKnown(kind, id))
  const parentId = parent ?? ('parent' in record ? record.parent : undefined)
  const isBelow = parentId !== undefined && parentId !== record.externalId
  if (isBelow && isKnown(isTerm(record) ? record.kind : 'event', parentId)) values.parent = parentId
  if (!isTerm(record)) values.image = record.image?.url
  if (isEventLike(record)) {
    const { venues, organizers, categories, tags } = record
    values.links = [
      knownOf('venue', venues),
      knownOf('organizer', organizers),
      knownOf('category', categories),
      knownOf('tag', tags),
    ]
    const ownLinks = [
      venues.length > 0 ? [] : sourceLinks.venue,
      organizers.length > 0 ? [] : sourceLinks.organizer,
    ]
    values.more = [...ownLinks, sourceLinks.categories, sourceLinks.tags]
  }
  if (record.kind === 'event' && record.occurrence) {
    const { date, detached } = record.occurrence
    values.occurrence = [series, date, detached]
    // Texts that an occurrence shares are in the hash of its series.
    for (const name of ['description', 'excerpt'] as const) if (!detached.includes(name)) delete values[name]
  }
  // The values are in the order of their names; JSON leaves out undefined ones.
  const ordered = Object.fromEntries(
    Object.keys(values)
      .sort()
      .map(name => [name, values[name]]),
  )
  return HASH_PREFIX + (await digest(ordered))
}

// The revision that shows if a row was changed here since its import.

/** The rows that a series refers to, in one text. */
export const linksText = ({ venue, organizer, categories, tags }: LinkedIds): string => {
  const terms = [...new Set([...categories, ...tags])].sort((a, b) => a - b)
  return [venue, organizer, terms].map(list => list.join(',')).join(';')
}

/** The columns of a row that planning needs. */
export async function storedOf(
  kind: ContentRecordKind,
  row: RawRow,
  links?: LinkedIds,
): Promise<StoredContent> {
  const linkText = links ? linksText(links) : row.links
  const version = readNumber(row.version)
  const revision = kind === 'series' ? await digest(editableValues(row, linkText)) : String(version)
  const protection = protectionOf(row)
  return {
    id: readNumber(row.id),
    slug: readText(row.slug),
    ...(protection && { protection }),
    version,
    status: readText(row.status),
    revision,
    ...(kind === 'series' && linkText != null && { linked: readText(linkText) }),
    externalId: readText(row.external_id),
    ...(row.series_id != null && {
      occurrence: {
        series: readNumber(row.series_id),
        date: readText(row.occurrence_date),
        isDetached: row.detached !== '[]',
      },
    }),
  }
}
