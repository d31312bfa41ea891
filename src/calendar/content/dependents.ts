import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../kit/db/database.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { first, inList, type Statement } from '../../kit/db/query.ts'
import { series } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { fromFeatures } from '../../kit/lib/started-features.ts'

// Rows of features that hold ids of content. The core changes or deletes the content, and features say next
// to their tables what becomes of their rows, in the same transaction.

/** The old and the new id, in SQL. */
type Replacement = { from: SQL; to: SQL }

/** Statements of the transaction that changes content. */
type Reaction<T> = (change: T) => readonly Statement[]

type OfAnything = {
  /** When content is deleted for good; its rows still exist then. Gets the ids as a SELECT in parentheses. */
  deletionStatements?: Reaction<SQL>
}

// Content that is moved, cancelled, trashed or restored keeps its id: features read its row, or compare it in
// a task of their cron.
type OfEvents = OfAnything & {
  /** When an event is duplicated, or a series divided: the later dates of the series then belong to `to`. */
  copyStatements?: Reaction<Replacement>
  /**
   * True for events or series that people depend on: two of them are not joined, and such a series is neither
   * divided nor ended, nor loses its end.
   *
   * @param id an expression
   */
  protectedSql?: (id: SQL) => SQL
}

/**
 * A change that a source wants to make to an event, once the organizer agrees: remove it, hide it, or move
 * it.
 */
export type ProposedChange =
  | { what: 'trash' | 'hide' }
  | { what: 'move'; to: { start_date: string; end_date: string; timezone: string; all_day: boolean } }

/**
 * What a source has to know before it changes an event for which people may register: it leaves the tickets
 * alone, and if people depend on the event, it asks before it moves the event or takes it away.
 */
export type Protection = {
  /** True if people depend on the event: unless its organizer agrees, it is neither moved nor taken away. */
  hasPeople: boolean
  /** The change that the source has asked about before; `left` is true if the answer was no. */
  proposal: (ProposedChange & { left?: boolean }) | null
}

/** The question whether an event may change; `change` is null once nothing is asked any more. */
export type Question = { id: number; change: ProposedChange | null }

type OfProtectable = OfEvents & {
  /**
   * An expression of the {@link Protection} of an event, as JSON; NULL for an event that a source may change
   * as it likes.
   */
  protection?: (ids: { event: SQL; series: SQL }) => SQL
  /** The statements that store questions. @param questions a JSON array of {@link Question} */
  questionStatements?: (questions: string) => readonly Statement[]
}

type OfSeries = OfEvents & {
  /** When the series gets new dates. Dates that come back keep the rows that they had. */
  newDateStatements?: Reaction<NewDates>
  /** When a date of the series becomes a single event. Gets the ids as expressions. */
  separationStatements?: Reaction<SeparatedDate>
}

/** The id of a series, as an expression, and its new dates, as a SELECT of ids in parentheses. */
type NewDates = { series: SQL; dates: SQL }

type SeparatedDate = { series: SQL; event: SQL }

type OfMergeable = OfAnything & {
  /** True if the rows move to the survivor of a merge, except for rows that the survivor already has. */
  merged: boolean
}

/**
 * What happens to rows with a column that holds ids of content, by the kind of content. Where nothing is
 * declared, the rows stay as they are.
 */
export type Dependent = {
  event?: OfProtectable
  series?: OfSeries
  venue?: OfMergeable
  organizer?: OfMergeable
  category?: OfMergeable
  tag?: OfMergeable
  image?: OfAnything
}
type DependentKind = keyof Dependent

/**
 * A column with parameters of a list, as JSON. After a merge they name the survivor, and the `version` of the
 * row rises.
 */
export const LIST_FILTERS = 'filters of a list'

/** The columns of features' tables that hold ids of content. */
export type References<T extends Readonly<Record<string, SQLiteTable>>> = {
  readonly [K in keyof T]?: {
    readonly [C in keyof T[K]['$inferSelect']]?: Dependent | typeof LIST_FILTERS
  }
}

type Column = { table: SQLiteTable; column: SQLiteColumn; holds: Dependent | typeof LIST_FILTERS }

