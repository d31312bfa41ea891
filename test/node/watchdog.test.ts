import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../cli/spawn.ts'

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
