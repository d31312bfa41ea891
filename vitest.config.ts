import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/** Captured answers of real calendars, to run against where they are at hand. */
function capturedSites(): { name: string; text: string }[] {
  const folder = '../shared/data/events-api'
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  return files.map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

export default defineConfig({
  test: {
    // Every request is logged: only the lines of what fails are of interest.
    silent: 'passed-only',
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: { MIGRATIONS: await readD1Migrations('./drizzle'), SITES: capturedSites() },
              ratelimits: { NARROW_LIMIT: { namespace_id: '9001', simple: { limit: 2, period: 60 } } },
            },
          })),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/{cli,soak,import}/**', 'test/docs/node/**'],
          setupFiles: ['./test/setup.ts'],
        },
      },
      {
        test: {
          name: 'node',
          include: ['test/{cli,soak,import}/**/*.test.ts', 'test/docs/node/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
