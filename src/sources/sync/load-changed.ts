import type { AnyRecord } from '../records.ts'
import { isEdited } from './decisions.ts'
import type { State } from './state.ts'

/** The ids of occurrences that were changed here, and that planning some records has to know as a whole. */
export function changedOccurrences(records: readonly AnyRecord[], state: State): Set<number> {
  const changed = new Set<number>()
  for (const record of records) {
    const of = seriesOf(record, state)
    const id = rowOf(record, of, state)
    if (id !== undefined) changed.add(id)
    if (record.kind === 'series' && of !== undefined)
      for (const other of editedOf(record.source, of, state)) changed.add(other)
  }
  return changed
}

/** The ids of series whose texts stored occurrences share. */
export const seriesWithTexts = (records: readonly AnyRecord[], state: State): Set<number> =>
  new Set(
    records.flatMap(record => {
      const of = 'columns' in record ? seriesOf(record, state) : undefined
      return of === undefined || state.texts.has(of) ? [] : [of]
    }),
  )

/** The id of the series that a record is of, if that is here. */
function seriesOf(record: AnyRecord, state: State): number | undefined {
  if (record.kind === 'series') return state.mappingOf(record.source, 'series', record.externalId)?.target
  if (record.kind !== 'event') return undefined
  const of = 'columns' in record ? record.series : record.occurrence?.series
  return of === undefined ? undefined : state.mappingOf(record.source, 'series', of)?.target
}

/** The id of the row for an occurrence, if it was changed here. */
function rowOf(record: AnyRecord, series: number | undefined, state: State): number | undefined {
  if (record.kind !== 'event' || 'columns' in record || !record.occurrence) return undefined
  const { source, externalId, occurrence } = record
  const mapping =
    state.mappingOf(source, 'event', externalId) ?? state.mappingOf(source, 'event', occurrence.series)
  const at = series === undefined ? undefined : state.content.event.occurrencesOf(series).get(occurrence.date)
  const id = at ?? mapping?.target
  const stored = id === undefined ? undefined : state.content.event.rows.get(id)
  return stored && isEdited(stored, id === mapping?.target ? mapping : undefined) ? id : undefined
}

/** The ids of a series' occurrences that were changed here by themselves: planning may give them other external ids. */
function editedOf(source: string, series: number, state: State): number[] {
  const index = state.content.event
  return [...index.occurrencesOf(series).values()].filter(id => {
    const stored = index.rows.get(id)
    const externalId = state.externalIdOf(source, 'event', id)
    const mapping = externalId === undefined ? undefined : state.mappingOf(source, 'event', externalId)
    return stored?.occurrence?.isDetached === true && isEdited(stored, mapping)
  })
}
