import type { SQL } from 'drizzle-orm'
import type { RequestContext } from '../context.ts'

type Condition<V, P> = (value: V, context: RequestContext, all: Partial<P>) => SQL | undefined

/**
 * A condition for each parameter of a list except `Other`, which do not filter. Every parameter has an entry, so that a
 * declared one without a condition does not compile; `undefined` marks one that is handled elsewhere.
 */
export type FilterMap<P, Other extends keyof P> = {
  [K in Exclude<keyof P, Other>]-?: Condition<NonNullable<P[K]>, P> | undefined
}

/** The conditions of the parameters that have a value, to be joined with AND. */
export function conditionsOf<P, Other extends keyof P>(
  filters: FilterMap<P, Other>,
  context: RequestContext,
  values: Partial<P>,
): SQL[] {
  // Object.keys forgets the keys' types.
  const names = Object.keys(filters) as Exclude<keyof P, Other>[]
  return names.flatMap(name => {
    const value = values[name]
    const condition =
      value === undefined || value === null ? undefined : filters[name]?.(value, context, values)
    return condition === undefined ? [] : [condition]
  })
}
