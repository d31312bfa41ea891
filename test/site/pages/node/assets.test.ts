import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  assetsModule,
  hashedFiles,
  LAYERS,
  makeAssets,
  makeSiteAssets,
} from '../../../../src/commands/assets.ts'
import {
  colourNameOf,
  contrast,
  formatColour,
  HUE_NAMES,
  parseColour,
  type Rgb,
  WHITE,
} from '../../../../src/kit/lib/colour.ts'
import { ASSETS } from '../../../../src/site/html/assets.ts'
import { temporaryFolder } from '../../../commands/spawn.ts'

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
  it('match src/site/html/assets.ts, which npm run docs:assets writes', async () => {
    expect(readFileSync('src/site/html/assets.ts', 'utf8')).toBe(assetsModule(await hashedFiles()))
    expect(readdirSync(join(folder, '_site')).sort()).toEqual(
      Object.values(ASSETS)
        .map(address => address.replace('/_site/', ''))
        .sort(),
    )
  })

  it('include all parts of the stylesheet', () => {
    expect(readdirSync('src/site/pages/styles').sort()).toEqual(
      Object.values(LAYERS)
        .flat()
        .map(part => `${part}.css`)
        .sort(),
    )
    const css = readFileSync(join(folder, ASSETS.style), 'utf8')
    for (const rule of ['--accent:', '.month', '@media print']) expect(css).toContain(rule)
  })

  it.each([
    ['style', 11.7],
    ['script', 4],
    ['embed', 1.7],
    ['writing', 22.6],
  ] as const)('%s takes less than %s KB', (name, most) => {
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
      /\b(?:margin|padding|border)-(?:left|right)|(?:^|[\s;{])(?:left|right):|text-align: ?(?:left|right)/m,
    )
  })

  it('have no comments, and load nothing from other sites', () => {
    // Those with a library have a comment about its licence.
    const { passkeys: _, writing: __, leaflet: ___, leafletStyle: ____, ...own } = ASSETS
    for (const address of Object.values(own)) {
      const text = readFileSync(join(folder, address), 'utf8')
      expect(text).not.toMatch(/\/\*|^\s*\/\//m)
      expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /https?:\/\/|@import|@font-face|url\(/,
      )
    }
  })
})

/** A colour of OKLCH in sRGB, cut to what screens show. */
function rgbOf(lightness: number, chroma: number, degrees: number): Rgb {
  const [a, b] = [Math.cos, Math.sin].map(turn => chroma * turn((degrees * Math.PI) / 180))
  const cone = (x: number, y: number): number => (lightness + x * (a ?? 0) + y * (b ?? 0)) ** 3
  const l = cone(0.3963377774, 0.2158037573)
  const m = cone(-0.1055613458, -0.0638541728)
  const s = cone(-0.0894841775, -1.291485548)
  const share = (x: number, y: number, z: number): number => {
    const linear = Math.min(1, Math.max(0, x * (l ?? 0) + y * (m ?? 0) + z * (s ?? 0)))
    return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055)
  }
  return [
    share(4.0767416621, -3.3077115913, 0.2309699292),
    share(-1.2684380046, 2.6097574011, -0.3413193965),
    share(-0.0041960863, -0.7034186147, 1.707614701),
  ]
}

it('every colour of a category is readable on light and on dark pages', () => {
  const css = readFileSync('src/site/pages/styles/base.css', 'utf8')
  const surfaces = (i: 0 | 1) =>
    ['page', 'surface', 'raised'].map(name =>
      parseColour(css.match(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`)?.[i + 1] ?? ''),
    )
  const rules = [
    ...css.matchAll(
      /--(mark|ground|weave): light-dark\(oklch\((\d+)% ([\d.]+) ([^)]+\)?)\), oklch\((\d+)% ([\d.]+) /g,
    ),
  ]
  const built = readFileSync(join(folder, ASSETS.style), 'utf8')
  const hues = [...built.matchAll(/\.hue-([a-z]+)\{--hue: (\d+)/g)].map(
    ([, name = '', hue]) => [name, Number(hue)] as const,
  )
  expect(hues.map(([name]) => name)).toEqual(HUE_NAMES)
  expect(css).toContain('.hue-gray {')
  // Three for all hues, three for gray.
  expect(rules.map(([, name]) => name)).toEqual(['mark', 'ground', 'weave', 'mark', 'ground', 'weave'])
  for (const [, name, light, chroma, , dark, darkChroma] of rules)
    for (const [hue, degrees] of hues) {
      // The name of a hue means the degrees of its class.
      expect(colourNameOf(formatColour(rgbOf(0.6, 0.12, degrees)))).toBe(hue)
      for (const [i, l, c] of [
        [0, light, chroma],
        [1, dark, darkChroma],
      ] as const) {
        const colour = rgbOf(Number(l) / 100, Number(c), degrees)
        for (const other of name === 'mark' ? surfaces(i) : [WHITE]) {
          expect(other && contrast(colour, other), `${hue} ${name} ${l}`).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
})
