import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { Response } from 'miniflare'
import { defineConfig } from 'vitest/config'
import { SkippedTests, TAGS } from './test/needs.ts'
import { folderOfProcess } from './test/once.ts'
import { sqlOf } from './test/tables.ts'
import { VARS } from './test/vars.ts'

/** Captured answers of real calendars, to run against where they are at hand. */
function capturedSites(): { name: string; text: string }[] {
  const folder = '../shared/data/events-api'
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  return files.map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

// A time-out is there to end what hangs, and a slow machine takes ten times as long as a fast one: no test
// and no hook sets less. What takes longer than ten seconds on a fast one sets more (`LONG` of
// test/commands/spawn.ts). The first hook that starts a service bundles the Worker.
const PATIENCE = {
  testTimeout: 120_000,
  hookTimeout: 300_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: 100_000, interval: 100 } },
}

// Limits count by the real clock, so whether a test met one would depend on how fast the machine is.
const UNREACHABLE = { limit: 1_000_000, period: 60 } as const

// Tests wait for processes, disks and clocks a quarter of their time, in which one more worker uses the
// cores. It takes some 1.5 GB, with its runtime or its browser.
const WORKERS = availableParallelism() + (process.availableMemory() > 6 * 2 ** 30 ? 1 : 0)

/**
 * Packages of many modules. A runtime asks for each module by itself, one after the other; these are one file
 * each. Only packages of which all imported paths are here: a class must not be there twice.
 */
const LARGE = [
  '@modelcontextprotocol/server',
  '@simplewebauthn/server',
  'drizzle-orm',
  'drizzle-orm/sqlite-core',
  'drizzle-orm/sqlite-proxy',
  'htmlparser2',
  'temporal-polyfill',
  'zod',
  'zod/mini',
]

const IN_NODE = ['test/{commands,soak}/**/*.test.ts', 'test/**/node/**/*.test.ts']

// Commands and wrangler start over a hundred times. Node compiles what they load once: up to a quarter of
// each start.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'calendar-compiled')

// Each write into a database waits for the disk, often longer than for anything else. Where a part of the
// memory is a folder, as on Linux, databases and other temporary files are there, unless it is small, or
// programs that tests write could not run.
const MEMORY = '/dev/shm'

function isOfUse(folder: string): boolean {
  if (!existsSync('/proc/mounts')) return false
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const [, , , options = 'noexec'] =
    mounts.map(line => line.split(' ')).find(([, place]) => place === folder) ?? []
  if (options.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 4 * 2 ** 30
}

// No test reaches another machine. Where a machine has certificates of its own, every runtime would be given
// all of them: a quarter of a second of computing for a service.
delete process.env.NODE_EXTRA_CA_CERTS

if (isOfUse(MEMORY)) process.env.TMPDIR = folderOfProcess(MEMORY)
process.env.TEST_RUN = folderOfProcess()

const migrations = await readD1Migrations('./drizzle')

export default defineConfig({
  test: {
    // Every request is logged: only the lines of what fails are of interest.
    silent: 'passed-only',
    reporters: ['default', new SkippedTests()],
    tags: TAGS,
    // Not of each project, which would take no notice of --maxWorkers.
    maxWorkers: WORKERS,
    projects: [
      {
        plugins: [
          cloudflareTest(() => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // Tests reach no other machine: without a name server, the runtime would print a page for each
              // attempt. An address contains the text that is found there (`elsewhere` of test/factories.ts),
              // and a token of Turnstile contains the verdict about it
              // (test/features/submissions/turnstile.test.ts).
              outboundService: async request => {
                const { searchParams, hostname, pathname } = new URL(request.url)
                if (pathname === '/turnstile/v0/siteverify') {
                  const [, status = 400, verdict] =
                    /^(\d{3}) (.*)$/.exec(JSON.parse(await request.text()).response) ?? []
                  return new Response(verdict, { status: Number(status) })
                }
                const text = searchParams.get('text')
                if (text !== null) return new Response(text)
                return new Response('Nothing', { status: hostname.endsWith('.test') ? 404 : 502 })
              },
              bindings: {
                ...VARS,
                MIGRATIONS: migrations,
                TABLES: sqlOf(migrations),
                SITES: capturedSites(),
              },
              ratelimits: {
                WRITE_LIMIT: { namespace_id: '9001', simple: UNREACHABLE },
                LOGIN_LIMIT: { namespace_id: '9002', simple: UNREACHABLE },
                NETWORK_LIMIT: { namespace_id: '9004', simple: UNREACHABLE },
                NARROW_LIMIT: { namespace_id: '9003', simple: { limit: 2, period: 60 } },
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...IN_NODE],
          setupFiles: ['./test/setup.ts'],
          // Starting a runtime takes longer than most files: as many files as possible share one, and
          // test/setup.ts gives each an empty database.
          isolate: false,
          deps: { optimizer: { ssr: { enabled: true, include: LARGE } } },
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'node',
          include: IN_NODE,
          setupFiles: ['./test/node/setup.ts'],
          // Files of one process load what they share once, Miniflare and wrangler for two;
          // test/node/setup.ts keeps them apart.
          isolate: false,
          // Node runs TypeScript as it is, which commands rely on: neither is it translated, nor is it read
          // by way of Vite.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          ...PATIENCE,
        },
      },
    ],
  },
})
