import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { RequestContext } from '../../kit/context.ts'
import { mapped, type Query, settled, together } from '../../kit/db/query.ts'
import { reportUnknown, unknownValues } from '../../kit/db/references.ts'
import type { FOLLOWED_KINDS } from '../../kit/db/tables.ts'
import { parseBrackets } from '../../kit/http/form-data.ts'
import { checkInput } from '../../kit/http/input.ts'
import { ApiError, ValidationErrors } from '../../kit/lib/errors.ts'
import { ANONYMOUS, type Caller } from '../../kit/lib/roles.ts'
import { typedKeys } from '../../kit/lib/typed-keys.ts'
import { isEmpty, isObject, refuse } from '../../kit/lib/values.ts'
import { EVENT_SOURCE } from './events.ts'
import { ORGANIZER_SOURCE, VENUE_SOURCE } from './others.ts'
import { beforePublication, type ChangeSource } from './queries.ts'

export type FollowedKind = (typeof FOLLOWED_KINDS)[number]

// Filters that are stored, such as those of webhooks and letters, choose the rows that a list for copies would have: with the same
// parameters, conditions and checks. A list whose dates move with the time would change without a write, and nobody could be told.
//
// A table keeps them in a column named `filters`, as JSON: that is how a merge finds them (content/merge.ts).

/** Parameters of lists, as the client sent them. */
export type ListFilters = Readonly<Record<string, unknown>>

/** A list whose changes others follow. */
type FollowedList = Pick<ChangeSource<never, { id: number }, never>, 'table'> & {
  params: z.ZodMiniObject
  /** A condition for the rows of the table that the list shows. */
  listedSql: (context: RequestContext, filters: ListFilters) => SQL
  /** A query that adds errors for values that name no row, or that cannot be followed. */
  checkQuery: (context: RequestContext, filters: ListFilters) => Query<(errors: ValidationErrors) => void>
}

const followed = <P, R extends { id: number }, Item>(source: ChangeSource<P, R, Item>): FollowedList => ({
  table: source.table,
  params: source.params,
  listedSql: (context, filters) => source.listedSql(context, checkInput(source.params, filters).values),
  checkQuery: (context, filters) => {
    const { values, errors: bad } = checkInput(source.params, filters)
    return mapped(unknownValues(source.references?.(context, values) ?? []), unknown => errors => {
      errors.addAll(bad)
      source.validate?.(context, values, errors)
      reportUnknown(errors, unknown)
    })
  },
})

export const FOLLOWED_LISTS: Readonly<Record<FollowedKind, FollowedList>> = {
  events: followed(EVENT_SOURCE),
  venues: followed(VENUE_SOURCE),
  organizers: followed(ORGANIZER_SOURCE),
}

const MAX_UNITS = 5_000

/** Reads filters, as an object or as a query: `categories=jazz&featured=true`. @throws InvalidValue for anything else */
export function toFilters(raw: unknown): ListFilters {
  const given = typeof raw === 'string' && !isEmpty(raw) ? queryIn(raw) : raw
  if (isEmpty(given)) return {}
  if (!isObject(given)) return refuse('must be an object of parameters, such as {"categories": "jazz"}')
  if (JSON.stringify(given).length > MAX_UNITS) refuse(`must be at most ${MAX_UNITS} characters of JSON`)
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && !isEmpty(value)))
}

function queryIn(text: string): ListFilters {
  try {
    return parseBrackets(text.trim().replace(/^\?/, ''))
  } catch (error) {
    if (error instanceof ApiError) refuse('must be a query such as categories=jazz')
    throw error
  }
}

/** A function that adds errors of filters to the errors of the field. */
export type FilterCheck = (kinds: readonly FollowedKind[], errors: ValidationErrors) => void

/** The check of a write that keeps the stored filters, which were checked when they were set. */
export const NO_FILTER_CHECK: Query<FilterCheck> = settled(() => {})

const KINDS = typedKeys(FOLLOWED_LISTS)

/** A query that checks the values of filters against the lists that know them, and whether they name existing rows. */
export function filterCheckQuery(context: RequestContext, filters: ListFilters): Query<FilterCheck> {
  const view = viewOfFilters(context, filters)
  return together(
    KINDS.map(kind => FOLLOWED_LISTS[kind].checkQuery(view, filters)),
    checks => (own, errors) => {
      const found = new ValidationErrors()
      for (const [i, kind] of KINDS.entries()) if (own.includes(kind)) checks[i]?.(found)
      if (found.any) errors.add('filters', found.summary)
    },
  )
}

/** Adds an error for filters that are parameters of none of the lists. */
export function checkNames(
  kinds: readonly FollowedKind[],
  filters: ListFilters,
  errors: ValidationErrors,
): void {
  const unknown = Object.keys(filters).filter(
    name => !kinds.some(kind => Object.hasOwn(FOLLOWED_LISTS[kind].params.shape, name)),
  )
  if (unknown.length > 0)
    errors.add(
      'filters',
      `must be parameters of the list of ${kinds.join(' or ')}, and not ${unknown.slice(0, 5).join(', ')}`,
    )
}

/** A caller without an account who may see unpublished content. */
const EDITOR: Caller = { id: 0, role: 'administrator' }

/**
 * The context of the lists that filters belong to: of an anonymous caller or, if the filters name a status,
 * of a caller who may see everything.
 */
export const viewOfFilters = (context: RequestContext, filters: ListFilters): RequestContext => ({
  ...beforePublication(context),
  caller: Object.hasOwn(filters, 'status') ? EDITOR : ANONYMOUS,
})
