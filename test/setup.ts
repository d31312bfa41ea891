import type { D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import '../src/features.ts'
import { makeDatabaseAnew } from './factories.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      DB: D1Database
      MIGRATIONS: D1Migration[]
      /** SQL that gives an empty database the tables of all migrations (test/tables.ts). */
      TABLES: string
      /** Two a minute, by the real clock. */
      NARROW_LIMIT: RateLimit
      SITES: { name: string; text: string }[]
    }
    interface GlobalProps {
      mainModule: typeof import('../src/index.ts')
    }
  }
}

// The static files are those of the last build, which may be an old one.
Reflect.deleteProperty(env, 'ASSETS')

/** The day on which the conformance cases were recorded; every test lives on it unless it says otherwise. */
export const TODAY = new Date('2026-11-20T12:00:00Z')

// Every request is logged. Sending each line to the process that prints them takes a tenth of a request's
// time, and only the lines of what fails are of interest.
const { log } = console
const lines: unknown[][] = []
console.log = (...line) => lines.push(line)
const printLines = (): void => {
  for (const line of lines.splice(0)) log(...line)
}

// Files share a runtime, one after the other: each begins on an empty database and leaves no spies behind.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: TODAY })
  await makeDatabaseAnew()
})

beforeEach(() => {
  vi.setSystemTime(TODAY)
})

afterEach(({ task }) => {
  if (task.result?.state === 'fail') printLines()
  else lines.length = 0
})

afterAll(() => {
  printLines()
  vi.restoreAllMocks()
  console.log = log
})
