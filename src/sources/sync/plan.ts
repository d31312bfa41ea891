import type { AnyRecord, ContentRecord, StoredContentRecord } from '../records.ts'
import { isTerm } from '../records.ts'
import { type Planned, type PlanOptions, verdict } from './decisions.ts'
import { draftOf } from './drafts.ts'
import { digest } from './editions.ts'
import { knownAt, planOccurrence } from './plan-occurrences.ts'
import { endOf, planSeries } from './plan-series.ts'
import { planTerm } from './plan-terms.ts'
import type { State } from './state.ts'
import { textsWith } from './texts.ts'
import { leftAs, written } from './written.ts'

/** Decides about one record, and updates the state as if the decision was carried out. */
export const plan = (record: AnyRecord, state: State, options: PlanOptions): Promise<Planned> =>
  isTerm(record) ? planTerm(record, state, options) : planContent(record, state, options)

async function planContent(
  record: ContentRecord | StoredContentRecord,
  state: State,
  options: PlanOptions,
): Promise<Planned> {
  const draft = draftOf(record, state)
  if (!('columns' in record)) {
    if (record.kind === 'series') return planSeries(record, draft, state, options)
    if (record.kind === 'event' && record.occurrence) return planOccurrence(record, draft, state, options)
  }
  const { series } = draft.relations ?? { series: null }
  if (series === undefined) return leftAs({ skip: 'its series is not here' }, { record, draft })
  const ended = 'columns' in record ? undefined : endOf(record, state, options)
  const known =
    series === null
      ? state.mappingOf(record.source, record.kind, record.externalId)
      : knownAt(record, { series, date: String(draft.own.occurrence_date) }, state)
  const stored = known && state.content[record.kind].rows.get(known.target)
  const hash = await digest(draft.fingerprint)
  const judged = ended && stored ? 'update' : verdict(known, hash, stored?.edition, options.mirror)
  if (judged !== 'create' && judged !== 'update') return leftAs(judged, { record, draft, known })
  const texts = series === null ? undefined : textsWith(draft.own, state.texts.get(series))
  const planned = await written({ record, draft, known, hash, texts }, state, options)
  return ended ? { ...planned, series: ended } : planned
}
