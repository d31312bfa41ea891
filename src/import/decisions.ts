import type { DateTime } from '../lib/time.ts'
import type { Links } from './drafts.ts'
import type { AnyRecord, ImageRecord } from './records.ts'
import type { Columns } from './rows.ts'
import type { Mapping } from './state.ts'

/** Action that a record calls for; `adopt` writes only the mapping. */
export type Decision =
  | {
      action: 'create' | 'update'
      record: AnyRecord
      id: number
      columns: Columns
      links?: Links
      mapping: Mapping
      /** True if an update changes the slug. */
      slugMoves: boolean
    }
  | { action: 'adopt'; record: AnyRecord; id: number; mapping: Mapping }
  | { action: 'unchanged'; record: AnyRecord; id: number }
  | { action: 'skip'; record: AnyRecord; reason: string }

export type Options = {
  /** Make everything as it is at the source, also what was edited here. */
  mirror: boolean
  authorId: number
  /** UTC. */
  now: DateTime
  /** The site's zone. */
  timezone: string
}

/** A decision, what new images it needs, and whether something that the record links to was not there yet. */
export type Planned = { decision: Decision; images: (ImageRecord & { id: number })[]; incomplete: boolean }

/**
 * Verdict on a record that may have been imported before: what was edited here is left alone, unless this is to be
 * a mirror of the source.
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
