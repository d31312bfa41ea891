import type { Statement } from '../lib/connection.ts'
import type { DateTime } from '../lib/time.ts'
import { forIds, insertRows, pieces, shortenAll, updateRows } from './bulk.ts'
import type { Decision, Links, Planned } from './decisions.ts'
import { COLLECTIONS } from './documents.ts'
import type { ImageRecord, Kind } from './records.ts'
import type { Columns } from './rows.ts'
import type { Mapping } from './state.ts'

type Write = Extract<Decision, { action: 'create' | 'update' }>

const isWrite = (decision: Decision): decision is Write =>
  decision.action === 'create' || decision.action === 'update'

// Empty where the source tells none: then what is stored stays.
const KEPT_ON_UPDATE = ['date', 'date_utc']

/** The statements that carry out decisions: one transaction, in an order in which nothing refers ahead. */
export function statementsFor(planned: readonly Planned[], now: DateTime, maxBytes: number): Statement[] {
  const decisions = planned.map(({ decision }) => decision)
  const writes = decisions.filter(isWrite)
  const ofKind = (...kinds: Kind[]) => writes.filter(({ record }) => kinds.includes(record.kind))
  const mapped = decisions.flatMap(decision => ('mapping' in decision ? [decision] : []))
  return [
    ...imageStatements(
      planned.flatMap(({ images }) => images),
      maxBytes,
    ),
    ...termStatements(ofKind('category', 'tag'), maxBytes),
    ...(['venue', 'organizer', 'event'] as const).flatMap(kind =>
      postStatements(kind, ofKind(kind), maxBytes),
    ),
    ...linkStatements(ofKind('event'), maxBytes),
    ...auditStatements(
      writes.map(({ action, record, id }) => ({ action, kind: record.kind, id })),
      now,
      maxBytes,
    ),
    ...mappingStatements(
      mapped.map(({ record, mapping }) => ({ ...record, mapping })),
      maxBytes,
    ),
  ]
}

export const imageStatements = (
  images: readonly (ImageRecord & { id: number })[],
  maxBytes: number,
): Statement[] =>
  insertRows(
    'images',
    images.map(({ id, url, width = null, height = null }) => ({ id, url, width, height })),
    maxBytes,
  )

function termStatements(writes: readonly Write[], maxBytes: number): Statement[] {
  if (writes.length === 0) return []
  const rows = (action: string) =>
    writes.filter(write => write.action === action).map(({ columns }) => columns)
  return [
    ...vacateSlugs('terms', writes, maxBytes),
    ...insertRows('terms', rows('create'), maxBytes),
    ...updateRows('terms', rows('update'), maxBytes),
    refreshedPaths(),
  ]
}

/** Recomputes all paths of terms from the roots down. */
export const refreshedPaths = (): Statement => [
  `WITH RECURSIVE tree(id, path) AS (
    SELECT id, slug FROM terms WHERE parent = 0
    UNION ALL
    SELECT terms.id, tree.path || '/' || terms.slug FROM tree JOIN terms ON terms.parent = tree.id
  )
  UPDATE terms SET path = tree.path FROM tree WHERE terms.id = tree.id AND terms.path <> tree.path`,
]

function postStatements(
  kind: 'venue' | 'organizer' | 'event',
  writes: readonly Write[],
  maxBytes: number,
): Statement[] {
  const table = COLLECTIONS[kind]
  const rows = (action: string) =>
    writes.filter(write => write.action === action).map(({ columns }) => columns)
  const updates = rows('update').map(({ author_id: _, ...columns }) => columns)
  return [
    ...vacateSlugs(table, writes, maxBytes),
    ...insertRows(table, rows('create'), maxBytes),
    ...updateRows(table, updates, maxBytes, KEPT_ON_UPDATE),
    ...searchStatements(table, writes, maxBytes),
  ]
}