/** The columns of features that hold ids of content. */
const columns = fromFeatures(features =>
  features.flatMap(({ tables = {}, references = {} }) =>
    Object.entries(tables).flatMap(([name, table]) =>
      Object.entries(getTableColumns(table)).flatMap(([key, column]): Column[] => {
        const holds = references[name]?.[key]
        return holds === undefined ? [] : [{ table, column, holds }]
      }),
    ),
  ),
)

/** The tables of features that store filters of lists. */
export const tablesWithFilters = (): SQLiteTable[] =>
  columns().flatMap(({ table, holds }) => (holds === LIST_FILTERS ? [table] : []))

const dependentsOn = <K extends DependentKind>(kind: K): NonNullable<Dependent[K]>[] =>
  columns().flatMap(({ holds }) => (holds === LIST_FILTERS ? [] : (holds[kind] ?? [])))

/**
 * The statements to run before the statements that delete content for good.
 * @param ids a SELECT in parentheses
 */
export const beforeDeletionStatements = (kind: DependentKind, ids: SQL): Statement[] =>
  dependentsOn(kind).flatMap(({ deletionStatements }) => deletionStatements?.(ids) ?? [])

/** The statements after the copy of an event was made, or a series divided. */
export const afterCopyStatements = (kind: 'event' | 'series', replacement: Replacement): Statement[] =>
  dependentsOn(kind).flatMap(({ copyStatements }) => copyStatements?.(replacement) ?? [])

/** The statements after a series has got new dates. */
export const afterNewDatesStatements = (dates: NewDates): Statement[] =>
  dependentsOn('series').flatMap(({ newDateStatements }) => newDateStatements?.(dates) ?? [])

/** The statements after a date of a series has become a single event. */
export const afterSeparationStatements = (date: SeparatedDate): Statement[] =>
  dependentsOn('series').flatMap(({ separationStatements }) => separationStatements?.(date) ?? [])

/** The columns of rows that follow to the survivor of a merge. */
export const columnsToMerge = (kind: 'venue' | 'organizer' | 'category' | 'tag'): SQLiteColumn[] =>
  columns().flatMap(({ column, holds }) => (holds !== LIST_FILTERS && holds[kind]?.merged ? [column] : []))

const conditionsOf = (kind: 'event' | 'series', id: SQL): SQL[] =>
  dependentsOn(kind).flatMap(({ protectedSql: condition }) => condition?.(id) ?? [])

/** A condition that is true of an event or series that people depend on. @param id an expression */
export function protectedSql(kind: 'event' | 'series', id: SQL): SQL {
  const conditions = conditionsOf(kind, id)
  return conditions.length === 0 ? sql`0` : sql`(${sql.join(conditions, sql` OR `)})`
}

/** The column `protection` of an event: its {@link Protection} as JSON, or NULL. @param table of the event */
export function protectionColumn(table: SQL): SQL {
  const ids = { event: sql`${table}.id`, series: sql`${table}.series_id` }
  const protections = dependentsOn('event').flatMap(({ protection }) => protection?.(ids) ?? [])
  return sql`coalesce(${sql.join([sql`NULL`, ...protections, sql`NULL`], sql`, `)}) AS protection`
}

/** The statements that ask about events. */
export const eventQuestionStatements = (questions: readonly Question[]): Statement[] =>
  questions.length === 0
    ? []
    : dependentsOn('event').flatMap(
        ({ questionStatements }) => questionStatements?.(JSON.stringify(questions)) ?? [],
      )

/**
 * The statements that make a write fail with a conflict if people depend on one of the series, which is to be
 * divided or ended, or to lose its end.
 *
 * @throws ApiError `rest_event_protected` if people depend on one of them already
 */
export async function readDivisionGuardStatements(
  { db }: { db: Database },
  ids: readonly number[],
): Promise<SQL[]> {
  if (ids.length === 0 || conditionsOf('series', sql`0`).length === 0) return []
  const protectedRows = sql`SELECT 1 FROM ${series} WHERE ${series.id} IN ${inList(ids)}
    AND ${protectedSql('series', sql`${series.id}`)} LIMIT 1`
  if (await db.read(first(protectedRows, () => true)))
    throw new ApiError(
      'rest_event_protected',
      'People depend on all dates of this series, so it can be neither divided nor ended, nor lose its end.',
    )
  return [conflictIf(sql`EXISTS (${protectedRows})`)]
}
