import type { IntakeCode } from '../../lib/reasons.ts'
import type { PreparedSeries } from '../../resources/events/recurrence/statements.ts'
import type { EventRowToWrite } from '../../resources/events/writes.ts'
import type { PreparedTerm } from '../../resources/terms/statements.ts'
import type { AnyRecord, ContentRecordKind, RecordKind, RecordName } from '../records.ts'
import type { Mapping, StoredContent } from './batch.ts'

/** A row of content to be written, with the id that it has or gets. Those of series have texts, which their dates follow. */
export type RowToWrite = EventRowToWrite & Pick<PreparedSeries, 'texts' | 'follows'> & { id: number }

/** A record and the row that it is from now on. */
export type Mapped = { kind: RecordKind; externalId: string; mapping: Mapping }

/** Content that an import moves to the trash. No record may have named it. */
export type Trashed = {
  kind: Exclude<ContentRecordKind, 'series'>
  content: RowToWrite
  mapped: Mapped | undefined
}

/** The decision about a record, and about occurrences that change with it. `link` writes only the mapping. */
export type Planned = {
  action: 'create' | 'update' | 'link' | 'unchanged' | 'skip'
  /** True if an update brings its row back from the trash. */
  isRestored?: boolean
  record: AnyRecord
  /** The id of its row; 0 if that is unknown. */
  id: number
  mapping?: Mapping
  content?: RowToWrite
  term?: PreparedTerm
  /** The reason why it is skipped. */
  reason?: string
  code?: IntakeCode
  /** True if a row that the record refers to is not there yet. */
  incomplete: boolean
  /** A remark on a value that could not be kept. */
  note?: string | undefined
  trashed?: readonly Trashed[]
  /** Rows of events that have got another external id. Their records may come with a later batch. */
  renamed?: readonly Mapped[]
  /** Names that no row has any more. */
  forgotten?: readonly RecordName[]
  /** A series that is over. */
  ended?: RowToWrite
}

/** The action for a record, or the reason why it is skipped. */
export type Verdict = 'create' | 'update' | 'unchanged' | { skip: string; code: IntakeCode }

/**
 * Judges a record that may have been imported before. Rows that were edited here are left alone, except by a mirror of the
 * source.
 *
 * @param stored the row now; undefined if there is none
 */
export function verdict(
  known: Mapping | undefined,
  hash: string,
  stored: { revision: string; status?: string } | undefined,
  mirror: boolean,
): Verdict {
  if (!known) return 'create'
  if (!stored) return mirror ? 'create' : { skip: 'it was deleted here', code: 'record_deleted' }
  const edited = stored.revision !== known.importedVersion
  if (mirror) return edited || hash !== known.hash ? 'update' : 'unchanged'
  if (hash === known.hash) return 'unchanged'
  if (edited)
    return stored.status === 'trash'
      ? { skip: 'it was deleted here', code: 'record_deleted' }
      : { skip: 'it was edited here', code: 'record_edited' }
  return 'update'
}

type Left = {
  /** The id of the row, if it is known. */
  id?: number | undefined
  incomplete?: boolean | undefined
}

/** The decision to leave the row of a record as it is. */
export const leftAs = (
  judged: Exclude<Verdict, 'create' | 'update'>,
  record: AnyRecord,
  { id = 0, incomplete = false }: Left,
): Planned => ({
  ...(typeof judged === 'object'
    ? { action: 'skip', id: 0, reason: judged.skip, code: judged.code }
    : { action: judged, id }),
  record,
  incomplete,
})

/** Tells if a row was changed here since the import that a mapping is of. Rows without one are made by the cron. */
export const isEdited = (stored: StoredContent, known: Mapping | undefined): boolean =>
  known
    ? stored.revision !== known.importedVersion
    : stored.occurrence?.isDetached === true || stored.status === 'trash'
