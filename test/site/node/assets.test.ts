import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetsModule, makeSiteAssets, STYLES } from '../../../src/cli/site-assets.ts'
import { ASSETS } from '../../../src/site/assets.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-assets-'))
  await makeSiteAssets(folder)
})
afterAll(() => rm(folder, { recursive: true }))

describe('the static files of pages', () => {
  it('are those that src/site/assets.ts names: npm run docs:assets writes it', async () => {
    expect(readFileSync('src/site/assets.ts', 'utf8')).toBe(await assetsModule())
    expect(readdirSync(join(folder, '_site')).sort()).toEqual(
      Object.values(ASSETS)
        .map(address => address.replace('/_site/', ''))
        .sort(),
    )
  })

  it('have all parts of the stylesheet', () => {
    expect(readdirSync('src/site/styles').sort()).toEqual(STYLES.map(part => `${part}.css`).sort())
    const css = readFileSync(join(folder, ASSETS.style), 'utf8')
    for (const rule of ['--accent:', '.month', '@media print']) expect(css).toContain(rule)
  })

  it.each([
    ['style', 12],
    ['script', 5],
    ['embed', 5],
  ] as const)('%s takes less than %i KB', (name, most) => {
    const size = gzipSync(readFileSync(join(folder, ASSETS[name]))).length
    expect(size).toBeLessThan(most * 1_000)
    expect(size).toBeGreaterThan(300)
  })

  it('may be kept for ever, and loaded by pages elsewhere', () => {
    const headers = readFileSync(join(folder, '_headers'), 'utf8')
    expect(headers).toMatch(
      /^\/_site\/\*\n {2}Cache-Control: public, max-age=31536000, immutable\n {2}Access-Control-Allow-Origin: \*\n/,
    )
  })

  it('know no left and no right, so that pages can be read from the right', () => {
    const css = readFileSync(join(folder, ASSETS.style), 'utf8')
    expect(css).not.toMatch(
      /\b(?:margin|padding|border)-(?:left|right)|(?:^|[\s;{])(?:left|right):|text-align: (?:left|right)/m,
    )
  })

  it('have no comments left, and load nothing from elsewhere', () => {
    for (const address of Object.values(ASSETS)) {
      const text = readFileSync(join(folder, address), 'utf8')
      expect(text).not.toMatch(/\/\*|^\s*\/\//m)
      expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /https?:\/\/|@import|@font-face|url\(/,
      )
    }
  })
})
