import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { PROJECT, temporaryFolder } from '../commands/spawn.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
})

describe('a test that is skipped for want of a browser', () => {
  /** Runs vitest on one test that passes and one that needs a browser. */
  const runTests = (variables: Record<string, string>) => {
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(
      join(folder, 'vitest.config.mts'),
      `import { SkippedTests, TAGS } from '${join(PROJECT, 'test/needs.ts')}'
      export default { test: { reporters: ['default', new SkippedTests()], tags: TAGS } }`,
    )
    writeFileSync(
      join(folder, 'one.test.ts'),
      `import { it } from 'vitest'
      it('passes', () => {})
      it('looks at a page', { tags: ['browser'] }, () => {})`,
    )
    const { CI: _, ...environment } = process.env
    const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--root', folder], {
      env: { ...environment, NO_COLOR: '1', CHROMIUM: '/nowhere', ...variables },
      encoding: 'utf8',
    })
    return { status, printed: stdout + stderr }
  }

  it('fails the run where CI is set, after the closing lines of vitest', () => {
    const { status, printed } = runTests({ CI: 'true' })
    expect(status).toBe(1)
    expect(printed).toMatch(/Tests +1 passed \| 1 skipped/)
    expect(printed).toContain('1 test was skipped, which needs a browser')
  })

  it('is only named elsewhere', () => {
    const { status, printed } = runTests({})
    expect([status, printed]).toEqual([0, expect.stringContaining('apt-get install chromium-headless-shell')])
  })

  it('fails nothing where there is a browser', () => {
    expect(runTests({ CI: 'true', CHROMIUM: process.execPath }).status).toBe(0)
  })
})
