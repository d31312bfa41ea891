import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { RequestContext } from '../../../src/kit/context.ts'
import { allOf } from '../../../src/kit/db/query.ts'
import { renderStatement } from '../../../src/kit/db/statements.ts'
import { conditionsOf, type FilterMap } from '../../../src/kit/http/lists.ts'
import { clockAt } from '../../../src/kit/lib/clock.ts'
import { settingsOf } from '../../../src/kit/settings.ts'

type Params = {
  page?: number | undefined
  name?: string | undefined
  big?: boolean
  low?: number
  high?: number
}

const FILTERS: FilterMap<Params, 'page'> = {
  name: name => sql`name = ${name}`,
  big: wanted => (wanted ? sql`size > 9` : undefined),
  low: (low, { clock }, { high = 100 }) => sql`size BETWEEN ${low} AND ${high} AND at > ${clock.now()}`,
  high: undefined,
}

// The context of conditions only has the time here.
const context = { clock: clockAt('2026-11-20 12:00:00'), settings: settingsOf({}) } as RequestContext

const where = (values: Partial<Params>) => renderStatement(allOf(conditionsOf(FILTERS, context, values)))

it('each parameter with a value makes a condition, and no other does', () => {
  expect(where({})).toEqual({ text: '1', params: [] })
  expect(where({ page: 2, name: '' })).toEqual({ text: 'name = ?1', params: [''] })
  expect(where({ name: undefined, big: false, high: 3 })).toEqual({ text: '1', params: [] })
  expect(where({ name: 'x', big: true })).toEqual({ text: 'name = ?1 AND size > 9', params: ['x'] })
})

it('a condition sees the context, and the other parameters', () => {
  const at = context.clock.now()
  expect(where({ low: 0 }).params).toEqual([0, 100, at])
  expect(where({ low: 0, high: 9 }).params).toEqual([0, 9, at])
})

it('a map that lacks a parameter, or has an unknown one, does not compile', () => {
  const { name: _, ...rest } = FILTERS
  // @ts-expect-error there is nothing for `name`
  const forgetful: FilterMap<Params, 'page'> = rest
  // @ts-expect-error there is no parameter `colour`
  const inventive: FilterMap<Params, 'page'> = { ...FILTERS, colour: () => sql`1` }
  // @ts-expect-error a name is a text
  const confused: FilterMap<Params, 'page'> = { ...FILTERS, name: (name: number) => sql`name = ${name}` }
  // Without the compiler's errors, nobody would notice these mistakes.
  expect(conditionsOf(forgetful, context, { name: 'x' })).toEqual([])
  expect(Object.keys({ ...inventive, ...confused })).toContain('colour')
})
