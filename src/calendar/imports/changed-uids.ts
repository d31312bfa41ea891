import { sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { readText, type Statement } from '../../kit/db/query.ts'
import { imports } from '../../kit/db/tables.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import { selectOf } from './mappings.ts'
import { type AnyRecord, type EventRecord, seriesOf } from './records.ts'
import { importedPages, isStillThere, type SourceKeys } from './vanished.ts'

/** The part of an event's external id that its other dates share. */
const baseOf = (externalId: string): string => seriesOf(externalId) ?? externalId

const keyOf = (start: string, title: string): string => `${start} ${htmlToText(title)}`

/**
 * The statements with which coming events stay the same events although their calendar has changed their
 * UIDs, as calendars do that move to another program. Otherwise each of them would be here twice, or, in a
 * mirror, go to the trash and come again under another address. An event counts as the same if its UID is
 * gone, and one event with a new UID has its title and start.
 */
export async function findUidChanges(
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
      selectOf(
        coming.map(({ externalId }) => externalId),
        list => sql`SELECT value AS id FROM ${list} AS record WHERE NOT EXISTS (SELECT 1 FROM ${imports}
          WHERE ${imports.source} = ${source} AND ${imports.kind} = 'event' AND ${imports.external_id} = value)`,
        ({ id }) => readText(id),
      ),
    ),
  )
  if (newIds.size === 0) return []
  const { fresh = [], known = [] } = Object.groupBy(coming, ({ externalId }) =>
    newIds.has(externalId) ? 'fresh' : 'known',
  )
  const knownBases = new Set(known.map(({ externalId }) => baseOf(externalId)))
  const readBases = new Set(records.map(({ externalId }) => baseOf(externalId)))
  const [goneIds, trashedIds] = [new Map<string, string | undefined>(), new Map<string, string | undefined>()]
  const complete = { type: 'complete', source, kind: 'event', from } as const
  for await (const page of importedPages(context, complete, true))
    for (const { externalId, title, start, isTrash } of page) {
      if (isStillThere(presentKeys, complete, externalId) || readBases.has(baseOf(externalId))) continue
      const key = keyOf(start, title)
      // Of two alike, nobody can tell which is which.
      const ids = isTrash ? trashedIds : goneIds
      ids.set(key, ids.has(key) ? undefined : externalId)
    }
  const changes = new Map<string, string>()
  for (const { externalId, start, title } of fresh) {
    const key = keyOf(start.utc, title)
    // What was moved to the trash here stays there.
    const gone = (goneIds.has(key) ? goneIds : trashedIds).get(key)
    if (gone === undefined || knownBases.has(baseOf(externalId))) continue
    const before = baseOf(gone)
    // A series may have been events of their own, each of which becomes a date of it.
    const after = before === gone ? externalId : baseOf(externalId)
    if (!changes.has(before)) changes.set(before, after)
  }
  return changes.size === 0 ? [] : [renaming(source, [...changes])]
}

/** @param changes UIDs before and after, each of which stands for all dates of its series */
const renaming = (
  source: string,
  changes: readonly (readonly [before: string, after: string])[],
): Statement =>
  sql`UPDATE OR IGNORE ${imports} SET external_id = uid.after || substr(${imports.external_id}, length(uid.before) + 1)
    FROM (SELECT value ->> 0 AS before, value ->> 1 AS after FROM json_each(${JSON.stringify(changes)})) AS uid
    WHERE ${imports.source} = ${source} AND ${imports.kind} IN ('event', 'series')
      AND (${imports.external_id} = uid.before
        OR (${imports.external_id} > uid.before || '#' AND ${imports.external_id} < uid.before || '$'))`
