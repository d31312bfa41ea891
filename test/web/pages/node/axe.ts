import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { smallTargets } from './targets.ts'

const AXE = readFileSync(createRequire(import.meta.filename).resolve('axe-core/axe.min.js'), 'utf8')

// The policy lets no script in; the browser's own tools may.
const loadAxe = (page: Page): Promise<unknown> => page.evaluate(AXE)

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What breaks a rule: the rule's name, and the elements. */
const violations = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`axe
    .run({
      runOnly: ${JSON.stringify(RULES)},
      resultTypes: ['violations'],
    })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(node => [id, node.html, node.failureSummary].join(' '))))`)

// There are no types of the browser's own things here, so what runs in it is text.
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** Waits for the new width as well, which does not come with the browser's response. */
export async function resize(page: Page, width: number): Promise<void> {
  if (page.viewportSize()?.width === width) return
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate(`new Promise(resolve => {
    const look = () => innerWidth === ${width} ? resolve() : requestAnimationFrame(look)
    look()
  })`)
}

const PHONE = 320

// Colours hardly depend on the width, and what is there in one width only is there on more pages than one.
const LOOKS = [
  [
    ['light', 1280],
    ['dark', PHONE],
  ],
  [
    ['light', PHONE],
    ['dark', 1280],
  ],
] as const

/**
 * What is wrong with a page light and dark, wide and narrow: what axe-core finds, whether the page is wider than the screen, and
 * what fingers can hardly press on a phone.
 *
 * @param turn the number of the page: of two neighbours, one is looked at wide and light, the other wide and dark
 */
export async function findings(page: Page, turn: number): Promise<string[]> {
  // What was waited for may be there before the styles are.
  await page.waitForLoadState()
  await loadAxe(page)
  const found: string[] = []
  for (const [colorScheme, width] of LOOKS[turn % 2 === 0 ? 0 : 1]) {
    await page.emulateMedia({ colorScheme })
    await resize(page, width)
    const look = `${colorScheme} ${width}`
    found.push(...(await violations(page)).map(violation => `${look}: ${violation}`))
    if (await overflows(page)) found.push(`${look}: wider than the screen`)
    if (width === PHONE) found.push(...(await smallTargets(page)).map(target => `${look}: small: ${target}`))
  }
  return found
}
