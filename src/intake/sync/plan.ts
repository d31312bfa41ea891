import { slugify } from '../../lib/slug.ts'
import { nameColumns, wantedSlugs } from '../../resources/terms/inserts.ts'
import { CATEGORIES, MOST_LEVELS, TAGS } from '../../resources/terms/resource.ts'
import { holderOf, leftAs, type Planned, type PlanOptions, type TermWrite, verdict } from './decisions.ts'
import { type ContentDraft, type Draft, isTermDraft, type TermDraft } from './draft.ts'
import { digest } from './editions.ts'
import { planOccurrence } from './plan-occurrences.ts'
import { endOf, planSeries } from './plan-series.ts'
import { type Compared, compare } from './relations.ts'
import { isSlugOf, type State } from './state.ts'
import { textsWith } from './texts.ts'
import { withdrawal, written } from './written.ts'

/**
 * Decides about a category or tag. If one of the same name is here already, the record is mapped to it, and that term is
 * never changed: other events use it too.
 */
async function planTerm(draft: TermDraft, state: State, { mirror }: PlanOptions): Promise<Planned> {
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

/** Decides about one record, and updates the state as if the decision was carried out. */
export const plan = (draft: Draft, state: State, options: PlanOptions): Promise<Planned> =>
  isTermDraft(draft) ? planTerm(draft, state, options) : planContent(draft, state, options)

async function planContent(draft: ContentDraft, state: State, options: PlanOptions): Promise<Planned> {
  const { record } = draft
  const ended = endOf(draft, state, options)
  const compared = await compare(draft, state)
  const { relations, known, stored, hash } = compared
  const left = { id: known?.target, incomplete: relations?.incomplete }
  if (isHereFromElsewhere(compared, state))
    return leftAs({ skip: 'it is in this calendar already' }, record, left)
  if (relations && relations.series === undefined)
    return leftAs({ skip: 'its series is not here' }, record, left)
  if (!('columns' in record)) {
    if (record.kind === 'series') return planSeries(compared, record, state, options)
    if (record.kind === 'event' && record.occurrence)
      return planOccurrence(compared, { record, of: record.occurrence }, state, options)
  }
  const judged = ended && stored ? 'update' : verdict(known, hash, stored, options.mirror)
  if (judged !== 'create' && judged !== 'update') {
    const holder = holderOf(judged, compared)
    return withdrawal(compared, holder, state, options) ?? leftAs(judged, record, { ...left, holder })
  }
  const texts = relations?.series ? textsWith(draft.own, state.texts.get(relations.series)) : undefined
  return { ...(await written(compared, state, options, { texts })), ...ended }
}

/**
 * Tells if an event that its source has from another calendar came here from there as well, by its UID: two calendars that read each
 * other pass on what either has from a third one.
 */
function isHereFromElsewhere({ draft, known }: Compared, state: State): boolean {
  const { source, record, external_id: uid } = draft
  if (known || !uid || !('origins' in record) || !record.origins?.length) return false
  const others = state.content.event.having(`id ${uid}`)
  return others.some(id => state.externalIdsOf(source, 'event', id).length === 0)
}
