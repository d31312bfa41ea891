import type { Row } from '../lib/connection.ts'
import type { DateTime } from '../lib/time.ts'
import type { Links } from './drafts.ts'
import type { AnyRecord, ImageRecord } from './records.ts'
import type { Mapping } from './state.ts'

/** The action to take for a record; `adopt` writes only the mapping. */
export type Decision =
  | {
      action: 'create' | 'update'
      record: AnyRecord
      id: number
      columns: Row
      links?: Links
      mapping: Mapping
      /** True if an update changes the slug. */
      slugMoves: boolean
    }
  | { action: 'adopt'; record: AnyRecord; id: number; mapping: Mapping }
  | { action: 'unchanged'; record: AnyRecord; id: number }
  | { action: 'skip'; record: AnyRecord; reason: string }

export type PlanOptions = {
  /** Makes everything as it is at the source, and undoes edits made here. */
  mirror: boolean
  authorId: number
  /** UTC. */
  now: DateTime
  /** The site's zone. */
  timezone: string
}

/** A decision with the new images that it needs. It is incomplete if a row that the record refers to is not there yet. */
export type Planned = {
  decision: Decision
  images: (ImageRecord & { id: number })[]
  incomplete: boolean
  /** A remark on a value that could not be kept. */
  note?: string | undefined
}

/**
 * Decides about a record that may have been imported before. Rows that were edited here are left alone, except by a
 * mirror of the source.
 *
 * @param version the row's version now; undefined if there is none
 */
export function verdict(
  known: Mapping | undefined,
  hash: string,
  version: string | undefined,
  mirror: boolean,
): 'create' | 'update' | 'unchanged' | { skip: string } {
  if (!known) return 'create'
  const edited = version !== known.importedVersion
  if (mirror) return version === undefined ? 'create' : edited || hash !== known.hash ? 'update' : 'unchanged'
  if (version === undefined) return { skip: 'it was deleted here' }
  if (hash === known.hash) return 'unchanged'
  return edited ? { skip: 'it was edited here' } : 'update'
}
