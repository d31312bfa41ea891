import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'

const FOLDER = join(import.meta.dirname, '../../.github/workflows')
const files = readdirSync(FOLDER)

describe.each(files)('%s', name => {
  const text = readFileSync(join(FOLDER, name), 'utf8')
  const uses = [...text.matchAll(/uses: (.*)/g)].map(match => match[1])

  it('pins every action to a commit, and names its version', () => {
    expect(uses.length).toBeGreaterThan(0)
    for (const use of uses) expect(use).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('may read the code and nothing else', () => {
    expect([...text.matchAll(/^ *permissions:[\s\S]*?(?=^\S)/gm)].map(([block]) => block.trim())).toEqual([
      'permissions:\n  contents: read',
    ])
    expect(text.match(/persist-credentials: false/g)).toHaveLength(
      text.match(/actions\/checkout/g)?.length ?? 0,
    )
  })

  it('has a time limit and one run at a time', () => {
    expect(text.match(/timeout-minutes/g)).toHaveLength(text.match(/runs-on/g)?.length ?? 0)
    expect(text).toMatch(/^concurrency:/m)
  })
})

it('only the step that deploys gets secrets', () => {
  const text = readFileSync(join(FOLDER, 'ci.yml'), 'utf8')
  expect(text.match(/secrets\.\w+/g)).toEqual([
    'secrets.CLOUDFLARE_API_TOKEN',
    'secrets.CLOUDFLARE_API_TOKEN',
    'secrets.CLOUDFLARE_ACCOUNT_ID',
  ])
})

describe('a deployment', () => {
  const [, deploy = ''] = readFileSync(join(FOLDER, 'ci.yml'), 'utf8').split(/^ {2}deploy:$/m)

  /** True if a condition holds as GitHub evaluates it: comparisons ignore case. */
  const holds = (condition: string, values: Record<string, string>): boolean =>
    condition.split(' || ').some(part => {
      const [, name = '', wanted = ''] = /^([\w.]+) == '([^']*)'$/.exec(part) ?? []
      expect(Object.keys(values)).toContain(name)
      return values[name]?.toLowerCase() === wanted.toLowerCase()
    })

  it.each([
    // A push has no input; a dispatch by the API may send an empty one.
    ['production', '', 'refs/heads/main', true],
    ['production', 'production', 'refs/heads/main', true],
    ['production', 'production', 'refs/heads/feature', false],
    ['production', 'production', 'refs/tags/main', false],
    ['production', 'production', 'refs/heads/feature/refs/heads/main', false],
    ['production', 'production', 'refs/heads/Main', false],
    ['production', 'Production', 'refs/heads/feature', false],
    ['production', '', 'refs/heads/feature', false],
    ['production', '', 'refs/heads/MAIN', false],
    ['production', '', 'refs/pull/7/merge', false],
    ['staging', 'staging', 'refs/heads/main', true],
    ['staging', 'staging', 'refs/heads/feature', true],
  ])('to %s, chosen as "%s", from %s: %s', (to, input, ref, isAllowed) => {
    const [, condition = ''] = /^ {4}if: (.*)$/m.exec(deploy) ?? []
    const [, first = ''] = /^ {4}steps:\n(?: *#.*\n)* {6}- run: (.*)$/m.exec(deploy) ?? []
    expect(deploy.match(/^ +(?:environment|TARGET): .*inputs\.environment \|\| 'production'/gm)).toHaveLength(
      2,
    )
    const target = input || 'production'
    expect(target.toLowerCase()).toBe(to)
    const isBegun = holds(condition, { 'github.ref': ref, 'inputs.environment': input })
    const { status } = spawnSync('sh', ['-c', first], { env: { TARGET: target, GITHUB_REF: ref } })
    expect(first).not.toBe('')
    expect(isBegun && status === 0).toBe(isAllowed)
  })
})

it('no environment has Cloudflare write addresses, of which some hold tokens, into its logs', () => {
  const config = join(import.meta.dirname, '../../wrangler.toml')
  const names = [...readFileSync(config, 'utf8').matchAll(/^\[env\.(\w+)\]$/gm)].map(([, name]) => name)
  expect(names).toEqual(['staging', 'production'])
  for (const env of [undefined, ...names]) {
    const { observability } = readConfig({ config, ...(env && { env }) })
    expect(observability, env).toMatchObject({ enabled: true, logs: { invocation_logs: false } })
  }
})
