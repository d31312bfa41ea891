import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { changes, latestChange, nextChanges, revision } from '../../kit/db/derived.ts'
import { combineQueries, first, literal, many, type Query, readNumber } from '../../kit/db/query.ts'
import type { Reference } from '../../kit/db/references.ts'
import { build } from '../../kit/db/statements.ts'
import { terms } from '../../kit/db/tables.ts'
import type { Fields } from '../../kit/http/requested-fields.ts'
import { audienceOf, EDITORS, PUBLIC } from '../../kit/http/revision.ts'
import type { FieldsSchema } from '../../kit/http/route.ts'
import { RESPONSE_SIZE } from '../../kit/lib/budgets.ts'
import { clockAt } from '../../kit/lib/clock.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import type { ChangesPosition } from './token.ts'

type ChangedKind = (typeof changes)['$inferSelect']['kind']

/** The position in a first copy: the last row's values of the columns that order it. */
export type Cursor = readonly (string | number)[]

/** The parameters of lists that a copy does not have, as a mask for `z.omit`. */
export const PAGES_AND_ORDER = { page: true, per_page: true, order: true, orderby: true } as const

/** A resource that can be copied: the definition of its list and its rows. */
export type CopiedResource<P, R extends { id: number }, Item> = {
  kind: ChangedKind
  /** The name of the resource in addresses and in the body. */
  plural: string
  /** The schema's name in the documentation. */
  schemaId: string
  item: z.ZodMiniType<Item>
  params: FieldsSchema<P>
  table: SQLiteTable & { id: SQLiteColumn }
  /** Joins that `bytes` needs. */
  join?: SQL
  /** An expression for the size in bytes of a row's long texts. */
  bytes: SQL
  /** A condition for the rows of the table that the list shows. */
  listedSql: (context: BaseContext, values: Partial<P>) => SQL
  /** A SELECT of the next ids of a first copy. */
  nextIds: (context: BaseContext, input: { values: Partial<P>; after: Cursor | null; limit: number }) => SQL
  cursorOf: (row: R) => Cursor
  /** A query for rows, in any order. @param ids a SELECT of `id` */
  select: (context: BaseContext, ids: SQL, fields: Fields | undefined) => Query<R[]>
  /** True if a row lacks texts or relations because the response would be too large. */
  isShortened?: ((row: R) => boolean | undefined) | undefined
  serialize: (row: R, context: BaseContext) => Item
  references?: (context: BaseContext, values: Partial<P>) => Reference[]
  validate: (context: BaseContext, values: Partial<P>, errors: ValidationErrors) => void
}

/** A resource in the first copy, or with a later change. */
type ChangedRow = {
  id: number
  /** The number of its change; 0 in the first copy. */
  changeNumber: number
  isListed: boolean
}

/** The numbers of the latest changes, and a secret of the database. */
type Latest = { databaseSecret: string; changeNumber: number; publicChangeNumber: number }

/**
 * A part of a list's changes: the changes, one more than wanted if there are more, and the rows that the list
 * shows.
 */
type ChangePage<R> = { steps: ChangedRow[]; rows: R[]; latest: Latest | undefined }

/** A time before all scheduled content. */
const BEFORE_ALL = clockAt('0001-01-01 00:00:00')

/**
 * The context of conditions, in which scheduled content is never due: for copies and messages it becomes
 * public when the cron publishes it, because only this write is recorded as a change.
 */
export const beforePublication = (context: BaseContext): BaseContext => ({
  ...context,
  clock: BEFORE_ALL,
})

const selectLatestNumbers = (kind: ChangedKind): Query<Latest | undefined> => {
  /** The highest number, for terms among their own rows as well: deleted ones alone are in `changes`. */
  const highest = (inChanges: SQL, ofTerms: SQL) =>
    isContent(kind)
      ? sql<number>`${inChanges}`
      : sql<number>`max(${inChanges}, coalesce((SELECT max(${ofTerms}) FROM ${terms} WHERE ${terms.taxonomy} = ${kind}), 0))`
  const latestPublic = sql`coalesce((SELECT public_change_number FROM ${changes} WHERE kind = ${kind} AND public_change_number IS NOT NULL
    ORDER BY public_change_number DESC LIMIT 1), 0)`
  const publicChangeNumber = highest(latestPublic, sql`${terms.public_change_number}`)
  const changeNumber = highest(latestChange(sql`${kind}`), sql`${terms.change_number}`)
  return first(
    build.select({ databaseSecret: revision.secret, changeNumber, publicChangeNumber }).from(revision),
  )
}

/**
 * Terms have their numbers in their own rows (kit/db/triggers/changes.sql), and are few enough to be looked
 * through.
 */
