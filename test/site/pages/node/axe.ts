import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.filename).resolve('axe-core/axe.min.js'), 'utf8')

// The policy of pages allows no such script; evaluating it is allowed.
const loadAxe = (page: Page): Promise<unknown> => page.evaluate(AXE)

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules whose findings depend on colours. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']
/** The rules whose findings depend on colours and sizes. */
const RULES_OF_LOOKS = [...RULES_OF_COLOURS, 'scrollable-region-focusable']

/** The violations of rules: the rule, the element, and a summary. @param without rules that are left out */
const violations = (
  page: Page,
  rules: readonly string[],
  without: readonly string[] = [],
): Promise<string[]> =>
  page.evaluate<string[]>(`axe
    .run({
      runOnly: ${JSON.stringify(rules)},
      rules: ${JSON.stringify(Object.fromEntries(without.map(rule => [rule, { enabled: false }])))},
      resultTypes: ['violations'],
      // It would wait for a copy of itself in each frame, and sandboxed ones complain of its messages.
      iframes: false,
      // Stylesheets, which it reads by default, are for a rule that is experimental.
      preload: { assets: ['media'] },
    })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(node => [id, node.html, node.failureSummary].join(' '))))`)

// Types of the DOM are not available here, so code for the browser is text.
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** Sets the width, and waits until the page has it. */
export async function resize(page: Page, width: number): Promise<void> {
  const size = page.viewportSize()
  if (size?.width === width) return
  // Another height would be one more layout.
  await page.setViewportSize({ width, height: size?.height ?? 800 })
  await page.evaluate(`new Promise(resolve => {
    const look = () => innerWidth === ${width} ? resolve() : requestAnimationFrame(look)
    look()
  })`)
}

/** Makes the text of a page twice as large, as browsers can. */
export const enlargeText = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { font-size: 200% }')
    document.adoptedStyleSheets = [sheet]
  })()`)

/**
 * Scrolls to where what stays in sight covers nothing: to the end if there are buttons, else to the
 * beginning, above headings of days.
 */
const uncover = (page: Page): Promise<unknown> =>
  page.evaluate(
    `scrollTo(0, document.querySelector('.editor-columns .actions') ? document.documentElement.scrollHeight : 0)`,
  )

/**
 * The targets on a page that are too small for fingers by WCAG 2.5.8: those below 24 pixels, unless a circle
 * of that size around their middle touches no other target and no circle of another small one, and unless
 * they are in a line of text. And primary buttons below 44 pixels.
 *
 * @param includesSpaced true for those that are small with room around them, too
 */
export const smallTargets = (page: Page, includesSpaced = false): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const LEAST = 24
    const isSeen = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getBoundingClientRect().width > 1
    const boxOf = e => {
      // Pressing a label presses its box.
      const boxes = [e, ...(e.labels ?? [])].filter(isSeen).map(one => one.getBoundingClientRect())
      const [left, top] = ['left', 'top'].map(side => Math.min(...boxes.map(box => box[side])))
      const [right, bottom] = ['right', 'bottom'].map(side => Math.max(...boxes.map(box => box[side])))
      return { left, top, right, bottom, width: right - left, height: bottom - top }
    }
    const isInText = e => {
      if (getComputedStyle(e).display !== 'inline') return false
      const around = e.closest('p, li, dd, td, figcaption, address, blockquote')
      return around !== null && around.textContent.trim().length > e.textContent.trim().length + 2
    }
    const targets = [...document.querySelectorAll('a[href], button, select, textarea, input:not([type=hidden]), summary')]
      .filter(e => isSeen(e) && !e.matches('.skip, .hidden'))
      .map(e => ({ e, box: boxOf(e) }))
    const isSmall = ({ box }) => box.width < LEAST - 0.5 || box.height < LEAST - 0.5
    const middleOf = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2]
    const isNear = (small, other) => {
      const [x, y] = middleOf(small.box)
      if (isSmall(other)) {
        const [u, v] = middleOf(other.box)
        return Math.hypot(x - u, y - v) < LEAST
      }
      const { left, right, top, bottom } = other.box
      return Math.hypot(x - Math.max(left, Math.min(x, right)), y - Math.max(top, Math.min(y, bottom))) < LEAST / 2
    }
    const crowded = targets.filter(one => isSmall(one) && !isInText(one.e) && (${includesSpaced} || targets.some(other => other !== one && !one.e.contains(other.e) && !other.e.contains(one.e) && isNear(one, other))))
    const low = targets.filter(({ e, box }) => e.matches('.button:not(.button-quiet, .button-danger)') && box.height < 43.5)
    return [...crowded, ...low].map(({ e, box }) => Math.round(box.width) + '×' + Math.round(box.height) + ' ' + e.outerHTML.slice(0, 110))
  })()`)

/** A usual phone, on which axe-core looks, and the narrowest, on which everything must fit. */
const PHONE = 360
const NARROWEST = 320

// Colours hardly depend on the width, and elements that only one width shows are on several pages. Nor does
// it depend on colours and widths what elements are and how they are named: the light look is for that, wide
// on one page and narrow on the next.
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
 * The findings on a page, light and dark, wide and narrow: violations that axe-core finds, overflow, and
 * targets that are too small for fingers.
 *
 * @param turn the number of the page: pages alternate between wide and light, and wide and dark
 */
export async function findings(page: Page, turn: number): Promise<string[]> {
  // Styles may arrive later than the elements that the test has waited for.
  await page.waitForLoadState()
  await loadAxe(page)
  const found: string[] = []
  const [one, other] = LOOKS[turn % 2 === 0 ? 0 : 1]
  // Another width is another layout, so the present one comes first.
  const looks = page.viewportSize()?.width === other[1] ? [other, one] : [one, other]
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme })
    await resize(page, width)
    await uncover(page)
    const look = `${colorScheme} ${width}`
    const rules = colorScheme === 'light' ? RULES : RULES_OF_LOOKS
    found.push(...(await violations(page, rules)).map(violation => `${look}: ${violation}`))
    if (width === PHONE) await resize(page, NARROWEST)
    if (await overflows(page)) found.push(`${look}: wider than the screen`)
    if (width === PHONE) found.push(...(await smallTargets(page)).map(target => `${look}: small: ${target}`))
  }
  return found
}

/**
 * The findings on a page in another language than that in which all else was looked for (`findings`), on a
 * phone, where words need most of the room: violations that do not depend on colours, overflow, and targets
 * that are too small for fingers.
 */
export async function findingsOfWords(page: Page): Promise<string[]> {
  await page.waitForLoadState()
  await loadAxe(page)
  await resize(page, NARROWEST)
  await uncover(page)
  const found = await violations(page, RULES, RULES_OF_COLOURS)
  if (await overflows(page)) found.push('wider than the screen')
  return [...found, ...(await smallTargets(page)).map(target => `small: ${target}`)]
}
