import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../commands/spawn.ts'

const TEST = join(import.meta.dirname, '..')
const VITEST = join(dirname(createRequire(import.meta.filename).resolve('vitest/package.json')), 'vitest.mjs')
const folder = temporaryFolder(afterAll)

const CONFIG = `
import { Watchdog } from '${TEST}/watchdog.ts'
process.env.TEST_RUN = '${folder}/run'
export default {
  test: {
    globals: true,
    testTimeout: 100,
    hookTimeout: 100,
    reporters: [new Watchdog(1_000)],
    setupFiles: ['${TEST}/node/setup.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
}`

const ENDLESS = `
for (const name of ['before it', 'never ends', 'after it'])
  it(name, () => {
    while (name === 'never ends');
  })`

it('a test whose loop never ends is named, and ends the run', () => {
  mkdirSync(join(folder, 'run'))
  writeFileSync(join(folder, 'vitest.config.mjs'), CONFIG)
  writeFileSync(join(folder, 'endless.test.js'), ENDLESS)
  // That of this run would have it tell another watchdog.
  const { WATCHED: _, ...environment } = process.env
  const { status, stderr } = spawnSync(process.execPath, [VITEST, 'run'], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('endless.test.js > never ends')])
})

/** A program in which a file is reported as ended, then one of its tests, and nothing more. */
const LATE = `
import { Watchdog } from '${TEST}/watchdog.ts'
const file = {
  relativeModuleId: 'late.test.js',
  project: { config: { testTimeout: 0, hookTimeout: 0 } },
  children: { allTests: () => [] },
}
const watchdog = new Watchdog(10)
watchdog.onTestModuleStart(file)
watchdog.onTestModuleEnd(file)
watchdog.onTestCaseResult({ module: file })
watchdog.onInit({ state: { getReportedEntityById() {} } })
setTimeout(() => console.log('Nothing hangs.'), 200)`

it('a file whose last test is reported after its end does not hang', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', LATE], {
    env: { ...process.env, WATCHED: '1', TEST_RUN: undefined },
    encoding: 'utf8',
  })
  expect([stdout, stderr]).toEqual(['Nothing hangs.\n', ''])
})