const TERM_CHANGES = sql`term_changes AS changes`

type CopyInput<P> = {
  values: Partial<P>
  position: ChangesPosition | undefined
  limit: number
  fields: Fields | undefined
}

/** A query for the next part of a first copy, or for the changes since a position. */
export function selectPart<P, R extends { id: number }, Item>(
  context: BaseContext,
  resource: CopiedResource<P, R, Item>,
  { values, position, limit, fields }: CopyInput<P>,
): Query<ChangePage<R>> {
  const conditionContext = beforePublication(context)
  const { steps, listed } =
    position && position.cursor === null
      ? changesSince(conditionContext, resource, { values, position, limit })
      : copyFrom(conditionContext, resource, { values, after: position?.cursor ?? null, limit })
  return combineQueries({
    steps: many(steps, row => ({
      id: readNumber(row.id),
      changeNumber: readNumber(row.change_number),
      isListed: row.is_listed === 1,
    })),
    rows: resource.select(context, idsThatFit(resource, listed), fields),
    latest: selectLatestNumbers(resource.kind),
  })
}

/**
 * SELECTs of the changes since a position, in their order, and of the ids of the changed rows that the list
 * shows.
 */
function changesSince<P, R extends { id: number }, Item>(
  context: BaseContext,
  { kind, table, listedSql }: CopiedResource<P, R, Item>,
  { values, position, limit }: { values: Partial<P>; position: ChangesPosition; limit: number },
) {
  const changed = sql`(${changedSince(kind, context, { position, limit: limit + 1 })}) AS changed`
  const condition = listedSql(context, values)
  return {
    steps: sql`SELECT changed.id, changed.change_number, EXISTS (
        SELECT 1 FROM ${table} WHERE ${table.id} = changed.id AND ${condition}) AS is_listed
      FROM ${changed} ORDER BY changed.change_number, changed.id`,
    listed: sql`SELECT ${table.id} FROM ${changed} CROSS JOIN ${table} ON ${table.id} = changed.id
      WHERE ${condition} ORDER BY changed.change_number, changed.id`,
  }
}

/** SELECTs of the next rows of a first copy, and of their ids. */
function copyFrom<P, R extends { id: number }, Item>(
  context: BaseContext,
  { nextIds }: CopiedResource<P, R, Item>,
  { values, after, limit }: { values: Partial<P>; after: ChangesPosition['cursor']; limit: number },
) {
  const ids = nextIds(context, { values, after, limit: limit + 1 })
  return { steps: sql`SELECT id, 0 AS change_number, 1 AS is_listed FROM (${ids})`, listed: ids }
}

/** True if the table `changes` has all changes of a kind. Of terms, it has only deletions. */
const isContent = (kind: ChangedKind): boolean => kind !== 'event_category' && kind !== 'event_tag'

/**
 * The context in which a caller copies: editors copy what they see, everybody else what the public sees. The
 * numbers of an author's own changes would reveal how much others change.
 */
export const copyingContext = (context: BaseContext): BaseContext =>
  audienceOf(context.caller) === EDITORS ? context : { ...context, caller: ANONYMOUS }

/** Adds an error for statuses that the caller cannot copy. */
export function checkCopiedStatuses(
  statuses: readonly Status[] | undefined,
  { caller }: BaseContext,
  errors: ValidationErrors,
): void {
  if (audienceOf(caller) !== EDITORS && statuses?.some(status => status !== 'publish'))
    errors.add('status', 'must be publish: only editors can copy what is not public')
}

/**
 * A SELECT of the changes since a position. The public learns only of content that it could see before or
 * after the change.
 */
function changedSince(
  kind: ChangedKind,
  { caller }: BaseContext,
  { position, limit }: { position: ChangesPosition; limit: number },
): SQL {
  const { changeNumber, id, publicChangeNumber } = position
  const isPublic = audienceOf(caller) === PUBLIC
  if (!isPublic && isContent(kind)) {
    const after = {
      changeNumber: sql`${changeNumber}`,
      id: sql`${id}`,
      publicChangeNumber: sql`${publicChangeNumber}`,
    }
    return nextChanges({ where: sql`changes.kind = ${kind}`, after, limit })
  }
  const column = isPublic ? sql`public_change_number` : sql`change_number`
  return sql`SELECT id, ${column} AS change_number FROM ${isContent(kind) ? sql`${changes}` : TERM_CHANGES}
    WHERE kind = ${kind} AND ${column} IS NOT NULL AND (${column}, id) > (${changeNumber}, ${id})
    ORDER BY ${column}, id LIMIT ${literal(limit)}`
}

