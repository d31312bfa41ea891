import { holderOf, leftAs, type Planned, type PlanOptions, verdict } from './decisions.ts'
import { type ContentDraft, type Draft, isTermDraft } from './draft.ts'
import { planOccurrence } from './plan-occurrences.ts'
import { endOf, planSeries } from './plan-series.ts'
import { planTerm } from './plan-terms.ts'
import { type Compared, compare } from './relations.ts'
import type { State } from './state.ts'
import { textsWith } from './texts.ts'
import { withdrawal } from './withdraw.ts'
import { written } from './written.ts'

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
