import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, literal, mapQuery, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { reportUnknown, selectUnknownNames, selectUnknownValues } from '../../kit/db/references.ts'
import type { FOLLOWED_KINDS } from '../../kit/db/tables.ts'
import { parseBrackets } from '../../kit/http/form-data.ts'
import { checkInput } from '../../kit/http/input.ts'
import { ApiError, ValidationErrors } from '../../kit/lib/errors.ts'
import { ANONYMOUS, type Caller } from '../../kit/lib/roles.ts'
import { isEmpty, isObject, refuse, typedKeys } from '../../kit/lib/values.ts'
import { comparedName, namedRows } from '../content/stored-filters.ts'
import { listReferences } from '../events/listing/filters.ts'
import { followingSeries } from '../events/schema.ts'
import { COPIED_ORGANIZERS, COPIED_VENUES } from './copied-resources.ts'
import { COPIED_EVENTS } from './events.ts'
import { beforePublication, type CopiedResource } from './queries.ts'

// Filters that are stored, such as those of webhooks and letters, choose the rows that a list for copies
// would have: with the same parameters, conditions and checks. A list whose dates move with the time would
// change without a write, and nobody could be told.
//
// A table keeps such filters in a column named `filters`, as JSON, where a merge finds them
// (content/stored-filters.ts).

export type FollowedKind = (typeof FOLLOWED_KINDS)[number]

/** Parameters of lists, as the client sent them. */
export type ListFilters = Readonly<Record<string, unknown>>

/** A list whose changes others follow. */
type FollowedList = Pick<CopiedResource<never, { id: number }, never>, 'table'> & {
  params: z.ZodMiniObject
  /** A condition for the rows of the table that the list shows. */
  listedSql: (context: BaseContext, filters: ListFilters) => SQL
  /** A query that adds errors for values that name no row, or that cannot be followed. */
  selectCheck: (context: BaseContext, filters: ListFilters) => Query<(errors: ValidationErrors) => void>
}

const followedList = <P, R extends { id: number }, Item>(
  resource: CopiedResource<P, R, Item>,
): FollowedList => ({
  table: resource.table,
  params: resource.params,
  listedSql: (context, filters) => resource.listedSql(context, checkInput(resource.params, filters).values),
  selectCheck: (context, filters) => {
    const { values, errors: inputErrors } = checkInput(resource.params, filters)
    return mapQuery(
      selectUnknownValues(resource.references?.(context, values) ?? []),
      unknownReferences => errors => {
        errors.addAll(inputErrors)
        resource.validate?.(context, values, errors)
        reportUnknown(errors, unknownReferences)
      },
    )
  },
})

/** Whoever follows a series follows all of its parts, as its subscribers do. */
const FOLLOWED_EVENTS: typeof COPIED_EVENTS = {
  ...COPIED_EVENTS,
  listedSql: (context, values) => COPIED_EVENTS.listedSql(context, followingSeries(values)),
  references: (context, values) => listReferences(context, followingSeries(values)),
}

export const FOLLOWED_LISTS: Readonly<Record<FollowedKind, FollowedList>> = {
  events: followedList(FOLLOWED_EVENTS),
  venues: followedList(COPIED_VENUES),
  organizers: followedList(COPIED_ORGANIZERS),
}

const MAX_FILTER_UNITS = 5_000

/**
 * Reads filters, as an object or as a query: `categories=jazz&featured=true`.
 * @throws InvalidValue for anything else
 */
export function toFilters(raw: unknown): ListFilters {
  const filters = typeof raw === 'string' && !isEmpty(raw) ? queryIn(raw) : raw
  if (isEmpty(filters)) return {}
  if (!isObject(filters)) return refuse('must be an object of parameters, such as {"categories": "jazz"}')
  if (JSON.stringify(filters).length > MAX_FILTER_UNITS)
    refuse(`must be at most ${MAX_FILTER_UNITS} characters of JSON`)
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null && !isEmpty(value)))
}

function queryIn(text: string): ListFilters {
  try {
    return parseBrackets(text.trim().replace(/^\?/, ''))
  } catch (error) {
    if (error instanceof ApiError) refuse(`must be a query such as categories=jazz: ${error.message}`)
    throw error
  }
}

/** A function that adds errors of filters to the errors of the field. */
export type FilterCheck = (kinds: readonly FollowedKind[], errors: ValidationErrors) => void

/** The check of a write that keeps the stored filters, which were checked when they were set. */
export const NO_FILTER_CHECK: Query<FilterCheck> = resolvedQuery(() => {})

