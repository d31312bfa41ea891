import { type RawRow, readText } from '../../kit/db/query.ts'
import { textsOf } from '../../kit/lib/values.ts'
import { haveSameLinks, importedEventColumns, type LinkedIds, NO_LINKS } from '../events/imported-events.ts'
import { isRelation } from '../events/relations/fields.ts'
import { FIELD_NAMES, type FieldName, isFieldName } from '../events/schema.ts'
import { columnsOfField, isDetachedIn, isSharedField } from '../events/shared-fields.ts'
import type { ImportBatch } from './batch.ts'
import { decisionToLeave, isEdited, judgeRecord, type PlannedRecord } from './decisions.ts'
import type { EventRecord, OccurrenceOf } from './records.ts'
import type { ComparedRecord, ResolvedRelations } from './relations.ts'
import { decideWrite, withdrawal } from './write-decisions.ts'

/**
 * Decides about an occurrence. Fields that were changed here stay, and the others follow its series. If the
 * series itself was changed here, its occurrences are left alone.
 */
export async function planOccurrence(
  comparedRecord: ComparedRecord<EventRecord>,
  occurrence: OccurrenceOf,
  batch: ImportBatch,
): Promise<PlannedRecord> {
  const { record, relations, known, stored, hash } = comparedRecord
  const { externalId, title } = record
  const { mirror } = batch
  const unchangedRow = { id: known?.target, incomplete: relations?.incomplete }
  if (!mirror && isSeriesEdited(batch, occurrence.series)) {
    const withdrawn = withdrawal(comparedRecord, batch)
    if (withdrawn) return withdrawn
    const isKnown = hash === known?.hash || known?.hash === ''
    if (isKnown) return decisionToLeave('unchanged', record, unchangedRow)
    return decisionToLeave(
      { skip: 'its series was edited here', code: 'record_series' },
      record,
      unchangedRow,
    )
  }
  const isEditedHere = stored !== undefined && isEdited(stored, known) && !mirror
  const decision = isEditedHere && hash !== known?.hash ? 'update' : judgeRecord(known, hash, stored, mirror)
  if (decision !== 'create' && decision !== 'update') return decisionToLeave(decision, record, unchangedRow)
  const row = stored?.row
  if (!isEditedHere || !known || !row) return withRenaming(await decideWrite(comparedRecord, batch), batch)
  const { keptFields, relations: ownRelations, ...own } = mergedRow(comparedRecord, row, batch)
  const note =
    keptFields.length === 0
      ? undefined
      : `event ${externalId} (${title}) was edited here, and keeps its own ${keptFields.join(', ')}`
  const mergedRecord = { ...comparedRecord, relations: ownRelations }
  const plannedRecord = await decideWrite(mergedRecord, batch, {
    ...own,
    revision: known.importedVersion ?? '',
  })
  return withRenaming({ ...plannedRecord, note: note ?? plannedRecord.note }, batch)
}

/** A decision about an occurrence, whose row loses the external ids that it had before. */
function withRenaming(plannedRecord: PlannedRecord, batch: ImportBatch): PlannedRecord {
  if (!('mapping' in plannedRecord)) return plannedRecord
  const { record, mapping } = plannedRecord
  const otherIds = batch.externalIdsOf('event', mapping.target).filter(other => other !== record.externalId)
  for (const otherId of otherIds) batch.removeMapping('event', otherId)
  return { ...plannedRecord, forgotten: otherIds.map(externalId => ['event', externalId]) }
}

/** True if a series was changed here since it was imported. */
export function isSeriesEdited(batch: ImportBatch, externalId: string): boolean {
  const row = batch.rowOf('series', externalId)
  return row !== undefined && isEdited(row, batch.mappingOf('series', externalId))
}

// An occurrence that was changed here keeps the changed fields. The others have the source's values.

/** Fields of a single event that are its own, or come with another field. */
const NOT_COMPARED: readonly FieldName[] = [
  'author',
  'date',
  'date_utc',
  'slug',
  'post_parent',
  'timezone',
  'is_virtual',
]

/** The fields by which an event that was a single one until now can differ from its series. */
const COMPARED = FIELD_NAMES.filter(name => isSharedField(name) && !NOT_COMPARED.includes(name))

type MergedOccurrences = {
  own: RawRow
  external_id: string | undefined
  relations: ResolvedRelations | undefined
  /** The fields that differ from the source's. */
  keptFields: FieldName[]
}

/** The row of an occurrence that was changed here. */
function mergedRow(
  { record, relations, stored }: ComparedRecord<EventRecord>,
  row: RawRow,
  batch: ImportBatch,
): MergedOccurrences {
  const links = stored?.links ?? NO_LINKS
  const givenColumns = importedEventColumns(record)
  const wholeRow: RawRow = {
    ...givenColumns,
    description: record.description,
    excerpt: record.excerpt ?? '',
    image_id: record.image ? (batch.imageAt(record.image.url)?.id ?? null) : null,
  }
  const givenLinks = relations?.links ?? NO_LINKS
  const differs = (name: FieldName) =>
    isRelation(name)
      ? !haveSameLinks(name, links, givenLinks)
      : columnsOfField(name).some(column => (row[column] ?? '') !== (wholeRow[column] ?? ''))
  const detachedBefore: readonly FieldName[] =
    row.series_id === null ? COMPARED.filter(differs) : textsOf(readText(row.detached)).filter(isFieldName)
  const isKept = (name: FieldName) => isDetachedIn(detachedBefore, name)
  const ownRow: RawRow = {
    ...givenColumns,
    // The source's time of change is not that of this row.
    modified: null,
    modified_utc: null,
    detached: JSON.stringify([...new Set([...detachedBefore, ...textsOf(readText(givenColumns.detached))])]),
  }
  for (const name of detachedBefore)
    for (const column of columnsOfField(name)) ownRow[column] = row[column] ?? null
  if (row.status === 'trash') ownRow.status = 'trash'
  else if (record.status === 'private') ownRow.status = 'private'
  const linksOf = (name: keyof LinkedIds) => (isKept(name) ? links : givenLinks)[name]
  const ownLinks: LinkedIds = {
    venue: linksOf('venue'),
    organizer: linksOf('organizer'),
    categories: linksOf('categories'),
    tags: linksOf('tags'),
  }
  return {
    own: ownRow,
    external_id: readText(row.external_id) || record.external_id,
    relations: relations && { ...relations, links: ownLinks },
    keptFields: detachedBefore.filter(differs),
  }
}
