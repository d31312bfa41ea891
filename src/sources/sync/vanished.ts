import { eq, type SQL, sql } from 'drizzle-orm'
import { eventTerms, series, seriesTerms, terms } from '../../db/schema.ts'
import { deleteFrom, update } from '../../db/statements.ts'
import { patternColumns } from '../../events/recurrence/columns.ts'
import { splitAt } from '../../events/recurrence/split.ts'
import { textsOf } from '../../events/recurrence/texts.ts'
import type { Connection } from '../../lib/connection.ts'
import type { DateTime } from '../../lib/time.ts'
import { refreshPaths } from '../../terms/inserts.ts'
import { fromImportKey, importKey, seriesOf } from '../keys.ts'
import type { ContentRecordKind, Item, RecordKind } from '../records.ts'
import { auditStatements, endStatement, forget } from './apply.ts'
import type { PlanOptions, Trashed } from './decisions.ts'
import type { Mapping, State } from './state.ts'
import { trash } from './trash.ts'

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
    const uid = kind === 'series' ? at.externalId : seriesOf(at.externalId)
    if (unread.has(importKey(source, 'event', uid ?? ''))) return []
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
  if (kind === 'series') {
    const index = state.content.event
    return [...index.occurrencesOf(target).values()].some(id => {
      const { start = '', status } = index.rows.get(id) ?? {}
      return status !== 'trash' && start >= from && start <= to
    })
  }
  return kind !== 'event' || (stored.start >= from && stored.start <= to)
}

/** The changes that move vanished content to the trash. */
export const trashedOf = (
  kind: Exclude<ContentRecordKind, 'series'>,
  gone: readonly Vanished[],
  state: State,
  options: PlanOptions,
): Trashed[] =>
  gone.map(({ source, externalId, mapping: { target } }) =>
    trash(kind, target, { source, externalId }, state, options),
  )

/**
 * The end of a series that has vanished: its occurrences in the period that was read go to the trash. It ends before
 * them, or as a whole if there are none before.
 */
export async function endOfSeries(
  db: Connection,
  { source, from = '' }: Complete,
  { externalId, mapping: { target } }: Vanished,
  state: State,
  options: PlanOptions,
): Promise<{ trashed: Trashed[]; statements: SQL[]; isWhole: boolean }> {
  const index = state.content.event
  const live = [...index.occurrencesOf(target)].filter(([, id]) => index.rows.get(id)?.status !== 'trash')
  const over = live.filter(([, id]) => (index.rows.get(id)?.start ?? '') >= from)
  const [first] = over.map(([date]) => date).sort()
  const trashed = over.map(([, id]) =>
    trash('event', id, { source, externalId: state.externalIdOf(source, 'event', id) }, state, options),
  )
  state.deleteMapping(source, 'series', externalId)
  const isWhole = over.length === live.length || first === undefined
  const end = isWhole ? endStatement(target) : await shortened(db, target, first)
  return { trashed, statements: [end, ...forget([{ source, kind: 'series', externalId }])], isWhole }
}

/** The statement that leaves a series only its dates before one. */
async function shortened(db: Connection, id: number, date: DateTime): Promise<SQL> {
  const [row] = await db.query(
    'SELECT rrule, rdate, exdate, start_date, end_date, timezone, all_day FROM series WHERE id = ?',
    id,
  )
  const { head } = splitAt(
    {
      rrule: String(row?.rrule),
      rdate: textsOf(String(row?.rdate)),
      exdate: textsOf(String(row?.exdate)),
      start_date: String(row?.start_date),
      end_date: String(row?.end_date),
      timezone: String(row?.timezone),
      all_day: row?.all_day === 1,
    },
    date,
  )
  // Where only an additional date is left, the series begins with that.
  const columns = { ...patternColumns(head), extend_from: null, version: sql`${series.version} + 1` }
  return update(series, columns, eq(series.id, id))
}

/** The terms that no event outside the trash has. */
export async function unusedTerms(db: Connection, gone: readonly Vanished[]): Promise<Vanished[]> {
  const used = await db.query(
    `SELECT target_id FROM event_terms JOIN events ON events.id = event_id
     WHERE status <> 'trash' AND target_id IN (SELECT value FROM json_each(?1))
     UNION SELECT target_id FROM series_terms JOIN series ON series.id = series_id
     WHERE status <> 'trash' AND target_id IN (SELECT value FROM json_each(?1))`,
    JSON.stringify(gone.map(({ mapping }) => mapping.target)),
  )
  const ids = new Set(used.map(row => Number(row.target_id)))
  return gone.filter(({ mapping }) => !ids.has(mapping.target))
}

/** The statements that delete terms, for which there is no trash. Their children move up. */
export const removalOfTerms = (gone: readonly Vanished[], now: DateTime): SQL[] => [
  // Entries are of rows that are there.
  ...auditStatements(
    gone.map(({ source, kind, mapping }) => ({ action: 'delete', kind, source, id: mapping.target })),
    now,
  ),
  ...gone.flatMap(({ mapping: { target } }) => [
    deleteFrom(eventTerms, eq(eventTerms.target_id, target)),
    deleteFrom(seriesTerms, eq(seriesTerms.target_id, target)),
    sql`UPDATE ${terms} SET parent = (SELECT parent FROM ${terms} WHERE id = ${target}) WHERE parent = ${target}`,
    deleteFrom(terms, eq(terms.id, target)),
  ]),
  ...forget(gone),
  refreshPaths(eq(terms.parent, 0)),
]
