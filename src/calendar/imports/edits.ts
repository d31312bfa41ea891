import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { importRequestId } from '../../kit/db/audit.ts'
import { readNumber, readText } from '../../kit/db/query.ts'
import { audit } from '../../kit/db/tables.ts'
import type { ImportBatch, Mapping, StoredContent } from './batch.ts'
import { isEdited } from './decisions.ts'
import { storedOf } from './hashes.ts'
import { type MappingRow, selectWithList } from './mappings.ts'
import { type AnyRecord, type ContentRecordKind, isTerm, isTermRecordKind, recordKey } from './records.ts'

/** A row that has changed since its import, and the series that it is a date of. */
type EditedContent = readonly [kind: ContentRecordKind, id: number, series: number | undefined]

/** The changed fields of an audit entry. If they are unknown, all fields but the status count as changed. */
const CHANGED_FIELDS = sql`json_each(iif(json_valid(${audit.changed}), ${audit.changed},
  iif(${audit.fields} = '["status"]', '{"status":0}', '{"":0}'))) AS field`

/** A SELECT of users' changes to fields other than the status. @param rowSql a condition on the audit */
export const editsByUsers = (rowSql: SQL): SQL =>
  sql`SELECT 1 FROM ${audit} INDEXED BY audit_object CROSS JOIN ${CHANGED_FIELDS}
    WHERE ${rowSql} AND ${audit.user_id} IS NOT NULL AND field.key <> 'status'`

/**
 * A query for the rows whose status alone users have changed since the import, whatever the calendar itself
 * has written. It finds only rows whose import and later changes are still in the audit.
 */
function selectApproved(source: string, edited: readonly EditedContent[]) {
  const importSql = sql`coalesce(${audit.request_id}, '') = ${importRequestId(source)}`
  const ofRowSql = sql`${audit.kind} = edited.kind AND ${audit.object_id} = edited.id`
  const ofSeriesSql = sql`${audit.kind} = 'series' AND ${audit.object_id} = edited.series`
  const importAndEditsSql = sql`2 = (
    SELECT count(DISTINCT ${importSql}) FROM ${audit} INDEXED BY audit_object WHERE ${ofRowSql} OR ${ofSeriesSql})`
  return selectWithList(
    edited,
    list => sql`SELECT kind, id FROM (
        SELECT value ->> 0 AS kind, value ->> 1 AS id, value ->> 2 AS series FROM ${list}
      ) AS edited
      WHERE ${importAndEditsSql} AND NOT EXISTS (${editsByUsers(ofRowSql)})`,
    { kind: readText, id: readNumber },
  )
}

type ImportedContent = {
  kind: ContentRecordKind
  externalId: string
  id: number
  known: Mapping
  stored: StoredContent
}

/** The statuses of content that waits for approval. */
const WAITING = ['pending', 'draft'] as const

/**
 * True if a published series has changed in nothing but its status since its import, when it waited for
 * approval.
 */
async function wasApproved({ known, stored: { row } }: ImportedContent): Promise<boolean> {
  if (row?.status !== 'publish') return false
  const waitingVariants = await Promise.all(WAITING.map(status => storedOf('series', { ...row, status })))
  return waitingVariants.some(({ revision }) => revision === known.importedVersion)
}

/**
 * Makes content that waited for approval, and was published here since, count as imported, so that it follows
 * its source. Users may have changed no other field here. Values that the calendar itself writes, such as
 * whether places are left, are not edits.
 */
export async function followApproved(
  context: BaseContext,
  { records, mappings }: { records: readonly AnyRecord[]; mappings: readonly MappingRow[] },
  batch: ImportBatch,
): Promise<void> {
  const hiddenKeys = new Set(
    records.flatMap(record =>
      isTerm(record) || record.status === 'publish' ? [] : [recordKey(record.kind, record.externalId)],
    ),
  )
  const published = mappings.flatMap(({ kind, external_id: externalId }): ImportedContent[] => {
    if (isTermRecordKind(kind)) return []
    const mapping = batch.mappingOf(kind, externalId)
    const storedRow = batch.rowOf(kind, externalId)
    if (!mapping || storedRow?.status !== 'publish' || mapping.importedVersion === null) return []
    // Publishing content that is private at its source is an edit.
    if (hiddenKeys.has(recordKey(kind, externalId))) return []
    return isEdited(storedRow, mapping)
      ? [{ kind, externalId, id: storedRow.id, known: mapping, stored: storedRow }]
      : []
  })
  const approvedRows = await context.db.read(
    selectApproved(
      batch.source,
      published.map(({ kind, id, stored }) => [kind, id, stored.occurrence?.series]),
    ),
  )
  const approvedKeys = new Set(approvedRows.map(({ kind, id }) => `${kind} ${id}`))
  for (const publishedRecord of published) {
    const { kind, externalId, id, known, stored } = publishedRecord
    if (!approvedKeys.has(`${kind} ${id}`) && !(kind === 'series' && (await wasApproved(publishedRecord))))
      continue
    const hash = stored.occurrence?.isDetached ? '' : known.hash
    batch.setMapping(kind, externalId, { ...known, hash, importedVersion: stored.revision })
  }
}
