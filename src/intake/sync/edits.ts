import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { requestIdOf } from '../../db/audit.ts'
import type { RawRow } from '../../db/query.ts'
import { audit } from '../../db/schema.ts'
import {
  type AnyRecord,
  type ContentRecordKind,
  isTerm,
  isTermRecordKind,
  type RecordKind,
} from '../records.ts'
import { isEdited } from './decisions.ts'
import { storedOf } from './hashes.ts'
import { selectOf } from './mappings.ts'
import type { Mapping, Piece, StoredContent } from './piece.ts'

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

/** A stored row of a record that was imported before. */
type ImportedContent = {
  kind: ContentRecordKind
  externalId: string
  id: number
  known: Mapping
  stored: StoredContent
}

/** The statuses of content that waits for approval. */
const WAITING = ['pending', 'draft'] as const

/** Tells whether a published series has not changed since its import except that it waited for approval then. */
async function wasApproved({ known, stored: { row } }: ImportedContent): Promise<boolean> {
  if (row?.status !== 'publish') return false
  const waiting = await Promise.all(WAITING.map(status => storedOf('series', { ...row, status })))
  return waiting.some(({ edition }) => edition === known.importedVersion)
}

/**
 * Has what was edited here, and is again as it was imported, count as imported, so that it follows its source. That it was
 * published here, as its source says now, is no edit. What a date of a series has of its own is the source's again.
 */
export async function forgetUndone(
  context: RequestContext,
  { records, mappings }: { records: readonly AnyRecord[]; mappings: readonly RawRow[] },
  piece: Piece,
): Promise<void> {
  const edited = mappings.flatMap((row): ImportedContent[] => {
    // The column allows no other kind.
    const kind = row.kind as RecordKind
    if (isTermRecordKind(kind)) return []
    const externalId = String(row.external_id)
    const known = piece.mappingOf(kind, externalId)
    const stored = piece.rowOf(kind, externalId)
    if (!known || !stored || stored.status === 'trash' || known.importedVersion === null) return []
    return isEdited(stored, known) ? [{ kind, externalId, id: stored.id, known, stored }] : []
  })
  const hidden = new Set(
    records.flatMap(record =>
      isTerm(record) || record.status === 'publish' ? [] : [`${record.kind} ${record.externalId}`],
    ),
  )
  const isPublic = ({ kind, externalId, stored }: ImportedContent) =>
    stored.status === 'publish' && !hidden.has(`${kind} ${externalId}`)
  const { series = [], others = [] } = Object.groupBy(edited, ({ kind }) =>
    kind === 'series' ? 'series' : 'others',
  )
  const approved = await Promise.all(
    series.map(async one => (isPublic(one) && (await wasApproved(one)) ? [one] : [])),
  )
  const undone = await context.db.get(
    selectUndone(
      piece.source,
      others.map(one => [one.kind, one.id, one.stored.occurrence?.series, isPublic(one)]),
    ),
  )
  const keys = new Set(undone.map(({ kind, id }) => `${kind} ${id}`))
  for (const one of [...approved.flat(), ...others.filter(({ kind, id }) => keys.has(`${kind} ${id}`))]) {
    const { kind, externalId, known, stored } = one
    const hash = stored.occurrence?.isDetached ? '' : known.hash
    piece.map(kind, externalId, { ...known, hash, importedVersion: stored.edition })
  }
}
