import { eq, type SQL, sql } from 'drizzle-orm'
import { recordEach } from '../db/audit.ts'
import { termAncestors } from '../db/derived.ts'
import { inList } from '../db/query.ts'
import { events, type images as imagesTable, type imports, series, terms } from '../db/schema.ts'
import { copyAssignments, FIELD_NAMES } from '../events/recurrence/shared.ts'
import { replaceLinks } from '../events/recurrence/statements.ts'
import type { Row, Statement, Value } from '../lib/connection.ts'
import type { DateTime } from '../lib/time.ts'
import { refreshPaths } from '../terms/inserts.ts'
import { requestIdOf } from './audit-source.ts'
import { forIds, insertRows, pieces, updateRows } from './bulk.ts'
import type { ColumnName } from './columns.ts'
import type { Decision, Planned, SeriesPlan, Trashed } from './decisions.ts'
import { COLLECTIONS } from './documents.ts'
import type { ContentRecordKind, ImageRecord, LinkName, RecordKind } from './records.ts'
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
    ...seriesStatements(
      planned.flatMap(({ series }) => series ?? []),
      now,
      maxBytes,
    ),
    ...(['venue', 'organizer', 'series'] as const).flatMap(kind =>
      contentStatements(kind, ofKind(kind), maxBytes),
    ),
    // Before the records of the same occurrences, which may bring other texts.
    ...planned.flatMap(({ series }) => searchStatements('event', series?.reindexed ?? [], maxBytes)),
    ...planned.flatMap(({ series }) =>
      series?.followed === undefined ? [] : [statementOf(followSeries(series.followed))],
    ),
    ...contentStatements('event', ofKind('event'), maxBytes),
    ...linkStatements('series', ofKind('series'), maxBytes),
    ...planned.flatMap(({ series }) =>
      series?.followed === undefined ? [] : replaceLinks(series.followed, FIELD_NAMES).map(statementOf),
    ),
    ...linkStatements('event', ofKind('event'), maxBytes),
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
        ({ id, url, width, height }) satisfies Partial<Record<ColumnName<typeof imagesTable>, Value>>,
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
    pathsBelow(writes.map(({ id }) => id)),
  ]
}

/** Recomputes the paths of some terms and of all below them. Whole calendars have a hundred thousand. */
function pathsBelow(ids: readonly number[]): Statement {
  const isAbove = sql`term_id = ${terms.id} AND ancestor_id <> ${terms.id} AND ancestor_id IN ${inList(ids)}`
  return statementOf(
    refreshPaths(
      sql`${terms.id} IN ${inList(ids)} AND NOT EXISTS (SELECT 1 FROM ${termAncestors} WHERE ${isAbove})`,
    ),
  )
}

/** Recomputes all paths of terms from the roots down. */
export const refreshedPaths = (): Statement => statementOf(refreshPaths(eq(terms.parent, 0)))

/** The statements about occurrences that are over, which come before those that take their dates and slugs. */
function seriesStatements(plans: readonly SeriesPlan[], now: DateTime, maxBytes: number): Statement[] {
  const unmapped = plans.flatMap(plan => plan.unmapped)
  return [
    ...[
      ...pieces(
        unmapped.map(({ source, kind, externalId }) => [source, kind, externalId]),
        maxBytes,
      ),
    ].map(
      (json): Statement => [
        `DELETE FROM imports WHERE (source, kind, external_id) IN (
          SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))`,
        json,
      ],
    ),
    ...trashStatements(
      'event',
      plans.flatMap(plan => plan.trashed),
      now,
      maxBytes,
    ),
    ...plans.flatMap(({ ended }) => (ended === undefined ? [] : [endStatement(ended)])),
  ]
}

/** The statement that gives occurrences in the trash what they share with their series, unless it is detached. */
const followSeries = (id: number): SQL =>
  sql`UPDATE ${events} SET ${sql.join(copyAssignments(FIELD_NAMES), sql`, `)} FROM ${series}
    WHERE ${series.id} = ${id} AND ${events.series_id} = ${series.id} AND ${events.status} = 'trash'`

/** The statement that ends a series, which leaves its row to the occurrences in the trash. */
export const endStatement = (id: number): Statement => [
  `UPDATE series SET status = 'trash', extend_from = NULL, version = version + 1 WHERE id = ?`,
  id,
]

/** The statements that move content to the trash. A later import can restore it. */
export const trashStatements = (
  kind: ContentRecordKind,
  changes: readonly Trashed[],
  now: DateTime,
  maxBytes: number,
): Statement[] => [
  ...updateRows(
    COLLECTIONS[kind],
    changes.map(({ row }) => row),
    maxBytes,
  ),
  ...mappingStatements(
    changes.flatMap(({ source, externalId, mapping }) =>
      externalId === undefined ? [] : [{ source, kind, externalId, mapping }],
    ),
    maxBytes,
  ),
  ...auditStatements(
    changes.map(({ source, mapping }) => ({ action: 'trash', kind, source, id: mapping.target })),
    now,
    maxBytes,
  ),
]

function contentStatements(kind: ContentRecordKind, writes: readonly Write[], maxBytes: number): Statement[] {
  const table = COLLECTIONS[kind]
  const rows = (action: string) =>
    writes.filter(write => write.action === action).map(({ columns }) => columns)
  // Whoever subscribed knows an event by its UID.
  const updates = rows('update').map(
    ({ author_id: _, uid: _uid, sequence: _sequence, ...columns }) => columns,
  )
  return [
    ...vacateSlugs(table, writes, maxBytes),
    ...vacateDates(writes, maxBytes),
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

/** The statement that takes occurrences off their dates before they get others: a series has each date once. */
const vacateDates = (writes: readonly Write[], maxBytes: number): Statement[] =>
  forIds(
    `UPDATE events SET occurrence_date = '-' || occurrence_date WHERE id IN (SELECT value FROM json_each(?))`,
    writes.filter(({ dateMoves }) => dateMoves).map(({ id }) => id),
    maxBytes,
  )

function linkStatements(owner: 'event' | 'series', writes: readonly Write[], maxBytes: number): Statement[] {
  const updated = writes.filter(({ action }) => action === 'update').map(({ id }) => id)
  const clear = (table: string) =>
    forIds(`DELETE FROM ${table} WHERE ${owner}_id IN (SELECT value FROM json_each(?))`, updated, maxBytes)
  const rows = (name: LinkName): Row[] =>
    writes.flatMap(({ id, links }) => (links?.[name] ?? []).map(link => ({ [`${owner}_id`]: id, ...link })))
  return [
    ...[`${owner}_venues`, `${owner}_organizers`, `${owner}_terms`].flatMap(clear),
    ...insertRows(`${owner}_venues`, rows('venues'), maxBytes),
    ...insertRows(`${owner}_organizers`, rows('organizers'), maxBytes),
    ...insertRows(`${owner}_terms`, rows('terms'), maxBytes),
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
