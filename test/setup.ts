import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, vi } from 'vitest'

declare global {
  namespace Cloudflare {
    interface Env {
      DB: D1Database
      MIGRATIONS: D1Migration[]
      SITES: { name: string; text: string }[]
      /** Two a minute. */
      NARROW_LIMIT: RateLimit
    }
    interface GlobalProps {
      mainModule: typeof import('../src/index.ts')
    }
  }
}

/** The day on which the conformance cases were recorded; every test lives on it unless it says otherwise. */
export const TODAY = new Date('2026-11-20T12:00:00Z')

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: TODAY })
  await applyD1Migrations(env.DB, env.MIGRATIONS)
})
