import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { assetsModule, LAYERS, makeAssets, makeSiteAssets } from '../../../../src/cli/assets.ts'
import { ASSETS } from '../../../../src/web/html/assets.ts'
import { temporaryFolder } from '../../../cli/spawn.ts'

const folder = temporaryFolder(afterAll)
beforeAll(() => makeSiteAssets(folder))

it('static files can be written concurrently, over existing ones', async () => {
  const own = temporaryFolder(onTestFinished)
  for (let round = 0; round < 3; round++) await Promise.all([1, 2, 3, 4].map(() => makeAssets(own)))
  const files = readdirSync(join(own, '_docs')).sort()
  expect(files).toEqual([
    'LICENSE',
    'NOTICE',
    'page.css',
    'page.js',
    'swagger-ui-bundle.js',
    'swagger-ui.css',
  ])
})

describe('the static files of pages', () => {
  it('match src/web/html/assets.ts, which npm run docs:assets writes', async () => {
    expect(readFileSync('src/web/html/assets.ts', 'utf8')).toBe(await assetsModule())
    expect(readdirSync(join(folder, '_site')).sort()).toEqual(
      Object.values(ASSETS)
        .map(address => address.replace('/_site/', ''))
        .sort(),
    )
  })

  it('include all parts of the stylesheet', () => {
    expect(readdirSync('src/web/pages/styles').sort()).toEqual(
      Object.values(LAYERS)
        .flat()
        .map(part => `${part}.css`)
        .sort(),
    )
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

  it('can be cached for ever, and loaded by other sites', () => {
    const headers = readFileSync(join(folder, '_headers'), 'utf8')
    expect(headers).toMatch(
      /^\/_site\/\*\n {2}Cache-Control: public, max-age=31536000, immutable\n {2}Access-Control-Allow-Origin: \*\n/,
    )
  })

  it('use no left or right, for languages that are written from the right', () => {
    const css = readFileSync(join(folder, ASSETS.style), 'utf8')
    expect(css).not.toMatch(
      /\b(?:margin|padding|border)-(?:left|right)|(?:^|[\s;{])(?:left|right):|text-align: (?:left|right)/m,
    )
  })

  it('have no comments, and load nothing from other sites', () => {
    // Those with a library have a comment about its licence.
    const { passkeys: _, ...own } = ASSETS
    for (const address of Object.values(own)) {
      const text = readFileSync(join(folder, address), 'utf8')
      expect(text).not.toMatch(/\/\*|^\s*\/\//m)
      // The beginning of an address that a user types is not one.
      expect(text.replace('http://www.w3.org/2000/svg', '').replace("'https://'", '')).not.toMatch(
        /https?:\/\/|@import|@font-face|url\(/,
      )
    }
  })
})
