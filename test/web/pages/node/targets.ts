import type { Page } from 'playwright-core'

/**
 * What fingers can hardly press on a page, by WCAG 2.5.8: targets below 24 pixels, unless a circle of that size around their
 * middle touches no other target and no circle of another small one, and unless they are in a line of text. And primary buttons
 * below 44 pixels.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const LEAST = 24
    const isSeen = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getBoundingClientRect().width > 1
    const boxOf = e => {
      // Whoever presses a label presses its box.
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
    const crowded = targets.filter(one => isSmall(one) && !isInText(one.e) && targets.some(other => other !== one && !one.e.contains(other.e) && !other.e.contains(one.e) && isNear(one, other)))
    const low = targets.filter(({ e, box }) => e.matches('.button:not(.button-quiet, .button-danger)') && box.height < 43.5)
    return [...crowded, ...low].map(({ e, box }) => Math.round(box.width) + '×' + Math.round(box.height) + ' ' + e.outerHTML.slice(0, 110))
  })()`)
