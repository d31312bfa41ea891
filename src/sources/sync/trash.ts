import { trashedSlug } from '../../lib/slug.ts'
import { toWall } from '../../lib/time.ts'
import type { ContentRecordKind } from '../records.ts'
import type { PlanOptions, Trashed } from './decisions.ts'
import type { State } from './state.ts'

type Named = { source: string; externalId: string | undefined }

/** The change that moves a row to the trash, as deleting it through the API would. A later import can restore it. */
export function trash(
  kind: Exclude<ContentRecordKind, 'series'>,
  id: number,
  { source, externalId }: Named,
  state: State,
  { now, timezone }: PlanOptions,
): Trashed {
  const index = state.content[kind]
  const stored = index.rows.get(id)
  const version = (stored?.version ?? 0) + 1
  const slug = index.freeSlug(trashedSlug(stored?.slug ?? ''))
  if (stored) index.set(id, { ...stored, slug, version, edition: String(version), status: 'trash' })
  const mapping = { target: id, hash: '', importedVersion: String(version) }
  if (externalId !== undefined) state.setMapping(source, kind, externalId, mapping)
  const modified = { modified: toWall(now, timezone), modified_utc: now }
  return { row: { id, status: 'trash', slug, version, ...modified }, source, externalId, mapping }
}
