import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { requestIdOf } from '../../db/audit.ts'
import { conflictIf } from '../../db/failures.ts'
import { inList, many, type Query } from '../../db/query.ts'
import { audit, imports, sourceRuns } from '../../db/schema.ts'
import { isUnusedBeside } from '../../resources/content/unused.ts'
import { importSource, type SourceRow } from '../../resources/sources/queries.ts'
import { COLLECTIONS, importKey, type RecordKind } from '../records.ts'
import { noOutcome, noteUndone } from './outcome.ts'
import { trashAll, trashSome } from './writing.ts'

// Undoing the import of a file: its new events go to the trash, and then whatever it made for them and nothing else uses.

/** Kinds that events refer to. */
const RELATED = ['category', 'tag', 'venue', 'organizer'] as const satisfies readonly RecordKind[]

/** Undoes some of the last run of a source. */
export async function undoBatch(context: RequestContext, source: SourceRow): Promise<void> {
  const done = noOutcome()
  const others = await context.db.get(
    selectKeys(source, sql`kind IN ('event', 'series') AND NOT ${isOfRun(source)}`),
  )
  const isWhole =
    (await trashAll(context, source, { read: new Set(others), unread: new Set() }, done)) &&
    (await removeUnused(context, source))
  await noteUndone({ context, source }, done, isWhole)
}

/** A query of the keys of a source's records. @param condition on the table `imports` */
const selectKeys = ({ id }: SourceRow, condition: SQL): Query<string[]> => {
  const name = importSource(id)
  return many(
    sql`SELECT kind, external_id FROM ${imports} WHERE source = ${name} AND ${condition}`,
    // The column allows no other kind.
    row => importKey(name, row.kind as RecordKind, String(row.external_id)),
  )
}

/** A condition for mappings to rows that the run which is undone has made. */
const isOfRun = ({ id, undoing }: SourceRow): SQL =>
  sql`EXISTS (SELECT 1 FROM ${audit} WHERE ${audit.kind} = imports.kind AND object_id = target_id
    AND action = 'create' AND request_id = ${requestIdOf(importSource(id))}
    AND at_utc >= (SELECT started_utc FROM ${sourceRuns} WHERE id = ${undoing}))`

/** Removes what the run has made for its events, and nothing else uses. @returns false if there is more */
async function removeUnused(context: RequestContext, source: SourceRow): Promise<boolean> {
  const name = importSource(source.id)
  for (const kind of RELATED) {
    const isUnused = isUnusedBeside(name, { kind, table: COLLECTIONS[kind] })
    const kept = await context.db.get(
      selectKeys(source, sql`kind = ${kind} AND NOT (${isOfRun(source)} AND ${isUnused})`),
    )
    const isWhole = await trashSome(
      context,
      source,
      {
        complete: { type: 'complete', source: name, kind },
        there: { read: new Set(kept), unread: new Set() },
        // Somebody may have used one since.
        guardOf: ids =>
          conflictIf(sql`EXISTS (SELECT 1 FROM ${imports} WHERE source = ${name} AND kind = ${kind}
            AND target_id IN ${inList(ids)} AND NOT ${isUnused})`),
      },
      noOutcome(),
    )
    if (!isWhole) return false
  }
  return true
}
