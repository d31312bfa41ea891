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

/** A row that another version was imported of, its series, and if it is as public as its source has it. */
type Edited = readonly [kind: ContentRecordKind, id: number, series: number | undefined, isPublic: boolean]

/** The fields of an audit entry, each with its values before and after. Where those are not known, they count as different. */
const CHANGED_FIELDS = sql.raw(
  `json_each(iif(json_valid(changed), changed, iif(fields = '["status"]', '{"status":[0,1]}', '{"":[0,1]}'))) AS field`,
)

/** All values of a field before its changes (0), or after them (1), sorted. Both are the same if every change was put back. */
const valuesOf = (part: 0 | 1) => {
  const value = sql.raw(`(field.value -> ${part})`)
  return sql`group_concat(${value}, char(10) ORDER BY ${value})`
}

/**
 * A query of those of some rows of which all that users have done comes to nothing: each value that they changed they have put
 * back. The audit must know of the import and of all that came after it.
 */
function selectUndone(source: string, edited: readonly Edited[]) {
  const isImport = sql`coalesce(request_id, '') = ${requestIdOf(source)}`
  const isOfRow = sql`audit.kind = edited.kind AND object_id = edited.id`
  const isOfSeries = sql`audit.kind = 'series' AND object_id = edited.series`
  const hasImportAndEdits = sql`2 = (
    SELECT count(DISTINCT ${isImport}) FROM ${audit} INDEXED BY audit_object WHERE ${isOfRow} OR ${isOfSeries})`
  const fieldsThatDiffer = sql`SELECT 1 FROM ${audit} INDEXED BY audit_object CROSS JOIN ${CHANGED_FIELDS}
    WHERE ${isOfRow} AND user_id IS NOT NULL AND NOT (field.key = 'status' AND edited.is_public)
    GROUP BY field.key HAVING ${valuesOf(0)} <> ${valuesOf(1)}`
  return selectOf(
    edited,
    list => sql`SELECT kind, id FROM (
        SELECT value ->> 0 AS kind, value ->> 1 AS id, value ->> 2 AS series, value ->> 3 AS is_public FROM ${list}
      ) AS edited
      WHERE ${hasImportAndEdits} AND NOT EXISTS (${fieldsThatDiffer})`,
  )
}

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
