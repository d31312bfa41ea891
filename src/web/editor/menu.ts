import { inOrder, mapped, type Query } from '../../db/query.ts'
import { may } from '../../lib/roles.ts'
import { type Html, html, raw } from '../html/html.ts'
import { type MenuEntry, MOST_WAITING, type Visit } from './admin.ts'

const entriesFor = ({ frame, context }: Pick<Visit, 'frame' | 'context'>): MenuEntry[] =>
  frame.menu.filter(({ requires }) => may(context.caller, requires))

/** A number of things that wait, of which no more than so many are counted. */
export const countText = ({ site: { dates } }: Pick<Visit, 'site'>, n: number): string =>
  n < MOST_WAITING ? dates.number(n) : `${dates.number(MOST_WAITING)}+`

/** A query of what waits at the entries of the menu, by their paths. */
export function menuCounts(visit: Visit): Query<ReadonlyMap<string, string>> {
  const counted = entriesFor(visit).flatMap(({ path, count }) => (count ? [{ path, count }] : []))
  return mapped(
    inOrder(counted.map(({ count }) => count)),
    counts =>
      new Map(
        counts.flatMap((n, i) => {
          const path = counted[i]?.path
          return path === undefined || n === 0 ? [] : [[path, countText(visit, n)]]
        }),
      ),
  )
}

/** The menu of the editor: what the caller may do. */
export function menu(visit: Visit): Html | '' {
  const { language, words, path, counts } = visit
  const entries = entriesFor(visit)
  if (entries.length === 0) return ''
  const isCurrent = (start: string): boolean =>
    start === '/admin/' ? path === start : path.startsWith(start)
  return html`<nav class="editor-menu" aria-label="${words.editor}"><ul class="menu wide">
${entries.map(({ path: start, label }) => {
  const count = counts?.get(start)
  return html`<li><a href="${start}"${isCurrent(start) && raw(' aria-current="true"')}>${label(language)}${count && html` <span class="tab-count">${count}</span>`}</a></li>\n`
})}
</ul></nav>`
}
