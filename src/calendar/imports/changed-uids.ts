import { sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { importRequestId } from '../../kit/db/audit.ts'
import { eachOf, mapQuery, type Query, readNumber, readText, type Statement } from '../../kit/db/query.ts'
import { audit, events, imports } from '../../kit/db/tables.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import { toUtc } from '../../kit/lib/time.ts'
import { selectWithList } from './mappings.ts'
import { type AnyRecord, type EventRecord, seriesOf } from './records.ts'
import { importedPages, isStillThere, type SourceKeys } from './vanished.ts'

/** The part of an event's external id that its other dates share. */
const baseOf = (externalId: string): string => seriesOf(externalId) ?? externalId

const keyOf = (start: string, title: string): string => `${start} ${htmlToText(title)}`

/**
 * The statements with which coming events stay the same events although their calendar has changed their
 * UIDs, as calendars do that move to another program. Otherwise each of them would be here twice, or, in a
 * mirror, go to the trash and come again under another address. An event counts as the same if its UID is
 * gone, and one event with a new UID has its title and start, as they were before they were edited here.
 */
export async function readUidStatements(
  context: BaseContext,
  {
    source,
    records,
    presentKeys,
  }: { source: string; records: readonly AnyRecord[]; presentKeys: SourceKeys },
): Promise<Statement[]> {
  const from = context.clock.now()
  const coming = records.filter(
    (record): record is EventRecord => record.kind === 'event' && record.start.utc >= from,
  )
  const newIds = new Set(
    await context.db.read(
      selectWithList(
        coming.map(({ externalId }) => externalId),
        list => sql`SELECT value AS id FROM ${list} AS record WHERE NOT EXISTS (SELECT 1 FROM ${imports}
          WHERE ${imports.source} = ${source} AND ${imports.kind} = 'event' AND ${imports.external_id} = value)`,
        ({ id }) => readText(id),
      ),
    ),
  )
  if (newIds.size === 0) return []
  const { fresh: newRecords = [], known = [] } = Object.groupBy(coming, ({ externalId }) =>
    newIds.has(externalId) ? 'fresh' : 'known',
  )
  const knownBases = new Set(known.map(({ externalId }) => baseOf(externalId)))
  const readBases = new Set(records.map(({ externalId }) => baseOf(externalId)))
  // Events that were moved to the trash here stay there, and events that were edited here are known by what
  // they were before.
  const gone = new Candidates()
  const inTrash = new Candidates()
  const edited = new Candidates()
  const complete = { type: 'complete', source, kind: 'event', from } as const
  for await (const page of importedPages(context, complete, { withTrash: true })) {
    const missing = page.filter(
      ({ externalId }) =>
        !isStillThere(presentKeys, complete, externalId) && !readBases.has(baseOf(externalId)),
    )
    const before = await context.db.read(selectBeforeEdits(source, missing))
    for (const { id, externalId, title, start, isTrash } of missing) {
      const former = before.get(id)
      const candidates = isTrash ? inTrash : gone
      candidates.add(former ?? keyOf(start, title), externalId)
      if (former !== undefined) edited.add(keyOf(start, title), externalId)
    }
  }
  const changes = new Map<string, string>()
  for (const { externalId, start, title } of newRecords) {
    const key = keyOf(start.utc, title)
    const former = [gone, inTrash, edited].find(candidates => candidates.has(key))?.idOf(key)
    if (former === undefined || knownBases.has(baseOf(externalId))) continue
    const before = baseOf(former)
    // The dates of a series may have been single events, each of which becomes a date of it.
    const after = before === former ? externalId : baseOf(externalId)
    if (!changes.has(before)) changes.set(before, after)
  }
  return changes.size === 0 ? [] : [renamingStatement(source, [...changes])]
}

/** External ids by the title and start of their events. Of two alike, nobody can tell which is which. */
class Candidates {
  readonly #ids = new Map<string, string | undefined>()
  has = (key: string): boolean => this.#ids.has(key)
  idOf = (key: string): string | undefined => this.#ids.get(key)
  add = (key: string, id: string): void => void this.#ids.set(key, this.has(key) ? undefined : id)
}

/**
 * A query for the titles and starts that events had when they came from their source, before they were edited
 * here.
 */
const selectBeforeEdits = (
  source: string,
  rows: readonly { id: number; isEdited: boolean }[],
): Query<Map<number, string>> => {
  // An import leaves edited events alone, so the first edit since its last write has the values of the
  // import.
  const before = (field: 'title' | 'start_date' | 'timezone') =>
    sql`(SELECT ${audit.changed} ->> ${`$.${field}[0]`} FROM ${audit} INDEXED BY audit_object
      WHERE ${audit.kind} = 'event' AND ${audit.object_id} = ${events.id} AND ${audit.user_id} IS NOT NULL
        AND ${audit.changed} ->> ${`$.${field}`} IS NOT NULL AND ${audit.id} > imported_by
      ORDER BY ${audit.id} LIMIT 1)`
  return mapQuery(
    selectWithList(
      rows.flatMap(({ id, isEdited }) => (isEdited ? [id] : [])),
      list => sql`SELECT ${events.id}, coalesce(${before('title')}, ${events.title}) AS title,
          coalesce(${before('start_date')}, ${events.start_date}) AS start,
          coalesce(${before('timezone')}, ${events.timezone}) AS timezone
        FROM (SELECT value AS edited, coalesce((SELECT max(${audit.id}) FROM ${audit} INDEXED BY audit_object
            WHERE ${audit.kind} = 'event' AND ${audit.object_id} = value
              AND ${audit.request_id} = ${importRequestId(source)}), 0) AS imported_by FROM ${list})
        CROSS JOIN ${events} ON ${events.id} = edited`,
      { id: readNumber, title: readText, start: readText, timezone: readText },
    ),
    list => new Map(list.map(({ id, title, start, timezone }) => [id, keyOf(toUtc(start, timezone), title)])),
  )
}

/** @param changes UIDs before and after, each of which stands for all dates of its series */
const renamingStatement = (
  source: string,
  changes: readonly (readonly [before: string, after: string])[],
): Statement =>
  sql`UPDATE OR IGNORE ${imports} SET external_id = uid.after || substr(${imports.external_id}, length(uid.before) + 1)
    FROM (SELECT value ->> 0 AS before, value ->> 1 AS after FROM ${eachOf(changes)}) AS uid
    WHERE ${imports.source} = ${source} AND ${imports.kind} IN ('event', 'series')
      AND (${imports.external_id} = uid.before
        OR (${imports.external_id} > uid.before || '#' AND ${imports.external_id} < uid.before || '$'))`
