import { RELATIONS } from '../../resources/events/recurrence/shared.ts'
import { isTermRecordKind, type RecordKind } from '../records.ts'
import { isEdited } from './decisions.ts'
import type { ContentDraft } from './draft.ts'
import { hashOf } from './hashes.ts'
import type { Links, Mapping, State, StoredContent } from './state.ts'

/** Tells if a field is a relation. */
export const isRelation = (name: string): name is keyof Links => RELATIONS.some(relation => relation === name)

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

/** Tells if two events have the same of a relation. Venues and organizers have an order. */
export function isSameLinks(name: keyof Links, a: Links, b: Links): boolean {
  const idsOf = ({ [name]: ids }: Links) =>
    name === 'venue' || name === 'organizer' ? ids : ids.toSorted((x, y) => x - y)
  return idsOf(a).join() === idsOf(b).join()
}

const both = (ids: readonly number[], more: readonly number[]): number[] => [...new Set([...ids, ...more])]

/** Resolves what a draft refers to; undefined for venues and organizers, which refer to nothing. */
function relationsOf(
  { source, externalId, references }: ContentDraft,
  state: State,
): ResolvedRelations | undefined {
  if (!references) return undefined
  let incomplete = false
  const resolved = (kind: RecordKind, wanted: readonly (string | undefined)[]) =>
    wanted.flatMap(id => {
      if (id === undefined) return []
      const found = knownRow(state, source, kind, id)
      incomplete ||= found === undefined
      return found ?? []
    })
  const { own } = state
  const idsOf = (found: readonly number[]) => [...new Set(found)]
  const among = (kind: 'venue' | 'organizer') =>
    references[kind].length > 0 ? idsOf(resolved(kind, references[kind])) : own[kind]
  const links = {
    venue: among('venue'),
    organizer: among('organizer'),
    categories: both(idsOf(resolved('category', references.categories)), own.categories),
    tags: both(idsOf(resolved('tag', references.tags)), own.tags),
  }
  const { chain } = references
  const above =
    references.parent ?? (chain === undefined ? undefined : state.chains.get(`${source}\n${chain}`))
  const [parent] = resolved('event', above === externalId ? [] : [above])
  const [series] = resolved('series', [references.series])
  return {
    links,
    parent: parent ?? null,
    series: references.series === undefined ? null : series,
    incomplete,
    above,
  }
}

/** A draft, what it refers to here, and what was imported of it before. */
export type Compared = {
  draft: ContentDraft
  relations: ResolvedRelations | undefined
  known: Mapping | undefined
  stored: StoredContent | undefined
  /** Equal for equal records of one source. */
  hash: string
}

export async function compare(draft: ContentDraft, state: State): Promise<Compared> {
  const { kind, source, externalId, record } = draft
  const relations = relationsOf(draft, state)
  const known = relations?.series
    ? knownAt(draft, relations.series, state)
    : state.mappingOf(source, kind, externalId)
  const hash = await hashOf(record, {
    isKnown: (of, id) => knownRow(state, source, of, id) !== undefined,
    ...{ parent: relations?.above, series: relations?.series ?? undefined, own: state.own },
  })
  return { draft, relations, known, stored: known && state.content[kind].rows.get(known.target), hash }
}

/**
 * The mapping of an occurrence: its own, or one to the row that has its date already. The cron makes such rows, which no
 * source has named.
 */
function knownAt(
  { source, externalId, own }: ContentDraft,
  series: number,
  state: State,
): Mapping | undefined {
  const mapping = state.mappingOf(source, 'event', externalId)
  const holder = state.occurrenceAt(series, String(own.occurrence_date))
  const stored = holder === undefined ? undefined : state.content.event.rows.get(holder)
  if (holder === undefined || !stored || holder === mapping?.target) return mapping
  return { target: holder, hash: '', importedVersion: isEdited(stored, undefined) ? '' : stored.edition }
}