/**
 * A SELECT of the first ids whose texts fit into one page together, but always of at least one.
 * @param ids a SELECT in order
 */
function idsThatFit<P, R extends { id: number }, Item>(
  { table, join = sql``, bytes }: CopiedResource<P, R, Item>,
  ids: SQL,
): SQL {
  return sql`SELECT id FROM (
      SELECT ${table.id} AS id, item.key AS position, sum(${bytes}) OVER (ORDER BY item.key) AS upto
      FROM (SELECT json_group_array(id) AS list FROM (${ids})) AS found CROSS JOIN json_each(found.list) AS item
      CROSS JOIN ${table} ON ${table.id} = item.value ${join}
    ) WHERE upto <= ${literal(RESPONSE_SIZE.changes)} OR position = 0 ORDER BY position`
}

/** A number above all ids, for a position after all rows with the same change number. */
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** The position of a first copy before its first row: all later changes come after it. */
export function firstPosition({ caller }: BaseContext, latest: Latest | undefined): ChangesPosition {
  const publicChangeNumber = latest?.publicChangeNumber ?? 0
  const changeNumber = audienceOf(caller) === PUBLIC ? publicChangeNumber : (latest?.changeNumber ?? 0)
  return { changeNumber, id: LAST_ID, publicChangeNumber, cursor: [] }
}

/**
 * The content of a response: rows, ids of removed rows, the last change that they cover, and whether no
 * change is left.
 */
type TakenSteps<R> = {
  rows: R[]
  deleted: number[]
  last: { changeNumber: number; id: number } | undefined
  isEnd: boolean
}

/** Takes changes in order, up to the limit, as long as their rows were read. */
function takeSteps<R extends { id: number }>(
  { steps, rows }: ChangePage<R>,
  { limit, isShortened }: { limit: number; isShortened: ((row: R) => boolean | undefined) | undefined },
): TakenSteps<R> {
  const byId = new Map(rows.map(row => [row.id, row]))
  const result: TakenSteps<R> = { rows: [], deleted: [], last: undefined, isEnd: false }
  for (const step of steps.slice(0, limit)) {
    const row = byId.get(step.id)
    // Texts or relations that don't fit into this response come with the next one.
    if (step.isListed && (!row || (result.rows.length > 0 && isShortened?.(row)))) return result
    if (row && step.isListed) result.rows.push(row)
    else result.deleted.push(step.id)
    result.last = { changeNumber: step.changeNumber, id: step.id }
  }
  return { ...result, isEnd: steps.length <= limit }
}

type ChangeResponseInput<R> = { part: ChangePage<R>; limit: number; fields: Fields | undefined }

/**
 * Returns the rows of a part. A row that is shortened because of the other rows in the part is read once
 * more, on its own.
 */
export async function readWholeRows<P, R extends { id: number }, Item>(
  context: BaseContext,
  resource: CopiedResource<P, R, Item>,
  { part, limit, fields }: ChangeResponseInput<R>,
): Promise<TakenSteps<R>> {
  const { isShortened } = resource
  const steps = takeSteps(part, { limit, isShortened })
  const [onlyRow, ...otherRows] = steps.rows
  if (!onlyRow || otherRows.length > 0 || part.rows.length < 2 || !isShortened?.(onlyRow)) return steps
  const [wholeRow] = await context.db.read(resource.select(context, sql`SELECT ${onlyRow.id} AS id`, fields))
  return { ...steps, rows: [wholeRow ?? onlyRow] }
}

/** The position after a response. */
export function nextPosition<R>(
  { caller }: BaseContext,
  {
    rows,
    last,
    isEnd,
    position,
    latest,
    cursorOf,
  }: TakenSteps<R> & {
    position: ChangesPosition
    latest: Latest | undefined
    cursorOf: (row: R) => readonly (string | number)[]
  },
): { position: ChangesPosition; more: boolean } {
  const changeNumber =
    (audienceOf(caller) === PUBLIC ? latest?.publicChangeNumber : latest?.changeNumber) ?? 0
  if (position.cursor !== null) {
    const lastRow = rows.at(-1)
    if (!isEnd && lastRow) return { position: { ...position, cursor: cursorOf(lastRow) }, more: true }
    // Changes made during the first copy follow.
    return { position: { ...position, cursor: null }, more: changeNumber > position.changeNumber }
  }
  if (!isEnd && last) return { position: { ...position, ...last }, more: true }
  return {
    position: {
      changeNumber,
      id: LAST_ID,
      publicChangeNumber: latest?.publicChangeNumber ?? 0,
      cursor: null,
    },
    more: false,
  }
}
