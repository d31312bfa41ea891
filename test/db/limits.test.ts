import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settingsOf } from '../../src/settings.ts'
import { API } from '../factories.ts'

const app = createApp(settingsOf({}))

/** D1, with a list of the statements that it receives. */
const watched = <T extends D1Database | D1DatabaseSession>(db: T, statements: string[]): T =>
  new Proxy(db, {
    get(_, name) {
      const value: unknown = Reflect.get(db, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'prepare') statements.push(String(args[0]))
        const result = value.apply(db, args)
        return name === 'withSession' ? watched(result, statements) : result
      }
    },
  })

async function statementsOf(path: string): Promise<string[]> {
  const statements: string[] = []
  const bindings = { ...env, DB: watched(env.DB, statements) }
  expect((await app.request(API + path, {}, bindings, createExecutionContext())).status).toBe(200)
  return statements
}

// SQLite uses the parameter for its plan, and compiles the statement again whenever one is bound.
it.each([
  '/events',
  '/events?per_page=7&page=1&featured=1',
  '/events?per_page=7&featured=1&search=a',
  '/events?per_page=7&orderby=title',
  '/events?include=1,2',
  '/venues?per_page=7',
  '/organizers?per_page=7&search=a',
  '/categories?per_page=7',
  '/tags?per_page=7',
])('no statement of %s has a parameter as its LIMIT', async path => {
  const statements = (await statementsOf(path)).join('\n')
  expect(statements).toMatch(/LIMIT \d/)
  expect(statements).not.toMatch(/LIMIT \?\d*\s*(OFFSET|\)|$)/im)
})
