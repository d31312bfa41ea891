import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { together } from '../../db/query.ts'
import { importSource, type SourceRow } from '../../resources/sources/queries.ts'
import { COLLECTIONS, type ContentRecordKind } from '../records.ts'
import { type Holder, isEdited } from '../sync/decisions.ts'
import { editionColumns, storedOf } from '../sync/editions.ts'
import { forgetUndone } from '../sync/edits.ts'
import { selectOf } from '../sync/lists.ts'
import { addMapping, MAPPING } from '../sync/load.ts'
import { State } from '../sync/state.ts'
import { wasApproved } from './own.ts'

/** What was edited here of a source, so that what it said of that was left out. */
export const heldIn = ({ held }: SourceRow): Holder[] =>
  // Of JSON that was stored by outcome.ts.
  JSON.parse(held) as Holder[]

/** True if something that is held of a source is as it was imported again: what was left out is to be read, though nothing is new. */
export async function hasReleased(context: RequestContext, source: SourceRow): Promise<boolean> {
  const held = heldIn(source)
  if (held.length === 0) return false
  const name = importSource(source.id)
  const rowsOf = (kind: ContentRecordKind) =>
    selectOf(
      held.flatMap(([of, id]) => (of === kind ? [id] : [])),
      list =>
        sql`SELECT ${sql.raw(editionColumns(kind))} FROM ${sql.raw(COLLECTIONS[kind])} WHERE id IN ${list}`,
    )
  const rows = {
    event: rowsOf('event'),
    series: rowsOf('series'),
    venue: rowsOf('venue'),
    organizer: rowsOf('organizer'),
  }
  const { mapped, ...found } = await context.db.get(
    together({
      ...rows,
      mapped: selectOf(
        held,
        list => sql`SELECT ${MAPPING} FROM ${list} AS given CROSS JOIN imports INDEXED BY imports_target
          ON imports.kind = (given.value ->> 0) AND target_id = (given.value ->> 1) AND source = ${name}`,
      ),
    }),
  )
  const state = new State()
  for (const row of mapped) addMapping(state, name, row)
  for (const kind of ['event', 'series', 'venue', 'organizer'] as const)
    for (const row of found[kind]) state.content[kind].set(Number(row.id), await storedOf(kind, row))
  await forgetUndone(context, { source: name, mapped, drafts: [] }, state)
  for (const row of found.series)
    if (await wasApproved(row, state.mappingTo(name, 'series', Number(row.id))?.importedVersion)) return true
  return held.some(([kind, id]) => {
    const [known, stored] = [state.mappingTo(name, kind, id), state.content[kind].rows.get(id)]
    return known !== undefined && stored !== undefined && !isEdited(stored, known)
  })
}
