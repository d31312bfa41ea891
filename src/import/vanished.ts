import type { Connection, Statement } from '../lib/connection.ts'
import { trashedSlug } from '../lib/slug.ts'
import { type DateTime, toWall } from '../lib/time.ts'
import { auditStatements, mappingStatements, refreshedPaths } from './apply.ts'
import { updateRows } from './bulk.ts'
import type { Options } from './decisions.ts'
import { COLLECTIONS } from './documents.ts'
import type { Item, Kind } from './records.ts'
import type { Columns } from './rows.ts'
import { fromImportKey, importKey, type Mapping, type State, seriesOf } from './state.ts'

export type Complete = Extract<Item, { type: 'complete' }>

type Gone = { source: string; kind: Kind; externalId: string; mapping: Mapping }

/**
 * The imported rows of a kind that the source, which was read completely, has no more.
 *
 * @param unread what is there, but could not be read; a recurring event's UID stands for all its occurrences
 */
export function goneFrom(
  complete: Complete,
  seen: ReadonlySet<string>,
  unread: ReadonlySet<string>,
  state: State,
): Gone[] {
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
  // A term that was only linked is not the import's to delete.
  if (kind === 'category' || kind === 'tag') return importedVersion !== null && state.terms.rows.has(target)
  const post = state.posts[kind].rows.get(target)
  if (!post || post.status === 'trash') return false
  return kind !== 'event' || (post.start >= from && post.start <= to)
}

/** The statements that move posts to the trash, as deleting them here would; what returns is restored. */
export function trashStatements(
  kind: 'event' | 'venue' | 'organizer',
  gone: readonly Gone[],
  state: State,
  options: Options,
  maxBytes: number,
): Statement[] {
  const { now, timezone } = options
  const index = state.posts[kind]
  const rows: Columns[] = []
  const mapped = gone.map(item => {
    const { target } = item.mapping
    const post = index.rows.get(target)
    const version = (post?.version ?? 0) + 1
    const slug = index.freeSlug(trashedSlug(post?.slug ?? ''))
    index.set(target, { slug, version, status: 'trash', start: post?.start ?? '' })
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

/** Those of the terms that no event outside the trash carries. */
export async function unusedTerms(db: Connection, gone: readonly Gone[]): Promise<Gone[]> {
  const used = await db.query(
    `SELECT DISTINCT target_id FROM event_terms JOIN events ON events.id = event_id
     WHERE status <> 'trash' AND target_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(gone.map(({ mapping }) => mapping.target)),
  )
  const ids = new Set(used.map(row => Number(row.target_id)))
  return gone.filter(({ mapping }) => !ids.has(mapping.target))
}

/** The statements that delete terms, which know no trash. Their children move up. */
export const removalOfTerms = (gone: readonly Gone[], now: DateTime, maxBytes: number): Statement[] => [
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
