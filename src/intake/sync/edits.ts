import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { audit } from '../../db/schema.ts'
import { requestIdOf } from '../../lib/audit-source.ts'
import type { Row } from '../../lib/connection.ts'
import {
  type AnyRecord,
  type ContentRecordKind,
  isTerm,
  isTermRecordKind,
  type RecordKind,
} from '../records.ts'
import { selectOf } from './lists.ts'
import type { State } from './state.ts'

/** All values of a field before changes, or after them, in an order. */
const valuesOf = (part: 0 | 1) => {
  const value = sql`(field.value -> ${sql.raw(String(part))})`
  return sql`group_concat(${value}, char(10) ORDER BY ${value})`
}

/** A row that another version was imported of, its series, and if it is as public as its source has it. */
type Edited = readonly [kind: ContentRecordKind, id: number, series: number | undefined, isPublic: boolean]

/**
 * A query of those of some rows of which all that users have done comes to nothing: each value that they changed they have put
 * back. The audit must know of the import and of all that came after it.
 */
const selectUndone = (source: string, edited: readonly Edited[]) =>
  selectOf(
    edited,
    list => sql`SELECT given.value ->> 0 AS kind, given.value ->> 1 AS id FROM ${list} AS given WHERE 2 = (
      SELECT count(DISTINCT coalesce(request_id, '') = ${requestIdOf(source)})
      FROM ${audit} INDEXED BY audit_object
      WHERE audit.kind = (given.value ->> 0) AND object_id = (given.value ->> 1)
        OR audit.kind = 'series' AND object_id = (given.value ->> 2)
    ) AND NOT EXISTS (
      SELECT 1 FROM ${audit} INDEXED BY audit_object
        CROSS JOIN json_each(iif(json_valid(changed), changed, iif(fields = '["status"]', '{"status":[0,1]}', '{"":[0,1]}'))) AS field
      WHERE audit.kind = (given.value ->> 0) AND object_id = (given.value ->> 1) AND user_id IS NOT NULL
        AND NOT (field.key = 'status' AND (given.value ->> 3))
      GROUP BY field.key HAVING ${valuesOf(0)} <> ${valuesOf(1)})`,
  )

type Mapped = {
  source: string
  /** Columns `kind` and `external_id` of mappings that the state knows. */
  mapped: readonly Row[]
  records: readonly AnyRecord[]
}

/**
 * Has what was edited here, and is again as it was imported, count as imported: it follows its source. That it was published here,
 * as its source says now, is no edit. What a date of a series has of its own is the source's again.
 */
export async function forgetUndone(
  context: RequestContext,
  { source, mapped, records }: Mapped,
  state: State,
): Promise<void> {
  const statuses = new Map(
    records.flatMap(record =>
      isTerm(record) ? [] : [[`${record.kind} ${record.externalId}`, record.status]],
    ),
  )
  const edited = mapped.flatMap(row => {
    // The column allows no other kind.
    const kind = row.kind as RecordKind
    // The edition of a series says what it has.
    if (isTermRecordKind(kind) || kind === 'series') return []
    const externalId = String(row.external_id)
    const known = state.mappingOf(source, kind, externalId)
    const stored = known && state.content[kind].rows.get(known.target)
    if (!stored || stored.status === 'trash') return []
    if (known.importedVersion === null || known.importedVersion === stored.edition) return []
    const status = statuses.get(`${kind} ${externalId}`) ?? 'publish'
    const isPublic = stored.status === 'publish' && status === 'publish'
    const key: Edited = [kind, known.target, stored.occurrence?.series, isPublic]
    return [{ key, externalId, known, stored }]
  })
  const undone = await context.db.get(
    selectUndone(
      source,
      edited.map(({ key }) => key),
    ),
  )
  const keys = new Set(undone.map(({ kind, id }) => `${kind} ${id}`))
  for (const { key, externalId, known, stored } of edited) {
    const [kind, id] = key
    if (!keys.has(`${kind} ${id}`)) continue
    const hash = stored.occurrence?.isDetached ? '' : known.hash
    state.setMapping(source, kind, externalId, { ...known, hash, importedVersion: stored.edition })
  }
}
