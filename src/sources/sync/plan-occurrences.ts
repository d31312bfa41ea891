import type { EventRecord, RecordOrigin } from '../records.ts'
import { isEdited, type Planned, type PlanOptions, verdict } from './decisions.ts'
import type { RowDraft } from './drafts.ts'
import { digest } from './editions.ts'
import { merged } from './merge.ts'
import type { Mapping, State } from './state.ts'
import { textsWith } from './texts.ts'
import { leftAs, written } from './written.ts'

/**
 * The mapping of an occurrence: its own, or one to the row that has its date already. The cron makes such rows, which no
 * source has named.
 */
export function knownAt(
  { source, externalId }: RecordOrigin,
  { series, date }: { series: number; date: string },
  state: State,
): Mapping | undefined {
  const index = state.content.event
  const mapping = state.mappingOf(source, 'event', externalId)
  const holder = index.occurrencesOf(series).get(date)
  const stored = holder === undefined ? undefined : index.rows.get(holder)
  if (holder === undefined || !stored || holder === mapping?.target) return mapping
  return { target: holder, hash: '', importedVersion: isEdited(stored, undefined) ? '' : stored.edition }
}

/**
 * Decides about an occurrence. What was changed here of one stays, and the rest of it follows its series. If the series
 * itself was changed here, its occurrences are left alone.
 */
export async function planOccurrence(
  record: EventRecord,
  given: RowDraft,
  state: State,
  options: PlanOptions,
): Promise<Planned> {
  const { source, occurrence } = record
  const series = given.relations?.series
  if (!occurrence || series == null)
    return leftAs({ skip: 'its series is not here' }, { record, draft: given })
  const { slug = '' } = state.content.series.rows.get(series) ?? {}
  const draft = record.slug === '' ? { ...given, slug: `${slug}-${occurrence.suffix}` } : given
  const known = knownAt(record, { series, date: occurrence.date }, state)
  const stored = known && state.content.event.rows.get(known.target)
  const hash = await digest(draft.fingerprint)
  if (!options.mirror && isSeriesEdited(state, source, occurrence.series)) {
    const isKnown = hash === known?.hash || known?.hash === ''
    return leftAs(isKnown ? 'unchanged' : { skip: 'its series was edited here' }, { record, draft, known })
  }
  const loaded = known && state.loaded.get(known.target)
  const isOwn = stored !== undefined && isEdited(stored, known) && !options.mirror
  const judged =
    isOwn && hash !== known?.hash ? 'update' : verdict(known, hash, stored?.edition, options.mirror)
  if (judged !== 'create' && judged !== 'update') return leftAs(judged, { record, draft, known })
  if (!isOwn || !loaded) {
    const texts = textsWith(draft.own, record)
    return taken(await written({ record, draft, known, hash, texts }, state, options), state)
  }
  const { draft: mine, texts, kept, isSame } = merged(record, draft, loaded, state)
  const edition = known?.importedVersion ?? ''
  if (isSame) {
    const mapping = { target: known?.target ?? 0, hash, importedVersion: edition }
    state.setMapping(source, 'event', record.externalId, mapping)
    const decision = { action: 'adopt', record, id: mapping.target, mapping } as const
    return taken({ decision, incomplete: false, note: noteOf(record, kept) }, state)
  }
  const planned = await written({ record, draft: mine, known, hash, texts, edition }, state, options)
  return taken({ ...planned, note: noteOf(record, kept) ?? planned.note }, state)
}

/** A decision about an occurrence with what follows from it: a row that had another external id has that no more. */
function taken(planned: Planned, state: State): Planned {
  const { decision } = planned
  if (!('mapping' in decision)) return planned
  const { record, mapping } = decision
  const { source, externalId } = record
  const others = state.externalIdsOf(source, 'event', mapping.target).filter(other => other !== externalId)
  const renamed = others.map(before => ({ source, kind: 'event' as const, before, externalId, mapping }))
  for (const other of others) state.deleteMapping(source, 'event', other)
  return { ...planned, series: { trashed: [], renamed } }
}

const noteOf = ({ externalId, title }: EventRecord, kept: readonly string[]): string | undefined =>
  kept.length === 0
    ? undefined
    : `event ${externalId} (${title}) was edited here, and keeps its own ${kept.join(', ')}`

/** Tells if a series was changed here since it was imported. */
export function isSeriesEdited(state: State, source: string, externalId: string): boolean {
  const known = state.mappingOf(source, 'series', externalId)
  const stored = known && state.content.series.rows.get(known.target)
  return stored !== undefined && isEdited(stored, known)
}
