import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FEATURES } from '../../src/features.ts'
import { PARTS } from '../features.ts'

// What a new feature has besides its code. `test/node/cron.test.ts` demands that all its work of the cron is
// due there, and `test/attacks/strangers.test.ts` a sample of what anybody may write.

const PAGES = '.github/mechanisms'
const textOf = (path: string): string => readFileSync(path, 'utf8')
const pages = readdirSync(PAGES)
  .filter(name => name !== 'features.md')
  .map(name => textOf(join(PAGES, name)))
const removable = [...textOf(join(PAGES, 'features.md')).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)

describe.each(FEATURES)('$name', ({ name, routes = [] }) => {
  it('has tests in a folder of its name', () => {
    const folder = join('test/features', name)
    const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
    expect(files.filter(file => file.endsWith('.test.ts'))).not.toEqual([])
  })

  it('is attacked at each path that has an id or a secret, by rows of its part.ts', () => {
    const rows = PARTS.flatMap(({ attacked = [] }) => attacked.filter(({ makeRow }) => makeRow))
    const paths = routes.map(({ path }) => path).filter(path => path.includes('{'))
    expect(paths.filter(path => !rows.some(row => path.startsWith(row.path)))).toEqual([])
  })

  it('has a page that says where it is, and a row of features.md that says how to take it away', () => {
    expect(pages.some(page => page.includes(`features/${name}`))).toBe(true)
    expect(removable).toContain(name)
  })
})
