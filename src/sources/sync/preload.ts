import { getTableColumns, getTableName } from 'drizzle-orm'
import { eventOrganizers, events, eventTerms, eventVenues } from '../../db/schema.ts'
import type { Connection, Row } from '../../lib/connection.ts'
import type { AnyRecord } from '../records.ts'
import { isEdited } from './decisions.ts'
import type { LoadedEvent, State } from './state.ts'
import { TEXTS, textsIn } from './texts.ts'

/**
 * Loads what planning needs to know of series and their occurrences: the texts that occurrences of a backup share, and
 * occurrences that were changed here.
 */
export async function preload(db: Connection, records: readonly AnyRecord[], state: State): Promise<void> {
  const series = new Set<number>()
  const changed = new Set<number>()
  state.loaded.clear()
  for (const record of records) {
    const of = seriesOf(record, state)
    if (of !== undefined && 'columns' in record && !state.texts.has(of)) series.add(of)
    const id = rowOf(record, of, state)
    if (id !== undefined) changed.add(id)
    if (record.kind === 'series' && of !== undefined)
      for (const other of editedOf(record.source, of, state)) changed.add(other)
  }
  if (series.size > 0) {
    const ids = JSON.stringify([...series])
    for (const row of await db.query(
      `SELECT id, ${TEXTS.join(', ')} FROM series WHERE id IN (SELECT value FROM json_each(?))`,
      ids,
    ))
      state.texts.set(Number(row.id), textsIn(row))
  }
  if (changed.size > 0)
    for (const [id, event] of await loadEvents(db, [...changed])) state.loaded.set(id, event)
}

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

const LINKS = { venues: eventVenues, organizers: eventOrganizers, terms: eventTerms } as const

async function loadEvents(db: Connection, ids: readonly number[]): Promise<Map<number, LoadedEvent>> {
  const json = JSON.stringify(ids)
  const names = Object.values(getTableColumns(events))
    .filter(({ generated }) => !generated)
    .map(({ name }) => name)
  const rows = await db.query(
    `SELECT ${names.join(', ')} FROM events WHERE id IN (SELECT value FROM json_each(?))`,
    json,
  )
  const linksOf = async (table: (typeof LINKS)[keyof typeof LINKS]) => {
    const links = await db.query(
      `SELECT * FROM ${getTableName(table)} WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY event_id, ${table === eventTerms ? 'target_id' : 'position'}`,
      json,
    )
    return Map.groupBy(links, row => Number(row.event_id))
  }
  const venues = await linksOf(eventVenues)
  const organizers = await linksOf(eventOrganizers)
  const terms = await linksOf(eventTerms)
  const without = (links: Row[] | undefined) => (links ?? []).map(({ event_id: _, ...link }) => link)
  return new Map(
    rows.map(row => {
      const id = Number(row.id)
      const links = {
        venues: without(venues.get(id)),
        organizers: without(organizers.get(id)),
        terms: without(terms.get(id)),
      }
      return [id, { row, links }]
    }),
  )
}
