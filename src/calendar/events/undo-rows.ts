import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { columnList, writtenColumns } from '../../kit/db/columns.ts'
import {
  combineQueries,
  many,
  mapQuery,
  type Query,
  type RawRow,
  readIds,
  type Value,
} from '../../kit/db/query.ts'
import { audit, events, series, undoRequests } from '../../kit/db/tables.ts'
import { SIZES } from '../../kit/lib/budgets.ts'
import { omit } from '../../kit/lib/values.ts'
import { ILLUSTRATED_TABLES } from '../content/resource.ts'
import type { LinkedIds } from './imported-events.ts'
import type { PreparedEvent } from './prepare.ts'
import { RELATIONS } from './relations/fields.ts'
import { linksOf } from './relations/links.ts'

// A change of a series, or of a date in one, is undone by writing all rows again as they were before.
// Requests with the values before could not do that: a request names one date, and the other dates may have
// values of their own.

/**
 * Events and series before a change, as lists of values in the order of {@link RESTORABLE_COLUMNS}. The first
 * value is the id.
 */
export type UndoRows = { events: Value[][]; series: Value[][] }

export type RestorableKind = 'event' | 'series'

/**
 * The columns that are stored to undo a change. Times of changes only rise, and the database works out
 * duplicates, so nothing restores them.
 */
const restorableColumns = (kind: RestorableKind) =>
  omit(writtenColumns(ILLUSTRATED_TABLES[kind]), 'modified', 'modified_utc', 'duplicate_of')

export const RESTORABLE_COLUMNS = { event: restorableColumns('event'), series: restorableColumns('series') }

const columnNames = (kind: RestorableKind): string[] => [
  ...Object.keys(RESTORABLE_COLUMNS[kind]),
  ...RELATIONS,
]
const COLUMN_NAMES = { event: columnNames('event'), series: columnNames('series') }

/** A query for rows as they are stored, with their links. */
export function selectRows(kind: RestorableKind, condition: SQL): Query<RawRow[]> {
  const table = ILLUSTRATED_TABLES[kind]
  const links = linksOf(kind, sql`${table.id}`)
  const names = RELATIONS.map(name => sql`${links[name]} AS ${sql.identifier(name)}`)
  return many(
    sql`SELECT ${columnList(RESTORABLE_COLUMNS[kind])}, ${sql.join(names, sql`, `)} FROM ${table} WHERE ${condition} ORDER BY id`,
    row => row,
  )
}

const packRows = (kind: RestorableKind, rows: readonly RawRow[]): Value[][] =>
  rows.map(row => COLUMN_NAMES[kind].map(name => row[name] ?? null))

export const unpackRows = (kind: RestorableKind, rows: readonly Value[][]): RawRow[] =>
  rows.map(values => Object.fromEntries(COLUMN_NAMES[kind].map((name, i) => [name, values[i] ?? null])))

/** The links in a row that {@link selectRows} has read. */
export const linksOfRow = ({ venue, organizer, categories, tags }: RawRow): LinkedIds => ({
  venue: readIds(venue),
  organizer: readIds(organizer),
  categories: readIds(categories),
  tags: readIds(tags),
})

/** The rows that undoing a change needs: the series with all its dates if `isWhole`, otherwise one event. */
type UndoScope = {
  /** The row that was changed. Its entry in the audit records the change. */
  kind: RestorableKind
  id: number
  isWhole: boolean
  /** True if the change makes a series, the newest one. */
  makesSeries: boolean
  /** True if the entry of the new series records the change. */
  isDivided?: boolean
}

/**
 * The rows that undoing a write needs. Undefined if a request with the former values restores everything: for
 * a single event that stays where it is, and for a date that only goes to the trash or comes back.
 */
