import type { Connection, Row, Statement } from '../lib/connection.ts'
import { trashedSlug } from '../lib/slug.ts'
import { type DateTime, toWall } from '../lib/time.ts'
import { auditStatements, mappingStatements, refreshedPaths } from './apply.ts'
import { updateRows } from './bulk.ts'
import type { PlanOptions } from './decisions.ts'
import { COLLECTIONS } from './documents.ts'
import type { Item, RecordKind } from './records.ts'
import { fromImportKey, importKey, type Mapping, type State, seriesOf } from './state.ts'

export type Complete = Extract<Item, { type: 'complete' }>

/** A record that was imported before and has vanished from the source. */
type Vanished = { source: string; kind: RecordKind; externalId: string; mapping: Mapping }

/**
 * The records of a kind that were imported before and that the source, which was read completely, no longer has.
 *
 * @param seen keys of the records that were read
 * @param unread keys of records that could not be read; the UID of a recurring event stands for all its occurrences
 */
export function goneFrom(
  complete: Complete,
  seen: ReadonlySet<string>,
  unread: ReadonlySet<string>,
  state: State,
): Vanished[] {
  const { source, kind } = complete
  return [...state.imports].flatMap(([key, mapping]) => {
    const at = fromImportKey(key)
    if (at.source !== source || at.kind !== kind || seen.has(key) || unread.has(key)) return []
    if (unread.has(importKey(source, kind, seriesOf(at.externalId) ?? ''))) return []
    return isThere(complete, mapping, state) ? [{ source, kind, externalId: at.externalId, mapping }] : []
  })
}

function isThere(
  { kind, from = '', to = '9' }: Complete,
  { target, importedVersion }: Mapping,
  state: State,
): boolean {
  // An adopted term was not made by an import, and is not deleted by one.
  if (kind === 'category' || kind === 'tag') return importedVersion !== null && state.terms.rows.has(target)
  const stored = state.content[kind].rows.get(target)
  if (!stored || stored.status === 'trash') return false
  return kind !== 'event' || (stored.start >= from && stored.start <= to)
}

/** The statements that move content to the trash, as deleting it through the API would. A later import can restore it. */
export function trashStatements(
  kind: 'event' | 'venue' | 'organizer',
  gone: readonly Vanished[],
  state: State,
  options: PlanOptions,
  maxBytes: number,
): Statement[] {
  const { now, timezone } = options
  const index = state.content[kind]
  const rows: Row[] = []
  const mapped = gone.map(item => {
    const { target } = item.mapping
    const stored = index.rows.get(target)
    const version = (stored?.version ?? 0) + 1
    const slug = index.freeSlug(trashedSlug(stored?.slug ?? ''))
    const { start = '', externalId = '' } = stored ?? {}
    index.set(target, { slug, version, status: 'trash', start, externalId })
    rows.push({
      id: target,
      status: 'trash',
      slug,
      version,
      modified: toWall(now, timezone),
      modified_utc: now,
    })
    const mapping = { target, hash: '', importedVersion: String(version) }
    state.setMapping(item.source, kind, item.externalId, mapping)
    return { ...item, mapping }
  })
  const changes = gone.map(({ source, mapping }) => ({
    action: 'trash' as const,
    kind,
    source,
    id: mapping.target,
  }))
  return [
    ...updateRows(COLLECTIONS[kind], rows, maxBytes),
    ...mappingStatements(mapped, maxBytes),
    ...auditStatements(changes, now, maxBytes),
  ]
}

/** The terms that no event outside the trash has. */
export async function unusedTerms(db: Connection, gone: readonly Vanished[]): Promise<Vanished[]> {
  const used = await db.query(
    `SELECT DISTINCT target_id FROM event_terms JOIN events ON events.id = event_id
     WHERE status <> 'trash' AND target_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(gone.map(({ mapping }) => mapping.target)),
  )
  const ids = new Set(used.map(row => Number(row.target_id)))
  return gone.filter(({ mapping }) => !ids.has(mapping.target))
}

/** The statements that delete terms, for which there is no trash. Their children move up. */
export const removalOfTerms = (gone: readonly Vanished[], now: DateTime, maxBytes: number): Statement[] => [
  ...gone.flatMap(({ source, kind, externalId, mapping: { target } }): Statement[] => [
    ['DELETE FROM event_terms WHERE target_id = ?', target],
    ['UPDATE terms SET parent = (SELECT parent FROM terms WHERE id = ?) WHERE parent = ?', target, target],
    ['DELETE FROM terms WHERE id = ?', target],
    ['DELETE FROM imports WHERE source = ? AND kind = ? AND external_id = ?', source, kind, externalId],
  ]),
  refreshedPaths(),
  ...auditStatements(
    gone.map(({ source, kind, mapping }) => ({ action: 'delete', kind, source, id: mapping.target })),
    now,
    maxBytes,
  ),
]
