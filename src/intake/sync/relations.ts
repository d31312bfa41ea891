import type { Links } from '../../resources/events/imported.ts'
import {
  type ContentRecord,
  type EventLike,
  type EventRecord,
  isEventLike,
  isTermRecordKind,
  type RecordKind,
} from '../records.ts'
import { isEdited } from './decisions.ts'
import { hashOf } from './hashes.ts'
import type { Mapping, State, StoredContent } from './state.ts'

/** What an event or series refers to, by our ids. */
export type ResolvedRelations = {
  links: Links
  parent: number | null
  /** The series of an occurrence; null for single events, undefined if it is not here. */
  series: number | null | undefined
  /** True if something is not known yet. */
  incomplete: boolean
  /** The external id of the parent. */
  above: string | undefined
}

/** The id of our row for a record of a source; undefined while there is none. */
function knownRow(state: State, source: string, kind: RecordKind, externalId: string): number | undefined {
  const id = state.mappingOf(source, kind, externalId)?.target
  const { rows } = isTermRecordKind(kind) ? state.terms : state.content[kind]
  return id !== undefined && rows.has(id) ? id : undefined
}

const both = (ids: readonly number[], more: readonly number[]): number[] => [...new Set([...ids, ...more])]

/** Resolves what an event or series refers to. */
function relationsOf(record: EventLike, state: State): ResolvedRelations {
  const { source, externalId } = record
  const { occurrence, chain }: Partial<EventRecord> = record.kind === 'event' ? record : {}
  let incomplete = false
  const resolved = (kind: RecordKind, wanted: readonly (string | undefined)[]) => {
    const ids = wanted.flatMap(id => {
      if (id === undefined) return []
      const found = knownRow(state, source, kind, id)
      incomplete ||= found === undefined
      return found ?? []
    })
    return [...new Set(ids)]
  }
  const { own } = state
  const links = {
    venue: record.venues.length > 0 ? resolved('venue', record.venues) : own.venue,
    organizer: record.organizers.length > 0 ? resolved('organizer', record.organizers) : own.organizer,
    categories: both(resolved('category', record.categories), own.categories),
    tags: both(resolved('tag', record.tags), own.tags),
  }
  const above = record.parent ?? (chain === undefined ? undefined : state.chains.get(`${source}\n${chain}`))
  const [parent = null] = resolved('event', above === externalId ? [] : [above])
  const [series] = resolved('series', [occurrence?.series])
  return { links, parent, series: occurrence ? series : null, incomplete, above }
}

/** A record, what it refers to here, and what was imported of it before. */
export type Compared<R extends ContentRecord = ContentRecord> = {
  record: R
  /** Undefined for venues and organizers, which refer to nothing. */
  relations: ResolvedRelations | undefined
  known: Mapping | undefined
  stored: StoredContent | undefined
  /** Equal for equal records of one source. */
  hash: string
}

export async function compare<R extends ContentRecord>(record: R, state: State): Promise<Compared<R>> {
  const { kind, source, externalId } = record
  const relations = isEventLike(record) ? relationsOf(record, state) : undefined
  const known =
    record.kind === 'event' && relations?.series
      ? knownAt(record, relations.series, state)
      : state.mappingOf(source, kind, externalId)
  const hash = await hashOf(record, {
    isKnown: (of, id) => knownRow(state, source, of, id) !== undefined,
    ...{ parent: relations?.above, series: relations?.series ?? undefined, own: state.own },
  })
  return { record, relations, known, stored: known && state.content[kind].rows.get(known.target), hash }
}

/**
 * The mapping of an occurrence: its own, or one to the row that has its date already. The cron makes such rows, which no
 * source has named.
 */
function knownAt(
  { source, externalId, occurrence }: EventRecord,
  series: number,
  state: State,
): Mapping | undefined {
  const mapping = state.mappingOf(source, 'event', externalId)
  const holder = state.occurrenceAt(series, occurrence?.date ?? '')
  const stored = holder === undefined ? undefined : state.content.event.rows.get(holder)
  if (holder === undefined || !stored || holder === mapping?.target) return mapping
  return { target: holder, hash: '', importedVersion: isEdited(stored, undefined) ? '' : stored.edition }
}
