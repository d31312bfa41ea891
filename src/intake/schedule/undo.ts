import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { requestIdOf } from '../../db/audit.ts'
import { conflictIf } from '../../db/failures.ts'
import { inList, many, type Query } from '../../db/query.ts'
import { audit, events, formerSlugs, imports, series, sourceRuns, terms } from '../../db/schema.ts'
import { isNamedElsewhere, type MergedKind } from '../../resources/content/merge.ts'
import { importSource, type SourceRow } from '../../resources/sources/queries.ts'
import { COLLECTIONS, importKey, isTermRecordKind, type RecordKind } from '../records.ts'
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
    const isUnused = isUnusedBeside(name, kind)
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

/** A condition for mappings to rows that are as a source has made them, and that nothing uses but its events in the trash. */
function isUnusedBeside(source: string, kind: MergedKind): SQL {
  const isTerm = isTermRecordKind(kind)
  const table = sql.raw(COLLECTIONS[kind])
  const targets = sql`(SELECT target_id FROM ${imports} WHERE source = ${source} AND kind = ${kind})`
  const isOwn = (of: 'event' | 'series', id: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${audit} WHERE ${audit.kind} = ${of} AND object_id = ${id}
      AND action = 'create' AND request_id = ${requestIdOf(source)})`
  const isInTrash = sql`status = 'trash' AND (${isOwn('event', sql`events.id`)} OR ${isOwn('series', sql`events.series_id`)})`
  const seriesLinks = sql.raw(`series_${isTerm ? 'terms' : COLLECTIONS[kind]}`)
  return sql`(imported_version = (SELECT CAST(version AS TEXT) FROM ${isTerm ? terms : table} AS own WHERE own.id = target_id)
    AND target_id NOT IN (SELECT target_id FROM events_of CROSS JOIN ${events} ON events.id = event_id
      WHERE facet = ${isTerm ? 'term' : kind} AND target_id IN ${targets} AND NOT (${isInTrash}))
    AND target_id NOT IN (SELECT target_id FROM ${seriesLinks} CROSS JOIN ${series} ON series.id = series_id
      WHERE target_id IN ${targets} AND NOT (status = 'trash' AND ${isOwn('series', sql`series.id`)}))
    AND NOT EXISTS (SELECT 1 FROM ${imports} AS other INDEXED BY imports_target WHERE other.kind = imports.kind
      AND other.target_id = imports.target_id AND other.source <> ${source})
    AND NOT EXISTS (SELECT 1 FROM ${formerSlugs} AS former WHERE former.kind = imports.kind AND former.target_id = imports.target_id)
    ${isTerm ? sql`AND NOT EXISTS (SELECT 1 FROM ${terms} AS below WHERE below.parent = imports.target_id)` : sql``}
    AND NOT ${isNamedElsewhere(kind, sql`imports.target_id`)})`
}
