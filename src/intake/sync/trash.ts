import { trashedSlug } from '../../lib/slug.ts'
import { toWall } from '../../lib/time.ts'
import type { PlanOptions, RowToWrite, Trashed } from './decisions.ts'
import type { State } from './state.ts'

/**
 * The change that moves a row to the trash, as deleting it through the API would. A later import can restore it.
 *
 * @param externalId by which its source knows it; undefined if it is not known by any
 */
export function trash(
  { kind, source }: Pick<Trashed, 'kind' | 'source'>,
  id: number,
  externalId: string | undefined,
  state: State,
  { now, timezone }: PlanOptions,
): Trashed {
  const rows = state.content[kind]
  const stored = rows.rows.get(id)
  const version = (stored?.version ?? 0) + 1
  const slug = trashedSlug(stored?.slug ?? '')
  if (stored) rows.set(id, { ...stored, slug, version, edition: String(version), status: 'trash' })
  const mapping = { target: id, hash: '', importedVersion: String(version) }
  if (externalId !== undefined) state.setMapping(source, kind, externalId, mapping)
  const columns = { status: 'trash', slug, modified: toWall(now, timezone), modified_utc: now } as const
  return { kind, content: trashedRow(id, version - 1, columns), source, externalId, mapping }
}

/** The change that moves an occurrence to the trash. */
export const trashOccurrence = (id: number, source: string, state: State, options: PlanOptions): Trashed =>
  trash({ kind: 'event', source }, id, state.externalIdsOf(source, 'event', id)[0], state, options)

/** The end of a series, which leaves its row to the occurrences in the trash. */
export const endOfRow = (id: number, state: State): RowToWrite =>
  trashedRow(id, state.content.series.rows.get(id)?.version ?? 0, { status: 'trash', extend_from: null })

const trashedRow = (id: number, version: number, columns: RowToWrite['columns']): RowToWrite => ({
  ...{ id, stored: { id, version }, columns, action: 'trash' },
  ...{ image: undefined, fields: [], relations: {}, text: undefined },
})
