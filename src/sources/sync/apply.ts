import { type SQL, sql } from 'drizzle-orm'
import { relatedText } from '../../content/related/writes.ts'
import { indexTexts } from '../../content/search.ts'
import { recordRows } from '../../db/audit.ts'
import { given, insertRows, jsonPieces, updateRows } from '../../db/bulk.ts'
import { termAncestors } from '../../db/derived.ts'
import { inList } from '../../db/query.ts'
import { events, images as imagesTable, imports, series, terms } from '../../db/schema.ts'
import { copyAssignments, FIELD_NAMES } from '../../events/recurrence/shared.ts'
import { replaceLinks } from '../../events/recurrence/statements.ts'
import {
  eventText,
  indexEvents,
  indexSeries,
  occurrenceText,
  reindexOccurrences,
} from '../../events/search.ts'
import type { Row } from '../../lib/connection.ts'
import type { DateTime } from '../../lib/time.ts'
import { ORGANIZERS } from '../../organizers/kind.ts'
import { refreshPaths } from '../../terms/inserts.ts'
import { VENUES } from '../../venues/kind.ts'
import { requestIdOf } from '../audit-source.ts'
import { LINK_TABLES, TABLE_OF, TABLES } from '../columns.ts'
import type { ContentRecordKind, ImageRecord, LinkName, RecordKind } from '../records.ts'
import type { Decision, Planned, SeriesPlan, Trashed } from './decisions.ts'
import type { Mapping } from './state.ts'

type Write = Extract<Decision, { action: 'create' | 'update' }>

const isWrite = (decision: Decision): decision is Write =>
  decision.action === 'create' || decision.action === 'update'

/** The table of a kind of record. */
const tableOf = <K extends RecordKind>(kind: K): (typeof TABLES)[(typeof TABLE_OF)[K]] =>
  TABLES[TABLE_OF[kind]]

/** The statements that carry out decisions: one transaction, in an order in which each row comes after those it refers to. */
export function statementsFor(planned: readonly Planned[], now: DateTime): SQL[] {
  const decisions = planned.map(({ decision }) => decision)
  const writes = decisions.filter(isWrite)
  const ofKind = (...kinds: RecordKind[]) => writes.filter(({ record }) => kinds.includes(record.kind))
  const changed = ofKind('series').filter(({ action }) => action === 'update')
  const followed = planned.flatMap(({ series: plan }) => plan?.followed ?? [])
  return [
    ...imageStatements(planned.flatMap(({ images }) => images)),
    ...termStatements(ofKind('category', 'tag')),
    ...seriesStatements(
      planned.flatMap(({ series: plan }) => plan ?? []),
      now,
    ),
    ...(['venue', 'organizer', 'series'] as const).flatMap(kind => contentStatements(kind, ofKind(kind))),
    // Before the records of the same occurrences, which may bring other texts.
    ...reindexOccurrences(changed.map(({ id, columns }) => ({ ...columns, id }))),
    ...followed.map(followSeries),
    ...contentStatements('event', ofKind('event')),
    ...linkStatements('series', ofKind('series')),
    ...(followed.length === 0 ? [] : replaceLinks(inList(followed), FIELD_NAMES)),
    ...linkStatements('event', ofKind('event')),
    ...auditStatements(
      writes.map(({ action, record: { kind, source }, id }) => ({ action, kind, source, id })),
      now,
    ),
    ...mappingStatements(
      decisions.flatMap(decision =>
        'mapping' in decision ? [{ ...decision.record, mapping: decision.mapping }] : [],
      ),
    ),
  ]
}

/** The statements that store images. One may have been stored before its size was known. */
const imageStatements = (images: readonly (ImageRecord & { id: number })[]): SQL[] =>
  jsonPieces(images).map(
    json => sql`INSERT INTO ${imagesTable} (id, url, width, height)
      SELECT ${given('id')}, ${given('url')}, ${given('width')}, ${given('height')}
      FROM json_each(${json}) AS given WHERE true
      ON CONFLICT (id) DO UPDATE SET width = excluded.width, height = excluded.height`,
  )

