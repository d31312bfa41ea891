import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { PROJECT, temporaryFolder } from '../commands/spawn.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
})

describe('.ci/run', () => {
  const CHECKS = ['npm ci', 'npm run lint', 'npm run types', 'npm test']

  /**
   * Runs it where there is no browser, and no program but bash, those it needs, and these.
   * @returns what these were called with
   */
  const run = (user: number, programs: Record<string, string>) => {
    const log = join(folder, 'log')
    mkdirSync(join(folder, 'bin'))
    for (const name of ['bash', 'dirname', 'true'])
      symlinkSync(
        [`/bin/${name}`, `/usr/bin/${name}`].find(path => existsSync(path)) ?? '',
        join(folder, 'bin', name),
      )
    for (const [name, commands] of Object.entries({ id: `echo ${user}`, npm: '', ...programs })) {
      const path = join(folder, 'bin', name)
      const line = name === 'id' ? '' : `echo "${name} $*" >> '${log}'\n`
      writeFileSync(path, `#!/bin/sh\n${line}${commands}\n`)
      chmodSync(path, 0o755)
    }
    const { status, stderr } = spawnSync(join(PROJECT, '.ci/run'), {
      env: { PATH: join(folder, 'bin'), CI: 'true' },
      encoding: 'utf8',
    })
    return { status, stderr, log: readFileSync(log, 'utf8').trim().split('\n') }
  }

  const installed = expect.stringMatching(/^apt-get install -y .*chromium-headless-shell/)

  it('installs what tests need by sudo, without a question, where it is not root', () => {
    const { status, log } = run(1001, { sudo: 'shift; exec "$@"', 'apt-get': '' })
    expect(status).toBe(0)
    expect(log.filter(line => !line.startsWith('sudo'))).toEqual(['apt-get update -qq', installed, ...CHECKS])
    expect(log.filter(line => line.startsWith('sudo'))).toEqual(
      Array(3).fill(expect.stringMatching(/^sudo -n /)),
    )
  })

  it('installs it as root without sudo', () => {
    const { status, log } = run(0, { 'apt-get': '' })
    expect([status, log]).toEqual([0, ['apt-get update -qq', installed, ...CHECKS]])
  })

  it.each([
    ['there is no sudo', 1001, { 'apt-get': '' }],
    ['sudo wants a password', 1001, { 'apt-get': '', sudo: 'exit 1' }],
    ['there is no apt-get', 0, {}],
  ])('installs nothing and leaves the rest to the tests where %s', (_, user, programs) => {
    const { status, log } = run(user, programs)
    expect([status, log.filter(line => !line.startsWith('sudo'))]).toEqual([0, CHECKS])
  })

  it('says what could not be installed', () => {
    const { status, stderr, log } = run(0, { 'apt-get': 'exit 100' })
    expect([status, log]).toEqual([0, ['apt-get update -qq', ...CHECKS]])
    expect(stderr).toContain('Not installed: chromium-headless-shell')
  })
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
