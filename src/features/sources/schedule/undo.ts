import { eq, type SQL, sql } from 'drizzle-orm'
import { unusedBesideSql } from '../../../calendar/content/unused.ts'
import { COLLECTIONS, importKey, RECORD_KINDS, type RecordKind } from '../../../calendar/imports/records.ts'
import { importSource, type SourceRow } from '../../../calendar/sources/queries.ts'
import type { RequestContext } from '../../../kit/context.ts'
import { requestIdOf } from '../../../kit/db/audit.ts'
import { conflictIf } from '../../../kit/db/failures.ts'
import { among, inList, many, type Query, readText } from '../../../kit/db/query.ts'
import { asOneChange, build } from '../../../kit/db/statements.ts'
import { audit, imports, sourceRuns, sources } from '../../../kit/db/tables.ts'
import { stillReserved } from '../../../kit/work/leases.ts'
import { removalOfSource } from '../writes.ts'
import { noOutcome, noteUndone } from './outcome.ts'
import { NOTHING, trashAll, trashSome } from './writing.ts'

// Undoing the import of a file, and deleting a source with its events: these go to the trash, and then whatever was made for them and
// nothing else uses.

/** Kinds that events refer to. */
const RELATED = ['category', 'tag', 'venue', 'organizer'] as const satisfies readonly RecordKind[]

/** Undoes some of the last run of a source. */
export async function undoBatch(context: RequestContext, source: SourceRow): Promise<void> {
  const done = noOutcome()
  const others = await context.db.read(
    selectKeys(source, sql`kind IN ('event', 'series') AND NOT ${ofRunSql(source)}`),
  )
  const isWhole =
    (await trashAll(context, source, { read: new Set(others), unread: new Set() }, done)) &&
    (await removeUnused(context, source, ofRunSql(source)))
  await noteUndone({ context, source }, done, isWhole)
}

/**
 * Moves some of a deleted source's events to the trash, then removes what it made for them and nothing else uses, and the source itself
 * once nothing is left.
 */
export async function endBatch(context: RequestContext, source: SourceRow): Promise<void> {
  const isWhole =
    (await trashAll(context, source, NOTHING, noOutcome())) && (await removeUnused(context, source, sql`1`))
  if (isWhole)
    return context.db.write(asOneChange([stillReserved(sources, source), ...removalOfSource(source.id)]))
  await context.db.write([
    stillReserved(sources, source),
    build.update(sources).set({ lease: '' }).where(eq(sources.id, source.id)),
  ])
}

/** A query of the keys of a source's records. @param condition on the table `imports` */
const selectKeys = ({ id }: SourceRow, condition: SQL): Query<string[]> => {
  const name = importSource(id)
  return many(sql`SELECT kind, external_id FROM ${imports} WHERE source = ${name} AND ${condition}`, row =>
    importKey(name, among(RECORD_KINDS)(row.kind), readText(row.external_id)),
  )
}

/** A condition for mappings to rows that the run which is undone has made, or has restored from the trash. */
const ofRunSql = ({ id, undoing }: SourceRow): SQL =>
  sql`EXISTS (SELECT 1 FROM ${audit} AS done WHERE done.kind = imports.kind AND done.object_id = target_id
    AND done.request_id = ${requestIdOf(importSource(id))}
    AND done.at_utc >= (SELECT started_utc FROM ${sourceRuns} WHERE id = ${undoing})
    AND (done.action = 'create' OR (SELECT action FROM ${audit} AS before WHERE before.kind = done.kind
      AND before.object_id = done.object_id AND before.id < done.id ORDER BY before.id DESC LIMIT 1) = 'trash'))`

/**
 * Removes what a source has made for its events, and nothing else uses.
 *
 * @param madeSql a condition for mappings to the rows that may be removed
 * @returns false if there is more
 */
async function removeUnused(context: RequestContext, source: SourceRow, madeSql: SQL): Promise<boolean> {
  const name = importSource(source.id)
  for (const kind of RELATED) {
    const unusedSql = unusedBesideSql(name, { kind, table: COLLECTIONS[kind] })
    const kept = await context.db.read(
      selectKeys(source, sql`kind = ${kind} AND NOT (${madeSql} AND ${unusedSql})`),
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
            AND target_id IN ${inList(ids)} AND NOT ${unusedSql})`),
      },
      noOutcome(),
    )
    if (!isWhole) return false
  }
  return true
}
