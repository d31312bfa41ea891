import { eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { RestorableChange } from '../../calendar/events/restore.ts'
import { type UndoRows, undoRowsVersion } from '../../calendar/events/undo-rows.ts'
import type { BaseContext } from '../../kit/context.ts'
import { UNDO_MS, type UndoRequest } from '../../kit/db/audit.ts'
import {
  first,
  inList,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  type Statement,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { audit, undoRequests } from '../../kit/db/tables.ts'
import { may } from '../../kit/lib/roles.ts'
import { formatInstant, toEpoch } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { ENTRY_JOINS, entryColumns, type HistoryEntry, readEntry, visibleSql } from '../history/queries.ts'

/** The key of an undo: one change, or all of a request. */
export type UndoKey = { entry: number } | { request: string }

/** A change with the request that undoes it, or with the rows before it. */
export type UndoableChange = HistoryEntry & {
  request: UndoRequest | undefined
  rows: RestorableChange | undefined
  /** True if any of the rows has changed since, or the series has other dates now. */
  isOld: boolean
}

/** The stored data for undoing a change. @see undoStatements, readUndoStatements */
type StoredUndo = {
  request?: UndoRequest
  rows?: UndoRows
  of?: readonly number[]
}

const entryOfUndoSql = (which: UndoKey): SQL =>
  'entry' in which ? eq(audit.id, which.entry) : eq(audit.request_id, which.request)

const undoableSql = ({ clock }: BaseContext): SQL =>
  gte(undoRequests.at_utc, formatInstant(toEpoch(clock.now()) - UNDO_MS))

/** A query for changes that the caller may undo: their own and, for editors, the changes of others. */
export function selectUndoable(context: BaseContext, key: UndoKey): Query<UndoableChange[]> {
  const { caller } = context
  const callersSql = may(caller, 'edit_others_content') ? sql`1` : eq(audit.user_id, caller.id)
  return mapQuery(
    many(
      sql`SELECT ${entryColumns(context)}, ${undoRequests.request} AS request,
          ${undoRequests.request} ->> '$.version' <> ${undoRowsVersion(sql`${undoRequests.request}`)} AS is_old
        FROM ${undoRequests} AS kept CROSS JOIN ${audit} ON ${audit.id} = kept.audit_id ${ENTRY_JOINS}
        WHERE ${entryOfUndoSql(key)} AND ${undoableSql(context)} AND ${callersSql} AND ${visibleSql(context)}
        ORDER BY ${audit.id} DESC`,
      row => {
        const storedUndo = storedJson<StoredUndo | null>(readText(row.request))
        const { request, rows, of: seriesIds = [] } = storedUndo ?? {}
        const entry = readEntry(row)
        return {
          ...entry,
          request,
          rows: rows && { entry: entry.id, changed: entry.changed, rows, of: seriesIds },
          isOld: row.is_old === 1 || !entry.canUndo,
        }
      },
    ),
    entries => entries.filter(({ request, rows }) => request ?? rows),
  )
}

/** A query for whether the changes of a request can be undone. */
export const selectUndoState = ({ requestId }: BaseContext): Query<'none' | 'some' | 'too much'> =>
  mapQuery(
    first(
      sql`SELECT count(*) AS n, total(kept.request <> 'null') AS kept FROM ${undoRequests} AS kept
        CROSS JOIN ${audit} ON ${audit.id} = kept.audit_id WHERE ${audit.request_id} = ${requestId}`,
      { n: readNumber, kept: readNumber },
    ),
    state => (!state || state.n === 0 ? 'none' : state.kept > 0 ? 'some' : 'too much'),
  )

/** The statement that deletes the undo data of changes that were undone. */
export const undoRemovalStatement = (ids: readonly number[]): Statement =>
  build.delete(undoRequests).where(inArray(undoRequests.audit_id, inList(ids)))
