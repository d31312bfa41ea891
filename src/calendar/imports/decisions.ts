import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { inputValue, jsonBatches, rowInsertStatements } from '../../kit/db/bulk.ts'
import type { Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { imports } from '../../kit/db/tables.ts'
import type { ReadingCode } from '../../kit/lib/reasons.ts'
import { eventQuestionStatements } from '../content/dependents.ts'
import { relatedStatements } from '../content/related/writes.ts'
import type { PreparedRow } from '../content/writes.ts'
import type { EventRowToWrite } from '../events/prepare.ts'
import type { PreparedSeries } from '../events/recurrence/statements.ts'
import { writeStatements } from '../events/writes.ts'
import { ORGANIZERS } from '../organizers/resource.ts'
import { type PreparedTerm, termStatements } from '../terms/statements.ts'
import { VENUES } from '../venues/resource.ts'
import type { Mapping, StoredContent } from './batch.ts'
import type { ProtectedQuestion } from './protection.ts'
import {
  type AnyRecord,
  type ContentRecordKind,
  type RecordKind,
  type RecordName,
  recordKey,
} from './records.ts'

/**
 * A row of content to be written, with the id that it has or gets. Rows of series have texts, which their
 * dates follow.
 */
export type RowToWrite = Omit<EventRowToWrite, 'columns'> &
  Pick<PreparedRow, 'columns'> &
  Pick<PreparedSeries, 'texts' | 'follows'> & { id: number }

/** A record and the row that it is from now on. */
export type MappedRecord = { kind: RecordKind; externalId: string; mapping: Mapping }

/** Content that an import moves to the trash. No record may have named it. */
export type TrashedContent = {
  kind: Exclude<ContentRecordKind, 'series'>
  content: RowToWrite
  mapped: MappedRecord | undefined
}

/** What a decision about a record does to other rows: to dates, and to rows that had its external id. */
export type Consequences = {
  trashed?: readonly TrashedContent[]
  /** The questions to the organizers of events that people have registered for. */
  questions?: readonly ProtectedQuestion[]
  /** Rows of events that have got another external id. Their records may come with a later batch. */
  renamed?: readonly MappedRecord[]
  /** Names that no row has any more. */
  forgotten?: readonly RecordName[]
  /** A series that is over. */
  ended?: RowToWrite
}

type Write = {
  action: 'create' | 'update'
  mapping: Mapping
  /** True if an update brings its row back from the trash. */
  isRestored?: boolean
}

/** The decision about a record. `link` writes only the mapping. */
export type PlannedRecord = Consequences & {
  record: AnyRecord
  /** The id of its row; 0 if that is unknown. */
  id: number
  /** True if a row that the record refers to is not there yet. */
  incomplete: boolean
  /** A remark on a value that could not be kept. */
  note?: string | undefined
} & (
    | (Write & { content: RowToWrite })
    | (Write & { term: PreparedTerm })
    | { action: 'link'; mapping: Mapping }
    | { action: 'unchanged' }
    | { action: 'skip'; reason: string; code: SkipCode; values?: SkipValues }
  )

type SkipCode = ReadingCode | 'edited_there'

/**
 * The event that was edited here, and the status and start (UTC) that it has at its source, if they differ.
 */
type SkipValues = { event: number; status?: string; start?: string }

/** The action for a record, or the reason why it is skipped. */
export type Verdict =
  | 'create'
  | 'update'
  | 'unchanged'
  | { skip: string; code: SkipCode; values?: SkipValues }

/**
 * Judges a record that may have been imported before. Rows that were edited here are left alone, except by a
 * mirror of the source.
 *
 * @param stored the row now; undefined if there is none
 */
export function judgeRecord(
  known: Mapping | undefined,
  hash: string,
  stored: { revision: string; status?: string } | undefined,
  isMirror: boolean,
): Verdict {
  if (!known) return 'create'
  if (!stored) return isMirror ? 'create' : { skip: 'it was deleted here', code: 'record_deleted' }
  const wasEdited = stored.revision !== known.importedVersion
  if (isMirror) return wasEdited || hash !== known.hash ? 'update' : 'unchanged'
  if (hash === known.hash) return 'unchanged'
  if (wasEdited)
    return stored.status === 'trash'
      ? { skip: 'it was deleted here', code: 'record_deleted' }
      : { skip: 'it was edited here', code: 'record_edited' }
  return 'update'
}

/** The decision to leave the row of a record as it is. */
export const decisionToLeave = (
  decision: Exclude<Verdict, 'create' | 'update'>,
  record: AnyRecord,
  { id = 0, incomplete = false }: { id?: number | undefined; incomplete?: boolean | undefined },
): PlannedRecord => ({
  ...(typeof decision === 'object'
    ? {
        action: 'skip',
        id: 0,
        reason: decision.skip,
        code: decision.code,
        ...(decision.values && { values: decision.values }),
      }
    : { action: decision, id }),
  record,
  incomplete,
})

/**
 * True if a row was changed here since the import that stored its mapping. Rows without a mapping are made by
 * the cron.
 */
export const isEdited = (stored: StoredContent, known: Mapping | undefined): boolean =>
  known
    ? stored.revision !== known.importedVersion
    : stored.occurrence?.isDetached === true || stored.status === 'trash'

/**
 * The statements that carry out decisions: one transaction, in an order in which each row comes after those
 * it refers to.
 */
export function decisionStatements(
  context: BaseContext,
  source: string,
  plannedRecords: readonly PlannedRecord[],
): Statement[] {
  const contentOf = (wanted: ContentRecordKind): RowToWrite[] =>
    plannedRecords.flatMap(planned =>
      'content' in planned && planned.record.kind === wanted ? [planned.content] : [],
    )
  const trashedContent = plannedRecords.flatMap(({ trashed = [] }) => trashed)
  return [
    ...eventQuestionStatements(
      plannedRecords.flatMap(({ questions = [] }) => questions.map(({ id, change }) => ({ id, change }))),
    ),
    ...mappingRemovalStatements(
      source,
      plannedRecords.flatMap(({ forgotten = [] }) => forgotten),
    ),
    // Occurrences that are over come before those that take their dates and slugs.
    ...trashStatements(context, trashedContent),
    ...writeStatements(context, { series: plannedRecords.flatMap(({ ended }) => ended ?? []) }),
    ...termStatements(
      context,
      plannedRecords.flatMap(planned => ('term' in planned ? [planned.term] : [])),
    ),
    ...relatedStatements(context, VENUES, contentOf('venue')),
    ...relatedStatements(context, ORGANIZERS, contentOf('organizer')),
    ...writeStatements(context, { series: contentOf('series'), events: contentOf('event') }),
    ...mappingStatements(source, [
      ...trashedContent.flatMap(({ mapped }) => mapped ?? []),
      ...plannedRecords.flatMap(({ renamed = [] }) => renamed),
      ...plannedRecords.flatMap(planned =>
        'mapping' in planned ? [{ ...planned.record, mapping: planned.mapping }] : [],
      ),
    ]),
  ]
}

/** The statements that delete the mappings of records. */
export const mappingRemovalStatements = (source: string, names: readonly RecordName[]): Statement[] =>
  jsonBatches(names.map(([kind, externalId]) => ({ kind, externalId }))).map(json =>
    build.delete(imports).where(
      sql`(source, kind, external_id) IN (
      SELECT ${source}, ${inputValue('kind')}, ${inputValue('externalId')} FROM json_each(${json}) AS input)`,
    ),
  )

/** The statements that move content to the trash. A later import can restore it. */
export function trashStatements(
  context: BaseContext,
  trashedContent: readonly TrashedContent[],
): Statement[] {
  const contentOf = (wanted: TrashedContent['kind']) =>
    trashedContent.flatMap(({ kind, content }) => (kind === wanted ? [content] : []))
  return [
    ...writeStatements(context, { events: contentOf('event') }),
    ...relatedStatements(context, VENUES, contentOf('venue')),
    ...relatedStatements(context, ORGANIZERS, contentOf('organizer')),
  ]
}

/**
 * The statements that store the mappings of records to our rows: for each record, the last mapping. They fail
 * if a new mapping has been stored in the meantime: two imports of one source must not make its records
 * twice.
 */
export function mappingStatements(source: string, mappedRecords: readonly MappedRecord[]): Statement[] {
  const lastByKey = new Map(mappedRecords.map(mapped => [recordKey(mapped.kind, mapped.externalId), mapped]))
  const { added, same, moved } = Object.groupBy(
    lastByKey.values(),
    ({ mapping: { target, storedTarget } }) => {
      if (storedTarget === undefined) return 'added'
      return storedTarget === target ? 'same' : 'moved'
    },
  )
  const insertStatements = (records: readonly MappedRecord[] = []) =>
    rowInsertStatements(
      imports,
      records.map(({ kind, externalId: external_id, mapping: { target, hash, importedVersion } }) => ({
        source,
        kind,
        external_id,
        hash,
        target_id: target,
        imported_version: importedVersion,
      })),
    )
  const values = sql`hash = excluded.hash, imported_version = excluded.imported_version`
  const replaceStatements = (records: readonly MappedRecord[] | undefined, assigned: SQL) =>
    insertStatements(records).map(insert => sql`${insert} WHERE true ON CONFLICT DO UPDATE SET ${assigned}`)
  return [
    ...insertStatements(added),
    // The target is in an index, which would be written as well.
    ...replaceStatements(same, values),
    ...replaceStatements(moved, sql`target_id = excluded.target_id, ${values}`),
  ]
}
