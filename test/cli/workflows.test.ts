import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

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

  it('is bounded in time and does not pile up', () => {
    expect(text.match(/timeout-minutes/g)).toHaveLength(text.match(/runs-on/g)?.length ?? 0)
    expect(text).toMatch(/^concurrency:/m)
  })
})

it('secrets go to nobody but the step that deploys', () => {
  const text = readFileSync(join(FOLDER, 'ci.yml'), 'utf8')
  expect(text.match(/secrets\.\w+/g)).toEqual([
    'secrets.CLOUDFLARE_API_TOKEN',
    'secrets.CLOUDFLARE_API_TOKEN',
    'secrets.CLOUDFLARE_ACCOUNT_ID',
  ])
})
