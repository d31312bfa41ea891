import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.filename).resolve('axe-core/axe.min.js'), 'utf8')

/** A rule of axe-core that parts of a page break. */
export type Violation = { id: string; nodes: string[] }

// The policy lets no script in; the browser's own tools may.
export const loadAxe = (page: Page): Promise<unknown> => page.evaluate(AXE)

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of colours, for what differs in nothing else from what was looked at before. */
export const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What axe-core finds. @param rules all unless given, which take three times as long as those of colours */
export const violations = (page: Page, rules: typeof COLOURS | typeof ALL = ALL): Promise<Violation[]> =>
  page.evaluate<Violation[]>(`axe
    .run({
      runOnly: ${JSON.stringify(rules)},
      resultTypes: ['violations'],
    })
    .then(({ violations }) => violations.map(({ id, nodes }) => ({
      id, nodes: nodes.map(node => node.html + ' ' + node.failureSummary),
    })))`)

// There are no types of the browser's own things here, so what runs in it is text.
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** Waits for the new width as well, which does not come with the browser's response. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate(`new Promise(resolve => {
    const look = () => innerWidth === ${width} ? resolve() : requestAnimationFrame(look)
    look()
  })`)
}

// No script asks how wide a page is, and the scheme changes nothing but colours: each width is looked at whole once.
const LOOKS = [
  ['light', 1280, ALL],
  ['dark', 1280, COLOURS],
  ['dark', 320, ALL],
  ['light', 320, COLOURS],
] as const

/** Shows a page light and dark, wide and narrow, and yields what axe-core finds in each. */
export async function* looksAt(page: Page): AsyncGenerator<{ look: string; found: Violation[] }> {
  await loadAxe(page)
  for (const [colorScheme, width, rules] of LOOKS) {
    await page.emulateMedia({ colorScheme })
    if (rules === ALL) await resize(page, width)
    yield { look: `${colorScheme} ${width}`, found: await violations(page, rules) }
  }
}
