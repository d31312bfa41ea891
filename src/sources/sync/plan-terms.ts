import type { terms } from '../../db/schema.ts'
import type { Row, Value } from '../../lib/connection.ts'
import { slugify } from '../../lib/slug.ts'
import { fold } from '../../lib/text.ts'
import { CATEGORIES, MOST_LEVELS, TAGS } from '../../terms/kind.ts'
import { isReserved, nameKey } from '../../terms/names.ts'
import { type ColumnName, type OwnColumn, pick } from '../columns.ts'
import type { Origin, RecordKind, StoredTermRecord, TermRecord } from '../records.ts'
import { type Planned, type PlanOptions, verdict } from './decisions.ts'
import { digest, isSlugOf, type State } from './state.ts'

/**
 * Decides about a category or tag. If one of the same name is here already, the record is mapped to it, and that term is
 * never changed: other events use it too.
 */
export async function planTerm(
  record: TermRecord | StoredTermRecord,
  state: State,
  { mirror }: PlanOptions,
): Promise<Planned> {
  const { taxonomy, singular } = record.kind === 'category' ? CATEGORIES : TAGS
  const { own, slug: given, version: first } = fieldsOf(record)
  const name = String(own.name)
  const known = state.mappingOf(record.source, record.kind, record.externalId)
  const stored = known && state.terms.rows.get(known.target)
  const { parent, incomplete } = parentOf(record, known?.target, state)
  const hash = await digest([name, given, own.description, parent])
  const base = given || slugify(name) || singular
  if (!known) {
    const like = state.termLike(taxonomy, name, base, parent)
    if (like !== undefined && !isMapped(like, record, state)) {
      const mapping = { target: like, hash, importedVersion: null }
      state.setMapping(record.source, record.kind, record.externalId, mapping)
      return { decision: { action: 'adopt', record, id: like, mapping }, images: [], incomplete }
    }
  }
  const isAdopted = stored !== undefined && known?.importedVersion === null
  const judged = isAdopted ? 'unchanged' : verdict(known, hash, stored && String(stored.version), mirror)
  if (judged === 'unchanged')
    return { decision: { action: 'unchanged', record, id: known?.target ?? 0 }, images: [], incomplete }
  if (typeof judged === 'object')
    return { decision: { action: 'skip', record, reason: judged.skip }, images: [], incomplete }
  const id = stored ? (known?.target ?? 0) : state.terms.freeId(known?.target ?? record.id)
  const slug =
    stored && isSlugOf(stored.slug, base)
      ? stored.slug
      : state.terms.freeSlug(base, `${taxonomy}/`, slug => isReserved(taxonomy, slug))
  const version = stored ? stored.version + 1 : first
  const mapping = { target: id, hash, importedVersion: String(version) }
  state.terms.set(id, { taxonomy, name, slug, version, parent })
  state.setMapping(record.source, record.kind, record.externalId, mapping)
  const columns = {
    ...own,
    ...({
      id,
      version,
      taxonomy,
      parent,
      slug,
      name_key: nameKey(name),
      sort_name: fold(name),
      path: '',
    } satisfies Record<Exclude<ColumnName<typeof terms>, OwnTermColumn | 'count'>, Value>),
  }
  const slugMoves = stored !== undefined && stored.slug !== slug
  const action = stored ? 'update' : 'create'
  return { decision: { action, record, id, columns, mapping, slugMoves }, images: [], incomplete }
}

/** The columns that a record of a term fills by itself; the taxonomy follows from its kind. */
type OwnTermColumn = Exclude<OwnColumn<'terms'>, 'version' | 'taxonomy'>

function fieldsOf(record: TermRecord | StoredTermRecord): { own: Row; slug: string; version: number } {
  if ('columns' in record) {
    const { version, taxonomy: _, ...own } = pick(record.columns, 'terms', 'value', 'text', 'html', 'url')
    return { own, slug: String(record.columns.slug), version: Number(version) }
  }
  const { name, description, slug, standalone = true } = record
  const own: Record<OwnTermColumn, Value> = { name, description, standalone: Number(standalone) }
  return { own, slug, version: 1 }
}

/** True if another record of the same source is mapped to a term. */
const isMapped = (id: number, { source, kind }: Origin & { kind: RecordKind }, state: State): boolean =>
  state.externalIdOf(source, kind, id) !== undefined

/**
 * The id of the parent category; 0 while it is unknown, or if it would make a circle. What would be too deep below the
 * root comes below the deepest category that may have children.
 */
function parentOf(
  record: Origin & { kind: RecordKind; parent?: string | undefined },
  own: number | undefined,
  state: State,
): { parent: number; incomplete: boolean } {
  if (record.parent === undefined) return { parent: 0, incomplete: false }
  const parent = state.mappingOf(record.source, record.kind, record.parent)?.target
  if (parent === undefined) return { parent: 0, incomplete: true }
  const line = new Set<number>()
  for (let above = parent; above !== 0 && !line.has(above); above = state.terms.rows.get(above)?.parent ?? 0)
    line.add(above)
  if (own !== undefined && line.has(own)) return { parent: 0, incomplete: false }
  const isTooDeep = line.size >= MOST_LEVELS
  return { parent: isTooDeep ? ([...line].at(1 - MOST_LEVELS) ?? 0) : parent, incomplete: false }
}
