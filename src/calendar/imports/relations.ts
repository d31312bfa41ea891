import type { LinkedIds } from '../events/imported-events.ts'
import type { ImportBatch, Mapping, StoredContent } from './batch.ts'
import { isEdited } from './decisions.ts'
import { hashOf } from './hashes.ts'
import {
  type ContentRecord,
  type EventLike,
  type EventRecord,
  isEventLike,
  type RecordKind,
} from './records.ts'

/** The ids of the rows that an event or series refers to. */
export type ResolvedRelations = {
  links: LinkedIds
  parent: number | null
  /** The series of an occurrence; null for single events, undefined if it is not here. */
  series: number | null | undefined
  /** True if some of the rows are not there yet. */
  incomplete: boolean
  /** The external id of the parent. */
  parentExternalId: string | undefined
}

const mergeIds = (ids: readonly number[], more: readonly number[]): number[] => [
  ...new Set([...ids, ...more]),
]

/** Finds the rows that an event or series refers to. */
function relationsOf(record: EventLike, batch: ImportBatch): ResolvedRelations {
  const { occurrence, chain }: Partial<EventRecord> = record.kind === 'event' ? record : {}
  let incomplete = false
  const resolveIds = (kind: RecordKind, externalIds: readonly (string | undefined)[]) => {
    const ids = externalIds.flatMap(id => {
      if (id === undefined) return []
      const knownId = batch.idOf(kind, id)
      incomplete ||= knownId === undefined
      return knownId ?? []
    })
    return [...new Set(ids)]
  }
  const { sourceLinks } = batch
  const links = {
    venue: record.venues.length > 0 ? resolveIds('venue', record.venues) : sourceLinks.venue,
    organizer:
      record.organizers.length > 0 ? resolveIds('organizer', record.organizers) : sourceLinks.organizer,
    categories: mergeIds(resolveIds('category', record.categories), sourceLinks.categories),
    tags: mergeIds(resolveIds('tag', record.tags), sourceLinks.tags),
  }
  const parentId = record.parent ?? batch.firstOfChain(chain)
  const [parent = null] = resolveIds('event', parentId === record.externalId ? [] : [parentId])
  const [series] = resolveIds('series', [occurrence?.series])
  return { links, parent, series: occurrence ? series : null, incomplete, parentExternalId: parentId }
}

/** A record, the rows that it refers to, and its row from an earlier import. */
export type ComparedRecord<R extends ContentRecord = ContentRecord> = {
  record: R
  /** Undefined for venues and organizers, which refer to nothing. */
  relations: ResolvedRelations | undefined
  known: Mapping | undefined
  stored: StoredContent | undefined
  /** Equal for equal records of one source. */
  hash: string
}

export async function compareRecord<R extends ContentRecord>(
  record: R,
  batch: ImportBatch,
): Promise<ComparedRecord<R>> {
  const { kind, externalId } = record
  const relations = isEventLike(record) ? relationsOf(record, batch) : undefined
  const mapping =
    record.kind === 'event' && relations?.series
      ? mappingOfOccurrence(record, relations.series, batch)
      : batch.mappingOf(kind, externalId)
  const hash = await hashOf(record, {
    isKnown: (otherKind, id) => batch.idOf(otherKind, id) !== undefined,
    parent: relations?.parentExternalId,
    series: relations?.series ?? undefined,
    sourceLinks: batch.sourceLinks,
  })
  return {
    record,
    relations,
    known: mapping,
    stored: mapping && batch.rows[kind].get(mapping.target),
    hash,
  }
}

/**
 * The mapping of an occurrence: its own, or one to the row that has its date already. The cron makes such
 * rows, which no source has named.
 */
function mappingOfOccurrence(
  { externalId, occurrence }: EventRecord,
  series: number,
  batch: ImportBatch,
): Mapping | undefined {
  const mapping = batch.mappingOf('event', externalId)
  const holder = batch.occurrenceAt(series, occurrence?.date ?? '')
  if (!holder || holder.id === mapping?.target) return mapping
  return { target: holder.id, hash: '', importedVersion: isEdited(holder, undefined) ? '' : holder.revision }
}
