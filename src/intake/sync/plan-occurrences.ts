import type { EventRecord, OccurrenceOf } from '../records.ts'
import { isEdited, leftAs, type Planned, type PlanOptions, verdict } from './decisions.ts'
import { merged } from './merge.ts'
import type { Compared } from './relations.ts'
import type { State } from './state.ts'
import { textsWith } from './texts.ts'
import { withdrawal } from './withdraw.ts'
import { written } from './written.ts'

/**
 * Decides about an occurrence. What was changed here of one stays, and the rest of it follows its series. If the series
 * itself was changed here, its occurrences are left alone.
 */
export async function planOccurrence(
  given: Compared,
  { record, of }: { record: EventRecord; of: OccurrenceOf },
  state: State,
  options: PlanOptions,
): Promise<Planned> {
  const { source, externalId, title } = record
  const { relations, known, stored, hash } = given
  const series = state.content.series.rows.get(relations?.series ?? 0)
  const isNamed = given.draft.named !== ''
  const draft = isNamed ? given.draft : { ...given.draft, slug: `${series?.slug}-${of.suffix}` }
  const compared = { ...given, draft }
  const left = { id: known?.target, incomplete: relations?.incomplete }
  if (!options.mirror && isSeriesEdited(state, source, of.series)) {
    const holder = ['series', relations?.series ?? 0] as const
    const withdrawn = withdrawal(compared, holder, state, options)
    if (withdrawn) return withdrawn
    const isKnown = hash === known?.hash || known?.hash === ''
    if (isKnown) return leftAs('unchanged', record, left)
    return leftAs({ skip: 'its series was edited here' }, record, { ...left, holder })
  }
  const isOwn = stored !== undefined && isEdited(stored, known) && !options.mirror
  const judged = isOwn && hash !== known?.hash ? 'update' : verdict(known, hash, stored, options.mirror)
  // Since it was edited, it may have missed something, though it is unchanged by now.
  const holder = isOwn && known ? (['event', known.target] as const) : undefined
  if (judged !== 'create' && judged !== 'update') return leftAs(judged, record, { ...left, holder })
  const loaded = known && state.loaded.get(known.target)
  if (!isOwn || !known || !loaded) {
    const texts = textsWith(draft.own, draft.texts)
    return renaming(await written(compared, state, options, { texts }), state)
  }
  const { texts, kept, isSame, ...own } = merged(compared, loaded, state)
  const note =
    kept.length === 0
      ? undefined
      : `event ${externalId} (${title}) was edited here, and keeps its own ${kept.join(', ')}`
  const edition = known.importedVersion
  if (isSame) {
    const mapping = { target: known.target, hash, importedVersion: edition ?? '' }
    state.setMapping(source, 'event', externalId, mapping)
    const adopted = { action: 'adopt', record, id: mapping.target, mapping, incomplete: false, note } as const
    return renaming({ ...adopted, holder }, state)
  }
  const planned = await written({ ...compared, ...own }, state, options, { texts, edition: edition ?? '' })
  return renaming({ ...planned, holder, note: note ?? planned.note }, state)
}

/** A decision about an occurrence with what follows from it: a row that had another external id has that no more. */
function renaming(planned: Planned, state: State): Planned {
  const { record, mapping } = planned
  if (!mapping) return planned
  const { source, externalId } = record
  const others = state.externalIdsOf(source, 'event', mapping.target).filter(other => other !== externalId)
  const renamed = others.map(before => ({ source, kind: 'event' as const, before, externalId, mapping }))
  for (const other of others) state.deleteMapping(source, 'event', other)
  return { ...planned, renamed }
}

/** Tells if a series was changed here since it was imported. */
export function isSeriesEdited(state: State, source: string, externalId: string): boolean {
  const known = state.mappingOf(source, 'series', externalId)
  const stored = known && state.content.series.rows.get(known.target)
  return stored !== undefined && isEdited(stored, known)
}
