import { eq, sql } from 'drizzle-orm'
import { recordEach } from '../db/audit.ts'
import { type images as imagesTable, type imports, terms } from '../db/schema.ts'
import type { Row, Statement, Value } from '../lib/connection.ts'
import type { DateTime } from '../lib/time.ts'
import { refreshPaths } from '../terms/inserts.ts'
import { requestIdOf } from './audit-source.ts'
import { forIds, insertRows, pieces, updateRows } from './bulk.ts'
import type { ColumnName } from './columns.ts'
import type { Decision, Planned } from './decisions.ts'
import { COLLECTIONS } from './documents.ts'
import type { ImageRecord, LinkName, RecordKind } from './records.ts'
import { searchStatements } from './search.ts'
import type { Mapping } from './state.ts'
import { statementOf } from './statements.ts'

type Write = Extract<Decision, { action: 'create' | 'update' }>

const isWrite = (decision: Decision): decision is Write =>
  decision.action === 'create' || decision.action === 'update'

// The stored dates stay if the source has none.
const KEPT_ON_UPDATE = ['date', 'date_utc']

/** The statements that carry out decisions: one transaction, in an order in which each row comes after those it refers to. */
export function statementsFor(planned: readonly Planned[], now: DateTime, maxBytes: number): Statement[] {
  const decisions = planned.map(({ decision }) => decision)
  const writes = decisions.filter(isWrite)
  const ofKind = (...kinds: RecordKind[]) => writes.filter(({ record }) => kinds.includes(record.kind))
  const mapped = decisions.flatMap(decision => ('mapping' in decision ? [decision] : []))
  return [
    ...imageStatements(
      planned.flatMap(({ images }) => images),
      maxBytes,
    ),
    ...termStatements(ofKind('category', 'tag'), maxBytes),
    ...(['venue', 'organizer', 'event'] as const).flatMap(kind =>
      contentStatements(kind, ofKind(kind), maxBytes),
    ),
    ...linkStatements(ofKind('event'), maxBytes),
    ...auditStatements(
      writes.map(({ action, record: { kind, source }, id }) => ({ action, kind, source, id })),
      now,
      maxBytes,
    ),
    ...mappingStatements(
      mapped.map(({ record, mapping }) => ({ ...record, mapping })),
      maxBytes,
    ),
  ]
}

/** The statements that store images. */
export const imageStatements = (
  images: readonly (ImageRecord & { id: number })[],
  maxBytes: number,
): Statement[] =>
  insertRows(
    'images',
    images.map(
      ({ id, url, width = null, height = null }) =>
        ({ id, url, width, height }) satisfies Record<ColumnName<typeof imagesTable>, Value>,
    ),
    maxBytes,
    // The image may have been stored before its size was known.
    { tail: 'ON CONFLICT (id) DO UPDATE SET width = excluded.width, height = excluded.height' },
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
export const refreshedPaths = (): Statement => statementOf(refreshPaths(eq(terms.parent, 0)))

function contentStatements(
  kind: 'venue' | 'organizer' | 'event',
  writes: readonly Write[],
  maxBytes: number,
): Statement[] {
  const table = COLLECTIONS[kind]
  const rows = (action: string) =>
    writes.filter(write => write.action === action).map(({ columns }) => columns)
  // Whoever subscribed knows an event by its UID.
  const updates = rows('update').map(
    ({ author_id: _, uid: _uid, sequence: _sequence, ...columns }) => columns,
  )
  return [
    ...vacateSlugs(table, writes, maxBytes),
    ...insertRows(table, rows('create'), maxBytes),
    ...updateRows(table, updates, maxBytes, KEPT_ON_UPDATE),
    ...searchStatements(kind, writes, maxBytes),
  ]
}

/** The statements that give rows temporary slugs before they get new ones: two rows may swap theirs, and slugs are unique. */
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
  const rows = (name: LinkName): Row[] =>
    writes.flatMap(({ id, links }) => (links?.[name] ?? []).map(link => ({ event_id: id, ...link })))
  return [
    ...['event_venues', 'event_organizers', 'event_terms'].flatMap(clear),
    ...insertRows('event_venues', rows('venues'), maxBytes),
    ...insertRows('event_organizers', rows('organizers'), maxBytes),
    ...insertRows('event_terms', rows('terms'), maxBytes),
  ]
}

type MappedRecord = { source: string; kind: RecordKind; externalId: string; mapping: Mapping }

/** The statements that store the mappings of records to our rows. */
export const mappingStatements = (mapped: readonly MappedRecord[], maxBytes: number): Statement[] =>
  insertRows(
    'imports',
    mapped.map(
      ({ source, kind, externalId, mapping }) =>
        ({
          source,
          kind,
          external_id: externalId,
          target_id: mapping.target,
          hash: mapping.hash,
          imported_version: mapping.importedVersion,
        }) satisfies Record<ColumnName<typeof imports>, Value>,
    ),
    maxBytes,
    {
      tail: `ON CONFLICT DO UPDATE SET target_id = excluded.target_id, hash = excluded.hash, imported_version = excluded.imported_version`,
    },
  )

type Change = Pick<Write, 'id'> & {
  action: 'create' | 'update' | 'trash' | 'delete'
  kind: RecordKind
  source: string
}

/** The statements that write audit entries. They name the source, but no fields: an import always fills all. */
export function auditStatements(changes: readonly Change[], now: DateTime, maxBytes: number): Statement[] {
  const groups = Map.groupBy(changes, ({ source, action, kind }) => `${source}\n${action}\n${kind}`)
  return [...groups.values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const { source, action, kind } = first
    const origin = { caller: { id: 0 }, requestId: requestIdOf(source), now }
    const ids = pieces(
      group.map(({ id }) => [id]),
      maxBytes,
    )
    return [...ids].map(json =>
      statementOf(
        recordEach(origin, { action, kind }, sql`SELECT value ->> 0 AS id FROM json_each(${json})`),
      ),
    )
  })
}
