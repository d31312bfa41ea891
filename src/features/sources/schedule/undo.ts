import { eq, type SQL, sql } from 'drizzle-orm'
import { type MergedKind, namedElsewhereSql } from '../../../calendar/content/merge.ts'
import { RECORD_TABLES } from '../../../calendar/content/resource.ts'
import { editsByUsers } from '../../../calendar/imports/edits.ts'
import { importKey, RECORD_KINDS, type RecordKind } from '../../../calendar/imports/records.ts'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { importRequestId } from '../../../kit/db/audit.ts'
import { conflictIf } from '../../../kit/db/failures.ts'
import {
  combineQueries,
  inList,
  many,
  type Query,
  readNumber,
  readOneOf,
  readText,
} from '../../../kit/db/query.ts'
import { asOneChange, build } from '../../../kit/db/statements.ts'
import {
  audit,
  events,
  formerSlugs,
  importSource,
  imports,
  series,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  sourceRuns,
  sources,
  terms,
} from '../../../kit/db/tables.ts'
import { conflictUnlessReserved } from '../../../kit/work/leases.ts'
import { sourceRemovalStatements } from '../writes.ts'
import { noOutcome, storeUndone } from './outcome.ts'
import { NO_KEYS, trashAll, trashSome } from './write-records.ts'

// Venues, organizers, categories and tags that a source has made, and that nothing else uses.

/** The tables of the links from series. */
const SERIES_LINKS = {
  category: seriesTerms,
  tag: seriesTerms,
  venue: seriesVenues,
  organizer: seriesOrganizers,
} as const

/**
 * A condition for mappings (`imports`) to unused rows: nobody has changed them since a source made them, and
 * nothing uses them except events of the source that are in the trash. For mappings without a version, as
 * other spellings of a venue have, the condition is NULL, and not false: what counts is the mapping with the
 * version.
 */
