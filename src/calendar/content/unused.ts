import { type SQL, sql } from 'drizzle-orm'
import { requestIdOf } from '../../kit/db/audit.ts'
import { audit, events, formerSlugs, imports, series, terms } from '../../kit/db/tables.ts'
import { type MergedKind, namedElsewhereSql } from './merge.ts'

// Venues, organizers, categories and tags that a source has made, and that nothing else uses.

/**
 * A condition for mappings (`imports`) to unused rows: nobody has changed them since a source made them, and nothing
 * uses them except events of the source that are in the trash.
 *
 * @param table the name of the resource's table; categories and tags share one
 */
export function unusedBesideSql(
  source: string,
  { kind, table: name }: { kind: MergedKind; table: string },
): SQL {
  const isTerm = kind === 'category' || kind === 'tag'
  const table = isTerm ? terms : sql.raw(name)
  const targets = sql`(SELECT target_id FROM ${imports} WHERE source = ${source} AND kind = ${kind})`
  const bySourceSql = (owner: 'event' | 'series', id: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${audit} WHERE ${audit.kind} = ${owner} AND object_id = ${id}
      AND action = 'create' AND request_id = ${requestIdOf(source)})`
  const inTrashSql = sql`status = 'trash' AND (${bySourceSql('event', sql`events.id`)} OR ${bySourceSql('series', sql`events.series_id`)})`
  const seriesLinks = sql.raw(`series_${isTerm ? 'terms' : name}`)
  return sql`(imported_version = (SELECT CAST(version AS TEXT) FROM ${table} AS own WHERE own.id = target_id)
    AND target_id NOT IN (SELECT target_id FROM events_of CROSS JOIN ${events} ON events.id = event_id
      WHERE facet = ${isTerm ? 'term' : kind} AND target_id IN ${targets} AND NOT (${inTrashSql}))
    AND target_id NOT IN (SELECT target_id FROM ${seriesLinks} CROSS JOIN ${series} ON series.id = series_id
      WHERE target_id IN ${targets} AND NOT (status = 'trash' AND ${bySourceSql('series', sql`series.id`)}))
    AND NOT EXISTS (SELECT 1 FROM ${imports} AS other INDEXED BY imports_target WHERE other.kind = imports.kind
      AND other.target_id = imports.target_id AND other.source <> ${source})
    AND NOT EXISTS (SELECT 1 FROM ${formerSlugs} AS former WHERE former.kind = imports.kind
    AND former.target_id = imports.target_id)
    ${isTerm ? sql`AND NOT EXISTS (SELECT 1 FROM ${terms} AS below WHERE below.parent = imports.target_id)` : sql``}
    AND NOT ${namedElsewhereSql(kind, sql`imports.target_id`)})`
}