/** Stores what `search` looks through. That of events stands under a key that follows their start. */
function searchStatements(table: string, writes: readonly Write[], maxBytes: number): Statement[] {
  const rows = writes.flatMap(({ id, search }): Columns[] =>
    search === undefined ? [] : [{ id, search_text: search }],
  )
  const written = shortenAll(rows, 'id', maxBytes)
  const insert =
    table === 'events'
      ? `INSERT OR REPLACE INTO events_search (rowid, listed, unlisted)
         SELECT search_key, iif(listed_from IS NULL, NULL, given.value ->> 1), iif(listed_from IS NULL, given.value ->> 1, NULL)
         FROM json_each(?) AS given JOIN events ON events.id = given.value ->> 0`
      : `INSERT OR REPLACE INTO ${table}_search (rowid, search_text) SELECT value ->> 0, value ->> 1 FROM json_each(?)`
  const append =
    table === 'events'
      ? `UPDATE events_search SET listed = listed || ?, unlisted = unlisted || ?
         WHERE rowid = (SELECT search_key FROM events WHERE id = ?)`
      : `UPDATE ${table}_search SET search_text = search_text || ? WHERE rowid = ?`
  const lists = written.rows.map(({ id, search_text }) => [id, search_text])
  return [
    ...[...pieces(lists, maxBytes)].map((json): Statement => [insert, json]),
    ...written.tails.map(
      ({ key, text }): Statement => (table === 'events' ? [append, text, text, key] : [append, text, key]),
    ),
  ]
}

/** Two rows may be about to swap slugs, which are unique from one row to the next. */
function vacateSlugs(table: string, writes: readonly Write[], maxBytes: number): Statement[] {
  const sql = `UPDATE ${table} SET slug = '__moving-' || id WHERE id IN (SELECT value FROM json_each(?))`
  return forIds(
    sql,
    writes.filter(({ slugMoves }) => slugMoves).map(({ id }) => id),
    maxBytes,
  )
}

function linkStatements(writes: readonly Write[], maxBytes: number): Statement[] {
  const updated = writes.filter(({ action }) => action === 'update').map(({ id }) => id)
  const clear = (table: string) =>
    forIds(`DELETE FROM ${table} WHERE event_id IN (SELECT value FROM json_each(?))`, updated, maxBytes)
  const rows = (name: keyof Links): Columns[] =>
    writes.flatMap(({ id, links }) =>
      (links?.[name] ?? []).map((target, position) => ({ event_id: id, target_id: target, position })),
    )
  return [
    ...['event_venues', 'event_organizers', 'event_terms'].flatMap(clear),
    ...insertRows('event_venues', rows('venues'), maxBytes),
    ...insertRows('event_organizers', rows('organizers'), maxBytes),
    ...insertRows(
      'event_terms',
      rows('terms').map(({ position: _, ...link }) => link),
      maxBytes,
    ),
  ]
}

type Mapped = { source: string; kind: Kind; externalId: string; mapping: Mapping }

export const mappingStatements = (mapped: readonly Mapped[], maxBytes: number): Statement[] =>
  insertRows(
    'imports',
    mapped.map(({ source, kind, externalId, mapping }) => ({
      source,
      kind,
      foreign_id: externalId,
      target_id: mapping.target,
      hash: mapping.hash,
      stamp: mapping.importedVersion,
    })),
    maxBytes,
    {
      tail: `ON CONFLICT DO UPDATE SET target_id = excluded.target_id, hash = excluded.hash, stamp = excluded.stamp`,
    },
  )

type Change = { action: 'create' | 'update' | 'trash' | 'delete'; kind: Kind; id: number }

/** The audit's entries: what is done from the command line is nobody's, and which fields an import fills is known. */
export const auditStatements = (changes: readonly Change[], now: DateTime, maxBytes: number): Statement[] =>
  insertRows(
    'audit',
    changes.map(({ action, kind, id }) => ({
      at_utc: now,
      request_id: 'import',
      action,
      kind,
      object_id: id,
    })),
    maxBytes,
  )