function unusedBesideSql(source: string, kind: MergedKind): SQL {
  const isTerm = kind === 'category' || kind === 'tag'
  const targets = sql`(SELECT target_id FROM ${imports} WHERE source = ${source} AND kind = ${kind})`
  const bySourceSql = (owner: 'event' | 'series', id: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${audit} WHERE ${audit.kind} = ${owner} AND object_id = ${id}
      AND action = 'create' AND request_id = ${importRequestId(source)})`
  const inTrashSql = sql`${events.status} = 'trash'
    AND (${bySourceSql('event', sql`${events.id}`)} OR ${bySourceSql('series', sql`${events.series_id}`)})`
  return sql`(imported_version = (SELECT CAST(version AS TEXT) FROM ${RECORD_TABLES[kind]} AS own WHERE own.id = target_id)
    AND target_id NOT IN (SELECT target_id FROM events_of CROSS JOIN ${events} ON ${events.id} = event_id
      WHERE facet = ${isTerm ? 'term' : kind} AND target_id IN ${targets} AND NOT (${inTrashSql}))
    AND target_id NOT IN (SELECT target_id FROM ${SERIES_LINKS[kind]} CROSS JOIN ${series} ON ${series.id} = series_id
      WHERE target_id IN ${targets} AND NOT (${series.status} = 'trash' AND ${bySourceSql('series', sql`${series.id}`)}))
    AND NOT EXISTS (SELECT 1 FROM ${imports} AS other INDEXED BY imports_target WHERE other.kind = ${imports.kind}
      AND other.target_id = ${imports.target_id} AND other.source <> ${source})
    AND NOT EXISTS (SELECT 1 FROM ${formerSlugs} AS former WHERE former.kind = ${imports.kind}
      AND former.target_id = ${imports.target_id})
    ${isTerm ? sql`AND NOT EXISTS (SELECT 1 FROM ${terms} AS below WHERE below.parent = ${imports.target_id})` : sql``}
    AND NOT ${namedElsewhereSql(kind, sql`${imports.target_id}`)})`
}

// Undoing the import of a file, and deleting a source with its events: the events go to the trash first, and
// then whatever was made for them and is used by nothing else.

/** Kinds that events refer to. */
const RELATED_KINDS = ['category', 'tag', 'venue', 'organizer'] as const satisfies readonly RecordKind[]

/** Undoes some of the last run of a source. What users have edited since stays. */
export async function undoBatch(context: BaseContext, source: SourceRow): Promise<void> {
  const outcome = noOutcome()
  const editedSql = editedSinceSql(source, { kind: sql`${imports.kind}`, id: sql`${imports.target_id}` })
  const { otherKeys, editedEvents } = await context.db.read(
    combineQueries({
      otherKeys: selectKeys(
        source,
        sql`(${imports.kind} = 'event' AND NOT ${ofRunSql(source)}
          OR ${imports.kind} = 'series' AND (NOT ${ofRunSql(source)} OR ${editedSql}))`,
      ),
      editedEvents: selectEditedEvents(source),
    }),
  )
  const keys = { read: new Set(otherKeys), unread: new Set<string>(), keptEvents: new Set(editedEvents) }
  const isWhole =
    (await trashAll(context, source, keys, outcome)) &&
    (await removeUnusedTargets(context, source, ofRunSql(source)))
  await storeUndone({ context, source }, outcome, isWhole)
}

/**
 * Moves some of a deleted source's events to the trash, then removes what the source made for them and
 * nothing else uses, and finally the source itself once nothing is left.
 */
export async function endSourceBatch(context: BaseContext, source: SourceRow): Promise<void> {
  const isWhole =
    (await trashAll(context, source, NO_KEYS, noOutcome())) &&
    (await removeUnusedTargets(context, source, sql`1`))
  if (isWhole)
    return context.db.write(
      asOneChange([conflictUnlessReserved(sources, source), ...sourceRemovalStatements(source.id)]),
    )
  await context.db.write([
    conflictUnlessReserved(sources, source),
    build.update(sources).set({ lease: '' }).where(eq(sources.id, source.id)),
  ])
}

/** A query for the keys of a source's records. @param condition on the table `imports` */
const selectKeys = ({ id }: SourceRow, condition: SQL): Query<string[]> => {
  const name = importSource(id)
  return many(
    sql`SELECT ${imports.kind}, ${imports.external_id} FROM ${imports} WHERE ${imports.source} = ${name} AND ${condition}`,
    row => importKey(name, readOneOf(RECORD_KINDS)(row.kind), readText(row.external_id)),
  )
}

const startOfRun = ({ undoing }: SourceRow): SQL =>
  sql`(SELECT started_utc FROM ${sourceRuns} WHERE id = ${undoing})`

/**
 * A condition for events or series that users have changed since the beginning of the run that is being
 * undone. Publishing them does not count as a change, nor does moving them to the trash or back.
 */
const editedSinceSql = (source: SourceRow, { kind, id }: { kind: SQL; id: SQL }): SQL =>
  sql`EXISTS (${editsByUsers(
    sql`${audit.kind} = ${kind} AND ${audit.object_id} = ${id} AND ${audit.at_utc} >= ${startOfRun(source)}`,
  )})`

/**
 * A query for the ids of a source's events and dates of series that were edited, or whose series was edited.
 */
const selectEditedEvents = (source: SourceRow): Query<number[]> => {
  const targets = (kind: 'event' | 'series') =>
    sql`SELECT target_id FROM ${imports} WHERE source = ${importSource(source.id)} AND kind = ${kind}`
  const ofEvent = { kind: sql`'event'`, id: sql`${events.id}` }
  const ofSeries = { kind: sql`'series'`, id: sql`${events.series_id}` }
  return many(
    sql`SELECT ${events.id} FROM ${events}
      WHERE (${events.id} IN (${targets('event')}) OR ${events.series_id} IN (${targets('series')}))
        AND (${editedSinceSql(source, ofEvent)} OR ${editedSinceSql(source, ofSeries)})`,
    row => readNumber(row.id),
  )
}

/** A condition for mappings to rows that the run being undone has made, or has restored from the trash. */
const ofRunSql = (source: SourceRow): SQL =>
  sql`EXISTS (SELECT 1 FROM ${audit} AS done WHERE done.kind = ${imports.kind} AND done.object_id = ${imports.target_id}
    AND done.request_id = ${importRequestId(importSource(source.id))} AND done.at_utc >= ${startOfRun(source)}
    AND (done.action = 'create' OR (SELECT action FROM ${audit} AS before WHERE before.kind = done.kind
      AND before.object_id = done.object_id AND before.id < done.id ORDER BY before.id DESC LIMIT 1) = 'trash'))`

/**
 * Removes what a source has made for its events, and nothing else uses.
 *
 * @param madeSql a condition for mappings to the rows that may be removed
 * @returns false if there is more
 */
async function removeUnusedTargets(context: BaseContext, source: SourceRow, madeSql: SQL): Promise<boolean> {
  const name = importSource(source.id)
  for (const kind of RELATED_KINDS) {
    const unusedSql = unusedBesideSql(name, kind)
    const keptKeys = await context.db.read(
      selectKeys(source, sql`${imports.kind} = ${kind} AND NOT (${madeSql} AND ${unusedSql})`),
    )
    const isWhole = await trashSome(
      context,
      source,
      {
        complete: { type: 'complete', source: name, kind },
        presentKeys: { read: new Set(keptKeys), unread: new Set() },
        // Somebody may have used one of the rows since.
        guardStatement: ids =>
          conflictIf(sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.source} = ${name} AND ${imports.kind} = ${kind}
            AND ${imports.target_id} IN ${inList(ids)} AND NOT ${unusedSql})`),
      },
      noOutcome(),
    )
    if (!isWhole) return false
  }
  return true
}