const rowsOf = (writes: readonly Write[], wanted: Write['action']): Row[] =>
  writes.filter(({ action }) => action === wanted).map(({ columns }) => columns)

function termStatements(writes: readonly Write[]): SQL[] {
  if (writes.length === 0) return []
  const isAbove = (ids: SQL) =>
    sql`term_id = ${terms.id} AND ancestor_id <> ${terms.id} AND ancestor_id IN ${ids}`
  const written = inList(writes.map(({ id }) => id))
  return [
    ...vacateSlugs(terms, writes),
    ...insertRows(terms, rowsOf(writes, 'create')),
    ...updateRows(terms, rowsOf(writes, 'update')),
    // Only those below which no other one is: whole calendars have a hundred thousand.
    refreshPaths(
      sql`${terms.id} IN ${written} AND NOT EXISTS (SELECT 1 FROM ${termAncestors} WHERE ${isAbove(written)})`,
    ),
  ]
}

/** The statements about occurrences that are over, which come before those that take their dates and slugs. */
function seriesStatements(plans: readonly SeriesPlan[], now: DateTime): SQL[] {
  return [
    ...forget(plans.flatMap(plan => plan.unmapped)),
    ...trashStatements(
      'event',
      plans.flatMap(plan => plan.trashed),
      now,
    ),
    ...plans.flatMap(({ ended }) => (ended === undefined ? [] : [endStatement(ended)])),
  ]
}

type Origin = { source: string; kind: RecordKind; externalId: string }

/** The statements that delete mappings. */
export const forget = (mapped: readonly Origin[]): SQL[] =>
  jsonPieces(mapped.map(({ source, kind, externalId }) => ({ source, kind, externalId }))).map(
    json => sql`DELETE FROM ${imports} WHERE (source, kind, external_id) IN (
      SELECT ${given('source')}, ${given('kind')}, ${given('externalId')} FROM json_each(${json}) AS given)`,
  )

/** The statement that gives occurrences in the trash what they share with their series, unless it is detached. */
const followSeries = (id: number): SQL =>
  sql`UPDATE ${events} SET ${sql.join(copyAssignments(FIELD_NAMES), sql`, `)} FROM ${series}
    WHERE ${series.id} = ${id} AND ${events.series_id} = ${series.id} AND ${events.status} = 'trash'`

/** The statement that ends a series, which leaves its row to the occurrences in the trash. */
export const endStatement = (id: number): SQL =>
  sql`UPDATE ${series} SET status = 'trash', extend_from = NULL, version = version + 1 WHERE id = ${id}`

/** The statements that move content to the trash. A later import can restore it. */
export const trashStatements = (
  kind: ContentRecordKind,
  changes: readonly Trashed[],
  now: DateTime,
): SQL[] => [
  ...updateRows(
    tableOf(kind),
    changes.map(({ row }) => row),
  ),
  ...mappingStatements(
    changes.flatMap(({ source, externalId, mapping }) =>
      externalId === undefined ? [] : [{ source, kind, externalId, mapping }],
    ),
  ),
  ...auditStatements(
    changes.map(({ source, mapping }) => ({ action: 'trash', kind, source, id: mapping.target })),
    now,
  ),
]

function contentStatements(kind: ContentRecordKind, writes: readonly Write[]): SQL[] {
  if (writes.length === 0) return []
  const table = tableOf(kind)
  const updates = rowsOf(writes, 'update').map(
    // Whoever subscribed knows an event by its UID. The stored dates stay if the source has none.
    ({ author_id: _, uid: _uid, sequence: _sequence, date, date_utc, ...columns }) =>
      date == null ? columns : { ...columns, date, date_utc },
  )
  return [
    ...vacateSlugs(table, writes),
    ...vacateDates(writes),
    ...insertRows(table, rowsOf(writes, 'create')),
    ...updateRows(table, updates),
    ...searchStatements(kind, writes),
  ]
}

