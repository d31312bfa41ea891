import { slugify } from '../../lib/slug.ts'
import { nameColumns, wantedSlugs } from '../../resources/terms/inserts.ts'
import { CATEGORIES, MOST_LEVELS, TAGS } from '../../resources/terms/kind.ts'
import { leftAs, type Planned, type PlanOptions, type TermWrite, verdict } from './decisions.ts'
import type { TermDraft } from './draft.ts'
import { digest } from './hashes.ts'
import { isSlugOf, type State } from './state.ts'

/**
 * Decides about a category or tag. If one of the same name is here already, the record is mapped to it, and that term is
 * never changed: other events use it too.
 */
export async function planTerm(draft: TermDraft, state: State, { mirror }: PlanOptions): Promise<Planned> {
  const { record, kind, source, externalId, own } = draft
  const { taxonomy, singular } = kind === 'category' ? CATEGORIES : TAGS
  const { name, description } = own
  const known = state.mappingOf(source, kind, externalId)
  const stored = known && state.terms.rows.get(known.target)
  const { parent, incomplete } = parentOf(draft, known?.target, state)
  const hash = await digest([name, draft.slug, description, parent])
  const base = draft.slug || slugify(name) || singular
  const like = known ? undefined : state.termLike({ taxonomy, name, slug: base, parent })
  if (like !== undefined && !state.mappingTo(source, kind, like)) {
    const mapping = { target: like, hash, importedVersion: null }
    state.setMapping(source, kind, externalId, mapping)
    return { action: 'adopt', record, id: like, mapping, incomplete }
  }
  const isAdopted = stored !== undefined && known?.importedVersion === null
  const judged = isAdopted
    ? 'unchanged'
    : verdict(known, hash, stored && { edition: String(stored.version) }, mirror)
  if (judged !== 'create' && judged !== 'update')
    return leftAs(judged, record, { id: known?.target, incomplete })
  const id = stored ? (known?.target ?? 0) : state.terms.freeId(known?.target ?? draft.id)
  const version = stored ? stored.version + 1 : draft.version
  const mapping = { target: id, hash, importedVersion: String(version) }
  const keepsSlug = stored !== undefined && isSlugOf(stored.slug, base)
  state.terms.set(id, { taxonomy, name, slug: keepsSlug ? stored.slug : base, version, parent })
  state.setMapping(source, kind, externalId, mapping)
  const added = {
    ...{ ...own, id, taxonomy, slug: base, parent: { id: parent } },
    ...{ version: draft.version, fields: [] },
  }
  const columns = {
    ...{ ...own, ...nameColumns(name) },
    // One that has been public stays so.
    standalone: own.standalone || undefined,
    parent: parent === stored?.parent ? undefined : parent,
    slug: keepsSlug ? undefined : wantedSlugs(added),
  }
  const term: TermWrite = stored
    ? { stored: { ...stored, id }, columns, fields: [], isElsewhere: false }
    : { added }
  return { action: stored ? 'update' : 'create', record, id, term, mapping, incomplete }
}

/**
 * The id of the parent category; 0 while it is unknown, or if it would make a circle. What would be too deep below the
 * root comes below the deepest category that may have children.
 */
function parentOf(
  { source, kind, parent: wanted }: TermDraft,
  own: number | undefined,
  state: State,
): { parent: number; incomplete: boolean } {
  if (wanted === undefined) return { parent: 0, incomplete: false }
  const parent = state.mappingOf(source, kind, wanted)?.target
  if (parent === undefined) return { parent: 0, incomplete: true }
  const line = new Set<number>()
  for (let above = parent; above !== 0 && !line.has(above); above = state.terms.rows.get(above)?.parent ?? 0)
    line.add(above)
  if (own !== undefined && line.has(own)) return { parent: 0, incomplete: false }
  const isTooDeep = line.size >= MOST_LEVELS
  return { parent: isTooDeep ? ([...line].at(1 - MOST_LEVELS) ?? 0) : parent, incomplete: false }
}