const KINDS = typedKeys(FOLLOWED_LISTS)

/**
 * A query that checks the values of filters against the lists that know them, and whether they name existing
 * rows.
 */
export function selectFilterCheck(context: BaseContext, filters: ListFilters): Query<FilterCheck> {
  const listContext = viewOfFilters(context, filters)
  return combineQueries(
    KINDS.map(kind => FOLLOWED_LISTS[kind].selectCheck(listContext, filters)),
    checks => (followedKinds, errors) => {
      const listErrors = new ValidationErrors()
      for (const [i, kind] of KINDS.entries()) if (followedKinds.includes(kind)) checks[i]?.(listErrors)
      if (listErrors.hasAny) errors.add('filters', listErrors.summary)
    },
  )
}

/** Adds an error for filters that are parameters of none of the lists. */
export function checkNames(
  kinds: readonly FollowedKind[],
  filters: ListFilters,
  errors: ValidationErrors,
): void {
  const unknownParameters = Object.keys(filters).filter(
    name => !kinds.some(kind => Object.hasOwn(FOLLOWED_LISTS[kind].params.shape, name)),
  )
  if (unknownParameters.length > 0)
    errors.add(
      'filters',
      `must be parameters of the list of ${kinds.join(' or ')}, and not ${unknownParameters.slice(0, 5).join(', ')}`,
    )
}

/** A caller without an account who may see unpublished content. */
const SEES_EVERYTHING: Caller = { id: 0, role: 'administrator' }

/**
 * The context of the lists that filters belong to: of an anonymous caller or, if the filters name a status,
 * of a caller who may see everything.
 */
const viewOfFilters = (context: BaseContext, filters: ListFilters): BaseContext => ({
  ...beforePublication(context),
  caller: Object.hasOwn(filters, 'status') ? SEES_EVERYTHING : ANONYMOUS,
})

/**
 * A query for filters of events, without the resources in them that the caller of the context cannot see.
 *
 * @returns undefined if nothing is left of one of the filters: without that filter, all events would be meant
 */
export function selectVisibleFilters(
  context: BaseContext,
  filters: ListFilters,
): Query<ListFilters | undefined> {
  const { values } = checkInput(COPIED_EVENTS.params, filters)
  const named = new Map<string, unknown>(Object.entries(values))
  return mapQuery(selectUnknownNames(listReferences(context, followingSeries(values))), hiddenNames => {
    let visible = filters
    for (const [parameter, hidden] of hiddenNames) {
      const visibleValues = [named.get(parameter)].flat().filter(value => !hidden.includes(String(value)))
      if (visibleValues.length === 0) return undefined
      visible = { ...visible, [parameter]: visibleValues }
    }
    return visible
  })
}

/** A condition for the rows of a list that filters choose. */
export type ChosenRows = (kind: FollowedKind) => SQL

/** @param visible the filters by which events are chosen, if not all of them */
export const rowsChosenBy =
  (context: BaseContext, filters: ListFilters, visible = filters): ChosenRows =>
  kind =>
    FOLLOWED_LISTS[kind].listedSql(viewOfFilters(context, filters), kind === 'events' ? visible : filters)

/**
 * A query for the rows that stored filters choose now: resources that have become hidden since the filters
 * were checked choose no events.
 */
export const selectChosen = (context: BaseContext, filters: ListFilters): Query<ChosenRows> =>
  mapQuery(selectVisibleFilters(viewOfFilters(context, filters), filters), visible =>
    visible
      ? rowsChosenBy(context, filters, visible)
      : kind => (kind === 'events' ? sql`0` : rowsChosenBy(context, filters)(kind)),
  )

/**
 * A condition for rows with stored filters, in their column `filters`, that choose no events, because
 * visitors can see none of the resources that one of the filters names.
 */
export function choosesNothingSql(context: BaseContext): SQL {
  const namesOnlyHiddenSql = (filters: ListFilters): SQL =>
    sql.join(
      listReferences(viewOfFilters(context, filters), {
        categories: [],
        tags: [],
        venue: [],
        organizer: [],
      }).map(({ parameter, existsSql }) => {
        const path = literal(`$.${parameter}`)
        return sql`json_type(filters, ${path}) IS NOT NULL AND NOT EXISTS (SELECT 1
          FROM json_each((SELECT json_group_array(${comparedName}) FROM ${namedRows(path)})) WHERE ${existsSql})`
      }),
      sql` OR `,
    )
  return sql`iif(json_type(filters, '$.status') IS NULL, ${namesOnlyHiddenSql({})}, ${namesOnlyHiddenSql({ status: '' })})`
}