function searchStatements(kind: ContentRecordKind, writes: readonly Write[]): SQL[] {
  if (kind === 'series') return indexSeries(writes.map(({ id, columns }) => ({ ...columns, id })))
  if (kind === 'event')
    return indexEvents(
      writes.flatMap(({ id, columns, texts }) => {
        // An occurrence without texts of its own is found by those of its series.
        if (columns.series_id === null) return [{ id, text: eventText(columns) }]
        return texts ? [{ id, text: occurrenceText(texts) }] : []
      }),
    )
  const related = kind === 'venue' ? VENUES : ORGANIZERS
  return indexTexts(
    related.searchTable,
    writes.map(({ id, columns }) => ({ id, text: relatedText(related, columns) })),
  )
}

const idsWith = (writes: readonly Write[], flag: 'slugMoves' | 'dateMoves'): number[] =>
  writes.filter(write => write[flag]).map(({ id }) => id)

/** The statements that give rows temporary slugs before they get new ones: two rows may swap theirs, and slugs are unique. */
function vacateSlugs(table: ReturnType<typeof tableOf>, writes: readonly Write[]): SQL[] {
  const ids = idsWith(writes, 'slugMoves')
  return ids.length === 0
    ? []
    : [sql`UPDATE ${table} SET slug = '__moving-' || id WHERE id IN ${inList(ids)}`]
}

/** The statement that takes occurrences off their dates before they get others: a series has each date once. */
function vacateDates(writes: readonly Write[]): SQL[] {
  const ids = idsWith(writes, 'dateMoves')
  return ids.length === 0
    ? []
    : [sql`UPDATE ${events} SET occurrence_date = '-' || occurrence_date WHERE id IN ${inList(ids)}`]
}

const LINK_NAMES = ['venues', 'organizers', 'terms'] as const satisfies LinkName[]

function linkStatements(owner: 'event' | 'series', writes: readonly Write[]): SQL[] {
  const updated = writes.filter(({ action }) => action === 'update').map(({ id }) => id)
  const column = sql.identifier(`${owner}_id`)
  return LINK_NAMES.flatMap(name => {
    const table = TABLES[LINK_TABLES[owner][name]]
    const rows = writes.flatMap(({ id, links }) =>
      (links?.[name] ?? []).map(link => ({ [`${owner}_id`]: id, ...link })),
    )
    return [
      ...(updated.length === 0 ? [] : [sql`DELETE FROM ${table} WHERE ${column} IN ${inList(updated)}`]),
      ...insertRows(table, rows),
    ]
  })
}

type MappedRecord = Origin & { mapping: Mapping }

/** The statements that store the mappings of records to our rows. */
export const mappingStatements = (mapped: readonly MappedRecord[]): SQL[] => {
  const rows = mapped.map(({ source, kind, externalId: external_id, mapping }) => ({
    ...{ source, kind, external_id, hash: mapping.hash },
    ...{ target_id: mapping.target, imported_version: mapping.importedVersion },
  }))
  return insertRows(imports, rows).map(
    insert => sql`${insert} WHERE true ON CONFLICT DO UPDATE SET target_id = excluded.target_id,
      hash = excluded.hash, imported_version = excluded.imported_version`,
  )
}

type Change = {
  id: number
  action: 'create' | 'update' | 'trash' | 'delete'
  kind: RecordKind
  source: string
}

/** The statements that write audit entries. They name the source, but no fields: an import always fills all. */
export function auditStatements(changes: readonly Change[], now: DateTime): SQL[] {
  const groups = Map.groupBy(changes, ({ source, kind }) => `${source}\n${kind}`)
  return [...groups.values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const origin = { caller: { id: 0 }, requestId: requestIdOf(first.source), now }
    return recordRows(
      origin,
      first.kind,
      tableOf(first.kind),
      group.map(({ id, action }) => ({ id, action, fields: [] })),
    )
  })
}
