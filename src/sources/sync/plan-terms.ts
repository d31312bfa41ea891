import { slugify } from '../../lib/slug.ts'
import { nameColumns, wantedSlugs } from '../../terms/inserts.ts'
import { CATEGORIES, MOST_LEVELS, TAGS } from '../../terms/kind.ts'
import type { RecordKind, RecordOrigin, StoredTermRecord, TermRecord } from '../records.ts'
import { type Planned, type PlanOptions, type TermWrite, verdict } from './decisions.ts'
import { digest } from './editions.ts'
import { isSlugOf, type State } from './state.ts'

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
  const like = known ? undefined : state.terms.like({ taxonomy, name, slug: base, parent })
  if (like !== undefined && state.externalIdOf(record.source, record.kind, like) === undefined) {
    const mapping = { target: like, hash, importedVersion: null }
    state.setMapping(record.source, record.kind, record.externalId, mapping)
    return { decision: { action: 'adopt', record, id: like, mapping }, incomplete }
  }
  const isAdopted = stored !== undefined && known?.importedVersion === null
  const judged = isAdopted ? 'unchanged' : verdict(known, hash, stored && String(stored.version), mirror)
  if (judged === 'unchanged')
    return { decision: { action: 'unchanged', record, id: known?.target ?? 0 }, incomplete }
  if (typeof judged === 'object')
    return { decision: { action: 'skip', record, reason: judged.skip }, incomplete }
  const id = stored ? (known?.target ?? 0) : state.terms.freeId(known?.target ?? record.id)
  const version = stored ? stored.version + 1 : first
  const mapping = { target: id, hash, importedVersion: String(version) }
  const keepsSlug = stored !== undefined && isSlugOf(stored.slug, base)
  const slug = keepsSlug ? stored.slug : base
  state.terms.set(id, { taxonomy, name, slug, version, parent })
  state.setMapping(record.source, record.kind, record.externalId, mapping)
  const added = { ...own, id, version: first, taxonomy, parent: { id: parent }, slug: base, fields: [] }
  const term: TermWrite = stored
    ? {
        stored: { ...stored, id },
        columns: {
          ...own,
          ...nameColumns(name),
          parent: parent === stored.parent ? undefined : parent,
          slug: keepsSlug ? undefined : wantedSlugs(added),
        },
        fields: [],
        isElsewhere: false,
      }
    : { added }
  return { decision: { action: stored ? 'update' : 'create', record, id, term, mapping }, incomplete }
}

type OwnFields = { name: string; description: string; standalone: boolean }

function fieldsOf(record: TermRecord | StoredTermRecord): { own: OwnFields; slug: string; version: number } {
  if (!('columns' in record)) {
    const { name, description, slug, standalone = true } = record
    return { own: { name, description, standalone }, slug, version: 1 }
  }
  const { name, description, slug, version, standalone } = record.columns
  const own = { name: String(name), description: String(description), standalone: standalone === 1 }
  return { own, slug: String(slug), version: Number(version) }
}

/**
 * The id of the parent category; 0 while it is unknown, or if it would make a circle. What would be too deep below the
 * root comes below the deepest category that may have children.
 */
function parentOf(
  record: RecordOrigin & { kind: RecordKind; parent?: string | undefined },
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