export function undoScopeOf(prepared: PreparedEvent): UndoScope | undefined {
  const { stored, series: changed = [] } = prepared
  if (!stored || (prepared.type === 'event' && prepared.isUnchanged)) return undefined
  const makesSeries = changed.some(row => !row.stored)
  const affectsDates = changed.some(({ dates }) => dates)
  if (stored.series_id !== null && (prepared.type === 'series' || affectsDates))
    return changed.length === 0
      ? undefined
      : {
          kind: 'series',
          id: stored.series_id,
          isWhole: true,
          makesSeries,
          isDivided: changed.some(({ isDivided }) => isDivided),
        }
  if (prepared.type === 'series') return undefined
  const { columns } = prepared
  const hasOwnChange =
    stored.series !== null
      ? columns.detached !== stored.detached || changed.length === 0
      : makesSeries || columns.previous_utc_start_date !== undefined
  // A date that also goes to the trash, or comes back, changes its series.
  return hasOwnChange ? { kind: 'event', id: stored.id, isWhole: changed.length > 0, makesSeries } : undefined
}

/** The statements that store the rows before a write, for requests that keep undo data. */
export async function readUndoStatements(
  context: BaseContext,
  prepared: readonly PreparedEvent[],
): Promise<SQL[]> {
  const changes = prepared.flatMap(event => undoScopeOf(event) ?? [])
  if (changes.length === 0) return []
  const changesWithRows = await context.db.read(
    combineQueries(changes.map(change => mapQuery(selectUndoRows(change), rows => ({ ...change, rows })))),
  )
  return changesWithRows.map(change => undoStatement(context, change))
}

/**
 * An expression for the common version of events and series that were stored to undo a change, and of the
 * other dates of these series: how many there are, and the sums of their versions, which only rise.
 */
export const undoRowsVersion = (stored: SQL): SQL => {
  const undoneSeries = sql`(SELECT value FROM json_each(${stored}, '$.of'))`
  const ids = sql`(SELECT value ->> 0 FROM json_each(${stored}, '$.rows.events'))`
  return sql`((SELECT count(*) || '.' || total(version) FROM ${events} WHERE id IN ${ids} OR series_id IN ${undoneSeries})
    || '/' || (SELECT count(*) || '.' || total(version) FROM ${series} WHERE id IN ${undoneSeries}))`
}

/**
 * The statement that stores the rows before the change just recorded, which undo it if nobody has changed
 * them since; 'null' if they are too large.
 */
function undoStatement(
  { clock }: BaseContext,
  { kind, id, makesSeries, isDivided = false, rows }: UndoScope & { rows: UndoRows },
): SQL {
  const json = JSON.stringify({ rows, of: rows.series.map(([seriesId]) => seriesId) })
  const object = isDivided ? newestId(series) : sql`${id}`
  const insertion = sql`INSERT INTO ${undoRequests} (audit_id, at_utc, request) SELECT
    (SELECT max(${audit.id}) FROM ${audit} WHERE ${audit.kind} = ${kind} AND ${audit.object_id} = ${object}), ${clock.now()}`
  if (json.length > SIZES.undoRowsUnits) return sql`${insertion}, 'null'`
  const stored = makesSeries ? sql`json_insert(${json}, '$.of[#]', ${newestId(series)})` : sql`${json}`
  return sql`${insertion}, json_set(stored, '$.version', ${undoRowsVersion(sql`stored`)}) FROM (SELECT ${stored} AS stored)`
}

const selectUndoRows = ({ kind, id, isWhole }: UndoScope): Query<UndoRows> => {
  const seriesId =
    kind === 'series' ? sql`${id}` : sql`(SELECT series_id FROM ${events} WHERE ${events.id} = ${id})`
  const changedEventSql = isWhole
    ? sql`(${events.series_id} = ${seriesId} OR ${events.id} = ${kind === 'event' ? id : 0})`
    : sql`${events.id} = ${id}`
  return combineQueries(
    {
      events: selectRows('event', changedEventSql),
      series: selectRows('series', isWhole ? sql`${series.id} = ${seriesId}` : sql`0`),
    },
    rows => ({ events: packRows('event', rows.events), series: packRows('series', rows.series) }),
  )
}
